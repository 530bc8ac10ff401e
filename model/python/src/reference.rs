// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model of a module beside a simulation of it, for `awgstar.cocotb.Scoreboard`: values of Python for
//! `awgstar_lockstep::beside`, which compares them and finds the cause.

use crate::error::Error;
use awgstar::rtl::{Parameters, RingNode, Smb, SmbAxi4};
use awgstar_lockstep::beside::{Beside, BesideError, Found, Sample, Values, wires};
use awgstar_lockstep::text;
use awgstar_simulator::four_state::{FourState, instance_ports};
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::shape::Shape;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest shared memory: each start has its own.
const MEM_ADDR_W: usize = 18;

/// A [`Beside`] of one of the modules.
trait Model: Send + Sync {
    fn shape(&self) -> &Shape;
    fn starts(&self) -> usize;
    fn changed(&mut self) -> Vec<(usize, usize)>;
    fn cycle(&mut self, sample: Sample) -> Result<bool, BesideError>;
    fn blame(&mut self, before: Option<&[FourState]>, now: Option<&[FourState]>);
    fn found(&self) -> Option<&Found>;
    fn save(&self, folder: &Path, path: &str) -> Result<(), String>;
}

impl<M: Machine<Inputs: Send + Sync>> Model for Beside<M> {
    fn shape(&self) -> &Shape {
        self.shape()
    }

    fn starts(&self) -> usize {
        self.starts()
    }

    fn changed(&mut self) -> Vec<(usize, usize)> {
        self.changed()
    }

    fn cycle(&mut self, sample: Sample) -> Result<bool, BesideError> {
        self.cycle(sample)
    }

    fn blame(&mut self, before: Option<&[FourState]>, now: Option<&[FourState]>) {
        self.blame(before, now);
    }

    fn found(&self) -> Option<&Found> {
        self.found()
    }

    fn save(&self, folder: &Path, path: &str) -> Result<(), String> {
        self.save(folder, path)
    }
}

fn model<M: Machine<Inputs: Send + Sync>>(parameters: &Parameters) -> Box<dyn Model> {
    Box::new(Beside::<M>::new(parameters).keeping_inputs())
}

/// The model of `ring_node`, `smb` or `smb_axi4` beside a simulation.
#[pyclass(module = "awgstar._native")]
pub(crate) struct Reference {
    beside: Box<dyn Model>,
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
    let bits = wires(shape).into_iter().map(|port| port.bits);
    instance_ports(shape).into_iter().zip(bits).collect()
}

/// The ports of instances, as the search for a cause takes them: those that are absent are unknown.
fn ports(list: &Bound<'_, PyList>, shape: &Shape) -> PyResult<Vec<FourState>> {
    let all = port_list(shape);
    let ports = values(list, "ports", all.iter().map(|(path, bits)| (&**path, *bits)))?;
    let none = FourState { value: 0, unknown: u128::MAX };
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
        let beside = match module {
            "ring_node" => model::<RingNode>(&set),
            "smb" => model::<Smb>(&set),
            "smb_axi4" => model::<SmbAxi4>(&set),
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

    fn cycle<'py>(
        &mut self,
        py: Python<'py>,
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
        let equal = py.detach(|| self.beside.cycle(sample));
        let equal = equal.map_err(|error| Error {
            class: "ScoreboardError",
            message: error.to_string().into(),
            ..Error::default()
        })?;
        if equal {
            self.ports = ports.map(|ports| ports.clone().unbind());
            return Ok(None);
        }
        let shape = self.beside.shape();
        let before = self.ports.as_ref().map(|list| list.bind(py));
        let [before, now] =
            [before, ports].map(|list| list.map(|list| self::ports(list, shape)).transpose());
        let (before, now) = (before?, now?);
        self.beside.blame(before.as_deref(), now.as_deref());
        self.beside.found().map(|found| record(found, py)).transpose()
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

/// The difference for Python; empty if there is none.
fn record<'py>(found: &Found, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    let Some(s) = found.first() else { return Ok(out) };
    out.set_item("kind", s.kind.name())?;
    out.set_item("path", &s.path)?;
    out.set_item("module", s.module)?;
    out.set_item("bits", s.bits)?;
    out.set_item("bit", s.bit())?;
    out.set_item("expected", text::hex(s.bits, s.model, 0))?;
    out.set_item("found", text::hex(s.bits, s.rtl, s.unknown))?;
    out.set_item("differences", found.signals().len())?;
    out.set_item("text", found.report())?;
    out.set_item(
        "cause",
        match found.cause() {
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
