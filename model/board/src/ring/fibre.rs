// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link: words arrive after the fibre's delay, with the faults that were asked for (RING-1,
//! RING-3).
//!
//! A frame that is sent twice is followed by its second copy after one idle word. What leaves the
//! node meanwhile waits after it, with one idle word before each frame, until longer gaps have
//! made up for the time.

use super::scenario::{Fault, FaultKind};
use crate::rtl::Link;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xorshift::XorShiftRng;
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

impl Link {
    #[inline]
    #[must_use]
    pub fn word(self) -> Option<Word> {
        let Link { tdata: data, tkeep: keep, tvalid, tlast: last, tuser: user } = self;
        tvalid.then_some(Word { data, keep, last, user })
    }

    /// This word is on it. Without one the other wires keep their values.
    #[inline]
    pub fn set(&mut self, word: Option<Word>) {
        self.tvalid = word.is_some();
        if let Some(Word { data, keep, last, user }) = word {
            *self = Link { tdata: data, tkeep: keep, tvalid: true, tlast: last, tuser: user };
        }
    }
}

/// Words under way, with the cycle in which they arrive: a ring of a power of two of them.
#[derive(Clone, Debug)]
struct Queue {
    slots: Vec<(u64, Word)>,
    /// Words taken and words put in since the start.
    taken: usize,
    put: usize,
}

impl Default for Queue {
    fn default() -> Self {
        Queue { slots: vec![(0, Word::default()); 16], taken: 0, put: 0 }
    }
}

impl Queue {
    #[inline]
    fn slot(&self, count: usize) -> usize {
        count & (self.slots.len() - 1)
    }

    /// Cycle in which the first word arrives.
    #[inline]
    fn front(&self) -> Option<u64> {
        if self.taken == self.put { None } else { Some(self.slots[self.slot(self.taken)].0) }
    }

    /// Takes the first word; there must be one.
    #[inline]
    fn pop(&mut self) -> Word {
        let word = self.slots[self.slot(self.taken)].1;
        self.taken += 1;
        word
    }

    #[inline]
    fn push(&mut self, at: u64, word: Word) {
        if self.put - self.taken == self.slots.len() {
            self.grow();
        }
        let slot = self.slot(self.put);
        self.slots[slot] = (at, word);
        self.put += 1;
    }

    #[cold]
    fn grow(&mut self) {
        let first = self.slot(self.taken);
        self.slots.rotate_left(first);
        self.put -= self.taken;
        self.taken = 0;
        self.slots.resize(2 * self.slots.len(), (0, Word::default()));
    }
}

/// Bit errors at random: of 2^32 bits, `rate` are inverted; 2^27 at most, one in every word.
#[derive(Clone, Debug)]
struct Noise {
    rate: u32,
    /// Number of bits inverted so far.
    inverted: u64,
    random: XorShiftRng,
}

impl Noise {
    #[inline]
    fn disturb(&mut self, data: u32) -> u32 {
        let draw = self.random.next_u32();
        if draw >> 5 >= self.rate {
            return data;
        }
        self.inverted += 1;
        data ^ 1 << (draw & 31)
    }
}

/// A link.
#[derive(Clone, Debug)]
pub(super) struct Fibre {
    delay: u64,
    /// Cycles more for frames that begin now, and for the frame under way.
    slow: [u64; 2],
    /// Words under way.
    words: Queue,
    /// Earliest cycle at the far end that is not spoken for.
    free_at: u64,
    /// Frames that have left the node.
    frames: u64,
    /// Index of the next word in its frame.
    word: u32,
    /// Faults to come, by frame.
    faults: VecDeque<(u64, FaultKind)>,
    /// Faults that changed their frame.
    met: Vec<(u64, FaultKind)>,
    /// Words of the frame under way, if it is to be sent twice.
    copy: Vec<Word>,
    noise: Option<Noise>,
}

impl Fibre {
    pub(super) fn new(link: usize, delay: u32, faults: &[Fault]) -> Self {
        let mut faults: Vec<(u64, FaultKind)> =
            faults.iter().filter(|f| f.link == link).map(|f| (f.frame, f.kind)).collect();
        faults.sort_by_key(|&(frame, _)| frame);
        Fibre {
            delay: delay.into(),
            slow: [0; 2],
            words: Queue::default(),
            free_at: 0,
            frames: 0,
            word: 0,
            faults: faults.into(),
            met: Vec::new(),
            copy: Vec::new(),
            noise: None,
        }
    }

