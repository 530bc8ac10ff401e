// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the calls, with their codes in C.

use awgstar_compare::Refused;
use std::ffi::c_int;

/// Error of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DpiError {
    /// The design differs from the model.
    #[error("{0}")]
    Differs(String),
    /// No model has this handle.
    #[error("handle {0}: no model has it; awg_dpi_new gives handles, awg_dpi_free takes them back")]
    Handle(c_int),
    /// The model is of another module.
    #[error("handle {handle}: expected a model of {expected}, found one of {found}")]
    Module {
        /// The handle.
        handle: c_int,
        /// Module of the call.
        expected: &'static str,
        /// Module of the model.
        found: &'static str,
    },
    /// A pointer is null or not aligned.
    #[error(
        "argument {0}: expected a pointer to words, found a null pointer or one that is not aligned"
    )]
    Pointer(&'static str),
    /// A name or a setting is wrong.
    #[error("{0}")]
    Argument(String),
    /// Package and library are of different versions.
    #[error(
        "layout of {module}: the library has 32'h{expected:08x}, the package 32'h{found:08x}; use awgstar_pkg.sv and libawgstar_dpi of one version"
    )]
    Layout {
        /// Verilog module.
        module: &'static str,
        /// Number of the library.
        expected: u32,
        /// Number of the caller.
        found: u32,
    },
    /// There is no such memory word.
    #[error("{0}")]
    Range(String),
    /// A call is missing or out of order.
    #[error("{0}")]
    Order(String),
    /// Nothing was compared.
    #[error("{0}")]
    Nothing(String),
    /// No frame was on a link.
    #[error("{0}")]
    NoTraffic(String),
    /// A frame that cannot be sent, or bytes that are not one.
    #[error("{0}")]
    Frame(String),
    /// An error of the library itself.
    #[error("the library failed: {0}")]
    Failed(String),
}

/// Names and codes in C, with one line of documentation.
pub const CODES: [(&str, c_int, &str); 12] = [
    ("DIFFERS", 1, "the design differs from the model: awg_dpi_explain has the report"),
    ("HANDLE", 2, "no model has this handle"),
    ("MODULE", 3, "the model is of another module"),
    ("POINTER", 4, "a pointer is null or not aligned"),
    ("ARGUMENT", 5, "a name or a setting is wrong"),
    ("LAYOUT", 6, "package and library are of different versions"),
    ("RANGE", 7, "there is no such memory word"),
    ("ORDER", 8, "a call is missing or out of order"),
    ("NOTHING", 9, "nothing was compared"),
    ("NO_TRAFFIC", 10, "no frame was on the links"),
    ("FRAME", 11, "a frame that cannot be sent, or bytes that are not one"),
    ("FAILED", 12, "the library failed; this is a bug"),
];

impl DpiError {
    #[must_use]
    pub const fn code(&self) -> c_int {
        match self {
            DpiError::Differs(_) => 1,
            DpiError::Handle(_) => 2,
            DpiError::Module { .. } => 3,
            DpiError::Pointer(_) => 4,
            DpiError::Argument(_) => 5,
            DpiError::Layout { .. } => 6,
            DpiError::Range(_) => 7,
            DpiError::Order(_) => 8,
            DpiError::Nothing(_) => 9,
            DpiError::NoTraffic(_) => 10,
            DpiError::Frame(_) => 11,
            DpiError::Failed(_) => 12,
        }
    }
}

impl From<Refused> for DpiError {
    fn from(error: Refused) -> Self {
        let text = error.to_string();
        match error {
            Refused::Differs { .. } | Refused::Over(_) => DpiError::Differs(text),
            Refused::NoWord { .. } => DpiError::Range(text),
            Refused::Nothing => DpiError::Nothing(text),
            Refused::NoTraffic => DpiError::NoTraffic(text),
            Refused::Reset | Refused::Finished => DpiError::Order(text),
        }
    }
}
