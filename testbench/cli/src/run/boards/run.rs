// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run.

use crate::run::boards::host::{ActResult, Host};
use crate::run::boards::look_ahead::{InjectedFault, LookAhead};
use crate::run::boards::plan::BoardsPlan;
use crate::run::boards::programs::{DrivenBoards, ProgramRun};
use crate::run::boards::router::{Control, Event};
use awgstar::quantity::{Cycle, NodeId};
use awgstar::{
    host::{Choice, DrivenRing, Process},
    ring::{BoardRing, ScenarioError},
    rtl::{
        Smb,
        smb::{Inputs, Outputs},
    },
};

/// Cycles between two calls of the progress function.
const PROGRESS: u64 = 4096;

/// Called with the number of a board, its state just before the edge, its inputs and outputs.
pub type Observer<'a> = dyn FnMut(u64, usize, &Smb, &Inputs, &Outputs) + 'a;

/// A run that is over.
#[derive(Debug)]
pub struct BoardsRun {
    /// The ring after its last cycle.
    pub ring: BoardRing,
    /// Results of the acts of each host, in order.
    pub done: Vec<Vec<ActResult>>,
    /// Result of the programs, if there are any.
    pub programs: Option<ProgramRun>,
    /// Faults that found their frames.
    pub struck: Vec<InjectedFault>,
    /// Bits that noise inverted.
    pub inverted: u64,
    /// Events of the controller of the router.
    pub routed: Vec<Event>,
}

impl BoardsRun {
    /// Runs a plan to its end. `progress` is called with the cycle at intervals.
    ///
    /// # Errors
    /// If the plan is invalid.
    pub fn new(
        plan: &BoardsPlan,
        progress: &mut dyn FnMut(u64),
    ) -> Result<BoardsRun, ScenarioError> {
        BoardsRun::observed(plan, progress, None)
    }

    /// Like [`BoardsRun::new`]; the observer sees every live board in every cycle.
    ///
    /// # Errors
    /// If the plan is invalid.
    pub fn observed(
        plan: &BoardsPlan,
        progress: &mut dyn FnMut(u64),
        look: Option<&mut Observer<'_>>,
    ) -> Result<BoardsRun, ScenarioError> {
        BoardsRun::with_hosts(plan, Hosts::new(plan)?, progress, look, &mut |_| false)
    }

    /// Like [`BoardsRun::new`], with processes instead of the programs of the plan. It also ends when `stop`
    /// is true, which is asked before each cycle. Records are kept if asked for: they have every access.
    ///
    /// # Errors
    /// If the plan is invalid or has no firmware.
    pub fn with_processes(
        plan: &BoardsPlan,
        processes: Vec<(NodeId, Box<dyn Process>)>,
        records: bool,
        progress: &mut dyn FnMut(u64),
        stop: &mut dyn FnMut(&DrivenRing<Choice>) -> bool,
    ) -> Result<BoardsRun, ScenarioError> {
        let (list, nodes) = ("programs", plan.boards.len());
        let none = ScenarioError::PerNode { list, nodes, found: 0 };
        let programs = plan.programs.as_ref().ok_or(none)?;
        let driven = DrivenBoards::with_processes(plan, programs, processes, records)?;
        let hosts = Hosts::Programs(Box::new(driven));
        let stop = &mut |hosts: &Hosts| match hosts {
            Hosts::Programs(under) => stop(under.system()),
            Hosts::Acts(..) => false,
        };
        BoardsRun::with_hosts(plan, hosts, progress, None, stop)
    }