    /// Frames that have left the node whole.
    pub(super) fn frames(&self) -> u64 {
        self.frames
    }

    /// Faults that changed their frame, by its number: that of a frame that never left, or of a bit
    /// after its end, is not among them.
    pub(super) fn met(&self) -> &[(u64, FaultKind)] {
        &self.met
    }

    /// Bits that noise inverted.
    pub(super) fn inverted(&self) -> u64 {
        self.noise.as_ref().map_or(0, |noise| noise.inverted)
    }

    /// One more fault to come.
    pub(super) fn add_fault(&mut self, frame: u64, kind: FaultKind) {
        let at = self.faults.partition_point(|&(other, _)| other <= frame);
        self.faults.insert(at, (frame, kind));
    }

    /// Frames that begin from now on take that many cycles more; what was sent before stays ahead.
    #[inline]
    pub(super) fn slow(&mut self, cycles: u64) {
        self.slow[0] = cycles;
    }

    /// From now on all words arrive as they are.
    pub(super) fn calm(&mut self) {
        self.faults.clear();
        self.copy.clear();
        self.noise = None;
    }

    /// A fibre with random bit errors.
    pub(super) fn with_noise(mut self, rate: u32, seed: u64) -> Self {
        if rate != 0 {
            self.noise =
                Some(Noise { rate, inverted: 0, random: XorShiftRng::seed_from_u64(seed) });
        }
        self
    }

    /// Cycles it takes.
    pub(super) fn delay(&self) -> u64 {
        self.delay
    }

    /// From now on words take another way of `delay` cycles; those under way are given back.
    pub(super) fn turn(&mut self, delay: u32) -> Fibre {
        let words = std::mem::take(&mut self.words);
        self.copy.clear();
        (self.delay, self.free_at) = (delay.into(), 0);
        Fibre { words, ..Fibre::new(0, 0, &[]) }
    }

    /// A word that leaves the node and gets nowhere.
    pub(super) fn lose(&mut self, word: Word) {
        self.word = if word.last { 0 } else { self.word + 1 };
        self.frames += u64::from(word.last);
        while self.faults.front().is_some_and(|&(frame, _)| frame < self.frames) {
            self.faults.pop_front();
        }
    }

    /// Cycle in which the next word arrives.
    #[inline]
    pub(super) fn next_arrival(&self) -> Option<u64> {
        self.words.front()
    }

    /// The word that arrives in this cycle.
    #[inline]
    pub(super) fn pop(&mut self, cycle: u64) -> Option<Word> {
        if self.words.front() == Some(cycle) { Some(self.words.pop()) } else { None }
    }

    /// Takes the word on the node's output in `cycle`.
    #[inline]
    pub(super) fn push(&mut self, cycle: u64, mut word: Word) {
        if let Some(noise) = &mut self.noise {
            word.data = noise.disturb(word.data);
        }
        // A frame that is torn apart would be a broken one.
        if self.word == 0 {
            self.slow[1] = self.slow[0];
        }
        let at = (cycle + self.delay + self.slow[1]).max(self.free_at);
        if self.faults.is_empty() {
            self.words.push(at, word);
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
            if frame != self.frames {
                continue;
            }
            let met = match kind {
                FaultKind::Bit(bit) => bit / 32 == self.word,
                FaultKind::Lose => self.word == 0,
                FaultKind::Truncate(words) => self.word == words,
                FaultKind::Twice => word.last,
            };
            if met {
                self.met.push((frame, kind));
            }
            match kind {
                FaultKind::Bit(bit) if bit / 32 == self.word => word.data ^= 1 << (bit % 32),
                FaultKind::Bit(_) => {}
                FaultKind::Lose => lost = true,
                FaultKind::Truncate(words) => lost |= self.word >= words,
                FaultKind::Twice => twice = true,
            }
        }
        if !lost {
            self.words.push(at, word);
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
                self.words.push(at, word);
                self.free_at = at + 1 + u64::from(word.last);
            }
        }
    }
}
