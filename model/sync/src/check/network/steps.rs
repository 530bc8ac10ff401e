// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can happen next to frames: on links, and in boards that send.

use super::{Network, Rules, StateOf, Traffic, WhatOf};
use crate::{
    check::{
        board::{Data, Frame},
        explore::{Checkable, Next, action},
        settings::Profile,
        step::{DataStep, Step, What},
    },
    firmware::Message,
};
use awgstar_frame::contract::Order;

impl<F, S> Network<F, S>
where
    Self: Traffic + Checkable<State = StateOf<Self>, Step = Step<WhatOf<Self>>>,
{
    pub(in crate::check) fn push(
        next: &mut Vec<Next<Self>>,
        node: usize,
        what: WhatOf<Self>,
        fault: bool,
        state: StateOf<Self>,
    ) {
        let action = (!fault).then(|| action(node, what.action()));
        next.push(Next { step: Step { node, what, after: String::new() }, state, action });
    }

    fn pump(&self, state: &mut StateOf<Self>, at: usize) {
        state.boards[at].pump(&mut state.links[at], self.rules().profile);
    }

    /// A message of the firmware, for the board to send.
    pub(in crate::check) fn send(
        &self,
        state: &mut StateOf<Self>,
        at: usize,
        message: Message,
        order: Order,
    ) {
        state.boards[at].send(message, order);
        self.pump(state, at);
    }

    /// The first frame of the link to `to`.
    pub(in crate::check) fn link(
        &self,
        state: &StateOf<Self>,
        to: usize,
        next: &mut Vec<Next<Self>>,
    ) {
        let Rules { nodes, descending, .. } = self.rules();
        let from = (to + if descending { 1 } else { nodes - 1 }) % nodes;
        let Some(&frame) = state.links[from].front() else { return };
        let mut after = state.clone();
        after.links[from].pop_front();
        if state.losses > 0 {
            let mut lost = after.clone();
            lost.losses -= 1;
            let what = match frame {
                Frame::Signal(message, _) => What::Lost(message),
                Frame::Data(data) => What::Data(DataStep::Lost, self.shown(data)),
            };
            Self::push(next, to, what, true, lost);
        }
        let what = match frame {
            Frame::Signal(message, mark) => self.signal(&mut after, to, (message, mark), next),
            Frame::Data(data) => self.data(&mut after, to, data),
        };
        Self::push(next, to, what, false, after);
    }

    fn signal(
        &self,
        after: &mut StateOf<Self>,
        to: usize,
        (message, mark): (Message, u8),
        next: &mut Vec<Next<Self>>,
    ) -> WhatOf<Self> {
        if message.source.index() == to {
            if after.boards[to].comes(message, mark, self.rules().profile) {
                self.pump(after, to);
                self.returns(after, to, message);
            }
            return What::Comes(message);
        }
        let place = after.links[to].len();
        after.links[to].push_back(Frame::Signal(message, mark));
        if !self.takes(to, message) {
            return Self::passes(message);
        }
        if !after.boards[to].has(message.source, mark) {
            return What::Ahead(message);
        }
        if after.full > 0 {
            let mut full = after.clone();
            full.full -= 1;
            Self::push(next, to, What::Full(message), true, full);
        }
        self.arrives(after, to, message, place);
        What::Arrives(message)
    }

    fn data(
        &self,
        after: &mut StateOf<Self>,
        to: usize,
        data: <Self as Traffic>::Data,
    ) -> WhatOf<Self> {
        let mut step = DataStep::Arrives;
        if data.key().0.index() == to {
            after.boards[to].data_comes(data);
            self.pump(after, to);
            step = DataStep::Comes;
        } else {
            after.links[to].push_back(Frame::Data(data));
            if after.boards[to].take_data(data) {
                Self::stores(after, to, data);
            }
        }
        What::Data(step, self.shown(data))
    }

    /// The board sends what was written, and again what was lost, or a signal early.
    pub(in crate::check) fn resend(
        &self,
        state: &StateOf<Self>,
        at: usize,
        next: &mut Vec<Next<Self>>,
    ) {
        let (board, profile) = (&state.boards[at], self.rules().profile);
        let resends = profile == Profile::Acknowledged;
        let mut frames = state.links.iter().flatten();
        if let Some(message) = board.unreturned().filter(|_| resends) {
            let early = frames.any(|frame| matches!(frame, Frame::Signal(m, _) if *m == message));
            if !early || state.early > 0 {
                let mut after = state.clone();
                after.early -= u8::from(early);
                after.boards[at].again(&mut after.links[at], profile);
                Self::push(next, at, What::Again(message, early), early, after);
            }
        }
        if let Some(data) = board.next_data() {
            let mut after = state.clone();
            after.links[at].push_back(Frame::Data(data));
            after.boards[at].data_leaves();
            self.pump(&mut after, at);
            Self::push(next, at, What::Data(DataStep::Leaves, self.shown(data)), false, after);
        }
        if let Some(data) = board.data_out() {
            let mut frames = state.links.iter().flatten();
            if !frames.any(|frame| *frame == Frame::Data(data)) {
                let mut after = state.clone();
                after.boards[at].rewind();
                Self::push(next, at, What::Data(DataStep::Again, self.shown(data)), false, after);
            }
        }
    }
}
