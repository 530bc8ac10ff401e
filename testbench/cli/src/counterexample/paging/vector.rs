// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of paging as a file that third-party firmware, in any language, can replay.

use crate::counterexample::file;
use crate::counterexample::file::Frames;
use crate::counterexample::paging::frames::{Content, decode, encode, marked};
use crate::counterexample::paging::state::Play;
use crate::counterexample::paging::step::{VectorAction, VectorStep};
use crate::counterexample::paging::{CASES, Case, Found};
use awgstar::{
    check::{DataStep, Profile, Step, paging::What},
    firmware::paging::{Action, Copy},
};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Folder below `vectors/`.
pub const FOLDER: &str = "paging";

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
    /// Nodes of the ring; node 0 is the master.
    pub nodes: usize,
    /// Pages of one word each; byte n is process n's.
    pub pages: u16,
    /// Pages that the shared memory has room for, after the table.
    pub room: u16,
    /// `once`, or `again`: boards send a signal until it has returned. Data is retransmitted in any
    /// case.
    pub boards_send: String,
    /// Frames with header, Data, pad and FCS, in the order of the link.
    pub frames: Vec<String>,
    /// The run.
    pub steps: Vec<VectorStep>,
    /// One way in which the run continues if the end cannot be reached any more.
    pub goes_on: Vec<VectorStep>,
    /// Then nothing happens any more (`false`), or all of it again.
    pub circles: bool,
}

/// Converts an action into its form in the file.
fn vector_action(action: Action, frames: &mut Frames) -> VectorAction {
    match action {
        Action::Read(addr) => VectorAction::Read { addr },
        Action::Until(addr) => VectorAction::Until { addr },
        Action::Write { addr, data, strobe } => {
            let (addr, bytes) = marked(addr, data, strobe);
            VectorAction::Write { addr, bytes: hex::encode(bytes) }
        }
        Action::Confirm => VectorAction::Confirm,
        Action::CopyOut(Copy { page, offset, area }) => {
            VectorAction::CopyOut { page, offset, area }
        }
        Action::CopyIn(Copy { page, offset, area }) => VectorAction::CopyIn { page, offset, area },
        Action::Send(message) => {
            VectorAction::Send { frame: frames.index(encode(&Content::Signal(message))) }
        }
        Action::Ask(page) => VectorAction::Ask { page },
        Action::Start => VectorAction::Start,
        Action::Stop => VectorAction::Stop,
        Action::Granted(offset) => VectorAction::Granted { offset },
        Action::Released => VectorAction::Released,
    }
}

/// A step of a run without what the state machines do then.
fn vector_step(step: &Step<What>, frames: &mut Frames) -> VectorStep {
    let word = |value: u32| Some(hex::encode(value.to_le_bytes()));
    let mut out = VectorStep {
        node: step.node,
        what: step.what.to_string(),
        state: step.after.clone(),
        ..VectorStep::default()
    };
    let does = match step.what {
        What::Wants(page) => {
            out.page = Some(page);
            "wants"
        }
        What::Uses(page, value) => {
            (out.page, out.value) = (Some(page), Some(hex::encode([value])));
            "uses"
        }
        What::LetsGo => "lets_go",
        What::Reads(_, addr, value, master) => {
            (out.addr, out.value, out.master) = (Some(addr), word(value), master);
            "reads"
        }
        What::Confirmed(master) => {
            out.master = master;
            "confirmed"
        }
        What::Out(copy, value) => {
            (out.page, out.value, out.master) = (Some(copy.page), word(value), true);
            "copies_out"
        }
        What::In(copy, value) => {
            (out.page, out.value, out.master) = (Some(copy.page), word(value), true);
            "copies_in"
        }
        What::Timer(_) => "timer",
        What::Arrives(m)
        | What::Full(m)
        | What::Handles(m)
        | What::Passes(m)
        | What::Comes(m)
        | What::Lost(m)
        | What::Again(m, _) => {
            out.frame = Some(frames.index(encode(&Content::Signal(m))));
            match step.what {
                What::Arrives(_) | What::Handles(_) => {
                    out.master = true;
                    "receives"
                }
                What::Passes(_) | What::Full(_) => "passes",
                What::Comes(_) => "comes_back",
                What::Lost(_) => "lost",
                _ => "sends_again",
            }
        }
        What::Data(_, does, word) => {
            out.frame = Some(frames.index(encode(&Content::Data(word.into()))));
            match does {
                DataStep::Leaves => "sends",
                DataStep::Arrives => "receives",
                DataStep::Comes => "comes_back",
                DataStep::Lost => "lost",
                DataStep::Again => "sends_again",
            }
        }
    };
    out.does = does.into();
    out
}

