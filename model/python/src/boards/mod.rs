// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards.

pub(crate) mod memory;
mod methods;

use crate::condition::{FrameWatch, Ring as Has, Test, World};
use crate::error::Error;
use crate::plain::Plain;
use crate::process::Tracked;
use crate::records;
use crate::ring::{self, Runs};
use crate::shared::{Change, Seen, Shared};
use awgstar::host::{BarrierKind, LockKind};
use awgstar::quantity::{Cycle, NodeId};
use awgstar::request::Process;
use awgstar::ring::boards::bytes;
use awgstar::rtl::{Parameters, Smb, smb};
use awgstar::trace::{Recorder, Trace};
use awgstar_scenario::run::boards::{BoardsPlan, Stepper};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Time after which a run looks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(50);
/// Cycles between two looks at the clock.
const CLOCK: u64 = 1024;

/// The ring, and what is not shared with its programs.
struct Inner {
    stepper: Stepper,
    plan: Arc<BoardsPlan>,
    plain: Vec<Plain>,
    recorder: Option<Recorder>,
    /// The place of each board in the ring.
    places: Vec<usize>,
}

/// How a part of a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The condition is met.
    Met,
    /// The last cycle was reached.
    Limit,
    /// A program raised an exception.
    Failed,
    /// It is time to look for signals.
    Signals,
}

/// The ring as conditions see it.
struct BoardWorld<'a> {
    inner: &'a Inner,
    shared: &'a Shared,
}

impl World for BoardWorld<'_> {
    #[inline]
    fn cycle(&self) -> u64 {
        self.inner.stepper.ring().cycle().0
    }

    fn word(&self, board: usize, at: usize) -> u32 {
        self.inner.stepper.ring().board(board).u_memory.mem[at]
    }

    fn interrupts(&self, board: usize) -> bool {
        self.inner.stepper.ring().board(board).irq()
    }

    fn seen(&self, ask: &mut dyn FnMut(&Seen) -> bool) -> bool {
        ask(&self.shared.seen())
    }

    fn up(&self) -> bool {
        let ring = self.inner.stepper.ring();
        ring.live().all(|board| ring.board(board).u_control.synced_q)
    }

    fn over(&self) -> bool {
        let (inner, ring) = (self.inner, self.inner.stepper.ring());
        if inner.plan.programs.is_some() {
            return inner.stepper.is_over();
        }
        inner.plain.iter().all(|plain| plain.ended() || !ring.is_live(plain.board))
            && ring.live().all(|board| inner.stepper.acts_done(board))
    }

    fn delivered(&self, _: usize) -> u64 {
        0
    }
}

impl Inner {
    /// Runs until the test is met, or to the cycle `end`.
    fn run(
        &mut self,
        shared: &Shared,
        test: &Test,
        watches: &mut [FrameWatch],
        end: u64,
    ) -> Result<Ended, Error> {
        let began = Instant::now();
        let ended = loop {
            let cycle = self.stepper.ring().cycle().0;
            if shared.has_failed() {
                break Ended::Failed;
            }
            if test.met(&BoardWorld { inner: self, shared }, watches) {
                break Ended::Met;
            }
            if cycle >= end {
                break Ended::Limit;
            }
            if cycle.is_multiple_of(CLOCK) && began.elapsed() > SIGNALS {
                break Ended::Signals;
            }
            self.step(shared, watches, cycle)?;
        };
        if ended != Ended::Signals {
            self.stepper.wake();
        }
        Ok(ended)
    }

    #[inline]
    fn step(
        &mut self,
        shared: &Shared,
        watches: &mut [FrameWatch],
        cycle: u64,
    ) -> Result<(), Error> {
        shared.apply(&mut self.stepper)?;
        // Programs go on after the edge.
        shared.set_cycle(cycle + 1);
        if self.recorder.is_none() && watches.is_empty() {
            self.stepper.step(&self.plan, None)?;
        } else {
            let (recorder, places) = (&mut self.recorder, &self.places);
            let mut look = |cycle, board: usize, smb: &Smb, i: &smb::Inputs, o: &smb::Outputs| {
                if let Some(recorder) = recorder {
                    let (inputs, outputs) = smb.node_ports(i);
                    let place = places[board];
                    recorder.cycle(Cycle(cycle), place, &smb.u_node, &inputs, &outputs);
                }
                for watch in watches.iter_mut() {
                    watch.look(board, o.m_axis.tvalid, o.m_axis.tdata, o.m_axis.tlast);
                }
            };
            self.stepper.step(&self.plan, Some(&mut look))?;
        }
        for plain in &mut self.plain {
            plain.poll(&mut self.stepper, shared);
        }
        Ok(())
    }
}

