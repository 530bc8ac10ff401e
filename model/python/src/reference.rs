// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model of a module beside a simulation of it, for `awgstar.cocotb.Scoreboard`.
//!
//! What is compared, and how a cause is found, is that of the lockstep with Icarus: `awgstar_simulator::four_state`
//! and `awgstar_lockstep::blame`.

use crate::error::Error;
use awgstar::rtl::{Parameters, RingNode, Smb, SmbAxi4, state::Ports};
use awgstar_lockstep::blame;
use awgstar_lockstep::divergence::{Differs, Divergence, Kind};
use awgstar_lockstep::flight::Flights;
use awgstar_lockstep::run::Snapshot;
use awgstar_lockstep::text;
use awgstar_simulator::four_state::{Checker, Cycle, FourState, Wrong, instance_ports};
use awgstar_stimulus::machine::{Machine, Track};
use awgstar_stimulus::meaning::Meaning;
use awgstar_stimulus::shape::{Shape, image, value};
use awgstar_stimulus::vector::{About, Vector, expect};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Random starts of the model beside the special ones, as in the lockstep with Icarus.
const STARTS: u32 = 16;
/// Starts for inputs with unknown bits when one would do otherwise.
const SPLIT: usize = 8;
/// Largest shared memory: each start has its own.
const MEM_ADDR_W: usize = 18;

/// Values of signals in four states; `None`: the simulation has no such signal.
type Values = Vec<Option<FourState>>;

/// One cycle of a simulation, just before the edge.
struct Sample {
    inputs: Values,
    outputs: Values,
    registers: Values,
    /// Memory, index, value.
    words: Vec<(usize, usize, FourState)>,
}

/// The first difference.
struct Found {
    first: Differs,
    signals: usize,
    text: String,
    cause: Option<blame::Blame>,
}

/// A module of the model beside a simulation.
trait Beside: Send + Sync {
    fn shape(&self) -> &Shape;
    fn starts(&self) -> usize;
    fn changed(&mut self) -> Vec<(usize, usize)>;
    /// All that differs in a cycle, upstream first; without a difference the edge follows.
    fn cycle(&mut self, sample: Sample, compare: bool) -> Vec<Differs>;
    /// The report, from the ports of the instances in this cycle and in the one before.
    fn report(&self, signals: Vec<Differs>, ports: [&Values; 2]) -> Found;
    fn save(&self, folder: &Path, path: &str) -> Result<(), String>;
}

/// Inputs of a cycle: image, and which bits are unknown.
struct Sampled<I> {
    value: Vec<u32>,
    unknown: Vec<u32>,
    known: Option<I>,
    cycle: u64,
}

impl<I: Ports> Sampled<I> {
    fn of(shape: &Shape, inputs: &Values, cycle: u64) -> Self {
        let mut value = vec![0; shape.words[0]];
        let mut unknown = value.clone();
        for ((_, bits, at), found) in shape.input_words().zip(inputs) {
            let none = FourState { value: 0, unknown: u128::MAX >> (128 - bits) };
            let found = found.unwrap_or(none);
            for word in 0..bits.div_ceil(32) {
                let part = |v: u128| (v >> (32 * word) & 0xffff_ffff) as u32;
                (value[at + word], unknown[at + word]) = (part(found.value), part(found.unknown));
            }
        }
        let known = unknown.iter().all(|word| *word == 0).then(|| I::unpack(&value));
        Sampled { value, unknown, known, cycle }
    }

    /// Inputs of a start: bits that are unknown are 0 in the first, 1 in the second, and random in the others.
    fn of_start(&self, start: usize) -> I {
        if let Some(known) = self.known {
            return known;
        }
        let mut seed = (start as u64 ^ self.cycle << 8).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let fill = |(value, unknown): (&u32, &u32)| {
            let noise = match start {
                0 => 0,
                1 => u32::MAX,
                _ => {
                    seed ^= seed << 13;
                    seed ^= seed >> 7;
                    seed ^= seed << 17;
                    (seed >> 32) as u32
                }
            };
            value | noise & unknown
        };
        let words: Vec<u32> = self.value.iter().zip(&self.unknown).map(fill).collect();
        I::unpack(&words)
    }
}

/// A cycle: what the search for a cause needs, beside the ports.
struct Moment<M: Machine> {
    model: M,
    inputs: M::Inputs,
}

