// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of paging as the steps of a vector.

use crate::counterexample::frames::{Content, encode, marked};
use crate::counterexample::paging::Found;
use crate::counterexample::paging::state::Play;
use crate::counterexample::vector::{Frames, Playback, Vector, VectorAction, VectorStep};
use awgstar::{
    check::{
        DataStep, Profile, Step,
        paging::{Does, Placed, What},
    },
    firmware::paging::{Action, Copy},
};

/// Converts an action into its form in the file.
pub(super) fn vector_action(action: Action, frames: &mut Frames) -> VectorAction {
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
            let frame = frames.index(encode(&Content::Signal(message)));
            VectorAction::Send { frame, order: None }
        }
        Action::Ask(page) => VectorAction::Ask { page },
        Action::Start => VectorAction::Start { timer: None },
        Action::Stop => VectorAction::Stop { timer: None },
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
        What::Local(Does::Wants(page)) => {
            out.page = Some(page);
            "wants"
        }
        What::Local(Does::Uses(page, value)) => {
            (out.page, out.value) = (Some(page), Some(hex::encode([value])));
            "uses"
        }
        What::Local(Does::LetsGo) => "lets_go",
        What::Local(Does::Reads(_, addr, value, master)) => {
            (out.addr, out.value, out.master) = (Some(addr), word(value), master);
            "reads"
        }
        What::Local(Does::Confirmed(master)) => {
            out.master = master;
            "confirmed"
        }
        What::Local(Does::Out(copy, value)) => {
            (out.page, out.value, out.master) = (Some(copy.page), word(value), true);
            "copies_out"
        }
        What::Local(Does::In(copy, value)) => {
            (out.page, out.value, out.master) = (Some(copy.page), word(value), true);
            "copies_in"
        }
        What::Local(Does::Timer(_)) => "timer",
        What::Arrives(m)
        | What::Full(m)
        | What::Local(Does::Handles(m))
        | What::Ahead(m)
        | What::Passes(m)
        | What::Comes(m)
        | What::Lost(m)
        | What::Again(m, _) => {
            out.frame = Some(frames.index(encode(&Content::Signal(m))));
            match step.what {
                What::Arrives(_) | What::Local(Does::Handles(_)) => {
                    out.master = true;
                    "receives"
                }
                What::Passes(_) | What::Full(_) | What::Ahead(_) => "passes",
                What::Comes(_) => "comes_back",
                What::Lost(_) => "lost",
                _ => "sends_again",
            }
        }
        What::Data(does, Placed(_, word)) => {
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
        let mut play = Play::new(self.case);
        let mut playback = Playback::new(self.case.name, &mut play, 0);
        for step in &mut steps {
            step.actions = playback.step(step, &mut frames)?;
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
            pages: Some(settings.pages),
            room: Some(settings.frames),
            boards_send: if again { "again" } else { "once" }.into(),
            frames: frames.0,
            steps,
            goes_on: Some(goes_on),
            circles: Some(self.circles),
        };
        Ok((vector, play))
    }
}