/// A ring of boards, the fibre between them and their hosts, cycle by cycle.
///
/// Keyword arguments are the keys of a scenario file with `system = "board-ring"` (docs/scenarios.md): `nodes` is the
/// number of boards, `fibre_m` metres of fibre, `tokens`, `timeout`, `period`, `memory_bytes`, `fault`, `cut`, `dead` and
/// so on. With `primitives` (a dict, which may be empty) the hosts have firmware: locks, barriers, signals between
/// programs.
///
/// * `parameters`: parameters of the Verilog that are not the contract's, such as `{"MAIL_W": 6}`.
/// * `engine`: locks 0 to 15 and barriers 0 to 7 are served by the engine in each board; needs `primitives`.
/// * `trace`: record every frame for `trace()` and `frames()`; runs take longer.
///
/// Raises `ScenarioError`.
#[pyclass(frozen, weakref, module = "awgstar._native")]
pub(crate) struct BoardRing {
    pub(crate) shared: Arc<Shared>,
    inner: Mutex<Inner>,
    boards: usize,
    /// The boards in the order of the ring.
    order: Vec<usize>,
    /// Words of a replica.
    pub(crate) memory_words: usize,
    firmware: bool,
    parameters: Parameters,
}

/// What a ring has besides its scenario.
#[derive(Debug, Default)]
struct Options {
    parameters: Option<std::collections::BTreeMap<String, i64>>,
    engine: bool,
    trace: bool,
}

impl BoardRing {
    fn make(mut plan: BoardsPlan, options: Options) -> PyResult<BoardRing> {
        for (name, found) in options.parameters.unwrap_or_default() {
            let value = u64::try_from(found).unwrap_or(u64::MAX);
            let parameters = plan.scenario.parameters.with("smb", &name, value);
            let wrong =
                |e: &dyn std::fmt::Display| Error::argument("parameters", e.to_string(), found);
            plan.scenario.parameters = parameters.map_err(|e| wrong(&e))?;
        }
        let boards = plan.boards.len();
        if options.engine {
            engine(&mut plan)?;
        }
        let shared = Arc::new(Shared::default());
        let stepper = Stepper::<dyn Process + Send>::new(&plan, &mut |node, runner| {
            Box::new(Tracked::new(runner, node.index(), Arc::clone(&shared)))
        });
        let stepper = stepper.map_err(Error::from)?;
        let order = plan.router.as_ref().map_or_else(|| (0..boards).collect(), |r| r.order.clone());
        let mut places = vec![0; boards];
        for (place, board) in order.iter().enumerate() {
            places[*board] = place;
        }
        Ok(BoardRing {
            boards,
            memory_words: stepper.ring().board(0).u_memory.mem.len(),
            firmware: plan.programs.is_some(),
            parameters: plan.scenario.parameters,
            inner: Mutex::new(Inner {
                stepper,
                plan: Arc::new(plan),
                plain: Vec::new(),
                recorder: options.trace.then(|| Recorder::new(boards)),
                places,
            }),
            shared,
            order,
        })
    }

