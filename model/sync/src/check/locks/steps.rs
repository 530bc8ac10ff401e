// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can happen next to firmware and processes.

use super::{Process, State, TIMERS, timer_bit};
use crate::{
    check::{
        board::Frame,
        explore::Next,
        network::Network,
        settings::Kind,
        step::{Call, What, Write},
    },
    firmware::{Event, Firmware, Message, Timer},
};
use awgstar_frame::contract::Signal;
use awgstar_frame::quantity::NodeId;

impl<F: Firmware> Network<F> {
    /// The acknowledgement sent because of a request takes the place of the request on the link. No node
    /// waits for its return: the request's source takes the frame from the ring.
    pub(super) fn answer_in_place(
        &self,
        state: &mut State<F>,
        at: usize,
        request: Message,
        place: usize,
    ) {
        let link = &mut state.links[at];
        let (Some(&Frame::Signal(answer, mark)), Signal::LockDistRequest, Some(lock)) =
            (link.get(place + 1), request.signal, self.lock(request.lock_number))
        else {
            return;
        };
        if answer.signal == Signal::LockDistAck && answer.node_id == request.source {
            link.remove(place + 1);
            link[place] = Frame::Signal(Message { source: request.source, ..answer }, mark);
            state.nodes[at].timers &= !timer_bit(lock, Timer::Grant);
        }
    }

    pub(super) fn handle(&self, state: &State<F>, at: usize, next: &mut Vec<Next<Self>>) {
        if let Some(&message) = state.nodes[at].inbox.front() {
            let mut after = state.clone();
            after.nodes[at].inbox.pop_front();
            for returned in &mut after.nodes[at].returned {
                returned.1 = returned.1.saturating_sub(1);
            }
            self.tell_signal(&mut after, at, message, false);
            Self::push(next, at, What::Local(Call::Handles(Event::Signal(message))), false, after);
        }
        if let Some(&(message, 0)) = state.nodes[at].returned.front() {
            let mut after = state.clone();
            after.nodes[at].returned.pop_front();
            self.tell_signal(&mut after, at, message, true);
            Self::push(
                next,
                at,
                What::Local(Call::Handles(Event::Returned(message))),
                false,
                after,
            );
        }
    }

    pub(super) fn run_out(&self, state: &State<F>, at: usize, next: &mut Vec<Next<Self>>) {
        let quiet = Self::quiet(state);
        if state.nodes[at].timers == 0 || !quiet && state.early == 0 {
            return;
        }
        for lock in (0..).take(self.settings.locks) {
            for timer in TIMERS {
                if state.nodes[at].timers & timer_bit(lock, timer) != 0 {
                    let mut after = state.clone();
                    after.early -= u8::from(!quiet);
                    after.nodes[at].timers &= !timer_bit(lock, timer);
                    self.tell_lock(&mut after, at, lock, Event::Timer(timer));
                    Self::push(
                        next,
                        at,
                        What::Local(Call::Timer(lock, timer, !quiet)),
                        !quiet,
                        after,
                    );
                }
            }
        }
    }

    pub(super) fn call(&self, state: &State<F>, at: usize, next: &mut Vec<Next<Self>>) {
        let node = &state.nodes[at];
        let mut call = |lock: u8, process, event| {
            let mut after = state.clone();
            after.nodes[at].process = process;
            after.nodes[at].left -= u8::from(matches!(process, Process::Waiting(_)));
            if self.settings.data && matches!(event, Event::Release | Event::Arrive) {
                self.write(&mut after, at, lock);
            }
            self.tell_lock(&mut after, at, lock, event);
            Self::push(next, at, What::Local(Call::Process(lock, event)), false, after);
        };
        match node.process {
            Process::Idle if node.left > 0 => match self.settings.kind {
                Kind::Lock => {
                    for lock in (0..).take(self.settings.locks) {
                        call(lock, Process::Waiting(lock), Event::Acquire);
                    }
                }
                Kind::Barrier => call(0, Process::Waiting(0), Event::Arrive),
            },
            Process::Inside(lock) => call(lock, Process::Leaving(lock), Event::Release),
            _ => {}
        }
    }

    /// The process writes to the memory that goes with the lock it holds.
    fn write(&self, state: &mut State<F>, at: usize, lock: u8) {
        let source = NodeId::at(at);
        let number = state.boards[at].write(|number| Write { source, number, lock });
        state.written[usize::from(lock) * self.settings.nodes + at] = number;
    }
}