struct With<M: Machine> {
    shape: Shape,
    checker: Checker<M>,
    flights: Flights,
    /// This cycle, if it differs, and the one before.
    moments: [Option<Moment<M>>; 2],
    track: Vec<M::Inputs>,
    number: u64,
    compared: u64,
    /// Paths of what the simulation does not have.
    absent: BTreeSet<String>,
    modules: BTreeMap<String, &'static str>,
    /// The simulation lacks registers, so its outputs are compared only while they mean something (CNF-2).
    foreign: bool,
}

const fn ones(bits: usize) -> u128 {
    u128::MAX >> (128 - bits)
}

impl<M: Machine> With<M> {
    fn new(parameters: &Parameters) -> Self {
        let shape = Shape::of::<M>(parameters).as_ref().clone();
        let modules = modules(&shape).into_iter().collect();
        With {
            checker: Checker::new(&shape, STARTS),
            flights: Flights::new(&shape, 1),
            shape,
            moments: [None, None],
            track: Vec::new(),
            number: 0,
            compared: 0,
            absent: BTreeSet::new(),
            modules,
            foreign: false,
        }
    }

    /// The ports of instances, as the search for a cause takes them: those that are absent are unknown.
    fn ports(&self, ports: &Values) -> Vec<FourState> {
        let none = FourState { value: 0, unknown: u128::MAX };
        let mut ports: Vec<_> = ports.iter().map(|port| port.unwrap_or(none)).collect();
        ports.resize(instance_ports(&self.shape).len(), none);
        ports
    }

    fn differs(&self, wrong: &Wrong) -> Differs {
        let memory = wrong.path.split_once('[').map(|(path, _)| path);
        let path = memory.unwrap_or(&wrong.path);
        let bits_of = |all: &[(String, usize)]| all.iter().find(|(p, _)| p == path).map(|p| p.1);
        let (kind, bits) = if let Some(bits) = bits_of(&self.shape.registers) {
            (Kind::Register, bits)
        } else if let Some((_, m)) = self.shape.memories.iter().find(|(p, _)| p == path) {
            (Kind::Memory, m.bits)
        } else {
            let output = self.shape.outputs.iter().find(|s| s.name == path);
            (Kind::Output, output.map_or(1, |s| s.bits))
        };
        // Bits that the model does not know do not differ.
        let rtl = wrong.icarus.value & wrong.known;
        Differs {
            kind,
            path: wrong.path.clone(),
            module: self.modules.get(path).copied().unwrap_or(self.shape.layout.module),
            bits,
            model: wrong.model & wrong.known & ones(bits),
            rtl,
            unknown: wrong.icarus.unknown & wrong.known & ones(bits),
        }
    }
}

impl<M: Machine<Inputs: Send + Sync>> Beside for With<M> {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn starts(&self) -> usize {
        self.checker.starts()
    }

    fn changed(&mut self) -> Vec<(usize, usize)> {
        let all = self.checker.changed().iter().enumerate();
        all.flat_map(|(m, set)| set.iter().map(move |index| (m, *index))).collect()
    }

