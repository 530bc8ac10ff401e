// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run.

use crate::run::boards::host::{ActResult, Host};
use crate::run::boards::look_ahead::{InjectedFault, LookAhead};
use crate::run::boards::plan::BoardsPlan;
use crate::run::boards::programs::{DrivenBoards, ProgramRun, Wrap};
use crate::run::boards::router::{Control, Event};
use crate::run::capture::Capture;
use awgstar::quantity::{ByteAddress, Cycle, NodeId};
use awgstar::{
    host::{Choice, DrivenRing},
    request::Process,
    ring::{
        Look, Ring, ScenarioError,
        boards::{Board, Member},
    },
    rtl::Smb,
};

/// Cycles between two calls of the progress function.
const PROGRESS: u64 = 4096;

/// Called with the number of a board, its state just before the edge, its inputs and outputs.
pub type Observer<'a, M = Smb> =
    dyn FnMut(u64, usize, &M, &<M as Member>::Inputs, &<M as Member>::Outputs) + 'a;

/// A ring of boards `M` that runs processes.
pub type ProcessRing<M> = DrivenRing<Choice, dyn Process, M>;

/// A run that is over.
#[derive(Debug)]
pub struct BoardsRun<M: Board = Smb> {
    /// The ring after its last cycle.
    pub ring: Ring<M>,
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
        BoardsRun::captured(plan, progress, look, None)
    }

    /// Like [`BoardsRun::observed`]; frames are recorded, too.
    ///
    /// # Errors
    /// If the plan is invalid.
    pub fn captured(
        plan: &BoardsPlan,
        progress: &mut dyn FnMut(u64),
        look: Option<&mut Observer<'_>>,
        capture: Option<&mut Capture<'_>>,
    ) -> Result<BoardsRun, ScenarioError> {
        let hosts = Hosts::<dyn Process, Smb>::new(plan, &mut |_, runner| Box::new(runner))?;
        let look = look.map(|look| (Cycle::MAX, look));
        BoardsRun::with_hosts(plan, hosts, progress, look, capture, &mut |_| false)
    }
}

impl<M: Board> BoardsRun<M> {
    /// Like [`BoardsRun::new`], with processes instead of the programs of the plan. It also ends when `stop`
    /// is true, which is asked before each cycle. Records are kept if asked for: they have every access. The
    /// observer sees every live board in every cycle before the given one. Frames are recorded if asked for.
    ///
    /// # Errors
    /// If the plan is invalid or has no firmware.
    pub fn with_processes(
        plan: &BoardsPlan,
        processes: Vec<(NodeId, Box<dyn Process>)>,
        records: bool,
        progress: &mut dyn FnMut(u64),
        look: Option<(Cycle, &mut Observer<'_, M>)>,
        capture: Option<&mut Capture<'_>>,
        stop: &mut dyn FnMut(&ProcessRing<M>) -> bool,
    ) -> Result<Self, ScenarioError> {
        let hosts = Hosts::of_processes(plan, processes, records)?;
        let stop = &mut |hosts: &Hosts<dyn Process, M>| match hosts {
            Hosts::Programs(under) => stop(under.system()),
            Hosts::Acts(..) => false,
        };
        BoardsRun::with_hosts(plan, hosts, progress, look, capture, stop)
    }

    fn with_hosts<Q: Process + ?Sized>(
        plan: &BoardsPlan,
        hosts: Hosts<Q, M>,
        progress: &mut dyn FnMut(u64),
        mut look: Option<(Cycle, &mut Observer<'_, M>)>,
        mut capture: Option<&mut Capture<'_>>,
        stop: &mut dyn FnMut(&Hosts<Q, M>) -> bool,
    ) -> Result<Self, ScenarioError> {
        let mut stepper = Stepper::with_hosts(plan, hosts)?;
        while stepper.ring().cycle() < plan.cycles && !stepper.is_over() && !stop(&stepper.hosts) {
            let cycle = stepper.ring().cycle();
            let mut look = look.as_mut().filter(|(end, _)| cycle < *end).map(|one| &mut *one.1);
            match capture.as_mut().filter(|capture| !capture.is_done()) {
                Some(capture) => {
                    let mut both = |cycle, i, smb: &M, inputs: &M::Inputs, o: &M::Outputs| {
                        capture.board(cycle, i, smb, inputs);
                        if let Some(look) = &mut look {
                            look(cycle, i, smb, inputs, o);
                        }
                    };
                    stepper.step(plan, Some(&mut both))?;
                    capture.after_boards(stepper.ring());
                }
                None => stepper.step(plan, look)?,
            }
            if cycle.0.is_multiple_of(PROGRESS) {
                progress(cycle.0);
            }
        }
        Ok(stepper.end())
    }
}

/// A run under way, which is stepped by its user. Each call takes the plan that it was made of.
pub struct Stepper<Q: Process + ?Sized = dyn Process + Send, M: Board = Smb> {
    hosts: Hosts<Q, M>,
    look_ahead: Option<LookAhead<M>>,
    control: Option<Control>,
    struck: Vec<InjectedFault>,
    /// Bits that noise had inverted when it ended.
    inverted: u64,
    /// A host began something after the last cycle.
    changed: bool,
}

impl<Q: Process + ?Sized, M: Board> std::fmt::Debug for Stepper<Q, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stepper").field("cycle", &self.ring().cycle()).finish_non_exhaustive()
    }
}

