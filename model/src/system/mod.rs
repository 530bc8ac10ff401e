//! Processes with locks and barriers on the cycle-accurate ring of boards.
//!
//! Each node has a board, a driver that owns the firmware's machines and speaks to the board over
//! its AXI4-Lite port only, and a process that asks for locks, barriers and words of the shared
//! memory. See [`System`].

mod choice;
mod driver;
mod handle;
mod port;
mod process;
mod record;
pub mod work;

pub use choice::{BarrierKind, BarrierMachine, Choice, LockKind, LockMachine};
pub use handle::{Handle, Program, Stopped, process};
pub use process::{Answer, Ask, Process};
pub use record::{Happened, Record};

use crate::contract::BoardCounter;
use crate::firmware::{Firmware, Timer};
use crate::ring::{
    BoardRing, BoardScenario, HostOp, ScenarioError,
    boards::{configure, count},
};
use crate::rtl::{Smb, smb};
use driver::Driver;
use thiserror::Error;

/// Which firmware runs, and how patient it is.
pub trait Protocols {
    /// Machine of a lock.
    type Lock: Firmware;
    /// Machine of the barrier.
    type Barrier: Firmware;

    /// The machine of lock `number` on `node` of `nodes`.
    fn lock(&self, node: usize, nodes: usize, number: u32) -> Self::Lock;
    /// The machine of the barrier on `node` of `nodes`.
    fn barrier(&self, node: usize, nodes: usize) -> Self::Barrier;
    /// How long a timer takes, in cycles.
    fn cycles(&self, timer: Timer) -> u64;
}

/// How the boards are set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Boards, fibre, faults.
    pub scenario: BoardScenario,
    /// Tokens.
    pub tokens: u8,
    /// Cycles after which a board sends a frame again.
    pub timeout: u32,
    /// Cycles between heartbeats.
    pub period: u32,
    /// Cycles that the host of each node takes before it looks at what its board reports; 0 for
    /// nodes that the list does not reach.
    pub slow: Vec<u64>,
    /// Keep records.
    pub records: bool,
}

impl Setup {
    /// A ring of `nodes` without faults, with links of `fibre` cycles.
    #[must_use]
    pub fn new(nodes: usize, fibre: u32) -> Self {
        let mut scenario = BoardScenario::new(nodes);
        scenario.fibre = vec![fibre; nodes];
        let rotation = u32::try_from(nodes).unwrap_or(256) * (4 + fibre);
        Setup {
            scenario,
            tokens: 1,
            // A rotation, and what may wait in every node on the way: a store of 512 words.
            timeout: rotation + 512 * u32::try_from(nodes).unwrap_or(256) + 1_000,
            period: 4 * rotation + 2_000,
            slow: Vec::new(),
            records: false,
        }
    }
}

/// Why a run is no success.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SystemError {
    /// The ring cannot be.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// There is no such node.
    #[error("node {found}: expected one below {nodes}")]
    Node {
        /// Nodes.
        nodes: usize,
        /// What was asked for.
        found: usize,
    },
    /// Processes still wait.
    #[error("cycle {cycle}: {}", waiting.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Timeout {
        /// Cycle in which the run was stopped.
        cycle: u64,
        /// Who waits for what.
        waiting: Vec<Waiting>,
    },
}

/// A process that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Node.
    pub node: usize,
    /// What for; `None` before the board is known to all.
    pub ask: Option<Ask>,
    /// Since which cycle.
    pub since: u64,
}

impl std::fmt::Display for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.ask {
            Some(ask) => write!(f, "node {} waits for {ask:?} since {}", self.node, self.since),
            None => write!(f, "node {} is not up", self.node),
        }
    }
}

/// A ring of boards with firmware and processes.
pub struct System<P: Protocols> {
    ring: BoardRing,
    protocols: P,
    drivers: Vec<Driver<P>>,
    tokens: u8,
    /// All boards know each other: drivers are at work.
    up: bool,
}

impl<P: Protocols> System<P> {
    /// Boards in reset, to be configured, and processes that have ended.
    ///
    /// # Errors
    /// When the scenario makes no sense.
    pub fn new(protocols: P, setup: &Setup) -> Result<Self, SystemError> {
        let mut ring = BoardRing::new(&setup.scenario)?;
        let nodes = setup.scenario.boards;
        let mut drivers = Vec::new();
        for node in 0..nodes {
            let id = u8::try_from(node).unwrap_or(u8::MAX);
            let mut ops = vec![port::enable()];
            ops.extend(configure(id, setup.tokens, setup.timeout, setup.period));
            ring.push(node, ops)?;
            let slow = setup.slow.get(node).copied().unwrap_or(0);
            let mut driver = Driver::new(&protocols, node, nodes, slow);
            driver.records = setup.records.then(Vec::new);
            drivers.push(driver);
        }
        Ok(System { ring, protocols, drivers, tokens: setup.tokens, up: false })
    }

    /// Nodes.
    pub fn nodes(&self) -> usize {
        self.drivers.len()
    }

    /// The boards and what is between them.
    pub fn ring(&self) -> &BoardRing {
        &self.ring
    }

    /// The same, to place a fault.
    pub fn ring_mut(&mut self) -> &mut BoardRing {
        &mut self.ring
    }

    /// Which firmware runs.
    pub fn protocols(&self) -> &P {
        &self.protocols
    }

    /// The machine of a lock on a node; `None` before it is first used there.
    pub fn lock_machine(&self, node: usize, lock: u32) -> Option<&P::Lock> {
        self.drivers.get(node)?.lock_machine(lock)
    }

