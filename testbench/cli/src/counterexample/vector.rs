// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as a file that third-party firmware, in any language, can replay: the events of each node,
//! with whole frames, and the actions of the published state machines. There are two forms of a step, of locks and
//! barriers and of pages.

use crate::counterexample::frames::{Content, decode};
use awgstar::quantity::ByteAddress;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};

/// The file. Bytes and words are hexadecimal, in the order of their addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vector {
    /// 1.
    pub schema_version: u32,
    /// Name of the run.
    pub name: String,
    /// Protocol and variant.
    pub protocol: String,
    /// Behaviour that the run shows.
    pub why: String,
    /// Property that is violated after the last step.
    pub breaks: String,
    /// Nodes of the ring; with pages node 0 is the master.
    pub nodes: usize,
    /// Pages of one word each; byte n is process n's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u16>,
    /// Pages that the shared memory has room for, after the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<u16>,
    /// `once`, or `again`: boards send a signal until it has returned. Data is retransmitted in any
    /// case.
    pub boards_send: String,
    /// Frames with header, Data, pad and FCS, in the order of the link.
    pub frames: Vec<String>,
    /// The run.
    pub steps: Vec<VectorStep>,
    /// With pages: one way in which the run continues if the end cannot be reached any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goes_on: Option<Vec<VectorStep>>,
    /// Then nothing happens any more (`false`), or all of it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circles: Option<bool>,
}

/// A step. `event` and `timer` are of locks and barriers; `does` and all from `master` to `value`, but for `frame`,
/// of pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct VectorStep {
    /// Node in which it happens.
    pub node: usize,
    /// Description of the step.
    pub what: String,
    /// Event for the node's state machine: `acquire`, `release`, `arrive`, `signal`, `returned` or
    /// `timer`; nothing if the step does not reach it.
    pub event: Option<String>,
    /// The timer that ran out.
    pub timer: Option<String>,
    /// `wants`, `uses`, `lets_go` by the process; `reads`, `confirmed`, `copies_out`, `copies_in`, `timer`:
    /// what a state machine asked for is there; `sends`, `receives`, `passes`, `comes_back`, `lost`,
    /// `sends_again`: what a frame does.
    #[serde(default)]
    pub does: String,
    /// The event is for the master's state machine.
    #[serde(default)]
    pub master: bool,
    /// Index of the frame that it is about.
    pub frame: Option<usize>,
    /// The page that the process wants or uses, or that is copied.
    pub page: Option<u16>,
    /// Address of the word that is read.
    pub addr: Option<ByteAddress>,
    /// The word that is read, the page that is copied, or the byte that the process writes.
    pub value: Option<String>,
    /// Actions of the state machine; those of the master after those of the process.
    pub actions: Vec<VectorAction>,
    /// The node's states afterwards, in words.
    pub state: String,
}

impl Serialize for VectorStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("node", &self.node)?;
        map.serialize_entry("what", &self.what)?;
        if self.does.is_empty() {
            map.serialize_entry("event", &self.event)?;
            map.serialize_entry("frame", &self.frame)?;
            map.serialize_entry("timer", &self.timer)?;
        } else {
            map.serialize_entry("does", &self.does)?;
            entry(&mut map, "master", self.master.then_some(true))?;
            entry(&mut map, "frame", self.frame)?;
            entry(&mut map, "page", self.page)?;
            entry(&mut map, "addr", self.addr)?;
            entry(&mut map, "value", self.value.as_ref())?;
        }
        map.serialize_entry("actions", &self.actions)?;
        map.serialize_entry("state", &self.state)?;
        map.end()
    }
}

/// An entry, if there is something in it.
fn entry<M: SerializeMap>(
    map: &mut M,
    key: &str,
    value: Option<impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, &value))
}

