// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops, and how their iterations are shared out.

use crate::{die::die, system};

/// How iterations are shared out; the number is that of iterations in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// Equal parts, or chunks in turn.
    Static(u64),
    /// The next chunk to who asks for it.
    Dynamic(u64),
    /// Chunks that become smaller.
    Guided(u64),
    /// As static without chunks; it has its own number.
    Auto,
}

impl Schedule {
    /// `OMP_SCHEDULE`; dynamic with chunks of 1 without it, as libgomp has it.
    pub(crate) fn from_environment() -> Self {
        let Some(text) = system::variable(c"OMP_SCHEDULE") else { return Schedule::Dynamic(1) };
        let text = text.trim().to_lowercase();
        let plain = text.split_once(':').map_or(&text[..], |(_, schedule)| schedule);
        let (kind, chunk) = plain.split_once(',').unwrap_or((plain, ""));
        let chunk = match chunk.trim() {
            "" => None,
            number => match number.parse::<i32>() {
                Ok(chunk) if chunk >= 0 => Some(u64::from(chunk.cast_unsigned())),
                _ => die!(
                    "OMP_SCHEDULE is `{text}`: expected a number of iterations up to {}",
                    i32::MAX
                ),
            },
        };
        match kind.trim() {
            "static" => Schedule::Static(chunk.unwrap_or(0)),
            "dynamic" => Schedule::Dynamic(chunk.unwrap_or(1).max(1)),
            "guided" => Schedule::Guided(chunk.unwrap_or(1).max(1)),
            "auto" => Schedule::Auto,
            _ => die!("OMP_SCHEDULE is `{text}`: expected static, dynamic, guided or auto"),
        }
    }

    /// Returns true if each thread knows its iterations from the start.
    pub(crate) const fn is_static(self) -> bool {
        matches!(self, Schedule::Static(_) | Schedule::Auto)
    }

    /// Kind, as `omp_sched_t` numbers it, and chunk.
    pub(crate) const fn words(self) -> [u32; 2] {
        match self {
            Schedule::Static(chunk) => [1, chunk as u32],
            Schedule::Dynamic(chunk) => [2, chunk as u32],
            Schedule::Guided(chunk) => [3, chunk as u32],
            Schedule::Auto => [4, 1],
        }
    }

    /// The schedule of an `omp_sched_t`.
    pub(crate) fn from_words([kind, chunk]: [u32; 2]) -> Self {
        let chunk = u64::from(chunk);
        match kind & 0xff {
            2 => Schedule::Dynamic(chunk.max(1)),
            3 => Schedule::Guided(chunk.max(1)),
            4 => Schedule::Auto,
            _ => Schedule::Static(chunk),
        }
    }
}

/// A loop of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) schedule: Schedule,
    /// First value, the one behind the last, and the step; signed loops in two's complement.
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) step: u64,
    /// Iterations.
    pub(crate) count: u64,
}

impl Loop {
    /// A loop over signed values.
    pub(crate) fn signed(schedule: Schedule, first: i64, end: i64, step: i64) -> Self {
        let distance = i128::from(end) - i128::from(first);
        let step_wide = i128::from(step);
        let count = if step == 0 || distance.signum() != step_wide.signum() {
            0
        } else {
            (distance.abs() + step_wide.abs() - 1) / step_wide.abs()
        };
        let (first, end, step) = (first as u64, end as u64, step as u64);
        Loop { schedule, first, end, step, count: count as u64 }
    }

    /// A loop over unsigned values; the step of one that counts down is in two's complement.
    pub(crate) fn unsigned(schedule: Schedule, up: bool, first: u64, end: u64, step: u64) -> Self {
        let count = if up && first < end {
            (end - first).div_ceil(step.max(1))
        } else if !up && first > end {
            (first - end).div_ceil(step.wrapping_neg().max(1))
        } else {
            0
        };
        Loop { schedule, first, end, step, count }
    }

    /// Sections: numbers 1 to `count`.
    pub(crate) const fn sections(count: u64) -> Self {
        Loop { schedule: Schedule::Dynamic(1), first: 1, end: count + 1, step: 1, count }
    }

    pub(crate) fn value(&self, index: u64) -> u64 {
        if index >= self.count {
            self.end
        } else {
            self.first.wrapping_add(index.wrapping_mul(self.step))
        }
    }

    /// Words for the command of a region.
    pub(crate) fn words(&self) -> [u32; 10] {
        let [kind, chunk] = self.schedule.words();
        let mut words = [kind, chunk, 0, 0, 0, 0, 0, 0, 0, 0];
        for (index, value) in [self.first, self.end, self.step, self.count].into_iter().enumerate()
        {
            words[2 + 2 * index] = value as u32;
            words[3 + 2 * index] = (value >> 32) as u32;
        }
        words
    }

    /// The loop of these words.
    pub(crate) fn from_words(words: &[u32]) -> Self {
        let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
        let schedule = Schedule::from_words([words[0], words[1]]);
        Loop { schedule, first: long(2), end: long(4), step: long(6), count: long(8) }
    }
}
