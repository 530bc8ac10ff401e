// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loop of `run_until` in Rust alone, to be compared with it.

use crate::argument;
use crate::error::Error;
use awgstar::host::{Choice, DrivenRing, Setup};
use awgstar::quantity::Cycle;
use pyo3::prelude::*;

/// Runs a ring of boards with firmware for that many cycles, as a program in Rust does. The ring is that of
/// `python -m awgstar.speed`.
#[pyfunction]
pub(crate) fn speed(
    py: Python<'_>,
    #[pyo3(from_py_with = argument::boards)] boards: usize,
    #[pyo3(from_py_with = argument::fibre)] fibre: u32,
    #[pyo3(from_py_with = argument::period)] period: u32,
    #[pyo3(from_py_with = argument::cycles)] cycles: u64,
) -> PyResult<()> {
    py.detach(|| {
        let setup = Setup { period, records: true, ..Setup::new(boards, fibre) };
        let mut ring = DrivenRing::new(Choice::new(), &setup).map_err(Error::from)?;
        while ring.ring().cycle() < Cycle(cycles) {
            ring.advance();
        }
        ring.wake();
        Ok(())
    })
}
