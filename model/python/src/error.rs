// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the model as exceptions of `awgstar.errors`.

use awgstar::codec::{DecodeError, EncodeError, ParseMacError};
use awgstar::contract::Field;
use awgstar::host::HostError;
use awgstar::ring::ScenarioError;
use awgstar_scenario::place::FileError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::fmt;

/// A value of an exception.
#[derive(Clone, Debug, Default)]
pub(crate) enum Value {
    /// None.
    #[default]
    None,
    /// A number.
    Number(u64),
    /// A text.
    Text(Box<str>),
}

/// An error with what its exception says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Error {
    /// Class of the exception.
    pub(crate) class: &'static str,
    /// Message.
    pub(crate) message: Box<str>,
    /// Wrong field.
    pub(crate) field: Option<Box<str>>,
    /// Place of the field.
    pub(crate) place: Value,
    /// Expectation.
    pub(crate) expected: Option<Box<str>>,
    /// What was found.
    pub(crate) found: Value,
    /// One more attribute of the class, and its values.
    pub(crate) more: Option<Box<(&'static str, Vec<String>)>>,
}

impl Error {
    /// An error of this class about a field.
    pub(crate) fn new(
        class: &'static str,
        field: &str,
        expected: impl Into<String>,
        found: impl fmt::Display,
    ) -> Error {
        let (expected, found) = (expected.into(), found.to_string());
        Error {
            class,
            message: format!("{field}: expected {expected}, found {found}").into(),
            field: Some(field.into()),
            expected: Some(expected.into()),
            found: Value::Text(found.into()),
            ..Error::default()
        }
    }

    /// An argument that is invalid.
    pub(crate) fn argument(
        field: &str,
        expected: impl Into<String>,
        found: impl fmt::Display,
    ) -> Error {
        Error::new("ScenarioError", field, expected, found)
    }

    /// The ring is running.
    pub(crate) fn busy() -> Error {
        Error {
            class: "BusyError",
            message: "the ring is running: expected a call between runs".into(),
            ..Error::default()
        }
    }

    /// An access that the board answered with SLVERR.
    pub(crate) fn refused(what: &str, place: u64) -> Error {
        Error {
            class: "AccessError",
            message: format!("{what} at {place:#x}: the board answered SLVERR").into(),
            field: Some(what.into()),
            place: Value::Number(place),
            expected: Some("an access that the board accepts".into()),
            found: Value::Text("SLVERR".into()),
            more: None,
        }
    }

    /// A limit of a host.
    pub(crate) fn expired(what: &str) -> Error {
        Error {
            class: "ExpiredError",
            message: format!("{what}: the limit of cycles has passed").into(),
            field: Some(what.into()),
            ..Error::default()
        }
    }

