// SPDX-License-Identifier: MIT OR Apache-2.0
//! The gateway of the ring whose words others have: it notes who may have which line.

use crate::interface::{Action, Block, Memory, Order};
use crate::line::{Cache, Note, Says};
use crate::repairs::CacheRepairs;
use crate::words::{RingNumber, Slot, Word};
use awgstar_frame::quantity::ByteAddress;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How far a wish for a line is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Wish {
    New,
    /// The ring is noted; the words are to be read.
    Noted,
    /// Without the repair: the words were read first.
    Seen(Vec<u32>),
}

/// Who may have lines of this ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Directory {
    ring: RingNumber,
    cache: Cache,
    /// First address beyond the memory.
    end: ByteAddress,
    repairs: CacheRepairs,
    others: BTreeSet<RingNumber>,
    held: BTreeMap<ByteAddress, BTreeSet<RingNumber>>,
    /// Lines, or all of them, that a ring was asked to drop, and the number of that.
    open: BTreeMap<(RingNumber, Option<ByteAddress>), u32>,
    wishes: VecDeque<(RingNumber, ByteAddress, Wish)>,
    /// The last number.
    number: u32,
}

impl Directory {
    pub(crate) fn new(
        ring: RingNumber,
        (cache, end): (Cache, ByteAddress),
        repairs: CacheRepairs,
        others: BTreeSet<RingNumber>,
    ) -> Directory {
        let (held, open) = (BTreeMap::new(), BTreeMap::new());
        let (wishes, number) = (VecDeque::new(), 0);
        Directory { ring, cache, end, repairs, others, held, open, wishes, number }
    }

    fn note(&self, to: RingNumber, says: Says) -> Note {
        Note { from: self.ring, to, says }
    }

    /// The firmware begins: after the first time, other rings may have any line. What they had confirmed before is known
    /// from now on only when they say so for all lines, which comes after all that they have said before.
    pub(crate) fn start(&mut self, memory: &impl Memory, actions: &mut Vec<Action>) -> Vec<Note> {
        let begun = Word::Begun(Slot(0));
        if memory.word(begun) == 0 {
            actions.push(Action::Store(vec![(begun, 1)], Order::After));
            return Vec::new();
        }
        if !self.repairs.has(CacheRepairs::UNKNOWN) {
            return Vec::new();
        }
        self.others.clone().into_iter().map(|ring| self.ask(ring, None)).collect()
    }

    /// Asks a ring to drop a line.
    fn ask(&mut self, ring: RingNumber, line: Option<ByteAddress>) -> Note {
        self.number = self.number.wrapping_add(1);
        self.open.insert((ring, line), self.number);
        self.note(ring, Says::Drop(line, self.number))
    }

    /// Rings that may have a line are asked to drop it.
    fn clear(&mut self, line: ByteAddress) -> Vec<Note> {
        let rings = self.held.remove(&line).unwrap_or_default();
        rings.into_iter().map(|ring| self.ask(ring, Some(line))).collect()
    }

    /// A ring was asked to drop the line, and has not confirmed it.
    fn is_open(&self, line: ByteAddress) -> bool {
        self.open.keys().any(|(_, of)| of.is_none_or(|of| of == line))
    }

    fn lines(&self, address: ByteAddress, length: usize) -> Vec<ByteAddress> {
        let parts = u16::try_from(length).ok().and_then(|length| self.cache.parts(address, length));
        parts.unwrap_or_default().into_iter().map(|part| part.line).collect()
    }

    /// A board of the ring has written.
    pub(crate) fn written(&mut self, block: &Block) -> Vec<Note> {
        if !self.repairs.has(CacheRepairs::WATCHED) {
            return Vec::new();
        }
        let lines = self.lines(block.first, block.values.len());
        lines.into_iter().flat_map(|line| self.clear(line)).collect()
    }

    /// A far write waits until no ring has its lines.
    pub(crate) fn write_waits(&mut self, address: ByteAddress, words: usize) -> (bool, Vec<Note>) {
        let lines = self.lines(address, words);
        let notes = lines.iter().flat_map(|line| self.clear(*line)).collect();
        let waits = lines.iter().any(|line| self.is_open(*line));
        (waits && self.repairs.has(CacheRepairs::WRITES_WAIT), notes)
    }

