// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of nodes.

use crate::argument::{self, TokenArg};
use crate::condition::{FrameWatch, Ring as Has, Test, World};
use crate::error::Error;
use crate::records;
use crate::ring::{self, Runs};
use crate::scenario::Source;
use crate::shared::Seen;
use awgstar::contract::{Counter, Token, TxClass, TxStatus};
use awgstar::quantity::Cycle;
use awgstar::ring::{NodeRing as Ring, Outgoing};
use awgstar::rtl::Parameters;
use awgstar::trace::{Recorder, Trace};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyType};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

/// Cycles between two looks for Ctrl-C.
const PART: u64 = 65_536;

struct Inner {
    ring: Ring,
    recorder: Option<Recorder>,
}

impl World for Inner {
    #[inline]
    fn cycle(&self) -> u64 {
        self.ring.cycle().0
    }

    fn word(&self, _: usize, _: usize) -> u32 {
        0
    }

    fn interrupts(&self, _: usize) -> bool {
        false
    }

    fn seen(&self, _: &mut dyn FnMut(&Seen) -> bool) -> bool {
        false
    }

    fn up(&self) -> bool {
        false
    }

    fn over(&self) -> bool {
        self.ring.done()
    }

    fn delivered(&self, node: usize) -> u64 {
        self.ring.host(node).delivered().len() as u64
    }
}

impl Inner {
    /// Runs until the test is met, or to the cycle `end`; returns true if it is met.
    fn run(&mut self, test: &Test, watches: &mut [FrameWatch], end: u64) -> bool {
        let looks = self.recorder.is_some() || !watches.is_empty();
        if let (Test::At(cycle), false) = (test, looks) {
            self.ring.run_until(Cycle((*cycle).min(end)));
            return test.met(self, watches);
        }
        while !test.met(self, watches) {
            if self.cycle() >= end {
                return false;
            }
            let (cycle, recorder) = (self.ring.cycle(), &mut self.recorder);
            if looks {
                self.ring.step_observed(&mut |n, node, i, o| {
                    if let Some(recorder) = recorder {
                        recorder.cycle(cycle, n, node, i, o);
                    }
                    for watch in watches.iter_mut() {
                        watch.look(n, o.m_axis.tvalid, o.m_axis.tdata, o.m_axis.tlast);
                    }
                });
            } else {
                self.ring.step();
            }
        }
        true
    }
}

/// A ring of nodes without boards: frames on fibre, cycle by cycle.
///
/// Keyword arguments are the keys of a scenario file with `system = "node-ring"` (docs/scenarios.md): `nodes`,
/// `fibre_m` metres of fibre, `tokens`, `groups`, `program`, `saturate`, `random`, `fault` and so on. With `trace` every
/// frame is recorded for `trace()` and `frames()`; runs take longer.
///
/// Raises `ScenarioError`.
#[pyclass(frozen, weakref, module = "awgstar._native")]
pub(crate) struct NodeRing {
    inner: Mutex<Inner>,
    nodes: usize,
    order: Vec<usize>,
    last: u64,
}

/// Takes `trace` out of keyword arguments.
fn traced(keys: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
    let Some(keys) = keys else { return Ok(false) };
    let Some(found) = keys.get_item("trace")? else { return Ok(false) };
    keys.del_item("trace")?;
    found.is_truthy()
}

impl NodeRing {
    fn make(source: &Source<'_, '_>, trace: bool) -> PyResult<NodeRing> {
        let plan = source.nodes()?;
        let nodes = plan.scenario.nodes;
        let ring = Ring::new(&plan.scenario).map_err(Error::from)?;
        let recorder = trace.then(|| Recorder::new(nodes));
        let inner = Mutex::new(Inner { ring, recorder });
        Ok(NodeRing { inner, nodes, order: (0..nodes).collect(), last: plan.scenario.cycles.0 })
    }

    fn enter(&self) -> Result<MutexGuard<'_, Inner>, Error> {
        ring::enter(&self.inner)
    }

    fn node(&self, node: usize) -> Result<usize, Error> {
        ring::below("node", node, self.nodes)
    }

    fn trace_of(&self) -> Result<Trace, Error> {
        ring::trace(self.enter()?.recorder.as_ref())
    }
}

impl Runs for NodeRing {
    fn has(&self) -> Result<Has, Error> {
        let cycle = self.enter()?.cycle();
        Ok(Has { nodes: self.nodes, words: 0, firmware: false, cycle })
    }

