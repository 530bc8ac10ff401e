// SPDX-License-Identifier: MIT OR Apache-2.0
//! The part of a run that is drawn or written as waves: cycles, or times with a unit.

use awgstar::contract::limits::CLOCK_HZ;
use awgstar::quantity::narrow;
use std::{cmp::Ordering, str::FromStr};

/// Nanoseconds of a second.
const SECOND: u128 = 1_000_000_000;

/// A moment of a run, as the user gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// A cycle of the clock.
    Cycle(u64),
    /// A time in ns.
    Ns(u64),
}

impl Moment {
    /// In units of 1 / (`CLOCK_HZ` · 10^9) s, in which both are whole.
    fn exact(self) -> u128 {
        match self {
            Moment::Cycle(cycle) => u128::from(cycle) * SECOND,
            Moment::Ns(ns) => u128::from(ns) * u128::from(CLOCK_HZ),
        }
    }
}

impl FromStr for Moment {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(());
        }
        let number: u64 = digits.parse().map_err(|_| ())?;
        match &text[digits.len()..] {
            "" => Ok(Moment::Cycle(number)),
            "ns" => Ok(Moment::Ns(number)),
            "us" => number.checked_mul(1_000).map(Moment::Ns).ok_or(()),
            _ => Err(()),
        }
    }
}

/// From one moment of a run to before another: `FROM:TO`, each a cycle or a number with `ns` or `us`.
///
/// ```
/// use awgstar_scenario::run::Window;
///
/// let window: Window = "100ns:2us".parse()?;
/// assert_eq!((window.ns(), window.cycles()), ((100, 2_000), (6, 135)));
/// let window: Window = "10:20".parse()?;
/// assert_eq!((window.ns(), window.cycles()), ((148, 298), (10, 20)));
/// assert!("20:10".parse::<Window>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    from: Moment,
    to: Moment,
}

impl Window {
    /// From one cycle to before another; `None` if there is none between them.
    #[must_use]
    pub fn of_cycles(from: u64, to: u64) -> Option<Window> {
        (from < to).then_some(Window { from: Moment::Cycle(from), to: Moment::Cycle(to) })
    }

    /// From one ns to before another; `None` if there is none between them.
    #[must_use]
    pub fn of_ns(from: u64, to: u64) -> Option<Window> {
        (from < to).then_some(Window { from: Moment::Ns(from), to: Moment::Ns(to) })
    }

    /// The cycles that lie in it at least in part: the first, and the one after the last.
    #[must_use]
    pub fn cycles(&self) -> (u64, u64) {
        self.whole(SECOND)
    }

    /// The ns that lie in it at least in part: the first, and the one after the last.
    #[must_use]
    pub fn ns(&self) -> (u64, u64) {
        self.whole(CLOCK_HZ.into())
    }

    fn whole(&self, unit: u128) -> (u64, u64) {
        // More than 2^64 cycles or ns is after the end of every run.
        let bounded = |value: u128| narrow(value.min(u64::MAX.into()));
        (bounded(self.from.exact() / unit), bounded(self.to.exact().div_ceil(unit)))
    }
}

impl FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once(':').and_then(|(from, to)| {
            let window = Window { from: from.parse().ok()?, to: to.parse().ok()? };
            let order = window.from.exact().cmp(&window.to.exact());
            (order == Ordering::Less).then_some(window)
        });
        parsed.ok_or_else(|| {
            "expected FROM:TO, two cycle numbers or times with ns or us, the first smaller".into()
        })
    }
}
