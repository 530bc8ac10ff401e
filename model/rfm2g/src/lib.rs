// SPDX-License-Identifier: MIT OR Apache-2.0
//! librfm2g: the functions that programs for reflective-memory boards of the 5565 family call, on the modelled
//! ring. `docs/rfm2g.md` describes what they do here.
//!
//! `unsafe` is needed for the pointers of the caller, for names without mangling, and for the traps of
//! mapped windows (`window.rs`).

mod board;
mod clock;
mod events;
mod free;
mod page;
mod settings;
mod status;
mod window;

use awgstar_frame::quantity::ByteAddress;
use board::{Board, with};
use status::Status;
use std::{
    ffi::{CStr, c_char, c_void},
    slice,
};

/// Result of a function, as its status.
fn code(done: Result<(), Status>) -> Status {
    done.err().unwrap_or(Status::SUCCESS)
}

/// Puts a value where the caller wants it; `wrong` if the pointer is null.
///
/// # Safety
/// `to` must be null or point to a value that can be written.
unsafe fn put<T>(to: *mut T, value: T, wrong: Status) -> Result<(), Status> {
    if to.is_null() {
        return Err(wrong);
    }
    // SAFETY: the caller's promise.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// A program that was compiled with `-fsanitize-coverage=trace-pc` calls this function in each basic block.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_pc() {
    awgstar_program::count_block();
}

/// `RFM2gOpen`.
///
/// # Safety
/// `path` must be null or a string, `handle` null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RFM2gOpen(path: *const c_char, handle: *mut *mut c_void) -> Status {
    code((|| {
        if path.is_null() {
            return Err(Status::BAD_PARAMETER_1);
        }
        if handle.is_null() {
            return Err(Status::BAD_PARAMETER_2);
        }
        // SAFETY: the caller's promise; not null.
        let (path, found) = unsafe { (CStr::from_ptr(path), handle.read_unaligned()) };
        if !found.is_null() {
            return Err(Status::HANDLE_NOT_NULL);
        }
        if !path.to_bytes().last().is_some_and(u8::is_ascii_digit) {
            return Err(Status::NO_RFM2G_BOARD);
        }
        let opened = std::ptr::without_provenance_mut(board::open()?);
        // SAFETY: the caller's promise; not null.
        unsafe { put(handle, opened, Status::BAD_PARAMETER_2) }
    })())
}

/// `RFM2gClose`.
///
/// # Safety
/// `handle` must be null or point to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RFM2gClose(handle: *mut *mut c_void) -> Status {
    code((|| {
        if handle.is_null() {
            return Err(Status::BAD_PARAMETER_1);
        }
        // SAFETY: the caller's promise; not null.
        let found = unsafe { handle.read_unaligned() };
        if found.is_null() {
            return Err(Status::NULL_DESCRIPTOR);
        }
        board::close(found.addr())?;
        // SAFETY: the caller's promise; not null.
        unsafe { put(handle, std::ptr::null_mut(), Status::BAD_PARAMETER_1) }
    })())
}

/// `RFM2gErrorMsg`.
#[unsafe(no_mangle)]
pub extern "C" fn RFM2gErrorMsg(status: u32) -> *const c_char {
    Status::text(status).as_ptr()
}

/// Length of a buffer of the caller as the interface has it.
fn bytes(offset: u32, length: u32, board: &Board) -> Result<(ByteAddress, usize), Status> {
    let end = offset.checked_add(length).filter(|&end| end <= board.node.memory());
    end.map(|_| (ByteAddress(offset), length as usize)).ok_or(Status::OUT_OF_RANGE)
}

/// `RFM2gRead`.
///
/// # Safety
/// `to` must be null or point to `length` bytes that can be written, in no mapped window.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RFM2gRead(
    handle: *mut c_void,
    offset: u32,
    to: *mut c_void,
    length: u32,
) -> Status {
    code(with(handle, |board| {
        let (at, length) = bytes(offset, length, board)?;
        if to.is_null() {
            return Err(Status::BAD_PARAMETER_3);
        }
        // SAFETY: the caller's promise; not null.
        Ok(board.node.read(at, unsafe { slice::from_raw_parts_mut(to.cast(), length) })?)
    }))
}

