// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host of a gateway: its firmware polls through the port of its board, word by word.

use super::common::{Common, Failure, Looks};
use super::look::Look;
use super::tap::{Store, Written};
use super::wire::{Receiver, Sender};
use crate::gateway::{Event, Gateway, Place};
use crate::interface::{About, Action, Message, Order, Turn};
use crate::layout::Layout;
use crate::line::{Note, Says};
use crate::repairs::Repairs;
use crate::window::Window;
use crate::words::{RingNumber, Slot, Word};
use awgstar_frame::quantity::Cycle;
use awgstar_request::{Answer, Fence, Process, Request};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// What a link carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    Message(Message),
    /// The sender has begun again: all that it has not received yet is lost.
    Begin,
    /// The answer: what follows is meant for the gateway that has begun. The one that answers is the active one of its
    /// ring, or not.
    Begun(bool),
    /// No light comes any more: the board of the sender is dead.
    Dark,
}

/// The switch that bridges the board of a gateway when it is dead.
pub(super) struct Bridge {
    /// Links of the gateway, which are dark then.
    pub(super) lights: Vec<((RingNumber, Slot), Sender<Carried>)>,
    /// The store of the standby, which gets a message.
    pub(super) standby: Option<Store>,
    pub(super) common: Common,
}

impl Bridge {
    pub(super) fn dies(self, now: Cycle) {
        for (to, mut light) in self.lights {
            self.common.sent(to);
            light.send(now, 0, Carried::Dark);
        }
        self.common.count(|counts| counts.deaths += 1);
        if let Some(standby) = self.standby {
            standby.bridged();
        }
    }
}

/// What a gateway does for its ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Active,
    /// The other gateway is active.
    Passive,
    /// The board of the other gateway is dead, and its frames may still be on the ring: before a frame that is sent now
    /// has returned, they have passed all boards.
    Marks,
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
        (common, to): (&Common, (RingNumber, Slot)),
        now: Cycle,
        words: u32,
        carried: Carried,
    ) {
        common.sent(to);
        self.to.send(now, words, carried);
    }
}

/// What runs on the host of a gateway.
pub(super) struct Firmware {
    pub(super) place: Place,
    pub(super) repairs: Repairs,
    /// Cycles after which open requests are sent again.
    pub(super) timeout: Cycle,
    /// When the firmware begins again: all that it knew is lost. They ascend.
    pub(super) restarts: VecDeque<Cycle>,
}

