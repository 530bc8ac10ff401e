// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ends a run: wrong use of a function, and errors of the machine.

use awgstar_onesided::Error as WorldError;
use std::{
    ffi::c_int,
    fmt::Display,
    io::{self, Write as _},
    process,
};
use thiserror::Error;

/// Why a function cannot do what it should.
#[derive(Debug, Error)]
pub enum Wrong {
    #[error("{0}")]
    World(#[from] WorldError),
    /// A function before the start of its library or after its end.
    #[error("{0}")]
    Order(&'static str),
    #[error("argument `{0}`: null pointer")]
    Null(&'static str),
    #[error("argument `{argument}`: {found}, expected {expected}")]
    Argument { argument: &'static str, found: String, expected: String },
    /// What was found, where no argument is wrong.
    #[error("{0}")]
    Found(String),
    /// The program says that it cannot go on.
    #[error("{0}")]
    Abort(String, i32),
}

impl Wrong {
    pub fn argument(
        argument: &'static str,
        found: impl Display,
        expected: impl Into<String>,
    ) -> Wrong {
        Wrong::Argument { argument, found: format!("{found}"), expected: expected.into() }
    }

    /// Exit code of the process.
    const fn code(&self) -> i32 {
        match self {
            Wrong::Abort(_, code) if *code != 0 => *code,
            _ => 1,
        }
    }
}

/// A number of bytes or things.
pub fn size(argument: &'static str, number: impl Into<i64>) -> Result<usize, Wrong> {
    let number = number.into();
    usize::try_from(number).map_err(|_| Wrong::argument(argument, number, "0 or more"))
}

/// What a function returns to C for a result.
pub trait Answer<T> {
    fn answer(self) -> T;
}

impl<T> Answer<T> for T {
    fn answer(self) -> T {
        self
    }
}

/// Success.
impl Answer<c_int> for () {
    fn answer(self) -> c_int {
        0
    }
}

/// Returns a result to C. What is wrong ends the process: the run ends with its code.
pub fn answered<T, R: Answer<T>>(function: &str, done: Result<R, Wrong>) -> T {
    match done {
        Ok(result) => result.answer(),
        Err(wrong) => end(function, &wrong),
    }
}

fn end(function: &str, wrong: &Wrong) -> ! {
    // One write: processes that end together share the output, line by line.
    let line = format!("{function}: {wrong}\n");
    // Nowhere is left to say that this fails.
    let _ = io::stderr().write_all(line.as_bytes());
    process::exit(wrong.code())
}
