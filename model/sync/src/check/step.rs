// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps of a run, and how a reader sees them.

use crate::firmware::{Event, Message, Timer};
use awgstar_frame::quantity::NodeId;
use std::fmt::{self, Write as _};

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<W = What> {
    /// Node in which it happens.
    pub node: usize,
    /// Kind of step.
    pub what: W,
    /// The node's state machines afterwards, in words.
    pub after: String,
}

/// Kind of step: of a frame, or of a node alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What<L = Call, D = Write> {
    /// The node's process, state machines or timers.
    Local(L),
    /// A frame of another node arrives and is passed on.
    Arrives(Message),
    /// A frame that is not for the node is passed on.
    Passes(Message),
    /// As [`What::Arrives`], but the mailbox is full.
    Full(Message),
    /// As [`What::Arrives`], but data that was written before is missing.
    Ahead(Message),
    /// A frame arrives at its source and is taken from the ring.
    Comes(Message),
    /// A frame is lost on the link to the node.
    Lost(Message),
    /// The node retransmits what has not returned; true if early: the original is still under way.
    Again(Message, bool),
    Data(DataStep, D),
}

/// Kind of step that is not about a frame on a link.
pub trait Local: Copy + fmt::Display {
    /// Number of its action among those of the node: its process, the queues of its driver, a timer.
    fn action(&self) -> u16;
}

/// Step of a node with locks or a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Process(u8, Event),
    /// A slow node handles what it received.
    Handles(Event),
    /// A timer runs out: lock, timer, and whether it is early.
    Timer(u8, Timer, bool),
}

/// Kind of step of a data frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataStep {
    /// The frame leaves its node.
    Leaves,
    /// The frame arrives at another node.
    Arrives,
    /// The frame returns to its source.
    Comes,
    /// The frame is lost.
    Lost,
    /// The node will retransmit all data that has not returned.
    Again,
}

/// A write to the memory that goes with a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    /// Node that wrote.
    pub source: NodeId,
    /// Number of the data frame, counted from 1 at its source.
    pub number: u8,
    pub lock: u8,
}

impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "data {} of node {}{}", self.number, self.source, of(self.lock))
    }
}

/// A message with those values that its layout has.
pub(super) fn words(m: &Message) -> String {
    let mut text = format!("{} of node {}", m.signal.name(), m.source);
    let meaning = m.signal.node_id_meaning();
    if meaning.contains("; ") {
        let _ = write!(text, ", Node_ID {}", m.node_id);
    } else if meaning != "send node" && !meaning.starts_with("none") {
        let _ = write!(text, ", {meaning} {}", m.node_id);
    }
    for field in m.signal.fields() {
        let _ = match field.name {
            "tag" => write!(text, ", tag {}", m.tag),
            "epoch" => write!(text, ", epoch {}", m.epoch),
            "page_number" => write!(text, ", page {}", m.lock_number),
            "lock_number" if m.lock_number != 0 => write!(text, ", lock {}", m.lock_number),
            _ => Ok(()),
        };
    }
    text
}

fn of(lock: u8) -> String {
    if lock == 0 { String::new() } else { format!(" (lock {lock})") }
}

impl<L: Local, D> What<L, D> {
    /// Number of the action of the node, without the node: the link to it, its board, or what is its own.
    pub(super) fn action(&self) -> u16 {
        match self {
            What::Arrives(_)
            | What::Passes(_)
            | What::Full(_)
            | What::Ahead(_)
            | What::Comes(_)
            | What::Lost(_)
            | What::Data(DataStep::Arrives | DataStep::Comes | DataStep::Lost, _) => 0,
            What::Again(..) => 1,
            What::Data(DataStep::Leaves, _) => 2,
            What::Data(DataStep::Again, _) => 3,
            What::Local(local) => 4 + local.action(),
        }
    }
}

impl Local for Call {
    fn action(&self) -> u16 {
        match self {
            Call::Process(..) => 0,
            Call::Handles(Event::Returned(_)) => 1,
            Call::Handles(_) => 2,
            Call::Timer(lock, timer, _) => 3 + u16::from(*lock) * 4 + *timer as u16,
        }
    }
}

/// What a reader sees before something that is early.
pub(super) fn early(early: bool) -> &'static str {
    if early { "EARLY: " } else { "" }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Process(lock, event) => write!(f, "process: {event:?}{}", of(*lock)),
            Call::Handles(Event::Signal(m)) => write!(f, "handles late: {}", words(m)),
            Call::Handles(Event::Returned(m)) => write!(f, "handles late, back: {}", words(m)),
            Call::Handles(event) => write!(f, "handles late: {event:?}"),
            Call::Timer(lock, timer, at) => {
                write!(f, "{}timer {timer:?} runs out{}", early(*at), of(*lock))
            }
        }
    }
}

impl<L: fmt::Display, D: fmt::Display> fmt::Display for What<L, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Local(local) => local.fmt(f),
            What::Arrives(m) => write!(f, "receives {}", words(m)),
            What::Passes(m) => write!(f, "passes on {}", words(m)),
            What::Full(m) => write!(f, "MAILBOX FULL: {}", words(m)),
            What::Ahead(m) => write!(f, "drops, as its data is missing: {}", words(m)),
            What::Comes(m) => write!(f, "comes back: {}", words(m)),
            What::Lost(m) => write!(f, "LOST before it: {}", words(m)),
            What::Again(m, at) => write!(f, "{}board sends again: {}", early(*at), words(m)),
            What::Data(DataStep::Leaves, data) => write!(f, "sends {data}"),
            What::Data(DataStep::Arrives, data) => write!(f, "receives {data}"),
            What::Data(DataStep::Comes, data) => write!(f, "comes back: {data}"),
            What::Data(DataStep::Lost, data) => write!(f, "LOST before it: {data}"),
            What::Data(DataStep::Again, data) => write!(f, "will send again: {data}"),
        }
    }
}

impl<W: fmt::Display> fmt::Display for Step<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}: {} -> {}", self.node, self.what, self.after)
    }
}

/// A run as a listing: a column for each node shows where each step happens.
#[must_use]
pub fn listing<W: fmt::Display>(run: &[Step<W>], nodes: usize) -> String {
    let whats: Vec<String> = run.iter().map(|step| step.what.to_string()).collect();
    let width = whats.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::from("  #  ");
    for node in 0..nodes {
        let _ = write!(text, "{node} ");
    }
    let _ = writeln!(text, " {:width$}  the node afterwards", "what happens");
    for (number, (step, what)) in run.iter().zip(&whats).enumerate() {
        let _ = write!(text, "{:3}  ", number + 1);
        for node in 0..nodes {
            text.push_str(if node == step.node { "* " } else { ". " });
        }
        let _ = writeln!(text, " {what:width$}  {}", step.after);
    }
    text
}
