// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of the library in static variables. A process has one thread, but signal handlers enter the library,
//! and functions of the library call each other: a state that is in use is not given out a second time.

use crate::die;
use std::{
    cell::UnsafeCell,
    ops::{Deref, DerefMut},
    panic::Location,
    ptr::null_mut,
    sync::atomic::{AtomicPtr, AtomicU32, Ordering},
};

/// Work of the library and borrows of its states that have not ended.
static BUSY: AtomicU32 = AtomicU32::new(0);

/// Returns true while the library works, or uses a state: a timer must not enter it.
pub(crate) fn at_work() -> bool {
    BUSY.load(Ordering::Acquire) != 0
}

/// The library works until this is dropped.
pub(crate) struct Work(());

/// The library begins to work.
pub(crate) fn work() -> Work {
    BUSY.fetch_add(1, Ordering::AcqRel);
    Work(())
}

impl Drop for Work {
    fn drop(&mut self) {
        BUSY.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Begins in the process of a rank: the work of the thread that forked it is not under way there.
pub(crate) fn begin_rank() {
    BUSY.store(0, Ordering::Release);
}

/// A state with one user at a time. A second one ends the run, with the places of both.
pub(crate) struct Guarded<T> {
    value: UnsafeCell<T>,
    /// Where the borrow began that has not ended; null if there is none.
    user: AtomicPtr<Location<'static>>,
}

// SAFETY: `borrow` gives the value to one user at a time.
unsafe impl<T> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    pub(crate) const fn new(value: T) -> Self {
        Guarded { value: UnsafeCell::new(value), user: AtomicPtr::new(null_mut()) }
    }

    /// The value, until the result is dropped. Callers keep it for a few statements, and never across code of the
    /// program or a wait.
    #[track_caller]
    pub(crate) fn borrow(&self) -> Borrow<'_, T> {
        let here = Location::caller();
        let work = work();
        let first = self.user.swap(std::ptr::from_ref(here).cast_mut(), Ordering::AcqRel);
        // SAFETY: null, or what `swap` stored here before: a place in static memory.
        if let Some(first) = unsafe { first.as_ref() } {
            die::second_borrow(first, here);
        }
        Borrow { of: self, _work: work }
    }
}

/// The use of a state.
pub(crate) struct Borrow<'a, T> {
    of: &'a Guarded<T>,
    _work: Work,
}

impl<T> Deref for Borrow<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: this borrow is the only one.
        unsafe { &*self.of.value.get() }
    }
}

impl<T> DerefMut for Borrow<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: this borrow is the only one.
        unsafe { &mut *self.of.value.get() }
    }
}

impl<T> Drop for Borrow<'_, T> {
    fn drop(&mut self) {
        self.of.user.store(null_mut(), Ordering::Release);
    }
}

/// A value that is read and written as a whole: there are no references to it.
pub(crate) struct Value<T>(UnsafeCell<T>);

// SAFETY: a process has one thread; those that fork the processes of the nodes wait for each other. The timer's
// handler writes nothing while the library works; those of faults and breakpoints run for an instruction of the
// program, or for a write to its memory, during which no value is read or written.
unsafe impl<T> Sync for Value<T> {}

impl<T: Copy> Value<T> {
    pub(crate) const fn new(value: T) -> Self {
        Value(UnsafeCell::new(value))
    }

    pub(crate) fn get(&self) -> T {
        // SAFETY: as above.
        unsafe { self.0.get().read() }
    }

    pub(crate) fn set(&self, value: T) {
        // SAFETY: as above.
        unsafe { self.0.get().write(value) }
    }

    /// Sets a value, and gives the one before.
    pub(crate) fn replace(&self, value: T) -> T {
        let old = self.get();
        self.set(value);
        old
    }
}
