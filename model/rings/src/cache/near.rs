// SPDX-License-Identifier: MIT OR Apache-2.0
//! The gateway of the ring that has lines of others in its memory.
//!
//! Which lines are there is in the memory alone, so a restart of the firmware loses none.

use crate::interface::{Action, Frame, Memory, Order};
use crate::line::{Cache, Note, Part, Says};
use crate::repairs::CacheRepairs;
use crate::words::{RingNumber, Word};
use awgstar_frame::quantity::{ByteAddress, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// The line in a place, and its number; odd while it may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) number: u32,
    pub(crate) ring: RingNumber,
    pub(crate) line: ByteAddress,
}

impl Tag {
    pub(crate) fn of(memory: &impl Memory, place: u16) -> Tag {
        Tag {
            number: memory.word(Word::Line(place)),
            ring: RingNumber((memory.word(Word::LineRing(place)) & 0xffff) as u16),
            line: ByteAddress(memory.word(Word::LineAddress(place))),
        }
    }

    /// Clients may read this line there.
    pub(crate) fn is(&self, ring: RingNumber, line: ByteAddress) -> bool {
        self.number % 2 == 1 && (self.ring, self.line) == (ring, line)
    }
}

/// What becomes of a read.
pub(crate) enum Read {
    Values(Vec<u32>),
    /// Its lines were asked for.
    Waits,
    /// It goes to the other ring.
    Goes,
}

/// Lines of other rings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lines {
    ring: RingNumber,
    cache: Cache,
    repairs: CacheRepairs,
    /// The line that was asked for, for its place.
    wanted: BTreeMap<u16, (RingNumber, ByteAddress)>,
    /// The read of a client whose lines were asked for: that is done once.
    asked: BTreeMap<NodeId, u16>,
    /// To be said when no replica has the lines any more.
    dropped: Vec<Note>,
}

impl Lines {
    pub(crate) fn new(ring: RingNumber, cache: Cache, repairs: CacheRepairs) -> Lines {
        let (wanted, asked, dropped) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        Lines { ring, cache, repairs, wanted, asked, dropped }
    }

    /// A client reads words of another ring, and its call has this number.
    pub(crate) fn read(
        &mut self,
        memory: &impl Memory,
        (client, number): (NodeId, u16),
        (ring, address, length): (RingNumber, ByteAddress, u16),
        actions: &mut Vec<Action>,
    ) -> (Read, Vec<Note>) {
        let parts = self.cache.parts(address, length);
        let Some(parts) = parts.filter(|_| address.is_aligned()) else {
            return (Read::Goes, Vec::new());
        };
        let place = |part: &Part| self.cache.place(ring, part.line);
        let has = |part: &&Part| Tag::of(memory, place(part)).is(ring, part.line);
        let lacks: Vec<Part> = parts.iter().filter(|part| !has(part)).copied().collect();
        if lacks.is_empty() {
            self.asked.remove(&client);
            let words = |part: &Part| {
                let place = place(part);
                let word = move |at| memory.word(Word::Cached(place, at));
                (part.first..part.first + part.words).map(word)
            };
            return (Read::Values(parts.iter().flat_map(words).collect()), Vec::new());
        }
        let wanted = |part: &Part| self.wanted.get(&place(part));
        if self.asked.get(&client) == Some(&number) {
            let open = |part: &Part| wanted(part) == Some(&(ring, part.line));
            let read = if lacks.iter().all(open) { Read::Waits } else { Read::Goes };
            return (read, Vec::new());
        }
        let places: BTreeSet<u16> = parts.iter().map(place).collect();
        let other = |part: &Part| wanted(part).is_some_and(|one| *one != (ring, part.line));
        if places.len() < parts.len() || lacks.iter().any(other) {
            return (Read::Goes, Vec::new());
        }
        self.asked.insert(client, number);
        let mut notes = Vec::new();
        for Part { line, .. } in lacks {
            let place = self.cache.place(ring, line);
            if self.wanted.insert(place, (ring, line)).is_none() {
                let before = memory.word(Word::Line(place));
                if before % 2 == 1 && self.repairs.has(CacheRepairs::EMPTIED) {
                    actions.push(Self::store(vec![(Word::Line(place), before.wrapping_add(1))]));
                }
                notes.push(Note { from: self.ring, to: ring, says: Says::Wanted(line) });
            }
        }
        (Read::Waits, notes)
    }

