// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario of a run of boards: sizes, links and faults.

use super::super::scenario::{FIBRE_MAX, Fault, NODES_MAX, ScenarioError, range};
use awgstar_frame::quantity::Cycle;

/// A ring of boards: all of a run follows from here and from what the hosts do (RING-2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardScenario {
    /// Number of boards, 1 to 256.
    pub boards: usize,
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

/// Bit errors at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noise {
    /// Bits inverted of 2^32; 2^27 at most, which is one in every word.
    pub rate: u32,
    /// Where they are follows from here.
    pub seed: u64,
}

/// A link over which nothing comes for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The link: that after board `link`.
    pub link: usize,
    /// First cycle in which nothing arrives.
    pub from: Cycle,
    /// First cycle in which something arrives again.
    pub until: Cycle,
}

/// A board that dies: an optical switch bridges it, so that what comes to it goes on to the next
/// board, a cycle later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dead {
    /// The board.
    pub board: usize,
    /// First cycle in which the board is dead.
    pub cycle: Cycle,
}

/// A board that is slow: frames that leave it in this time reach the link later. Their words stay
/// together, and their order is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slow {
    /// The board.
    pub board: usize,
    /// Delay in cycles, 1 to 340,000.
    pub cycles: u32,
    /// First cycle in which a frame that leaves it is late.
    pub from: Cycle,
    /// First cycle in which no frame is late any more.
    pub until: Cycle,
}

impl BoardScenario {
    /// A ring of `boards` with links of no delay and no faults.
    #[must_use]
    pub fn new(boards: usize) -> Self {
        BoardScenario { boards, fibre: vec![0; boards], ..BoardScenario::default() }
    }

    /// First cycle in which board `i` is dead.
    pub(super) fn dead_from(&self, i: usize) -> u64 {
        let cycles = self.dead.iter().filter(|dead| dead.board == i).map(|dead| dead.cycle.0);
        cycles.min().unwrap_or(u64::MAX)
    }

    /// By how many cycles frames that leave board `i` in `cycle` are late.
    pub(super) fn late(slow: &[Slow], i: usize, cycle: u64) -> u64 {
        let now = |s: &&Slow| s.board == i && (s.from.0..s.until.0).contains(&cycle);
        slow.iter().filter(now).map(|s| s.cycles.into()).max().unwrap_or(0)
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
