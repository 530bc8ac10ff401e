// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two gateways that reflect frames of a near ring onto a far ring, of which one is active (P5, point 5).
//!
//! A near frame becomes a frame of the active gateway's stream on the far ring. The standby has its own store of near
//! frames, and a log of the frames of the stream that it has seen last. When the active board is dead, the standby goes
//! on with the stream, under the same source, so that receivers do not change.

use crate::repairs::ReflectRepairs;
use std::collections::VecDeque;

awgstar_sync::states! {
    /// State of a gateway that reflects frames.
    pub enum Reflecting, /// Cause of a transition.
    ReflectingCause, "gateway that reflects frames" {
        states {
            /// It keeps store and log.
            Passive "passive",
            /// Its mark is on the far ring.
            Marking "marking",
            Active "active",
        }
        causes {
            /// The other board is dead.
            Mark "other_dead": Passive => Marking;
            /// The mark has returned.
            Begin "mark_returned": Marking => Active;
            /// Without a mark.
            AtOnce "at_once": Passive => Active;
        }
    }
}

/// A frame of the near ring: its source there, and its number among the frames of that source, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Near {
    pub source: usize,
    pub number: u16,
}

/// A frame of the far ring: the stream, its number in it (`Packet_Cnt`) and the near frame in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reflected {
    /// The board whose MAC the frame has: 0 of the active gateway, 1 of the standby.
    pub stream: u8,
    pub number: u16,
    pub near: Near,
}

/// What a gateway sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Out {
    Frame(Reflected),
    Mark,
}

/// The state machine of a gateway that reflects frames.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reflector {
    state: Reflecting,
    repairs: ReflectRepairs,
    /// Frames that the log has room for, and so most that are open.
    window: usize,
    /// Near frames that were not seen on the far ring.
    store: VecDeque<Near>,
    /// Last number of each near source that was seen on the far ring.
    seen: Vec<u16>,
    /// Frames of the stream, the last ones: open ones of the active gateway, the log of the standby.
    log: VecDeque<Reflected>,
    /// The number of the next frame, and the stream.
    next: u16,
    stream: u8,
}

impl Reflector {
    /// A gateway of a ring with so many near sources; the second one is the standby.
    #[must_use]
    pub fn new(standby: bool, sources: usize, window: usize, repairs: ReflectRepairs) -> Reflector {
        Reflector {
            state: if standby { Reflecting::Passive } else { Reflecting::Active },
            repairs,
            window,
            store: VecDeque::new(),
            seen: vec![0; sources],
            log: VecDeque::new(),
            next: 1,
            stream: 0,
        }
    }

    #[must_use]
    pub fn state(&self) -> Reflecting {
        self.state
    }

    /// A frame of the near ring comes, after those of its source before it.
    pub fn near(&mut self, near: Near) {
        let stores = self.state == Reflecting::Active || self.repairs.has(ReflectRepairs::STORE);
        let new = self.seen.get(near.source).is_some_and(|seen| near.number > *seen);
        if stores && new {
            self.store.push_back(near);
        }
    }

    /// A frame of the stream passes on the far ring. As a receiver does, the standby takes them in order: false if it
    /// lacks the one before.
    pub fn passes(&mut self, frame: Reflected) -> bool {
        if self.state == Reflecting::Active || frame.number != self.next {
            return self.state == Reflecting::Active || frame.number < self.next;
        }
        self.next = frame.number + 1;
        self.log.push_back(frame);
        if self.log.len() > self.window {
            self.log.pop_front();
        }
        if let Some(seen) = self.seen.get_mut(frame.near.source) {
            *seen = frame.near.number.max(*seen);
        }
        self.store.retain(|near| *near != frame.near);
        true
    }

    /// The other board is dead.
    pub fn other_dead(&mut self) -> Option<Out> {
        if !self.repairs.has(ReflectRepairs::MARK) {
            if self.state.go(ReflectingCause::AtOnce) {
                self.begin();
            }
            return None;
        }
        self.state.go(ReflectingCause::Mark).then_some(Out::Mark)
    }

    /// The mark has returned: all frames of the other board have passed.
    pub fn mark_returned(&mut self) {
        if self.state.go(ReflectingCause::Begin) {
            self.begin();
        }
    }

    fn begin(&mut self) {
        if !self.repairs.has(ReflectRepairs::SAME_NUMBER) {
            let log = std::mem::take(&mut self.log);
            (self.stream, self.next) = (1, 1);
            for frame in log.into_iter().rev() {
                self.store.push_front(frame.near);
            }
        }
        if !self.repairs.has(ReflectRepairs::LOG) {
            self.log.clear();
        }
    }

    /// All frames of the stream that may have to be sent again.
    #[must_use]
    pub fn open(&self) -> &VecDeque<Reflected> {
        &self.log
    }

    /// Sends the next near frame, if there is one and room for it.
    pub fn send(&mut self) -> Option<Out> {
        let full = self.log.len() >= self.window && self.repairs.has(ReflectRepairs::WINDOW);
        if self.state != Reflecting::Active || full {
            return None;
        }
        let near = self.store.pop_front()?;
        let frame = Reflected { stream: self.stream, number: self.next, near };
        self.next += 1;
        self.log.push_back(frame);
        Some(Out::Frame(frame))
    }

    /// A frame has returned: all receivers have it, and those before it.
    pub fn returned(&mut self, frame: Reflected) {
        if self.state == Reflecting::Active && frame.stream == self.stream {
            self.log.retain(|open| open.number > frame.number);
        }
    }

    /// The gateway in a few words, for a run that is read.
    #[must_use]
    pub fn summary(&self) -> String {
        let numbers: Vec<u16> = self.log.iter().map(|frame| frame.number).collect();
        format!("{}, log {numbers:?}, store {}", self.state.name(), self.store.len())
    }
}
