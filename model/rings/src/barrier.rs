// SPDX-License-Identifier: MIT OR Apache-2.0
//! A gateway at the barrier of all rings (P3). Paper 004 has only the name of a barrier (Table 1).
//!
//! Each client, each gateway below and each peer has an episode in which it has arrived last. A gateway of the lowest
//! level has the clients of its ring below it; the gateways of the highest level are peers of each other.

use crate::interface::{Action, Memory, Message, Order, number_of};
use crate::repairs::BarrierRepairs;
use crate::words::{RingNumber, Slot, Word};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::lock::newer;
use std::collections::{BTreeMap, BTreeSet};

/// Neighbours of a gateway.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Neighbours {
    /// Gateways whose rings are below this one.
    pub below: Vec<RingNumber>,
    /// The other gateways of the highest level, if this one is of it.
    pub peers: Vec<RingNumber>,
    /// The gateway that this one is below.
    pub above: Option<RingNumber>,
}

/// The barrier at a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Barrier {
    slot: Slot,
    repairs: BarrierRepairs,
    clients: Vec<NodeId>,
    neighbours: Neighbours,
    /// The last episode that was released before the gateway has begun: all have arrived in it.
    base: u16,
    /// The last episode in which each gateway below and each peer has arrived.
    heard: BTreeMap<RingNumber, u16>,
    /// The last episode that the gateway above has released.
    from_above: u16,
    /// What was sent to each neighbour.
    sent: BTreeMap<RingNumber, u16>,
}

impl Barrier {
    pub(crate) fn new(
        slot: Slot,
        clients: Vec<NodeId>,
        neighbours: Neighbours,
        repairs: BarrierRepairs,
    ) -> Barrier {
        let (heard, sent) = (BTreeMap::new(), BTreeMap::new());
        Barrier { slot, repairs, clients, neighbours, base: 0, heard, from_above: 0, sent }
    }

    /// The gateway begins, with what is in the memory.
    pub(crate) fn start(&mut self, memory: &impl Memory, gateways: u8) {
        let released = (0..gateways).map(|slot| number_of(memory, Word::Release(Slot(slot))));
        self.base = released.reduce(|a, b| if newer(b, a) { b } else { a }).unwrap_or(0);
        self.from_above = self.base;
    }

    fn heard(&self, rings: &[RingNumber]) -> impl Iterator<Item = u16> {
        rings.iter().map(|ring| self.heard.get(ring).copied().unwrap_or(self.base))
    }

    pub(crate) fn poll(&mut self, memory: &impl Memory, actions: &mut Vec<Action>) {
        let arrivals = self.clients.iter().map(|one| number_of(memory, Word::Arrival(*one)));
        let below = self.heard(&self.neighbours.below);
        // Nothing is below: it does not hold up the others.
        let Some(up) = arrivals.chain(below).reduce(least) else { return };
        let release = match self.neighbours.above {
            Some(_) => self.from_above,
            None => self.heard(&self.neighbours.peers).fold(up, least),
        };
        let Neighbours { below, peers, above } = self.neighbours.clone();
        for ring in peers.into_iter().chain(above) {
            self.send(ring, up, Message::Arrived(up), actions);
        }
        for ring in below {
            self.send(ring, release, Message::Released(release), actions);
        }
        let word = Word::Release(self.slot);
        if newer(release, number_of(memory, word)) {
            let frame = vec![(word, u32::from(release) << 16)];
            actions.push(Action::Store(frame, Order::After));
        }
    }

    fn send(
        &mut self,
        ring: RingNumber,
        episode: u16,
        message: Message,
        actions: &mut Vec<Action>,
    ) {
        if self.sent.insert(ring, episode) != Some(episode) {
            actions.push(Action::Send(ring, message));
        }
    }

    pub(crate) fn arrived(&mut self, from: RingNumber, episode: u16) {
        let known = self.neighbours.below.contains(&from) || self.neighbours.peers.contains(&from);
        let heard = self.heard.get(&from).copied().unwrap_or(self.base);
        let episode = if self.repairs.has(BarrierRepairs::EPISODES) {
            episode
        } else {
            heard.wrapping_add(1)
        };
        if known && newer(episode, heard) {
            self.heard.insert(from, episode);
        }
    }

    pub(crate) fn released(&mut self, from: RingNumber, episode: u16) {
        if self.neighbours.above == Some(from) && newer(episode, self.from_above) {
            self.from_above = episode;
        }
    }

    /// What was sent to this neighbour may be lost.
    pub(crate) fn again(&mut self, ring: RingNumber) {
        if self.repairs.has(BarrierRepairs::AGAIN) {
            self.sent.remove(&ring);
        }
    }

    pub(crate) fn neighbours(&self) -> BTreeSet<RingNumber> {
        let Neighbours { below, peers, above } = &self.neighbours;
        below.iter().chain(peers).chain(above).copied().collect()
    }
}

/// The earlier of two episodes.
fn least(a: u16, b: u16) -> u16 {
    if newer(a, b) { b } else { a }
}
