// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of a ring as a host sees it through its port: what it has written, and what it has read in a turn.

use crate::interface::{Action, Frame, Memory};
use crate::layout::Layout;
use crate::words::{Slot, Word};
use awgstar_frame::quantity::ByteAddress;
use awgstar_request::{Len, Place, Request};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

/// Memory as a host knows it. A state machine that asks for a word that is not known gets 0, and its step counts for
/// nothing: the word is read, and the step is tried again.
#[derive(Debug)]
pub(super) struct Look {
    /// Words that this host alone writes.
    own: BTreeMap<Word, u32>,
    /// Words of others that were read in this turn.
    seen: BTreeMap<Word, u32>,
    missed: RefCell<Vec<Word>>,
    /// Words that the board has accepted.
    accepted: u32,
    writes: fn(Word) -> bool,
}

impl Memory for Look {
    fn word(&self, word: Word) -> u32 {
        let known = self.own.get(&word).or_else(|| self.seen.get(&word));
        known.copied().unwrap_or_else(|| {
            let mut missed = self.missed.borrow_mut();
            if !missed.contains(&word) {
                missed.push(word);
            }
            0
        })
    }

    fn stored(&self, _: Slot) -> u32 {
        self.accepted
    }
}

impl Look {
    /// Knows nothing; the host alone writes the words for which `writes` is true.
    pub(super) fn new(writes: fn(Word) -> bool) -> Look {
        Look {
            own: BTreeMap::new(),
            seen: BTreeMap::new(),
            missed: RefCell::default(),
            accepted: 0,
            writes,
        }
    }

    /// A new turn: words of others may have changed.
    pub(super) fn turn(&mut self) {
        self.seen.clear();
    }

    /// All that is known is lost; the board still knows what it has accepted.
    pub(super) fn forget(&mut self) {
        self.own.clear();
        self.seen.clear();
    }

    /// The words that a step lacked.
    pub(super) fn lacked(&self) -> VecDeque<Word> {
        self.missed.take().into()
    }

    pub(super) fn read(&mut self, word: Word, value: u32) {
        let known = if (self.writes)(word) { &mut self.own } else { &mut self.seen };
        known.insert(word, value);
    }

    pub(super) fn wrote(&mut self, frame: &[(Word, u32)]) {
        for &(word, value) in frame {
            self.accepted = self.accepted.wrapping_add(1);
            if (self.writes)(word) {
                self.own.insert(word, value);
            }
        }
    }
}

/// A word that says that others of its frame are there, which goes last.
fn is_head(word: Word) -> bool {
    matches!(word, Word::Request(_) | Word::Reply(..) | Word::Intent(..) | Word::Done(..))
}

/// The words that the first actions store, up to one that is none, in the order of their addresses as far as words that
/// say that others are there come after these.
pub(super) fn frames(actions: &mut VecDeque<Action>) -> Option<VecDeque<Frame>> {
    let stores = actions.iter().take_while(|one| matches!(one, Action::Store(..))).count();
    let mut frames = VecDeque::new();
    for action in actions.drain(..stores) {
        let Action::Store(frame, _) = action else { continue };
        let (heads, words): (Frame, Frame) = frame.into_iter().partition(|one| is_head(one.0));
        frames.extend([words, heads].into_iter().filter(|part| !part.is_empty()));
    }
    (stores > 0).then_some(frames)
}

/// To write the first words of these frames whose addresses follow each other; gives the words.
pub(super) fn write(frames: &mut VecDeque<Frame>, layout: &Layout) -> Option<(Request, Frame)> {
    let address = |word| layout.address(word).ok();
    let (mut words, mut bytes): (Frame, Vec<u8>) = (Vec::new(), Vec::new());
    let mut first = None;
    while let Some(frame) = frames.front_mut() {
        while let Some(&(word, value)) = frame.first() {
            let at = address(word)?;
            let start = *first.get_or_insert(at);
            if start.checked_add(4 * u32::try_from(words.len()).ok()?) != Some(at) {
                return Some((Request::write_bytes(start, &bytes), words));
            }
            frame.remove(0);
            words.push((word, value));
            bytes.extend(value.to_le_bytes());
        }
        frames.pop_front();
    }
    first.map(|start| (Request::write_bytes(start, &bytes), words))
}

/// To read a word.
pub(super) fn read(address: ByteAddress) -> Request {
    Request::Read(Place::shared(address), Len::Word)
}
