// SPDX-License-Identifier: MIT OR Apache-2.0
//! `libawgstar_armci`: ARMCI, and a small part of MPI, for programs on a modelled machine. `docs/armci.md` describes
//! the use; paper 001 has the protocols.
//!
//! The functions of a header are in the file of `interface` with its name. Each is a call of a method of [`Armci`].
//! Headers, manual page and the list in `docs/armci.md` are written from their comments by a test.

// No unit tests are here: `cargo test --lib` would compile all of it once more.
#![cfg(not(test))]

mod children;
mod groups;
mod interface;
mod kinds;
mod memory;
mod messages;
mod mutexes;
mod segments;
mod sets;
mod state;
mod transfer;

use awgstar_caller::wrong::{Answer, Wrong, answered};
use state::{Armci, State};
use std::sync::{Mutex, MutexGuard, PoisonError};

static STATE: Mutex<State> = Mutex::new(State::new());

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A function that may be called at any time. What is wrong ends the process: the run ends with its code.
fn always<T, R: Answer<T>>(function: &str, work: impl FnOnce(&mut State) -> Result<R, Wrong>) -> T {
    // The end of the process may call functions of this library.
    let done = work(&mut lock());
    answered(function, done)
}

/// A function between start and end of its library.
fn call<T, R: Answer<T>>(function: &str, work: impl FnOnce(&mut Armci) -> Result<R, Wrong>) -> T {
    always(function, |state| work(state.running(function)?))
}
