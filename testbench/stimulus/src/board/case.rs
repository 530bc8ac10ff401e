// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board as a module that runs in lockstep.

use crate::StimulusError;
use crate::board::player::Player;
use crate::board::ring::RingRun;
use crate::board::shrink;
use crate::board::stimulus::BoardStimulus;
use crate::board::work::WorkRun;
use crate::machine::{Bench, Look, PortsVisit, Running, Stimulus, machine};
use awgstar::quantity::Cycle;
use awgstar::{
    ring::{BoardRing, ScenarioError},
    rtl::{Parameters, RingNode, Smb, ring_node, smb, state::Ports},
};

/// A run of a ring of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardRun {
    /// Hosts have a list of accesses.
    Hosts(RingRun),
    /// Hosts run firmware.
    Firmware(WorkRun),
}

impl From<RingRun> for BoardRun {
    fn from(run: RingRun) -> Self {
        BoardRun::Hosts(run)
    }
}

impl From<WorkRun> for BoardRun {
    fn from(run: WorkRun) -> Self {
        BoardRun::Firmware(run)
    }
}

/// Shows the instances of a board that `board` gives, but for the board, then those of its node.
pub(super) fn look(
    node: &RingNode,
    board: impl FnOnce(&mut PortsVisit<'_>),
    visit: &mut PortsVisit<'_>,
) {
    let mut inputs = None;
    board(&mut |name, ports, image| {
        if name == "smb" || name == "smb_axi4" {
            return;
        }
        // Inputs come first.
        if name == "u_node" && inputs.is_none() {
            inputs = Some(ring_node::Inputs::unpack(image));
        }
        visit(name, ports, image);
    });
    node.look(&inputs.unwrap_or_default(), &mut |name, ports, image| {
        visit(&format!("u_node.{name}"), ports, image);
    });
}

machine!(Smb, smb, Parameters::DEFAULT, BoardStimulus, BoardRun, {
    fn look(&self, inputs: &smb::Inputs, visit: &mut PortsVisit<'_>) {
        look(&self.u_node, |each| Smb::look(self, inputs, &mut |a, b, c| each(a, b, c)), visit);
    }
});

impl Stimulus<Smb> for BoardStimulus {
    type Player = Player;

    fn cycles(&self) -> Cycle {
        self.cycles
    }

    fn set_cycles(&mut self, cycles: Cycle) {
        self.cycles = cycles;
    }

    fn player(&self, _: &Parameters) -> Player {
        Player::new(self)
    }

    fn candidates(&self) -> Vec<Self> {
        shrink::board(self)
    }
}

impl Bench<Smb> for BoardRun {
    fn nodes(&self) -> usize {
        match self {
            BoardRun::Hosts(r) => r.scenario.boards,
            BoardRun::Firmware(w) => w.setup.scenario.boards,
        }
    }

    fn cycles(&self) -> Cycle {
        match self {
            BoardRun::Hosts(r) => r.cycles,
            BoardRun::Firmware(w) => w.cycles,
        }
    }

    fn set_cycles(&mut self, cycles: Cycle) {
        match self {
            BoardRun::Hosts(r) => r.cycles = cycles,
            BoardRun::Firmware(w) => w.cycles = cycles,
        }
    }

    fn parameters(&self) -> Parameters {
        match self {
            BoardRun::Hosts(r) => r.scenario.parameters,
            BoardRun::Firmware(w) => w.setup.scenario.parameters,
        }
    }

    fn running(&self) -> Result<Box<dyn Running<Smb>>, StimulusError> {
        let run = match self {
            BoardRun::Hosts(run) => run,
            BoardRun::Firmware(work) => return work.bench(),
        };
        let wrong = |e: ScenarioError| StimulusError::format("scenario", e.to_string());
        let mut ring = BoardRing::new(&run.scenario).map_err(wrong)?;
        for (board, ops) in run.hosts.iter().enumerate() {
            ring.push(board, ops.iter().copied()).map_err(wrong)?;
        }
        Ok(Box::new(Playing(ring, run.cycles)))
    }

    /// Firmware that is interrupted at another place does something else: nothing is smaller.
    fn candidates(&self) -> Vec<Self> {
        match self {
            BoardRun::Hosts(r) => shrink::ring(r).into_iter().map(BoardRun::Hosts).collect(),
            BoardRun::Firmware(_) => Vec::new(),
        }
    }
}

/// The ring, and the cycle it ends with.
struct Playing(BoardRing, Cycle);

impl Running<Smb> for Playing {
    fn done(&self) -> bool {
        self.0.cycle() >= self.1
    }

    fn node_mut(&mut self, node: usize) -> &mut Smb {
        self.0.board_mut(node)
    }

    fn step(&mut self, look: &mut Look<'_, Smb>) {
        self.0.step_observed(&mut |node, board, inputs, outputs| {
            look(node, board, inputs, outputs);
        });
    }
}
