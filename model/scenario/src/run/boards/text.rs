// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run in words.

use crate::run::boards::report::{ActReport, BoardsReport, FaultReport};
use crate::run::boards::{Differ, Replicas};
use crate::run::ns;
use std::fmt;

/// Acts, faults and boards that are listed one by one at most.
const LISTED: usize = 60;

impl fmt::Display for BoardsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.title.is_empty() {
            writeln!(f, "{}", self.title)?;
        }
        writeln!(
            f,
            "{} boards, rotation of an empty ring {} cycles = {:.0} ns; {} cycles = {:.2} µs\n",
            self.boards,
            self.rotation,
            ns(self.rotation),
            self.cycles,
            self.microseconds
        )?;
        if let Some(programs) = &self.programs {
            write!(f, "{programs}")?;
        }
        self.acts.iter().take(LISTED).try_for_each(|act| act.line(f))?;
        more(f, self.acts.len())?;
        if !self.faults.is_empty() || self.noise_bits > 0 {
            writeln!(f)?;
        }
        self.faults.iter().take(LISTED).try_for_each(|fault| fault.line(f))?;
        more(f, self.faults.len())?;
        if self.noise_bits > 0 {
            writeln!(f, "noise inverted {} bits", self.noise_bits)?;
        }
        if !self.router.is_empty() {
            writeln!(f)?;
        }
        for event in self.router.iter().take(LISTED) {
            writeln!(f, "cycle {:>7} router: {}", event.cycle, event.what)?;
        }
        writeln!(f)?;
        self.replicas(f)?;
        for (i, s) in self.states.iter().enumerate().take(LISTED) {
            let mut is: Vec<String> = s.is.iter().map(|s| (*s).to_owned()).collect();
            if s.mailbox > 0 {
                is.push(format!("{} in the mailbox", s.mailbox));
            }
            let state = if is.is_empty() { String::new() } else { format!(" ({})", is.join(", ")) };
            let list: Vec<String> = s.counters.iter().map(|(k, v)| format!("{k} {v}")).collect();
            writeln!(f, "  board {i}, Node_ID {}{state}: {}", s.node_id, list.join(", "))?;
        }
        Ok(())
    }
}

fn more(f: &mut fmt::Formatter<'_>, count: usize) -> fmt::Result {
    if count > LISTED { writeln!(f, "  ... and {} more", count - LISTED) } else { Ok(()) }
}

impl BoardsReport {
    fn replicas(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let equal = if self.replicas_equal { "equal on all live boards" } else { "NOT equal" };
        writeln!(f, "replicas: {equal}")?;
        if self.programs.is_some() {
            return Ok(());
        }
        match &self.replicas.differ {
            Some(differ) => self.differ(f, differ)?,
            None if self.replicas_equal => {}
            None => writeln!(
                f,
                "  (only on boards that were reset or lost, or in bytes that such a board or a dead one wrote)"
            )?,
        }
        let w = &self.written;
        match (w.wrong.is_empty(), w.bytes) {
            (true, 0) => writeln!(f, "written bytes to look for: none")?,
            (true, n) => writeln!(f, "all {n} bytes written are on every live board")?,
            (false, n) => {
                for (board, first, wrong) in &w.wrong {
                    writeln!(
                        f,
                        "board {board} does NOT hold {wrong} of {n} bytes written, the first at {first:#x}"
                    )?;
                }
            }
        }
        if w.left_out > 0 {
            writeln!(
                f,
                "  ({} bytes are not compared: two boards wrote them, or one that died or was reset)",
                w.left_out
            )?;
        }
        Ok(())
    }
}

impl BoardsReport {
    /// The first byte that differs, and why it may.
    fn differ(&self, f: &mut fmt::Formatter<'_>, differ: &Differ) -> fmt::Result {
        let values =
            differ.values.iter().map(|(value, boards)| format!("{value:02x} on {boards:?}"));
        let values: Vec<String> = values.collect();
        let verdict = match &self.replicas {
            Replicas { may_differ: true, .. } => "the file says that they may".into(),
            Replicas { on_the_way, .. } if !on_the_way.is_empty() => {
                format!("data of boards {on_the_way:?} is on its way")
            }
            _ => "WRONG: no data is on its way".into(),
        };
        writeln!(
            f,
            "  {} bytes differ, the first at {:#x}: {} ({verdict})",
            differ.bytes,
            differ.addr,
            values.join(", ")
        )
    }
}

impl ActReport {
    fn line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = format!("board {:<3} {:<36}", self.board, self.what);
        if self.ending == "not_begun" {
            return writeln!(f, "              {head} NOT BEGUN");
        }
        let time = self.ended - self.began;
        write!(f, "cycle {:>7} {head} ", self.began)?;
        match self.ending {
            "done" => write!(f, "{time} cycles ({:.0} ns)", ns(time))?,
            "refused" => write!(f, "REFUSED: SLVERR for {} accesses", self.refused)?,
            "expired" => write!(f, "DID NOT COME within {time} cycles")?,
            _ => write!(f, "BROKEN OFF")?,
        }
        if let Some(read) = &self.read {
            write!(f, ": {read}")?;
        }
        writeln!(f)?;
        for m in &self.messages {
            let data = m.data.trim_end_matches("00");
            // Where zeros begin, the pad may begin too: the mailbox does not tell.
            let zeros = if data.len() < m.data.len() { "00.." } else { "" };
            writeln!(f, "              from {:<4} {}: {data}{zeros}", m.from, m.what)?;
        }
        Ok(())
    }
}

impl FaultReport {
    fn line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fault: link {}", self.link)?;
        if let Some(frame) = self.frame {
            write!(f, ", frame {frame}")?;
        }
        if let Some(cycle) = self.cycle {
            write!(f, ", cycle {cycle}")?;
        }
        let come =
            if self.happened { "" } else { " (did NOT happen: no such frame, or it ended before)" };
        writeln!(f, ": {}{come}", self.what)
    }
}
