// SPDX-License-Identifier: MIT OR Apache-2.0
//! `libawgstar_shmem`: `OpenSHMEM` 1.5 for programs on a modelled machine. `docs/shmem.md` describes the use.
//!
//! The functions of a header are in the file of `interface` with its name. Each is a call of a method of [`Process`],
//! or of [`On`] if it has a context. Headers, manual page and the list in `docs/shmem.md` are written from their
//! comments by a test.

// No unit tests are here: `cargo test --lib` would compile all of it once more.
#![cfg(not(test))]
#![recursion_limit = "256"]

mod atomics;
mod collectives;
mod heap;
mod image;
mod interface;
mod locks;
mod process;
mod rma;
mod state;
mod teams;
mod types;
mod waits;

use awgstar_caller::wrong::{Answer, Wrong, answered};
use process::{On, Process};
use state::State;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use teams::Context;

/// What the process has is no static data: that may be symmetric, and change while a call waits.
static STATE: OnceLock<Box<Mutex<State>>> = OnceLock::new();

fn lock() -> MutexGuard<'static, State> {
    let state = STATE.get_or_init(|| Box::new(Mutex::new(State::Before)));
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn try_lock() -> Option<MutexGuard<'static, State>> {
    STATE.get()?.try_lock().ok()
}

/// The process ends without `shmem_finalize`.
extern "C" fn ended() {
    // In a call that ends the process nothing is left to do.
    if let Some(mut state) = try_lock() {
        state.end_alone();
    }
}

/// A function that may be called at any time. What is wrong ends the process: the run ends with its code.
fn always<T, R: Answer<T>>(function: &str, work: impl FnOnce(&mut State) -> Result<R, Wrong>) -> T {
    let mut state = lock();
    let done = work(&mut state);
    if done.is_err() {
        // The run ends with the error.
        state.abandon();
    }
    // The end of the process calls functions of this library.
    drop(state);
    answered(function, done)
}

/// A function between start and end.
fn call<T, R: Answer<T>>(function: &str, work: impl FnOnce(&mut Process) -> Result<R, Wrong>) -> T {
    always(function, |state| work(state.running()?))
}

/// A function with a context.
fn on<T, R: Answer<T>>(
    function: &str,
    context: Context,
    work: impl FnOnce(&mut On<'_>) -> Result<R, Wrong>,
) -> T {
    call(function, |process| {
        let team = process.teams.of_context(context)?;
        work(&mut On { process, team })
    })
}

/// A function with the default context.
fn default<T, R: Answer<T>>(
    function: &str,
    work: impl FnOnce(&mut On<'_>) -> Result<R, Wrong>,
) -> T {
    on(function, Context::DEFAULT, work)
}
