// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host of a gateway: its firmware polls through the port of its board, word by word.

use super::common::{Common, Failure, Looks};
use super::look::Look;
use super::tap::{Store, Written};
use super::wire::{Receiver, Sender};
use crate::gateway::{Event, Gateway, Place};
use crate::interface::{About, Action, Message, Turn};
use crate::layout::Layout;
use crate::line::{Note, Says};
use crate::repairs::Repairs;
use crate::window::Window;
use crate::words::{RingNumber, Word};
use awgstar_frame::quantity::Cycle;
use awgstar_request::{Answer, Fence, Process, Request};
use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// What a link carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    Message(Message),
    /// The sender has begun again: all that it has not received yet is lost.
    Begin,
    /// The answer: what follows is meant for the gateway that has begun.
    Begun,
}

/// Both directions to a neighbour.
pub struct Link {
    to: Sender<Carried>,
    from: Receiver<Carried>,
    /// What comes was sent to this gateway before it has begun again.
    old: bool,
}

impl Link {
    #[must_use]
    pub fn new(to: Sender<Carried>, from: Receiver<Carried>) -> Link {
        Link { to, from, old: false }
    }

    fn send(
        &mut self,
        (common, to): (&Common, RingNumber),
        now: Cycle,
        words: u32,
        carried: Carried,
    ) {
        common.sent(to);
        self.to.send(now, words, carried);
    }
}

/// The host of a gateway.
pub struct GatewayHost {
    place: Place,
    links: BTreeMap<RingNumber, Link>,
    store: Store,
    /// How often all windows were asked for.
    fills: u64,
    /// Cycles after which open requests are sent again.
    timeout: Cycle,
    /// When the firmware begins again: all that it knew is lost.
    restarts: VecDeque<Cycle>,
    common: Common,
    gateway: Gateway,
    look: Look,
    /// What the firmware is about to take, when it has read what it lacks.
    event: Option<Event>,
    actions: VecDeque<Action>,
    /// When the timer of open requests runs out.
    until: Option<Cycle>,
    /// The board confirms what was written; it has.
    flushes: bool,
    flushed: bool,
    /// The last look found nothing to do.
    idle: bool,
}

fn writes(word: Word) -> bool {
    matches!(
        word,
        Word::Taken(..)
            | Word::Reply(..)
            | Word::Value(..)
            | Word::Release(_)
            | Word::Intent(..)
            | Word::IntentAddress(..)
            | Word::IntentAt(..)
            | Word::IntentData(..)
            | Word::Done(..)
            | Word::Result(..)
            | Word::Grant(..)
            | Word::Turn(..)
            | Word::Owner(..)
            | Word::Line(_)
            | Word::LineRing(_)
            | Word::LineAddress(_)
            | Word::Cached(..)
            | Word::Begun(_)
    )
}

impl GatewayHost {
    /// The only gateway of its ring, which begins with what is in the memory, and begins again at these cycles, which
    /// ascend.
    #[must_use]
    pub(super) fn new(
        place: Place,
        layout: Layout,
        (links, store): (BTreeMap<RingNumber, Link>, Store),
        (timeout, restarts): (Cycle, Vec<Cycle>),
        common: Common,
    ) -> GatewayHost {
        let gateway = Gateway::new(place.clone(), Repairs::ALL);
        GatewayHost {
            place,
            links,
            store,
            fills: 0,
            timeout,
            restarts: restarts.into(),
            common,
            gateway,
            look: Look::new(layout, writes),
            event: Some(Event::Start),
            actions: VecDeque::new(),
            until: None,
            flushes: false,
            flushed: false,
            idle: false,
        }
    }

    fn done(&mut self, answer: &Answer) -> Result<(), Failure> {
        if std::mem::take(&mut self.flushes) {
            answer.got.as_ref().map_err(|refused| Failure::Access(*refused))?;
            self.flushed = true;
        }
        self.look.accessed(answer).map(drop)
    }

    /// What the board is to do next.
    fn go_on(&mut self, now: Cycle) -> Result<Request, Failure> {
        loop {
            if let Some(request) = self.look.access()? {
                return Ok(request);
            }
            if self.look.store(&mut self.actions) {
                continue;
            }
            match self.actions.pop_front() {
                Some(Action::Flush) => {
                    self.flushes = true;
                    return Ok(Request::Fence(Fence::Confirmed));
                }
                Some(Action::Send(ring, message)) => self.send(now, ring, message),
                Some(Action::Fill) => {
                    self.fills += 1;
                    let own = self.place.windows.iter().filter(|one| one.ring == self.place.ring);
                    self.store.fill(own.map(Window::words), self.fills);
                }
                None if self.turn(now) => return Ok(Request::wait(Cycle(1))),
                _ => {}
            }
        }
    }

