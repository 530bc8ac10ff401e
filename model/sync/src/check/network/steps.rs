// SPDX-License-Identifier: MIT OR Apache-2.0
//! All that can happen next.

use super::{Frame, Network, Process, State, TIMERS, timer_bit};
use crate::{
    check::{
        explore::{Next, action},
        settings::{Kind, Profile},
        step::{DataStep, Step, What, Write},
    },
    firmware::{Event, Firmware, Message, Timer},
};
use awgstar_frame::contract::Signal;
use awgstar_frame::quantity::NodeId;

impl<F: Firmware> Network<F> {
    fn push(next: &mut Vec<Next<Self>>, node: usize, what: What, fault: bool, state: State<F>) {
        let action = (!fault).then(|| action(node, what.action()));
        next.push(Next { step: Step { node, what, after: String::new() }, state, action });
    }

    fn pump(&self, state: &mut State<F>, at: usize) {
        state.nodes[at].board.pump(&mut state.links[at], self.settings.profile);
    }

    /// The first frame of the link to `to`.
    pub(super) fn link(&self, state: &State<F>, to: usize, next: &mut Vec<Next<Self>>) {
        let before = if self.settings.descending { 1 } else { self.settings.nodes - 1 };
        let from = (to + before) % self.settings.nodes;
        let Some(&frame) = state.links[from].front() else { return };
        let mut after = state.clone();
        after.links[from].pop_front();
        if state.losses > 0 {
            let mut lost = after.clone();
            lost.losses -= 1;
            let what = match frame {
                Frame::Signal(message, _) => What::Lost(message),
                Frame::Data(data) => What::Data(DataStep::Lost, data),
            };
            Self::push(next, to, what, true, lost);
        }
        match frame {
            Frame::Signal(message, mark) => self.signal(state, after, to, (message, mark), next),
            Frame::Data(data) => self.data(after, to, data, next),
        }
    }

    fn signal(
        &self,
        state: &State<F>,
        mut after: State<F>,
        to: usize,
        (message, mark): (Message, u8),
        next: &mut Vec<Next<Self>>,
    ) {
        if message.source.index() == to {
            if after.nodes[to].board.comes(message, mark, self.settings.profile) {
                self.pump(&mut after, to);
                // Of a request in which a holder has put its acknowledgement that is what counts.
                let answered = self.settings.in_place && message.signal == Signal::LockDistAck;
                self.receive(&mut after, to, message, !answered);
            }
            Self::push(next, to, What::Comes(message), false, after);
            return;
        }
        let place = after.links[to].len();
        after.links[to].push_back(Frame::Signal(message, mark));
        if !message.reaches(NodeId::at(to)) {
            Self::push(next, to, What::Arrives(message), false, after);
        } else if after.nodes[to].board.has(message.source, mark) {
            if state.full > 0 {
                let mut full = after.clone();
                full.full -= 1;
                Self::push(next, to, What::Full(message), true, full);
            }
            self.receive(&mut after, to, message, false);
            if self.settings.in_place {
                self.answer_in_place(&mut after, to, message, place);
            }
            Self::push(next, to, What::Arrives(message), false, after);
        } else {
            Self::push(next, to, What::Ahead(message), false, after);
        }
    }

    /// The acknowledgement sent because of a request takes the place of the request on the link. No node
    /// waits for its return: the request's source takes the frame from the ring.
    fn answer_in_place(&self, state: &mut State<F>, at: usize, request: Message, place: usize) {
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

    fn data(&self, mut after: State<F>, to: usize, data: Write, next: &mut Vec<Next<Self>>) {
        let step = if data.source.index() == to {
            after.nodes[to].board.data_comes(data);
            self.pump(&mut after, to);
            DataStep::Comes
        } else {
            after.links[to].push_back(Frame::Data(data));
            after.nodes[to].board.take_data(data);
            DataStep::Arrives
        };
        Self::push(next, to, What::Data(step, data), false, after);
    }

    /// Adds the steps of node `at` that no frame causes.
    pub(super) fn node(&self, state: &State<F>, at: usize, next: &mut Vec<Next<Self>>) {
        self.handle(state, at, next);
        self.run_out(state, at, next);
        self.resend(state, at, next);
        self.call(state, at, next);
    }

    fn handle(&self, state: &State<F>, at: usize, next: &mut Vec<Next<Self>>) {
        if let Some(&message) = state.nodes[at].inbox.front() {
            let mut after = state.clone();
            after.nodes[at].inbox.pop_front();
            for returned in &mut after.nodes[at].returned {
                returned.1 = returned.1.saturating_sub(1);
            }
            self.tell_signal(&mut after, at, message, false);
            Self::push(next, at, What::Handles(Event::Signal(message)), false, after);
        }
        if let Some(&(message, 0)) = state.nodes[at].returned.front() {
            let mut after = state.clone();
            after.nodes[at].returned.pop_front();
            self.tell_signal(&mut after, at, message, true);
            Self::push(next, at, What::Handles(Event::Returned(message)), false, after);
        }
    }

    fn run_out(&self, state: &State<F>, at: usize, next: &mut Vec<Next<Self>>) {
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
                    Self::push(next, at, What::Timer(lock, timer, !quiet), !quiet, after);
                }
            }
        }
    }

    /// The board retransmits what was lost, or early.
    fn resend(&self, state: &State<F>, at: usize, next: &mut Vec<Next<Self>>) {
        let board = &state.nodes[at].board;
        let mut frames = state.links.iter().flatten();
        if let Some(message) = board.unreturned().filter(|_| self.acknowledged()) {
            let early = frames.any(|frame| matches!(frame, Frame::Signal(m, _) if *m == message));
            if !early || state.early > 0 {
                let mut after = state.clone();
                after.early -= u8::from(early);
                after.nodes[at].board.again(&mut after.links[at], self.settings.profile);
                Self::push(next, at, What::Again(message, early), early, after);
            }
        }
        if let Some(data) = board.next_data() {
            let mut after = state.clone();
            after.links[at].push_back(Frame::Data(data));
            after.nodes[at].board.data_leaves();
            self.pump(&mut after, at);
            Self::push(next, at, What::Data(DataStep::Leaves, data), false, after);
        }
        if let Some(data) = board.data_out() {
            let mut frames = state.links.iter().flatten();
            if !frames.any(|frame| *frame == Frame::Data(data)) {
                let mut after = state.clone();
                after.nodes[at].board.rewind();
                Self::push(next, at, What::Data(DataStep::Again, data), false, after);
            }
        }
    }

    fn acknowledged(&self) -> bool {
        self.settings.profile == Profile::Acknowledged
    }

    fn call(&self, state: &State<F>, at: usize, next: &mut Vec<Next<Self>>) {
        let node = &state.nodes[at];
        let mut call = |lock: u8, process, event| {
            let mut after = state.clone();
            after.nodes[at].process = process;
            after.nodes[at].left -= u8::from(matches!(process, Process::Waiting(_)));
            if self.settings.data && matches!(event, Event::Release | Event::Arrive) {
                self.write(&mut after, at, lock);
            }
            self.tell_lock(&mut after, at, lock, event);
            Self::push(next, at, What::Call(lock, event), false, after);
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
        let number = state.nodes[at].board.write(|number| Write { source, number, lock });
        state.written[usize::from(lock) * self.settings.nodes + at] = number;
    }
}