/// `RFM2gWrite`.
///
/// # Safety
/// `from` must be null or point to `length` bytes, in no mapped window.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RFM2gWrite(
    handle: *mut c_void,
    offset: u32,
    from: *const c_void,
    length: u32,
) -> Status {
    code(with(handle, |board| {
        let (at, length) = bytes(offset, length, board)?;
        if from.is_null() {
            return Err(Status::BAD_PARAMETER_3);
        }
        // SAFETY: the caller's promise; not null.
        Ok(board.node.write(at, unsafe { slice::from_raw_parts(from.cast(), length) })?)
    }))
}

macro_rules! words {
    ($($peek:ident $poke:ident $of:ty;)*) => {$(
        /// Reads a value.
        ///
        /// # Safety
        /// `to` must be null or point to a value that can be written.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $peek(handle: *mut c_void, offset: u32, to: *mut $of) -> Status {
            code(with(handle, |board| {
                const WIDTH: u32 = <$of>::BITS / 8;
                if !offset.is_multiple_of(WIDTH) {
                    return Err(Status::UNALIGNED_OFFSET);
                }
                let mut value = [0; WIDTH as usize];
                let (at, _) = bytes(offset, WIDTH, board)?;
                board.node.read(at, &mut value)?;
                // SAFETY: the caller's promise.
                unsafe { put(to, <$of>::from_le_bytes(value), Status::BAD_PARAMETER_3) }
            }))
        }

        /// Writes a value.
        #[unsafe(no_mangle)]
        pub extern "C" fn $poke(handle: *mut c_void, offset: u32, value: $of) -> Status {
            code(with(handle, |board| {
                const WIDTH: u32 = <$of>::BITS / 8;
                if !offset.is_multiple_of(WIDTH) {
                    return Err(Status::UNALIGNED_OFFSET);
                }
                let (at, _) = bytes(offset, WIDTH, board)?;
                Ok(board.node.write(at, &value.to_le_bytes())?)
            }))
        }
    )*};
}

words! {
    RFM2gPeek8 RFM2gPoke8 u8;
    RFM2gPeek16 RFM2gPoke16 u16;
    RFM2gPeek32 RFM2gPoke32 u32;
    RFM2gPeek64 RFM2gPoke64 u64;
}

/// `RFM2gUserMemoryBytes`.
///
/// # Safety
/// `to` must be null or point to a pointer that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RFM2gUserMemoryBytes(
    handle: *mut c_void,
    to: *mut *mut c_void,
    offset: u64,
    length: u32,
) -> Status {
    code((|| {
        let window = with(handle, |board| {
            if to.is_null() {
                return Err(Status::BAD_PARAMETER_2);
            }
            window::open(board, offset, length)
        })?;
        // SAFETY: the caller's promise.
        unsafe { put(to, window, Status::BAD_PARAMETER_2) }
    })())
}

/// `RFM2gUserMemory`; pages have 4,096 bytes.
///
/// # Safety
/// As of [`RFM2gUserMemoryBytes`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RFM2gUserMemory(
    handle: *mut c_void,
    to: *mut *mut c_void,
    offset: u64,
    pages: u32,
) -> Status {
    let length = pages.saturating_mul(page::PAGE);
    // SAFETY: the caller's promise.
    unsafe { RFM2gUserMemoryBytes(handle, to, offset, length) }
}

/// `RFM2gUnMapUserMemoryBytes`.
///
/// # Safety
/// `from` must be null or point to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RFM2gUnMapUserMemoryBytes(
    handle: *mut c_void,
    from: *mut *mut c_void,
    _length: u32,
) -> Status {
    code((|| {
        with(handle, |_| Ok(()))?;
        if from.is_null() {
            return Err(Status::BAD_PARAMETER_2);
        }
        // SAFETY: the caller's promise; not null.
        window::close(unsafe { from.read_unaligned() })?;
        // SAFETY: the caller's promise; not null.
        unsafe { put(from, std::ptr::null_mut(), Status::BAD_PARAMETER_2) }
    })())
}

/// `RFM2gUnMapUserMemory`.
///
/// # Safety
/// As of [`RFM2gUnMapUserMemoryBytes`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RFM2gUnMapUserMemory(
    handle: *mut c_void,
    from: *mut *mut c_void,
    _pages: u32,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { RFM2gUnMapUserMemoryBytes(handle, from, 0) }
}
