// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of processes, and actions that are carried out.

use super::settings::{Op, Property};
use super::state::{Firmware, Kind, Node, Packet, Process, State};
use super::step::What;
use super::{System, WORDS, first_value, ring, step, value};
use crate::client::Call;
use crate::gateway::Event;
use crate::interface::{Action, Block, Frame, Memory, Message, Order};
use crate::window::Window;
use crate::words::{RingNumber, Status, Word};
use awgstar_frame::quantity::{ByteAddress, narrow};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl System {
    /// The first action, and what cannot be seen apart from it: sends, and what only notes something.
    pub(super) fn carry_out(&self, state: &mut State, at: usize) -> Vec<String> {
        let (mut done, mut stored) = (Vec::new(), false);
        loop {
            let Some(Firmware { actions, gateway, .. }) = state.firmware(at) else { return done };
            let blocks = gateway.blocks();
            let own = ring(self.places[at].ring);
            match actions.front() {
                None => return done,
                Some(Action::Store(..)) if stored => return done,
                Some(Action::Send(to, _)) if blocks => {
                    let to = *to;
                    let queue = state.links.get(&(own, to));
                    if queue.is_some_and(|queue| queue.len() >= self.settings.capacity) {
                        return done;
                    }
                }
                Some(_) => {}
            }
            let Some(Firmware { actions, flushing, filling, .. }) = state.firmware(at) else {
                return done;
            };
            match actions.pop_front() {
                Some(Action::Store(frame, order)) => {
                    stored = true;
                    done.push(format!("stores {}", step::words(&frame)));
                    self.store(state, at, &frame, order);
                }
                Some(Action::Send(to, message)) => {
                    done.push(format!("to ring {to}: {message}"));
                    Self::send(state, own, to, message);
                }
                Some(Action::Flush) => {
                    *flushing = true;
                    done.push("waits until all its frames are everywhere".to_owned());
                }
                Some(Action::Fill) => {
                    let own = self.settings.windows.iter().filter(|one| one.ring == own);
                    *filling = Some(own.flat_map(Window::words).collect());
                    done.push("reads all windows once more".to_owned());
                }
                Some(Action::Done(..) | Action::Passed) | None => {}
            }
        }
    }

    /// A message on a link. What is sent before a gateway knows that its link was reset is lost.
    fn send(state: &mut State, from: RingNumber, to: RingNumber, message: Message) {
        let back = state.links.get(&(to, from));
        if !back.is_some_and(|packets| packets.contains(&Packet::Reset)) {
            state.links.entry((from, to)).or_default().push_back(Packet::Message(message));
        }
    }

    /// A node stores words: in its replica at once, in the others later.
    pub(super) fn store(&self, state: &mut State, at: usize, frame: &Frame, order: Order) {
        // What is in a window may be stored again.
        if self.is_gateway(at) && self.settings.windows.is_empty() {
            let words = frame.iter().filter(|(word, _)| matches!(word, Word::Memory(_)));
            for (_, value) in words {
                let applied = state.applied.entry(*value).or_default();
                *applied = applied.saturating_add(1);
                if *applied > 1 {
                    state.wrong = Some(Property::Twice);
                }
            }
        }
        for to in self.others(at) {
            if frame.iter().any(|(word, _)| self.looks(to, *word)) {
                match order {
                    Order::After => {
                        state.frames.entry((at, to)).or_default().push_back(frame.clone());
                    }
                    Order::Beside => state.beside.push((at, to, frame.clone())),
                }
            }
        }
        self.place(state, at, at, frame);
    }

    /// A frame of a node is in the replica of another one, or in its own.
    pub(super) fn place(&self, state: &mut State, at: usize, from: usize, frame: &Frame) {
        let source = self.places[from];
        let words = narrow::<u32>(frame.len());
        let counts = self.is_gateway(at) && self.is_gateway(from);
        let replica = &mut state.node(at).replica;
        if counts {
            replica.stored[source.place] = replica.stored[source.place].wrapping_add(words);
        }
        for &(word, value) in frame {
            if self.looks(at, word) {
                state.node(at).replica.words.insert(word, value);
                if let Word::Memory(address) = word {
                    self.comes(state, (at, from), address, value);
                }
            }
        }
    }

    /// A word of programs comes to a replica. Where rings have caches, values are in the order in which they come to the
    /// gateway, and this hears of those of other boards.
    fn comes(
        &self,
        state: &mut State,
        (at, from): (usize, usize),
        address: ByteAddress,
        value: u32,
    ) {
        let ring = self.places[at].ring;
        if !self.settings.windows.is_empty() && self.is_gateway(at) && from != at {
            let event = Event::Written(Block { first: address, values: vec![value] });
            self.hears(state, at, event);
        }
        if self.settings.cache.is_none() {
            self.allow(state, ring, address, value);
        } else if self.is_gateway(at) {
            self.allow(state, ring, address, value);
            state.current.entry((ring, address.word())).or_default().push(value);
            if from != at {
                let event = Event::Written(Block { first: address, values: vec![value] });
                self.hears(state, at, event);
            }
        }
    }

    /// The gateway hears of what has come while it carries out actions.
    fn hears(&self, state: &mut State, at: usize, event: Event) {
        let replica = state.nodes[at].replica.clone();
        let Some(Firmware { gateway, actions, dead: false, .. }) = state.firmware(at) else {
            return;
        };
        let (busy, mut more) = (!actions.is_empty(), Vec::new());
        gateway.step(event, &replica, &mut more);
        actions.extend(more);
        if !busy {
            self.carry_out(state, at);
        }
    }

    /// A read that begins now may not return what the word was before this value.
    fn raise(state: &mut State, word: (usize, usize), value: u32) {
        if let Some(values) = state.current.get_mut(&word)
            && let Some(at) = values.iter().position(|one| *one == value)
        {
            values.drain(..at);
        }
    }

    /// A word that an operation reads has this value at the start, or some operation stores it there.
    fn was(&self, op: Option<Op>, word: usize, found: u32) -> bool {
        let Some(Op::Get(target, first, _)) = op else { return false };
        let word = first + word;
        let by = |at: usize| {
            let own = self.places[at].ring;
            (0..).zip(self.script(at)).any(|(number, op)| match *op {
                Op::Put(ring, first, length) => {
                    let place = word.checked_sub(first).filter(|at| *at < length.into());
                    place.is_some_and(|place| ring == target && value(at, number, place) == found)
                }
                Op::Set(one) => (own, one, value(at, number, 0)) == (target, word, found),
                _ => false,
            })
        };
        let cached = self.settings.cache.is_some();
        cached && (first_value(target, word) == found || (0..self.nodes()).any(by))
    }

    /// The values of all words at the start.
    pub(super) fn first_values(&self) -> BTreeMap<(usize, usize), Vec<u32>> {
        let rings = 0..self.settings.rings.len();
        let words = rings.flat_map(|ring| (0..WORDS).map(move |word| (ring, word)));
        let all = words.map(|(ring, word)| ((ring, word), vec![first_value(ring, word)]));
        all.filter(|_| self.settings.cache.is_some()).collect()
    }

    /// Clients that read the word now may get this value.
    fn allow(&self, state: &mut State, ring: usize, address: ByteAddress, value: u32) {
        for at in 0..self.nodes() {
            let Kind::Client(process) = &state.nodes[at].kind else { continue };
            let Some(Op::Get(target, first, length)) = self.op(at, process) else { continue };
            let place = address.word().checked_sub(first).filter(|at| *at < usize::from(length));
            if let Some(place) = place.filter(|_| target == ring && process.waits)
                && let Some(process) = state.process(at)
                && let Some(allowed) = process.allowed.get_mut(place)
            {
                allowed.insert(value);
            }
        }
    }

    /// The values of a word in all replicas of a ring in which somebody looks at it.
    fn values(&self, state: &State, ring: usize, word: usize) -> BTreeSet<u32> {
        if let Some(values) = state.current.get(&(ring, word)) {
            return values.iter().copied().collect();
        }
        let word = Word::Memory(ByteAddress::at_word(word));
        let of = |at: &usize| self.places[*at].ring == ring && self.looks(*at, word);
        (0..self.nodes()).filter(of).map(|at| state.nodes[at].replica.word(word)).collect()
    }

    /// A client begins an operation; false if it waits.
    pub(super) fn call(&self, state: &mut State, at: usize, op: Op) -> bool {
        let Some(begun) = state.process(at).map(|process| process.begun) else { return false };
        let word = |word| Word::Memory(ByteAddress::at_word(word));
        let call = match op {
            Op::See(at_word, node, op) => {
                if state.nodes[at].replica.word(word(at_word)) != value(node, op, 0) {
                    return false;
                }
                None
            }
            Op::Set(at_word) => {
                let frame = vec![(word(at_word), value(at, begun, 0))];
                self.store(state, at, &frame, Order::After);
                None
            }
            Op::Compare(..) => {
                if let Some(process) = state.process(at) {
                    process.begun += 1;
                    process.waits = true;
                }
                return true;
            }
            Op::Get(target, first, length) => {
                let words = (0..usize::from(length)).map(|at| first + at);
                let allowed = words.map(|word| self.values(state, target, word)).collect();
                if let Some(process) = state.process(at) {
                    process.allowed = allowed;
                }
                Some(Call::Get(ring(target), ByteAddress::at_word(first), length))
            }
            Op::Put(target, first, length) => {
                let data = (0..usize::from(length)).map(|word| value(at, begun, word));
                Some(Call::Put(ring(target), ByteAddress::at_word(first), data.collect()))
            }
            Op::Meet => Some(Call::Meet),
            Op::Lock(lock) => Some(Call::Lock(lock)),
            Op::GiveUp(lock) => Some(Call::GiveUp(lock)),
        };
        let mut actions = Vec::new();
        let Some(process) = state.process(at) else { return false };
        process.begun += 1;
        process.waits = call.is_some() && !matches!(op, Op::GiveUp(_));
        if let Some(call) = call
            && process.client.call(&call, &mut actions).is_err()
        {
            state.wrong = Some(Property::Calls);
        }
        self.store_all(state, at, actions);
        true
    }

    /// The next word of a comparison: the mark, the word that is written second, the other one, the mark.
    pub(super) fn compare(&self, state: &mut State, at: usize) -> Option<What> {
        let mark = self.settings.windows.iter().find_map(|one| one.whole)?.word();
        let memory = state.nodes[at].replica.clone();
        let process = state.process(at)?;
        let Some(Op::Compare(second, first)) = self.op(at, process) else { return None };
        let word = [mark, second, first, mark].get(process.read.len()).copied()?;
        let found = memory.word(Word::Memory(ByteAddress::at_word(word)));
        process.read.push(found);
        if let [before, second, first, after] = process.read[..] {
            process.read.clear();
            process.waits = false;
            if before == after && before % 2 == 1 {
                let known = std::mem::replace(&mut process.whole, [second, first]);
                // Values of a writer ascend, and the second word has that of the operation after the first one's.
                let next = first + value(0, 1, 0) - value(0, 0, 0);
                let old = second >= value(0, 0, 0) && next < second;
                if old || second < known[0] || first < known[1] {
                    state.wrong = Some(Property::Old);
                }
            }
        }
        Some(What::Reads(word, found))
    }

    /// What a client stores.
    pub(super) fn store_all(&self, state: &mut State, at: usize, actions: Vec<Action>) {
        for action in actions {
            if let Action::Store(frame, order) = action {
                self.store(state, at, &frame, order);
            }
        }
    }

    /// What a client waited for is done.
    pub(super) fn goes_on(&self, state: &mut State, at: usize, action: Action) -> Option<What> {
        let process = state.process(at)?;
        process.waits = false;
        let allowed = std::mem::take(&mut process.allowed);
        let process = process.clone();
        let op = self.op(at, &process)?;
        let Action::Done(status, values) = action else {
            match op {
                Op::Lock(lock) => self.locked(state, at, lock),
                _ => self.passed(state, &process),
            }
            return Some(What::Passes(op));
        };
        let other = |(value, allowed): (&u32, &BTreeSet<u32>)| !allowed.contains(value);
        if status != Status::Good {
            state.wrong = Some(Property::Calls);
        } else if values.iter().zip(&allowed).any(other) {
            let older = values.iter().zip(0..).zip(&allowed).any(|((value, word), allowed)| {
                !allowed.contains(value) && self.was(Some(op), word, *value)
            });
            state.wrong = Some(if older { Property::Older } else { Property::Stale });
        } else if let Op::Get(target, first, _) = op {
            for (word, value) in (first..).zip(&values) {
                Self::raise(state, (target, word), *value);
            }
        } else if let Op::Put(target, first, length) = op {
            for word in 0..usize::from(length) {
                Self::raise(state, (target, first + word), value(at, process.begun - 1, word));
            }
            let put = |word| value(at, process.begun - 1, usize::from(word));
            let under_way = |value: u32| {
                let has = |frame: &Frame| frame.iter().any(|(_, one)| *one == value);
                let of = |(from, _): &(usize, usize)| self.places[*from].ring == target;
                state.frames.iter().any(|(ends, frames)| of(ends) && frames.iter().any(has))
            };
            if (0..length).map(put).any(|value| !state.applied.contains_key(&value)) {
                state.wrong = Some(Property::Lost);
            } else if (0..length).map(put).any(under_way) {
                state.wrong = Some(Property::Unseen);
            }
        }
        Some(What::Goes(status, values))
    }

    /// No other process has the lock that a process gets.
    fn locked(&self, state: &mut State, by: usize, lock: u16) {
        let has = |(at, node): (usize, &Rc<Node>)| {
            let Kind::Client(process) = &node.kind else { return false };
            let done = process.begun - usize::from(process.waits);
            let of = |op: &&Op| matches!(op, Op::Lock(one) | Op::GiveUp(one) if *one == lock);
            let last = self.script(at)[..done].iter().rfind(of);
            at != by && last == Some(&Op::Lock(lock))
        };
        if state.nodes.iter().enumerate().any(has) {
            state.wrong = Some(Property::Exclusion);
        }
    }

    fn passed(&self, state: &mut State, process: &Process) {
        for at in (0..self.nodes()).filter(|_| self.settings.cache.is_some()) {
            let before = self.script(at).iter().take_while(|op| **op != Op::Meet);
            for (number, op) in before.enumerate() {
                if let Op::Set(word) = op {
                    Self::raise(state, (self.places[at].ring, *word), value(at, number, 0));
                }
            }
        }
        let early = |(at, node): (usize, &Rc<Node>)| match &node.kind {
            Kind::Client(other) => {
                self.script(at).contains(&Op::Meet)
                    && other.client.episode() < process.client.episode()
            }
            Kind::Gateway(_) => false,
        };
        if state.nodes.iter().enumerate().any(early) {
            state.wrong = Some(Property::Together);
        }
    }
}
