// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden vectors of nodes and boards: what is on every port in every cycle.

use crate::argument;
use crate::error::{Error, Value};
use awgstar::rtl::{RingNode, Smb, SmbAxi4, state::Signal};
use awgstar_stimulus::StimulusError;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::shape::{Shape, image, value};
use awgstar_stimulus::vector::{Vector, list, module};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};

/// The folders of such vectors below `vectors`.
const FOLDERS: [&str; 4] = ["board", "board_engine", "board_axi4", "node"];

/// Iterator over the golden vectors of nodes and boards, in the order of their ids.
#[pyclass(module = "awgstar._native")]
pub(crate) struct CycleVectorIterator {
    /// Ids and folders.
    all: Vec<(String, PathBuf)>,
    next: usize,
}

/// Returns an iterator over the vectors of `ring_node`, `smb` and `smb_axi4` below a folder; with `names`, over those
/// of these ids (`board/flush`) or folders (`board`). A vector is read when it is its turn.
#[pyfunction]
#[pyo3(signature = (folder, names=None))]
#[allow(clippy::needless_pass_by_value, reason = "PyO3 gives an owned path")]
pub(crate) fn cycle_vectors(
    #[pyo3(from_py_with = argument::folder)] folder: PathBuf,
    #[pyo3(from_py_with = argument::names)] names: Option<Vec<String>>,
) -> PyResult<CycleVectorIterator> {
    let mut all = Vec::new();
    for group in FOLDERS {
        for path in list(&folder.join(group)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            all.push((format!("{group}/{name}"), path.clone()));
        }
    }
    if all.is_empty() {
        return Err(Error {
            class: "VectorError",
            message: format!("{}: no vectors of nodes or boards", folder.display()).into(),
            field: Some("folder".into()),
            place: Value::Text(folder.display().to_string().into()),
            expected: Some("a folder with golden vectors: vectors/FORMAT.md".into()),
            ..Error::default()
        }
        .into());
    }
    if let Some(wanted) = names {
        let is = |name: &str, id: &str| {
            id == name || id.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
        };
        if let Some(name) = wanted.iter().find(|name| !all.iter().any(|(id, _)| is(name, id))) {
            let ids: Vec<&str> = all.iter().map(|(id, _)| id.as_str()).collect();
            let expected = format!("one of {}, {}", FOLDERS.join(", "), ids.join(", "));
            return Err(Error::new("VectorError", "names", expected, name).into());
        }
        all.retain(|(id, _)| wanted.iter().any(|name| is(name, id)));
    }
    Ok(CycleVectorIterator { all, next: 0 })
}

#[pymethods]
impl CycleVectorIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// Vectors that are left.
    fn __len__(&self) -> usize {
        self.all.len() - self.next
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<CycleVector>> {
        let Some((id, path)) = self.all.get(self.next) else { return Ok(None) };
        let vector = py.detach(|| read(id, path)).map_err(|e| wrong(path, &e))?;
        self.next += 1;
        Ok(Some(vector))
    }
}

fn wrong(path: &Path, error: &StimulusError) -> PyErr {
    Error {
        class: "VectorError",
        message: error.to_string().into(),
        field: Some("folder".into()),
        place: Value::Text(path.display().to_string().into()),
        expected: Some("stimulus.hex, expect.hex and vector.toml: vectors/FORMAT.md".into()),
        ..Error::default()
    }
    .into()
}

/// Value and mask of each output.
type Expected = Vec<(u128, u128)>;

