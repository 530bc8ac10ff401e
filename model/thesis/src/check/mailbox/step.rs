// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps of a run of the mailbox, and how a reader sees them.

use crate::gen1::mailbox::{Mail, Primitive};
use std::fmt::{self, Write as _};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailStep {
    /// Process in which it happens.
    pub process: usize,
    /// Kind of step.
    pub what: MailWhat,
    /// The process afterwards, in words.
    pub after: String,
}

/// Kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailWhat {
    /// The program asks.
    Calls(Primitive),
    /// Words of, or from, that process reach the replica of this one.
    Words(u8, [u32; 2]),
    /// An entry of the index reaches the replica of this process.
    Index(u32, i32),
    /// A signal of that process arrives.
    Signal(u8),
    /// A signal of that process arrives before words that were written before it.
    Passes(u8),
    /// A signal of that process arrives, and will arrive once more.
    Twice(u8),
    /// The timeout of a worker; whether it is early.
    Timeout(bool),
    /// The control thread looks at `RequestProcess`.
    ControlLooks,
    /// The control thread has read the area of that process.
    ControlReads(u8),
    /// As published: the control thread changes the index, queue or barrier that it has read.
    ControlChanges,
    /// The main thread goes on.
    MainGoesOn,
    /// A worker reads its area.
    ReadsArea,
    /// A worker reads the index.
    ReadsIndex(u32),
}

impl MailWhat {
    /// Number of the action of the process, without the process; `None` is a fault. Words and
    /// signals of each link have an action each, because signals may have a separate path.
    pub(super) fn action(&self) -> Option<u16> {
        match self {
            MailWhat::Calls(_)
            | MailWhat::MainGoesOn
            | MailWhat::ReadsArea
            | MailWhat::ReadsIndex(_) => Some(0),
            MailWhat::ControlLooks | MailWhat::ControlReads(_) | MailWhat::ControlChanges => {
                Some(1)
            }
            MailWhat::Words(from, _) => Some(4 + 2 * u16::from(*from)),
            MailWhat::Index(..) => Some(4),
            MailWhat::Signal(from) | MailWhat::Passes(from) => Some(5 + 2 * u16::from(*from)),
            MailWhat::Timeout(false) => Some(2),
            MailWhat::Twice(_) | MailWhat::Timeout(true) => None,
        }
    }
}

impl fmt::Display for MailWhat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MailWhat::Calls(request) => write!(f, "program: {}", request.text()),
            MailWhat::Words(from, words) => {
                let text = Mail::read(*words).map_or("-".into(), Mail::text);
                write!(f, "words of process {from} arrive: {text}")
            }
            MailWhat::Index(lock, holder) => write!(f, "index arrives: lock {lock}: {holder}"),
            MailWhat::Signal(from) => write!(f, "signal of process {from}"),
            MailWhat::Passes(from) => write!(f, "signal of process {from}, AHEAD OF ITS WORDS"),
            MailWhat::Twice(from) => write!(f, "signal of process {from}, FIRST OF TWO"),
            MailWhat::Timeout(early) => {
                write!(f, "{}timeout: signals again", if *early { "EARLY: " } else { "" })
            }
            MailWhat::ControlLooks => write!(f, "control thread: looks at RequestProcess"),
            MailWhat::ControlReads(of) => write!(f, "control thread: reads area of process {of}"),
            MailWhat::ControlChanges => write!(f, "control thread: does what it decided"),
            MailWhat::MainGoesOn => write!(f, "main thread: goes on"),
            MailWhat::ReadsArea => write!(f, "reads its area"),
            MailWhat::ReadsIndex(lock) => write!(f, "looks at the index of lock {lock}"),
        }
    }
}

/// A run as a listing: a column for each process shows where each step happens.
#[must_use]
pub fn mail_listing(run: &[MailStep], processes: usize) -> String {
    let whats: Vec<String> = run.iter().map(|step| step.what.to_string()).collect();
    let width = whats.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::from("  #  ");
    (0..processes).for_each(|process| {
        let _ = write!(text, "{process} ");
    });
    let _ = writeln!(text, " {:width$}  the process afterwards", "what happens");
    for (number, (step, what)) in run.iter().zip(&whats).enumerate() {
        let _ = write!(text, "{:3}  ", number + 1);
        for process in 0..processes {
            text.push_str(if process == step.process { "* " } else { ". " });
        }
        let _ = writeln!(text, " {what:width$}  {}", step.after);
    }
    text
}
