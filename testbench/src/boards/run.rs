//! The run.

use super::{
    host::{Done, Host},
    plan::Plan,
    router::{Control, Event},
    scout::{Scout, Struck},
};
use awgstar::{
    ring::{BoardRing, ScenarioError},
    rtl::{
        Smb,
        smb::{Inputs, Outputs},
    },
};

/// Cycles between two calls of the progress function.
const PROGRESS: u64 = 4096;

/// Called with the number of a board, its state just before the edge, its inputs and outputs.
pub type Look<'a> = dyn FnMut(u64, usize, &Smb, &Inputs, &Outputs) + 'a;

/// A run that is over.
#[derive(Debug)]
pub struct Run {
    /// The ring behind its last cycle.
    pub ring: BoardRing,
    /// What came of each act of each host.
    pub done: Vec<Vec<Done>>,
    /// Faults that found their frames.
    pub struck: Vec<Struck>,
    /// Bits that noise inverted.
    pub inverted: u64,
    /// What the controller of the router did.
    pub routed: Vec<Event>,
}

impl Run {
    /// Runs a plan to its end. `progress` is called with the cycle now and then.
    ///
    /// # Errors
    /// When the plan makes no sense.
    pub fn new(plan: &Plan, progress: &mut dyn FnMut(u64)) -> Result<Run, ScenarioError> {
        Run::observed(plan, progress, None)
    }

    /// The same, with a look at every live board in every cycle.
    ///
    /// # Errors
    /// When the plan makes no sense.
    pub fn observed(
        plan: &Plan,
        progress: &mut dyn FnMut(u64),
        mut look: Option<&mut Look<'_>>,
    ) -> Result<Run, ScenarioError> {
        let mut ring = BoardRing::new(&plan.scenario)?;
        let hosts = plan.boards.iter().zip(&plan.acts);
        let mut hosts: Vec<Host> = hosts.map(|(s, acts)| Host::new(*s, acts)).collect();
        let mut scout = Scout::new(&ring, &plan.hits);
        let mut control = Control::new(&mut ring, plan.router.as_ref())?;
        let mut struck = Vec::new();
        let mut inverted = 0;
        while ring.cycle() < plan.cycles {
            let cycle = ring.cycle();
            let mut changed = false;
            if let Some(control) = &mut control {
                control.step(&mut ring, &mut hosts)?;
            }
            for reset in plan.resets.iter().filter(|r| r.at == cycle) {
                ring.reset(reset.board, reset.cycles)?;
                hosts[reset.board].reset(&ring, reset.board);
                changed = true;
            }
            if plan.calm == Some(cycle) {
                inverted = ring.inverted();
                ring.calm();
                struck.extend(scout.take().iter().flat_map(Scout::struck));
            }
            for (i, host) in hosts.iter_mut().enumerate() {
                if ring.host(i).is_idle() {
                    changed |= host.step(&mut ring, i)?;
                }
            }
            if let Some(scout) = &mut scout {
                if changed {
                    scout.renew(&ring);
                }
                scout.step(&mut ring)?;
            }
            if scout.as_ref().is_some_and(|s| !s.looks()) {
                struck.extend(scout.take().iter().flat_map(Scout::struck));
            }
            match &mut look {
                Some(look) => {
                    ring.step_observed(&mut |i, smb, inputs, o| look(cycle, i, smb, inputs, o));
                }
                None => ring.step(),
            }
            if cycle % PROGRESS == 0 {
                progress(cycle);
            }
        }
        struck.extend(scout.iter().flat_map(Scout::struck));
        let inverted = inverted.max(ring.inverted());
        let routed = control.iter().flat_map(Control::events).collect();
        Ok(Run { done: hosts.iter().map(Host::done).collect(), ring, struck, inverted, routed })
    }
}
