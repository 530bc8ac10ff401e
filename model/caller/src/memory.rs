// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory of the caller. Only C makes these types: a function that takes one requires that the pointer is null, or
//! points to as much memory as the function's text says. All else in this crate is safe by that.

use crate::wrong::Wrong;
use std::{
    ffi::{CStr, c_char},
    ptr, slice,
};

/// `void *`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Memory(*mut u8);

impl Memory {
    pub const NULL: Memory = Memory(ptr::null_mut());

    /// Memory that this library gives to the caller, or has from it.
    pub const fn at(pointer: *mut u8) -> Memory {
        Memory(pointer)
    }

    pub const fn pointer(self) -> *mut u8 {
        self.0
    }

    pub fn address(self) -> usize {
        self.0.addr()
    }

    pub const fn is_null(self) -> bool {
        self.0.is_null()
    }

    #[must_use]
    pub const fn beyond(self, bytes: isize) -> Memory {
        Memory(self.0.wrapping_offset(bytes))
    }

    /// One or more values, where the interface has `void *`.
    pub const fn array<T>(self) -> Array<T> {
        Array(self.0.cast())
    }

    fn some(self, argument: &'static str) -> Result<Memory, Wrong> {
        if self.is_null() { Err(Wrong::Null(argument)) } else { Ok(self) }
    }

    /// Bytes to read.
    pub fn bytes<'a>(self, argument: &'static str, bytes: usize) -> Result<&'a [u8], Wrong> {
        if bytes == 0 {
            return Ok(&[]);
        }
        // SAFETY: not null, and so many bytes by the promise of the caller.
        Ok(unsafe { slice::from_raw_parts(self.some(argument)?.0, bytes) })
    }

    /// Bytes to write.
    pub fn bytes_mut<'a>(
        self,
        argument: &'static str,
        bytes: usize,
    ) -> Result<&'a mut [u8], Wrong> {
        if bytes == 0 {
            return Ok(&mut []);
        }
        // SAFETY: not null, and so many bytes by the promise of the caller; the library has no other reference.
        Ok(unsafe { slice::from_raw_parts_mut(self.some(argument)?.0, bytes) })
    }

    /// Copies bytes, which may overlap. Neither is null unless there are no bytes.
    pub fn copy_from(self, from: Memory, bytes: usize) {
        if bytes > 0 {
            // SAFETY: both have so many bytes by the promise of the caller.
            unsafe { ptr::copy(from.0, self.0, bytes) };
        }
    }
}

/// A pointer to one or more values.
#[derive(Debug)]
#[repr(transparent)]
pub struct Array<T>(*mut T);

impl<T> Clone for Array<T> {
    fn clone(&self) -> Array<T> {
        *self
    }
}

impl<T> Copy for Array<T> {}

impl<T> Array<T> {
    /// The values as bytes.
    pub const fn memory(self) -> Memory {
        Memory(self.0.cast())
    }
}

impl<T: Copy> Array<T> {
    pub const NULL: Array<T> = Array(ptr::null_mut());

    /// Values of this library that the caller may read.
    pub const fn of(values: &[T]) -> Array<T> {
        Array(values.as_ptr().cast_mut())
    }

    /// Values of this library that the caller, or the machine, may write.
    pub const fn to(values: &mut [T]) -> Array<T> {
        Array(values.as_mut_ptr())
    }

    pub const fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The value at an index.
    #[must_use]
    pub const fn at(self, index: usize) -> Array<T> {
        Array(self.0.wrapping_add(index))
    }

    pub fn list(self, argument: &'static str, count: usize) -> Result<Vec<T>, Wrong> {
        if count > 0 && self.is_null() {
            return Err(Wrong::Null(argument));
        }
        // SAFETY: not null, and so many values by the promise of the caller.
        Ok((0..count).map(|index| unsafe { self.0.add(index).read_unaligned() }).collect())
    }

    pub fn get(self, argument: &'static str) -> Result<T, Wrong> {
        if self.is_null() {
            return Err(Wrong::Null(argument));
        }
        // SAFETY: not null, and a value by the promise of the caller.
        Ok(unsafe { self.0.read_unaligned() })
    }

    /// Sets the values from the first one on.
    pub fn set(
        self,
        argument: &'static str,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), Wrong> {
        if self.is_null() {
            return Err(Wrong::Null(argument));
        }
        for (index, value) in values.into_iter().enumerate() {
            // SAFETY: not null, and so many values by the promise of the caller.
            unsafe { self.0.add(index).write_unaligned(value) };
        }
        Ok(())
    }

    /// Sets the value, if the caller wants it.
    pub fn put(self, value: T) {
        if !self.is_null() {
            // SAFETY: not null, and a value by the promise of the caller.
            unsafe { self.0.write_unaligned(value) };
        }
    }
}

/// `const char *`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    pub fn get(self, argument: &'static str) -> Result<String, Wrong> {
        if self.0.is_null() {
            return Err(Wrong::Null(argument));
        }
        // SAFETY: not null, and a string by the promise of the caller.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned())
    }
}