    fn send(&mut self, now: Cycle, ring: RingNumber, message: Message) {
        let words = message.words();
        self.common.count(|counts| {
            counts.messages += 1;
            counts.words += u64::from(words);
            match &message {
                Message::Reflected(block) => counts.reflected += block.values.len() as u64,
                Message::Turn(Turn { about: About::Given, .. }) => counts.turns += 1,
                Message::Note(Note { says: Says::Words(_, values), .. }) => {
                    counts.lines += u64::from(!values.is_empty());
                }
                Message::Note(Note { says: Says::Drop(..), .. }) => counts.drops += 1,
                _ => {}
            }
        });
        if let Some(link) = self.links.get_mut(&ring) {
            link.send((&self.common, ring), now, words, Carried::Message(message));
        }
    }

    /// The firmware begins again. The board stays as it is, and carries out what it has begun.
    fn restart(&mut self, now: Cycle) {
        self.gateway = Gateway::new(self.place.clone(), Repairs::ALL);
        self.look.forget();
        (self.event, self.until, self.flushed) = (Some(Event::Start), None, false);
        self.idle = false;
        self.common.count(|counts| counts.restarts += 1);
        self.actions.clear();
        for (&ring, link) in &mut self.links {
            link.old = true;
            link.send((&self.common, ring), now, 1, Carried::Begin);
        }
    }

    /// The event that is next.
    fn next_event(&mut self, now: Cycle) -> Event {
        if std::mem::take(&mut self.flushed) {
            return Event::Flushed;
        }
        if self.until.is_some_and(|until| until <= now) {
            self.until = None;
            return Event::Timer;
        }
        for (&ring, link) in &mut self.links {
            while let Some(carried) = link.from.take(now) {
                self.common.taken(self.place.ring);
                match carried {
                    Carried::Message(message) if !link.old => return Event::Message(ring, message),
                    Carried::Message(_) => self.common.count(|counts| counts.lost += 1),
                    Carried::Begin => {
                        link.send((&self.common, ring), now, 1, Carried::Begun);
                        return Event::Reset(ring);
                    }
                    Carried::Begun => link.old = false,
                }
            }
        }
        Event::Poll
    }

    /// A step of the firmware, if it knows what it reads; true if it has nothing to do.
    fn turn(&mut self, now: Cycle) -> bool {
        let event = self.event.take().unwrap_or_else(|| {
            self.look.turn();
            self.next_event(now)
        });
        let (mut gateway, mut actions) = (self.gateway.clone(), Vec::new());
        gateway.step(event.clone(), &self.look, &mut actions);
        if self.look.fetch() {
            self.event = Some(event);
            return false;
        }
        // What the ring has written before what the firmware has seen there goes out before what it says of that, and is
        // known when it says it.
        let (mut written, taken) = (Vec::new(), self.store.take());
        if taken.iter().any(|one| matches!(one, Written::Block(_))) {
            gateway = self.gateway.clone();
            for one in &taken {
                if let Written::Block(block) = one {
                    gateway.step(Event::Written(block.clone()), &self.look, &mut written);
                }
            }
            let known = gateway.clone();
            actions.clear();
            gateway.step(event.clone(), &self.look, &mut actions);
            if self.look.fetch() {
                self.store.put_back(taken);
                (self.gateway, self.event, self.actions) = (known, Some(event), written.into());
                return false;
            }
        }
        let anew = actions.contains(&Action::Fill);
        let recovered = event == Event::Start && actions.contains(&Action::Flush);
        for one in taken {
            if one == Written::Filled(self.fills) && !anew {
                gateway.step(Event::Filled, &self.look, &mut written);
            }
        }
        written.append(&mut actions);
        let actions = written;
        let idle = event == Event::Poll && actions.is_empty();
        if recovered {
            self.common.count(|counts| counts.recovered += 1);
        }
        self.idle = idle && gateway == self.gateway;
        // With a timer a round ends when it has run out.
        let round = event == Event::Timer || idle && self.until.is_none();
        self.gateway = gateway;
        self.actions = actions.into();
        self.until = match self.until {
            _ if !self.gateway.waits() => None,
            None => Some(now.saturating_add(self.timeout)),
            until => until,
        };
        let mut hasher = DefaultHasher::new();
        self.gateway.hash(&mut hasher);
        let (state, polls) = (hasher.finish(), self.polls());
        self.common.look(self.place.ring, |looks| {
            *looks = Looks { rounds: looks.rounds + u64::from(round), state, polls };
        });
        idle
    }
}

impl Process for GatewayHost {
    fn next(&mut self, answer: &Answer) -> Request {
        let (done, now) = (self.done(answer), answer.now.cycle());
        if self.restarts.front().is_some_and(|at| *at <= now) {
            self.restarts.pop_front();
            self.restart(now);
        }
        done.and_then(|()| self.go_on(now)).unwrap_or_else(|failure| {
            self.common.fail(self.place.ring, failure);
            Request::End
        })
    }

    fn polls(&self) -> bool {
        // What is on its way counts where all rings meet: until then a message of a ring on another thread may be there or
        // not.
        self.idle && self.restarts.is_empty() && self.store.is_empty()
    }
}
