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

/// Kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The process calls.
    Call(u8, Event),
    /// A frame of another node arrives and is passed on.
    Arrives(Message),
    /// As [`What::Arrives`], but the mailbox is full.
    Full(Message),
    /// As [`What::Arrives`], but data that was written before is missing.
    Ahead(Message),
    /// A frame arrives at its source and is taken from the ring.
    Comes(Message),
    /// A frame is lost on the link to the node.
    Lost(Message),
    /// A slow node handles what it received.
    Handles(Event),
    /// A timer runs out: lock, timer, and whether it is early.
    Timer(u8, Timer, bool),
    /// The node retransmits what has not returned; true if early: the original is still under way.
    Again(Message, bool),
    /// Data.
    Data(DataStep, Write),
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
    /// The lock.
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

impl What {
    /// Number of the action of the node, without the node: the link to it, the two queues of its
    /// driver, its board, its process or one of its timers.
    pub(super) fn action(&self) -> u16 {
        match self {
            What::Arrives(_)
            | What::Full(_)
            | What::Ahead(_)
            | What::Comes(_)
            | What::Lost(_)
            | What::Data(DataStep::Arrives | DataStep::Comes | DataStep::Lost, _) => 0,
            What::Handles(Event::Returned(_)) => 1,
            What::Handles(_) => 2,
            What::Again(..) => 3,
            What::Data(DataStep::Leaves, _) => 4,
            What::Data(DataStep::Again, _) => 5,
            What::Call(..) => 6,
            What::Timer(lock, timer, _) => 7 + u16::from(*lock) * 4 + *timer as u16,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let early = |early| if early { "EARLY: " } else { "" };
        match self {
            What::Call(lock, event) => write!(f, "process: {event:?}{}", of(*lock)),
            What::Arrives(m) => write!(f, "receives {}", words(m)),
            What::Full(m) => write!(f, "MAILBOX FULL: {}", words(m)),
            What::Ahead(m) => write!(f, "drops, as its data is missing: {}", words(m)),
            What::Comes(m) => write!(f, "comes back: {}", words(m)),
            What::Lost(m) => write!(f, "LOST before it: {}", words(m)),
            What::Handles(Event::Signal(m)) => write!(f, "handles late: {}", words(m)),
            What::Handles(Event::Returned(m)) => write!(f, "handles late, back: {}", words(m)),
            What::Handles(event) => write!(f, "handles late: {event:?}"),
            What::Timer(lock, timer, at) => {
                write!(f, "{}timer {timer:?} runs out{}", early(*at), of(*lock))
            }
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
