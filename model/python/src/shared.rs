// SPDX-License-Identifier: MIT OR Apache-2.0
//! The part of a ring that can be used while it runs: from programs and from views of its memories.

use crate::error::Error;
use awgstar_scenario::run::boards::Stepper;
use pyo3::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A change that is made between two cycles.
pub(crate) type Change = Box<dyn FnOnce(&mut Stepper) -> Result<(), Error> + Send>;

/// What processes have done.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Locks and the boards that hold them.
    pub(crate) held: BTreeSet<(u32, usize)>,
    /// How often a board has passed a barrier: by board and barrier.
    pub(crate) passed: BTreeMap<(usize, u8), u64>,
}

/// State of a ring of boards that its programs share with it.
#[derive(Default)]
pub(crate) struct Shared {
    cycle: AtomicU64,
    failed: AtomicBool,
    error: Mutex<Option<PyErr>>,
    changed: AtomicBool,
    changes: Mutex<Vec<Change>>,
    seen: Mutex<Seen>,
    /// The coroutine of each board that runs one.
    programs: Mutex<BTreeMap<usize, Py<PyAny>>>,
    /// Views of memories that exist.
    pub(crate) views: AtomicUsize,
}

/// The content of a mutex; a thread that panicked leaves it as it is.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// The cycle of the ring.
    pub(crate) fn cycle(&self) -> u64 {
        self.cycle.load(Ordering::Relaxed)
    }

    /// Sets the cycle that programs see.
    #[inline]
    pub(crate) fn set_cycle(&self, cycle: u64) {
        self.cycle.store(cycle, Ordering::Relaxed);
    }

    /// Returns true if a program has raised an exception.
    #[inline]
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// The exception of a program, once.
    pub(crate) fn take_error(&self) -> Option<PyErr> {
        self.failed.store(false, Ordering::Relaxed);
        lock(&self.error).take()
    }

    /// Keeps the first exception of a program.
    pub(crate) fn fail(&self, error: PyErr) {
        lock(&self.error).get_or_insert(error);
        self.failed.store(true, Ordering::Relaxed);
    }

    /// A change is made before the next cycle.
    pub(crate) fn defer(&self, change: Change) {
        lock(&self.changes).push(change);
        self.changed.store(true, Ordering::Relaxed);
    }

    /// Makes the changes that wait.
    #[inline]
    pub(crate) fn apply(&self, stepper: &mut Stepper) -> Result<(), Error> {
        if !self.changed.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.changed.store(false, Ordering::Relaxed);
        let changes = std::mem::take(&mut *lock(&self.changes));
        changes.into_iter().try_for_each(|change| change(stepper))
    }

    /// What processes have done.
    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        lock(&self.seen)
    }

    /// The coroutines by board.
    pub(crate) fn programs(&self) -> MutexGuard<'_, BTreeMap<usize, Py<PyAny>>> {
        lock(&self.programs)
    }

    /// The coroutines, for the garbage collector: `None` while one is being changed.
    pub(crate) fn try_programs(&self) -> Option<MutexGuard<'_, BTreeMap<usize, Py<PyAny>>>> {
        self.programs.try_lock().ok()
    }
}
