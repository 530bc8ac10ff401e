// SPDX-License-Identifier: MIT OR Apache-2.0
//! What rings of nodes and rings of boards do alike.

use crate::argument::wrong;
use crate::condition::{Condition, FrameWatch, Ring as Has, Test};
use crate::error::Error;
use awgstar::trace::{Recorder, Trace};
use pyo3::PyClass;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A ring that Python runs.
pub(crate) trait Runs: PyClass<Frozen = pyo3::pyclass::boolean_struct::True> + Sync {
    /// What it has; an error while it runs.
    fn has(&self) -> Result<Has, Error>;
    /// Runs until the test is met, to the cycle `end` at most; returns true if it is met.
    fn go(
        &self,
        py: Python<'_>,
        test: &Test,
        watches: &mut [FrameWatch],
        end: u64,
    ) -> PyResult<bool>;
    /// The error of a condition that is not met.
    fn missed(&self) -> PyResult<PyErr>;
}

/// Runs a ring until a condition is met or a function of Python, called after every `every` cycles, returns true.
/// Returns the cycle.
pub(crate) fn run_until<R: Runs>(
    slf: &Bound<'_, R>,
    condition: &Bound<'_, PyAny>,
    limit: u64,
    every: u64,
) -> PyResult<u64> {
    let (py, ring) = (slf.py(), slf.get());
    let has = ring.has()?;
    let end = has.cycle.saturating_add(limit);
    if let Ok(condition) = condition.cast::<Condition>() {
        let mut watches = Vec::new();
        let test = condition.get().test(&has, &mut watches)?;
        let met = ring.go(py, &test, &mut watches, end)?;
        return if met { Ok(ring.has()?.cycle) } else { Err(ring.missed()?) };
    }
    if every == 0 {
        return Err(Error::argument("every", "at least 1", every).into());
    }
    if !condition.is_callable() {
        let expected = "a Condition or a function";
        return Err(wrong("condition", expected, condition).into());
    }
    while !condition.call1((slf,))?.is_truthy()? {
        let cycle = ring.has()?.cycle;
        if cycle >= end {
            return Err(ring.missed()?);
        }
        let next = cycle.saturating_add(every).min(end);
        ring.go(py, &Test::At(next), &mut [], next)?;
    }
    Ok(ring.has()?.cycle)
}

/// What a ring holds; an error while it runs.
pub(crate) fn enter<T>(inner: &Mutex<T>) -> Result<MutexGuard<'_, T>, Error> {
    match inner.try_lock() {
        Ok(inner) => Ok(inner),
        Err(TryLockError::Poisoned(inner)) => Ok(PoisonError::into_inner(inner)),
        Err(TryLockError::WouldBlock) => Err(Error::busy()),
    }
}

/// A node or board that exists.
pub(crate) fn below(name: &'static str, found: usize, nodes: usize) -> Result<usize, Error> {
    let wrong = || Error::argument(name, format!("one below {nodes}"), found);
    if found < nodes { Ok(found) } else { Err(wrong()) }
}

/// What a ring has recorded.
pub(crate) fn trace(recorder: Option<&Recorder>) -> Result<Trace, Error> {
    let none = || Error::argument("trace", "a ring made with trace=True", "False");
    Ok(recorder.cloned().ok_or_else(none)?.finish())
}
