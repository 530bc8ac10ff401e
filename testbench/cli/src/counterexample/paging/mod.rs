// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counterexamples of the virtual shared memory (thesis 5.4): frames of the page table and of pages, state machines
//! of processes and master, replicas.

mod act;
mod cases;
mod play;
mod state;
mod step;
mod views;

pub use cases::{CASES, Case};
pub use state::Play;

use awgstar::check::{
    Checkable as _, Step, listing,
    paging::{Does, Network, What},
};
use std::mem::{Discriminant, discriminant};

/// Folder below `vectors/`.
pub const FOLDER: &str = "paging";

/// A run that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Case of the run.
    pub case: &'static Case,
    /// Steps of the run.
    pub steps: Vec<Step<What>>,
    /// Where the end cannot be reached any more: one way in which it goes on, without a fault, what can
    /// happen in turn, until nothing happens or all has happened before.
    pub goes_on: Vec<Step<What>>,
    /// Then all of that happens again.
    pub circles: bool,
}

impl Found {
    /// The run as text: a line for each step.
    #[must_use]
    pub fn listing(&self) -> String {
        let nodes = self.case.settings().nodes();
        let mut text = listing(&self.steps, nodes);
        if self.case.breaks.is_none() {
            if !self.goes_on.is_empty() {
                text.push_str("\nIt may go on like this, and does not end:\n");
                text.push_str(&listing(&self.goes_on, nodes));
            }
            let last = if self.circles { "... and again." } else { "Nothing happens any more." };
            text.push_str(last);
            text.push('\n');
        }
        text
    }
}

/// Continuation of a run after `steps`; true if it returns to an earlier state.
fn goes_on(network: &Network, steps: &[Step<What>]) -> Option<(Vec<Step<What>>, bool)> {
    let mut state = network.start();
    let mut next = Vec::new();
    for step in steps {
        next.clear();
        network.steps(&state, &mut next);
        let same = |one: &awgstar::check::explore::Next<Network>| {
            (one.step.node, one.step.what) == (step.node, step.what)
        };
        state = next.drain(..).find(same)?.state;
    }
    // Kinds of steps, that which was longest ago first: everything has its turn.
    let mut turns: Vec<Kind> = Vec::new();
    let (mut seen, mut more) = (Vec::new(), Vec::new());
    loop {
        if seen.contains(&(turns.clone(), state.clone())) {
            return Some((more, true));
        }
        seen.push((turns.clone(), state.clone()));
        next.clear();
        network.steps(&state, &mut next);
        let turn = |step: &Step<What>| turns.iter().position(|one| *one == kind(step));
        let first =
            next.drain(..).filter(|one| one.action.is_some()).min_by_key(|one| turn(&one.step));
        let Some(mut one) = first else { return Some((more, false)) };
        network.describe(&mut one.step, &one.state);
        turns.retain(|other| *other != kind(&one.step));
        turns.push(kind(&one.step));
        more.push(one.step);
        state = one.state;
    }
}

/// Node, what happens, and whether to the master's state machine.
type Kind = (usize, Discriminant<What>, Option<Discriminant<Does>>, bool);

fn kind(step: &Step<What>) -> Kind {
    let does = if let What::Local(does) = step.what { Some(does) } else { None };
    let master = matches!(does, Some(Does::Reads(.., true) | Does::Confirmed(true)));
    (step.node, discriminant(&step.what), does.as_ref().map(discriminant), master)
}
