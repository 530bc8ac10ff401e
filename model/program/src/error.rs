// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of calls: codes and texts, for Rust and for C.

use std::{ffi::CStr, fmt};

macro_rules! errors {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:literal, $c:literal, $text:literal;)*) => {
        /// Why a call failed. The number is the error code of the C interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(i32)]
        pub enum CallError {
            $($(#[doc = $doc])+ $name = $code,)*
        }

        impl CallError {
            /// All errors, in the order of their codes.
            pub const ALL: &'static [CallError] = &[$(CallError::$name,)*];

            /// Name of the code in C, after `AWG_`.
            #[must_use]
            pub const fn c_name(self) -> &'static str {
                match self { $(CallError::$name => $c,)* }
            }

            /// Meaning, as in the documentation.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $(CallError::$name => concat!($($doc),+).trim_ascii(),)* }
            }

            /// Message.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(CallError::$name => $text,)* }
            }

            /// The message for C.
            #[must_use]
            pub const fn c_text(self) -> &'static CStr {
                match self {
                    $(CallError::$name => const {
                        match CStr::from_bytes_with_nul(concat!($text, "\0").as_bytes()) {
                            Ok(text) => text,
                            Err(_) => panic!("a text with a zero"),
                        }
                    })*
                }
            }
        }
    };
}

errors! {
    /// `awg_init` was not called, or not under `awgstar run`.
    NotStarted = 1, "NOT_STARTED",
        "not on a ring: start the program with `awgstar run -n NODES -- PROGRAM`";
    /// Library and command are of different versions.
    Version = 2, "VERSION", "the library and the command `awgstar` are of different versions";
    /// Another process failed, or the command ended the run.
    Over = 3, "OVER", "the run is over";
    /// The board's store is full and the ring is cut: an earlier write was lost, and this call was not made.
    Refused = 4, "REFUSED", "the board refused a write";
    /// The address of an atomic operation is no multiple of 4.
    Unaligned = 5, "UNALIGNED", "the address must be a multiple of 4 bytes";
    /// Beyond the shared memory.
    Range = 6, "RANGE", "beyond the end of the shared memory";
    /// Locks are 0 to 65534.
    Lock = 7, "NO_LOCK", "expected a lock from 0 to 65534";
    /// This node holds the lock already.
    Held = 8, "HELD", "this node holds the lock already";
    /// This node does not hold the lock.
    NotHeld = 9, "NOT_HELD", "this node does not hold the lock";
    /// `awg_finalize` with a lock.
    StillHeld = 10, "STILL_HELD", "a lock is still held";
    /// The shared memory is full.
    NoRoom = 11, "NO_ROOM", "no room in the shared memory";
    /// No allocation begins at this address.
    NotAllocated = 12, "NOT_ALLOCATED", "no allocation begins here";
    /// A pointer is null.
    Null = 13, "NULL", "a pointer is null";
    /// `awg_init` was called twice.
    Twice = 14, "TWICE", "awg_init was called twice";
    /// Made by a child of the process that joined; only that process may call.
    Forked = 15, "FORKED", "a forked process cannot use the ring of its parent";
    /// A computation is an hour at most.
    TooLong = 16, "TOO_LONG", "expected at most 3600000000000 ns";
    /// A signal goes to another node of the ring.
    NoNode = 17, "NO_NODE", "expected another node of the ring";
    /// The machine has no signals between programs: only rings have.
    NoSignals = 18, "NO_SIGNALS", "the machine has no signals between programs: only rings have";
    /// The mailbox of this node was full. Later signals arrive.
    Lost = 19, "LOST", "the mailbox was full: a signal may be lost";
    /// No signal came in the time given.
    TimedOut = 20, "TIMED_OUT", "no signal came in time";
    /// The system cannot map the replica.
    NoReplica = 21, "NO_REPLICA", "the replica cannot be mapped";
    /// Signals are 0 to 65535.
    NoSignal = 22, "NO_SIGNAL", "expected a signal from 0 to 65535";
    /// The machine has no ring with this number.
    NoRing = 23, "NO_RING", "expected a ring from 0 to that of awg_rings less 1";
    /// A far access is of words.
    FarUnaligned = 24, "FAR_UNALIGNED", "address and bytes of a far access must be multiples of 4";
}

impl CallError {
    /// Error code of the C interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        self as i32
    }

    /// The error with this code.
    #[must_use]
    pub fn from_code(code: i32) -> Option<CallError> {
        CallError::ALL.iter().copied().find(|error| error.code() == code)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for CallError {}
