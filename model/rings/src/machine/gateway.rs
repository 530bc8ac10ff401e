// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host of a gateway: its firmware polls through the port of its board, word by word.

use super::look::{Look, frames, read, write};
use super::wire::{Receiver, Sender};
use super::{Common, Failure};
use crate::gateway::{Event, Gateway, Place};
use crate::interface::{Action, Frame, Message};
use crate::layout::Layout;
use crate::repairs::Repairs;
use crate::words::{RingNumber, Word};
use awgstar_frame::quantity::Cycle;
use awgstar_request::{Answer, Fence, Process, Request};
use std::collections::{BTreeMap, VecDeque};

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
}

/// What the board does for the firmware.
#[derive(Debug)]
enum Job {
    Read(Word),
    Write(Frame),
    Flush,
    Pause,
}

/// The host of a gateway.
pub struct GatewayHost {
    place: Place,
    layout: Layout,
    links: BTreeMap<RingNumber, Link>,
    /// Cycles after which open requests are sent again.
    timeout: Cycle,
    /// When the firmware begins again: all that it knew is lost.
    restarts: VecDeque<Cycle>,
    common: Common,
    gateway: Gateway,
    look: Look,
    job: Option<Job>,
    /// What the firmware is about to take, with the words that it has to read first.
    event: Option<Event>,
    lacks: VecDeque<Word>,
    actions: VecDeque<Action>,
    frames: VecDeque<Frame>,
    /// When the timer of open requests runs out.
    until: Option<Cycle>,
    flushed: bool,
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
    )
}

impl GatewayHost {
    /// The only gateway of its ring, which begins with what is in the memory.
    #[must_use]
    pub fn new(
        place: Place,
        layout: Layout,
        links: BTreeMap<RingNumber, Link>,
        (timeout, restarts): (Cycle, &[Cycle]),
        common: Common,
    ) -> GatewayHost {
        let gateway = Gateway::new(place.clone(), Repairs::ALL);
        GatewayHost {
            place,
            layout,
            links,
            timeout,
            restarts: restarts.iter().copied().collect(),
            common,
            gateway,
            look: Look::new(writes),
            job: None,
            event: Some(Event::Start),
            lacks: VecDeque::new(),
            actions: VecDeque::new(),
            frames: VecDeque::new(),
            until: None,
            flushed: false,
        }
    }

    fn done(&mut self, answer: &Answer) -> Result<(), Failure> {
        let Some(job) = self.job.take() else { return Ok(()) };
        answer.got.as_ref().map_err(|refused| Failure::Access(*refused))?;
        match job {
            Job::Read(word) => self.look.read(word, answer.word()),
            Job::Write(frame) => self.look.wrote(&frame),
            Job::Flush => self.flushed = true,
            Job::Pause => {}
        }
        Ok(())
    }

    fn ask(&mut self, job: Job, request: Request) -> Request {
        self.job = Some(job);
        request
    }

    /// What the board is to do next.
    fn go_on(&mut self, now: Cycle) -> Result<Request, Failure> {
        loop {
            if let Some(word) = self.lacks.pop_front() {
                let address = self.layout.address(word)?;
                return Ok(self.ask(Job::Read(word), read(address)));
            }
            if let Some((request, frame)) = write(&mut self.frames, &self.layout) {
                return Ok(self.ask(Job::Write(frame), request));
            }
            if let Some(frames) = frames(&mut self.actions) {
                self.frames = frames;
                continue;
            }
            match self.actions.pop_front() {
                Some(Action::Flush) => {
                    return Ok(self.ask(Job::Flush, Request::Fence(Fence::Confirmed)));
                }
                Some(Action::Send(ring, message)) => self.send(now, ring, message),
                Some(_) => {}
                None => {
                    if self.turn(now) {
                        return Ok(self.ask(Job::Pause, Request::wait(Cycle(1))));
                    }
                }
            }
        }
    }

    fn send(&mut self, now: Cycle, ring: RingNumber, message: Message) {
        let words = message.words();
        self.common.count(|counts| {
            counts.messages += 1;
            counts.words += u64::from(words);
        });
        if let Some(link) = self.links.get_mut(&ring) {
            link.to.send(now, words, Carried::Message(message));
        }
    }

    /// The firmware begins again. The board stays as it is, and carries out what it was told.
    fn restart(&mut self, now: Cycle) {
        self.gateway = Gateway::new(self.place.clone(), Repairs::ALL);
        self.look.forget();
        (self.event, self.until, self.flushed) = (Some(Event::Start), None, false);
        self.lacks.clear();
        self.common.count(|counts| counts.restarts += 1);
        self.actions.clear();
        self.frames.clear();
        for link in self.links.values_mut() {
            link.old = true;
            link.to.send(now, 1, Carried::Begin);
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
                match carried {
                    Carried::Message(message) if !link.old => return Event::Message(ring, message),
                    Carried::Message(_) => self.common.count(|counts| counts.lost += 1),
                    Carried::Begin => {
                        link.to.send(now, 1, Carried::Begun);
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
        self.lacks = self.look.lacked();
        if !self.lacks.is_empty() {
            self.event = Some(event);
            return false;
        }
        let idle = event == Event::Poll && actions.is_empty();
        if event == Event::Start && !actions.is_empty() {
            self.common.count(|counts| counts.recovered += 1);
        }
        self.gateway = gateway;
        self.actions = actions.into();
        self.until = match self.until {
            _ if !self.gateway.waits() => None,
            None => Some(now + self.timeout),
            until => until,
        };
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
}