    /// The machine of the barrier on a node.
    pub fn barrier_machine(&self, node: usize) -> Option<&P::Barrier> {
        Some(self.drivers.get(node)?.barrier_machine())
    }

    /// Starts a process; one that runs there is forgotten.
    ///
    /// # Errors
    /// When there is no such node.
    pub fn start(&mut self, node: usize, process: Box<dyn Process>) -> Result<(), SystemError> {
        let nodes = self.drivers.len();
        let driver = self.drivers.get_mut(node).ok_or(SystemError::Node { nodes, found: node })?;
        driver.begin(process);
        Ok(())
    }

    /// Every live board is known to all others, and the ring has its tokens.
    fn comes_up(&self) -> bool {
        let ring = &self.ring;
        let added = |i| count(ring.board(i), BoardCounter::TokenAdded);
        ring.live().all(|i| ring.board(i).u_control.synced_q)
            && ring.live().map(added).sum::<u32>() >= self.tokens.into()
    }

    /// From here on drivers work.
    fn begin(&mut self) {
        for node in 0..self.drivers.len() {
            self.ring.take_results(node);
        }
        self.up = true;
    }

    /// One cycle of boards and drivers; drivers begin when the ring is up.
    pub fn step(&mut self) {
        self.step_observed(&mut |_, _, _, _| {});
    }

    /// The same, with a look at every live board just before the edge.
    pub fn step_observed(
        &mut self,
        look: &mut impl FnMut(usize, &Smb, &smb::Inputs, &smb::Outputs),
    ) {
        self.ring.step_observed(look);
        if !self.up && self.comes_up() {
            self.begin();
        }
        self.drive();
    }

    /// Every driver whose host is idle does the next thing.
    fn drive(&mut self) {
        let cycle = self.ring.cycle();
        for (node, driver) in self.drivers.iter_mut().enumerate() {
            let rests = driver.rests_until() > cycle;
            if !self.up || (rests && self.ring.dozes(node)) || !self.ring.host(node).is_idle() {
                continue;
            }
            let irq = self.ring.board(node).u_regs.irq_q;
            if rests && !irq {
                continue;
            }
            let results = self.ring.take_results(node);
            let ops: Vec<HostOp> = driver.step(&self.protocols, cycle, irq, &results);
            // The driver makes no access that a scenario could refuse.
            let taken = self.ring.push(node, ops);
            debug_assert!(taken.is_ok(), "{taken:?}");
        }
    }

    /// Runs until every live board is known to all others and the ring has its tokens.
    ///
    /// # Errors
    /// When that is not so after `limit` cycles.
    pub fn run_until_up(&mut self, limit: u64) -> Result<(), SystemError> {
        let end = self.ring.cycle().saturating_add(limit);
        while !self.comes_up() && self.ring.cycle() < end {
            self.ring.doze();
        }
        self.ring.wake_all();
        if !self.comes_up() {
            let ring = &self.ring;
            let down = ring.live().filter(|&i| !ring.board(i).u_control.synced_q);
            let waiting = down.map(|node| Waiting { node, ask: None, since: 0 }).collect();
            return Err(SystemError::Timeout { cycle: ring.cycle(), waiting });
        }
        self.begin();
        Ok(())
    }

    /// Runs until all processes have ended; then [`System::ring`]'s boards may still send.
    ///
    /// # Errors
    /// When some have not after `limit` cycles: who waits for what.
    pub fn run(&mut self, limit: u64) -> Result<(), SystemError> {
        if !self.up {
            self.run_until_up(limit)?;
        }
        let end = self.ring.cycle().saturating_add(limit);
        while !self.ended() {
            if self.ring.cycle() >= end {
                self.ring.wake_all();
                return Err(self.timeout());
            }
            self.ring.doze();
            self.drive();
        }
        self.ring.wake_all();
        Ok(())
    }

    fn timeout(&self) -> SystemError {
        let waits = |(node, driver): (usize, &Driver<P>)| {
            let since = driver.waits().map_or(0, |(_, since)| since);
            let ask = driver.waits().map(|(ask, _)| ask);
            (!driver.ended()).then_some(Waiting { node, ask, since })
        };
        let waiting = self.drivers.iter().enumerate().filter_map(waits).collect();
        SystemError::Timeout { cycle: self.ring.cycle(), waiting }
    }

    /// All processes have ended.
    pub fn ended(&self) -> bool {
        self.drivers.iter().all(Driver::ended)
    }

    /// Runs until no signal of a live node is under way and all its writes are on every board.
    ///
    /// # Errors
    /// When some are not after `limit` cycles.
    pub fn settle(&mut self, limit: u64) -> Result<(), SystemError> {
        let end = self.ring.cycle().saturating_add(limit);
        let pending = |ring: &BoardRing, i: usize| {
            let data = &ring.board(i).u_data;
            ring.board(i).u_combiner.open_q || data.base_q != data.tail_q
        };
        while self.ring.live().any(|i| self.drivers[i].sends() || pending(&self.ring, i)) {
            if self.ring.cycle() >= end {
                self.ring.wake_all();
                return Err(self.timeout());
            }
            self.ring.doze();
            self.drive();
        }
        self.ring.wake_all();
        Ok(())
    }

    /// What happened so far, by cycle; they are gone from the system.
    pub fn take_records(&mut self) -> Vec<Record> {
        let mut all: Vec<Record> = Vec::new();
        for driver in &mut self.drivers {
            all.extend(driver.records.as_mut().map(std::mem::take).unwrap_or_default());
        }
        all.sort_by_key(|record| record.cycle);
        all
    }
}
