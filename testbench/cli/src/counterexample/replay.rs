// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replay of a run on state machines, step by step; third-party firmware can replay it the same
//! way.

use crate::counterexample::catalogue::Use;
use crate::counterexample::{Case, CounterexampleError};
use awgstar::quantity::NodeId;
use awgstar::{
    check::{Network, Profile, Step, What},
    firmware::{Action, Event, Firmware, Message},
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

/// One for each step.
pub type Replay = Vec<ReplayedStep>;

/// Signals of a node that its board has: of a board that retransmits the first one is on the ring.
#[derive(Clone, Default)]
struct Outbox(VecDeque<Message>);

/// The event that a step tells a state machine of its node.
fn event(step: &Step, profile: Profile, outbox: &mut Outbox) -> Option<Event> {
    match step.what {
        What::Call(_, event) | What::Handles(event) => Some(event),
        What::Timer(_, timer, _) => Some(Event::Timer(timer)),
        What::Arrives(message) => u8::try_from(step.node)
            .is_ok_and(|node| message.reaches(NodeId(node)))
            .then_some(Event::Signal(message)),
        What::Comes(message) => {
            // A copy that returns after the signal is done does not count any more.
            let counts = profile == Profile::Bare || outbox.0.front() == Some(&message);
            if counts && profile == Profile::Acknowledged {
                outbox.0.pop_front();
            }
            counts.then_some(Event::Returned(message))
        }
        What::Full(_) | What::Ahead(_) | What::Lost(_) | What::Again(..) | What::Data(..) => None,
    }
}

/// Tells fresh state machines of the case the steps.
pub(super) fn replay(case: &Case, steps: &[Step]) -> Result<Replay, CounterexampleError> {
    struct Tell<'a>(&'a Case, &'a [Step]);
    impl Use for Tell<'_> {
        type Out = Result<Replay, CounterexampleError>;

        fn with<F: Firmware>(self, network: &Network<F>) -> Self::Out {
            let Tell(case, steps) = self;
            let profile = case.settings.profile;
            let mut machines: Vec<F> = network.machines.iter().flatten().cloned().collect();
            let mut boards = vec![Outbox::default(); machines.len()];
            let mut all = Replay::new();
            for (number, step) in steps.iter().enumerate() {
                let mut actions = Vec::new();
                let event = event(step, profile, &mut boards[step.node]);
                if let Some(event) = event {
                    machines[step.node].step(event, &mut actions);
                }
                let sent = actions.iter().filter_map(|action| match action {
                    Action::Send(message, _) => Some(*message),
                    _ => None,
                });
                boards[step.node].0.extend(sent);
                let after = machines[step.node].summary();
                if after != step.after {
                    return Err(CounterexampleError::Replay {
                        name: case.name,
                        step: number + 1,
                        found: after,
                        expected: step.after.clone(),
                    });
                }
                all.push(ReplayedStep { event, actions, after });
            }
            Ok(all)
        }
    }
    case.run(Tell(case, steps))
}