impl<Q: Process + ?Sized, M: Board> Stepper<Q, M> {
    /// A run before its first cycle. `wrap` is given every program of the plan, and returns the process that
    /// runs in its place.
    ///
    /// # Errors
    /// If the plan is invalid.
    pub fn new(plan: &BoardsPlan, wrap: &mut Wrap<'_, Q>) -> Result<Self, ScenarioError> {
        Stepper::with_hosts(plan, Hosts::new(plan, wrap)?)
    }

    /// A run before its first cycle, with these processes instead of the programs of the plan. Records are kept if asked
    /// for.
    ///
    /// # Errors
    /// If the plan is invalid or has no firmware.
    pub fn with_processes(
        plan: &BoardsPlan,
        processes: Vec<(NodeId, Box<Q>)>,
        records: bool,
    ) -> Result<Self, ScenarioError> {
        Stepper::with_hosts(plan, Hosts::of_processes(plan, processes, records)?)
    }

    fn with_hosts(plan: &BoardsPlan, mut hosts: Hosts<Q, M>) -> Result<Self, ScenarioError> {
        let look_ahead = LookAhead::new(hosts.ring(), &plan.hits);
        let control = Control::new(hosts.ring_mut(), plan.router.as_ref())?;
        let (struck, inverted, changed) = (Vec::new(), 0, false);
        Ok(Stepper { hosts, look_ahead, control, struck, inverted, changed })
    }

    /// The boards. Without an observer quiescent boards are skipped: their cycle counters lag until
    /// [`Stepper::wake`].
    #[must_use]
    pub fn ring(&self) -> &Ring<M> {
        self.hosts.ring()
    }

    /// The boards, to be changed before the next cycle.
    pub fn ring_mut(&mut self) -> &mut Ring<M> {
        self.changed = true;
        self.hosts.ring_mut()
    }

    /// The boards with their firmware; `None` for a plan without programs.
    #[must_use]
    pub fn system(&self) -> Option<&DrivenRing<Choice, Q, M>> {
        match &self.hosts {
            Hosts::Acts(..) => None,
            Hosts::Programs(under) => Some(under.system()),
        }
    }

    /// The boards with their firmware, to be changed before the next cycle.
    pub fn system_mut(&mut self) -> Option<&mut DrivenRing<Choice, Q, M>> {
        self.changed = true;
        match &mut self.hosts {
            Hosts::Acts(..) => None,
            Hosts::Programs(under) => Some(under.system_mut()),
        }
    }

    /// The programs of all live boards have ended, and what they sent is everywhere.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.hosts.is_over()
    }

    /// The host of a board has done what the plan says, its set-up included. True of one with firmware.
    #[must_use]
    pub fn acts_done(&self, board: usize) -> bool {
        match &self.hosts {
            Hosts::Acts(ring, hosts) => {
                ring.is_idle(board) && hosts.get(board).is_some_and(Host::is_done)
            }
            Hosts::Programs(_) => true,
        }
    }

    /// Resets a board for that many cycles; its host sets it up again.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn reset(&mut self, board: usize, cycles: Cycle) -> Result<(), ScenarioError> {
        self.changed = true;
        self.hosts.reset(board, cycles)
    }

    /// Every register of every board is as it is in this cycle.
    pub fn wake(&mut self) {
        self.hosts.ring_mut().catch_up();
    }

    /// One cycle.
    ///
    /// # Errors
    /// If the plan is invalid in a way that only a run shows.
    pub fn step(
        &mut self,
        plan: &BoardsPlan,
        look: Option<&mut Observer<'_, M>>,
    ) -> Result<(), ScenarioError> {
        let hosts = &mut self.hosts;
        let cycle = hosts.ring().cycle();
        if let (Some(control), Hosts::Acts(ring, hosts)) = (&mut self.control, &mut *hosts) {
            control.step(ring, hosts)?;
        }
        for reset in plan.resets.iter().filter(|r| r.at == cycle) {
            hosts.reset(reset.board, reset.cycles)?;
            self.changed = true;
        }
        if plan.calm == Some(cycle) {
            self.inverted = hosts.ring().inverted();
            hosts.ring_mut().calm();
            self.struck.extend(self.look_ahead.take().iter().flat_map(LookAhead::struck));
        }
        self.changed |= hosts.before()?;
        if let Some(look_ahead) = &mut self.look_ahead {
            if self.changed {
                look_ahead.renew(hosts.ring());
            }
            look_ahead.step(hosts.ring_mut())?;
        }
        if self.look_ahead.as_ref().is_some_and(|s| !s.looks()) {
            self.struck.extend(self.look_ahead.take().iter().flat_map(LookAhead::struck));
        }
        self.changed = match look {
            Some(look) => hosts.step(&mut |i, smb, inputs, o| look(cycle.0, i, smb, inputs, o)),
            // Nothing but hosts looks at the boards.
            None if self.look_ahead.is_none() && self.control.is_none() => hosts.advance(),
            None => hosts.step(&mut |_, _, _, _| {}),
        };
        Ok(())
    }

    #[must_use]
    pub fn end(self) -> BoardsRun<M> {
        let mut struck = self.struck;
        struck.extend(self.look_ahead.iter().flat_map(LookAhead::struck));
        let inverted = self.inverted.max(self.hosts.ring().inverted());
        let routed = self.control.iter().flat_map(Control::events).collect();
        let (ring, done, programs) = self.hosts.end();
        BoardsRun { ring, done, programs, struck, inverted, routed }
    }
}

