// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of replicas: writes that come to all, signals, and timers.

use super::{
    Cluster,
    settings::{Call, Property},
    state::{Held, Node, State, Waits, is_over},
    step::{Packet, What},
};
use crate::{
    check::explore::{Checkable, Next, action},
    firmware::onesided::{Access, Client, End, Event, Message, Ring, Server},
};
use awgstar_frame::{
    contract::Order,
    quantity::{NodeId, narrow},
};
use std::{
    collections::{BTreeSet, VecDeque},
    rc::Rc,
};

impl<C: Client> Cluster<C> {
    /// The writes of a node that are under way, by the node to which they go; on a cluster none.
    pub(super) fn waits(&self, state: &State<C>, at: usize) -> Waits {
        let writes = |to| state.channels.get(&(Self::process(at), Self::server(to)));
        let open = |to| narrow(writes(to).map_or(0, VecDeque::len));
        (0..if self.settings.replicas { self.ranks() } else { 0 }).map(open).collect()
    }

    /// The place of a word of data in the state.
    pub(super) fn place(&self, node: usize, word: usize) -> usize {
        if self.settings.replicas { node * self.ranks() + word } else { word }
    }

    pub(super) fn act_on_ring(&self, state: &mut State<C>, who: End, ring: Ring) {
        let (at, by_process) = match who {
            End::Process(process) => (process.index(), true),
            End::Server(node) => (node.index(), false),
        };
        let process = Rc::make_mut(&mut state.processes[at]);
        let (to, message, order) = match ring {
            Ring::Start | Ring::Stop => {
                process.timer = ring == Ring::Start;
                return;
            }
            Ring::Done(value) => {
                process.waits = false;
                let call = self.settings.scripts[at].get(process.begun.wrapping_sub(1));
                if let (Some(Call::Read(_, least)), Some(value)) = (call, value)
                    && value < *least
                {
                    state.wrong = Some(Property::Seen);
                }
                return;
            }
            Ring::Write(message, Order::None | Order::Sent) => {
                self.put_out(state, at, &message);
                return;
            }
            Ring::Write(message, order) => (None, message, order),
            Ring::Signal(to, message, order) => (Some(to.index()), message, order),
        };
        let mut waits = self.waits(state, at);
        for (node, writes) in waits.iter_mut().enumerate() {
            if order == Order::None || order == Order::Sent && to != Some(node) {
                *writes = 0;
            }
        }
        let by_process = by_process && to.is_none();
        let held = Held { from: at, to, message, waits, by_process };
        if to.is_none() && held.is_ready() {
            self.put_out(state, at, &held.message);
        } else {
            state.held.push(held);
        }
    }

    /// A write: here at once, and on its way to the others.
    fn put_out(&self, state: &mut State<C>, at: usize, message: &Message) {
        let mut actions = Vec::new();
        let node = Rc::make_mut(&mut state.nodes[at]);
        node.server.serve(NodeId::at(at), message, &mut actions);
        self.act(state, Self::server(at), actions);
        self.to_others(state, at, &Packet::Protocol(message.clone()));
        self.look(state, at, None);
    }

    fn to_others(&self, state: &mut State<C>, at: usize, packet: &Packet) {
        for to in (0..self.ranks()).filter(|to| *to != at) {
            self.send(state, Self::process(at), Self::server(to), packet.clone());
        }
    }

    /// Under a lock, a process reads the word in its replica, and writes one more.
    pub(super) fn update_replicas(&self, state: &mut State<C>, at: usize, word: usize) {
        let place = self.place(at, word);
        let value = Self::update(state, word, state.words[place]);
        state.words[place] = value;
        self.to_others(state, at, &Packet::Value(word, value));
    }

    /// A write has come to a node: who waits for that waits for one less.
    pub(super) fn counts(&self, state: &mut State<C>, from: End, to: End) {
        let (true, End::Process(source), End::Server(to)) = (self.settings.replicas, from, to)
        else {
            return;
        };
        let less = |waits: &mut Waits| {
            if let Some(writes) = waits.get_mut(to.index()) {
                *writes = writes.saturating_sub(1);
            }
        };
        let of_source = state.held.iter_mut().filter(|held| held.from == source.index());
        of_source.for_each(|held| less(&mut held.waits));
        let process = &mut state.processes[source.index()];
        if process.fences.is_some() {
            Rc::make_mut(process).fences.iter_mut().for_each(less);
        }
    }

