// SPDX-License-Identifier: MIT OR Apache-2.0
//! `libawgstar_armci`: ARMCI, and a small part of MPI, for programs on a modelled machine. `docs/armci.md` describes
//! the use; paper 001 has the protocols.
//!
//! The functions of a header are in the file of `interface` with its name. Each is a call of a method of [`Armci`].
//! Headers, manual page and the list in `docs/armci.md` are written from their comments by a test.

mod caller;
mod children;
mod groups;
mod interface;
mod memory;
mod messages;
mod mutexes;
mod numbers;
mod segments;
mod sets;
mod state;
mod transfer;
mod wrong;

use state::{Armci, State};
use std::{
    ffi::c_int,
    io::{self, Write as _},
    process,
    sync::{Mutex, MutexGuard, PoisonError},
};
use wrong::Wrong;

static STATE: Mutex<State> = Mutex::new(State::new());

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a function returns to C for a result.
trait Answer<T> {
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

/// A function that may be called at any time. What is wrong ends the process: the run ends with its code.
fn always<T, R: Answer<T>>(function: &str, work: impl FnOnce(&mut State) -> Result<R, Wrong>) -> T {
    // The end of the process may call functions of this library.
    let done = work(&mut lock());
    match done {
        Ok(result) => result.answer(),
        Err(wrong) => {
            // One write: processes that end together share the output, line by line.
            let line = format!("{function}: {wrong}\n");
            // Nowhere is left to say that this fails.
            let _ = io::stderr().write_all(line.as_bytes());
            process::exit(wrong.code());
        }
    }
}

/// A function between start and end of its library.
fn call<T, R: Answer<T>>(function: &str, work: impl FnOnce(&mut Armci) -> Result<R, Wrong>) -> T {
    always(function, |state| work(state.running(function)?))
}
