// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network cards of a cluster's nodes: bytes of several accesses go one after the other.

use super::memory::Part;
use super::settings::Costs;
use crate::words::Operation;
use awgstar_frame::quantity::{Nanoseconds, NodeId};

/// When each card has sent, and received, what it is busy with; and the gateway's card for TCP.
#[derive(Clone, Debug)]
pub(super) struct Cards {
    sends: Vec<Nanoseconds>,
    receives: Vec<Nanoseconds>,
    tcp: Nanoseconds,
}

impl Cards {
    /// Cards of so many nodes.
    pub(super) fn new(nodes: usize) -> Cards {
        let free = vec![Nanoseconds(0); nodes];
        Cards { sends: free.clone(), receives: free, tcp: Nanoseconds(0) }
    }

    /// A node reads or writes parts of the memory of others, one after the other from a moment on; gives the moment when
    /// it is done. Its own parts take no time here.
    pub(super) fn access(
        &mut self,
        costs: &Costs,
        (node, operation): (NodeId, Operation),
        parts: &[Part],
        from: Nanoseconds,
    ) -> Nanoseconds {
        parts.iter().fold(from, |now, &(home, bytes)| {
            if home == node {
                return now;
            }
            let (source, target) = match operation {
                Operation::Get => (home, node),
                Operation::Put => (node, home),
            };
            let (sends, receives) = (self.sends[source.index()], self.receives[target.index()]);
            let free = now.max(sends).max(receives).saturating_add(costs.nicam_bytes(bytes));
            (self.sends[source.index()], self.receives[target.index()]) = (free, free);
            free.saturating_add(costs.nicam(operation))
        })
    }

    /// The gateway sends so many bytes; gives the moment when the last one has left.
    pub(super) fn send(&mut self, costs: &Costs, bytes: usize, now: Nanoseconds) -> Nanoseconds {
        self.tcp = self.tcp.max(now).saturating_add(costs.tcp_bytes(bytes));
        self.tcp
    }
}
