//! Why a run is no success: who waits for what (DRV-6).

use super::Ask;
use awgstar_board::ring::ScenarioError;
use awgstar_frame::contract::page_table::PageTableError;
use awgstar_frame::quantity::NodeId;
use thiserror::Error;

/// Why a run is no success.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    /// The ring cannot be.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The page table cannot be.
    #[error(transparent)]
    Pages(#[from] PageTableError),
    /// There is no such node.
    #[error("node {found}: expected one below {nodes}")]
    Node {
        /// Nodes.
        nodes: usize,
        /// What was asked for.
        found: usize,
    },
    /// Processes still wait.
    #[error("cycle {cycle}: {}", waiting.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Timeout {
        /// Cycle in which the run was stopped.
        cycle: u64,
        /// Who waits for what.
        waiting: Vec<Waiting>,
    },
}

/// A process that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Node.
    pub node: NodeId,
    /// What for; `None` before the board is known to all.
    pub ask: Option<Ask>,
    /// Since which cycle.
    pub since: u64,
}

impl std::fmt::Display for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.ask {
            Some(ask) => write!(f, "node {} waits for {ask:?} since {}", self.node, self.since),
            None => write!(f, "node {} is not up", self.node),
        }
    }
}