    fn cycle(&mut self, sample: Sample, compare: bool) -> Vec<Differs> {
        let sampled = Sampled::<M::Inputs>::of(&self.shape, &sample.inputs, self.number);
        if sampled.known.is_none() {
            self.checker.split(SPLIT);
        }
        let inputs = |start: usize| sampled.of_start(start);
        let fill = |values: &Values, bits: &mut dyn Iterator<Item = usize>| -> Vec<FourState> {
            let none = |bits| FourState { value: 0, unknown: ones(bits) };
            values.iter().zip(bits).map(|(v, bits)| v.unwrap_or(none(bits))).collect()
        };
        let cycle = Cycle {
            outputs: fill(&sample.outputs, &mut self.shape.outputs.iter().map(|s| s.bits)),
            registers: fill(&sample.registers, &mut self.shape.registers.iter().map(|r| r.1)),
            memories: sample.words.clone(),
            ports: Vec::new(),
        };
        let first = inputs(0);
        let model = self.checker.model().clone();
        let outputs = image(&model.outputs(&first));
        let shot =
            Snapshot { inputs: image(&first), model: [outputs, Vec::new()], ..Snapshot::default() };
        self.flights.see(0, &shot);
        self.track.push(first);
        let moment = Some(Moment { model, inputs: first });
        if compare {
            if self.compared == 0 {
                self.note_absent(&sample);
            }
            let wrong = self.checker.look(&inputs, &cycle);
            let mut signals: Vec<Differs> = wrong.iter().map(|w| self.differs(w)).collect();
            signals.retain(|s| !self.is_absent(&s.path));
            if self.foreign {
                let mask = Meaning::of(&self.shape.outputs)
                    .mask(&shot.model[0], &vec![u32::MAX; shot.model[0].len()]);
                let places: BTreeMap<&str, (usize, usize)> =
                    self.shape.output_words().map(|(name, bits, at)| (name, (at, bits))).collect();
                signals.retain(|s| match places.get(s.path.as_str()) {
                    Some(&(at, bits)) if s.kind == Kind::Output => {
                        (s.model ^ s.rtl | s.unknown) & value(&mask, at, bits) != 0
                    }
                    _ => true,
                });
            }
            // Upstream first: the registers are in the order of the instances.
            signals.sort_by_key(|s| s.kind);
            if !signals.is_empty() {
                self.moments[0] = moment;
                return signals;
            }
            if self.compared == 0 {
                self.checker.adopt(&cycle);
                self.checker.join();
            }
            self.compared += 1;
        } else {
            self.checker.note(&cycle);
            if self.number == 0 {
                self.checker.add_state(&cycle);
            }
        }
        self.moments = [None, moment];
        self.checker.clock(&inputs, compare);
        self.number += 1;
        Vec::new()
    }

    fn report(&self, signals: Vec<Differs>, ports: [&Values; 2]) -> Found {
        // Outputs alone differ in the cycle of their cause, registers one later.
        let late = usize::from(signals[0].kind != Kind::Output);
        let compare = |moment: &Moment<M>| {
            let ports = self.ports(ports[late]);
            blame::compare::<M>(&self.shape, &moment.model, &moment.inputs, &ports)
        };
        let wrong = self.moments[late].as_ref().map(compare).unwrap_or_default();
        let cause = blame::cause(&self.shape, self.number - late as u64, &wrong);
        let input = |moment: &Moment<M>| {
            let words = image(&moment.inputs);
            let all = self.shape.input_words();
            all.map(|(name, bits, at)| (name, bits, value(&words, at, bits))).collect()
        };
        let first = signals[0].clone();
        let divergence = Divergence {
            cycle: self.number,
            node: 0,
            signals,
            others: Vec::new(),
            inputs: self.moments[1].as_ref().map(input).unwrap_or_default(),
            frames: self.flights.list(),
            case: (),
        };
        let mut report = String::new();
        if let Some(cause) = &cause {
            report = format!("first wrong wire:\n  {cause}\n\n");
        }
        report += &text::render(&divergence);
        Found { first, signals: divergence.signals.len(), text: report, cause }
    }

    fn save(&self, folder: &Path, path: &str) -> Result<(), String> {
        let shape = &self.shape;
        let track = Track { inputs: self.track.clone(), deposits: Vec::new() };
        let about = About {
            module: shape.layout.module.to_owned(),
            why: format!("model and Verilog differed in {path}, cycle {}", self.number),
            requirements: vec!["LCK-3".to_owned()],
            path: path.to_owned(),
            cycle: Some(self.number),
            parameters: shape.parameters.changed(shape.layout.module),
            ..About::default()
        };
        let expect = expect::<M>(shape, &track);
        let vector = Vector::<M> { about, parameters: shape.parameters, expect, track };
        vector.save(folder).map_err(|e| e.to_string())
    }
}

impl<M: Machine> With<M> {
    fn note_absent(&mut self, sample: &Sample) {
        let registers = self.shape.registers.iter().map(|r| &*r.0).zip(&sample.registers);
        let outputs = self.shape.outputs.iter().map(|s| s.name).zip(&sample.outputs);
        let gone = registers.chain(outputs).filter(|(_, found)| found.is_none());
        let mut absent: BTreeSet<String> = gone.map(|(path, _)| path.to_owned()).collect();
        self.foreign = sample.registers.iter().any(Option::is_none);
        let there: BTreeSet<usize> = sample.words.iter().map(|word| word.0).collect();
        let memories = self.shape.memories.iter().enumerate();
        let gone = memories.filter(|(number, _)| !there.contains(number));
        absent.extend(gone.map(|(_, (path, _))| path.clone()));
        self.absent = absent;
    }

