// SPDX-License-Identifier: MIT OR Apache-2.0
//! Result of programs as text.

use crate::run::boards::programs::{Episode, Hold, Report};
use crate::run::ns;
use crate::run::script::Read;
use awgstar::quantity::Cycle;
use std::fmt;

/// Locks, episodes and words that are listed one by one at most.
const LISTED: usize = 60;

fn us(cycles: Cycle) -> String {
    format!("{:.2} µs", ns(cycles) / 1000.0)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "lock: {}, barrier: {} ({}), order {}, retry timeout {} cycles\n",
            self.lock, self.barrier, self.variant, self.order, self.retry_timeout
        )?;
        if !self.up {
            writeln!(f, "the boards did NOT come to know each other: no program began")?;
        }
        list(f, &self.holds, |f, hold| hold.line(f))?;
        self.waits(f)?;
        let numbered: Vec<_> = self.episodes.iter().enumerate().collect();
        list(f, &numbered, |f, (i, episode)| episode.line(f, *i, self.boards))?;
        list(f, &self.reads, |f, read| read.line(f))?;
        for refused in self.refused.iter().take(LISTED) {
            let (board, cycle, addr) = (refused.board, refused.cycle, refused.addr);
            writeln!(f, "cycle {cycle:>7} board {board:<3} {addr:#x} REFUSED: SLVERR")?;
        }
        list(f, &self.words, |f, word| {
            let only = word.values.len() == 1;
            for (value, boards) in &word.values {
                let here =
                    if only { "on all live boards".into() } else { format!("on {boards:?}") };
                let not = if only { "" } else { "NOT equal: " };
                writeln!(f, "word {:#06x}: {not}{value} = {value:#x} {here}", word.addr)?;
            }
            Ok(())
        })?;
        self.ends(f)
    }
}

impl Report {
    /// Mean and longest wait for a lock.
    fn waits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waits: Vec<Cycle> =
            self.holds.iter().filter_map(|h| h.got.map(|got| got - h.asked)).collect();
        let Some(&most) = waits.iter().max() else { return Ok(()) };
        let mean = waits.iter().copied().sum::<Cycle>() / waits.len() as u64;
        writeln!(
            f,
            "{} times a lock was had, after {mean} cycles ({}) in the mean, {most} ({}) at most\n",
            waits.len(),
            us(mean),
            us(most)
        )
    }

    fn ends(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for stuck in self.stuck.iter().take(LISTED) {
            let (board, what, since) = (stuck.board, &stuck.what, stuck.since);
            if stuck.dead {
                writeln!(f, "board {board} DIED; its program waits for {what} since {since}")?;
                continue;
            }
            write!(f, "TIMEOUT: board {board} waits for {what} since cycle {since}")?;
            writeln!(f, "{}", self.why(what).unwrap_or_default())?;
        }
        match self.ended.iter().flatten().max() {
            Some(last) if self.stuck.is_empty() => {
                writeln!(f, "all programs ended, the last in cycle {last}")
            }
            _ => Ok(()),
        }
    }

    /// Reason for which a board waits.
    fn why(&self, what: &str) -> Option<String> {
        if what == "the barrier" {
            let episode = self.episodes.last()?;
            let missing: Vec<usize> = (0..self.boards)
                .filter(|board| !episode.arrived.iter().any(|(here, _)| here == board))
                .collect();
            let all = "all have arrived".to_owned();
            let why = if missing.is_empty() {
                all
            } else {
                format!("boards {missing:?} have not arrived")
            };
            return Some(format!(": {why}"));
        }
        let lock: u32 = what.strip_prefix("lock ")?.parse().ok()?;
        let has = |h: &&Hold| h.lock == lock && h.got.is_some() && h.gave.is_none();
        let why = match self.holds.iter().find(has) {
            Some(holder) => format!("board {} has it", holder.board),
            None => "no board has it".into(),
        };
        Some(format!(": {why}"))
    }
}

impl Hold {
    fn line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lock, board, asked) = (self.lock, self.board, self.asked);
        write!(f, "cycle {asked:>7} board {board:<3} requests lock {lock}")?;
        match self.got {
            None => write!(f, "; NOT acquired")?,
            Some(got) => {
                let wait = got - asked;
                write!(f, "; acquired after {wait} cycles ({})", us(wait))?;
                match self.gave {
                    Some(gave) => write!(f, "; held for {} cycles", gave - got)?,
                    None => write!(f, "; NOT released")?,
                }
            }
        }
        writeln!(f, "{}", if self.shared { "; TOGETHER WITH ANOTHER" } else { "" })
    }
}

impl Episode {
    fn line(&self, f: &mut fmt::Formatter<'_>, number: usize, boards: usize) -> fmt::Result {
        let (Some(first), Some(last)) = (self.arrived.first(), self.arrived.last()) else {
            return Ok(());
        };
        write!(
            f,
            "cycle {:>7} barrier, episode {number}: board {} arrives first, board {} last in {}",
            first.1, first.0, last.0, last.1
        )?;
        match self.passed.last() {
            Some(end) if self.passed.len() == boards => {
                let wait = end.1.saturating_sub(last.1);
                write!(f, "; all have passed {wait} cycles ({}) later", us(wait))?;
            }
            _ => {
                write!(
                    f,
                    "; {} of {boards} arrived, {} passed",
                    self.arrived.len(),
                    self.passed.len()
                )?;
            }
        }
        writeln!(f, "{}", if self.early { ", TOO EARLY" } else { "" })
    }
}

impl Read {
    fn line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Read { board, cycle, addr, value, expected } = *self;
        write!(f, "cycle {cycle:>7} board {board:<3} reads {value} at {addr:#x}")?;
        match expected {
            Some(expected) if expected != value => writeln!(f, ", EXPECTED {expected}"),
            _ => writeln!(f),
        }
    }
}

/// Lists items in a line each, and the number of those left out.
fn list<T>(
    f: &mut fmt::Formatter<'_>,
    all: &[T],
    line: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    all.iter().take(LISTED).try_for_each(|one| line(f, one))?;
    if all.len() > LISTED {
        writeln!(f, "  ... and {} more", all.len() - LISTED)?;
    }
    if all.is_empty() { Ok(()) } else { writeln!(f) }
}
