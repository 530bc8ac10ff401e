// SPDX-License-Identifier: MIT OR Apache-2.0
//! A failing case made as small as it gets (LCK-4): proptest has had its turn; here whole events go
//! first, then what is left of them, until no step gives a smaller case that still fails.

use crate::case::Case;
use crate::machine::Machine;
use std::time::{Duration, Instant};

/// Makes `case` smaller as long as `fails` says that the smaller one fails too, and no longer than
/// `limit`. Gives the case and whether it got to the end.
pub fn shrink<M: Machine>(
    case: Case<M>,
    limit: Duration,
    fails: &mut dyn FnMut(&Case<M>) -> Option<Case<M>>,
) -> (Case<M>, bool) {
    let start = Instant::now();
    let mut best = case;
    loop {
        let mut better = false;
        for smaller in best.candidates() {
            if start.elapsed() > limit {
                return (best, false);
            }
            if let Some(smaller) = fails(&smaller) {
                best = smaller;
                better = true;
                break;
            }
        }
        if !better {
            return (best, true);
        }
    }
}

/// `list` without each half, quarter, and so on, down to each entry.
pub(super) fn without<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    let mut all = Vec::new();
    let mut size = list.len();
    while size > 0 {
        for at in (0..list.len()).step_by(size) {
            let mut rest = list.to_vec();
            rest.drain(at..(at + size).min(rest.len()));
            all.push(rest);
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    all
}

/// Smaller numbers than `n`: `least`, then closer and closer.
pub(super) fn below(n: u64, least: u64) -> Vec<u64> {
    let mut all = Vec::new();
    let mut step = n.saturating_sub(least);
    while step > 0 {
        all.push(n - step);
        step /= 2;
    }
    all
}

/// The case with `edit` done to it, if that changes it.
pub(super) fn edited<T: Clone + PartialEq>(s: &T, all: &mut Vec<T>, edit: impl FnOnce(&mut T)) {
    let mut smaller = s.clone();
    edit(&mut smaller);
    if smaller != *s {
        all.push(smaller);
    }
}