    fn with_hosts(
        plan: &BoardsPlan,
        mut under: Hosts,
        progress: &mut dyn FnMut(u64),
        mut look: Option<&mut Observer<'_>>,
        stop: &mut dyn FnMut(&Hosts) -> bool,
    ) -> Result<BoardsRun, ScenarioError> {
        let mut look_ahead = LookAhead::new(under.ring(), &plan.hits);
        let mut control = Control::new(under.ring_mut(), plan.router.as_ref())?;
        let mut struck = Vec::new();
        let mut inverted = 0;
        let mut changed = false;
        while under.ring().cycle() < plan.cycles && !under.is_over() && !stop(&under) {
            let cycle = under.ring().cycle();
            if let (Some(control), Hosts::Acts(ring, hosts)) = (&mut control, &mut under) {
                control.step(ring, hosts)?;
            }
            for reset in plan.resets.iter().filter(|r| r.at == cycle) {
                under.reset(reset.board, reset.cycles)?;
                changed = true;
            }
            if plan.calm == Some(cycle) {
                inverted = under.ring().inverted();
                under.ring_mut().calm();
                struck.extend(look_ahead.take().iter().flat_map(LookAhead::struck));
            }
            changed |= under.before()?;
            if let Some(look_ahead) = &mut look_ahead {
                if changed {
                    look_ahead.renew(under.ring());
                }
                look_ahead.step(under.ring_mut())?;
            }
            if look_ahead.as_ref().is_some_and(|s| !s.looks()) {
                struck.extend(look_ahead.take().iter().flat_map(LookAhead::struck));
            }
            changed = match &mut look {
                Some(look) => under.step(&mut |i, smb, inputs, o| look(cycle.0, i, smb, inputs, o)),
                // Nothing but firmware looks at the boards.
                None if look_ahead.is_none() => under.advance(),
                None => under.step(&mut |_, _, _, _| {}),
            };
            if cycle.0.is_multiple_of(PROGRESS) {
                progress(cycle.0);
            }
        }
        struck.extend(look_ahead.iter().flat_map(LookAhead::struck));
        let inverted = inverted.max(under.ring().inverted());
        let routed = control.iter().flat_map(Control::events).collect();
        let (ring, done, programs) = under.end();
        Ok(BoardsRun { ring, done, programs, struck, inverted, routed })
    }
}

/// Hosts of the boards: acts or programs.
enum Hosts {
    /// Hosts that do one thing after the other.
    Acts(BoardRing, Vec<Host>),
    /// Firmware and programs.
    Programs(Box<DrivenBoards>),
}

impl Hosts {
    fn new(plan: &BoardsPlan) -> Result<Hosts, ScenarioError> {
        if let Some(programs) = &plan.programs {
            return Ok(Hosts::Programs(Box::new(DrivenBoards::new(plan, programs)?)));
        }
        let hosts = plan.boards.iter().zip(&plan.acts);
        let hosts = hosts.map(|(s, acts)| Host::new(*s, acts)).collect();
        Ok(Hosts::Acts(BoardRing::new(&plan.scenario)?, hosts))
    }

    fn ring(&self) -> &BoardRing {
        match self {
            Hosts::Acts(ring, _) => ring,
            Hosts::Programs(under) => under.ring(),
        }
    }

    fn ring_mut(&mut self) -> &mut BoardRing {
        match self {
            Hosts::Acts(ring, _) => ring,
            Hosts::Programs(under) => under.system_mut().ring_mut(),
        }
    }

    fn reset(&mut self, board: usize, cycles: Cycle) -> Result<(), ScenarioError> {
        match self {
            Hosts::Acts(ring, hosts) => {
                ring.reset(board, cycles)?;
                hosts[board].reset(ring, board);
                Ok(())
            }
            Hosts::Programs(under) => under.reset(board, cycles),
        }
    }

    /// Nothing more is going to happen.
    fn is_over(&self) -> bool {
        matches!(self, Hosts::Programs(under) if under.is_over())
    }

    /// Lets hosts begin their next acts before a cycle; returns true if one begins.
    fn before(&mut self) -> Result<bool, ScenarioError> {
        let Hosts::Acts(ring, hosts) = self else { return Ok(false) };
        let mut changed = false;
        for (i, host) in hosts.iter_mut().enumerate() {
            if ring.host(i).is_idle() {
                changed |= host.step(ring, i)?;
            }
        }
        Ok(changed)
    }

    /// Steps one cycle; returns true if hosts began something after it.
    fn step(&mut self, look: &mut impl FnMut(usize, &Smb, &Inputs, &Outputs)) -> bool {
        match self {
            Hosts::Acts(ring, _) => {
                ring.step_observed(look);
                false
            }
            Hosts::Programs(under) => under.system_mut().step_observed(look),
        }
    }

    /// Like `step`, without an observer.
    fn advance(&mut self) -> bool {
        match self {
            Hosts::Acts(ring, _) => {
                ring.step();
                false
            }
            Hosts::Programs(under) => under.system_mut().advance(),
        }
    }

    fn end(self) -> (BoardRing, Vec<Vec<ActResult>>, Option<ProgramRun>) {
        match self {
            Hosts::Acts(ring, hosts) => (ring, hosts.iter().map(Host::done).collect(), None),
            Hosts::Programs(under) => {
                let (ring, ran) = under.end();
                let none = vec![Vec::new(); ring.boards()];
                (ring, none, Some(ran))
            }
        }
    }
}
