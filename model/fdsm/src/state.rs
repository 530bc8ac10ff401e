// SPDX-License-Identifier: MIT OR Apache-2.0
//! Start and end.

use crate::process::Process;
use awgstar_caller::wrong::Wrong;
use rustix::thread::gettid;
use std::{
    ops::{Deref, DerefMut, Range},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI32, Ordering},
    },
};

/// A process, before, between and after.
pub(crate) enum State {
    Before,
    Running(Box<Process>),
    After,
}

static STATE: Mutex<State> = Mutex::new(State::Before);
/// The thread that has the state; 0 for none.
static OWNER: AtomicI32 = AtomicI32::new(0);

/// The state, for one thread at a time.
pub(crate) struct Guard(MutexGuard<'static, State>);

impl Guard {
    /// `None` if it is this thread's already: an access of the library itself has failed, or a handler of the program calls.
    pub(crate) fn take() -> Option<Guard> {
        let me = gettid().as_raw_nonzero().get();
        if OWNER.load(Ordering::Relaxed) == me {
            return None;
        }
        let guard = STATE.lock().unwrap_or_else(PoisonError::into_inner);
        OWNER.store(me, Ordering::Relaxed);
        Some(Guard(guard))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        OWNER.store(0, Ordering::Relaxed);
    }
}

impl Deref for Guard {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

impl DerefMut for Guard {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.0
    }
}

impl State {
    pub(crate) fn running(&mut self) -> Result<&mut Process, Wrong> {
        match self {
            State::Running(process) => Ok(process),
            _ => {
                Err(Wrong::Order("FDSM does not run: expected between fdsm_init and fdsm_finalize"))
            }
        }
    }

    /// Joins the run; `install` installs the handler for accesses to the shared memory.
    pub(crate) fn start(&mut self, install: fn(Range<usize>)) -> Result<(), Wrong> {
        if !matches!(self, State::Before) {
            return Err(Wrong::Order("a second time"));
        }
        let process = Process::join()?;
        install(process.memory());
        *self = State::Running(Box::new(process));
        Ok(())
    }

    pub(crate) fn end(&mut self) -> Result<(), Wrong> {
        self.running()?.leave()?;
        *self = State::After;
        Ok(())
    }
}
