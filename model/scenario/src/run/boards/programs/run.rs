// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards with the firmware of the product, and programs above it.

use crate::run::boards::plan::{BoardsPlan, Programs, Settings};
use crate::run::script::{Log, Runner, Script};
use awgstar::quantity::{Cycle, NodeId};
use awgstar::{
    contract::board,
    host::{Choice, DrivenRing, HostError, Record, Waiting},
    request::Process,
    ring::{
        HostOp, Ring, ScenarioError,
        boards::{Board, register},
    },
};
use std::sync::{Arc, Mutex, PoisonError};

/// Programs that ran.
#[derive(Clone, Debug)]
pub struct ProgramRun {
    /// Events on the nodes.
    pub records: Vec<Record>,
    /// Programs that have not ended, and their requests.
    pub waiting: Vec<Waiting>,
    /// All live boards came to know each other.
    pub up: bool,
    pub(super) log: Log,
}

impl ProgramRun {
    /// From the first thing that a program did to after the last that happened.
    #[must_use]
    pub fn window(&self) -> (u64, u64) {
        let first = self.records.first().map_or(0, |record| record.cycle.0);
        (first, self.records.last().map_or(first + 1, |record| record.cycle.0 + 20))
    }
}

/// Makes the process of a board from its program.
pub type Wrap<'a, Q> = dyn FnMut(NodeId, Runner) -> Box<Q> + 'a;

/// Boards that run programs.
pub(in crate::run::boards) struct DrivenBoards<Q: Process + ?Sized, M: Board> {
    system: DrivenRing<Choice, Q, M>,
    log: Arc<Mutex<Log>>,
}

impl<Q: Process + ?Sized, M: Board> DrivenBoards<Q, M> {
    /// The boards of a plan, with its programs, each as `wrap` returns it.
    pub(in crate::run::boards) fn new(
        plan: &BoardsPlan,
        programs: &Programs,
        wrap: &mut Wrap<'_, Q>,
    ) -> Result<Self, ScenarioError> {
        let boards = plan.boards.len();
        let log = Arc::new(Mutex::new(Log { ended: vec![None; boards], ..Log::default() }));
        let runner = |(board, script): (usize, &Option<Script>)| {
            let runner = Runner::new(board, script.as_ref()?, &log).waiting();
            let node = NodeId::at(board);
            Some((node, wrap(node, runner)))
        };
        let processes = programs.scripts.iter().enumerate().filter_map(runner).collect();
        let driven = DrivenBoards::with_processes(plan, programs, processes, true)?;
        Ok(DrivenBoards { log, ..driven })
    }

    /// The boards of a plan, with these processes instead of its programs; keeps records if asked to.
    pub(in crate::run::boards) fn with_processes(
        plan: &BoardsPlan,
        programs: &Programs,
        processes: Vec<(NodeId, Box<Q>)>,
        records: bool,
    ) -> Result<Self, ScenarioError> {
        let boards = plan.boards.len();
        let setup = plan.setup_with(programs, records);
        let accesses = plan.boards.iter().map(accesses).collect();
        let found = processes.len();
        let error = |e| match e {
            HostError::Scenario(e) => e,
            // No other can be: these systems have no pages, and every program has its board.
            _ => ScenarioError::PerNode { list: "programs", nodes: boards, found },
        };
        let mut system =
            DrivenRing::for_processes(programs.choice, &setup, accesses).map_err(error)?;
        for (node, process) in processes {
            system.start(node, process).map_err(error)?;
        }
        let log = Arc::default();
        Ok(DrivenBoards { system, log })
    }

    pub(in crate::run::boards) fn system(&self) -> &DrivenRing<Choice, Q, M> {
        &self.system
    }

    pub(in crate::run::boards) fn system_mut(&mut self) -> &mut DrivenRing<Choice, Q, M> {
        &mut self.system
    }

    pub(in crate::run::boards) fn ring(&self) -> &Ring<M> {
        self.system.ring()
    }

    pub(in crate::run::boards) fn reset(
        &mut self,
        i: usize,
        cycles: Cycle,
    ) -> Result<(), ScenarioError> {
        self.system.reset(NodeId::at(i), cycles)
    }

    /// The programs of all live boards have ended, and what they sent is everywhere.
    pub(in crate::run::boards) fn is_over(&self) -> bool {
        let ring = self.system.ring();
        let waits = |at| self.system.waits(NodeId::at(at));
        self.system.is_up() && !ring.live().any(waits) && self.system.settled()
    }

    pub(in crate::run::boards) fn end(mut self) -> (Ring<M>, ProgramRun) {
        self.system.wake();
        let ran = ProgramRun {
            records: self.system.take_records(),
            waiting: self.system.waiting(),
            up: self.system.is_up(),
            log: self.log.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        };
        (self.system.into_ring(), ran)
    }
}

/// How a host sets its board up: not before its cycle.
fn accesses(settings: &Settings) -> Vec<HostOp> {
    let wait = (settings.at > Cycle(0)).then_some(HostOp::Wait { cycles: settings.at });
    let enable = register(&board::CONTROL, 1);
    let before = settings.operations().into_iter().filter(|op| *op != enable);
    before.chain(wait).chain([enable]).collect()
}
