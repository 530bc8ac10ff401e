// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of the boards of a ring.

use awgstar_board::ring::{BoardScenario, HostOp, boards::configure};
use awgstar_frame::quantity::{Cycle, NodeId, narrow};

/// Settings of the boards of a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Boards, fibre, faults.
    pub scenario: BoardScenario,
    pub tokens: u8,
    /// Cycles after which a board sends a frame again.
    pub timeout: u32,
    /// Cycles between heartbeats.
    pub period: u32,
    /// Cycles that the host of each node takes before it looks at what its board reports; 0 for
    /// nodes that the list does not reach.
    pub slow: Vec<Cycle>,
    /// Keep records.
    pub records: bool,
}

impl Setup {
    /// A ring of `nodes` without faults, with links of `fibre` cycles.
    #[must_use]
    pub fn new(nodes: usize, fibre: u32) -> Self {
        let mut scenario = BoardScenario::new(nodes);
        scenario.fibre = vec![fibre; nodes];
        // A ring has at most 256 nodes; the scenario with more is refused.
        let count: u32 = narrow(nodes.min(256));
        let rotation = count * (4 + fibre);
        Setup {
            scenario,
            tokens: 1,
            // A rotation, and what may wait in every node on the way: a store of 512 words.
            timeout: rotation + 512 * count + 1_000,
            period: 4 * rotation + 2_000,
            slow: Vec::new(),
            records: false,
        }
    }

    /// The same with the engine in each board, for all `Node_ID`s.
    #[must_use]
    pub fn with_engines(mut self) -> Self {
        let with = self.scenario.parameters.with("smb", "ENGINE_NODE_W", 8);
        self.scenario.parameters = with.unwrap_or(self.scenario.parameters);
        self
    }

    /// The accesses that configure each board.
    #[must_use]
    pub fn configuration(&self) -> Vec<Vec<HostOp>> {
        let board = |node| configure(node, self.tokens, self.timeout, self.period);
        NodeId::all(self.scenario.boards).map(board).collect()
    }
}
