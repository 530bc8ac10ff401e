// SPDX-License-Identifier: MIT OR Apache-2.0
//! A part of the engine as a state machine of the firmware: each event goes to its ports, and it runs
//! until it rests. What it does meanwhile are the actions.

use awgstar::contract::Order;
use awgstar::firmware::{Action, Event, Firmware, Message, Timer};
use std::fmt::Debug;
use std::hash::Hash;

/// Cycles after which a part that does not rest hangs.
const LIMIT: usize = 200;

/// What goes to the ports of a part in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Feed {
    /// A message, until it is taken.
    pub(crate) message: Option<Message>,
    /// A call of the process, until it is done.
    pub(crate) call: Option<Event>,
    /// A period of the timers is over.
    pub(crate) tick: bool,
    /// The signal has returned.
    pub(crate) done: bool,
}

/// What is seen at its ports in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// The message is done with.
    pub(crate) message: bool,
    /// The call is done with.
    pub(crate) call: bool,
    /// A signal is on offer.
    pub(crate) out: Option<(Message, Order)>,
    /// The process goes on.
    pub(crate) event: Option<Action>,
}

/// A part of the engine with one lock or barrier in use.
pub(crate) trait Part: Clone + Debug + Eq + Hash {
    /// The timer of a process that waits.
    const TIMER: Timer;

    /// One cycle.
    fn cycle(&mut self, feed: &Feed) -> Seen;
    /// Nothing happens any more without something at the ports.
    fn rests(&self) -> bool;
    /// The process waits: its timer runs.
    fn waits(&self) -> bool;
    /// Sets what counts no more to 0: states that differ in it only are one.
    fn forget(&mut self);
    /// The state in words.
    fn words(&self) -> String;
}

/// A part as a state machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Adapter<P> {
    pub(crate) part: P,
    /// The signal on offer or under way.
    flying: Option<Message>,
}

impl<P: Part> Adapter<P> {
    /// A part that is ready.
    pub(crate) fn new(part: P) -> Self {
        Adapter { part, flying: None }
    }

    fn run(&mut self, mut feed: Feed, out: &mut Vec<Action>) {
        for _ in 0..LIMIT {
            let seen = self.part.cycle(&feed);
            (feed.tick, feed.done) = (false, false);
            if seen.message {
                feed.message = None;
            }
            if seen.call {
                feed.call = None;
            }
            if let Some(action) = seen.event {
                out.extend([Action::Stop(P::TIMER), action]);
            }
            if let Some((message, order)) = seen.out
                && self.flying.is_none()
            {
                self.flying = Some(message);
                out.push(Action::Send(message, order));
            }
            if self.part.rests() && feed.message.is_none() && feed.call.is_none() {
                self.part.forget();
                return;
            }
        }
        panic!("it does not come to rest: {self:?}");
    }
}

impl<P: Part> Firmware for Adapter<P> {
    fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        let none = Feed::default();
        match event {
            Event::Signal(message) => self.run(Feed { message: Some(message), ..none }, out),
            Event::Acquire | Event::Release | Event::Arrive => {
                let waited = self.part.waits();
                self.run(Feed { call: Some(event), ..none }, out);
                if !waited && self.part.waits() {
                    out.push(Action::Start(P::TIMER));
                }
            }
            Event::Returned(message) => {
                if self.flying == Some(message) {
                    self.flying = None;
                    self.run(Feed { done: true, ..none }, out);
                }
            }
            Event::Timer(timer) if timer == P::TIMER && self.part.waits() => {
                // The first tick makes it old, the second one fires it.
                self.part.cycle(&Feed { tick: true, ..none });
                self.run(Feed { tick: true, ..none }, out);
                out.push(Action::Start(P::TIMER));
            }
            Event::Timer(_) => {}
        }
    }

    fn summary(&self) -> String {
        let flying = if self.flying.is_some() { ", one on the ring" } else { "" };
        format!("{}{flying}", self.part.words())
    }
}

/// Some nodes with an engine, the others with firmware.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Either<P, F> {
    Engine(Adapter<P>),
    Firmware(F),
}

impl<P: Part, F: Firmware> Firmware for Either<P, F> {
    fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        match self {
            Either::Engine(one) => one.step(event, out),
            Either::Firmware(one) => one.step(event, out),
        }
    }

    fn summary(&self) -> String {
        match self {
            Either::Engine(one) => one.summary(),
            Either::Firmware(one) => one.summary(),
        }
    }
}