    fn go(
        &self,
        py: Python<'_>,
        test: &Test,
        watches: &mut [FrameWatch],
        end: u64,
    ) -> PyResult<bool> {
        loop {
            let part = py.detach(|| {
                let mut inner = self.enter()?;
                let part = inner.cycle().saturating_add(PART).min(end);
                Ok::<_, Error>((inner.run(test, watches, part), part))
            });
            let (met, part) = part?;
            if met || part >= end {
                return Ok(met);
            }
            py.check_signals()?;
        }
    }

    fn missed(&self) -> PyResult<PyErr> {
        let message = format!("condition: not met in cycle {}", self.enter()?.cycle()).into();
        Ok(Error { class: "LimitError", message, ..Error::default() }.into())
    }
}

#[pymethods]
impl NodeRing {
    #[new]
    #[pyo3(signature = (**keys))]
    fn new(py: Python<'_>, keys: Option<&Bound<'_, PyDict>>) -> PyResult<NodeRing> {
        let trace = traced(keys)?;
        let none = PyDict::new(py);
        NodeRing::make(&Source::Keys(keys.unwrap_or(&none)), trace)
    }

    /// A ring from a scenario file: its traffic, faults and settings.
    #[classmethod]
    #[pyo3(signature = (path, *, trace=false))]
    fn from_file(
        _: &Bound<'_, PyType>,
        #[pyo3(from_py_with = argument::path)] path: PathBuf,
        #[pyo3(from_py_with = argument::trace)] trace: bool,
    ) -> PyResult<NodeRing> {
        NodeRing::make(&Source::File(path), trace)
    }

    /// A ring from the text of a scenario file.
    #[classmethod]
    #[pyo3(signature = (text, *, trace=false))]
    fn from_text(
        _: &Bound<'_, PyType>,
        #[pyo3(from_py_with = argument::text)] text: String,
        #[pyo3(from_py_with = argument::trace)] trace: bool,
    ) -> PyResult<NodeRing> {
        NodeRing::make(&Source::Text(text), trace)
    }

    /// The next cycle.
    #[getter]
    fn cycle(&self) -> PyResult<u64> {
        Ok(self.enter()?.cycle())
    }

    /// The start of the next cycle in ns: cycle / 67.25 MHz.
    #[getter]
    fn ns(&self) -> PyResult<f64> {
        Ok(records::ns(self.enter()?.cycle()))
    }

    /// Number of nodes.
    #[getter]
    fn nodes(&self) -> usize {
        self.nodes
    }

    fn __len__(&self) -> usize {
        self.nodes
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<ring of {} nodes, cycle {}>", self.nodes, self.enter()?.cycle()))
    }

