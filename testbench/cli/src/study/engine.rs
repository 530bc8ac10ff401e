// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ring queue lock and ring barrier: firmware against the engine of the board.
//!
//! Firmware is measured from call to answer of processes, the engine also at the pins of the boards: from
//! the first cycle of the write that gives a lock back, or of the last arrival, to the interrupt of the next
//! holder, or of the last board.

use crate::study::Tick;
use crate::study::results::{Results, Subject};
use crate::study::sweep::{barrier_row, lock_row};
use crate::study::{Ring, Stats, StudyError, barrier, below, bounds, lock};
use crate::work::{Work, WorkError};
use awgstar::contract::{Order, board as map};
use awgstar::host::{BarrierKind, LockKind};
use awgstar::quantity::{Cycle, NodeId, narrow};
use awgstar::ring::boards::{self, Engine, register};
use awgstar::ring::{BoardRing, HostOp, Outcome};
use awgstar_draw::table::Table;
use serde::{Deserialize, Serialize};

/// Words of the link that a signal takes.
pub const FRAME: u64 = 17;
/// Locks handed over and episodes measured at the pins.
const ROUNDS: usize = 24;
const LOCK: u32 = 3;
const BARRIER: u32 = 2;
/// Nothing takes so long, in cycles.
const LIMIT: Cycle = Cycle(400_000);

/// Figures of a ring, in cycles beside the way of the frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub nodes: usize,
    /// The way of half the hops: the bound of a hand-over between nodes at random.
    pub half: f64,
    /// The way of all hops but one: the bound of a barrier.
    pub whole: f64,
    /// Unlock to the next holder, firmware: mean.
    pub lock_firmware: f64,
    /// The same with the engine, from process to process.
    pub lock_engine: f64,
    /// The same at the pins.
    pub lock_pins: Stats,
    /// Last arrival to the last that goes on, firmware: mean.
    pub barrier_firmware: f64,
    /// The same with the engine, from process to process.
    pub barrier_engine: f64,
    /// The same at the pins.
    pub barrier_pins: Stats,
}

