// SPDX-License-Identifier: MIT OR Apache-2.0
//! Status codes, in the order of the interface, and their texts.

use awgstar_program::CallError;
use std::ffi::CStr;

/// Result of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Status(u32);

macro_rules! statuses {
    ($($code:literal $name:ident $text:literal,)*) => {
        impl Status {
            $(#[doc = $text] pub(crate) const $name: Status = Status($code);)*

            const TEXTS: &'static [(Status, &'static CStr)] = &[$((Status::$name, {
                match CStr::from_bytes_with_nul(concat!($text, "\0").as_bytes()) {
                    Ok(text) => text,
                    Err(_) => panic!("a text with a zero"),
                }
            }),)*];
        }
    };
}

statuses! {
    0 SUCCESS "success",
    1 NOT_IMPLEMENTED "not implemented",
    2 DRIVER_ERROR "the run is over",
    3 TIMED_OUT "the time is over",
    4 LOW_MEMORY "no memory",
    5 MEM_NOT_MAPPED "no window begins at this pointer",
    6 OS_ERROR "the operating system refused",
    7 EVENT_IN_USE "the event has a callback, or a thread waits for it",
    8 NOT_SUPPORTED "the modelled board has nothing of the kind",
    9 NOT_OPEN "the handle is not open",
    10 NO_RFM2G_BOARD "no board: expected a path that ends in a digit, and a program under `awgstar run` on the ring",
    11 BAD_PARAMETER_1 "argument 1 is wrong",
    12 BAD_PARAMETER_2 "argument 2 is wrong",
    13 BAD_PARAMETER_3 "argument 3 is wrong",
    14 BAD_PARAMETER_4 "argument 4 is wrong",
    15 BAD_PARAMETER_5 "argument 5 is wrong",
    16 BAD_PARAMETER_6 "argument 6 is wrong",
    17 BAD_PARAMETER_7 "argument 7 is wrong",
    18 BAD_PARAMETER_8 "argument 8 is wrong",
    19 BAD_PARAMETER_9 "argument 9 is wrong",
    20 OUT_OF_RANGE "beyond the end of the memory",
    21 MAP_NOT_ALLOWED "mapping is not allowed",
    22 LINK_TEST_FAIL "the ring is cut",
    23 MEM_READ_ONLY "the memory can only be read",
    24 UNALIGNED_OFFSET "the offset is no multiple of the width",
    25 UNALIGNED_ADDRESS "the address is no multiple of the width",
    26 LSEEK_ERROR "lseek failed",
    27 READ_ERROR "the board refused a read",
    28 WRITE_ERROR "the board refused a write: its store is full and the ring is cut",
    29 HANDLE_NOT_NULL "the handle is open already",
    30 MODULE_NOT_LOADED "the driver is not loaded",
    31 NOT_ENABLED "the event is not enabled",
    32 ALREADY_ENABLED "the event is enabled already",
    33 EVENT_NOT_IN_USE "no thread waits for the event",
    34 BAD_RFM2G_BOARD_ID "not this kind of board",
    35 NULL_DESCRIPTOR "the handle is null",
    36 WAIT_EVENT_CANCELED "the wait was cancelled",
    37 DMA_FAILED "the transfer failed",
    38 NOT_INITIALIZED "not initialised",
    39 UNALIGNED_LENGTH "the length is no multiple of the width",
    40 SIGNALED "a signal ended the wait",
    41 NODE_ID_SELF "a node cannot send an event to itself",
    42 MAX_ERROR_CODE "no such status",
}

impl Status {
    /// Text of a status, given as a number by the caller.
    pub(crate) fn text(code: u32) -> &'static CStr {
        let found = Status::TEXTS.iter().find(|(status, _)| status.0 == code);
        found.map_or(c"no such status", |(_, text)| text)
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
