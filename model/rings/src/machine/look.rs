// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of a ring as a host sees it through its port: what it has written, and what it has read in a turn.

use super::common::Failure;
use crate::interface::{Action, Frame, Memory};
use crate::layout::{Layout, LayoutError};
use crate::words::{Slot, Word};
use awgstar_frame::quantity::narrow;
use awgstar_request::{Answer, Len, Place, Request};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

/// What the board is doing for the host.
#[derive(Debug)]
enum Access {
    Fetch(Word),
    Store(Frame),
}

/// Memory as a host knows it. A state machine that asks for a word that is not known gets 0, and its step counts for
/// nothing: the word is read, and the step is tried again.
#[derive(Debug)]
pub(super) struct Look {
    layout: Layout,
    /// Words that this host alone writes.
    own: BTreeMap<Word, u32>,
    /// Words of others that were read in this turn.
    seen: BTreeMap<Word, u32>,
    missed: RefCell<Vec<Word>>,
    /// Words that the board has accepted, and those of the ring's other gateway that have come to it.
    accepted: u32,
    came: u32,
    /// The gateway whose host it is.
    slot: Option<Slot>,
    /// Words that are to be read, and to be written.
    lacks: VecDeque<Word>,
    frames: VecDeque<Frame>,
    under: Option<Access>,
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

    fn stored(&self, by: Slot) -> u32 {
        if Some(by) == self.slot { self.accepted } else { self.came }
    }
}

/// A word that says that others of its frame are there, which goes last.
fn is_head(word: Word) -> bool {
    matches!(
        word,
        Word::Request(_) | Word::Reply(..) | Word::Intent(..) | Word::Done(..) | Word::Line(_)
    )
}

/// The gateway of this slot alone writes the word.
fn writes(slot: Slot, word: Word) -> bool {
    match word {
        Word::Taken(by, _)
        | Word::Reply(by, _)
        | Word::Value(by, ..)
        | Word::Release(by)
        | Word::Intent(by, _)
        | Word::IntentAddress(by, _)
        | Word::IntentAt(by, _)
        | Word::IntentData(by, ..)
        | Word::Done(by, _)
        | Word::Result(by, ..)
        | Word::Grant(by, _)
        | Word::Turn(by, _)
        | Word::Owner(by, _)
        | Word::Begun(by) => by == slot,
        // With a cache the ring has one gateway.
        Word::Line(_) | Word::LineRing(_) | Word::LineAddress(_) | Word::Cached(..) => true,
        Word::Request(_)
        | Word::Target(_)
        | Word::Address(_)
        | Word::Data(..)
        | Word::Arrival(_)
        | Word::Want(..)
        | Word::Memory(_) => false,
    }
}

impl Look {
    /// The look of a gateway's host, or of a client's. It knows nothing.
    pub(super) fn new(layout: Layout, slot: Option<Slot>) -> Look {
        Look {
            layout,
            own: BTreeMap::new(),
            seen: BTreeMap::new(),
            missed: RefCell::default(),
            accepted: 0,
            came: 0,
            slot,
            lacks: VecDeque::new(),
            frames: VecDeque::new(),
            under: None,
        }
    }

    /// So many words of the ring's other gateway have come to the board.
    pub(super) fn came(&mut self, words: u32) {
        self.came = words;
    }

    fn own(&self, word: Word) -> bool {
        self.slot.is_some_and(|slot| writes(slot, word))
    }

    /// The place of a word and of those of the same kind of the other gateways, and what they were in this turn.
    ///
    /// # Errors
    /// A word that has no place.
    pub(super) fn watched(&self, word: Word) -> Result<(Place, Vec<u8>), LayoutError> {
        let of = |slot| match word {
            Word::Reply(_, node) => Word::Reply(slot, node),
            Word::Release(_) => Word::Release(slot),
            Word::Grant(_, lock) => Word::Grant(slot, lock),
            other => other,
        };
        let mut all: Vec<Word> = (0..self.layout.gateways).map(|slot| of(Slot(slot))).collect();
        all.dedup();
        let value = |word: &Word| self.seen.get(word).copied().unwrap_or(0).to_le_bytes();
        Ok((self.place(all[0])?, all.iter().flat_map(value).collect()))
    }

    /// A new turn: words of others may have changed.
    pub(super) fn turn(&mut self) {
        self.seen.clear();
    }

    /// All that is known is lost; the board still knows what it has accepted.
    pub(super) fn forget(&mut self) {
        self.own.clear();
        self.seen.clear();
        self.lacks.clear();
        self.frames.clear();
    }

    /// Words that a step lacked are read next. Returns false if it lacked none.
    pub(super) fn fetch(&mut self) -> bool {
        self.lacks = self.missed.take().into();
        !self.lacks.is_empty()
    }

    /// What the first actions store is written next, a word that says that others are there after these. Returns false if
    /// the first one stores nothing.
    pub(super) fn store(&mut self, actions: &mut VecDeque<Action>) -> bool {
        let stores = actions.iter().take_while(|one| matches!(one, Action::Store(..))).count();
        for action in actions.drain(..stores) {
            let Action::Store(frame, _) = action else { continue };
            let (heads, words): (Frame, Frame) = frame.into_iter().partition(|one| is_head(one.0));
            self.frames.extend([words, heads].into_iter().filter(|part| !part.is_empty()));
        }
        stores > 0
    }

    /// The next access to the board.
    ///
    /// # Errors
    /// A word that has no place.
    pub(super) fn access(&mut self) -> Result<Option<Request>, LayoutError> {
        if let Some(word) = self.lacks.pop_front() {
            let place = self.place(word)?;
            self.under = Some(Access::Fetch(word));
            return Ok(Some(Request::Read(place, Len::Word)));
        }
        // The first words whose addresses follow each other.
        let (mut words, mut bytes): (Frame, Vec<u8>) = (Vec::new(), Vec::new());
        let mut first = None;
        'all: while let Some(frame) = self.frames.front_mut() {
            while let Some(&(word, value)) = frame.first() {
                let at = self.layout.address(word)?;
                let start = *first.get_or_insert(at);
                if start.checked_add(narrow(bytes.len())) != Some(at) {
                    break 'all;
                }
                words.push(frame.remove(0));
                bytes.extend(value.to_le_bytes());
            }
            self.frames.pop_front();
        }
        Ok(first.map(|start| {
            self.under = Some(Access::Store(words));
            Request::write_bytes(start, &bytes)
        }))
    }

    pub(super) fn place(&self, word: Word) -> Result<Place, LayoutError> {
        self.layout.address(word).map(Place::shared)
    }

    /// The board has done what it was asked for; gives a word that was read.
    ///
    /// # Errors
    /// The board has refused it.
    pub(super) fn accessed(&mut self, answer: &Answer) -> Result<Option<Word>, Failure> {
        let Some(access) = self.under.take() else { return Ok(None) };
        answer.got.as_ref().map_err(|refused| Failure::Access(*refused))?;
        match access {
            Access::Fetch(word) => {
                let own = self.own(word);
                let known = if own { &mut self.own } else { &mut self.seen };
                known.insert(word, answer.word());
                Ok(Some(word))
            }
            Access::Store(frame) => {
                for (word, value) in frame {
                    self.accepted = self.accepted.wrapping_add(1);
                    if self.own(word) {
                        self.own.insert(word, value);
                    }
                }
                Ok(None)
            }
        }
    }
}
