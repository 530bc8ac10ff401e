// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loop of `run_until` in Rust alone, to be compared with it.

use crate::error::Error;
use awgstar::host::{Choice, DrivenRing, Setup};
use awgstar::quantity::Cycle;
use pyo3::prelude::*;

/// Runs a ring of boards with firmware for that many cycles, as a program in Rust does. The ring is that of
/// `python -m awgstar.speed`.
#[pyfunction]
pub(crate) fn speed(
    py: Python<'_>,
    boards: usize,
    fibre: u32,
    period: u32,
    cycles: u64,
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
