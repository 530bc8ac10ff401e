// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of a barrier's state machine, fixed at its creation.

use super::Nodes;
use crate::firmware::{Action, Message};
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;

/// A node's part in a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    pub node: NodeId,
    /// Number of the barrier. Only the frames of the ring barrier carry it; in the others it is 0.
    pub barrier: u8,
    /// All that must arrive, this node too.
    pub members: Nodes,
    /// Number of the first episode; the same on all nodes.
    pub episode: u16,
    /// Order of arrivals relative to the data that the process wrote before it arrived.
    pub arrivals: Order,
    /// Order of releases relative to the data of the node that releases.
    pub releases: Order,
}

impl Member {
    /// `node` among `members` at barrier 0, from episode 0 on. What a member wrote before it arrived is on every
    /// board when it is released: arrivals are `confirmed`, releases, which in the master-worker
    /// barrier speak for the master's own data, `sent` (`docs/memory-order.md`).
    pub fn new(node: NodeId, members: Nodes) -> Self {
        Member {
            node,
            barrier: 0,
            members,
            episode: 0,
            arrivals: Order::Confirmed,
            releases: Order::Sent,
        }
    }

    /// `signal` of this node with `tag`.
    pub(super) fn message(&self, signal: Signal, node_id: NodeId, tag: u16) -> Message {
        // What the layout does not have stays zero.
        let has = |name| signal.fields().iter().any(|field| field.name == name);
        let send_node = if has("send_node") { self.node } else { NodeId(0) };
        let lock_number = if has("barrier_number") { self.barrier.into() } else { 0 };
        Message { node_id, send_node, tag, lock_number, ..Message::new(signal, self.node) }
    }

    pub(super) fn release(&self, signal: Signal, tag: u16) -> Action {
        Action::Send(self.message(signal, NodeId(0), tag), self.releases)
    }
}

/// The episode before `episode`.
pub(super) const fn before(episode: u16) -> u16 {
    episode.wrapping_sub(1)
}

/// The episode after `episode`.
pub(super) const fn behind(episode: u16) -> u16 {
    episode.wrapping_add(1)
}
