// SPDX-License-Identifier: MIT OR Apache-2.0
//! Views of the replicas of boards without a copy.

use super::BoardRing;
use crate::argument;
use crate::error::Error;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::Ordering;

/// The replica of a board: words of 32 bits, read only.
///
/// `numpy.asarray(memory)` is an array over the same words, without a copy: it shows what the ring does. It keeps
/// this object, and this object keeps the ring. It is read only because a write of a host must travel the ring.
/// Do not read it in another thread while the ring runs.
#[pyclass(frozen, weakref, module = "awgstar._native")]
pub(crate) struct Memory {
    ring: Py<BoardRing>,
    board: usize,
}

impl Memory {
    /// The replica of a board that exists.
    pub(crate) fn new(ring: Py<BoardRing>, board: usize) -> Memory {
        ring.get().shared.views.fetch_add(1, Ordering::Relaxed);
        Memory { ring, board }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.ring.get().shared.views.fetch_sub(1, Ordering::Relaxed);
    }
}

#[pymethods]
impl Memory {
    /// The array interface of numpy, version 3: shape (words,), words of 32 bits in the byte order of this
    /// computer, read only.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (at, words) = self.ring.get().words(self.board)?;
        let out = PyDict::new(py);
        out.set_item("version", 3)?;
        out.set_item("shape", (words,))?;
        out.set_item("typestr", if cfg!(target_endian = "big") { ">u4" } else { "<u4" })?;
        out.set_item("data", (at, true))?;
        Ok(out)
    }

    /// Number of words.
    fn __len__(&self) -> usize {
        self.ring.get().memory_words
    }

    /// The word at an index; byte address 4 * index.
    fn __getitem__(&self, #[pyo3(from_py_with = argument::index)] index: isize) -> PyResult<u32> {
        let words = self.ring.get().memory_words;
        let at = if index < 0 { index.checked_add_unsigned(words) } else { Some(index) };
        let at = at.and_then(|at| usize::try_from(at).ok()).filter(|at| *at < words);
        let at = at.ok_or_else(|| {
            Error::new("PlaceError", "index", format!("an index below {words}"), index)
        })?;
        self.ring.get().word_at(self.board, at)
    }

    /// A copy of `length` bytes from byte `addr` on; the lowest byte of a word comes first.
    fn read(
        &self,
        #[pyo3(from_py_with = argument::addr)] addr: usize,
        #[pyo3(from_py_with = argument::length)] length: usize,
    ) -> PyResult<std::borrow::Cow<'_, [u8]>> {
        let size = 4 * self.ring.get().memory_words;
        if addr.checked_add(length).is_none_or(|end| end > size) {
            let found = format!("{length} bytes at {addr:#x}");
            return Err(Error::argument("addr", format!("bytes below {size:#x}"), found).into());
        }
        Ok(self.ring.get().bytes(self.board, addr, length)?.into())
    }

    fn __repr__(&self) -> String {
        format!("<replica of board {}, {} words>", self.board, self.__len__())
    }
}
