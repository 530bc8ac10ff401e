// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model of a module beside a simulation of it, for `awgstar.cocotb.Scoreboard`: values of Python for
//! `awgstar_compare`, which compares them and finds the cause.

use crate::error::Error;
use awgstar::rtl::{Parameters, RingNode, Smb, SmbAxi4, state::Ports};
use awgstar_compare::cause;
use awgstar_compare::cycle::Values;
use awgstar_compare::{Comparison, Divergence, Refused, Rules, Sample, Seen, Starts, text};
use awgstar_stimulus::machine::{Machine, Track};
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector::Vector;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest shared memory: each start has its own.
const MEM_ADDR_W: usize = 18;

/// The comparison with one of the modules, and the inputs of all cycles.
struct Run<M: Machine> {
    comparison: Comparison<Starts<M>>,
    inputs: Vec<M::Inputs>,
}

impl<M: Machine> Run<M> {
    fn new(parameters: &Parameters) -> Self {
        let shape = Shape::of::<M>(parameters);
        let source = Starts::taking_over(&shape);
        Run { comparison: Comparison::new(&shape, source, Rules::PUSHED), inputs: Vec::new() }
    }
}

/// A [`Run`] of one of the modules.
trait Model: Send + Sync {
    fn shape(&self) -> &Shape;
    fn starts(&self) -> usize;
    fn changed(&mut self) -> Vec<(usize, usize)>;
    fn cycle(&mut self, sample: &Sample) -> Result<bool, Refused>;
    fn wires(&mut self, before: Option<&[Seen]>, now: Option<&[Seen]>);
    fn found(&self) -> Option<&Divergence<()>>;
    fn save(&self, folder: &Path, path: &str) -> Result<(), String>;
}

impl<M: Machine<Inputs: Send + Sync>> Model for Run<M> {
    fn shape(&self) -> &Shape {
        self.comparison.shape()
    }

    fn starts(&self) -> usize {
        self.comparison.source().count()
    }

    fn changed(&mut self) -> Vec<(usize, usize)> {
        self.comparison.wants()
    }

    fn cycle(&mut self, sample: &Sample) -> Result<bool, Refused> {
        let equal = self.comparison.push(sample)?;
        let [inputs, _] = sample.inputs(self.comparison.shape());
        self.inputs.push(M::Inputs::unpack(&inputs));
        Ok(equal)
    }

    fn wires(&mut self, before: Option<&[Seen]>, now: Option<&[Seen]>) {
        self.comparison.wires(before, now);
    }

    fn found(&self) -> Option<&Divergence<()>> {
        self.comparison.found()
    }

    /// Writes the inputs so far to a folder, for `awgstar cosim --replay`.
    fn save(&self, folder: &Path, path: &str) -> Result<(), String> {
        let cycle = self.comparison.number();
        let why = format!("model and Verilog differed in {path}, cycle {cycle}");
        let track = Track::from(self.inputs.clone());
        let vector = Vector::<M>::failing(self.comparison.shape(), track, &why, (path, cycle));
        vector.save(folder).map_err(|e| e.to_string())
    }
}

fn model<M: Machine<Inputs: Send + Sync>>(parameters: &Parameters) -> Box<dyn Model> {
    Box::new(Run::<M>::new(parameters))
}

/// The model of `ring_node`, `smb` or `smb_axi4` beside a simulation.
#[pyclass(module = "awgstar._native")]
pub(crate) struct Reference {
    model: Box<dyn Model>,
    /// Ports of the instances in the cycle before.
    ports: Option<Py<PyList>>,
}