/// A golden vector of a node or a board: inputs and expected outputs of every cycle.
///
/// `len()` is the number of cycles. Iteration yields a dict for each cycle: `cycle` (from 0), `inputs` (name: value)
/// and `expected` (name: (value, mask)). An output matches if `(output ^ value) & mask` is 0.
#[pyclass(module = "awgstar._native", frozen)]
pub(crate) struct CycleVector {
    /// Folder and name: `board/flush`.
    #[pyo3(get)]
    id: String,
    /// The module that it is for: `ring_node`, `smb` or `smb_axi4`.
    #[pyo3(get)]
    module: &'static str,
    /// What it shows.
    #[pyo3(get)]
    why: String,
    /// Ids of requirements.
    #[pyo3(get)]
    requirements: Vec<String>,
    /// What the host must read, in order: 8 hexadecimal digits, or `slverr`. Empty for nodes.
    #[pyo3(get)]
    answers: Vec<String>,
    /// Signals that the board must send, of vectors of a board with an engine.
    #[pyo3(get)]
    signals: Option<Vec<String>>,
    /// Parameters of the module that are not the contract's, each `NAME=VALUE`.
    #[pyo3(get)]
    parameters: Vec<String>,
    /// Inputs but `clk`, in the order of the page of the module: (name, bits).
    #[pyo3(get)]
    inputs: Vec<(&'static str, usize)>,
    /// Outputs, likewise.
    #[pyo3(get)]
    outputs: Vec<(&'static str, usize)>,
    cycles: Vec<(Vec<u128>, Expected)>,
}

fn read(id: &str, folder: &Path) -> Result<CycleVector, StimulusError> {
    match module(folder)?.as_str() {
        "smb_axi4" => of::<SmbAxi4>(id, folder),
        "smb" => of::<Smb>(id, folder),
        // One of another module is refused.
        _ => of::<RingNode>(id, folder),
    }
}

fn of<M: Machine>(id: &str, folder: &Path) -> Result<CycleVector, StimulusError> {
    let vector = Vector::<M>::load(folder)?;
    let shape = Shape::of::<M>(&vector.parameters);
    let refused = |what: String| StimulusError::format(folder.join("expect.hex"), what);
    let (found, expected) = (vector.expect.len(), vector.track.inputs.len());
    if found != expected {
        return Err(refused(format!("{found} cycles: expected {expected}, as in stimulus.hex")));
    }
    let mut cycles = Vec::with_capacity(found);
    for (cycle, (inputs, line)) in vector.track.inputs.iter().zip(&vector.expect).enumerate() {
        let words = image(inputs);
        let inputs = shape.input_words().map(|(_, bits, at)| value(&words, at, bits)).collect();
        let pair = line.split_once('_').and_then(|(values, masks)| {
            Some((split(values, &shape.outputs)?, split(masks, &shape.outputs)?))
        });
        let what = || refused(format!("cycle {cycle}: expected value and mask of the outputs"));
        let (values, masks) = pair.ok_or_else(what)?;
        cycles.push((inputs, values.into_iter().zip(masks).collect()));
    }
    let named = |signals: &[Signal]| signals.iter().map(|s| (s.name, s.bits)).collect();
    let about = vector.about;
    Ok(CycleVector {
        id: id.to_owned(),
        module: shape.layout.module,
        why: about.why,
        requirements: about.requirements,
        answers: about.answers,
        signals: about.signals,
        parameters: about.parameters,
        inputs: named(&shape.inputs),
        outputs: named(&shape.outputs),
        cycles,
    })
}

/// The values of ports, the first on top, from hexadecimal digits.
fn split(digits: &str, signals: &[Signal]) -> Option<Vec<u128>> {
    let total: usize = signals.iter().map(|signal| signal.bits).sum();
    let mut bits = Vec::new();
    for digit in digits.trim().chars() {
        let digit = digit.to_digit(16)?;
        bits.extend((0..4).rev().map(|bit| digit >> bit & 1));
    }
    let mut bits = bits.split_off(bits.len().checked_sub(total)?).into_iter();
    let value = |signal: &Signal| {
        bits.by_ref().take(signal.bits).fold(0, |value, bit| value << 1 | u128::from(bit))
    };
    Some(signals.iter().map(value).collect())
}

#[pymethods]
impl CycleVector {
    fn __len__(&self) -> usize {
        self.cycles.len()
    }

    fn __iter__(slf: Py<Self>) -> CycleIterator {
        CycleIterator { vector: slf, next: 0 }
    }

    fn __repr__(&self) -> String {
        format!("CycleVector({:?}, {:?}, {} cycles)", self.id, self.module, self.cycles.len())
    }
}

/// Iterator over the cycles of a vector.
#[pyclass(module = "awgstar._native")]
pub(crate) struct CycleIterator {
    vector: Py<CycleVector>,
    next: usize,
}

#[pymethods]
impl CycleIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// Cycles that are left.
    fn __len__(&self) -> usize {
        self.vector.get().cycles.len() - self.next
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let vector = self.vector.get();
        let Some((inputs, expected)) = vector.cycles.get(self.next) else { return Ok(None) };
        let (out, given, wanted) = (PyDict::new(py), PyDict::new(py), PyDict::new(py));
        for ((name, _), value) in vector.inputs.iter().zip(inputs) {
            given.set_item(name, *value)?;
        }
        for ((name, _), (value, mask)) in vector.outputs.iter().zip(expected) {
            wanted.set_item(name, PyTuple::new(py, [*value, *mask])?)?;
        }
        out.set_item("cycle", self.next)?;
        out.set_item("inputs", given)?;
        out.set_item("expected", wanted)?;
        self.next += 1;
        Ok(Some(out))
    }
}