    fn is_absent(&self, path: &str) -> bool {
        self.absent.contains(path.split_once('[').map_or(path, |(path, _)| path))
    }
}

/// The module of each register, memory and output, by path.
fn modules(shape: &Shape) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    shape.layout.walk("", &mut |prefix, layout| {
        let registers = layout.registers.iter().map(|r| r.name);
        let names = registers.chain(layout.memories.iter().map(|m| m.name));
        all.extend(names.map(|name| (format!("{prefix}{name}"), layout.module)));
    });
    all
}

/// The model of `ring_node`, `smb` or `smb_axi4` beside a simulation.
#[pyclass(module = "awgstar._native")]
pub(crate) struct Reference {
    beside: Box<dyn Beside>,
    /// Ports of the instances in the cycle before.
    ports: Option<Py<PyList>>,
}

fn four_state(text: &str, bits: usize, path: &str) -> Result<FourState, Error> {
    if text.len() != bits {
        let expected = format!("{bits} bits, as of these parameters");
        return Err(Error::new("ScoreboardError", path, expected, text.len()));
    }
    let mut found = FourState::default();
    for c in text.bytes() {
        let (value, unknown) = match c {
            b'0' | b'l' | b'L' => (0, 0),
            b'1' | b'h' | b'H' => (1, 0),
            _ => (0, 1),
        };
        found.value = found.value << 1 | value;
        found.unknown = found.unknown << 1 | unknown;
    }
    Ok(found)
}

/// Reads the values of signals; `None` for one that the simulation does not have.
fn values<'a>(
    list: &Bound<'_, PyList>,
    what: &str,
    signals: impl ExactSizeIterator<Item = (&'a str, usize)>,
) -> PyResult<Values> {
    if list.len() != signals.len() {
        return Err(Error::new(
            "ScoreboardError",
            what,
            format!("{} values", signals.len()),
            list.len(),
        )
        .into());
    }
    list.iter()
        .zip(signals)
        .map(|(item, (path, bits))| {
            if item.is_none() {
                return Ok(None);
            }
            let text = item.cast::<PyString>()?;
            Ok(Some(four_state(&text.to_cow()?, bits, path)?))
        })
        .collect()
}

/// Paths and widths of the ports of instances.
fn port_list(shape: &Shape) -> Vec<(String, usize)> {
    let mut bits = Vec::new();
    shape.layout.walk("", &mut |prefix, module| {
        if !prefix.is_empty() {
            bits.extend(module.inputs.iter().chain(&module.outputs).map(|port| port.bits));
        }
    });
    instance_ports(shape).into_iter().zip(bits).collect()
}

#[pymethods]
impl Reference {
    #[new]
    #[pyo3(signature = (module, parameters=None))]
    #[allow(clippy::needless_pass_by_value, reason = "PyO3 gives an owned map")]
    fn new(module: &str, parameters: Option<BTreeMap<String, u64>>) -> PyResult<Self> {
        let mut set = Parameters::DEFAULT;
        for (name, value) in parameters.into_iter().flatten() {
            let wrong = |e: &dyn std::fmt::Display| Error {
                class: "ScoreboardError",
                message: e.to_string().into(),
                field: Some(name.as_str().into()),
                ..Error::default()
            };
            set = set.with(module, &name, value).map_err(|e| wrong(&e))?;
        }
        if set.mem_addr_w() > MEM_ADDR_W {
            let expected = format!("at most {MEM_ADDR_W}");
            return Err(
                Error::new("ScoreboardError", "MEM_ADDR_W", expected, set.mem_addr_w()).into()
            );
        }
        let beside: Box<dyn Beside> = match module {
            "ring_node" => Box::new(With::<RingNode>::new(&set)),
            "smb" => Box::new(With::<Smb>::new(&set)),
            "smb_axi4" => Box::new(With::<SmbAxi4>::new(&set)),
            _ => {
                let expected = "ring_node, smb or smb_axi4";
                return Err(Error::new("ScoreboardError", "module", expected, module).into());
            }
        };
        Ok(Reference { beside, ports: None })
    }

    #[getter]
    fn inputs(&self) -> Vec<(&'static str, usize)> {
        self.beside.shape().inputs.iter().map(|s| (s.name, s.bits)).collect()
    }

    #[getter]
    fn outputs(&self) -> Vec<(&'static str, usize)> {
        self.beside.shape().outputs.iter().map(|s| (s.name, s.bits)).collect()
    }