impl<M: Board> BoardsRun<M> {
    /// Bytes of the shared memory.
    pub(super) fn memory(&self) -> usize {
        4 * self.ring.board(0).u_memory.mem.len()
    }

    /// The first word in which replicas of live boards differ.
    #[must_use]
    pub fn first_difference(&self) -> Option<ByteAddress> {
        first_difference(&self.ring)
    }
}

/// The first word in which replicas of live boards of a ring differ.
#[must_use]
pub fn first_difference<M: Board>(ring: &Ring<M>) -> Option<ByteAddress> {
    let mut live = ring.live().map(|board| &*ring.board(board).u_memory.mem);
    let first = live.next()?;
    let place = |other: &[u32]| first.iter().zip(other).position(|(a, b)| a != b);
    // Most are equal, which is seen faster.
    let word = live.filter(|other| *other != first).filter_map(place).min()?;
    Some(ByteAddress::at_word(word))
}

/// Hosts of the boards: acts or programs.
enum Hosts<Q: Process + ?Sized, M: Board> {
    /// Hosts that do one thing after the other.
    Acts(Ring<M>, Vec<Host>),
    /// Firmware and programs.
    Programs(Box<DrivenBoards<Q, M>>),
}

impl<Q: Process + ?Sized, M: Board> Hosts<Q, M> {
    fn new(plan: &BoardsPlan, wrap: &mut Wrap<'_, Q>) -> Result<Self, ScenarioError> {
        if let Some(programs) = &plan.programs {
            return Ok(Hosts::Programs(Box::new(DrivenBoards::new(plan, programs, wrap)?)));
        }
        let hosts = plan.boards.iter().zip(&plan.acts);
        let hosts = hosts.map(|(s, acts)| Host::new(*s, acts)).collect();
        Ok(Hosts::Acts(Ring::of_boards(&plan.scenario)?, hosts))
    }

    fn of_processes(
        plan: &BoardsPlan,
        processes: Vec<(NodeId, Box<Q>)>,
        records: bool,
    ) -> Result<Self, ScenarioError> {
        let (list, nodes) = ("programs", plan.boards.len());
        let none = ScenarioError::PerNode { list, nodes, found: 0 };
        let programs = plan.programs.as_ref().ok_or(none)?;
        let driven = DrivenBoards::with_processes(plan, programs, processes, records)?;
        Ok(Hosts::Programs(Box::new(driven)))
    }

    fn ring(&self) -> &Ring<M> {
        match self {
            Hosts::Acts(ring, _) => ring,
            Hosts::Programs(under) => under.ring(),
        }
    }

    fn ring_mut(&mut self) -> &mut Ring<M> {
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
            if ring.is_idle(i) {
                changed |= host.step(ring, i)?;
            }
        }
        Ok(changed)
    }

    /// Steps one cycle; returns true if hosts began something after it.
    fn step(&mut self, look: &mut Look<'_, M>) -> bool {
        match self {
            Hosts::Acts(ring, _) => {
                ring.step_observed(look);
                false
            }
            Hosts::Programs(under) => under.system_mut().step_observed(look),
        }
    }

    /// Like `step`, without an observer; quiescent boards are skipped.
    fn advance(&mut self) -> bool {
        match self {
            Hosts::Acts(ring, _) => {
                ring.step_skipping();
                false
            }
            Hosts::Programs(under) => under.system_mut().advance(),
        }
    }

    fn end(self) -> (Ring<M>, Vec<Vec<ActResult>>, Option<ProgramRun>) {
        match self {
            Hosts::Acts(mut ring, hosts) => {
                ring.catch_up();
                (ring, hosts.iter().map(Host::done).collect(), None)
            }
            Hosts::Programs(under) => {
                let (ring, ran) = under.end();
                let none = vec![Vec::new(); ring.boards()];
                (ring, none, Some(ran))
            }
        }
    }
}
