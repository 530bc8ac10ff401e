// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process at its end of a channel: steps 1 and 10 of section 4.1 of paper 004.

use crate::cache::near::Tag;
use crate::interface::{Action, Frame, Memory, Order, number_of};
use crate::line::{Cache, Part};
use crate::repairs::{CacheRepairs, RequestRepairs};
use crate::turns::{grant, next_call, want};
use crate::words::{Codes, Head, Operation, RingNumber, Slot, Status, Word, older};
use awgstar_frame::quantity::{ByteAddress, NodeId};
use std::collections::BTreeMap;
use thiserror::Error;

awgstar_sync::states! {
    /// State of a client.
    pub enum Caller, /// Cause of a transition.
    CallerCause, "client" {
        states {
            Running "running",
            /// The client looks for the words in the memory of its ring.
            Looking "looking",
            /// The client waits for the reply to a request.
            Asking "asking",
            /// The client waits at the barrier.
            Met "met",
            /// The client waits for a lock of all rings.
            Wanting "wanting",
        }
        causes {
            Look "look": Running => Looking;
            Hit "hit": Looking => Running;
            Ask "ask": Running => Asking, Looking => Asking;
            Reply "reply": Asking => Running;
            Arrive "arrive": Running => Met;
            Release "release": Met => Running;
            Want "want": Running => Wanting;
            Grant "grant": Wanting => Running;
        }
    }
}

/// A call of the process; each waits until it is done (paper 004, section 4.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// So many words from this address of a ring are read.
    Get(RingNumber, ByteAddress, u16),
    /// These words are stored.
    Put(RingNumber, ByteAddress, Vec<u32>),
    /// The barrier of all rings.
    Meet,
    /// The lock of all rings with this number.
    Lock(u16),
    /// It is given up, which is done at once.
    GiveUp(u16),
}

/// A call that is refused; nothing has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    #[error("client: it calls while it waits; expected one call at a time")]
    Nested,
    #[error("{0}")]
    Codes(#[from] Codes),
    #[error("address {0}: expected a multiple of 4")]
    Address(ByteAddress),
    #[error("lock {0}: held by the client; expected one that is not")]
    Held(u16),
    #[error("lock {0}: the client does not have it")]
    NotHeld(u16),
}

impl From<Refused> for awgstar_request::Refused {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Held(lock) | Refused::NotHeld(lock) => Self::Holding(lock.into()),
            // An address within a word; a process makes one call at a time.
            Refused::Nested | Refused::Codes(_) | Refused::Address(_) => Self::Bus,
        }
    }
}

/// A read that looks for its lines, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Looked {
    ring: RingNumber,
    address: ByteAddress,
    parts: Vec<Part>,
    /// The line that it looks at, and the number that it has found there.
    at: usize,
    number: Option<u32>,
    /// Words of the lines before, and those of this one when they are read.
    values: Vec<u32>,
    read: bool,
}

/// A client's state machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Client {
    me: NodeId,
    gateways: u8,
    repairs: RequestRepairs,
    state: Caller,
    number: u16,
    episode: u16,
    length: u16,
    /// The lock that it has asked for last.
    lock: u16,
    /// Its calls of locks, without 0 after the first.
    count: u16,
    /// The number of the last call of each lock, and whether it was given up since.
    locks: BTreeMap<u16, (u16, bool)>,
    /// The number of the last request to each ring.
    last: BTreeMap<RingNumber, u16>,
    cache: Option<(Cache, CacheRepairs)>,
    looked: Option<Looked>,
}

impl Client {
    /// A client of a ring with so many gateways.
    #[must_use]
    pub const fn new(me: NodeId, gateways: u8, repairs: RequestRepairs) -> Client {
        let state = Caller::Running;
        let (number, episode, length, lock, count) = (0, 0, 0, 0, 0);
        let locks = BTreeMap::new();
        Client {
            me,
            gateways,
            repairs,
            state,
            number,
            episode,
            length,
            lock,
            count,
            locks,
            last: BTreeMap::new(),
            cache: None,
            looked: None,
        }
    }