    /// The ring; an error while it runs.
    fn enter(&self) -> Result<MutexGuard<'_, Inner>, Error> {
        ring::enter(&self.inner)
    }

    fn board(&self, board: usize) -> Result<usize, Error> {
        ring::below("board", board, self.boards)
    }

    /// Address in this process, and words, of a replica.
    pub(crate) fn words(&self, board: usize) -> Result<(usize, usize), Error> {
        let inner = self.enter()?;
        let words = &inner.stepper.ring().board(board).u_memory.mem;
        Ok((words.as_ptr().addr(), words.len()))
    }

    /// A word of a replica.
    pub(crate) fn word_at(&self, board: usize, at: usize) -> PyResult<u32> {
        Ok(self.enter()?.stepper.ring().board(board).u_memory.mem[at])
    }

    /// Bytes of a replica.
    pub(crate) fn bytes(&self, board: usize, addr: usize, length: usize) -> Result<Vec<u8>, Error> {
        let addr = awgstar::quantity::ByteAddress(addr.try_into().unwrap_or(u32::MAX));
        Ok(bytes(self.enter()?.stepper.ring().board(board), addr, length))
    }

    /// Makes a change now, or between two cycles if the ring runs.
    fn change(&self, change: Change) -> PyResult<()> {
        if let Ok(mut inner) = self.enter() {
            return Ok(change(&mut inner.stepper)?);
        }
        self.shared.defer(change);
        Ok(())
    }

    /// Closes the programs: the ring will not go on with them.
    fn close(&self) {
        let programs = std::mem::take(&mut *self.shared.programs());
        if programs.is_empty() {
            return;
        }
        Python::attach(|py| {
            for program in programs.into_values() {
                if let Err(error) = program.call_method0(py, "close") {
                    error.write_unraisable(py, Some(program.bind(py)));
                }
            }
        });
    }

    fn trace_of(&self) -> Result<Trace, Error> {
        ring::trace(self.enter()?.recorder.as_ref())
    }

    /// Who waits for what.
    fn waiting(&self) -> PyResult<Vec<String>> {
        let inner = self.enter()?;
        if let Some(system) = inner.stepper.system() {
            let all = system.waiting();
            return Ok(all
                .iter()
                .map(|w| records::waits(w.node.index(), w.asked.as_ref(), w.since.0))
                .collect());
        }
        let running = inner.plain.iter().filter(|plain| !plain.ended());
        Ok(running.map(ToString::to_string).collect())
    }

    fn limit(&self, what: &str) -> PyResult<PyErr> {
        let waiting = self.waiting()?;
        let mut message = format!("{what}: not met in cycle {}", self.shared.cycle());
        for line in &waiting {
            message.push_str("; ");
            message.push_str(line);
        }
        let more = Some(Box::new(("waiting", waiting)));
        Ok(Error { class: "LimitError", message: message.into(), more, ..Error::default() }.into())
    }
}

impl Runs for BoardRing {
    fn has(&self) -> Result<Has, Error> {
        let cycle = self.enter()?.stepper.ring().cycle().0;
        let (nodes, words, firmware) = (self.boards, self.memory_words, self.firmware);
        Ok(Has { nodes, words, firmware, cycle })
    }

    fn go(
        &self,
        py: Python<'_>,
        test: &Test,
        watches: &mut [FrameWatch],
        end: u64,
    ) -> PyResult<bool> {
        loop {
            let mut run = || self.enter()?.run(&self.shared, test, watches, end);
            // No other thread reads a view while the ring runs.
            let hold = self.shared.views.load(Ordering::Relaxed) > 0;
            let ended = if hold { run() } else { py.detach(run) };
            match ended? {
                Ended::Met => return Ok(true),
                Ended::Limit => return Ok(false),
                Ended::Signals => py.check_signals()?,
                Ended::Failed => {
                    if let Some(error) = self.shared.take_error() {
                        return Err(error);
                    }
                }
            }
        }
    }

    fn missed(&self) -> PyResult<PyErr> {
        self.limit("condition")
    }
}

/// The engine of every board serves locks and barriers.
fn engine(plan: &mut BoardsPlan) -> Result<(), Error> {
    let boards = plan.boards.len();
    let Some(programs) = &mut plan.programs else {
        return Err(Error::argument("engine", "primitives", "a ring without firmware"));
    };
    let choice = &mut programs.choice;
    if choice.lock != LockKind::Queue || choice.barrier != BarrierKind::Ring {
        let found = format!("{} and {}", choice.lock.name(), choice.barrier.name());
        return Err(Error::argument("engine", "lock \"queue\" and barrier \"ring\"", found));
    }
    let width = u64::from(boards.next_power_of_two().trailing_zeros().max(1));
    let parameters = plan.scenario.parameters.with("smb", "ENGINE_NODE_W", width);
    let wrong = |e: &dyn std::fmt::Display| Error::argument("engine", e.to_string(), width);
    plan.scenario.parameters = parameters.map_err(|e| wrong(&e))?;
    choice.engines = NodeId::all(boards).collect();
    Ok(())
}

impl Drop for BoardRing {
    fn drop(&mut self) {
        self.close();
    }
}
