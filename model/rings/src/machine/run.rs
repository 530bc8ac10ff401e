// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings that run side by side, on threads.

use super::common::{Common, Counts, Failure, Looks};
use super::gateway::Bridge;
use super::tap::Tap;
use crate::words::RingNumber;
use awgstar_board::rtl::Smb;
use awgstar_frame::quantity::{Cycle, NodeId, narrow};
use awgstar_host::{Choice, DrivenRing, HostError, Waiting};
use awgstar_request::Process;
use awgstar_request::stall::{Judge, Machine, Open, Verdict};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// The most cycles between two looks at who has ended, and those between two judgements whether any can go on.
const WINDOW_MAX: Cycle = Cycle(1_024);
const LOOK: u64 = 1 << 14;

/// The second gateway of a ring: the next board after the first.
const STANDBY: NodeId = NodeId(1);

/// Error of a run of rings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RingsError {
    #[error("ring {ring}: {failure}", ring = .0.0, failure = .1)]
    Failed(RingNumber, Failure),
    #[error("cycle {cycle}: {}", listed(.waiting))]
    Timeout { cycle: Cycle, waiting: Vec<(usize, Waiting)> },
    #[error("no call can end: {}", listed(.0))]
    Stalled(Vec<(usize, Waiting)>),
    #[error("ring {ring}: {error}", ring = .0, error = .1)]
    Host(usize, HostError),
}

