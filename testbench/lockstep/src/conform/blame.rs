// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the simulator as failures of the design.

use crate::conform::case::{Failure, Outcome, Verdict};
use awgstar_simulator::{ParseError, SimError};
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a case is not run after one that has no end.
pub(super) const AFTER: &str = "a run before it had no end";

/// Converts an error of a build into a failure of the design; errors that the design did not cause are returned.
pub(super) fn does_not_compile(error: SimError) -> Result<Failure, SimError> {
    match error {
        SimError::Build { log, .. } => {
            Ok(Failure::without_difference(Verdict::DoesNotCompile, log))
        }
        other => Err(other),
    }
}

/// Converts an error of a run into a failure of the design, or into a case that was not run: a limit that ends and a
/// signal say nothing about the design. Other errors that it did not cause are returned.
pub(super) fn blame(error: SimError, hung: &AtomicBool) -> Result<Outcome, SimError> {
    let fails = |verdict, text: String| {
        Ok(Outcome::Fail(Box::new(Failure::without_difference(verdict, text))))
    };
    let hangs = |text: String| {
        hung.store(true, Ordering::Relaxed);
        fails(Verdict::Hangs, text)
    };
    match error {
        SimError::Timeout { .. } => {
            hung.store(true, Ordering::Relaxed);
            Ok(Outcome::NotRun(format!("{error}: it has no end, or needs more time (--limit)")))
        }
        SimError::Killed { .. } | SimError::Machine { .. } => {
            Ok(Outcome::NotRun(error.to_string()))
        }
        SimError::Flood { .. } => hangs(error.to_string()),
        SimError::Output { source, .. } => match source {
            ParseError::NoResult(text) if text.contains("converge") => hangs(text),
            ParseError::Bench(_) => Err(SimError::NothingRun(source.to_string())),
            other => fails(Verdict::EndsEarly, other.to_string()),
        },
        other => Err(other),
    }
}
