// SPDX-License-Identifier: MIT OR Apache-2.0
//! The request handler of a gateway (paper 004, section 4.1): it polls the channels, then the sockets, then carries out
//! what others have asked for, one thing after the other.

use super::memory::View;
use super::parts::{GATEWAY, Work, ring_index};
use super::settings::{Sends, Settings};
use super::system::{Clusters, Event};
use crate::gateway::Event as Step;
use crate::interface::{Action, Frame, Message};
use crate::turns::granted;
use crate::words::{Operation, RingNumber, Word};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_sync::firmware::onesided::End;
use awgstar_sync::record::{Happened, Serving};
use std::mem;

/// Where a frame goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    /// A record of the gateway's own.
    Record,
    Channel,
    Client(NodeId),
    Memory(ByteAddress),
}

fn to(frame: &Frame) -> To {
    match frame.first() {
        Some((Word::Reply(..) | Word::Release(_) | Word::Grant(..), _)) => To::Channel,
        Some((Word::Value(_, client, _), _)) => To::Client(*client),
        Some((Word::Memory(at), _)) => To::Memory(*at),
        _ => To::Record,
    }
}

/// Bytes of data that a message carries; what says whose they are is in the time of any message.
fn data(message: &Message) -> usize {
    let words = match message {
        Message::Requests(all) => all.iter().map(|one| one.data.len()).sum(),
        Message::Answer(answer) => answer.values.len(),
        Message::Arrived(_) | Message::Released(_) | Message::Whole | Message::Turn(_) => 0,
        Message::Reflected(block) => block.values.len(),
        Message::Note(note) => note.words(),
    };
    4 * words
}

/// A message in a few words.
fn short(message: &Message) -> String {
    match message {
        Message::Requests(all) if all.len() == 1 => "a request".into(),
        Message::Requests(all) => format!("{} requests", all.len()),
        Message::Answer(answer) => format!("answer to #{} of {}", answer.number, answer.to),
        _ => message.to_string(),
    }
}

impl Clusters {
    /// The gateways begin: before the first event they have sent each other that none has arrived at the barrier.
    pub(super) fn begin_gateways(&mut self) {
        let mut sent: Vec<(RingNumber, RingNumber, Message)> = Vec::new();
        let mut step = Step::Start;
        loop {
            for ring in self.settings.rings() {
                self.step(ring, step.clone());
                let actions = self.sides[ring_index(ring)].handler.actions.drain(..);
                sent.extend(actions.filter_map(|action| match action {
                    Action::Send(to, message) => Some((to, ring, message)),
                    _ => None,
                }));
            }
            if step == Step::Poll && sent.is_empty() {
                return;
            }
            step = Step::Poll;
            for (to, from, message) in mem::take(&mut sent) {
                self.step(to, Step::Message(from, message));
            }
        }
    }

    /// There is something for a handler to do.
    pub(super) fn call(&mut self, ring: RingNumber) {
        let handler = &mut self.sides[ring_index(ring)].handler;
        if handler.work.is_none() && !mem::replace(&mut handler.called, true) {
            // What comes at the same moment is there when the turn begins.
            self.later(Nanoseconds(0), Event::Turn(ring));
        }
    }

    /// What a handler did has come to its end.
    pub(super) fn worked(&mut self, ring: RingNumber) {
        let Some(work) = self.sides[ring_index(ring)].handler.work.take() else { return };
        self.finish(ring, work);
        self.turn(ring);
    }

    /// A handler does what takes no time, and begins what does.
    pub(super) fn turn(&mut self, ring: RingNumber) {
        self.sides[ring_index(ring)].handler.called = false;
        while let Some((work, until)) = self.next_work(ring) {
            let now = self.queue.now();
            if until > now {
                self.sides[ring_index(ring)].handler.work = Some(work);
                self.serves(ring, Serving::Serves);
                self.later(until.saturating_sub(now), Event::Worked(ring));
                return;
            }
            self.finish(ring, work);
        }
        self.serves(ring, Serving::Sleeps);
    }

    /// What a handler does next, and until when; `None` if there is nothing.
    fn next_work(&mut self, ring: RingNumber) -> Option<(Work, Nanoseconds)> {
        let (now, costs) = (self.queue.now(), self.settings.costs);
        loop {
            let side = &mut self.sides[ring_index(ring)];
            let handler = &mut side.handler;
            if let Some(action) = handler.actions.pop_front() {
                match action {
                    Action::Store(frame, _) => return Some(self.store_from(ring, frame)),
                    Action::Send(to, message) => {
                        let left = side.cards.send(&costs, data(&message), now);
                        if self.settings.sends == Sends::InTurn {
                            return Some((Work::Send(to, message), left));
                        }
                        self.send(ring, to, message, left);
                    }
                    // A one-sided write that is done is in place.
                    Action::Flush => self.step(ring, Step::Flushed),
                    // There are no windows here.
                    Action::Done(..) | Action::Passed | Action::Fill => {}
                }
                continue;
            }
            if !handler.channels.is_empty() {
                let frames = mem::take(&mut handler.channels);
                let each = costs.local.saturating_add(costs.handling);
                let all = Nanoseconds(each.0.saturating_mul(frames.len() as u64));
                return Some((Work::Channels(frames), now.saturating_add(all)));
            }
            if let Some((from, message)) = handler.sockets.pop_front() {
                // Requests of a group are handled when they are carried out.
                let grouped = matches!(message, Message::Requests(_));
                let time = if grouped { Nanoseconds(0) } else { costs.handling };
                return Some((Work::Message(from, message), now.saturating_add(time)));
            }
            if !handler.news {
                return None;
            }
            if let Some(until) = self.poll(ring) {
                return Some((Work::Home, until));
            }
        }
    }

