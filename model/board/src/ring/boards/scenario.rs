// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario of a run of boards: sizes, links and faults.

use crate::ring::scenario::{
    Cut, Dead, FIBRE_MAX, Fault, NODES_MAX, Noise, ScenarioError, Slow, range,
};
use crate::rtl::Parameters;

/// A ring of boards: all of a run follows from here and from what the hosts do (RING-2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardScenario {
    /// Number of boards, 1 to 256.
    pub boards: usize,
    /// Sizes of memory and buffers of every board.
    pub parameters: Parameters,
    /// Cycles of link i, from board i to board i + 1.
    pub fibre: Vec<u32>,
    /// Faults of the links, by frame.
    pub faults: Vec<Fault>,
    /// Bit errors of all links at random.
    pub noise: Noise,
    /// Links that are cut.
    pub cuts: Vec<Cut>,
    /// Boards that die.
    pub dead: Vec<Dead>,
    /// Boards that are slow for a time.
    pub slow: Vec<Slow>,
}

impl BoardScenario {
    /// A ring of `boards` with links of no delay and no faults.
    #[must_use]
    pub fn new(boards: usize) -> Self {
        BoardScenario { boards, fibre: vec![0; boards], ..BoardScenario::default() }
    }

    /// Checks that every entry is in range and names an existing board.
    ///
    /// # Errors
    /// If the scenario is invalid; the error names the first wrong entry.
    pub fn check(&self) -> Result<(), ScenarioError> {
        let nodes = self.boards;
        if !(1..=NODES_MAX).contains(&nodes) {
            return Err(ScenarioError::Nodes(nodes));
        }
        let (list, found) = ("fibre", self.fibre.len());
        if found != nodes {
            return Err(ScenarioError::PerNode { list, nodes, found });
        }
        for (index, &delay) in self.fibre.iter().enumerate() {
            range("fibre", index, "cycles", 0, FIBRE_MAX.into(), delay.into())?;
        }
        range("noise", 0, "rate", 0, 1 << 27, self.noise.rate.into())?;
        let board = |list, index, found| {
            let error = ScenarioError::NoSuchNode { list, index, nodes, found };
            if found < nodes { Ok(()) } else { Err(error) }
        };
        for (index, fault) in self.faults.iter().enumerate() {
            board("faults", index, fault.link)?;
            fault.check(index)?;
        }
        for (index, cut) in self.cuts.iter().enumerate() {
            board("cuts", index, cut.link)?;
            range("cuts", index, "until", cut.from.0, u64::MAX, cut.until.0)?;
        }
        for (index, dead) in self.dead.iter().enumerate() {
            board("dead", index, dead.board)?;
        }
        for (index, slow) in self.slow.iter().enumerate() {
            board("slow", index, slow.board)?;
            range("slow", index, "cycles", 1, FIBRE_MAX.into(), slow.cycles.into())?;
            range("slow", index, "until", slow.from.0, u64::MAX, slow.until.0)?;
        }
        Ok(())
    }
}