fn four_state(text: &str, bits: usize, path: &str) -> Result<Seen, Error> {
    if text.len() != bits {
        let expected = format!("{bits} bits, as of these parameters");
        return Err(Error::new("ScoreboardError", path, expected, text.len()));
    }
    let mut found = Seen::default();
    for c in text.bytes() {
        let (value, x) = match c {
            b'0' | b'l' | b'L' => (0, 0),
            b'1' | b'h' | b'H' => (1, 0),
            _ => (0, 1),
        };
        found.value = found.value << 1 | value;
        found.x = found.x << 1 | x;
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
    cause::ports(shape).into_iter().map(|(path, port)| (path, port.bits)).collect()
}

/// The ports of instances, as the search for a cause takes them: those that are absent are unknown.
fn ports(list: &Bound<'_, PyList>, shape: &Shape) -> PyResult<Vec<Seen>> {
    let all = port_list(shape);
    let ports = values(list, "ports", all.iter().map(|(path, bits)| (&**path, *bits)))?;
    let none = Seen { value: 0, x: u128::MAX };
    Ok(ports.into_iter().map(|port| port.unwrap_or(none)).collect())
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
        let model = match module {
            "ring_node" => model::<RingNode>(&set),
            "smb" => model::<Smb>(&set),
            "smb_axi4" => model::<SmbAxi4>(&set),
            _ => {
                let expected = "ring_node, smb or smb_axi4";
                return Err(Error::new("ScoreboardError", "module", expected, module).into());
            }
        };
        Ok(Reference { model, ports: None })
    }

    #[getter]
    fn inputs(&self) -> Vec<(&'static str, usize)> {
        self.model.shape().inputs.iter().map(|s| (s.name, s.bits)).collect()
    }

    #[getter]
    fn outputs(&self) -> Vec<(&'static str, usize)> {
        self.model.shape().outputs.iter().map(|s| (s.name, s.bits)).collect()
    }

    #[getter]
    fn registers(&self) -> Vec<(String, usize)> {
        self.model.shape().registers.clone()
    }

    #[getter]
    fn memories(&self) -> Vec<(String, usize, usize)> {
        let all = self.model.shape().memories.iter();
        all.map(|(path, m)| (path.clone(), m.bits, m.depth)).collect()
    }

    #[getter]
    fn ports(&self) -> Vec<(String, usize)> {
        port_list(self.model.shape())
    }

    #[getter]
    fn starts(&self) -> usize {
        self.model.starts()
    }

    fn changed(&mut self) -> Vec<(usize, usize)> {
        self.model.changed()
    }

    fn cycle<'py>(
        &mut self,
        py: Python<'py>,
        inputs: &Bound<'py, PyList>,
        outputs: &Bound<'py, PyList>,
        registers: &Bound<'py, PyList>,
        words: Vec<(usize, usize, String)>,
        ports: Option<&Bound<'py, PyList>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let shape = self.model.shape();
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
        let equal = py.detach(|| self.model.cycle(&sample));
        let equal = equal.map_err(|error| Error {
            class: "ScoreboardError",
            message: error.to_string().into(),
            ..Error::default()
        })?;
        if equal {
            self.ports = ports.map(|ports| ports.clone().unbind());
            return Ok(None);
        }
        let shape = self.model.shape();
        let before = self.ports.as_ref().map(|list| list.bind(py));
        let [before, now] =
            [before, ports].map(|list| list.map(|list| self::ports(list, shape)).transpose());
        let (before, now) = (before?, now?);
        self.model.wires(before.as_deref(), now.as_deref());
        self.model.found().map(|found| record(found, py)).transpose()
    }

    #[allow(clippy::needless_pass_by_value, reason = "PyO3 gives an owned path")]
    fn save(&self, folder: PathBuf, path: &str) -> PyResult<()> {
        let done = self.model.save(&folder, path);
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

/// The difference for Python; empty if there is none.
fn record<'py>(found: &Divergence<()>, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    let Some(first) = found.first() else { return Ok(out) };
    let bits = first.signal.bits;
    out.set_item("kind", first.signal.kind.name())?;
    out.set_item("path", first.path())?;
    out.set_item("module", first.signal.module)?;
    out.set_item("bits", bits)?;
    out.set_item("bit", first.bit())?;
    out.set_item("expected", Seen::known(first.model()).hex(bits))?;
    out.set_item("found", first.found().hex(bits))?;
    out.set_item("differences", found.signals.len())?;
    out.set_item("text", text::render(found))?;
    let cause = first.cause.as_ref().and_then(|cause| Some((cause, cause.wire.as_ref()?)));
    out.set_item(
        "cause",
        match cause {
            None => py.None().into_bound(py),
            Some((cause, wire)) => {
                let bits = wire.signal.bits;
                let out = PyDict::new(py);
                out.set_item("cycle", wire.cycle)?;
                out.set_item("port", wire.path())?;
                out.set_item("module", cause.module)?;
                out.set_item("expected", Seen::known(wire.expected.value).hex(bits))?;
                out.set_item("found", Seen::known(wire.seen.value).hex(bits))?;
                out.set_item("text", cause.to_string())?;
                out.into_any()
            }
        },
    )?;
    Ok(out)
}
