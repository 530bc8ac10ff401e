// SPDX-License-Identifier: MIT OR Apache-2.0
//! `libawgstar_fdsm`: the functions of FDSM (paper 003, table 1) for programs on a modelled cluster whose machine keeps
//! shared pages coherent. `docs/fdsm.md` describes the use.
//!
//! The functions of a header are in the file of `interface` with its name. Each is a call of a method of [`Process`].
//! Headers, manual page and the list in `docs/fdsm.md` are written from their comments by a test.

// No unit tests are here: `cargo test --lib` would compile all of it once more.
#![cfg(not(test))]

mod collective;
mod faults;
mod function;
mod heap;
mod interface;
mod loops;
mod pages;
mod places;
mod process;
mod reduce;
mod region;
mod state;

use awgstar_caller::wrong::{Answer, Wrong, answered};
use process::Process;
use state::{Guard, State};

/// A function that may be called at any time. What is wrong ends the process: the run ends with its code.
fn always<T, R: Answer<T>>(function: &str, work: impl FnOnce(&mut State) -> Result<R, Wrong>) -> T {
    // The end of the process may call functions of this library.
    let done = match Guard::take() {
        Some(mut state) => work(&mut state),
        None => Err(Wrong::Order("within another call of this library, by a handler of a signal")),
    };
    answered(function, done)
}

/// A function between start and end.
fn call<T, R: Answer<T>>(function: &str, work: impl FnOnce(&mut Process) -> Result<R, Wrong>) -> T {
    always(function, |state| work(state.running()?))
}
