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

/// Borrows of all states that have not ended.
static BORROWS: AtomicU32 = AtomicU32::new(0);

/// Returns true while a function of the library uses a state: a signal handler must not.
pub(crate) fn in_use() -> bool {
    BORROWS.load(Ordering::Acquire) != 0
}

/// A state with one user at a time. A second one ends the run, with the places of both.
pub(crate) struct Solo<T> {
    value: UnsafeCell<T>,
    /// Where the borrow began that has not ended; null if there is none.
    user: AtomicPtr<Location<'static>>,
}

// SAFETY: `borrow` gives the value to one user at a time.
unsafe impl<T> Sync for Solo<T> {}

impl<T> Solo<T> {
    pub(crate) const fn new(value: T) -> Self {
        Solo { value: UnsafeCell::new(value), user: AtomicPtr::new(null_mut()) }
    }

    /// The value, until the result is dropped. Callers keep it for a few statements, and never across code of the
    /// program or a wait.
    #[track_caller]
    pub(crate) fn borrow(&self) -> Borrow<'_, T> {
        let here = Location::caller();
        BORROWS.fetch_add(1, Ordering::AcqRel);
        let first = self.user.swap(std::ptr::from_ref(here).cast_mut(), Ordering::AcqRel);
        // SAFETY: null, or what `swap` stored here before: a place in static memory.
        if let Some(first) = unsafe { first.as_ref() } {
            die::second_borrow(first, here);
        }
        Borrow { of: self }
    }
}

/// The use of a state.
pub(crate) struct Borrow<'a, T> {
    of: &'a Solo<T>,
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
        BORROWS.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A value that is read and written as a whole: there are no references to it.
pub(crate) struct Value<T>(UnsafeCell<T>);

// SAFETY: a process has one thread; those that fork the processes of the nodes wait for each other. A signal
// handler of the library runs for an instruction of the program, or does not write what it interrupts.
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
