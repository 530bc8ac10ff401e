// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mean and tails.

use awgstar::quantity::Cycle;
use serde::{Deserialize, Serialize};

/// A figure of many runs, in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// Number of samples.
    pub count: usize,
    pub min: Cycle,
    pub mean: f64,
    /// Nine of ten are at or below it.
    pub p90: Cycle,
    /// 99 of 100 are at or below it.
    pub p99: Cycle,
    /// Greatest.
    pub max: Cycle,
}

impl Stats {
    /// Of these; zeros of none.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    pub fn of(mut all: Vec<Cycle>) -> Stats {
        all.sort_unstable();
        let (Some(&min), Some(&max)) = (all.first(), all.last()) else { return Stats::default() };
        let part = |of_100: usize| all[(all.len() * of_100).div_ceil(100).max(1) - 1];
        let mean = all.iter().copied().sum::<Cycle>().0 as f64 / all.len() as f64;
        Stats { count: all.len(), min, mean, p90: part(90), p99: part(99), max }
    }
}

#[cfg(test)]
mod tests {
    use super::Stats;
    use awgstar::quantity::Cycle;

    #[test]
    fn of_a_hundred() {
        let s = Stats::of((1..=100).rev().map(Cycle).collect());
        assert_eq!(s.count, 100);
        assert_eq!([s.min, s.p90, s.p99, s.max].map(|c| c.0), [1, 90, 99, 100]);
        assert!((s.mean - 50.5).abs() < 1e-9);
        assert_eq!(
            Stats::of(vec![Cycle(7)]),
            Stats {
                count: 1,
                min: Cycle(7),
                mean: 7.0,
                p90: Cycle(7),
                p99: Cycle(7),
                max: Cycle(7)
            }
        );
        assert_eq!(Stats::of(Vec::new()), Stats::default());
    }
}
