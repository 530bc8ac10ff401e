// SPDX-License-Identifier: MIT OR Apache-2.0
//! A node: what its host has given it, what is on the train, what it has seen.

use super::content::Content;
use crate::{
    gen1::{
        frame::{DATA_MAX, Data, Frame, Kind},
        memory::Memory,
    },
    time::transfer_ns,
};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use std::{collections::VecDeque, sync::Arc};

/// Counts over all nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Visits of the token that were looked at; it goes round unseen while nothing is to be sent.
    pub visits: u64,
    /// Frames attached.
    pub attached: u64,
    /// Bytes of data in them.
    pub bytes: u64,
    /// Frames taken over by other nodes.
    pub copied: u64,
    /// Frames that returned good, with all before them good.
    pub acknowledged: u64,
    /// Frames that returned bad.
    pub came_back_bad: u64,
    /// Frames attached again, because they or one before them returned bad.
    pub sent_again: u64,
    /// Frames seen with a wrong CRC.
    pub bad_crc: u64,
    /// Frames not taken over, because they were seen before or one before them was missed.
    pub out_of_order: u64,
    pub tokens_lost: u64,
    /// Tokens made again.
    pub tokens_made: u64,
    /// Bytes of the longest train, its token included.
    pub longest_train: u64,
}

/// Bytes that come over the bus.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) addr: ByteAddress,
    pub(super) content: Content,
    /// Bytes that have gone out.
    pub(super) taken: u64,
    pub(super) start: Nanoseconds,
    pub(super) pace: Pace,
}

/// How fast they come.
#[derive(Clone, Debug)]
pub(super) enum Pace {
    /// Bytes per second.
    Rate(u64),
    /// A word after each of these times, in ns from the start.
    Words(Arc<[Nanoseconds]>),
}

impl Stream {
    /// Whole words, or the end, that have come over the bus and not gone out.
    fn here(&self, now: Nanoseconds) -> u64 {
        let len = self.content.len();
        let since = now.saturating_sub(self.start);
        match &self.pace {
            Pace::Rate(rate) if since >= transfer_ns(len, *rate) => len - self.taken,
            Pace::Rate(rate) => {
                let come = since.0 * rate / 1_000_000_000;
                (come.min(len) / 4 * 4).saturating_sub(self.taken)
            }
            Pace::Words(times) => {
                let taken: usize = narrow(self.taken / 4);
                4 * times[taken..].partition_point(|time| *time <= since) as u64
            }
        }
    }

    /// When its next word comes, if none is here now.
    fn next(&self) -> Option<Nanoseconds> {
        let Pace::Words(times) = &self.pace else { return None };
        times.get(narrow::<usize>(self.taken / 4)).map(|time| self.start + *time)
    }
}

/// Item that waits for the token.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    /// A frame that has its number already.
    Again(Frame),
    Stream(Stream),
    Signal(NodeId, Order),
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) queue: VecDeque<Pending>,
    /// Frames of the node on the train, in the order in which they were attached.
    pub(super) out: VecDeque<Frame>,
    /// Number of its next frame.
    number: u16,
    /// Next number of each source.
    pub(super) expected: Vec<u16>,
    pub(super) memory: Memory,
    /// The token that it saw last.
    pub(super) generation: u16,
}

impl Node {
    pub(super) fn new(nodes: usize) -> Node {
        Node {
            queue: VecDeque::new(),
            out: VecDeque::new(),
            number: 0,
            expected: vec![0; nodes],
            memory: Memory::default(),
            generation: 0,
        }
    }

    /// When it needs the token, `now` or later; `None` while it has nothing to send.
    pub(super) fn due(&self, now: Nanoseconds) -> Option<Nanoseconds> {
        match self.queue.front()? {
            Pending::Stream(stream) => Some(stream.next().unwrap_or(now).max(now)),
            _ => Some(now),
        }
    }

    pub(super) fn signal(&mut self, to: NodeId, order: Order) {
        let passes = |pending: &Pending| match pending {
            Pending::Again(_) | Pending::Signal(_, Order::None) => false,
            // A part of it has its numbers; the rest may wait.
            Pending::Stream(_) | Pending::Signal(..) => true,
        };
        let at = match order {
            Order::None => self.queue.iter().position(passes).unwrap_or(self.queue.len()),
            _ => self.queue.len(),
        };
        self.queue.insert(at, Pending::Signal(to, order));
    }

    /// The frames on the train but the first `good` ones are to be attached again, before all else.
    pub(super) fn again(&mut self, good: usize) {
        for frame in self.out.drain(good..).rev() {
            self.queue.push_front(Pending::Again(frame));
        }
        self.out.clear();
    }

    /// The next frame, with at most `room` bytes of data, and whether it is attached for the first
    /// time.
    pub(super) fn take(
        &mut self,
        source: NodeId,
        now: Nanoseconds,
        room: usize,
    ) -> Option<(Frame, bool)> {
        let frame = match self.queue.front_mut()? {
            Pending::Again(frame) => {
                if frame.data.len() > room {
                    return None;
                }
                let frame = frame.clone();
                self.queue.pop_front();
                self.out.push_back(frame.clone());
                return Some((frame, false));
            }
            Pending::Signal(to, order) => {
                if *order == Order::Confirmed && !self.out.is_empty() {
                    return None;
                }
                let frame = Frame::signal(source, *to);
                self.queue.pop_front();
                frame
            }
            Pending::Stream(stream) => {
                let room = room.min(DATA_MAX);
                let len: usize = narrow(stream.here(now).min(room as u64));
                let whole = matches!(stream.content, Content::Whole(_));
                if len == 0 || whole && (len as u64) < stream.content.len() {
                    return None;
                }
                let from: usize = narrow(stream.taken);
                let data = match &stream.content {
                    Content::Bytes(bytes) | Content::Whole(bytes) => {
                        Data::Bytes(bytes[from..from + len].into())
                    }
                    Content::Blank(_) => Data::Blank(narrow(len)),
                };
                let addr = stream.addr.0.wrapping_add(narrow(from));
                stream.taken += len as u64;
                if stream.taken == stream.content.len() {
                    self.queue.pop_front();
                }
                Frame { kind: Kind::Data, source, number: 0, addr, data }
            }
        };
        let frame = Frame { number: self.number, ..frame };
        self.number = self.number.wrapping_add(1);
        self.out.push_back(frame.clone());
        Some((frame, true))
    }
}