    /// Runs that many cycles.
    #[pyo3(signature = (cycles=1))]
    fn step(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::cycles)] cycles: u64,
    ) -> PyResult<()> {
        let end = self.enter()?.cycle().saturating_add(cycles);
        self.go(py, &Test::At(end), &mut [], end).map(|_| ())
    }

    /// Runs until a condition is met, and returns the cycle.
    ///
    /// `condition` is a `Condition` (see `awgstar.conditions`), checked before every cycle, or a function that is called
    /// with the ring before the first cycle and then after every `every` cycles, until what it returns is true.
    /// Raises `LimitError` if the condition is not met after `limit` cycles.
    #[pyo3(signature = (condition, limit, *, every=1))]
    fn run_until(
        slf: &Bound<'_, Self>,
        condition: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = argument::limit)] limit: u64,
        #[pyo3(from_py_with = argument::every)] every: u64,
    ) -> PyResult<u64> {
        ring::run_until(slf, condition, limit, every)
    }

    /// Runs to the end of the scenario: its key `cycles`. Returns the cycle.
    fn run(&self, py: Python<'_>) -> PyResult<u64> {
        let end = self.last;
        self.go(py, &Test::At(end), &mut [], end)?;
        self.cycle()
    }

    /// Hands a frame to the host of a node, after those that wait. MAC is the node's, and so is Node_ID of a data
    /// token.
    ///
    /// `token` is a `Token`, its code or its name; `addr` is a byte offset. Raises `ScenarioError`.
    #[pyo3(signature = (node, token, data=None, *, c_st=0, to=0, group=0, act_seq=0, packet_cnt=0, addr=0))]
    #[allow(
        clippy::too_many_arguments,
        clippy::needless_pass_by_value,
        reason = "the fields of a frame, as PyO3 gives them"
    )]
    fn send(
        &self,
        #[pyo3(from_py_with = argument::node)] node: usize,
        #[pyo3(from_py_with = argument::token)] token: TokenArg,
        #[pyo3(from_py_with = argument::data)] data: Option<Vec<u8>>,
        #[pyo3(from_py_with = argument::c_st)] c_st: u8,
        #[pyo3(from_py_with = argument::to)] to: u8,
        #[pyo3(from_py_with = argument::group)] group: u8,
        #[pyo3(from_py_with = argument::act_seq)] act_seq: u8,
        #[pyo3(from_py_with = argument::packet_cnt)] packet_cnt: u8,
        #[pyo3(from_py_with = argument::addr)] addr: u32,
    ) -> PyResult<()> {
        let node = self.node(node)?;
        let token = token.token("ScenarioError")?;
        let frame = Outgoing {
            c_st,
            node_id: to,
            multi_g: group,
            act_seq,
            packet_cnt,
            addr,
            ..Outgoing::new(token, data.unwrap_or_default())
        };
        Ok(self.enter()?.ring.send(node, frame).map_err(Error::from)?)
    }

    /// A node drops one free token.
    fn discard(&self, #[pyo3(from_py_with = argument::node)] node: usize) -> PyResult<()> {
        let node = self.node(node)?;
        Ok(self.enter()?.ring.discard(node).map_err(Error::from)?)
    }

    /// Frames that a node gave to its host, in order: dicts with `cycle`, `mac`, `token`, `c_st`, `node_id`, `multi_g`,
    /// `act_seq`, `packet_cnt`, `addr`, `data` (bytes).
    fn delivered<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::node)] node: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let node = self.node(node)?;
        let inner = self.enter()?;
        let out = PyList::empty(py);
        for frame in inner.ring.host(node).delivered() {
            let one = PyDict::new(py);
            one.set_item("cycle", frame.cycle.0)?;
            one.set_item("mac", frame.mac.to_string())?;
            one.set_item("token", frame.token.map(Token::name))?;
            one.set_item("c_st", frame.c_st)?;
            one.set_item("node_id", frame.node_id)?;
            one.set_item("multi_g", frame.multi_g)?;
            one.set_item("act_seq", frame.act_seq)?;
            one.set_item("packet_cnt", frame.packet_cnt)?;
            one.set_item("addr", frame.addr)?;
            one.set_item("data", PyBytes::new(py, &frame.data))?;
            out.append(one)?;
        }
        Ok(out)
    }

    /// Own frames of a node that have returned, in order: dicts with `cycle`, `good`, `token`, `c_st`, `packet_cnt`.
    fn returned<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::node)] node: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let node = self.node(node)?;
        let inner = self.enter()?;
        let out = PyList::empty(py);
        for frame in inner.ring.host(node).returned() {
            let one = PyDict::new(py);
            one.set_item("cycle", frame.cycle.0)?;
            one.set_item("good", frame.good)?;
            one.set_item("token", frame.token.map(Token::name))?;
            one.set_item("c_st", frame.c_st)?;
            one.set_item("packet_cnt", frame.packet_cnt)?;
            out.append(one)?;
        }
        Ok(out)
    }

    /// Verdicts on frames that were given to the transmitter of a node, in order: dicts with `cycle`, `class`,
    /// `status`.
    fn sent<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::node)] node: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let node = self.node(node)?;
        let inner = self.enter()?;
        let out = PyList::empty(py);
        for frame in inner.ring.host(node).sent() {
            let one = PyDict::new(py);
            one.set_item("cycle", frame.cycle.0)?;
            one.set_item("class", frame.class.map(TxClass::name))?;
            one.set_item("status", frame.error.map(TxStatus::name))?;
            out.append(one)?;
        }
        Ok(out)
    }

    /// Counters of a node by their names in the contract.
    fn counters<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::node)] node: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let node = self.node(node)?;
        let inner = self.enter()?;
        let counters = &inner.ring.nodes()[node].u_counters;
        let out = PyDict::new(py);
        for counter in Counter::ALL {
            let code = usize::from(counter.code());
            let value = counters.mem[code].wrapping_add(counters.pending_q.0[code].into());
            out.set_item(counter.name(), value)?;
        }
        Ok(out)
    }

    /// Every register of a node: value by path in the Verilog, as `u_egress.state_q`.
    fn registers<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::node)] node: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let node = self.node(node)?;
        let inner = self.enter()?;
        records::registers(py, &inner.ring.nodes()[node], &Parameters::DEFAULT)
    }

    /// Events of nodes and frames so far, as `BoardRing.trace`. Needs `trace=True`.
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        records::events(py, &self.trace_of()?, &self.order)
    }

    /// Frames on links so far, as `BoardRing.frames`. Needs `trace=True`.
    fn frames<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        records::frames(py, &self.trace_of()?, &self.order)
    }
}
