// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes with locks and barriers on the cycle-accurate ring of boards.
//!
//! Each node has a board, a driver that owns the firmware's state machines and speaks to the board over
//! its AXI4-Lite port only, and a process that asks for locks, barriers and words of the shared
//! memory. See [`DrivenRing`].
#![forbid(unsafe_code)]

mod choice;
mod custom;
mod data;
mod driver;
mod error;
mod handle;
mod join;
pub mod pager;
mod port;
mod protocols;
mod record;
mod setup;
mod stall;
mod virtual_memory;
pub mod work;

pub use awgstar_board::ring::boards::Engine;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
pub use choice::{BarrierKind, BarrierMachine, Choice, LockKind, LockMachine};
pub use custom::CustomHost;
pub use error::{HostError, Waiting};
pub use handle::{Handle, Pages, Program, Stopped, process};
pub use join::{Role, Station};
pub use protocols::Protocols;
pub use record::{Happened, Record};
pub use setup::Setup;

use awgstar_board::ring::{
    HostOp, Look, Ring, ScenarioError,
    boards::{Board, count},
};
use awgstar_board::rtl::Smb;
use awgstar_board::rtl::state::{Buffer, LINE};
use awgstar_frame::contract::BoardCounter;
use awgstar_request::Process;
use driver::Driver;
use pager::Pager;
use std::collections::BTreeMap;

/// A ring of boards with firmware and processes. `Q` is the type of the processes: `dyn Process + Send` makes a
/// ring that can be moved to another thread.
/// `M` is the board: `Smb` has an AXI4-Lite port; through the AXI4 port of `SmbAxi4` blocks go as bursts.
pub struct DrivenRing<P: Protocols, Q: Process + ?Sized = dyn Process, M: Board = Smb> {
    ring: Ring<M>,
    protocols: P,
    drivers: Vec<Driver<P, Q>>,
    /// Hosts that take the place of the driver of their node.
    custom: BTreeMap<usize, Box<dyn CustomHost>>,
    /// Accesses that configure each board.
    boards: Vec<Vec<HostOp>>,
    tokens: u8,
    /// All boards know each other: drivers are at work.
    up: bool,
    /// Last cycle in which a board had data that may return.
    data: Cycle,
}

impl<P: Protocols> DrivenRing<P> {
    /// Creates a ring with all boards in reset, not configured, and without processes.
    ///
    /// # Errors
    /// If the scenario is invalid.
    pub fn new(protocols: P, setup: &Setup) -> Result<Self, HostError> {
        DrivenRing::with_boards(protocols, setup, setup.configuration())
    }

    /// Like [`DrivenRing::new`], with a list of accesses that configures each board, `CONTROL`
    /// last. The `NODE_ID` of a board must be its index. `timeout` and `period` of `setup` are not
    /// used; `tokens` is the number of tokens that the ring must have before processes start.
    ///
    /// # Errors
    /// If the scenario, the page table or an access is invalid, or there is not one list for each
    /// board.
    pub fn with_boards(
        protocols: P,
        setup: &Setup,
        boards: Vec<Vec<HostOp>>,
    ) -> Result<Self, HostError> {
        DrivenRing::for_processes(protocols, setup, boards)
    }
}

impl<P: Protocols, Q: Process + ?Sized, M: Board> DrivenRing<P, Q, M> {
    /// Like [`DrivenRing::with_boards`], for processes of any type on boards of either kind.
    ///
    /// # Errors
    /// As [`DrivenRing::with_boards`].
    pub fn for_processes(
        protocols: P,
        setup: &Setup,
        boards: Vec<Vec<HostOp>>,
    ) -> Result<Self, HostError> {
        let mut ring = Ring::of_boards(&setup.scenario)?;
        let nodes = setup.scenario.boards;
        if boards.len() != nodes {
            let found = boards.len();
            return Err(ScenarioError::PerNode { list: "boards", nodes, found }.into());
        }
        let mut drivers = Vec::new();
        for (node, ops) in NodeId::all(nodes).zip(&boards) {
            if let Some((place, _)) = protocols.pages(node) {
                place.at.check(nodes, 4 << setup.scenario.parameters.mem_addr_w())?;
            }
            let engine = protocols.engine(node, nodes);
            let width = setup.scenario.parameters.engine_node_w();
            if engine.is_some() && (width == 0 || nodes > 1 << width) {
                return Err(HostError::NoEngine { node, nodes, width });
            }
            let begin = port::begin(engine.as_ref());
            ring.push(node.index(), begin.into_iter().chain(ops.iter().copied()))?;
            let slow = setup.slow.get(node.index()).copied().unwrap_or_default();
            let mut driver = Driver::new(&protocols, node, nodes, slow, M::BURST);
            driver.records = setup.records.then(Vec::new);
            drivers.push(driver);
        }
        let (custom, tokens) = (BTreeMap::new(), setup.tokens);
        Ok(DrivenRing {
            ring,
            protocols,
            drivers,
            custom,
            boards,
            tokens,
            up: false,
            data: Cycle(0),
        })
    }