    fn raise(self, py: Python<'_>) -> PyResult<PyErr> {
        let value = |value: Value| -> PyResult<Py<PyAny>> {
            Ok(match value {
                Value::None => py.None(),
                Value::Number(number) => number.into_pyobject(py)?.into_any().unbind(),
                Value::Text(text) => (&*text).into_pyobject(py)?.into_any().unbind(),
            })
        };
        let class = py.import("awgstar.errors")?.getattr(self.class)?;
        let (place, found) = (value(self.place)?, value(self.found)?);
        let args = (&*self.message, self.field.as_deref(), place, self.expected.as_deref(), found);
        let error = class.call1(args)?;
        match self.more.map(|more| *more) {
            Some(("check", names)) => error.setattr("check", names.join(" "))?,
            Some((name, values)) => {
                error.setattr(name, pyo3::types::PyTuple::new(py, values)?)?;
            }
            None => {}
        }
        Ok(PyErr::from_value(error))
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> PyErr {
        Python::attach(|py| {
            let message = error.message.to_string();
            // Without the package around it the module has no classes.
            error.raise(py).unwrap_or_else(|_| PyRuntimeError::new_err(message))
        })
    }
}

impl From<DecodeError> for Error {
    fn from(e: DecodeError) -> Error {
        Error {
            class: "DecodeError",
            message: e.to_string().into(),
            field: Some(e.field.name().into()),
            place: Value::Number(e.offset as u64),
            expected: Some(e.expected.to_string().into()),
            found: Value::Number(e.found),
            more: Some(Box::new(("check", vec![e.check.name().into()]))),
        }
    }
}

impl From<EncodeError> for Error {
    fn from(e: EncodeError) -> Error {
        let (field, expected, found) = match e {
            EncodeError::TooLarge { field, max, found } => (field, format!("at most {max}"), found),
            EncodeError::NotAllowed { field, expected, found, .. } => {
                (field, expected.to_string(), found)
            }
            EncodeError::DataLength { expected, found, .. } => {
                (Field::Data, format!("{expected} valid bytes"), found as u64)
            }
            EncodeError::Buffer { needed, found } => {
                (Field::Frame, format!("a buffer of {needed} bytes"), found as u64)
            }
        };
        Error {
            class: "EncodeError",
            message: e.to_string().into(),
            field: Some(field.name().into()),
            expected: Some(expected.into()),
            found: Value::Number(found),
            ..Error::default()
        }
    }
}

impl From<ParseMacError> for Error {
    fn from(e: ParseMacError) -> Error {
        Error {
            class: "EncodeError",
            message: e.to_string().into(),
            field: Some("mac".into()),
            place: Value::Number(e.part as u64),
            expected: Some("6 parts of two hex digits separated by ':'".into()),
            found: Value::Text(e.found.into()),
            more: None,
        }
    }
}

impl From<ScenarioError> for Error {
    fn from(e: ScenarioError) -> Error {
        let entry = |list: &str, index: usize| Value::Text(format!("{list}[{index}]").into());
        let (field, place, expected, found): (&str, _, String, u64) = match e {
            ScenarioError::Nodes(found) => ("nodes", Value::None, "1 to 256".into(), found as u64),
            ScenarioError::PerNode { list, nodes, found } => {
                (list, Value::None, format!("one entry for each of {nodes} nodes"), found as u64)
            }
            ScenarioError::NoSuchNode { list, index, nodes, found } => {
                (list, entry(list, index), format!("a node below {nodes}"), found as u64)
            }
            ScenarioError::Range { list, index, field, least, most, found } => {
                (field, entry(list, index), format!("{least} to {most}"), found)
            }
            ScenarioError::Mask { list, index, mask, found } => {
                let expected = format!("no bits beyond mask {mask:#x}");
                ("value", entry(list, index), expected, found.into())
            }
            ScenarioError::Ports(found) => {
                ("boards", Value::None, "at most 32 on one router".into(), found as u64)
            }
            ScenarioError::Tokens(found) => {
                ("tokens", Value::None, "0 to 255".into(), found as u64)
            }
        };
        Error {
            class: "ScenarioError",
            message: e.to_string().into(),
            field: Some(field.into()),
            place,
            expected: Some(expected.into()),
            found: Value::Number(found),
            more: None,
        }
    }
}

impl From<HostError> for Error {
    fn from(e: HostError) -> Error {
        match e {
            HostError::Scenario(e) => e.into(),
            HostError::Node { nodes, found } => {
                Error::argument("board", format!("a board below {nodes}"), found)
            }
            other => {
                let message = other.to_string().into();
                Error { class: "ScenarioError", message, ..Error::default() }
            }
        }
    }
}

impl From<FileError> for Error {
    fn from(e: FileError) -> Error {
        let message = e.to_string().into();
        let word = |text: &str| text.split([':', ' ']).next().unwrap_or_default().to_owned();
        let named = e.what.split('`').nth(1).map(str::to_owned);
        let missing = e.what.starts_with("missing key");
        let key = missing || e.what.starts_with("unknown ") || e.what.contains(" has no key ");
        let field = named.filter(|_| key).unwrap_or(word(&e.what));
        let expected = e.what.split_once("expected ").map(|(_, expected)| expected.to_owned());
        let expected = expected.or_else(|| missing.then(|| "a value".into()));
        let found = e.what.split_once(" is ").and_then(|(_, rest)| rest.split(": expected").next());
        Error {
            class: "ScenarioError",
            message,
            field: Some(field.into()),
            place: Value::Text(format!("{}:{}:{}", e.file, e.line, e.column).into()),
            expected: expected.map(Into::into),
            found: found.map_or(Value::None, |found| Value::Text(found.into())),
            more: None,
        }
    }
}
