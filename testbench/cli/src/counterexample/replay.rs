// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replay of a run of locks and barriers on state machines, step by step; third-party firmware can replay it the same
//! way.

use crate::counterexample::Case;
use crate::counterexample::catalogue::Use;
use crate::counterexample::frames::{Content, encode};
use crate::counterexample::vector::{Frames, Player, VectorAction, VectorStep};
use awgstar::quantity::NodeId;
use awgstar::{
    check::{Call, Network, Profile, Step, What},
    firmware::{Action, Event, Firmware, Message, Timer},
};
use std::collections::VecDeque;

/// Event of a step and the actions of the node's state machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedStep {
    /// The event; none: the step did not reach the state machine.
    pub event: Option<Event>,
    /// Actions of the state machine.
    pub actions: Vec<Action>,
    /// The state machine afterwards, in words.
    pub after: String,
}

/// State machines that do the steps of a run.
pub struct Replay {
    machines: Vec<Box<dyn Machine>>,
    profile: Profile,
    /// Signals of each node that its board has: of a board that retransmits the first one is on the ring.
    outboxes: Vec<VecDeque<Message>>,
    /// The steps so far.
    pub steps: Vec<ReplayedStep>,
}

/// A state machine of whatever protocol.
trait Machine {
    fn step(&mut self, event: Event, out: &mut Vec<Action>);
    fn summary(&self) -> String;
}

impl<F: Firmware> Machine for F {
    fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        Firmware::step(self, event, out);
    }

    fn summary(&self) -> String {
        Firmware::summary(self)
    }
}

impl Replay {
    /// Fresh state machines of the case.
    pub(super) fn new(case: &Case) -> Replay {
        struct Fresh;
        impl Use for Fresh {
            type Out = Vec<Box<dyn Machine>>;

            fn with<F: Firmware + 'static>(self, network: &Network<F>) -> Self::Out {
                let all = network.machines.iter().flatten().cloned();
                all.map(|machine| Box::new(machine) as Box<dyn Machine>).collect()
            }
        }
        let machines = case.run(Fresh);
        let outboxes = vec![VecDeque::new(); machines.len()];
        Replay { machines, profile: case.settings.profile, outboxes, steps: Vec::new() }
    }

    /// A message that has returned to its node counts: a copy that returns after the signal is done does not.
    fn counts(&self, node: usize, message: Message) -> bool {
        self.profile == Profile::Bare || self.outboxes[node].front() == Some(&message)
    }

    /// A step of a run without what the state machine does then.
    pub(super) fn vector_step(&self, step: &Step, frames: &mut Frames) -> VectorStep {
        let (mut message, mut timer) = (None, None);
        let mut about = |m: Message| message = Some(frames.index(encode(&Content::Signal(m))));
        let event = match step.what {
            What::Local(Call::Process(_, event) | Call::Handles(event)) => Some(event),
            What::Local(Call::Timer(_, ran_out, _)) => {
                timer = Some(timer_name(ran_out));
                Some(Event::Timer(ran_out))
            }
            What::Arrives(m) => {
                about(m);
                reaches(m, step.node).then_some(Event::Signal(m))
            }
            What::Comes(m) => {
                about(m);
                self.counts(step.node, m).then_some(Event::Returned(m))
            }
            What::Passes(m)
            | What::Full(m)
            | What::Ahead(m)
            | What::Lost(m)
            | What::Again(m, _) => {
                about(m);
                None
            }
            What::Data(..) => None,
        };
        if let What::Local(Call::Handles(Event::Signal(m) | Event::Returned(m))) = step.what {
            about(m);
        }
        let event = event.map(|event| match event {
            Event::Acquire => "acquire",
            Event::Release => "release",
            Event::Arrive => "arrive",
            Event::Signal(_) => "signal",
            Event::Returned(_) => "returned",
            Event::Timer(_) => "timer",
        });
        VectorStep {
            node: step.node,
            what: step.what.to_string(),
            event: event.map(Into::into),
            timer,
            frame: message,
            state: step.after.clone(),
            ..VectorStep::default()
        }
    }
}

fn reaches(message: Message, node: usize) -> bool {
    u8::try_from(node).is_ok_and(|node| message.reaches(NodeId(node)))
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

fn timer_of(name: &str) -> Option<Timer> {
    let all = [Timer::Request, Timer::Grant, Timer::Release, Timer::Pass];
    all.into_iter().find(|timer| timer_name(*timer) == name)
}

fn vector_action(action: Action, frames: &mut Frames) -> VectorAction {
    match action {
        Action::Send(message, order) => VectorAction::Send {
            frame: frames.index(encode(&Content::Signal(message))),
            order: Some(order.name().into()),
        },
        Action::Start(timer) => VectorAction::Start { timer: Some(timer_name(timer)) },
        Action::Stop(timer) => VectorAction::Stop { timer: Some(timer_name(timer)) },
        Action::Acquired => VectorAction::Acquired,
        Action::Released => VectorAction::Released,
        Action::Passed => VectorAction::Passed,
    }
}

impl Player for Replay {
    fn nodes(&self) -> usize {
        self.machines.len()
    }

    fn step(
        &mut self,
        step: &VectorStep,
        content: Option<&Content>,
        frames: &mut Frames,
    ) -> Result<Vec<VectorAction>, String> {
        let node = step.node;
        let message = match content {
            Some(Content::Data(data)) => return Err(format!("expected a signal, found {data:?}")),
            Some(Content::Signal(message)) => Some(*message),
            None => None,
        };
        let event = match (step.event.as_deref(), message) {
            (Some("acquire"), None) => Some(Event::Acquire),
            (Some("release"), None) => Some(Event::Release),
            (Some("arrive"), None) => Some(Event::Arrive),
            (Some("signal"), Some(m)) if reaches(m, node) => Some(Event::Signal(m)),
            (Some("returned"), Some(m)) if self.counts(node, m) => Some(Event::Returned(m)),
            (Some("timer"), None) => step.timer.as_deref().and_then(timer_of).map(Event::Timer),
            _ => None,
        };
        if event.is_none() && (step.event.is_some() || message.is_none()) {
            let (event, timer) = (&step.event, &step.timer);
            return Err(format!("event {event:?} with timer {timer:?} and message {message:?}"));
        }
        if matches!(event, Some(Event::Returned(_))) && self.profile == Profile::Acknowledged {
            self.outboxes[node].pop_front();
        }
        let mut actions = Vec::new();
        if let Some(event) = event {
            self.machines[node].step(event, &mut actions);
        }
        self.outboxes[node].extend(actions.iter().filter_map(|action| match action {
            Action::Send(message, _) => Some(*message),
            _ => None,
        }));
        let found = actions.iter().map(|action| vector_action(*action, frames)).collect();
        self.steps.push(ReplayedStep { event, actions, after: self.state(node) });
        Ok(found)
    }

    fn state(&self, node: usize) -> String {
        self.machines[node].summary()
    }
}
