// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as a file that third-party firmware, in any language, can replay: the events of each node,
//! with whole frames, and the actions of the published state machine.

use crate::counterexample::file::Frames;
use crate::counterexample::replay::replay;
use crate::counterexample::{CASES, Case, Found, ReplayedStep, file};
use awgstar::quantity::NodeId;
use awgstar::{
    check::{Profile, Step, What},
    codec::Frame,
    contract::{HeaderWire, Order, board::MAC_PREFIX},
    firmware::{Action, Event, Message, Timer, message::MESSAGE_BYTES},
};
use awgstar_stimulus::echo;
use awgstar_stimulus::vectors::reference;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Folder below `vectors/`.
pub const FOLDER: &str = "firmware";

/// The file.
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
    /// Nodes of the ring.
    pub nodes: usize,
    /// `once`, or `again`: boards send a signal until it has returned.
    pub boards_send: String,
    /// Frames with header, Data, pad and FCS, in the order of the link, hexadecimal.
    pub frames: Vec<String>,
    /// The run.
    pub steps: Vec<VectorStep>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorStep {
    /// Node in which it happens.
    pub node: usize,
    /// Description of the step.
    pub what: String,
    /// Event for the node's state machine: `acquire`, `release`, `arrive`, `signal`, `returned` or
    /// `timer`; nothing if the step does not reach it.
    pub event: Option<String>,
    /// Index of the frame that it is about.
    pub frame: Option<usize>,
    /// The timer that ran out.
    pub timer: Option<String>,
    /// Actions of the published state machine.
    pub actions: Vec<VectorAction>,
    /// State after the step.
    pub state: String,
}

/// Action of a state machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum VectorAction {
    /// Sends a signal.
    Send {
        /// Index of its frame.
        frame: usize,
        /// Order against data written before.
        order: String,
    },
    /// Starts a timer.
    Start {
        /// Name of the timer.
        timer: String,
    },
    /// Stops a timer.
    Stop {
        /// Name of the timer.
        timer: String,
    },
    /// The process has the lock.
    Acquired,
    /// The process has released the lock.
    Released,
    /// The process passes the barrier.
    Passed,
}

fn timer_name(timer: Timer) -> String {
    match timer {
        Timer::Request => "request",
        Timer::Grant => "grant",
        Timer::Release => "release",
        Timer::Pass => "pass",
    }
    .into()
}

/// The frame of a message, by the reference codec: Packet_Cnt, Addr and Multi_G are zero.
fn frame(message: &Message) -> String {
    let mac = MAC_PREFIX << 8 | u64::from(message.source.0);
    let header = HeaderWire {
        mac,
        token: message.signal.token().code(),
        c_st: message.signal.c_st(),
        node_id: message.node_id.0,
        ..HeaderWire::default()
    };
    hex::encode(reference::frame(&header, &message.data()))
}

fn order_name(order: Order) -> String {
    order.name().into()
}

fn vector_step(step: &Step, replayed: &ReplayedStep, frames: &mut Frames) -> VectorStep {
    let message = match step.what {
        What::Arrives(m)
        | What::Full(m)
        | What::Ahead(m)
        | What::Comes(m)
        | What::Lost(m)
        | What::Again(m, _)
        | What::Handles(Event::Signal(m) | Event::Returned(m)) => Some(m),
        _ => None,
    };
    let event = replayed.event.map(|event| match event {
        Event::Acquire => "acquire",
        Event::Release => "release",
        Event::Arrive => "arrive",
        Event::Signal(_) => "signal",
        Event::Returned(_) => "returned",
        Event::Timer(_) => "timer",
    });
    let timer = match step.what {
        What::Timer(_, timer, _) => Some(timer_name(timer)),
        _ => None,
    };
    let about = message.map(|message| frames.index(frame(&message)));
    let actions = replayed.actions.iter().map(|action| match action {
        Action::Send(message, order) => {
            VectorAction::Send { frame: frames.index(frame(message)), order: order_name(*order) }
        }
        Action::Start(timer) => VectorAction::Start { timer: timer_name(*timer) },
        Action::Stop(timer) => VectorAction::Stop { timer: timer_name(*timer) },
        Action::Acquired => VectorAction::Acquired,
        Action::Released => VectorAction::Released,
        Action::Passed => VectorAction::Passed,
    });
    VectorStep {
        node: step.node,
        what: step.what.to_string(),
        event: event.map(Into::into),
        frame: about,
        timer,
        actions: actions.collect(),
        state: replayed.after.clone(),
    }
}

