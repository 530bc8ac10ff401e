// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards under processes: each with its faults, and its frames on a capture file.

use crate::run::boards::{BoardsPlan, Observer, Stepper};
use crate::run::capture::Capture;
use crate::run::{RunError, Sink, Window, within};
use awgstar::host::{Choice, DrivenRing, HostError, Record, Waiting};
use awgstar::quantity::{Cycle, NodeId};
use awgstar::request::Process;
use awgstar::ring::{BoardRing, ScenarioError};
use awgstar::rtl::{
    Smb,
    smb::{Inputs, Outputs},
};
use awgstar::stall::{Machine, Open};
use awgstar_rings::machine::{Mesh, MeshError, Processes, Rings, Stepped};
use thiserror::Error;

/// Rings from a file.
#[derive(Clone, Debug)]
pub struct RingsPlan {
    /// One line that says what it shows.
    pub title: String,
    pub mesh: Mesh,
    /// The boards of each ring, and what happens to them.
    pub plans: Vec<BoardsPlan>,
}

impl RingsPlan {
    /// Changes the firmware.
    pub fn choose(&mut self, choice: Choice) {
        self.mesh.choice = choice;
        for programs in self.plans.iter_mut().filter_map(|plan| plan.programs.as_mut()) {
            programs.choice = choice;
        }
    }

    /// Length of the longest run.
    #[must_use]
    pub fn limit(&self) -> Cycle {
        self.plans.iter().map(|plan| plan.cycles).min().unwrap_or_default()
    }

    /// The rings with a process for each board but those of gateways, in the order of rings and boards. They keep records
    /// if asked to; the frames of each ring go to its file, if there are files.
    ///
    /// # Errors
    /// If there are not as many processes, a ring is invalid, or a file cannot be written.
    pub fn build<'f, Q: Process + Send + 'static>(
        &self,
        mut processes: impl Iterator<Item = Q>,
        records: bool,
        (files, window): (&[Sink<'f>], Option<Window>),
    ) -> Result<Rings<RingRun<'_, 'f>>, RingsRunError> {
        let (mut plans, mut files) = (self.plans.iter(), files.iter());
        self.mesh.build_of(
            |_, _| processes.next(),
            |_, processes| {
                let plan = plans.next().ok_or(MeshError::Rings(self.mesh.rings))?;
                let out = files.next().map(|file| (*file, window));
                Ok(RingRun::new(plan, processes, records, out)?)
            },
        )
    }

    /// Processes of each ring.
    #[must_use]
    pub const fn processes(&self) -> usize {
        self.mesh.boards() - self.mesh.gateways() as usize
    }
}

/// Rings that cannot run.
#[derive(Debug, Error)]
pub enum RingsRunError {
    #[error(transparent)]
    Mesh(#[from] MeshError),
    #[error(transparent)]
    Ring(#[from] RunError),
}

/// A ring that runs by its plan.
pub struct RingRun<'a, 'f> {
    plan: &'a BoardsPlan,
    stepper: Stepper<dyn Process + Send>,
    capture: Option<Capture<'f>>,
    /// What ended the run of this ring: it goes on no more.
    failed: Option<ScenarioError>,
}

impl<'a, 'f> RingRun<'a, 'f> {
    fn new(
        plan: &'a BoardsPlan,
        processes: Processes,
        records: bool,
        out: Option<(Sink<'f>, Option<Window>)>,
    ) -> Result<Self, RunError> {
        let stepper = Stepper::with_processes(plan, processes, records)?;
        let capture = out.map(|(out, window)| plan.capture(out, window)).transpose()?;
        Ok(RingRun { plan, stepper, capture, failed: None })
    }

    /// The boards.
    #[must_use]
    pub fn ring(&self) -> &BoardRing {
        self.stepper.ring()
    }

    /// The records so far, which are kept no longer.
    pub fn take_records(&mut self) -> Vec<Record> {
        self.stepper.system_mut().map(DrivenRing::take_records).unwrap_or_default()
    }

    /// Ends its capture file after its last cycle.
    ///
    /// # Errors
    /// What ended the run; if the file cannot be written, or the window is after the end of the run.
    pub fn finish(self, window: Option<Window>) -> Result<(), RunError> {
        if let Some(failed) = self.failed {
            return Err(failed.into());
        }
        let Some(capture) = self.capture else { return Ok(()) };
        if let Some(window) = window {
            within(window.cycles(), self.stepper.ring().cycle().0, "cycles")?;
        }
        Ok(capture.finish()?)
    }

    fn one_cycle(&mut self) -> Result<(), ScenarioError> {
        let Some(capture) = self.capture.as_mut().filter(|capture| !capture.is_done()) else {
            return self.stepper.step(self.plan, None);
        };
        let mut look = |cycle, board, smb: &Smb, i: &Inputs, _: &Outputs| {
            capture.board(cycle, board, smb, i);
        };
        self.stepper.step(self.plan, Some(&mut look as &mut Observer<'_>))?;
        capture.after_boards(self.stepper.ring());
        Ok(())
    }
}

/// What the stall rule sees: the boards with their firmware, and what the plan has in store for them.
impl Machine for RingRun<'_, '_> {
    type Shape = ();

    fn open(&self) -> Open {
        self.stepper.system().map_or(Open::None, Machine::open)
    }

    fn in_flight(&self) -> bool {
        self.stepper.system().is_some_and(Machine::in_flight)
    }

    fn helps_later(&self) -> bool {
        let calm = self.plan.calm.is_some_and(|at| at >= self.cycle());
        calm || self.stepper.system().is_some_and(Machine::helps_later)
    }

    fn rounds(&self) -> Option<u64> {
        self.stepper.system().and_then(Machine::rounds)
    }

    fn shape(&self) {}
}

impl Stepped for RingRun<'_, '_> {
    fn step(&mut self) {
        if self.failed.is_none() {
            self.failed = self.one_cycle().err();
        }
    }

    fn cycle(&self) -> Cycle {
        self.stepper.ring().cycle()
    }

    fn waits(&self, node: NodeId) -> bool {
        self.stepper.system().is_some_and(|system| system.waits(node))
    }

    fn lives(&self, node: NodeId) -> bool {
        self.stepper.ring().is_live(node.index())
    }

    fn board(&self, node: NodeId) -> &Smb {
        self.stepper.ring().board(node.index())
    }

    fn waiting(&self) -> Vec<Waiting> {
        self.stepper.system().map(DrivenRing::waiting).unwrap_or_default()
    }

    fn wake(&mut self) {
        self.stepper.wake();
    }

    fn settle(&mut self, limit: Cycle) -> Result<(), HostError> {
        self.stepper.system_mut().map_or(Ok(()), |system| system.settle(limit))
    }
}