    /// The same, which looks for words of other rings in its ring's cache first.
    #[must_use]
    pub fn with_cache(self, cache: Cache, repairs: CacheRepairs) -> Client {
        Client { cache: Some((cache, repairs)), ..self }
    }

    /// Handles a call and appends the resulting actions.
    ///
    /// # Errors
    /// [`Refused`] for a call that no channel has room for, and for one while another waits.
    pub fn call(&mut self, call: &Call, actions: &mut Vec<Action>) -> Result<(), Refused> {
        if self.state != Caller::Running {
            return Err(Refused::Nested);
        }
        let (ring, address, operation, length, data) = match call {
            Call::Get(ring, address, length) => (*ring, *address, Operation::Get, *length, &[][..]),
            Call::Put(ring, address, data) => {
                let length = u16::try_from(data.len()).map_err(|_| Codes::Length(u16::MAX))?;
                (*ring, *address, Operation::Put, length, &data[..])
            }
            Call::Meet => {
                self.state.go(CallerCause::Arrive);
                self.episode = self.episode.wrapping_add(1);
                actions.push(self.arrival());
                return Ok(());
            }
            Call::Lock(lock) => return self.lock(*lock, actions),
            Call::GiveUp(lock) => return self.unlock(*lock, actions),
        };
        if !address.is_aligned() {
            return Err(Refused::Address(address));
        }
        if let (Some((cache, _)), Operation::Get) = (self.cache, operation)
            && let Some(parts) = cache.parts(address, length).filter(|parts| !parts.is_empty())
        {
            // A length that no request has room for is refused now.
            Head { number: 0, operation, length }.word()?;
            let (at, number, values, read) = (0, None, Vec::new(), false);
            self.looked = Some(Looked { ring, address, parts, at, number, values, read });
            self.length = length;
            self.state.go(CallerCause::Look);
            return Ok(());
        }
        self.ask((ring, address), (operation, length), data, actions)
    }

    /// The request goes into the channel.
    fn ask(
        &mut self,
        (ring, address): (RingNumber, ByteAddress),
        (operation, length): (Operation, u16),
        data: &[u32],
        actions: &mut Vec<Action>,
    ) -> Result<(), Refused> {
        let mut next = self.number.wrapping_add(1);
        // After so many requests to other rings the number would be an old one there.
        if let Some(&last) = self.last.get(&ring)
            && (next == last || older(next, last))
        {
            next = last.wrapping_add(1);
        }
        let request = Head { number: next, operation, length }.word()?;
        self.state.go(CallerCause::Ask);
        self.number = next;
        self.last.insert(ring, next);
        self.length = if operation == Operation::Get { length } else { 0 };
        let mut words: Frame =
            vec![(Word::Target(self.me), ring.0.into()), (Word::Address(self.me), address.0)];
        words.extend(data.iter().zip(0..).map(|(value, at)| (Word::Data(self.me, at), *value)));
        let mut frames = [words, vec![(Word::Request(self.me), request)]];
        if !self.repairs.has(RequestRepairs::NUMBER_LAST) {
            frames.reverse();
        }
        actions.extend(frames.map(|frame| Action::Store(frame, Order::After)));
        Ok(())
    }

    fn lock(&mut self, lock: u16, actions: &mut Vec<Action>) -> Result<(), Refused> {
        let (call, has) = self.locks.entry(lock).or_default();
        if *has {
            return Err(Refused::Held(lock));
        }
        (*call, *has) = (call.wrapping_add(1), true);
        let wants = want(*call, true);
        self.state.go(CallerCause::Want);
        self.calls(lock, wants, actions);
        Ok(())
    }

    fn unlock(&mut self, lock: u16, actions: &mut Vec<Action>) -> Result<(), Refused> {
        let (call, has) = self.locks.entry(lock).or_default();
        if !std::mem::take(has) {
            return Err(Refused::NotHeld(lock));
        }
        let wants = want(*call, false);
        self.calls(lock, wants, actions);
        Ok(())
    }

    /// What it wants, and then that it has called: the gateway looks at that word alone.
    fn calls(&mut self, lock: u16, wants: u32, actions: &mut Vec<Action>) {
        (self.lock, self.count) = (lock, next_call(self.count));
        let word = (Word::Want(self.me, lock), wants);
        actions.extend([Action::Store(vec![word], Order::After), self.arrival()]);
    }