    fn store(frame: Frame) -> Action {
        Action::Store(frame, Order::After)
    }

    /// The home gateway of a ring says something; what is said at once.
    pub(crate) fn hear(
        &mut self,
        (from, says): (RingNumber, Says),
        memory: &impl Memory,
        actions: &mut Vec<Action>,
    ) -> Option<Note> {
        match says {
            Says::Words(line, values) => {
                self.fill(memory, (from, line), &values, actions);
                None
            }
            Says::Drop(line, number) => {
                self.drop_lines(memory, (from, line), actions);
                let says = Says::Dropped(line, number);
                let note = Note { from: self.ring, to: from, says };
                if !self.repairs.has(CacheRepairs::FLUSHED) {
                    return Some(note);
                }
                // What was stored before may be on its way to a client, too, so this holds for a line that is not here.
                self.dropped.push(note);
                actions.push(Action::Flush);
                None
            }
            Says::Wanted(_) | Says::Dropped(..) => None,
        }
    }

    fn fill(
        &mut self,
        memory: &impl Memory,
        (ring, line): (RingNumber, ByteAddress),
        values: &[u32],
        actions: &mut Vec<Action>,
    ) {
        let place = self.cache.place(ring, line);
        if self.wanted.get(&place) != Some(&(ring, line)) {
            return;
        }
        self.wanted.remove(&place);
        if values.len() != usize::from(self.cache.words) {
            return;
        }
        let before = memory.word(Word::Line(place));
        let number = before.wrapping_add(1 + before % 2);
        let mut words =
            vec![(Word::LineRing(place), ring.0.into()), (Word::LineAddress(place), line.0)];
        words.extend((0..).zip(values).map(|(at, value)| (Word::Cached(place, at), *value)));
        let mut frames = [words, vec![(Word::Line(place), number)]];
        if !self.repairs.has(CacheRepairs::HEAD_LAST) {
            frames.reverse();
        }
        actions.extend(frames.map(Self::store));
    }

    /// A line of a ring, or all of them.
    fn drop_lines(
        &self,
        memory: &impl Memory,
        (ring, line): (RingNumber, Option<ByteAddress>),
        actions: &mut Vec<Action>,
    ) {
        let places = match line {
            Some(line) => {
                let place = self.cache.place(ring, line);
                place..place + 1
            }
            None => 0..self.cache.lines,
        };
        for place in places {
            let tag = Tag::of(memory, place);
            if tag.is(ring, line.unwrap_or(tag.line)) {
                actions.push(Self::store(vec![(Word::Line(place), tag.number.wrapping_add(1))]));
            }
        }
    }

    /// All that this gateway has stored is in all replicas.
    pub(crate) fn flushed(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.dropped)
    }

    /// What was asked of these rings may be lost: reads that wait go there.
    pub(crate) fn again(&mut self, rings: &BTreeSet<RingNumber>) {
        if self.repairs.has(CacheRepairs::AGAIN) {
            self.wanted.retain(|_, (ring, _)| !rings.contains(ring));
        }
    }

    /// The timer runs.
    pub(crate) fn waits(&self) -> bool {
        !self.wanted.is_empty()
    }

    pub(crate) fn summary(&self) -> String {
        let wants: Vec<String> =
            self.wanted.values().map(|(ring, line)| format!("{ring}:{}", line.word())).collect();
        format!("wants [{}]", wants.join(" "))
    }
}
