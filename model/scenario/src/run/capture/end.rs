// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames at one end of a link, put together from its words.

use awgstar::contract::capture::{ABORTED, CUT, KEEP, MONITOR};
use awgstar::ring::Word;

/// A frame at one end of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Cycle of its first word.
    pub(super) begin: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) words: u64,
    pub(super) flags: u8,
    /// The node failed while it sent the frame.
    pub(super) failed: bool,
}

/// Frames at one end of a link: those that are whole, and the one under way.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    /// Whole ones, to be taken.
    pub(super) frames: Vec<Seen>,
    open: Option<Seen>,
    /// The link was idle: the next word is the first of a frame.
    idle: bool,
}

impl End {
    pub(super) fn word(&mut self, cycle: u64, word: Option<Word>) {
        let Some(word) = word else {
            self.idle = true;
            if let Some(open) = self.open.take() {
                self.frames.push(Seen { flags: open.flags | CUT, ..open });
            }
            return;
        };
        let first = self.open.is_none();
        // A recorder that begins within a frame leaves it out.
        if !self.idle {
            return;
        }
        let open = self.open.get_or_insert_with(|| Seen { begin: cycle, ..Seen::default() });
        if word.last && word.user {
            open.flags |= ABORTED;
        } else if first && word.user {
            open.flags |= MONITOR;
        }
        let kept = if word.last { word.keep.trailing_ones() } else { 4 };
        let allowed = word.keep == 0xF || (word.last && matches!(word.keep, 1 | 3 | 7));
        if !allowed {
            open.flags |= KEEP;
        }
        open.words += 1;
        open.bytes.extend(&word.data.to_le_bytes()[..kept.clamp(1, 4) as usize]);
        if word.last {
            self.frames.extend(self.open.take());
        }
    }

    /// Cycle of the first word of the frame under way.
    pub(super) fn open(&self) -> Option<u64> {
        self.open.as_ref().map(|open| open.begin)
    }

    /// This end is not looked at from now on. Returns the frame under way.
    pub(super) fn leave(&mut self) -> Option<Seen> {
        self.idle = false;
        self.open.take().map(|open| Seen { flags: open.flags | CUT, failed: true, ..open })
    }
}