    pub(super) fn fence_is_over(&self, state: &State<C>, at: usize) -> bool {
        let waits = state.processes[at].fences.as_ref();
        waits.is_some_and(|waits| {
            is_over(waits) && (self.settings.replicas || !Self::puts_open(state, at))
        })
    }

    /// The process does not wait for a word, nor for earlier writes to be confirmed.
    pub(super) fn may_call(&self, state: &State<C>, at: usize, call: Call) -> bool {
        let confirms = |held: &Held| held.from == at && held.by_process;
        let is_there = match call {
            Call::Until(word) => state.nodes[self.settings.nodes[at]].server.word(word) != 0,
            _ => true,
        };
        is_there && !state.held.iter().any(confirms)
    }

    pub(super) fn of_the_ring(&self, state: &State<C>, next: &mut Vec<Next<Self>>) {
        let mut seen = BTreeSet::new();
        for (place, held) in state.held.iter().enumerate() {
            // Signals between two nodes arrive in order, and so do writes of a node.
            if !seen.insert((held.from, held.to)) || !held.is_ready() {
                continue;
            }
            let mut after = state.clone();
            let Held { from, to, message, .. } = after.held.remove(place);
            let (what, action) = match to {
                None => {
                    self.put_out(&mut after, from, &message);
                    (What::Leaves(from, message), action(from, 6))
                }
                Some(to) => {
                    if state.losses > 0 {
                        let mut lost = after.clone();
                        lost.losses -= 1;
                        let step = self.step(What::Lost(from, to, message.clone()));
                        next.push(Next { step, state: lost, action: None });
                    }
                    let (from, to) = (Self::process(from), Self::server(to));
                    let packet = Packet::Protocol(message);
                    let channel = self.channel(from, to);
                    let what = What::Arrives(from, to, packet.clone());
                    self.arrives(&mut after, from, to, packet);
                    (what, action(channel, 6))
                }
            };
            next.push(Next { step: self.step(what), state: after, action: Some(action) });
        }
        let quiet = state.channels.is_empty() && state.held.is_empty();
        for (at, process) in state.processes.iter().enumerate() {
            if process.timer && (quiet || state.early > 0) {
                let mut after = state.clone();
                Rc::make_mut(&mut after.processes[at]).timer = false;
                after.early -= u8::from(!quiet);
                self.tell(&mut after, at, Event::Timer);
                let step = self.step(What::Timer(at, !quiet));
                next.push(Next { step, state: after, action: quiet.then(|| action(at, 7)) });
            }
        }
    }

    /// What is wrong on a ring when all is done.
    pub(super) fn wrong_in_the_end(&self, state: &State<C>) -> Option<Property> {
        if !self.settings.replicas || !self.done(state) {
            return None;
        }
        let same = |pair: &[Rc<Node<C::Server>>]| pair[0].server.same(&pair[1].server);
        let data = |node: usize| &state.words[self.place(node, 0)..][..self.ranks()];
        let same_data = (1..self.ranks()).all(|node| data(node) == data(0));
        if !state.nodes.windows(2).all(same) || !same_data {
            return Some(Property::Same);
        }
        let counted = |call: &Call| match call {
            Call::Word(word, _) => {
                let value = state.nodes[0].server.word(*word);
                self.sum(*word).is_none_or(|sum| sum == value)
            }
            _ => true,
        };
        let all = self.settings.scripts.iter().flatten().all(counted);
        (!all).then_some(Property::Counted)
    }

    /// What a word must be in the end; nothing is known of one that several processes access and one puts.
    fn sum(&self, word: u32) -> Option<u32> {
        let of_word = |script: &Vec<Call>| {
            let access = |call: &Call| match call {
                Call::Word(of, access) if *of == word => Some(*access),
                _ => None,
            };
            script.iter().filter_map(access).collect::<Vec<_>>()
        };
        let users = self.settings.scripts.iter().map(of_word).filter(|all| !all.is_empty());
        let users: Vec<Vec<Access>> = users.collect();
        let alone = users.len() == 1;
        users.into_iter().flatten().try_fold(0_u32, |sum, access| match access {
            Access::Add(more) | Access::Fetch(more) => Some(sum.wrapping_add(more)),
            Access::Put(value) => alone.then_some(value),
            Access::Get => Some(sum),
        })
    }
}
