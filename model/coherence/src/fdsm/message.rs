// SPDX-License-Identifier: MIT OR Apache-2.0
//! What nodes of FDSM send each other.

use super::Report;
use crate::interface::Site;
use crate::memory::{Diff, Run, Shape};
use crate::spans::Spans;
use awgstar_frame::quantity::NodeId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Bytes of a page.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Piece {
    pub page: usize,
    pub diff: Diff,
}

impl Piece {
    /// Addresses of the bytes.
    #[must_use]
    pub fn spans(&self, shape: Shape) -> Spans {
        let first = shape.page(self.page).start;
        let places = self.diff.runs.iter().map(Run::places);
        places.map(|places| first + places.start..first + places.end).collect()
    }
}

/// Records of each node, from the start on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Counts(BTreeMap<NodeId, u32>);

impl Counts {
    #[must_use]
    pub fn of(&self, node: NodeId) -> u32 {
        self.0.get(&node).copied().unwrap_or(0)
    }

    /// One more record of a node.
    pub fn count(&mut self, node: NodeId) {
        *self.0.entry(node).or_default() += 1;
    }

    /// So many records of a node.
    pub fn set(&mut self, node: NodeId, count: u32) {
        if count > 0 {
            self.0.insert(node, count);
        }
    }

    /// All records that others count, too.
    pub fn merge(&mut self, other: &Counts) {
        for (&node, &count) in &other.0 {
            self.set(node, count.max(self.of(node)));
        }
    }

    /// All records of `other`, but perhaps those of one node, are among these.
    #[must_use]
    pub fn reach(&self, other: &Counts, but: Option<NodeId>) -> bool {
        other.0.iter().all(|(&node, &count)| Some(node) == but || self.of(node) >= count)
    }
}

/// A message. Its sender is known from the channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Message {
    /// At the beginning of a block: what its receiver lacks.
    Push { epoch: u32, pieces: Vec<Piece> },
    /// To the owner: bytes of a page that the sender lacks.
    Get { epoch: u32, page: usize, wanted: Spans },
    /// The answer to [`Message::Get`].
    Data { epoch: u32, piece: Piece },
    /// To all: what the sender wrote before it gave a lock up; the records that it knew, this one among
    /// them.
    Record { epoch: u32, counts: Counts, pieces: Vec<Piece> },
    /// To the manager of the lock.
    Request { lock: u32 },
    /// The receiver has the lock.
    Grant { lock: u32, counts: Counts },
    /// To the manager of the lock: it is free.
    Unlock { lock: u32, counts: Counts },
    /// To the manager of the barrier; with the number of the sender's records.
    Arrive { epoch: u32, site: Site, report: Report, records: u32 },
    /// All have arrived: the next block, what all reported of the last one, and records of all.
    Leave { epoch: u32, block: u64, semi: bool, reports: BTreeMap<NodeId, Report>, counts: Counts },
}

impl Message {
    /// What it is, in a word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Message::Push { .. } => "push",
            Message::Get { .. } => "get",
            Message::Data { .. } => "data",
            Message::Record { .. } => "record",
            Message::Request { .. } => "request",
            Message::Grant { .. } => "grant",
            Message::Unlock { .. } => "unlock",
            Message::Arrive { .. } => "arrival",
            Message::Leave { .. } => "release",
        }
    }

    /// Bytes, with a header of 16.
    #[must_use]
    pub fn size(&self) -> usize {
        let pieces =
            |pieces: &[Piece]| -> usize { pieces.iter().map(|piece| 8 + piece.diff.size()).sum() };
        let counts = |counts: &Counts| 8 * counts.0.len();
        16 + match self {
            Message::Push { pieces: all, .. } => pieces(all),
            Message::Get { wanted, .. } => wanted.size(),
            Message::Data { piece, .. } => 8 + piece.diff.size(),
            Message::Record { counts: known, pieces: all, .. } => counts(known) + pieces(all),
            Message::Request { .. } => 0,
            Message::Grant { counts: known, .. } | Message::Unlock { counts: known, .. } => {
                counts(known)
            }
            Message::Arrive { report, .. } => 16 + report.size(),
            Message::Leave { reports, counts: known, .. } => {
                16 + counts(known) + reports.values().map(|one| 8 + one.size()).sum::<usize>()
            }
        }
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    all: impl Iterator<Item = T>,
    mut one: impl FnMut(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    for (place, item) in all.enumerate() {
        f.write_str(if place > 0 { ", " } else { " " })?;
        one(f, item)?;
    }
    Ok(())
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "page {}", self.page)?;
        self.diff.runs.iter().try_for_each(|run| write!(f, " {:?} at {}", run.bytes, run.at))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Report::default() {
            return f.write_str("no report");
        }
        f.write_str("uses")?;
        list(f, self.pages.iter(), |f, page| write!(f, "page {page}"))?;
        f.write_str(", wrote")?;
        list(f, self.writes.ranges(), |f, range| write!(f, "{}..{}", range.start, range.end))
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Push { epoch, pieces } => {
                write!(f, "push {epoch}:")?;
                list(f, pieces.iter(), |f, piece| write!(f, "{piece}"))
            }
            Message::Get { page, wanted, .. } => {
                write!(f, "get of page {page}:")?;
                list(f, wanted.ranges(), |f, range| write!(f, "{}..{}", range.start, range.end))
            }
            Message::Data { piece, .. } => write!(f, "data: {piece}"),
            Message::Record { epoch, pieces, .. } => {
                write!(f, "record of epoch {epoch}:")?;
                list(f, pieces.iter(), |f, piece| write!(f, "{piece}"))
            }
            Message::Request { lock } => write!(f, "request for lock {lock}"),
            Message::Grant { lock, .. } => write!(f, "grant of lock {lock}"),
            Message::Unlock { lock, .. } => write!(f, "unlock of lock {lock}"),
            Message::Arrive { epoch, report, .. } => write!(f, "arrival {epoch}, {report}"),
            Message::Leave { epoch, reports, .. } => {
                write!(f, "release {epoch},")?;
                let some = reports.iter().filter(|(_, one)| **one != Report::default());
                list(f, some, |f, (node, report)| write!(f, "{node} {report}"))
            }
        }
    }
}
