// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model of a board in the checker, between firmware and ring: signals in order, and data relative
//! to them (SND-2, SND-3, RCV-2).

use super::{settings::Profile, step::Write};
use crate::firmware::Message;
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{NodeId, narrow};
use std::{collections::VecDeque, hash::Hash};

/// A data frame: which node's, and its number, counted from 1.
pub trait Data: Copy + Eq + Hash {
    /// Its source and its number.
    fn key(&self) -> (NodeId, u8);
}

impl Data for Write {
    fn key(&self) -> (NodeId, u8) {
        (self.source, self.number)
    }
}

/// A frame on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Frame<D> {
    /// A signal, and the number of data frames that a receiver must have.
    Signal(Message, u8),
    Data(D),
}

/// A signal to be sent, its order, and how much data was written before it.
type Pending = (Message, Order, u8);

/// The board of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board<D> {
    /// Signals not sent yet; with [`Profile::Acknowledged`] not back yet.
    signals: VecDeque<Pending>,
    /// The first of them was sent.
    out: bool,
    /// Data that is not back, the oldest first.
    data: VecDeque<D>,
    /// How much of it is on its way.
    left: usize,
    /// Number of data frames that have returned.
    back: u8,
    /// Data frames taken of each node.
    got: Vec<u8>,
}

impl<D: Data> Board<D> {
    pub(super) fn new(nodes: usize) -> Board<D> {
        let (signals, data) = (VecDeque::new(), VecDeque::new());
        Board { signals, out: false, data, left: 0, back: 0, got: vec![0; nodes] }
    }

    /// Returns true when everything was sent, and has returned where returns are tracked.
    pub(super) fn is_idle(&self) -> bool {
        self.signals.is_empty() && self.data.is_empty()
    }

    fn count(&self, some: usize) -> u8 {
        self.back.saturating_add(narrow(some))
    }

    pub(super) fn send(&mut self, message: Message, order: Order) {
        self.signals.push_back((message, order, self.count(self.data.len())));
    }

    /// Sends what may be sent now.
    pub(super) fn pump(&mut self, link: &mut VecDeque<Frame<D>>, profile: Profile) {
        while let Some(&(message, order, mark)) = self.signals.front() {
            let (free, mark) = match order {
                Order::None => (true, 0),
                Order::Sent => (mark <= self.count(self.left), mark),
                Order::Confirmed => (mark <= self.back, 0),
            };
            if self.out || !free {
                return;
            }
            link.push_back(Frame::Signal(message, mark));
            match profile {
                Profile::Bare => drop(self.signals.pop_front()),
                Profile::Acknowledged => self.out = true,
            }
        }
    }

    /// The signal that was sent and is not back.
    pub(super) fn unreturned(&self) -> Option<Message> {
        self.signals.front().filter(|_| self.out).map(|pending| pending.0)
    }

    /// The unreturned signal is lost: it may be retransmitted.
    pub(super) fn again(&mut self, link: &mut VecDeque<Frame<D>>, profile: Profile) {
        self.out = false;
        self.pump(link, profile);
    }

    /// Takes a returned signal. Returns true if the return counts: receivers drop a `sent` signal
    /// that comes before its data (SND-3).
    pub(super) fn comes(&mut self, message: Message, mark: u8, profile: Profile) -> bool {
        let counts =
            mark <= self.back && (profile == Profile::Bare || self.unreturned() == Some(message));
        if counts && profile == Profile::Acknowledged {
            self.signals.pop_front();
            self.out = false;
        }
        counts
    }

    /// The receiver has the data that a signal of `source` says was written before it.
    pub(super) fn has(&self, source: NodeId, mark: u8) -> bool {
        mark <= self.got.get(source.index()).copied().unwrap_or(0)
    }

    /// The host writes; the number of the data frame.
    pub(super) fn write(&mut self, make: impl FnOnce(u8) -> D) -> u8 {
        let number = self.mark().saturating_add(1);
        self.data.push_back(make(number));
        number
    }

    /// The number of the last data frame.
    pub(super) fn mark(&self) -> u8 {
        self.count(self.data.len())
    }

    /// Returns true if all data up to `mark` has returned.
    pub(super) fn confirmed(&self, mark: u8) -> bool {
        mark <= self.back
    }

    /// The data to be sent next.
    pub(super) fn next_data(&self) -> Option<D> {
        self.data.get(self.left).copied()
    }

    pub(super) fn data_leaves(&mut self) {
        self.left += 1;
    }

    /// The oldest data that is on its way.
    pub(super) fn data_out(&self) -> Option<D> {
        self.data.front().filter(|_| self.left > 0).copied()
    }

    /// All data that is not back is to be retransmitted.
    pub(super) fn rewind(&mut self) {
        self.left = 0;
    }

    pub(super) fn data_comes(&mut self, data: D) {
        if self.data.front() == Some(&data) {
            self.data.pop_front();
            self.left = self.left.saturating_sub(1);
            self.back += 1;
        }
    }

    /// Data of another node is taken when it is the next of its source; whether it was.
    pub(super) fn take_data(&mut self, data: D) -> bool {
        let (source, number) = data.key();
        match self.got.get_mut(source.index()) {
            Some(got) if number == got.saturating_add(1) => {
                *got = number;
                true
            }
            _ => false,
        }
    }
}