impl Found {
    /// The run as a vector, played to fresh state machines.
    ///
    /// # Errors
    /// If the state machines do not do in a replay what they did in the run.
    pub fn vector(&self) -> Result<(Vector, Play), String> {
        let mut frames = Frames::default();
        let all = self.steps.iter().chain(&self.goes_on);
        let mut steps: Vec<VectorStep> = all.map(|step| vector_step(step, &mut frames)).collect();
        let contents = frames.0.iter().map(|frame| decode(frame)).collect::<Result<Vec<_>, _>>()?;
        let mut play = Play::new(self.case);
        for (number, step) in steps.iter_mut().enumerate() {
            let content = step.frame.map(|frame| &contents[frame]);
            let actions = play.step(step, content).map_err(|e| self.case.at(number, &e))?;
            step.actions =
                actions.into_iter().map(|action| vector_action(action, &mut frames)).collect();
        }
        let goes_on = steps.split_off(self.steps.len());
        let settings = self.case.settings();
        let again = settings.profile == Profile::Acknowledged;
        let vector = Vector {
            schema_version: 1,
            name: self.case.name.into(),
            protocol: self.case.protocol(),
            why: self.case.why.into(),
            breaks: self.case.breaks().into(),
            nodes: settings.nodes(),
            pages: settings.pages,
            room: settings.frames,
            boards_send: if again { "again" } else { "once" }.into(),
            frames: frames.0,
            steps,
            goes_on,
            circles: self.circles,
        };
        Ok((vector, play))
    }
}

impl Case {
    fn at(&self, step: usize, what: &str) -> String {
        format!("{}, step {}: {what}", self.name, step + 1)
    }
}

impl Vector {
    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        file::text(self)
    }

    /// Replays the file on fresh state machines of `case`, with replicas that its frames update,
    /// and checks that the property is violated.
    ///
    /// # Errors
    /// The difference, and the step in which it occurs.
    pub fn replay(&self, case: &Case) -> Result<Play, String> {
        let contents =
            self.frames.iter().map(|frame| decode(frame)).collect::<Result<Vec<_>, _>>()?;
        let mut frames = Frames(self.frames.clone());
        let mut play = Play::new(case);
        for (number, step) in self.steps.iter().chain(&self.goes_on).enumerate() {
            let none = |frame: usize| case.at(number, &format!("there is no frame {frame}"));
            let content = step.frame.map(|frame| contents.get(frame).ok_or_else(|| none(frame)));
            let found = play.step(step, content.transpose()?).map_err(|e| case.at(number, &e))?;
            let found: Vec<_> =
                found.into_iter().map(|action| vector_action(action, &mut frames)).collect();
            if found != step.actions {
                let what = format!("expected {:?}, found {found:?}", step.actions);
                return Err(case.at(number, &what));
            }
        }
        let found = play.broken();
        match case.breaks {
            Some(property) if found != Some(property) => {
                Err(format!("{}: expected that {property:?} breaks, found {found:?}", self.name))
            }
            None if play.waits().is_empty() => {
                Err(format!("{}: expected a process that waits, found none", self.name))
            }
            None if self.circles && !play.circles() || !self.circles && !play.rests() => {
                let end = if self.circles { "a circle" } else { "a ring at rest" };
                Err(format!("{}: expected {end} at the end, found that it goes on", self.name))
            }
            _ => Ok(play),
        }
    }
}

/// Checks the vectors in `folder` (that of paging, below `vectors`). Returns their number and the
/// errors.
#[must_use]
pub fn check(folder: &Path) -> (usize, Vec<String>) {
    let replay = |vector: &Vector, case: &Case| vector.replay(case).map(drop);
    file::check(folder, CASES, |case| case.name, replay)
}