/// The host of a gateway.
pub struct GatewayHost {
    firmware: Firmware,
    part: Part,
    links: BTreeMap<(RingNumber, Slot), Link>,
    /// The active gateways of other rings that are not the first ones there.
    seconds: BTreeSet<RingNumber>,
    store: Store,
    /// How often all windows were asked for.
    fills: u64,
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

impl GatewayHost {
    /// A gateway, which begins with what is in the memory. The second one of its ring is the standby.
    #[must_use]
    pub(super) fn new(
        firmware: Firmware,
        layout: Layout,
        (links, store): (BTreeMap<(RingNumber, Slot), Link>, Store),
        common: Common,
    ) -> GatewayHost {
        let gateway = Gateway::new(firmware.place.clone(), firmware.repairs);
        let slot = firmware.place.slot;
        let part = if gateway.active() { Part::Active } else { Part::Passive };
        GatewayHost {
            firmware,
            part,
            links,
            seconds: BTreeSet::new(),
            store,
            fills: 0,
            common,
            gateway,
            look: Look::new(layout, Some(slot)),
            event: (part == Part::Active).then_some(Event::Start),
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
                    let own = self.firmware.place.own_windows();
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
        let to = (ring, self.active_of(ring));
        if let Some(link) = self.links.get_mut(&to) {
            link.send((&self.common, to), now, words, Carried::Message(message));
        }
    }

    /// The gateway of a ring that is active, as far as it is known.
    fn active_of(&self, ring: RingNumber) -> Slot {
        Slot(u8::from(self.seconds.contains(&ring)))
    }

    /// Notes which gateway of a ring is active. Returns false if that was known.
    fn note_active(&mut self, (ring, slot): (RingNumber, Slot)) -> bool {
        if slot == Slot(0) { self.seconds.remove(&ring) } else { self.seconds.insert(ring) }
    }

    /// What a standby does; true if nothing.
    fn stand_by(&mut self, now: Cycle) -> bool {
        if std::mem::take(&mut self.flushed) {
            self.part = Part::Active;
            self.common.count(|counts| counts.take_overs += 1);
            self.begin(now);
            return false;
        }
        // All windows are sent once more when it takes over.
        self.store.take();
        let (common, own) =
            (self.common.clone(), (self.firmware.place.ring, self.firmware.place.slot));
        let mut begun = Vec::new();
        for (&from, link) in &mut self.links {
            while let Some(carried) = link.from.take(now) {
                common.taken(own);
                if carried == Carried::Begin {
                    link.send((&common, from), now, 1, Carried::Begun(false));
                    begun.push(from);
                }
            }
        }
        for one in begun {
            self.note_active(one);
        }
        self.idle = !self.store.is_alone();
        if !self.idle {
            self.part = Part::Marks;
            let mark = vec![(Word::Release(self.firmware.place.slot), 0)];
            self.actions = [Action::Store(mark, Order::After), Action::Flush].into();
        }
        self.idle
    }

    /// The firmware begins, and its neighbours learn of it.
    fn begin(&mut self, now: Cycle) {
        self.look.turn();
        let second = self.firmware.place.slot != Slot(0);
        self.event = Some(if second { Event::TakeOver } else { Event::Start });
        self.idle = false;
        for (&to, link) in &mut self.links {
            link.old = true;
            link.send((&self.common, to), now, 1, Carried::Begin);
        }
    }

    /// The firmware begins again. The board stays as it is, and carries out what it has begun.
    fn restart(&mut self, now: Cycle) {
        self.gateway = Gateway::new(self.firmware.place.clone(), self.firmware.repairs);
        self.look.forget();
        (self.until, self.flushed) = (None, false);
        self.common.count(|counts| counts.restarts += 1);
        self.actions.clear();
        self.seconds.clear();
        self.begin(now);
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
        let all: Vec<(RingNumber, Slot)> = self.links.keys().copied().collect();
        for from in all {
            while let Some(carried) = self.links.get_mut(&from).and_then(|one| one.from.take(now)) {
                self.common.taken((self.firmware.place.ring, self.firmware.place.slot));
                if let Some(event) = self.takes(from, carried, now) {
                    return event;
                }
            }
        }
        Event::Poll
    }

    /// The event that it is when a link has carried this.
    fn takes(&mut self, from: (RingNumber, Slot), carried: Carried, now: Cycle) -> Option<Event> {
        let (ring, slot) = from;
        let active = self.active_of(ring) == slot;
        let link = self.links.get_mut(&from)?;
        match carried {
            Carried::Message(message) if active && !link.old => Some(Event::Message(ring, message)),
            Carried::Message(_) => {
                self.common.count(|counts| counts.lost += 1);
                None
            }
            Carried::Begin => {
                link.send((&self.common, from), now, 1, Carried::Begun(true));
                self.note_active(from);
                Some(Event::Reset(ring))
            }
            Carried::Begun(answers) => {
                link.old = false;
                (answers && self.note_active(from)).then_some(Event::Reset(ring))
            }
            Carried::Dark => active.then_some(Event::Reset(ring)),
        }
    }

    /// A step of the firmware, if it knows what it reads; true if it has nothing to do.
    fn turn(&mut self, now: Cycle) -> bool {
        if self.part != Part::Active {
            return self.stand_by(now);
        }
        let event = self.event.take().unwrap_or_else(|| {
            self.look.turn();
            self.next_event(now)
        });
        self.look.came(self.store.came());
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
        let begins = matches!(event, Event::Start | Event::TakeOver);
        let recovered = begins && actions.contains(&Action::Flush);
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
            None => Some(now.saturating_add(self.firmware.timeout)),
            until => until,
        };
        let mut hasher = DefaultHasher::new();
        self.gateway.hash(&mut hasher);
        let (slot, state, polls) = (self.firmware.place.slot, hasher.finish(), self.polls());
        self.common.look(self.firmware.place.ring, |looks| {
            *looks = Looks { slot, rounds: looks.rounds + u64::from(round), state, polls };
        });
        idle
    }
}

impl Process for GatewayHost {
    fn next(&mut self, answer: &Answer) -> Request {
        let (done, now) = (self.done(answer), answer.now.cycle());
        if self.firmware.restarts.front().is_some_and(|at| *at <= now) {
            self.firmware.restarts.pop_front();
            // One that does nothing has nothing to lose.
            if self.part == Part::Active {
                self.restart(now);
            }
        }
        done.and_then(|()| self.go_on(now)).unwrap_or_else(|failure| {
            self.common.fail(self.firmware.place.ring, failure);
            Request::End
        })
    }

    fn polls(&self) -> bool {
        // What is on its way counts where all rings meet: until then a message of a ring on another thread may be there or
        // not.
        let told = self.part == Part::Passive && self.store.is_alone();
        self.idle && self.firmware.restarts.is_empty() && self.store.is_empty() && !told
    }
}
