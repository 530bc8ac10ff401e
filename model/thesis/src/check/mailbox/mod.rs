// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model of the primitives of the current version, for the checker: every possible order of
//! threads, words and signals.
//!
//! Words and signals go from a worker to the master, or back, in the order of the ring. With
//! [`MailSettings::apart`] a signal may come before the words that were written before it, as it
//! does where the signal function has a separate path. Threads read at any time. A worker's write
//! is in its local replica at once. A worker's timeout is *right* only if nothing is under way and
//! the control thread has nothing to do. At any other time it is early, which counts as one of
//! [`MailSettings::twice`].

mod network;
mod state;
mod step;

use awgstar_frame::quantity::narrow;
pub use network::{MailNetwork, MailProperty, MailSettings};
pub use step::{MailStep, MailWhat, mail_listing};

use crate::gen1::mailbox::{Master, Worker};
use awgstar_sync::check::explore::{Checkable, Next, action};
use state::State;
use std::collections::VecDeque;

impl Checkable for MailNetwork {
    type State = State;
    type Step = MailStep;
    type Property = MailProperty;

    fn start(&self) -> State {
        let count = self.settings.programs.len();
        State {
            master: Master::new(narrow(count), self.repairs),
            workers: vec![Worker::new(self.repairs); count - 1],
            at: vec![0; count],
            calling: vec![false; count],
            areas: vec![[[0; 2]; 2]; count],
            indices: vec![Vec::new(); count],
            up: vec![VecDeque::new(); count],
            down: vec![VecDeque::new(); count],
            reads: None,
            reads_area: vec![false; count],
            reads_index: vec![None; count],
            twice: self.settings.twice,
            wrong: None,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<Next<Self>>) {
        for process in 0..self.settings.programs.len() {
            let possible = state.possible(self, process);
            next.extend(possible.into_iter().map(|what| {
                let mut state = state.clone();
                state.take(self, process, what);
                let step = MailStep { process, what, after: String::new() };
                let action = what.action().map(|kind| action(process, kind));
                Next { step, state, action }
            }));
        }
    }

    fn broken(&self, state: &State) -> Option<MailProperty> {
        state.wrong
    }

    /// All programs have ended, and no thread has anything to do.
    fn done(&self, state: &State) -> bool {
        state.at.iter().zip(&self.settings.programs).all(|(at, program)| *at == program.len())
            && state.is_quiet()
    }

    fn describe(&self, step: &mut MailStep, after: &State) {
        step.after = after.words(step.process);
    }
}