    /// A far read waits while a ring may have older words.
    pub(crate) fn read_waits(&self, address: ByteAddress, words: u16) -> bool {
        let open = |line: ByteAddress| self.is_open(line);
        self.repairs.has(CacheRepairs::READS_WAIT)
            && self.lines(address, words.into()).into_iter().any(open)
    }

    /// What was written before an arrival at the barrier is not read as it was after it.
    pub(crate) fn arrivals_wait(&self) -> bool {
        !self.open.is_empty() && self.repairs.has(CacheRepairs::ARRIVALS_WAIT)
    }

    /// A ring says something; what is said at once.
    pub(crate) fn hear(&mut self, from: RingNumber, says: &Says) -> Option<Note> {
        match says {
            Says::Wanted(line) if !self.cache.is_within(*line, self.end) => {
                return Some(self.note(from, Says::Words(*line, Vec::new())));
            }
            Says::Wanted(line) => {
                self.wishes.retain(|(ring, of, _)| (*ring, *of) != (from, *line));
                self.wishes.push_back((from, *line, Wish::New));
            }
            Says::Dropped(line, number) => {
                let asked = self.open.get(&(from, *line));
                let same = asked == Some(number) || !self.repairs.has(CacheRepairs::NUMBER);
                if same {
                    self.open.remove(&(from, *line));
                }
            }
            Says::Words(..) | Says::Drop(..) => {}
        }
        None
    }

    fn hold(&mut self, line: ByteAddress, ring: RingNumber) {
        self.held.entry(line).or_default().insert(ring);
    }

    fn read(&self, memory: &impl Memory, line: ByteAddress) -> Vec<u32> {
        let word = |at| memory.word(Word::Memory(line + 4 * u32::from(at)));
        (0..self.cache.words).map(word).collect()
    }

    /// Goes on with the first wish that need not wait. A ring is noted in one turn, and the words are read in a later
    /// one: what is written in between, and while they are read, is known before they are sent.
    pub(crate) fn poll(&mut self, memory: &impl Memory) -> Option<Note> {
        let ready = |one: &(RingNumber, ByteAddress, Wish)| !self.is_open(one.1);
        let at = self.wishes.iter().position(ready)?;
        let (ring, line, wish) = self.wishes[at].clone();
        let first = self.repairs.has(CacheRepairs::NOTED);
        let next = match wish {
            Wish::New if first => Some(Wish::Noted),
            Wish::New => Some(Wish::Seen(self.read(memory, line))),
            Wish::Noted | Wish::Seen(_) => None,
        };
        if let Some(next) = next {
            if first {
                self.hold(line, ring);
            }
            self.wishes[at].2 = next;
            return None;
        }
        self.wishes.remove(at);
        let values = match wish {
            Wish::Seen(values) => {
                self.hold(line, ring);
                values
            }
            _ if self.held.get(&line).is_some_and(|rings| rings.contains(&ring))
                || !self.repairs.has(CacheRepairs::STILL_NOTED) =>
            {
                self.read(memory, line)
            }
            _ => Vec::new(),
        };
        Some(self.note(ring, Says::Words(line, values)))
    }

    /// What was said to these rings may be lost.
    pub(crate) fn again(&self, rings: &BTreeSet<RingNumber>) -> Vec<Note> {
        if !self.repairs.has(CacheRepairs::AGAIN) {
            return Vec::new();
        }
        let open = self.open.iter().filter(|((ring, _), _)| rings.contains(ring));
        open.map(|((ring, line), number)| self.note(*ring, Says::Drop(*line, *number))).collect()
    }

    /// The timer runs.
    pub(crate) fn waits(&self) -> bool {
        !self.open.is_empty()
    }

    pub(crate) fn summary(&self) -> String {
        let held: Vec<String> =
            self.held.iter().map(|(line, rings)| format!("{}:{rings:?}", line.word())).collect();
        format!("held [{}], {} open", held.join(" "), self.open.len())
    }
}