/// Measures rings of these sizes; `None` of a part.
///
/// # Errors
/// The first ring without a figure; parts that do not fit.
pub fn rows(
    nodes: &[usize],
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<Row>>, WorkError<StudyError>> {
    let what = |nodes: &usize| format!("ring of {nodes}");
    work.map(nodes, what, |&nodes| row(nodes).inspect(|_| done()))
}

fn row(nodes: usize) -> Result<Row, StudyError> {
    let ring = |engine| Ring { order: Order::None, engine, ..Ring::new(nodes) };
    let lock = |engine| -> Result<f64, StudyError> {
        let point = lock::Point {
            ring: ring(engine),
            callers: nodes,
            inside: Cycle(500),
            writes: false,
            acquisitions: (3 * nodes).max(96),
        };
        let figures = lock_row("engine", LockKind::Queue, point)?.figures;
        Ok(figures.hand_over.mean - figures.hops * bounds::hop(&point.ring))
    };
    let barrier = |engine| -> Result<f64, StudyError> {
        let point = barrier::Point {
            ring: ring(engine),
            spread: 0,
            idle: true,
            writes: false,
            episodes: (1_024 / nodes).clamp(8, 32),
        };
        let row = barrier_row("engine", BarrierKind::Ring, point)?;
        Ok(row.figures.all.mean - row.bound)
    };
    let pins = Pins::new(ring(true))?;
    Ok(Row {
        nodes,
        half: bounds::hand_over(&ring(true)),
        whole: bounds::barrier(&ring(true)),
        lock_firmware: lock(false)?,
        lock_engine: lock(true)?,
        lock_pins: pins.clone().locks()?,
        barrier_firmware: barrier(false)?,
        barrier_engine: barrier(true)?,
        barrier_pins: pins.clone().barriers()?,
    })
}

/// Boards with engines, and nothing between them and who measures.
#[derive(Clone)]
struct Pins {
    ring: Ring,
    boards: BoardRing,
}

impl Pins {
    fn new(ring: Ring) -> Result<Self, StudyError> {
        let setup = ring.setup();
        let scenario = |error| StudyError::Wrong { point: format!("{ring:?}"), wrong: error };
        let wrong = |e: awgstar::ring::ScenarioError| scenario(e.to_string());
        let mut boards = BoardRing::new(&setup.scenario).map_err(wrong)?;
        let mut members = [0_u32; 8];
        for node in 0..ring.nodes {
            members[node / 32] |= 1 << (node % 32);
        }
        for node in NodeId::all(ring.nodes) {
            let engine = Engine {
                locks: u16::MAX,
                first: if node == NodeId(0) { u16::MAX } else { 0 },
                barriers: vec![members; 8],
                order: ring.order,
                retry: Cycle(0xff_ffff),
            };
            let configure = boards::configure(node, setup.tokens, setup.timeout, setup.period);
            let ops = boards::configure_engine(&engine).into_iter().chain(configure);
            let ready = [boards::wait_synced(10 * LIMIT)];
            boards.push(node.index(), ops.chain(ready)).map_err(wrong)?;
        }
        let mut pins = Pins { ring, boards };
        pins.until("all boards are up", BoardRing::hosts_idle)?;
        for node in 0..ring.nodes {
            let results = pins.boards.take_results(node);
            if results.iter().any(|result| result.outcome != Outcome::Done) {
                return Err(pins.wrong(format!("node {node}: an access was refused")));
            }
        }
        pins.run(8 * ring.rotation())?;
        Ok(pins)
    }

    fn wrong(&self, wrong: String) -> StudyError {
        StudyError::Wrong { point: format!("{:?}", self.ring), wrong }
    }

    fn until(&mut self, what: &str, end: impl Fn(&BoardRing) -> bool) -> Result<(), StudyError> {
        let limit = self.boards.cycle() + 20 * LIMIT;
        while !end(&self.boards) {
            if self.boards.cycle() >= limit {
                return Err(self.wrong(format!("not within {} cycles: {what}", 20 * LIMIT.0)));
            }
            self.boards.step_skipping();
        }
        Ok(())
    }

    fn run(&mut self, cycles: Cycle) -> Result<(), StudyError> {
        let end = self.boards.cycle() + cycles;
        self.until("a pause", |boards| boards.cycle() >= end)
    }

    /// The cycle in which the write begins.
    fn write(&mut self, node: usize, op: HostOp) -> Result<Cycle, StudyError> {
        let cycle = self.boards.cycle();
        let pushed = self.boards.push(node, [op]);
        pushed.map_err(|e| self.wrong(e.to_string())).map(|()| cycle)
    }

    /// The interrupts of a board are cleared, and its accesses must have been taken.
    fn clear(&mut self, node: usize) -> Result<(), StudyError> {
        self.write(node, register(&map::ENGINE_IRQ_STATUS, 3))?;
        self.until("the interrupt is cleared", |boards| {
            boards.host(node).is_idle() && !boards.board(node).irq()
        })?;
        let refused = |r: &awgstar::ring::HostResult| r.outcome != Outcome::Done;
        if self.boards.take_results(node).iter().any(refused) {
            return Err(self.wrong(format!("node {node}: an access was refused")));
        }
        Ok(())
    }

    /// Every node wants the lock; who gives it back asks again.
    fn locks(mut self) -> Result<Stats, StudyError> {
        let nodes = self.ring.nodes;
        let mut random = self.ring.random(nodes);
        for node in 0..nodes {
            self.run(Cycle(below(&mut random, 40)))?;
            self.write(node, register(&map::LOCK_ACQUIRE, LOCK))?;
        }
        let holder = |boards: &BoardRing| (0..nodes).find(|&node| boards.board(node).irq());
        self.until("the first holder", |boards| holder(boards).is_some())?;
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let Some(from) = holder(&self.boards) else { break };
            self.clear(from)?;
            // Whoever asked is known everywhere.
            self.run(4 * self.ring.rotation() + Cycle(500 + below(&mut random, 400)))?;
            let began = self.write(from, register(&map::LOCK_RELEASE, LOCK))?;
            self.until("the next holder", |boards| holder(boards).is_some())?;
            let to = holder(&self.boards).unwrap_or(from);
            let hops = Cycle(((to + nodes - from) % nodes) as u64);
            let way = hops.0 * (self.ring.rotation().0 / nodes as u64);
            times.push((self.boards.cycle() - began).saturating_sub(Cycle(way)));
            self.write(from, register(&map::LOCK_ACQUIRE, LOCK))?;
        }
        Ok(Stats::of(times))
    }

    /// All arrive but one, drawn for each episode, which arrives when the ring is quiet.
    fn barriers(mut self) -> Result<Stats, StudyError> {
        let nodes = self.ring.nodes;
        let mut random = self.ring.random(nodes + 1);
        let way = self.ring.rotation().0 / nodes as u64 * (nodes as u64 - 1);
        let mut times = Vec::new();
        for _ in 0..ROUNDS.min(2_048 / nodes) {
            let last = narrow::<usize>(below(&mut random, nodes as u64));
            for node in (0..nodes).filter(|&node| node != last) {
                self.write(node, register(&map::BARRIER_ARRIVE, BARRIER))?;
            }
            self.until("the others have arrived", |boards| {
                let rests = |i: usize| !boards.board(i).u_engine.sends();
                boards.hosts_idle() && (0..nodes).all(rests)
            })?;
            self.run(self.ring.rotation() + Cycle(below(&mut random, 400)))?;
            if (0..nodes).any(|node| self.boards.board(node).irq()) {
                return Err(self.wrong("passed before all had arrived".to_owned()));
            }
            let began = self.write(last, register(&map::BARRIER_ARRIVE, BARRIER))?;
            self.until("all have passed", |boards| {
                (0..nodes).all(|node| boards.board(node).irq())
            })?;
            times.push((self.boards.cycle() - began).saturating_sub(Cycle(way)));
            for node in 0..nodes {
                self.clear(node)?;
            }
        }
        Ok(Stats::of(times))
    }
}

/// The study.
pub const SUBJECT: Subject = Subject {
    title: "Ring queue lock and ring barrier: firmware against the engine of the board",
    units: "Times are simulated, in cycles of 67.25 MHz.",
    columns: || columns().sheet("engine.csv", &[]),
    plots: |_| Ok(Vec::new()),
};

/// The results of the study.
///
/// # Errors
/// The message of the plotting library.
pub fn results(rows: &[Row]) -> Result<Results, String> {
    SUBJECT.results(columns().sheet("engine.csv", rows), |_| vec![columns().sheet("", rows)])
}

fn columns() -> Table<'static, Row> {
    let one = |value: f64| format!("{value:.1}");
    Table::new()
        .number("N", |r: &Row| r.nodes)
        .number("half the way", move |r| one(r.half))
        .number("hand-over: firmware", move |r| one(r.lock_firmware))
        .number("engine with hosts", move |r| one(r.lock_engine))
        .number("engine at the pins", move |r| one(r.lock_pins.mean))
        .number("most", |r| r.lock_pins.max)
        .number("whole way", move |r| one(r.whole))
        .number("barrier: firmware", move |r| one(r.barrier_firmware))
        .number("engine with hosts", move |r| one(r.barrier_engine))
        .number("engine at the pins", move |r| one(r.barrier_pins.mean))
        .number("most", |r| r.barrier_pins.max)
}
