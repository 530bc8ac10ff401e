// SPDX-License-Identifier: MIT OR Apache-2.0
//! Status codes, in the order of the interface, and their texts.

use awgstar_program::CallError;
use std::ffi::CStr;

macro_rules! statuses {
    ($($name:ident $text:literal,)*) => {
        /// Result of a function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(C)]
        #[allow(clippy::upper_case_acronyms, non_camel_case_types, reason = "names of the interface")]
        #[allow(dead_code, reason = "a code that this board never gives is part of the interface")]
        pub enum Status {
            $(#[doc = $text] $name,)*
        }

        impl Status {
            const TEXTS: &'static [&'static CStr] = &[$({
                match CStr::from_bytes_with_nul(concat!($text, "\0").as_bytes()) {
                    Ok(text) => text,
                    Err(_) => panic!("a text with a zero"),
                }
            },)*];
        }
    };
}

statuses! {
    SUCCESS "success",
    NOT_IMPLEMENTED "not implemented",
    DRIVER_ERROR "the run is over",
    TIMED_OUT "the time is over",
    LOW_MEMORY "no memory",
    MEM_NOT_MAPPED "no window begins at this pointer",
    OS_ERROR "the operating system refused",
    EVENT_IN_USE "the event has a callback, or a thread waits for it",
    NOT_SUPPORTED "the modelled board has nothing of the kind",
    NOT_OPEN "the handle is not open",
    NO_RFM2G_BOARD "no board: expected a path that ends in a digit, and a program under `awgstar run` on the ring",
    BAD_PARAMETER_1 "argument 1 is wrong",
    BAD_PARAMETER_2 "argument 2 is wrong",
    BAD_PARAMETER_3 "argument 3 is wrong",
    BAD_PARAMETER_4 "argument 4 is wrong",
    BAD_PARAMETER_5 "argument 5 is wrong",
    BAD_PARAMETER_6 "argument 6 is wrong",
    BAD_PARAMETER_7 "argument 7 is wrong",
    BAD_PARAMETER_8 "argument 8 is wrong",
    BAD_PARAMETER_9 "argument 9 is wrong",
    OUT_OF_RANGE "beyond the end of the memory",
    MAP_NOT_ALLOWED "mapping is not allowed",
    LINK_TEST_FAIL "the ring is cut",
    MEM_READ_ONLY "the memory can only be read",
    UNALIGNED_OFFSET "the offset is no multiple of the width",
    UNALIGNED_ADDRESS "the address is no multiple of the width",
    LSEEK_ERROR "lseek failed",
    READ_ERROR "the board refused a read",
    WRITE_ERROR "the board refused a write: its store is full and the ring is cut",
    HANDLE_NOT_NULL "the handle is open already",
    MODULE_NOT_LOADED "the driver is not loaded",
    NOT_ENABLED "the event is not enabled",
    ALREADY_ENABLED "the event is enabled already",
    EVENT_NOT_IN_USE "no thread waits for the event",
    BAD_RFM2G_BOARD_ID "not this kind of board",
    NULL_DESCRIPTOR "the handle is null",
    WAIT_EVENT_CANCELED "the wait was cancelled",
    DMA_FAILED "the transfer failed",
    NOT_INITIALIZED "not initialised",
    UNALIGNED_LENGTH "the length is no multiple of the width",
    SIGNALED "a signal ended the wait",
    NODE_ID_SELF "a node cannot send an event to itself",
    MAX_ERROR_CODE "no such status",
}

impl Status {
    /// Text of a status, given as a number by the caller.
    pub(crate) fn text(code: u32) -> &'static CStr {
        let last = Status::TEXTS.len() - 1;
        Status::TEXTS[(code as usize).min(last)]
    }
}

impl From<CallError> for Status {
    fn from(error: CallError) -> Status {
        match error {
            CallError::Range => Status::OUT_OF_RANGE,
            CallError::Refused => Status::WRITE_ERROR,
            CallError::NoNode => Status::BAD_PARAMETER_2,
            CallError::NotStarted | CallError::NoSignals | CallError::Version => {
                Status::NO_RFM2G_BOARD
            }
            _ => Status::DRIVER_ERROR,
        }
    }
}