    #[getter]
    fn registers(&self) -> Vec<(String, usize)> {
        self.beside.shape().registers.clone()
    }

    #[getter]
    fn memories(&self) -> Vec<(String, usize, usize)> {
        let all = self.beside.shape().memories.iter();
        all.map(|(path, m)| (path.clone(), m.bits, m.depth)).collect()
    }

    #[getter]
    fn ports(&self) -> Vec<(String, usize)> {
        port_list(self.beside.shape())
    }

    #[getter]
    fn starts(&self) -> usize {
        self.beside.starts()
    }

    fn changed(&mut self) -> Vec<(usize, usize)> {
        self.beside.changed()
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a sample")]
    fn cycle<'py>(
        &mut self,
        py: Python<'py>,
        compare: bool,
        inputs: &Bound<'py, PyList>,
        outputs: &Bound<'py, PyList>,
        registers: &Bound<'py, PyList>,
        words: Vec<(usize, usize, String)>,
        ports: Option<&Bound<'py, PyList>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let shape = self.beside.shape();
        let mut found = Vec::with_capacity(words.len());
        for (number, index, text) in words {
            let memory = shape.memories.get(number).filter(|(_, m)| index < m.depth);
            let (path, memory) = memory.ok_or_else(|| {
                let expected = "a word of a memory of the module";
                Error::new("ScoreboardError", "words", expected, format!("({number}, {index})"))
            })?;
            found.push((number, index, four_state(&text, memory.bits, path)?));
        }
        let signal = |s: &awgstar::rtl::state::Signal| (s.name, s.bits);
        let sample = Sample {
            inputs: values(inputs, "inputs", shape.inputs.iter().map(signal))?,
            outputs: values(outputs, "outputs", shape.outputs.iter().map(signal))?,
            registers: values(
                registers,
                "registers",
                shape.registers.iter().map(|(p, b)| (&**p, *b)),
            )?,
            words: found,
        };
        let signals = py.detach(|| self.beside.cycle(sample, compare));
        if signals.is_empty() {
            self.ports = ports.map(|ports| ports.clone().unbind());
            return Ok(None);
        }
        let shape = self.beside.shape();
        let all = port_list(shape);
        let of = |list: Option<&Bound<'py, PyList>>| match list {
            Some(list) => values(list, "ports", all.iter().map(|(p, b)| (&**p, *b))),
            None => Ok(Vec::new()),
        };
        let before = self.ports.as_ref().map(|list| list.bind(py));
        let ports = [of(ports)?, of(before)?];
        let found = self.beside.report(signals, [&ports[0], &ports[1]]);
        found.record(py).map(Some)
    }

    #[allow(clippy::needless_pass_by_value, reason = "PyO3 gives an owned path")]
    fn save(&self, folder: PathBuf, path: &str) -> PyResult<()> {
        let done = self.beside.save(&folder, path);
        done.map_err(|message| {
            let place = crate::error::Value::Text(folder.display().to_string().into());
            let field = Some("folder".into());
            Error {
                class: "ScoreboardError",
                message: message.into(),
                field,
                place,
                ..Error::default()
            }
            .into()
        })
    }
}

impl Found {
    fn record(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let out = PyDict::new(py);
        let s = &self.first;
        out.set_item("kind", s.kind.name())?;
        out.set_item("path", &s.path)?;
        out.set_item("module", s.module)?;
        out.set_item("bits", s.bits)?;
        out.set_item("bit", s.bit())?;
        out.set_item("expected", text::hex(s.bits, s.model, 0))?;
        out.set_item("found", text::hex(s.bits, s.rtl, s.unknown))?;
        out.set_item("differences", self.signals)?;
        out.set_item("text", self.text)?;
        out.set_item(
            "cause",
            match &self.cause {
                None => py.None().into_bound(py),
                Some(b) => {
                    let cause = PyDict::new(py);
                    cause.set_item("cycle", b.cycle)?;
                    cause.set_item("port", &b.port)?;
                    cause.set_item("module", b.module)?;
                    cause.set_item("expected", text::hex(b.bits, b.model, 0))?;
                    cause.set_item("found", text::hex(b.bits, b.rtl, 0))?;
                    cause.set_item("text", b.to_string())?;
                    cause.into_any()
                }
            },
        )?;
        Ok(out)
    }
}
