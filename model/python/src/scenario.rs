// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files, and keyword arguments with the same keys.

use crate::argument;
use crate::error::{Error, Value};
use awgstar_scenario::run::boards::BoardsPlan;
use awgstar_scenario::run::nodes::NodesPlan;
use awgstar_scenario::run::{Request, RunError};
use awgstar_scenario::scenario::{self, CYCLES_MAX};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::path::PathBuf;
use toml::value::{Table, Value as Toml};

/// Name of keyword arguments in errors.
const ARGUMENTS: &str = "arguments";

/// A value of Python as one of TOML.
fn value(key: &str, found: &Bound<'_, PyAny>) -> PyResult<Toml> {
    if let Ok(number) = found.cast::<PyBool>() {
        return Ok(Toml::Boolean(number.extract()?));
    }
    if found.is_instance_of::<PyInt>() {
        let number: Option<i64> = found.extract().ok();
        let wrong = || Error::argument(key, "a number of 64 bits", found);
        return Ok(Toml::Integer(number.ok_or_else(wrong)?));
    }
    if found.is_instance_of::<PyFloat>() {
        return Ok(Toml::Float(found.extract()?));
    }
    if found.is_instance_of::<PyString>() {
        return Ok(Toml::String(found.extract()?));
    }
    if found.is_instance_of::<PyList>() || found.is_instance_of::<PyTuple>() {
        let all = found.try_iter()?.map(|one| value(key, &one?));
        return Ok(Toml::Array(all.collect::<PyResult<_>>()?));
    }
    if let Ok(table) = found.cast::<PyDict>() {
        return Ok(Toml::Table(keys(table)?));
    }
    let expected = "a number, a text, a list or a dict";
    Err(Error::argument(key, expected, found.get_type().name()?).into())
}

fn keys(table: &Bound<'_, PyDict>) -> PyResult<Table> {
    let mut out = Table::new();
    for (key, one) in table {
        let key: String = key.str()?.extract()?;
        if !one.is_none() {
            let one = value(&key, &one)?;
            out.insert(key, one);
        }
    }
    Ok(out)
}

/// The text of a file with these keys.
fn text(system: &str, arguments: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut all = keys(arguments)?;
    all.insert("system".into(), Toml::String(system.into()));
    all.entry("cycles").or_insert(Toml::Integer(CYCLES_MAX));
    if all.contains_key("primitives") {
        all.entry("program").or_insert(Toml::Array(Vec::new()));
    }
    toml::to_string(&all).map_err(|e| Error::argument(ARGUMENTS, "keys of a scenario", e).into())
}

/// Reads a file.
fn read(path: &PathBuf) -> PyResult<(String, String)> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| Error {
        class: "ScenarioError",
        message: format!("{name}: {e}").into(),
        field: Some("path".into()),
        place: Value::Text(name.clone().into()),
        expected: Some("a scenario file".into()),
        found: Value::Text(e.to_string().into()),
        more: None,
    })?;
    Ok((name, text))
}

/// Where a plan comes from.
pub(crate) enum Source<'a, 'py> {
    /// Keyword arguments.
    Keys(&'a Bound<'py, PyDict>),
    /// A file.
    File(PathBuf),
    /// The text of a file.
    Text(String),
}

impl Source<'_, '_> {
    fn text(&self, system: &str) -> PyResult<(String, String)> {
        match self {
            Source::Keys(keys) => Ok((ARGUMENTS.into(), text(system, keys)?)),
            Source::File(path) => read(path),
            Source::Text(text) => Ok(("text".into(), text.clone())),
        }
    }

    /// The plan of a ring of boards.
    pub(crate) fn boards(&self) -> PyResult<BoardsPlan> {
        let (name, text) = self.text("board-ring")?;
        Ok(scenario::read_boards(&name, &text).map_err(Error::from)?)
    }

    /// The plan of a ring of nodes.
    pub(crate) fn nodes(&self) -> PyResult<NodesPlan> {
        let (name, text) = self.text("node-ring")?;
        Ok(scenario::read_nodes(&name, &text).map_err(Error::from)?)
    }
}

/// The outcome of `simulate`.
#[pyclass(frozen, module = "awgstar._native")]
pub(crate) struct Report {
    /// The report as text.
    #[pyo3(get)]
    text: String,
    /// All checks of the run hold.
    #[pyo3(get)]
    holds: bool,
    /// Faults and events of the file that did not happen, one line each.
    #[pyo3(get)]
    warnings: Vec<String>,
    json: String,
    files: Vec<(String, Vec<u8>)>,
}

#[pymethods]
impl Report {
    /// The report as a dict: that of `awgstar sim --json`.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.json,))
    }

    /// Files of the run by name: the picture, tables and lists.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for (name, bytes) in &self.files {
            out.set_item(name, PyBytes::new(py, bytes))?;
        }
        Ok(out)
    }

    fn __str__(&self) -> &str {
        &self.text
    }
}

/// Runs a scenario file of any system to its end, as `awgstar sim` does, and returns its `Report`.
///
/// `picture` adds the picture of the run (SVG) to the files of the report. Raises `ScenarioError`.
#[pyfunction]
#[pyo3(signature = (path, *, picture=false))]
#[allow(clippy::needless_pass_by_value, reason = "PyO3 gives an owned path")]
pub(crate) fn simulate(
    py: Python<'_>,
    #[pyo3(from_py_with = argument::path)] path: PathBuf,
    #[pyo3(from_py_with = argument::picture)] picture: bool,
) -> PyResult<Report> {
    let (name, text) = read(&path)?;
    py.detach(|| {
        let run = scenario::read(&name, &text).map_err(Error::from)?;
        let report = run.run(&Request { picture, ..Request::default() }, &mut |_, _| ());
        let report = report.map_err(|e| match e {
            RunError::Invalid(what) => Error::argument("scenario", "one that can be run", what),
            RunError::Io(e) => Error::argument("files", "files that can be written", e),
        })?;
        Ok(Report {
            holds: report.holds,
            warnings: report.warnings.iter().map(ToString::to_string).collect(),
            json: report.json.to_string(),
            files: report.files.into_iter().chain(report.picture).collect(),
            text: report.text,
        })
    })
}
