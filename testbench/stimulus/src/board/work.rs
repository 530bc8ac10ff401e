// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards whose hosts run firmware: locks and barriers over the AXI4-Lite port, in lockstep.

use crate::StimulusError;
use crate::machine::{Look, Running};
use awgstar::quantity::{Cycle, NodeId};
use awgstar::{
    host::{Choice, DrivenRing, HostError, Setup, process, work::Work},
    rtl::Smb,
};

/// Work of all nodes, with the firmware that does it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkRun {
    /// Boards, fibre, faults.
    pub setup: Setup,
    /// Protocols.
    pub choice: Choice,
    pub work: Work,
    /// Length of the run.
    pub cycles: Cycle,
}

impl WorkRun {
    /// The model, before its first cycle.
    ///
    /// # Errors
    /// If the scenario is invalid.
    pub fn system(&self) -> Result<DrivenRing<Choice>, HostError> {
        let nodes = self.setup.scenario.boards;
        let mut system = DrivenRing::new(self.choice, &self.setup)?;
        for (node, program) in NodeId::all(nodes).zip(self.work.programs(nodes)) {
            system.start(node, process(node, program))?;
        }
        Ok(system)
    }

    pub(super) fn bench(&self) -> Result<Box<dyn Running<Smb>>, StimulusError> {
        let system = self.system().map_err(|e| StimulusError::format("scenario", e.to_string()))?;
        Ok(Box::new(Working(system, self.cycles)))
    }
}

/// The system, and the cycle it ends with.
struct Working(DrivenRing<Choice>, Cycle);

impl Running<Smb> for Working {
    fn done(&self) -> bool {
        self.0.ring().cycle() >= self.1
    }

    fn node_mut(&mut self, node: usize) -> &mut Smb {
        self.0.ring_mut().board_mut(node)
    }

    fn step(&mut self, look: &mut Look<'_, Smb>) {
        self.0.step_observed(&mut |node, board, inputs, outputs| {
            look(node, board, inputs, outputs);
        });
    }
}
