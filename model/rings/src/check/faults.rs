// SPDX-License-Identifier: MIT OR Apache-2.0
//! Restarts, resets of links, timers, and gateways that die.

use super::state::{Kind, Packet, State};
use super::step::What;
use super::{System, ring};
use crate::gateway::Event;
use crate::repairs::TakeOverRepairs;
use crate::words::{RingNumber, Word};
use awgstar_sync::check::explore::Next;
use std::collections::{BTreeSet, VecDeque};

impl System {
    pub(super) fn timers(&self, state: &State, quiet: bool, next: &mut Vec<Next<Self>>) {
        if !quiet && state.early == 0 {
            return;
        }
        for at in 0..self.nodes() {
            let Kind::Gateway(firmware) = &state.nodes[at].kind else { continue };
            let runs = firmware.gateway.waits() && firmware.actions.is_empty();
            if !runs || firmware.dead || !firmware.gateway.active() {
                continue;
            }
            if let Some(mut after) = self.tell(state, at, Event::Timer) {
                after.0.early -= u8::from(!quiet);
                Self::push(next, at, What::Timer(!quiet), after, quiet.then_some(4));
            }
        }
    }

    /// What is on the links of a ring is lost, and its neighbours learn of it.
    fn cut(&self, state: &mut State, at: usize) {
        let own = ring(self.places[at].ring);
        let shape = &self.settings.rings[self.places[at].ring];
        state.links.retain(|(from, to), _| *from != own && *to != own);
        let mut all = shape.neighbours.below.clone();
        all.extend(&shape.neighbours.peers);
        all.extend(shape.neighbours.above);
        for other in all {
            state.links.insert((own, other), VecDeque::from([Packet::Reset]));
        }
    }

    pub(super) fn faults(&self, state: &State, next: &mut Vec<Next<Self>>) {
        for at in 0..self.nodes() {
            let Kind::Gateway(firmware) = &state.nodes[at].kind else { continue };
            if firmware.dead || !firmware.gateway.active() {
                continue;
            }
            if state.restarts > 0 {
                let mut after = state.clone();
                after.restarts -= 1;
                self.cut(&mut after, at);
                if let Some(firmware) = after.firmware(at) {
                    let active = firmware.gateway.active();
                    firmware.gateway = self.machine(at);
                    firmware.actions.clear();
                    firmware.flushing = false;
                    firmware.filling = None;
                    debug_assert!(active, "a passive gateway has nothing to lose");
                }
                let second = self.places[at].place > 0;
                let event = if second { Event::TakeOver } else { Event::Start };
                let done = self.tell_in(&mut after, at, event);
                Self::push(next, at, What::Restarts, (after, done), None);
            }
            if state.deaths > 0 && self.places[at].gateways > 1 && self.places[at].place == 0 {
                let mut after = state.clone();
                after.deaths -= 1;
                self.die(&mut after, at);
                Self::push(next, at, What::Dies, (after, Vec::new()), None);
            }
        }
        if state.resets > 0 {
            self.resets(state, next);
        }
    }

    fn resets(&self, state: &State, next: &mut Vec<Next<Self>>) {
        for at in 0..self.nodes() {
            let place = self.places[at];
            let own = ring(place.ring);
            let ways = self.settings.rings[place.ring].routes.values().copied();
            let ways: BTreeSet<RingNumber> = ways.filter(|to| *to > own).collect();
            for to in ways.into_iter().filter(|to| place.place == 0 && !state.is_cut((own, *to))) {
                let mut after = state.clone();
                after.resets -= 1;
                after.links.insert((own, to), VecDeque::from([Packet::Reset]));
                after.links.insert((to, own), VecDeque::from([Packet::Reset]));
                Self::push(next, at, What::Reset(to), (after, Vec::new()), None);
            }
        }
    }

    fn next_board(&self) -> bool {
        self.settings.repairs.take_over.has(TakeOverRepairs::NEXT_BOARD)
    }

    /// A frame of an active gateway has not passed its standby, which is the next board.
    pub(super) fn before_standby(&self, state: &State, from: usize, to: usize) -> bool {
        let place = self.places[from];
        let first = self.next_board() && place.gateways > 1 && place.place == 0 && to != from + 1;
        let open = |to: usize| state.frames.get(&(from, to)).map_or(0, VecDeque::len);
        first && open(from + 1) >= open(to)
    }

    /// Frames die with their board where they have not passed the next one.
    fn die(&self, state: &mut State, at: usize) {
        let gone = state.frames.remove(&(at, at + 1)).unwrap_or_default();
        if self.next_board() {
            // No board has what they store.
            for (word, value) in gone.iter().flatten() {
                if matches!(word, Word::Memory(_))
                    && let Some(applied) = state.applied.get_mut(value)
                {
                    *applied -= 1;
                }
            }
            state.applied.retain(|_, applied| *applied > 0);
            let open = gone.len();
            for ((from, _), frames) in &mut state.frames {
                if *from == at {
                    frames.truncate(frames.len() - open.min(frames.len()));
                }
            }
            state.frames.retain(|_, frames| !frames.is_empty());
        }
        self.cut(state, at);
        if let Some(firmware) = state.firmware(at) {
            firmware.dead = true;
            firmware.actions.clear();
            firmware.flushing = false;
            firmware.filling = None;
        }
    }

    /// A standby sends the log of the other board again, and takes over.
    pub(super) fn take_overs(&self, state: &State, next: &mut Vec<Next<Self>>) {
        for at in 1..self.nodes() {
            let Kind::Gateway(other) = &state.nodes[at - 1].kind else { continue };
            let Kind::Gateway(firmware) = &state.nodes[at].kind else { continue };
            if self.places[at].place != 1 || !other.dead || firmware.gateway.active() {
                continue;
            }
            let mut after = state.clone();
            let log: Vec<_> =
                after.frames.keys().filter(|ends| ends.0 == at - 1).copied().collect();
            for ends in log {
                let Some(frames) = after.frames.remove(&ends) else { continue };
                if self.settings.repairs.take_over.has(TakeOverRepairs::LOG) {
                    after.frames.insert((at, ends.1), frames);
                }
            }
            self.cut(&mut after, at);
            let done = self.tell_in(&mut after, at, Event::TakeOver);
            Self::push(next, at, What::TakesOver, (after, done), Some(5));
        }
    }
}

impl State {
    /// The link is reset already.
    fn is_cut(&self, (from, to): (RingNumber, RingNumber)) -> bool {
        let has = |ends| self.links.get(&ends).is_some_and(|all| all.contains(&Packet::Reset));
        has((from, to)) || has((to, from))
    }
}
