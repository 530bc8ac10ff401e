// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clocks of the steps of a case.

use awgstar::random::SplitMix64;

/// The line is much faster: a ratio that no case draws.
pub(super) const OVERFLOW: u64 = 12;

/// Which of two clocks rise: alternately, with one of them now and then faster, or both.
pub(super) fn ticks(random: &mut SplitMix64, ratio: u64, number: usize) -> (bool, bool) {
    match (ratio, random.below(12)) {
        (0, 0) | (_, 1) => (true, true),
        (1, 0..4) => (true, false), // the line is slow: underrun
        (2, 0..4) | (OVERFLOW, 2..) => (false, true), // it is fast: overflow
        _ => (number.is_multiple_of(2), !number.is_multiple_of(2)),
    }
}

/// The clock of the line has stopped: for more than 31 cycles of the node.
pub(super) fn stopped(number: usize) -> bool {
    (4400..4540).contains(&(number % 5000))
}

/// Steps of a reset: more than 8 cycles of each clock.
pub(super) const RESET: usize = 40;
