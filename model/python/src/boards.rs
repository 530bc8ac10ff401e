// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards.

use crate::argument::{self, wrong};
use crate::condition::{Condition, FrameWatch, Ring, Test, World};
use crate::error::Error;
use crate::memory::Memory;
use crate::plain::Plain;
use crate::process::{Coroutine, Tracked};
use crate::records;
use crate::scenario::Source;
use crate::shared::{Change, Seen, Shared};
use awgstar::contract::{BoardCounter, Counter};
use awgstar::host::{BarrierKind, DrivenRing, LockKind};
use awgstar::quantity::{Cycle, NodeId};
use awgstar::request::Process;
use awgstar::ring::boards::{Cut, Dead, bytes, count};
use awgstar::ring::{Fault, FaultKind};
use awgstar::rtl::{Parameters, Smb, smb};
use awgstar::trace::{Recorder, Trace};
use awgstar_scenario::run::boards::{BoardsPlan, Stepper};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
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
                    watch.look(board, o.m_axis_tvalid, o.m_axis_tdata, o.m_axis_tlast);
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
        match self.inner.try_lock() {
            Ok(inner) => Ok(inner),
            Err(TryLockError::Poisoned(inner)) => Ok(PoisonError::into_inner(inner)),
            Err(TryLockError::WouldBlock) => Err(Error::busy()),
        }
    }

    fn board(&self, board: usize) -> Result<usize, Error> {
        let wrong = || Error::argument("board", format!("one below {}", self.boards), board);
        if board < self.boards { Ok(board) } else { Err(wrong()) }
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

    /// Runs until the test is met, to `end` at most.
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

    fn trace_of(&self) -> PyResult<Trace> {
        let inner = self.enter()?;
        let none = || Error::argument("trace", "a ring made with trace=True", "False");
        Ok(inner.recorder.clone().ok_or_else(none)?.finish())
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

fn options(keys: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = Options::default();
    let Some(keys) = keys else { return Ok(options) };
    let take = |name: &str| -> PyResult<Option<Bound<'_, PyAny>>> {
        let found = keys.get_item(name)?;
        if found.is_some() {
            keys.del_item(name)?;
        }
        Ok(found.filter(|one| !one.is_none()))
    };
    options.parameters = take("parameters")?.map(|one| argument::parameters(&one)).transpose()?;
    let truth =
        |name: &str| -> PyResult<bool> { take(name)?.map_or(Ok(false), |one| one.is_truthy()) };
    options.engine = truth("engine")?;
    options.trace = truth("trace")?;
    Ok(options)
}

fn no_more(keys: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    match keys.and_then(|keys| keys.keys().iter().next()) {
        None => Ok(()),
        Some(key) => Err(Error::argument("argument", "parameters, engine or trace", key).into()),
    }
}

#[pymethods]
impl BoardRing {
    #[new]
    #[pyo3(signature = (**keys))]
    fn new(py: Python<'_>, keys: Option<&Bound<'_, PyDict>>) -> PyResult<BoardRing> {
        let options = options(keys)?;
        let none = PyDict::new(py);
        BoardRing::make(Source::Keys(keys.unwrap_or(&none)).boards()?, options)
    }

    /// A ring from a scenario file: its hosts, programs, faults and settings. Keyword arguments: `parameters`,
    /// `engine`, `trace`.
    #[classmethod]
    #[pyo3(signature = (path, **keys))]
    fn from_file(
        _: &Bound<'_, PyType>,
        #[pyo3(from_py_with = argument::path)] path: PathBuf,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<BoardRing> {
        let options = options(keys)?;
        no_more(keys)?;
        BoardRing::make(Source::File(path).boards()?, options)
    }

    /// A ring from the text of a scenario file, as `from_file`.
    #[classmethod]
    #[pyo3(signature = (text, **keys))]
    fn from_text(
        _: &Bound<'_, PyType>,
        #[pyo3(from_py_with = argument::text)] text: String,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<BoardRing> {
        let options = options(keys)?;
        no_more(keys)?;
        BoardRing::make(Source::Text(text).boards()?, options)
    }

    /// The next cycle. It can be read at any time, in programs too.
    #[getter]
    fn cycle(&self) -> u64 {
        self.shared.cycle()
    }

    /// The start of the next cycle in ns: cycle / 67.25 MHz.
    #[getter]
    fn ns(&self) -> f64 {
        records::ns(self.shared.cycle())
    }

    /// Number of boards.
    #[getter]
    fn nodes(&self) -> usize {
        self.boards
    }

    /// The hosts have firmware.
    #[getter]
    fn firmware(&self) -> bool {
        self.firmware
    }

    fn __len__(&self) -> usize {
        self.boards
    }

    fn __repr__(&self) -> String {
        format!("<ring of {} boards, cycle {}>", self.boards, self.shared.cycle())
    }

    /// Starts a program on the host of a board: a coroutine function that is called with its host, and with
    /// `arguments` after it.
    ///
    /// The host is a `Host` on a ring with firmware, else a `PlainHost`. The program begins when the ring runs:
    /// with firmware when all boards know each other, else when the board is set up and the acts of the file are
    /// done. Raises `ScenarioError` if the board runs a program.
    #[pyo3(signature = (board, program, *arguments))]
    fn start(
        slf: &Bound<'_, Self>,
        #[pyo3(from_py_with = argument::board)] board: usize,
        program: &Bound<'_, PyAny>,
        arguments: &Bound<'_, PyTuple>,
    ) -> PyResult<()> {
        let (py, ring) = (slf.py(), slf.get());
        let board = ring.board(board)?;
        let mut inner = ring.enter()?;
        let node = NodeId::at(board);
        let runs = inner.stepper.system().is_some_and(|system| system.waits(node));
        let runs = runs || inner.plain.iter().any(|plain| plain.board == board && !plain.ended());
        if runs {
            let expected = "a board without a program that has not ended";
            return Err(Error::argument("board", expected, board).into());
        }
        let class = if ring.firmware { "Host" } else { "PlainHost" };
        let host = py.import("awgstar.hosts")?.getattr(class)?.call1((slf, board))?;
        if !program.is_callable() {
            return Err(wrong("program", "a coroutine function", program).into());
        }
        let hosts = py.import("awgstar.hosts")?;
        let coroutine = hosts.getattr("run_program")?.call1((program, host, arguments))?;
        ring.shared.programs().insert(board, coroutine.unbind());
        let memory = 4 * ring.memory_words as u64;
        if let Some(system) = inner.stepper.system_mut() {
            let shared = Arc::clone(&ring.shared);
            let process = Coroutine::new(board, ring.boards, memory, Arc::clone(&shared));
            let process = Box::new(Tracked::new(process, board, shared));
            system.start(node, process).map_err(Error::from)?;
        } else {
            inner.plain.retain(|plain| plain.board != board);
            inner.plain.push(Plain::new(board, memory));
        }
        Ok(())
    }

    /// Runs that many cycles. Raises what a program raises.
    #[pyo3(signature = (cycles=1))]
    fn step(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::cycles)] cycles: u64,
    ) -> PyResult<()> {
        let end = self.shared.cycle().saturating_add(cycles);
        self.go(py, &Test::At(end), &mut [], end).map(|_| ())
    }

    /// Runs until a condition is met, and returns the cycle.
    ///
    /// `condition` is a `Condition` (see `awgstar.conditions`), checked before every cycle, or a function that is called
    /// with the ring before the first cycle and then after every `every` cycles, until what it returns is true.
    /// Raises `LimitError` if the condition is not met after `limit` cycles, and what a program raises.
    #[pyo3(signature = (condition, limit, *, every=1))]
    fn run_until(
        slf: &Bound<'_, Self>,
        condition: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = argument::limit)] limit: u64,
        #[pyo3(from_py_with = argument::every)] every: u64,
    ) -> PyResult<u64> {
        let (py, ring) = (slf.py(), slf.get());
        let cycle = ring.enter()?.stepper.ring().cycle().0;
        let end = cycle.saturating_add(limit);
        if let Ok(condition) = condition.cast::<Condition>() {
            let mut watches = Vec::new();
            let has = Ring {
                nodes: ring.boards,
                words: ring.memory_words,
                firmware: ring.firmware,
                cycle,
            };
            let test = condition.get().test(&has, &mut watches)?;
            if ring.go(py, &test, &mut watches, end)? {
                return Ok(ring.shared.cycle());
            }
            return Err(ring.limit("condition")?);
        }
        if every == 0 {
            return Err(Error::argument("every", "at least 1", every).into());
        }
        if !condition.is_callable() {
            let expected = "a Condition or a function";
            return Err(wrong("condition", expected, condition).into());
        }
        while !condition.call1((slf,))?.is_truthy()? {
            let cycle = ring.shared.cycle();
            if cycle >= end {
                return Err(ring.limit("condition")?);
            }
            let next = cycle.saturating_add(every).min(end);
            ring.go(py, &Test::At(next), &mut [], next)?;
        }
        Ok(ring.shared.cycle())
    }

    /// Runs until all programs of live boards have ended, acts of the file are done, and, with firmware, what was
    /// sent is everywhere. Returns the cycle.
    ///
    /// Raises `LimitError` after `limit` cycles (without it: after those of the scenario), and what a program raises.
    #[pyo3(signature = (limit=None))]
    fn run(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::limit)] limit: Option<u64>,
    ) -> PyResult<u64> {
        let (cycle, last) = {
            let inner = self.enter()?;
            (inner.stepper.ring().cycle().0, inner.plan.cycles.0)
        };
        let end = limit.map_or(last, |limit| cycle.saturating_add(limit));
        if self.go(py, &Test::Over, &mut [], end)? {
            return Ok(self.shared.cycle());
        }
        Err(self.limit("end of all programs")?)
    }

    /// Who waits for what, one line for each program that has not ended.
    #[pyo3(name = "waiting")]
    fn waiting_lines(&self) -> PyResult<Vec<String>> {
        self.waiting()
    }

    /// The replica of a board as a `Memory`; `numpy.asarray(ring.memory(0))` is a view of it without a copy.
    fn memory(
        slf: &Bound<'_, Self>,
        #[pyo3(from_py_with = argument::board)] board: usize,
    ) -> PyResult<Memory> {
        let board = slf.get().board(board)?;
        Ok(Memory::new(slf.clone().unbind(), board))
    }

    /// Counters of a board by their names in the contract: those of its node (`passed` to `token_overflow`), then
    /// those of the board (`data` to `stray`).
    fn counters<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::board)] board: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let board = self.board(board)?;
        let inner = self.enter()?;
        let smb = inner.stepper.ring().board(board);
        let out = PyDict::new(py);
        for counter in Counter::ALL {
            out.set_item(counter.name(), count(smb, *counter))?;
        }
        for counter in BoardCounter::ALL {
            out.set_item(counter.name(), count(smb, *counter))?;
        }
        Ok(out)
    }

    /// Every register of a board: value by path in the Verilog, as `u_control.synced_q`.
    fn registers<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::board)] board: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let board = self.board(board)?;
        let inner = self.enter()?;
        records::registers(py, inner.stepper.ring().board(board), &self.parameters)
    }

    /// State of a board, a dict of truth values: `live`, `synced` (known to all), `monitor` (the active one), `irq`.
    fn state<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::board)] board: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let board = self.board(board)?;
        let inner = self.enter()?;
        let (ring, out) = (inner.stepper.ring(), PyDict::new(py));
        let smb = ring.board(board);
        out.set_item("live", ring.is_live(board))?;
        out.set_item("synced", smb.u_control.synced_q)?;
        out.set_item("monitor", smb.u_control.active_q)?;
        out.set_item("irq", smb.irq())?;
        Ok(out)
    }

    /// Frames that have left a board whole.
    fn frames_sent(&self, #[pyo3(from_py_with = argument::board)] board: usize) -> PyResult<u64> {
        let board = self.board(board)?;
        Ok(self.enter()?.stepper.ring().frames(board))
    }

    /// A fault of a frame on the link after a board: one of `bit` (which is inverted; 0 is bit 0 of the first word),
    /// `words` (only so many arrive), `lose`, `twice`.
    ///
    /// `frame` is its number among all that leave the board (`frames_sent`), by default that of the next one. It can
    /// be called in a program: the fault is there from the next cycle on.
    #[pyo3(signature = (link, *, frame=None, bit=None, words=None, lose=false, twice=false))]
    fn fault(
        &self,
        #[pyo3(from_py_with = argument::link)] link: usize,
        #[pyo3(from_py_with = argument::frame)] frame: Option<u64>,
        #[pyo3(from_py_with = argument::bit)] bit: Option<u32>,
        #[pyo3(from_py_with = argument::words)] words: Option<u32>,
        #[pyo3(from_py_with = argument::lose)] lose: bool,
        #[pyo3(from_py_with = argument::twice)] twice: bool,
    ) -> PyResult<()> {
        let link = self.board(link)?;
        let all = [
            bit.map(FaultKind::Bit),
            words.map(FaultKind::Truncate),
            lose.then_some(FaultKind::Lose),
            twice.then_some(FaultKind::Twice),
        ];
        let [kind] = all.into_iter().flatten().collect::<Vec<_>>()[..] else {
            let expected = "one of bit, words, lose, twice";
            return Err(Error::argument("fault", expected, "none or several").into());
        };
        self.change(Box::new(move |stepper| {
            let ring = stepper.ring();
            // One that is on the output has not left whole.
            let next = ring.frames(link) + u64::from(ring.sends(link));
            let frame = frame.unwrap_or(next);
            Ok(stepper.ring_mut().add_fault(Fault { link, frame, kind })?)
        }))
    }

    /// Cuts the fibre after a board for that many cycles, or for ever. It can be called in a program.
    #[pyo3(signature = (link, cycles=None))]
    fn cut(
        &self,
        #[pyo3(from_py_with = argument::link)] link: usize,
        #[pyo3(from_py_with = argument::cycles)] cycles: Option<u64>,
    ) -> PyResult<()> {
        let link = self.board(link)?;
        self.change(Box::new(move |stepper| {
            let from = stepper.ring().cycle();
            let until = cycles.map_or(Cycle::MAX, |cycles| from.saturating_add(Cycle(cycles)));
            Ok(stepper.ring_mut().add_cut(Cut { link, from, until })?)
        }))
    }

    /// A board dies: an optical switch bridges it. It can be called in a program.
    fn kill(&self, #[pyo3(from_py_with = argument::board)] board: usize) -> PyResult<()> {
        let board = self.board(board)?;
        self.change(Box::new(move |stepper| {
            let cycle = stepper.ring().cycle();
            Ok(stepper.ring_mut().add_dead(Dead { board, cycle })?)
        }))
    }

    /// Resets a board for that many cycles; its host sets it up again. It can be called in a program.
    #[pyo3(signature = (board, cycles=4))]
    fn reset(
        &self,
        #[pyo3(from_py_with = argument::board)] board: usize,
        #[pyo3(from_py_with = argument::cycles)] cycles: u64,
    ) -> PyResult<()> {
        let board = self.board(board)?;
        self.change(Box::new(move |stepper| Ok(stepper.reset(board, Cycle(cycles))?)))
    }

    /// Events of nodes and frames so far, a list of dicts with the same keys: `cycle`, `ns`, `node`, `event`, `source`,
    /// `mac`, `token`, `c_st`, `node_id`, `packet_cnt`, `held` (tokens in the node's hand before) and `verdict`.
    /// Needs `trace=True`.
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        records::events(py, &self.trace_of()?, &self.order)
    }

    /// Frames on links so far, a list of dicts with the same keys: `link`, `begin`, `end` (cycles of the first and the
    /// last word at its begin), `arrival` (of the first word at its end), `source`, `mac`, `token`, `c_st`, `node_id`,
    /// `packet_cnt`, `inserted`, `aborted`, `fate`, `good`. Needs `trace=True`.
    fn frames<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        records::frames(py, &self.trace_of()?, &self.order)
    }

    /// Removes and returns the records of programs and firmware so far, a list of dicts with the same keys: `cycle`,
    /// `ns`, `board`, `event`, `what`, `number`, `value`, `source`. Empty without firmware.
    fn records(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        let mut inner = self.enter()?;
        let all = inner.stepper.system_mut().map(DrivenRing::take_records);
        records::records(py, &all.unwrap_or_default())
    }

    #[allow(clippy::needless_pass_by_value, reason = "the signature that PyO3 wants")]
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Some(programs) = self.shared.try_programs() {
            for program in programs.values() {
                visit.call(program)?;
            }
        }
        Ok(())
    }

    fn __clear__(&self) {
        self.close();
    }
}

impl Drop for BoardRing {
    fn drop(&mut self) {
        self.close();
    }
}
