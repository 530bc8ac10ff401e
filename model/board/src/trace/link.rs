// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames on links, for space-time diagrams.

use super::event::Identity;
use awgstar_frame::quantity::Cycle;

/// Action of the node at the end of a link on a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fate {
    /// The frame has not arrived, or has been lost on the way.
    #[default]
    UnderWay,
    Passed,
    /// Passed on and given to the receive side.
    Delivered,
    /// An own frame: stripped.
    Stripped,
    /// A free token: taken.
    Taken,
    /// A reserved TOKEN: absorbed.
    Absorbed,
    /// Cut on the way through.
    Cut,
    /// Dropped whole.
    Dropped,
}

/// A frame on a link. Cycles are those in which a word is on the node's output, or on the next
/// node's input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flight {
    /// Header fields of the frame.
    pub frame: Identity,
    /// First word on the output of the node before the link.
    pub begin: Cycle,
    /// Last word there.
    pub end: Cycle,
    /// The frame ended in the abort word.
    pub aborted: bool,
    /// The node before the link put it in, it did not pass it on.
    pub inserted: bool,
    /// First word at the next node, once it is there.
    pub arrival: Option<Cycle>,
    /// Action of the next node on the frame.
    pub fate: Fate,
    /// The next node found it good, once it has a verdict.
    pub good: Option<bool>,
    /// Index of its bytes in [`Trace::contents`](super::Trace::contents), once it is whole and if they are kept.
    pub content: Option<u32>,
}
