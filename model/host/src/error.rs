// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of a run, with the process that waits and its request (DRV-6).

use awgstar_board::ring::ScenarioError;
use awgstar_frame::contract::page_table::PageTableError;
use awgstar_frame::quantity::{Cycle, NodeId};
use awgstar_request::Request;
use thiserror::Error;

/// Error of a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    /// The scenario is invalid.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The page table is invalid.
    #[error(transparent)]
    Pages(#[from] PageTableError),
    /// There is no such node.
    #[error("node {found}: expected one below {nodes}")]
    Node {
        /// Nodes.
        nodes: usize,
        /// The node that was asked for.
        found: usize,
    },
    /// A node uses an engine that its board does not have, or that is too small for the ring.
    #[error(
        "node {node}: ENGINE_NODE_W is {width}: expected one with 2^ENGINE_NODE_W >= {nodes} nodes, 1 to 8"
    )]
    NoEngine {
        /// Node.
        node: NodeId,
        /// Nodes of the ring.
        nodes: usize,
        /// The parameter `ENGINE_NODE_W` of the boards.
        width: usize,
    },
    /// Processes still wait.
    #[error("cycle {cycle}: {}", waiting.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Timeout {
        /// Cycle in which the run was stopped.
        cycle: Cycle,
        /// Processes that wait, with their requests.
        waiting: Vec<Waiting>,
    },
}

/// A process that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub node: NodeId,
    /// The request; `None` before all boards know this one, and for a [`CustomHost`](crate::CustomHost).
    pub asked: Option<Request>,
    /// Since which cycle.
    pub since: Cycle,
}

impl std::fmt::Display for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.asked {
            Some(asked) => write!(f, "node {} waits for {asked} since {}", self.node, self.since),
            None => write!(f, "node {} is not up, or its host has not ended", self.node),
        }
    }
}