fn listed(waiting: &[(usize, Waiting)]) -> String {
    let one = |(ring, one): &(usize, Waiting)| format!("ring {ring}: {one}");
    waiting.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The processes and the boards of a ring.
pub type System = DrivenRing<Choice, dyn Process + Send>;

/// A ring that goes on cycle by cycle, with what happens to it.
pub trait Stepped: Machine<Shape = ()> + Send {
    /// A cycle.
    fn step(&mut self);

    fn cycle(&self) -> Cycle;

    /// The process of this node has not ended.
    fn waits(&self, node: NodeId) -> bool;

    /// The board of this node works.
    fn lives(&self, node: NodeId) -> bool;

    fn board(&self, node: NodeId) -> &Smb;

    /// The processes that have not ended.
    fn waiting(&self) -> Vec<Waiting>;

    /// Every register is as it is in this cycle.
    fn wake(&mut self);

    /// Lets it go on until all that was written is on all boards.
    ///
    /// # Errors
    /// If it is not after so many cycles.
    fn settle(&mut self, limit: Cycle) -> Result<(), HostError>;
}

impl Stepped for System {
    fn step(&mut self) {
        self.advance();
    }

    fn cycle(&self) -> Cycle {
        self.ring().cycle()
    }

    fn waits(&self, node: NodeId) -> bool {
        DrivenRing::waits(self, node)
    }

    fn lives(&self, node: NodeId) -> bool {
        self.ring().is_live(node.index())
    }

    fn board(&self, node: NodeId) -> &Smb {
        self.ring().board(node.index())
    }

    fn waiting(&self) -> Vec<Waiting> {
        DrivenRing::waiting(self)
    }

    fn wake(&mut self) {
        DrivenRing::wake(self);
    }

    fn settle(&mut self, limit: Cycle) -> Result<(), HostError> {
        DrivenRing::settle(self, limit)
    }
}

/// A ring, and the nodes whose processes end.
pub struct Side<R = System> {
    pub ring: R,
    pub ending: Vec<NodeId>,
    /// Gateways, with what is at their boards.
    pub(super) gateways: Vec<AtBoard>,
}

/// What is at the board of a gateway.
pub(super) struct AtBoard {
    /// Looks for what is written into windows, and what comes from the ring's other gateway.
    pub(super) tap: Option<Tap>,
    /// Tells others that the board is dead; `None` when that is done.
    pub(super) bridge: Option<Bridge>,
}

impl<R: Stepped> Side<R> {
    #[must_use]
    pub const fn new(ring: R, ending: Vec<NodeId>) -> Side<R> {
        Side { ring, ending, gateways: Vec::new() }
    }

    fn ended(&self) -> bool {
        self.ending.iter().all(|node| !self.ring.waits(*node))
    }

    fn advance(&mut self, cycles: Cycle) {
        for _ in 0..cycles.0 {
            self.ring.step();
            for (node, gateway) in NodeId::all(self.gateways.len()).zip(&mut self.gateways) {
                if !self.ring.lives(node) {
                    if let Some(bridge) = gateway.bridge.take() {
                        bridge.dies(self.ring.cycle());
                    }
                } else if let Some(tap) = &mut gateway.tap {
                    if node == STANDBY {
                        tap.beside(self.ring.board(NodeId(0)));
                    }
                    tap.look(self.ring.board(node));
                }
            }
        }
    }
}

/// Some rings, at a meeting of all.
#[derive(Clone)]
struct Part {
    ended: bool,
    open: Open,
    in_flight: bool,
    helps_later: bool,
    /// The gateways of live boards.
    gateways: Vec<(RingNumber, Looks)>,
}

impl Part {
    /// `first` is the number of the first ring.
    fn of<R: Stepped>(sides: &[Side<R>], first: usize, common: &Common) -> Part {
        let open = sides.iter().map(|side| side.ring.open());
        let gateway = |(ring, side): (usize, &Side<R>)| {
            let number = RingNumber(narrow(ring));
            let lives = |looks: &Looks| side.ring.lives(NodeId(looks.slot.0));
            let looks = common.looks(number).filter(lives);
            looks.map(|looks| (number, looks))
        };
        Part {
            ended: sides.iter().all(Side::ended),
            open: open.fold(Open::None, most),
            in_flight: sides.iter().any(|side| side.ring.in_flight()),
            helps_later: sides.iter().any(|side| side.ring.helps_later()),
            gateways: (first..).zip(sides).filter_map(gateway).collect(),
        }
    }
}

/// What the open requests of two need.
const fn most(one: Open, other: Open) -> Open {
    match (one, other) {
        (Open::Ends, _) | (_, Open::Ends) => Open::Ends,
        (Open::Waits, _) | (_, Open::Waits) => Open::Waits,
        (Open::None, Open::None) => Open::None,
    }
}

/// All rings, for the stall rule.
struct Together {
    parts: Vec<Part>,
    /// A message is on its way to a gateway that looks for it.
    carries: bool,
    rounds: u64,
}

impl Together {
    fn gateways(&self) -> impl Iterator<Item = (RingNumber, Looks)> {
        self.parts.iter().flat_map(|part| part.gateways.iter().copied())
    }
}

impl Machine for Together {
    /// What each gateway knows, and whether it finds nothing.
    type Shape = Vec<(RingNumber, u64, bool)>;

    fn open(&self) -> Open {
        self.parts.iter().fold(Open::None, |open, part| most(open, part.open))
    }

    fn in_flight(&self) -> bool {
        self.carries || self.parts.iter().any(|part| part.in_flight)
    }

    fn helps_later(&self) -> bool {
        self.parts.iter().any(|part| part.helps_later)
    }

    fn rounds(&self) -> Option<u64> {
        Some(self.rounds)
    }

    fn shape(&self) -> Self::Shape {
        self.gateways().map(|(ring, looks)| (ring, looks.state, looks.polls)).collect()
    }
}

/// Rounds of all gateways that look again and again: in each of them each has had one.
#[derive(Default)]
struct Rounds {
    count: u64,
    looks: BTreeMap<RingNumber, u64>,
}

impl Rounds {
    fn next(&mut self, all: &Together) -> u64 {
        let polling: BTreeMap<RingNumber, u64> = all
            .gateways()
            .filter(|(_, looks)| looks.polls)
            .map(|(ring, looks)| (ring, looks.rounds))
            .collect();
        let looked = |(ring, rounds): (&RingNumber, &u64)| {
            self.looks.get(ring).is_none_or(|before| rounds > before)
        };
        if polling.iter().all(looked) {
            self.count += 1;
            self.looks = polling;
        }
        self.count
    }
}

/// What the threads of a run say to each other.
struct Meeting {
    place: Barrier,
    parts: Vec<Mutex<Part>>,
    stopped: AtomicBool,
    stalled: AtomicBool,
}

fn locked(part: &Mutex<Part>) -> MutexGuard<'_, Part> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Meeting {
    /// Runs the rings of one thread; `go_on` is asked at each meeting.
    fn run<R: Stepped>(
        &self,
        (number, first, sides): (usize, usize, &mut [Side<R>]),
        (window, limit): (Cycle, Cycle),
        common: &Common,
        go_on: &mut dyn FnMut(Cycle) -> bool,
    ) {
        let (mut cycle, mut judge, mut rounds) = (Cycle(0), Judge::default(), Rounds::default());
        while cycle < limit {
            let cycles = window.min(limit - cycle);
            let before = cycle;
            cycle += cycles;
            for side in sides.iter_mut() {
                side.advance(cycles);
            }
            let judged = before.0 / LOOK != cycle.0 / LOOK;
            if judged {
                *locked(&self.parts[number]) = Part::of(sides, first, common);
            } else {
                locked(&self.parts[number]).ended = sides.iter().all(Side::ended);
            }
            if !go_on(cycle) {
                self.stopped.store(true, Ordering::Relaxed);
            }
            self.place.wait();
            // Each thread comes to the same verdict.
            let verdict = if judged {
                let parts = self.parts.iter().map(|part| locked(part).clone()).collect();
                let mut all = Together { parts, carries: false, rounds: 0 };
                let takes = |(ring, looks): (RingNumber, Looks)| {
                    looks.polls && common.comes((ring, looks.slot))
                };
                let carries = all.gateways().any(takes);
                all.carries = carries;
                all.rounds = rounds.next(&all);
                judge.judge(&all)
            } else {
                Verdict::Runs
            };
            let stalled = verdict == Verdict::Stalled;
            let ended = self.parts.iter().all(|part| locked(part).ended);
            // Processes of dead boards do not end.
            let over = ended
                || verdict == Verdict::Over
                || self.stopped.load(Ordering::Relaxed)
                || common.failure().is_some();
            if stalled && !over {
                self.stalled.store(true, Ordering::Relaxed);
            }
            self.place.wait();
            if over || stalled {
                break;
            }
        }
        for side in sides {
            side.ring.wake();
        }
    }
}

