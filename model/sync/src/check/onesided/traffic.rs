// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can happen next to processes, servers and messages.

use super::{
    Cluster,
    state::{Sleeps, State},
    step::{Packet, What},
};
use crate::{
    check::explore::{Next, action},
    firmware::onesided::{Client, End, Event, Message, Server},
};
use awgstar_frame::quantity::NodeId;
use std::{collections::VecDeque, rc::Rc};

impl<C: Client> Cluster<C> {
    pub(super) fn arrives(&self, state: &mut State<C>, from: End, to: End, packet: Packet) {
        match (to, packet) {
            (End::Process(process), Packet::Value(target, value)) => {
                let value = Self::update(state, target, value);
                let at = process.index();
                Rc::make_mut(&mut state.processes[at]).waits = false;
                self.send(state, to, Self::server(target), Packet::Value(target, value));
            }
            (End::Process(process), Packet::Protocol(message)) => {
                let (End::Process(from) | End::Server(from)) = from;
                self.tell(state, process.index(), Event::Message(from, message));
                self.look(state, self.settings.nodes[process.index()], Some(process.index()));
            }
            (End::Server(node), packet) => self.serves(state, node.index(), from, packet),
            (End::Process(_), Packet::Put { .. } | Packet::Get(_)) => {}
        }
    }

    pub(super) fn serves(&self, state: &mut State<C>, at: usize, from: End, packet: Packet) {
        let End::Process(source) = from else { return };
        let mut actions = Vec::new();
        let node = Rc::make_mut(&mut state.nodes[at]);
        match packet {
            Packet::Protocol(message) => node.server.serve(source, &message, &mut actions),
            Packet::Put { target, number } => {
                let puts = (source, NodeId::at(target));
                node.server.count(puts, number.is_none(), &mut actions);
                // No property is about the data of the library.
                if let Some(number) = number {
                    if node.server.counts_first() {
                        node.writes = Some((source.index(), target, number));
                    } else {
                        state.written[target][source.index()] |= 1 << number;
                    }
                }
            }
            Packet::Get(target) => {
                let value = Packet::Value(target, state.words[target]);
                self.send(state, Self::server(target), from, value);
            }
            Packet::Value(target, value) => {
                let place = self.place(at, target);
                state.words[place] = value;
            }
        }
        self.act(state, Self::server(at), actions);
        self.look(state, at, None);
    }

    /// Puts of a process are on their way, or counted only.
    pub(super) fn puts_open(state: &State<C>, at: usize) -> bool {
        let sent = |packet: &Packet| matches!(packet, Packet::Put { .. } | Packet::Value(..));
        let from = |(ends, packets): (&(End, End), &VecDeque<Packet>)| {
            ends.0 == Self::process(at) && packets.iter().any(sent)
        };
        state.channels.iter().any(from)
            || state.nodes.iter().any(|node| node.writes.is_some_and(|(source, ..)| source == at))
    }

    /// Number of a channel, for actions.
    pub(super) fn channel(&self, from: End, to: End) -> usize {
        2 * self.ranks() + self.number(from) * 2 * self.ranks() + self.number(to)
    }

    /// Number of an end, for actions.
    fn number(&self, end: End) -> usize {
        match end {
            End::Process(process) => process.index(),
            End::Server(node) => self.ranks() + node.index(),
        }
    }

    pub(super) fn of_processes(&self, state: &State<C>, next: &mut Vec<Next<Self>>) {
        for (at, process) in state.processes.iter().enumerate() {
            let mut take = |kind, what, work: &dyn Fn(&mut State<C>)| {
                let mut state = state.clone();
                work(&mut state);
                next.push(Next { step: self.step(what), state, action: Some(action(at, kind)) });
            };
            if process.goes_on {
                take(1, What::GoesOn(at), &|state| {
                    Rc::make_mut(&mut state.processes[at]).goes_on = false;
                    self.tell(state, at, Event::Look);
                });
            }
            if self.fence_is_over(state, at) {
                take(2, What::Fenced(at), &|state| {
                    Rc::make_mut(&mut state.processes[at]).fences = None;
                    self.tell(state, at, Event::Fenced);
                    self.look(state, self.settings.nodes[at], Some(at));
                });
            }
            if let Sleeps::Soon(seen) = process.sleeps {
                let node = &state.nodes[self.settings.nodes[at]];
                let same = seen.is_none_or(|seen| seen == process.client.watched(&node.server));
                take(3, What::Sleeps(at), &|state| {
                    let sleeps = if same { Sleeps::Yes } else { Sleeps::No };
                    Rc::make_mut(&mut state.processes[at]).sleeps = sleeps;
                    if !same {
                        self.tell(state, at, Event::Look);
                    }
                });
            }
            if let Some(call) = self.settings.scripts[at].get(process.begun)
                && !process.waits
                && self.may_call(state, at, *call)
            {
                take(0, What::Calls(at, *call), &|state| self.call(state, at, *call));
            }
        }
    }

    pub(super) fn of_the_network(&self, state: &State<C>, next: &mut Vec<Next<Self>>) {
        for (at, node) in state.nodes.iter().enumerate() {
            if let Some((source, target, number)) = node.writes {
                let mut state = state.clone();
                Rc::make_mut(&mut state.nodes[at]).writes = None;
                state.written[target][source] |= 1 << number;
                let step = self.step(What::Writes(at, source));
                let action = Some(action(self.number(Self::server(at)), 4));
                next.push(Next { step, state, action });
            }
        }
        for (&(from, to), packets) in &state.channels {
            if let End::Server(node) = to
                && state.nodes[node.index()].writes.is_some()
            {
                continue;
            }
            let any = !self.settings.ordered && matches!(to, End::Server(_));
            for place in 0..if any { packets.len() } else { 1 } {
                let mut state = state.clone();
                let Some(packets) = state.channels.get_mut(&(from, to)) else { continue };
                let Some(packet) = packets.remove(place) else { continue };
                if packets.is_empty() {
                    state.channels.remove(&(from, to));
                }
                let twice =
                    matches!(packet, Packet::Protocol(Message::Free { .. } | Message::Link { .. }));
                let step = self.step(What::Arrives(from, to, packet.clone()));
                // A copy is a fault, which need not happen.
                if twice && state.copies > 0 {
                    let mut state = state.clone();
                    state.copies -= 1;
                    state.late.push((from, to, packet.clone()));
                    self.arrives(&mut state, from, to, packet.clone());
                    next.push(Next { step: step.clone(), state, action: None });
                }
                self.counts(&mut state, from, to);
                self.arrives(&mut state, from, to, packet);
                let action = Some(action(self.channel(from, to), 5));
                next.push(Next { step, state, action });
            }
        }
        for place in 0..state.late.len() {
            let mut state = state.clone();
            let (from, to, packet) = state.late.remove(place);
            self.arrives(&mut state, from, to, packet.clone());
            let step = self.step(What::Late(from, to, packet));
            next.push(Next { step, state, action: None });
        }
    }
}
