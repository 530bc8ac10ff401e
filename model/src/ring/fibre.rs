//! A link: words arrive after the fibre's delay, with the faults that were asked for (RING-1,
//! RING-3).
//!
//! A frame that is sent twice is followed by its second copy after one idle word. What leaves the
//! node meanwhile waits behind it, with one idle word before each frame, until longer gaps have
//! made up for the time.

use super::scenario::{Fault, FaultKind};
use std::collections::VecDeque;

/// A word on a link (LNK-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// `tdata`.
    pub data: u32,
    /// `tkeep`.
    pub keep: u8,
    /// `tlast`.
    pub last: bool,
    /// `tuser`.
    pub user: bool,
}

/// A link.
#[derive(Clone, Debug)]
pub(super) struct Fibre {
    delay: u64,
    /// Words under way, with the cycle in which they arrive.
    words: VecDeque<(u64, Word)>,
    /// Earliest cycle at the far end that is not spoken for.
    free_at: u64,
    /// Frames that have begun to leave the node.
    frames: u64,
    /// Index of the next word in its frame.
    word: u32,
    /// Faults to come, by frame.
    faults: VecDeque<(u64, FaultKind)>,
    /// Words of the frame under way, if it is to be sent twice.
    copy: Vec<Word>,
}

impl Fibre {
    pub(super) fn new(link: usize, delay: u32, faults: &[Fault]) -> Self {
        let mut faults: Vec<(u64, FaultKind)> =
            faults.iter().filter(|f| f.link == link).map(|f| (f.frame, f.kind)).collect();
        faults.sort_by_key(|&(frame, _)| frame);
        Fibre {
            delay: delay.into(),
            words: VecDeque::with_capacity(delay as usize + 4),
            free_at: 0,
            frames: 0,
            word: 0,
            faults: faults.into(),
            copy: Vec::new(),
        }
    }

    /// Cycle in which the next word arrives.
    #[inline]
    pub(super) fn next_arrival(&self) -> Option<u64> {
        self.words.front().map(|&(at, _)| at)
    }

    /// The word that arrives in this cycle.
    #[inline]
    pub(super) fn pop(&mut self, cycle: u64) -> Option<Word> {
        match self.words.front() {
            Some(&(at, word)) if at == cycle => {
                self.words.pop_front();
                Some(word)
            }
            _ => None,
        }
    }

    /// A word that stands on the node's output in `cycle`.
    #[inline]
    pub(super) fn push(&mut self, cycle: u64, word: Word) {
        let at = (cycle + self.delay).max(self.free_at);
        if self.faults.is_empty() {
            self.words.push_back((at, word));
            self.free_at = at + 1 + u64::from(word.last);
            self.word = if word.last { 0 } else { self.word + 1 };
            self.frames += u64::from(word.last);
        } else {
            self.push_faulty(at, word);
        }
    }

    #[cold]
    fn push_faulty(&mut self, mut at: u64, mut word: Word) {
        let (mut lost, mut twice) = (false, false);
        for &(frame, kind) in &self.faults {
            match kind {
                _ if frame != self.frames => {}
                FaultKind::Bit(bit) if bit / 32 == self.word => word.data ^= 1 << (bit % 32),
                FaultKind::Bit(_) => {}
                FaultKind::Lose => lost = true,
                FaultKind::Twice => twice = true,
            }
        }
        if !lost {
            self.words.push_back((at, word));
            self.free_at = at + 1 + u64::from(word.last);
        }
        if twice && !lost {
            self.copy.push(word);
        }
        self.word += 1;
        if word.last {
            self.word = 0;
            self.frames += 1;
            while self.faults.front().is_some_and(|&(frame, _)| frame < self.frames) {
                self.faults.pop_front();
            }
            for word in self.copy.drain(..) {
                at = self.free_at;
                self.words.push_back((at, word));
                self.free_at = at + 1 + u64::from(word.last);
            }
        }
    }
}