impl Found {
    /// The run as a vector.
    #[must_use]
    pub fn vector(&self) -> Vector {
        let mut frames = Frames::default();
        let steps = self.steps.iter().zip(&self.replay);
        let steps =
            steps.map(|(step, replayed)| vector_step(step, replayed, &mut frames)).collect();
        let case = self.case;
        let again = case.settings.profile == Profile::Acknowledged;
        Vector {
            schema_version: 1,
            name: case.name.into(),
            protocol: case.protocol().into(),
            why: case.why.into(),
            breaks: case.breaks().into(),
            nodes: case.settings.nodes,
            boards_send: if again { "again" } else { "once" }.into(),
            frames: frames.0,
            steps,
        }
    }
}

impl Vector {
    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        file::text(self)
    }

    /// Replays the file on fresh state machines of the published protocol; each message is decoded
    /// from its frame.
    ///
    /// # Errors
    /// The difference, and the step in which it occurs.
    pub fn replay(&self, case: &Case) -> Result<(), String> {
        let wrong = |step: usize, what: String| format!("{}, step {}: {what}", self.name, step + 1);
        let messages = self.frames.iter().map(|frame| read(frame));
        let messages: Vec<Message> = messages.collect::<Result<_, _>>()?;
        let mut steps = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            if step.node >= case.settings.nodes {
                let what =
                    format!("node: expected 0 to {}, found {}", case.settings.nodes - 1, step.node);
                return Err(wrong(number, what));
            }
            let message = step.frame.map(|frame| {
                let none = || wrong(number, format!("there is no frame {frame}"));
                messages.get(frame).copied().ok_or_else(none)
            });
            let what = what(step, message.transpose()?).map_err(|what| wrong(number, what))?;
            steps.push(Step { node: step.node, what, after: step.state.clone() });
        }
        let replayed = replay(case, &steps).map_err(|e| e.to_string())?;
        let mut frames = Frames(self.frames.clone());
        for (number, (step, replayed)) in steps.iter().zip(&replayed).enumerate() {
            let found = vector_step(step, replayed, &mut frames);
            let expected = &self.steps[number];
            if (&found.actions, &found.event) != (&expected.actions, &expected.event) {
                return Err(wrong(
                    number,
                    format!("{:?}, found {:?}", expected.actions, found.actions),
                ));
            }
        }
        Ok(())
    }
}

/// Finds the kind of a step from its event and message alone.
fn what(step: &VectorStep, message: Option<Message>) -> Result<What, String> {
    let timer = |name: &str| {
        let all = [Timer::Request, Timer::Grant, Timer::Release, Timer::Pass];
        all.into_iter().find(|timer| timer_name(*timer) == name)
    };
    let known = match (step.event.as_deref(), message) {
        (Some("acquire"), None) => Some(What::Call(0, Event::Acquire)),
        (Some("release"), None) => Some(What::Call(0, Event::Release)),
        (Some("arrive"), None) => Some(What::Call(0, Event::Arrive)),
        (Some("signal"), Some(m)) => Some(What::Arrives(m)),
        (Some("returned"), Some(m)) => Some(What::Comes(m)),
        (Some("timer"), None) => {
            step.timer.as_deref().and_then(timer).map(|t| What::Timer(0, t, false))
        }
        (None, Some(m)) => Some(What::Lost(m)),
        _ => None,
    };
    known.ok_or_else(|| format!("event {:?} with timer {:?}", step.event, step.timer))
}

/// The message in a frame, by the codec of the product.
fn read(frame: &str) -> Result<Message, String> {
    let bytes = echo::hex(frame).map_err(|e| format!("{}: {e}", echo::shown(frame)))?;
    let wire = Frame::decode(&bytes).map_err(|e| format!("{frame}: {e}"))?;
    let source = wire.mac.to_u64().to_be_bytes()[7];
    let data = wire.data.get(..MESSAGE_BYTES).ok_or_else(|| format!("{frame}: too short"))?;
    Message::read((wire.token, wire.c_st), NodeId(source), NodeId(wire.node_id), data)
        .map_err(|e| format!("{frame}: {e}"))
}

/// Checks the vectors in `folder` (that of firmware, below `vectors`): each exists, and the state
/// machines of the published protocol do what it says. Returns their number and the errors.
#[must_use]
pub fn check(folder: &Path) -> (usize, Vec<String>) {
    file::check(folder, CASES, |case| case.name, Vector::replay)
}
