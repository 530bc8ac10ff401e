// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of the library in static variables.

use std::cell::UnsafeCell;

/// A static variable of a process in which one thread works at a time.
pub(crate) struct Solo<T>(UnsafeCell<T>);

// SAFETY: the program may not start threads (`refuse.rs`), and the library's own threads work one after
// another while they fork. A signal handler of the library only runs for an instruction of the program, so
// no function of the library is under way.
unsafe impl<T> Sync for Solo<T> {}

impl<T> Solo<T> {
    pub(crate) const fn new(value: T) -> Self {
        Solo(UnsafeCell::new(value))
    }

    /// The value. Callers keep the reference for a statement or two, and never across code of the program.
    #[expect(clippy::mut_from_ref, reason = "one thread works at a time, as said above")]
    pub(crate) fn get(&self) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.0.get() }
    }
}