    pub fn nodes(&self) -> usize {
        self.drivers.len()
    }

    /// The boards and what is between them.
    pub fn ring(&self) -> &Ring<M> {
        &self.ring
    }

    /// Mutable access to the boards and links, to place a fault.
    pub fn ring_mut(&mut self) -> &mut Ring<M> {
        &mut self.ring
    }

    /// The firmware that runs.
    pub fn protocols(&self) -> &P {
        &self.protocols
    }

    /// The state machine of a lock on a node; `None` before it is first used there.
    pub fn lock_machine(&self, node: NodeId, lock: u32) -> Option<&P::Lock> {
        self.drivers.get(node.index())?.lock_machine(lock)
    }

    /// The state machine of barrier 0 on a node.
    pub fn barrier_machine(&self, node: NodeId) -> Option<&P::Barrier> {
        self.numbered_barrier_machine(node, 0)
    }

    /// The state machine of a barrier on a node; `None` before it is first used there.
    pub fn numbered_barrier_machine(&self, node: NodeId, number: u8) -> Option<&P::Barrier> {
        self.drivers.get(node.index())?.barrier_machine(number)
    }

    /// Messages that the driver of a node ignored: no signal, or one of a page or a
    /// barrier that the node does not have.
    pub fn strange(&self, node: NodeId) -> Option<u64> {
        Some(self.drivers.get(node.index())?.strange)
    }

    /// A node's side of the virtual shared memory; `None` when it has none.
    pub fn pager(&self, node: NodeId) -> Option<&Pager> {
        self.drivers.get(node.index())?.pager.as_ref()
    }

    /// The word at a virtual byte address as `node` would find it once its page is in: from that node's
    /// replica, or from the master's local memory. `None` beyond the last page or without pages.
    pub fn virtual_word(&self, node: NodeId, addr: ByteAddress) -> Option<u32> {
        let place = self.pager(node)?.place();
        let (page, within) = place.at.locate(addr)?;
        let master = self.pager(place.master)?.chief()?;
        if let Some(area) = master.machine().area(page) {
            return master.local(area, within);
        }
        let frame = master.machine().frames().iter().position(|&one| one == page)?;
        let addr = place.at.frame(u16::try_from(frame).ok()?) + within;
        self.ring.board(node.index()).u_memory.mem.get(addr.word()).copied()
    }

