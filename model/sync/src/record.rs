// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of a run of processes and servers that send each other messages, for text and waveforms.

use crate::firmware::onesided::End;
use awgstar_frame::quantity::Nanoseconds;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub at: Nanoseconds,
    pub what: Happened,
}

/// Kind of event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// A process asks for something that takes time.
    Asked(usize, String),
    /// It has what it asked for.
    Answered(usize),
    /// A message, until it is at its receiver's.
    Message { from: End, to: End, arrives: Nanoseconds, text: String },
    /// The server of a computer does something else.
    Server(usize, Serving),
    /// A lock has another holder.
    Lock(u32, Option<usize>),
}

/// What a server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serving {
    Sleeps,
    Wakes,
    Serves,
}

impl Serving {
    /// The word in waves and pages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Serving::Sleeps => "sleeps",
            Serving::Wakes => "wakes",
            Serving::Serves => "serves",
        }
    }
}
