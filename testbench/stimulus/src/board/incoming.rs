// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words at the input of a board's link: frames of others, and what the board has sent.

use crate::board::stimulus::{BoardEvent, Numbers};
use crate::ends::Warm;
use awgstar::quantity::Cycle;
use awgstar::ring::RESET_CYCLES;
use awgstar::ring::Word;
use std::collections::VecDeque;

/// The way back from a board's output to its input.
#[derive(Clone, Debug, Default)]
struct Back {
    words: VecDeque<Option<Word>>,
    /// Low byte of MAC of the frames that return; of all without it.
    only: Option<u8>,
    /// Words of the frame that goes in.
    count: usize,
    /// This frame does not return.
    drops: bool,
}

impl Back {
    /// A way of so many cycles; by none nothing returns.
    fn new(cycles: u16, only: Option<u8>) -> Self {
        let words = std::iter::repeat_n(None, cycles.into()).collect();
        Back { words, only, ..Back::default() }
    }

    /// The word that comes out.
    fn front(&self) -> Option<Word> {
        self.words.front().copied().flatten()
    }

    /// One cycle: a word goes in, one comes out.
    fn push(&mut self, word: Option<Word>) {
        if let Some(word) = word {
            self.count += 1;
            let [_, source, ..] = word.data.to_le_bytes();
            if self.count == 2 && self.only.is_some_and(|only| only != source) {
                self.drops = true;
                if let Some(first) = self.words.back_mut() {
                    *first = None;
                }
            }
        }
        self.words.push_back(word.filter(|_| !self.drops));
        self.words.pop_front();
        if word.is_none_or(|word| word.last) {
            (self.count, self.drops) = (0, false);
        }
    }
}

/// The words at the input of a board's link. Frames of others break those that return meanwhile.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    words: VecDeque<Option<Word>>,
    back: Back,
}

impl Incoming {
    /// These frames, and what the board sends after so many cycles; of that only frames with this low byte of MAC.
    pub(super) fn new(
        link: &[BoardEvent],
        warm: &Warm,
        (loopback, only): (Option<u16>, Option<u8>),
    ) -> Self {
        let mut numbers = Numbers::new(warm);
        let mut words = VecDeque::new();
        for event in link {
            words.extend(std::iter::repeat_n(None, event.gap.into()));
            words.extend(event.frame.words(&mut numbers).into_iter().map(Some));
        }
        Incoming { words, back: Back::new(loopback.unwrap_or(0), only) }
    }

    /// The word of `cycle`.
    pub(super) fn word(&self, cycle: Cycle) -> Option<Word> {
        let put = self.words.front().copied().flatten().filter(|_| cycle >= RESET_CYCLES);
        put.or(self.back.front())
    }

    /// The edge, in which the board sends this word.
    pub(super) fn clock(&mut self, cycle: Cycle, sent: Option<Word>) {
        if cycle >= RESET_CYCLES {
            self.words.pop_front();
        }
        self.back.push(sent);
    }
}