/// Action of a state machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum VectorAction {
    /// Sends a signal.
    Send {
        /// Index of its frame.
        frame: usize,
        /// Order against data written before, of locks and barriers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<String>,
    },
    /// Starts a timer.
    Start {
        /// Name of the timer, of locks and barriers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timer: Option<String>,
    },
    /// Stops a timer.
    Stop {
        /// Name of the timer, of locks and barriers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timer: Option<String>,
    },
    /// The process has the lock.
    Acquired,
    /// The process has released the lock, or its page.
    Released,
    /// The process passes the barrier.
    Passed,
    /// Reads a word.
    Read { addr: ByteAddress },
    /// Reads a word until it is not 0.
    Until { addr: ByteAddress },
    /// Writes bytes.
    Write {
        /// Address of the first.
        addr: ByteAddress,
        /// The bytes.
        bytes: String,
    },
    /// Waits until all that was written is on every board.
    Confirm,
    /// Copies a page from the shared memory.
    CopyOut {
        page: u16,
        /// Its place in the shared memory.
        offset: ByteAddress,
        /// Its place in the local memory of the master.
        area: u16,
    },
    /// Copies a page to the shared memory.
    CopyIn {
        page: u16,
        /// Its place in the shared memory.
        offset: ByteAddress,
        /// Its place in the local memory of the master.
        area: u16,
    },
    /// Asks the master on the same node.
    Ask { page: u16 },
    /// The process has its page.
    Granted {
        /// Its place in the shared memory.
        offset: ByteAddress,
    },
}

/// Frames in hexadecimal, each once.
#[derive(Default)]
pub(super) struct Frames(pub(super) Vec<String>);

impl Frames {
    pub(super) fn index(&mut self, frame: String) -> usize {
        let at = self.0.iter().position(|other| *other == frame);
        at.unwrap_or_else(|| {
            self.0.push(frame);
            self.0.len() - 1
        })
    }
}

/// Fresh state machines, which do the steps of a run.
pub(super) trait Player {
    /// Nodes of the ring.
    fn nodes(&self) -> usize;

    /// One step: what the state machines of its node do then.
    fn step(
        &mut self,
        step: &VectorStep,
        content: Option<&Content>,
        frames: &mut Frames,
    ) -> Result<Vec<VectorAction>, String>;

    /// The state machines of a node, in words.
    fn state(&self, node: usize) -> String;

    /// What must hold after the last step.
    fn end(&self, _vector: &Vector) -> Result<(), String> {
        Ok(())
    }
}

/// A run of this name, step by step.
pub(super) struct Playback<'a> {
    name: &'a str,
    player: &'a mut dyn Player,
    steps: usize,
}

impl<'a> Playback<'a> {
    /// After so many steps.
    pub(super) fn new(name: &'a str, player: &'a mut dyn Player, steps: usize) -> Self {
        Playback { name, player, steps }
    }

    pub(super) fn at(&self, what: &str) -> String {
        format!("{}, step {}: {what}", self.name, self.steps)
    }

    /// Tells the next step: what the state machines do. They must be in the state that the step has.
    pub(super) fn step(
        &mut self,
        step: &VectorStep,
        frames: &mut Frames,
    ) -> Result<Vec<VectorAction>, String> {
        self.steps += 1;
        if step.node >= self.player.nodes() {
            let last = self.player.nodes().saturating_sub(1);
            return Err(self.at(&format!("node: expected 0 to {last}, found {}", step.node)));
        }
        let content = match step.frame {
            Some(frame) => {
                let none = || self.at(&format!("there is no frame {frame}"));
                Some(decode(frames.0.get(frame).ok_or_else(none)?)?)
            }
            None => None,
        };
        let actions = self.player.step(step, content.as_ref(), frames);
        let actions = actions.map_err(|what| self.at(&what))?;
        let (found, expected) = (self.player.state(step.node), &step.state);
        if found != *expected {
            return Err(self.at(&format!("the machine is `{found}`, expected `{expected}`")));
        }
        Ok(actions)
    }
}

impl Vector {
    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }
}