    fn arrival(&self) -> Action {
        let (episode, count) = (u32::from(self.episode), u32::from(self.count));
        let word = episode << 16 | count << 8 | u32::from(self.lock);
        Action::Store(vec![(Word::Arrival(self.me), word)], Order::After)
    }

    /// The next look of a read: at the number of a line, at its words, at the number once more. Frames may come between
    /// two looks.
    fn look(&mut self, memory: &impl Memory, actions: &mut Vec<Action>) {
        let (Some(looked), Some((cache, repairs))) = (&mut self.looked, self.cache) else { return };
        let part = looked.parts[looked.at];
        let place = cache.place(looked.ring, part.line);
        let Some(number) = looked.number else {
            let tag = Tag::of(memory, place);
            if tag.is(looked.ring, part.line) {
                looked.number = Some(tag.number);
            } else {
                self.miss(actions);
            }
            return;
        };
        if !looked.read {
            let words = (part.first..part.first + part.words).map(|at| Word::Cached(place, at));
            looked.values.extend(words.map(|word| memory.word(word)));
            looked.read = true;
            if repairs.has(CacheRepairs::LOOKED_AGAIN) {
                return;
            }
        } else if memory.word(Word::Line(place)) != number {
            self.miss(actions);
            return;
        }
        (looked.at, looked.number, looked.read) = (looked.at + 1, None, false);
        if looked.at == looked.parts.len() {
            let values = std::mem::take(&mut looked.values);
            self.looked = None;
            self.state.go(CallerCause::Hit);
            actions.push(Action::Done(Status::Good, values));
        }
    }

    /// Words that are not here are asked for.
    fn miss(&mut self, actions: &mut Vec<Action>) {
        let Some(Looked { ring, address, .. }) = self.looked.take() else { return };
        let length = self.length;
        // A length that is none was refused at the call.
        let _ = self.ask((ring, address), (Operation::Get, length), &[], actions);
    }

    /// Looks at the words of the gateways.
    pub fn poll(&mut self, memory: &impl Memory, actions: &mut Vec<Action>) {
        let mut slots = (0..self.gateways).map(Slot);
        match self.state {
            Caller::Running => {}
            Caller::Looking => self.look(memory, actions),
            Caller::Asking => {
                let replied =
                    |slot: &Slot| number_of(memory, Word::Reply(*slot, self.me)) == self.number;
                let Some(slot) = slots.find(replied) else { return };
                let value = |at| memory.word(Word::Value(slot, self.me, at));
                // A word that means nothing is not a reply.
                let Ok(status) = Status::of(memory.word(Word::Reply(slot, self.me))) else {
                    return;
                };
                let length = if status == Status::Good { self.length } else { 0 };
                self.state.go(CallerCause::Reply);
                actions.push(Action::Done(status, (0..length).map(value).collect()));
            }
            Caller::Wanting => {
                let call = self.locks.get(&self.lock).map_or(0, |lock| lock.0);
                let mine = grant(call, self.me);
                if slots.any(|slot| memory.word(Word::Grant(slot, self.lock)) == mine) {
                    self.state.go(CallerCause::Grant);
                    actions.push(Action::Passed);
                }
            }
            Caller::Met => {
                // No gateway releases an episode before its clients have arrived in it.
                let released = |slot| number_of(memory, Word::Release(slot)) == self.episode;
                if slots.any(released) {
                    self.state.go(CallerCause::Release);
                    actions.push(Action::Passed);
                }
            }
        }
    }

    /// It waits for nothing.
    #[must_use]
    pub fn runs(&self) -> bool {
        self.state == Caller::Running
    }

    /// The client looks for words in the memory of its ring.
    #[must_use]
    pub fn looks(&self) -> bool {
        self.state == Caller::Looking
    }

    /// The client in a few words, for a run that is read.
    #[must_use]
    pub fn summary(&self) -> String {
        format!("{} #{}", self.state.name(), self.number)
    }

    /// The number of the last episode of the barrier in which the client has arrived.
    #[must_use]
    pub fn episode(&self) -> usize {
        self.episode.into()
    }
}