    /// The gateway looks at what it has; gives the moment when it has read what a request for its cluster needs, if it
    /// begins one.
    fn poll(&mut self, ring: RingNumber) -> Option<Nanoseconds> {
        let (now, costs) = (self.queue.now(), self.settings.costs);
        let side = &mut self.sides[ring_index(ring)];
        let (view, mut actions) = (View::new(&side.shared, false), Vec::new());
        let waiting = side.handler.gateway.waiting();
        if waiting == 0 {
            side.handler.gateway.step(Step::Poll, &view, &mut actions);
        } else {
            let mut tried = side.handler.gateway.clone();
            tried.step(Step::Poll, &view, &mut actions);
            if tried.waiting() < waiting {
                let from = now.saturating_add(costs.handling);
                // A request beyond the memory is refused before it is read.
                let lacks = view.lacks().and_then(|(at, len)| side.shared.parts(at, len).ok());
                let parts = lacks.unwrap_or_default();
                let own = parts.iter().any(|part| part.0 == GATEWAY);
                let from = if own { from.saturating_add(costs.local) } else { from };
                return Some(side.cards.access(&costs, (GATEWAY, Operation::Get), &parts, from));
            }
            side.handler.gateway = tried;
        }
        side.handler.news = !actions.is_empty();
        side.handler.actions.extend(actions);
        None
    }

    /// A step of a gateway whose memory is there.
    fn step(&mut self, ring: RingNumber, step: Step) {
        let side = &mut self.sides[ring_index(ring)];
        let (view, mut actions) = (View::new(&side.shared, true), Vec::new());
        side.handler.gateway.step(step, &view, &mut actions);
        side.handler.actions.extend(actions);
        side.handler.news = true;
    }

    /// What a gateway stores, and when it is done.
    fn store_from(&mut self, ring: RingNumber, frame: Frame) -> (Work, Nanoseconds) {
        let (now, costs) = (self.queue.now(), self.settings.costs);
        let side = &mut self.sides[ring_index(ring)];
        let frame = side.handler.block(frame);
        let parts = match to(&frame) {
            To::Record => return (Work::Store(frame), now),
            To::Channel => vec![(GATEWAY, 4)],
            To::Client(client) => vec![(client, 4 * frame.len())],
            // The gateway has checked the range.
            To::Memory(at) => side.shared.parts(at, 4 * frame.len()).unwrap_or_default(),
        };
        let own = parts.iter().any(|part| part.0 == GATEWAY);
        let from = if own { now.saturating_add(costs.local) } else { now };
        let until = side.cards.access(&costs, (GATEWAY, Operation::Put), &parts, from);
        (Work::Store(frame), until)
    }

    fn send(&mut self, from: RingNumber, to: RingNumber, message: Message, left: Nanoseconds) {
        self.counts.messages += 1;
        self.counts.words += u64::from(message.words());
        let arrives = left.saturating_add(self.settings.costs.tcp);
        let server = |settings: &Settings, ring| {
            End::Server(NodeId::at(ring_index(ring) * settings.processes))
        };
        self.note(|settings| {
            let text = short(&message);
            Happened::Message {
                from: server(settings, from),
                to: server(settings, to),
                arrives,
                text,
            }
        });
        let after = arrives.saturating_sub(self.queue.now());
        self.later(after, Event::Message { to, from, message });
    }

    fn finish(&mut self, ring: RingNumber, work: Work) {
        match work {
            Work::Channels(frames) => {
                let side = &mut self.sides[ring_index(ring)];
                for (word, value) in frames.into_iter().flatten() {
                    side.shared.put(word, value);
                }
                side.handler.news = true;
            }
            Work::Message(from, message) => self.step(ring, Step::Message(from, message)),
            Work::Home => self.step(ring, Step::Poll),
            Work::Send(to, message) => {
                let now = self.queue.now();
                self.send(ring, to, message, now);
            }
            Work::Store(frame) => self.stored(ring, frame),
        }
    }

    /// A frame of a gateway is in the memory; those who wait for it look.
    fn stored(&mut self, ring: RingNumber, frame: Frame) {
        let side = &mut self.sides[ring_index(ring)];
        let (place, first) = (to(&frame), frame.first().copied());
        for (word, value) in frame {
            side.shared.put(word, value);
        }
        match (place, first) {
            (To::Memory(_), _) => self.changed(ring),
            (To::Channel, Some((Word::Reply(_, client), _))) => self.look_later(ring, client),
            (To::Channel, Some((Word::Grant(..), word))) => self.look_later(ring, granted(word)),
            (To::Channel, _) => {
                for client in self.settings.clients() {
                    self.look_later(ring, client);
                }
            }
            _ => {}
        }
    }

    /// A client that waits reads its channel (step 8).
    fn look_later(&mut self, ring: RingNumber, client: NodeId) {
        let (now, costs) = (self.queue.now(), self.settings.costs);
        let side = &mut self.sides[ring_index(ring)];
        let done = side.cards.access(&costs, (client, Operation::Get), &[(GATEWAY, 4)], now);
        self.later(done.saturating_sub(now), Event::Look(ring, client));
    }
}
