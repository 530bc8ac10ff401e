// SPDX-License-Identifier: MIT OR Apache-2.0
//! What nodes of SCASH send each other.

use crate::memory::Diff;
use awgstar_frame::quantity::NodeId;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// Write notices: the last diff of a page that a writer has sent, numbered from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct News(BTreeMap<(usize, NodeId), u32>);

impl News {
    /// The last diff of a page by a writer; 0: none.
    #[must_use]
    pub fn last(&self, page: usize, writer: NodeId) -> u32 {
        self.0.get(&(page, writer)).copied().unwrap_or(0)
    }

    /// There was a diff of this number.
    pub fn note(&mut self, page: usize, writer: NodeId, number: u32) {
        let last = self.0.entry((page, writer)).or_default();
        *last = number.max(*last);
    }

    /// All notices of others as well.
    pub fn merge(&mut self, other: &News) {
        for (page, writer, number) in other.entries() {
            self.note(page, writer, number);
        }
    }

    /// Page, writer and number of the last diff.
    pub fn entries(&self) -> impl Iterator<Item = (usize, NodeId, u32)> {
        self.0.iter().map(|(&(page, writer), &number)| (page, writer, number))
    }

    /// Those of a page.
    #[must_use]
    pub fn of(&self, page: usize) -> News {
        let range = (page, NodeId(0))..=(page, NodeId(u8::MAX));
        News(self.0.range(range).map(|(&key, &number)| (key, number)).collect())
    }

    /// Those that `other` does not have.
    #[must_use]
    pub fn beyond(&self, other: &News) -> News {
        let new =
            |(page, writer, number): &(usize, NodeId, u32)| *number > other.last(*page, *writer);
        let list = self.entries().filter(new);
        News(list.map(|(page, writer, number)| ((page, writer), number)).collect())
    }

    /// Those of a writer.
    #[must_use]
    pub fn by(&self, writer: NodeId) -> News {
        let own = self.0.iter().filter(|((_, one), _)| *one == writer);
        News(own.map(|(&key, &number)| (key, number)).collect())
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn size(&self) -> usize {
        12 * self.0.len()
    }
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("no notice");
        }
        for (place, (page, writer, number)) in self.entries().enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            write!(f, "{comma}page {page} by {writer}: {number}")?;
        }
        Ok(())
    }
}

/// A message. Its sender is known from the channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Message {
    /// To the home: send the page when it has the diffs of these notices.
    Fetch { page: usize, need: News },
    /// The page, from its home.
    Page { page: usize, bytes: Vec<u8> },
    /// To the home: what the sender changed, the diff of this number.
    Diff { page: usize, number: u32, diff: Diff },
    /// The home has applied a diff; only where the writer waits for it.
    Applied { page: usize },
    /// From the home, as published: the copy of the page is old.
    Invalidate { page: usize },
    /// To the node that assigns homes: the sender wants to be the home of the page.
    Claim { page: usize },
    /// The home of a page.
    Homed { page: usize, home: NodeId },
    /// To the manager of the lock.
    Request { lock: u32 },
    /// The receiver has the lock.
    Grant { lock: u32, news: News },
    /// To the manager of the lock: it is free.
    Unlock { lock: u32, news: News },
    /// To the manager of the barrier.
    Arrive { epoch: u32, news: News },
    /// All have arrived.
    Leave { epoch: u32, news: News },
}

impl Message {
    /// What it is, in a word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Message::Fetch { .. } => "fetch",
            Message::Page { .. } => "page",
            Message::Diff { .. } => "diff",
            Message::Applied { .. } => "confirmation",
            Message::Invalidate { .. } => "invalidation",
            Message::Claim { .. } => "claim",
            Message::Homed { .. } => "home",
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
        16 + match self {
            Message::Fetch { need, .. } => need.size(),
            Message::Page { bytes, .. } => bytes.len(),
            Message::Diff { diff, .. } => 4 + diff.size(),
            Message::Grant { news, .. }
            | Message::Unlock { news, .. }
            | Message::Arrive { news, .. }
            | Message::Leave { news, .. } => news.size(),
            Message::Homed { .. } => 4,
            Message::Applied { .. }
            | Message::Invalidate { .. }
            | Message::Claim { .. }
            | Message::Request { .. } => 0,
        }
    }

    /// The page that it is about.
    pub(super) fn page(&self) -> Option<usize> {
        match self {
            Message::Fetch { page, .. }
            | Message::Page { page, .. }
            | Message::Diff { page, .. }
            | Message::Applied { page }
            | Message::Invalidate { page }
            | Message::Claim { page }
            | Message::Homed { page, .. } => Some(*page),
            _ => None,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Fetch { page, need } if need.is_empty() => write!(f, "fetch of page {page}"),
            Message::Fetch { page, need } => write!(f, "fetch of page {page} with {need}"),
            Message::Page { page, bytes } => write!(f, "page {page}: {bytes:?}"),
            Message::Diff { page, number, diff } => {
                write!(f, "diff {number} of page {page}:")?;
                diff.runs.iter().try_for_each(|run| write!(f, " {:?} at {}", run.bytes, run.at))
            }
            Message::Applied { page } => write!(f, "diff of page {page} is applied"),
            Message::Invalidate { page } => write!(f, "page {page} is old"),
            Message::Claim { page } => write!(f, "claim of page {page}"),
            Message::Homed { page, home } => write!(f, "home of page {page} is {home}"),
            Message::Request { lock } => write!(f, "request for lock {lock}"),
            Message::Grant { lock, news } => write!(f, "grant of lock {lock}, {news}"),
            Message::Unlock { lock, news } => write!(f, "unlock of lock {lock}, {news}"),
            Message::Arrive { epoch, news } => write!(f, "arrival {epoch}, {news}"),
            Message::Leave { epoch, news } => write!(f, "release {epoch}, {news}"),
        }
    }
}
