// SPDX-License-Identifier: MIT OR Apache-2.0
//! The paths of the light, once they are not those from board i to board i + 1.

use super::fibre::{Fibre, Word};
use awgstar_frame::quantity::narrow;

/// Path of the light of one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The board whose receiver it reaches.
    pub to: usize,
    /// Cycles it takes.
    pub delay: u32,
}

/// Words under way to where their laser no longer points.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    pub(super) to: usize,
    pub(super) link: usize,
    pub(super) words: Fibre,
}

/// Light at a receiver in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Arrival {
    #[default]
    Nothing,
    One(Word),
    /// Light of two lasers: the receiver cannot read it.
    Both,
}

/// The paths of the light.
#[derive(Clone, Debug)]
pub(super) struct Routes {
    /// Target of the laser of each board, if it is on.
    pub(super) aim: Vec<Option<Aim>>,
    /// The light of each board gets into the router.
    pub(super) up: Vec<bool>,
    /// Each board gets light out of the router.
    pub(super) down: Vec<bool>,
    pub(super) power: Vec<bool>,
    pub(super) rests: Vec<Rest>,
    pub(super) arrivals: Vec<Arrival>,
    /// Light that begins or ends at a receiver: cycle, board, begins.
    pub(super) changes: Vec<(u64, usize, bool)>,
    /// Lasers whose light is at each receiver.
    pub(super) lights: Vec<u32>,
}

impl Routes {
    /// From each board to the next one, over the fibres as they are.
    pub(super) fn new(delays: impl ExactSizeIterator<Item = u64>) -> Self {
        let n = delays.len();
        let aim = |(i, delay)| Some(Aim { to: (i + 1) % n, delay: narrow(delay) });
        Routes {
            aim: delays.enumerate().map(aim).collect(),
            up: vec![true; n],
            down: vec![true; n],
            power: vec![true; n],
            rests: Vec::new(),
            arrivals: vec![Arrival::Nothing; n],
            changes: Vec::new(),
            lights: vec![1; n],
        }
    }

    /// The light of board `i` as it gets into the router.
    pub(super) fn beam(&self, i: usize) -> Option<Aim> {
        self.aim[i].filter(|_| self.up[i] && self.power[i])
    }

    pub(super) fn arrive(&mut self, to: usize, word: Word) {
        let arrival = &mut self.arrivals[to];
        *arrival = match arrival {
            Arrival::Nothing => Arrival::One(word),
            Arrival::One(_) | Arrival::Both => Arrival::Both,
        };
    }

    /// First cycle in which light begins or ends at a receiver, or a word under way arrives there.
    pub(super) fn next_event(&self) -> Option<u64> {
        let changes = self.changes.iter().map(|&(at, ..)| at);
        changes.chain(self.rests.iter().filter_map(|rest| rest.words.next_arrival())).min()
    }

    /// Returns the word that the receiver of board `i` reads in this cycle, if any.
    pub(super) fn take(&mut self, i: usize) -> Option<Word> {
        let arrival = std::mem::take(&mut self.arrivals[i]);
        match arrival {
            Arrival::One(word) if self.down[i] && self.lights[i] < 2 => Some(word),
            _ => None,
        }
    }
}
