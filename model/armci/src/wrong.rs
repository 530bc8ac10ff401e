// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ends a run: wrong use of a function, and errors of the machine.

use awgstar_onesided::Error as WorldError;
use std::fmt::Display;
use thiserror::Error;

/// Why a function cannot do what it should.
#[derive(Debug, Error)]
pub(crate) enum Wrong {
    #[error("{0}")]
    World(#[from] WorldError),
    /// A function before the start of its library or after its end.
    #[error("{0}")]
    Order(&'static str),
    #[error("argument `{0}`: null pointer")]
    Null(&'static str),
    #[error("argument `{argument}`: {found}, expected {expected}")]
    Argument { argument: &'static str, found: String, expected: String },
    /// The program says that it cannot go on.
    #[error("{0}")]
    Abort(String, i32),
}

impl Wrong {
    pub(crate) fn argument(
        argument: &'static str,
        found: impl Display,
        expected: impl Into<String>,
    ) -> Wrong {
        Wrong::Argument { argument, found: format!("{found}"), expected: expected.into() }
    }

    /// Exit code of the process.
    pub(crate) const fn code(&self) -> i32 {
        match self {
            Wrong::Abort(_, code) if *code != 0 => *code,
            _ => 1,
        }
    }
}

/// A number of bytes or things.
pub(crate) fn size(argument: &'static str, number: impl Into<i64>) -> Result<usize, Wrong> {
    let number = number.into();
    usize::try_from(number).map_err(|_| Wrong::argument(argument, number, "0 or more"))
}
