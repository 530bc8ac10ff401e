// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden vectors, as records.

use crate::argument;
use crate::error::{Error, Value};
use awgstar_stimulus::vectors::word::bytes;
use awgstar_stimulus::vectors::{Class, FrameVector, Vectors, Word, load};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;

/// Iterator over golden vectors, in the order of the manifest.
#[pyclass(module = "awgstar._native")]
pub(crate) struct VectorIterator {
    classes: Vec<Class>,
    /// Class and vector that come next.
    at: (usize, usize),
}

/// Returns an iterator over the vectors of `frame_tx`, `frame_rx` and `crc32` below a folder.
#[pyfunction]
#[pyo3(signature = (folder, classes=None))]
#[allow(clippy::needless_pass_by_value, reason = "PyO3 gives an owned path")]
pub(crate) fn vectors(
    py: Python<'_>,
    #[pyo3(from_py_with = argument::folder)] folder: PathBuf,
    #[pyo3(from_py_with = argument::classes)] classes: Option<Vec<String>>,
) -> PyResult<VectorIterator> {
    let mut all = py.detach(|| load(&folder)).map_err(|e| Error {
        class: "VectorError",
        message: e.to_string().into(),
        field: Some("folder".into()),
        place: Value::Text(folder.display().to_string().into()),
        expected: Some("a folder with golden vectors: vectors/FORMAT.md".into()),
        ..Error::default()
    })?;
    if let Some(wanted) = classes {
        let known = |name: &String| all.iter().any(|class| class.name == *name);
        if let Some(name) = wanted.iter().find(|name| !known(name)) {
            let expected = all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Error::new("VectorError", "classes", expected, name).into());
        }
        all.retain(|class| wanted.contains(&class.name));
    }
    Ok(VectorIterator { classes: all, at: (0, 0) })
}

#[pymethods]
impl VectorIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __len__(&self) -> usize {
        let (class, vector) = self.at;
        let left: usize = self.classes.iter().skip(class).map(Class::len).sum();
        left - vector
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        loop {
            let (at, index) = self.at;
            let Some(class) = self.classes.get(at) else { return Ok(None) };
            if index >= class.len() {
                self.at = (at + 1, 0);
                continue;
            }
            self.at = (at, index + 1);
            return record(py, class, index).map(Some);
        }
    }
}

fn record<'py>(py: Python<'py>, class: &Class, index: usize) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("id", class.id(index))?;
    out.set_item("module", class.module().name())?;
    out.set_item("class", &class.name)?;
    out.set_item("bug_class", &class.bug_class)?;
    out.set_item("effect", &class.effect)?;
    if let Some(note) = class.notes().get(index) {
        out.set_item("comment", &note.comment)?;
        out.set_item("requirements", class.requirements_of(note))?;
    }
    match &class.vectors {
        Vectors::Frame(all) => frame(py, &out, &all[index])?,
        Vectors::Crc32(all) => {
            let v = &all[index];
            out.set_item("keep", v.keep)?;
            out.set_item("crc_in", v.crc_in)?;
            out.set_item("data", v.data)?;
            out.set_item("crc_out", v.crc_out)?;
        }
    }
    Ok(out)
}

fn frame(py: Python<'_>, out: &Bound<'_, PyDict>, v: &FrameVector) -> PyResult<()> {
    let h = &v.header;
    out.set_item("tx", v.tx)?;
    out.set_item("rx", v.rx)?;
    out.set_item("monitor", v.monitor)?;
    out.set_item("check", v.check.name())?;
    out.set_item("tx_status", v.tx_status.name())?;
    out.set_item("mac", h.mac)?;
    out.set_item("token", h.token)?;
    out.set_item("c_st", h.c_st)?;
    out.set_item("node_id", h.node_id)?;
    out.set_item("multi_g", h.multi_g)?;
    out.set_item("act_seq", h.act_seq)?;
    out.set_item("packet_cnt", h.packet_cnt)?;
    out.set_item("addr", h.addr)?;
    out.set_item("len", v.len)?;
    out.set_item("wire", PyBytes::new(py, &bytes(&v.wire)))?;
    out.set_item("wire_words", words(&v.wire))?;
    out.set_item("tx_payload", PyBytes::new(py, &bytes(&v.tx_payload)))?;
    out.set_item("tx_payload_words", words(&v.tx_payload))?;
    out.set_item("rx_payload", PyBytes::new(py, &bytes(&v.rx_payload)))?;
    out.set_item("rx_payload_words", words(&v.rx_payload))
}

/// `tdata`, `tkeep`, `tlast`, `tuser`, and whether a cycle without `tvalid` comes first.
fn words(all: &[Word]) -> Vec<(u32, u8, bool, bool, bool)> {
    all.iter().map(|w| (w.data, w.keep, w.last, w.user, w.gap)).collect()
}
