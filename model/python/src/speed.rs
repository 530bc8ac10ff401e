// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loop of `run_until` in Rust alone, to be compared with it.

use crate::error::Error;
use awgstar::host::{Choice, DrivenRing, Setup};
use awgstar::quantity::Cycle;
use pyo3::prelude::*;
use std::time::Instant;

/// Runs a ring of boards with firmware for that many cycles, as a program in Rust does, and returns the seconds
/// that it takes. The ring is that of `python -m awgstar.speed`.
#[pyfunction]
pub(crate) fn speed(
    py: Python<'_>,
    boards: usize,
    fibre: u32,
    period: u32,
    cycles: u64,
) -> PyResult<f64> {
    py.detach(|| {
        let setup = Setup { period, records: true, ..Setup::new(boards, fibre) };
        let mut ring = DrivenRing::new(Choice::new(), &setup).map_err(Error::from)?;
        let began = Instant::now();
        while ring.ring().cycle() < Cycle(cycles) {
            ring.advance();
        }
        ring.wake();
        Ok(began.elapsed().as_secs_f64())
    })
}
