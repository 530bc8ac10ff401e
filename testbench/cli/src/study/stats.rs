// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mean and tails.

use serde::Serialize;

/// A figure of many runs, in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// Number of samples.
    pub count: usize,
    /// Least.
    pub min: u64,
    /// Mean.
    pub mean: f64,
    /// Nine of ten are at or below it.
    pub p90: u64,
    /// 99 of 100 are at or below it.
    pub p99: u64,
    /// Greatest.
    pub max: u64,
}

impl Stats {
    /// Of these; zeros of none.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    pub fn of(mut all: Vec<u64>) -> Stats {
        all.sort_unstable();
        let (Some(&min), Some(&max)) = (all.first(), all.last()) else { return Stats::default() };
        let part = |of_100: usize| all[(all.len() * of_100).div_ceil(100).max(1) - 1];
        let mean = all.iter().sum::<u64>() as f64 / all.len() as f64;
        Stats { count: all.len(), min, mean, p90: part(90), p99: part(99), max }
    }
}

#[cfg(test)]
mod tests {
    use super::Stats;

    #[test]
    fn of_a_hundred() {
        let s = Stats::of((1..=100).rev().collect());
        assert_eq!((s.count, s.min, s.p90, s.p99, s.max), (100, 1, 90, 99, 100));
        assert!((s.mean - 50.5).abs() < 1e-9);
        assert_eq!(
            Stats::of(vec![7]),
            Stats { count: 1, min: 7, mean: 7.0, p90: 7, p99: 7, max: 7 }
        );
        assert_eq!(Stats::of(Vec::new()), Stats::default());
    }
}