    /// Starts a process; one that runs there is forgotten.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn start(&mut self, node: NodeId, process: Box<Q>) -> Result<(), HostError> {
        let nodes = self.drivers.len();
        let driver = self
            .drivers
            .get_mut(node.index())
            .ok_or(HostError::Node { nodes, found: node.index() })?;
        driver.begin(process);
        Ok(())
    }

    /// Puts another host in the place of a node's driver, and resets the board for the next `cycles` cycles: the
    /// host sets it up. Before the first cycle.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn set_host(
        &mut self,
        node: NodeId,
        host: Box<dyn CustomHost>,
        cycles: Cycle,
    ) -> Result<(), HostError> {
        self.ring.reset(node.index(), cycles)?;
        self.custom.insert(node.index(), host);
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
        for node in (0..self.drivers.len()).filter(|node| !self.custom.contains_key(node)) {
            self.ring.take_results(node);
        }
        self.up = true;
    }

    /// One cycle of boards and drivers; drivers begin when the ring is up. Says whether a host
    /// began something.
    pub fn step(&mut self) -> bool {
        self.step_observed(&mut |_, _, _, _| {})
    }

    /// Like [`DrivenRing::step`], with an observer that sees every live board just before the edge.
    pub fn step_observed(&mut self, look: &mut Look<'_, M>) -> bool {
        self.ring.step_observed(look);
        if !self.up && self.comes_up() {
            self.begin();
        }
        self.drive()
    }

    /// Like [`DrivenRing::step`], but skips quiescent boards: their cycle counters lag until
    /// [`DrivenRing::wake`].
    pub fn advance(&mut self) -> bool {
        self.ring.step_skipping();
        if !self.up && self.comes_up() {
            self.begin();
        }
        self.drive()
    }

    /// Every register of every board is as it is in this cycle.
    pub fn wake(&mut self) {
        self.ring.catch_up();
    }

    /// Resets the board of a node for the next `cycles` cycles. Its driver sets it up again and
    /// goes on; data and messages that the board had are lost.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn reset(&mut self, node: NodeId, cycles: Cycle) -> Result<(), ScenarioError> {
        self.ring.reset(node.index(), cycles)?;
        self.ring.take_results(node.index());
        let cycle = self.ring.cycle();
        self.drivers.get_mut(node.index()).into_iter().for_each(|driver| driver.reset(cycle));
        let ops = self.boards.get(node.index()).into_iter().flatten().copied();
        let engine = self.protocols.engine(node, self.drivers.len());
        self.ring.push(node.index(), port::begin(engine.as_ref()).into_iter().chain(ops))?;
        Ok(())
    }

    /// All live boards know each other, and drivers are at work.
    pub fn is_up(&self) -> bool {
        self.up
    }

    /// Processes that have not ended, and what they wait for.
    pub fn waiting(&self) -> Vec<Waiting> {
        let waits = |(node, driver): (NodeId, &Driver<P, Q>)| {
            let since = driver.waits().map_or(Cycle(0), |(_, since)| *since);
            let asked = driver.waits().map(|(asked, _)| asked.clone());
            (!driver.ended()).then_some(Waiting { node, asked, since })
        };
        let custom = self.custom.iter().filter(|(_, host)| !host.ended());
        let custom = custom.map(|(&node, _)| NodeId::at(node));
        let custom = custom.map(|node| Waiting { node, asked: None, since: Cycle(0) });
        NodeId::all(self.nodes()).zip(&self.drivers).filter_map(waits).chain(custom).collect()
    }

    /// Returns true until the process of `node` has ended.
    pub fn waits(&self, node: NodeId) -> bool {
        self.drivers.get(node.index()).is_some_and(|driver| !driver.ended())
    }

    /// The ring alone; processes and drivers are gone.
    pub fn into_ring(self) -> Ring<M> {
        self.ring
    }

    /// Every driver whose host is idle does the next thing; whether one did.
    fn drive(&mut self) -> bool {
        let cycle = self.ring.cycle();
        let mut any = false;
        for (&node, host) in &mut self.custom {
            if self.ring.is_idle(node) && self.ring.is_live(node) {
                let results = self.ring.take_results(node);
                let ops = host.next(cycle, &results);
                any |= !ops.is_empty();
                let taken = self.ring.push(node, ops);
                debug_assert!(taken.is_ok(), "{taken:?}");
            }
        }
        for (node, driver) in self.drivers.iter_mut().enumerate() {
            if self.custom.contains_key(&node) {
                continue;
            }
            if !self.ring.is_skipped(node) && data::sends_data(self.ring.board(node)) {
                self.data = cycle;
            }
            let rests = driver.rests_until() > cycle;
            if !self.up || (rests && self.ring.is_skipped(node)) || !self.ring.is_idle(node) {
                continue;
            }
            // A host dies with its board.
            if !self.ring.is_live(node) {
                continue;
            }
            let irq = self.ring.board(node).irq();
            let memory = &self.ring.board(node).u_memory.mem;
            if rests && driver.watched().is_some_and(|(at, old)| differs(memory, at, old)) {
                driver.look();
            } else if rests && !irq {
                continue;
            }
            if let Some(process) = driver.watcher() {
                show(self.ring.replica_mut(node), process);
            }
            let results = self.ring.take_results(node);
            let ops: Vec<HostOp> = driver.step(&self.protocols, cycle, irq, &results);
            // They may differ from the start, or have changed after they were read, on a board that is quiet now.
            let memory = &self.ring.board(node).u_memory.mem;
            if driver.rests() && driver.watched().is_some_and(|(at, old)| differs(memory, at, old))
            {
                driver.look();
            }
            any |= !ops.is_empty();
            // The driver makes no access that a scenario could refuse.
            let taken = self.ring.push(node, ops);
            debug_assert!(taken.is_ok(), "{taken:?}");
        }
        any
    }

    /// Runs until every live board is known to all others and the ring has its tokens.
    ///
    /// # Errors
    /// If that is not so after `limit` cycles.
    pub fn run_until_up(&mut self, limit: Cycle) -> Result<(), HostError> {
        let end = self.ring.cycle().saturating_add(limit);
        while !self.comes_up() && self.ring.cycle() < end {
            self.ring.step_skipping();
            self.drive();
        }
        self.ring.catch_up();
        if !self.comes_up() {
            let ring = &self.ring;
            let down = ring.live().filter(|&i| !ring.board(i).u_control.synced_q);
            let waiting = down
                .map(|at| Waiting { node: NodeId::at(at), asked: None, since: Cycle(0) })
                .collect();
            return Err(HostError::Timeout { cycle: ring.cycle(), waiting });
        }
        self.begin();
        Ok(())
    }

    /// Runs until all processes have ended; then [`DrivenRing::ring`]'s boards may still send.
    ///
    /// # Errors
    /// If some have not after `limit` cycles: who waits for what.
    pub fn run(&mut self, limit: Cycle) -> Result<(), HostError> {
        if !self.up {
            self.run_until_up(limit)?;
        }
        let end = self.ring.cycle().saturating_add(limit);
        while !self.ended() {
            if self.ring.cycle() >= end {
                self.ring.catch_up();
                return Err(self.timeout());
            }
            self.ring.step_skipping();
            self.drive();
        }
        self.ring.catch_up();
        Ok(())
    }

    fn timeout(&self) -> HostError {
        let waiting = self.waiting();
        HostError::Timeout { cycle: self.ring.cycle(), waiting }
    }

    /// All processes have ended.
    pub fn ended(&self) -> bool {
        self.drivers.iter().all(Driver::ended) && self.custom.values().all(|host| host.ended())
    }

    /// No signal of a live node is under way and all its writes are on every board.
    pub fn settled(&self) -> bool {
        let pending = |i: usize| {
            let board = self.ring.board(i);
            let data = board.u_combiner.open_q || board.u_data.base_q != board.u_data.tail_q;
            data || board.u_engine.sends()
        };
        !self.ring.live().any(|i| self.drivers[i].sends() || self.drivers[i].pages() || pending(i))
    }

    /// Runs until no signal of a live node is under way and all its writes are on every board.
    ///
    /// # Errors
    /// If some are not after `limit` cycles.
    pub fn settle(&mut self, limit: Cycle) -> Result<(), HostError> {
        let end = self.ring.cycle().saturating_add(limit);
        while !self.settled() {
            if self.ring.cycle() >= end {
                self.ring.catch_up();
                return Err(self.timeout());
            }
            self.ring.step_skipping();
            self.drive();
        }
        self.ring.catch_up();
        Ok(())
    }

    /// Removes and returns the records so far, by cycle.
    pub fn take_records(&mut self) -> Vec<Record> {
        let mut all: Vec<Record> = Vec::new();
        for driver in &mut self.drivers {
            all.extend(driver.records.as_mut().map(std::mem::take).unwrap_or_default());
        }
        all.sort_by_key(|record| record.cycle);
        all
    }
}

/// Bytes of a memory differ from these, or are beyond it.
fn differs(memory: &[u32], at: ByteAddress, old: &[u8]) -> bool {
    let byte = |at: usize| memory.get(at / 4).map(|word| word.to_le_bytes()[at % 4]);
    (at.0 as usize..).zip(old).any(|(at, &old)| byte(at) != Some(old))
}

/// Shows a process what has changed in the replica of its node; all of it at first.
fn show(replica: &mut Buffer<u32>, process: &mut (impl Process + ?Sized)) {
    let bytes =
        |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    if !replica.is_watched() {
        replica.watch();
        let lines = replica.chunks(LINE).zip((0..).step_by(LINE));
        // A new memory is 0 on both sides.
        for (words, at) in lines.filter(|(words, _)| words.iter().any(|&word| word != 0)) {
            process.see(ByteAddress::at_word(at), &bytes(words));
        }
    }
    for (at, words) in replica.take_changes() {
        process.see(ByteAddress::at_word(at), &bytes(words));
    }
}
