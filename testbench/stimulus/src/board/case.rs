// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases of a board for the lockstep, and the model under test.

use crate::StimulusError;
use crate::board::player::Player;
use crate::board::ring::RingRun;
use crate::board::shrink;
use crate::board::stimulus::BoardStimulus;
use crate::board::work::WorkRun;
use crate::deposit::Deposit;
use crate::ends::Warm;
use crate::machine::{Fed, Look, Machine, PortsVisit, Running, Stimulus, Track, deposit};
use crate::shape::Shape;
use awgstar::quantity::Cycle;
use awgstar::{
    ring::{BoardRing, ScenarioError},
    rtl::{
        Parameters, Smb, ring_node,
        smb::{Inputs, Outputs},
        state::Ports,
    },
};
use std::sync::{Arc, LazyLock};

/// Case of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardCase {
    /// One board in an environment.
    Board(BoardStimulus),
    /// A ring of boards.
    Ring(RingRun),
    /// A ring of boards whose hosts run firmware.
    Work(WorkRun),
    /// One board and its inputs in every cycle: a vector.
    Inputs(Track<Inputs>),
}

/// The ring, and the cycle it ends with.
struct Playing(BoardRing, Cycle);

impl Machine for Smb {
    type Inputs = Inputs;
    type Outputs = Outputs;
    type Case = BoardCase;

    fn shape() -> &'static Arc<Shape> {
        static SHAPE: LazyLock<Arc<Shape>> =
            LazyLock::new(|| Shape::of::<Smb>(&Parameters::DEFAULT));
        &SHAPE
    }

    fn outputs(&self, inputs: &Inputs) -> Outputs {
        Smb::outputs(self, inputs)
    }

    fn clock(&mut self, inputs: &Inputs) {
        Smb::clock(self, inputs);
    }

    fn replay(track: Track<Inputs>) -> BoardCase {
        BoardCase::Inputs(track)
    }

    fn look(&self, inputs: &Inputs, visit: &mut PortsVisit<'_>) {
        let mut node = None;
        Smb::look(self, inputs, &mut |name, ports, image| {
            if name == Self::shape().layout.module {
                return;
            }
            // Inputs come first.
            if name == "u_node" && node.is_none() {
                node = Some(ring_node::Inputs::unpack(image));
            }
            visit(name, ports, image);
        });
        self.u_node.look(&node.unwrap_or_default(), &mut |name, ports, image| {
            visit(&format!("u_node.{name}"), ports, image);
        });
    }
}

/// One board that reacts.
struct Played {
    board: Smb,
    player: Player,
    /// Deposits that are still to be made.
    warm: Warm,
    cycle: Cycle,
    cycles: Cycle,
}

impl Stimulus<Smb> for BoardCase {
    fn nodes(&self) -> usize {
        match self {
            BoardCase::Ring(r) => r.scenario.boards,
            BoardCase::Work(w) => w.setup.scenario.boards,
            BoardCase::Board(_) | BoardCase::Inputs(_) => 1,
        }
    }

    fn cycles(&self) -> Cycle {
        match self {
            BoardCase::Board(s) => s.cycles,
            BoardCase::Ring(r) => r.cycles,
            BoardCase::Work(w) => w.cycles,
            BoardCase::Inputs(t) => Cycle(t.inputs.len() as u64),
        }
    }

    fn with_cycles(&self, cycles: Cycle) -> Self {
        let mut case = self.clone();
        match &mut case {
            BoardCase::Board(s) => s.cycles = cycles,
            BoardCase::Ring(r) => r.cycles = cycles,
            BoardCase::Work(w) => w.cycles = cycles,
            BoardCase::Inputs(t) => *t = std::mem::take(t).with_cycles(cycles),
        }
        case
    }

    fn bench(&self) -> Result<Box<dyn Running<Smb>>, StimulusError> {
        Ok(match self {
            BoardCase::Board(s) => Box::new(Played {
                board: Smb::default(),
                player: Player::new(s),
                warm: s.warm.clone(),
                cycle: Cycle(0),
                cycles: s.cycles,
            }),
            BoardCase::Ring(r) => {
                let wrong = |e: ScenarioError| StimulusError::format("scenario", e.to_string());
                let mut ring = BoardRing::new(&r.scenario).map_err(wrong)?;
                for (board, ops) in r.hosts.iter().enumerate() {
                    ring.push(board, ops.iter().copied()).map_err(wrong)?;
                }
                Box::new(Playing(ring, r.cycles))
            }
            BoardCase::Work(w) => w.bench()?,
            BoardCase::Inputs(t) => Box::new(Fed::<Smb>::new(t.clone())),
        })
    }

    fn candidates(&self) -> Vec<Self> {
        match self {
            BoardCase::Board(s) => shrink::board(s).into_iter().map(BoardCase::Board).collect(),
            BoardCase::Ring(r) => shrink::ring(r).into_iter().map(BoardCase::Ring).collect(),
            // Firmware that is interrupted at another place does something else: nothing is smaller.
            BoardCase::Work(_) | BoardCase::Inputs(_) => Vec::new(),
        }
    }
}

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

impl Running<Smb> for Played {
    fn done(&self) -> bool {
        self.cycle >= self.cycles
    }

    fn deposit(&mut self) -> Vec<Deposit> {
        let due = self.warm.deposits(self.cycle, &self.board);
        self.warm.done(self.cycle);
        deposit(&mut self.board, &due);
        due
    }

    fn node_mut(&mut self, _: usize) -> &mut Smb {
        &mut self.board
    }

    fn step(&mut self, look: &mut Look<'_, Smb>) {
        self.deposit();
        let inputs = self.player.drive(self.cycle);
        let outputs = self.board.outputs(&inputs);
        look(0, &self.board, &inputs, &outputs);
        self.board.clock(&inputs);
        self.player.clock(self.cycle, &inputs, &outputs);
        self.cycle += Cycle(1);
    }
}
