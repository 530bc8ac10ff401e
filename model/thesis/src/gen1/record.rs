// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the events of a run, for text and waveforms.

use super::{frame::Frame, mailbox::Primitive};
use awgstar_frame::quantity::{Nanoseconds, NodeId};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// When, in ns.
    pub at: Nanoseconds,
    pub node: usize,
    /// Kind of event.
    pub what: Happened,
}

/// Kind of event on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// The token is here with its train: bytes, the token's included, and frames.
    Token {
        /// Bytes of the train.
        bytes: u64,
        /// Frames after the token.
        frames: usize,
    },
    /// The train leaves.
    Leaves {
        /// Bytes of the train.
        bytes: u64,
        /// Source and bytes of each frame after the token.
        frames: Vec<(NodeId, u64)>,
    },
    /// The node attaches a frame.
    Attached(Frame),
    /// The node takes another's frame over.
    Copied(Frame),
    /// The node takes its own frames away.
    Removed {
        /// Number of frames that have arrived everywhere.
        good: usize,
        /// Number of frames that must be attached again.
        bad: usize,
    },
    /// A frame with a wrong CRC passes.
    BadCrc,
    /// A bit of the train is inverted on the link after the node.
    Struck {
        /// Number of the bit, counted from the token's first.
        bit: u64,
    },
    /// The token does not come.
    TokenLost,
    /// Node 0 makes a token.
    TokenMade,
    /// The process makes a request that concerns others.
    Asked(Primitive),
    /// The request is answered.
    Answered(Primitive),
    /// The process writes its area of the mailbox, or the master one.
    Area {
        /// Process of the area.
        process: u8,
        words: [u32; 2],
    },
    /// The master's `RequestProcess`.
    RequestProcess(Vec<u8>),
    /// A thread's state: its name, and the state in words.
    Thread(&'static str, String),
    /// An entry of the index: lock, and the process that has it, or -1.
    Index {
        /// Lock number.
        lock: u32,
        /// Process, or -1.
        holder: i32,
    },
    /// A signal of another node reaches the process.
    Signal(NodeId),
}
