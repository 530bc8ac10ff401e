// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nodes at rest.

use crate::rtl::ring_node::RingNode;

/// State of idle skip of a node. A quiescent node's next edges change only the round-robin of its
/// counters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    /// Cycle of the next action of the host; 0 if the node is not quiescent.
    pub(super) until: u64,
    /// Cycle up to which the counters are valid.
    pub(super) since: u64,
}

impl Rest {
    /// The counters of a node at rest, brought up to `cycle`.
    pub(super) fn catch_up(&mut self, node: &mut RingNode, cycle: u64) {
        if self.until != 0 {
            node.u_counters.idle(self.since, cycle);
            self.since = cycle;
        }
    }

    /// Ends the rest, if there is one.
    pub(super) fn wake(&mut self, node: &mut RingNode, cycle: u64) -> bool {
        self.catch_up(node, cycle);
        std::mem::take(&mut self.until) != 0
    }
}