/// Rings that run side by side.
pub struct Rings<R = System> {
    sides: Vec<Side<R>>,
    window: Cycle,
    common: Common,
}

impl<R: Stepped> Rings<R> {
    /// Rings whose wires all have this latency, 1 cycle or more, or a longer one.
    #[must_use]
    pub fn new(sides: Vec<Side<R>>, latency: Cycle, common: Common) -> Self {
        Rings { sides, window: latency.clamp(Cycle(1), WINDOW_MAX), common }
    }

    #[must_use]
    pub fn sides(&self) -> &[Side<R>] {
        &self.sides
    }

    pub fn sides_mut(&mut self) -> &mut [Side<R>] {
        &mut self.sides
    }

    #[must_use]
    pub fn into_sides(self) -> Vec<Side<R>> {
        self.sides
    }

    /// What the gateways did.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.common.counts()
    }

    /// The cycle that all rings have reached.
    #[must_use]
    pub fn cycle(&self) -> Cycle {
        self.sides.iter().map(|side| side.ring.cycle()).min().unwrap_or(Cycle(0))
    }

    /// The processes that have not ended, with the numbers of their rings.
    #[must_use]
    pub fn unfinished(&self) -> Vec<(usize, Waiting)> {
        let of = |(ring, side): (usize, &Side<R>)| {
            let all = side.ring.waiting().into_iter();
            let ending = all.filter(|one| side.ending.contains(&one.node));
            ending.map(|one| (ring, one)).collect::<Vec<_>>()
        };
        self.sides.iter().enumerate().flat_map(of).collect()
    }

    /// Runs until all processes that end have ended, on so many threads at most.
    ///
    /// # Errors
    /// [`RingsError`]: a gateway that cannot go on, processes of which none can, and those that have not ended after so
    /// many cycles.
    pub fn run(&mut self, threads: NonZeroUsize, limit: Cycle) -> Result<(), RingsError> {
        self.run_while(threads, limit, &mut |_| true)?;
        if self.sides.iter().all(Side::ended) {
            return Ok(());
        }
        Err(RingsError::Timeout { cycle: self.cycle(), waiting: self.unfinished() })
    }

    /// The same, which ends without an error at the limit, and when `go_on` is false. It is asked at least every 1,024
    /// cycles, on the thread of the caller.
    ///
    /// # Errors
    /// [`RingsError`]: a gateway that cannot go on, and processes of which none can.
    pub fn run_while(
        &mut self,
        threads: NonZeroUsize,
        limit: Cycle,
        go_on: &mut dyn FnMut(Cycle) -> bool,
    ) -> Result<(), RingsError> {
        let each = self.sides.len().div_ceil(threads.get()).max(1);
        let first = (0..).step_by(each);
        let parts = first.zip(self.sides.chunks(each));
        let parts = parts.map(|(first, sides)| Mutex::new(Part::of(sides, first, &self.common)));
        let parts = parts.collect();
        let sides: Vec<&mut [Side<R>]> = self.sides.chunks_mut(each).collect();
        let meeting = Meeting {
            place: Barrier::new(sides.len()),
            parts,
            stopped: AtomicBool::new(false),
            stalled: AtomicBool::new(false),
        };
        let (common, meeting, times) = (&self.common, &meeting, (self.window, limit));
        std::thread::scope(|scope| {
            let all = sides.into_iter().enumerate();
            let mut all = all.map(|(number, sides)| (number, number * each, sides));
            let first = all.next();
            for one in all {
                scope.spawn(move || meeting.run(one, times, common, &mut |_| true));
            }
            if let Some(first) = first {
                meeting.run(first, times, common, go_on);
            }
        });
        if let Some((ring, failure)) = self.common.failure() {
            return Err(RingsError::Failed(ring, failure));
        }
        if meeting.stalled.load(Ordering::Relaxed) {
            return Err(RingsError::Stalled(self.unfinished()));
        }
        Ok(())
    }

    /// Lets each ring run on until all that was written is on all of its boards. Gateways go on to poll.
    ///
    /// # Errors
    /// [`RingsError::Host`] if it is not after so many cycles.
    pub fn settle(&mut self, limit: Cycle) -> Result<(), RingsError> {
        for (number, side) in self.sides.iter_mut().enumerate() {
            side.ring.settle(limit).map_err(|error| RingsError::Host(number, error))?;
        }
        Ok(())
    }
}
