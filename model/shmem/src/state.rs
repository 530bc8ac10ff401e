// SPDX-License-Identifier: MIT OR Apache-2.0
//! Start and end.

use crate::{image, process::Process};
use awgstar_caller::wrong::Wrong;
use std::ffi::c_int;

/// Highest level of threads: calls of several threads are made one after another.
pub(crate) const SERIALIZED: c_int = 2;

/// A process, before, between and after.
pub(crate) enum State {
    Before,
    Running(Box<Process>),
    After,
}

impl State {
    pub(crate) fn running(&mut self) -> Result<&mut Process, Wrong> {
        match self {
            State::Running(process) => Ok(process),
            _ => Err(Wrong::Order(
                "OpenSHMEM does not run: expected between shmem_init and shmem_finalize",
            )),
        }
    }

    pub(crate) fn start(&mut self, ended: extern "C" fn()) -> Result<(), Wrong> {
        if !matches!(self, State::Before) {
            return Err(Wrong::Order("a second time"));
        }
        let process = Process::join()?;
        image::at_exit(ended);
        *self = State::Running(Box::new(process));
        Ok(())
    }

    /// Starts, unless that was done before.
    pub(crate) fn start_once(&mut self, ended: extern "C" fn()) -> Result<(), Wrong> {
        if matches!(self, State::Running(_)) { Ok(()) } else { self.start(ended) }
    }

    pub(crate) fn end(&mut self) -> Result<(), Wrong> {
        let process = self.running()?;
        process.none_held()?;
        process.world.barrier()?;
        process.world.leave()?;
        *self = State::After;
        Ok(())
    }

    /// Ends without the others, when the process ends: what it has put and stored is in place.
    pub(crate) fn end_alone(&mut self) {
        if let State::Running(process) = self {
            // Whoever waits for the process is named by the run; no one is here to say more to.
            let _ = process.world.fence(None).and_then(|()| process.world.leave());
        }
        self.abandon();
    }

    /// Makes no call for the process any more.
    pub(crate) fn abandon(&mut self) {
        *self = State::After;
    }
}
