// SPDX-License-Identifier: MIT OR Apache-2.0
//! What Python calls of a ring of boards.

use super::memory::Memory;
use super::{BoardRing, Options};
use crate::argument::{self, wrong};
use crate::condition::Test;
use crate::error::Error;
use crate::plain::Plain;
use crate::process::{Coroutine, Tracked};
use crate::records;
use crate::ring::{self, Runs};
use crate::scenario::Source;
use awgstar::contract::{BoardCounter, Counter};
use awgstar::host::DrivenRing;
use awgstar::quantity::{Cycle, NodeId};
use awgstar::ring::boards::{Cut, Dead, count};
use awgstar::ring::{Fault, FaultKind};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};
use std::path::PathBuf;
use std::sync::Arc;

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
        ring::run_until(slf, condition, limit, every)
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
