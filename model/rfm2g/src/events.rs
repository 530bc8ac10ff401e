// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of events.

use crate::{
    board::{self, Callback, Info, with},
    code, put,
    status::Status,
};
use std::ffi::c_void;

/// `RFM2gEnableEvent`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gEnableEvent(handle: *mut c_void, event: u32) -> Status {
    code(with(handle, |board| board.enable(event)))
}

/// `RFM2gDisableEvent`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gDisableEvent(handle: *mut c_void, event: u32) -> Status {
    code(with(handle, |board| board.disable(event)))
}

/// `RFM2gSendEvent`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gSendEvent(
    handle: *mut c_void,
    to: u16,
    event: u32,
    extended: u32,
) -> Status {
    code(with(handle, |board| board.send(to, event, extended)))
}

/// `RFM2gWaitForEvent`.
///
/// # Safety
/// `info` must be null or point to a structure.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn RFM2gWaitForEvent(handle: *mut c_void, info: *mut Info) -> Status {
    if info.is_null() {
        return Status::BAD_PARAMETER_2;
    }
    // SAFETY: the caller's promise; not null.
    code(board::wait(handle, unsafe { &mut *info }))
}

/// `RFM2gEnableEventCallback`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gEnableEventCallback(
    handle: *mut c_void,
    event: u32,
    function: Option<Callback>,
) -> Status {
    code(with(handle, |board| {
        board.call_for(handle.addr(), event, function.ok_or(Status::BAD_PARAMETER_3)?)
    }))
}

/// `RFM2gDisableEventCallback`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gDisableEventCallback(handle: *mut c_void, event: u32) -> Status {
    code(with(handle, |board| board.call_no_more(event)))
}

/// `RFM2gClearEvent`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gClearEvent(handle: *mut c_void, event: u32) -> Status {
    code(with(handle, |board| board.clear(event)))
}

/// `RFM2gCancelWaitForEvent`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gCancelWaitForEvent(handle: *mut c_void, event: u32) -> Status {
    code(with(handle, |board| board.cancel(event)))
}

/// `RFM2gClearEventCount`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gClearEventCount(handle: *mut c_void, event: u32) -> Status {
    code(with(handle, |board| board.count(event).map(|count| *count = 0)))
}

/// `RFM2gGetEventCount`.
///
/// # Safety
/// `to` must be null or point to a word that can be written.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn RFM2gGetEventCount(
    handle: *mut c_void,
    event: u32,
    to: *mut u32,
) -> Status {
    code(with(handle, |board| {
        let count = *board.count(event)?;
        // SAFETY: the caller's promise.
        unsafe { put(to, count, Status::BAD_PARAMETER_3) }
    }))
}
