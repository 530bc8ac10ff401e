// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of a cluster: bytes of programs, and the words of channels.

use crate::interface::Memory;
use crate::words::{Slot, Word};
use awgstar_frame::quantity::{ByteAddress, NodeId, narrow};
use awgstar_request::{Data, Homes, Refused, Segment};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The memory of a cluster.
pub(super) struct Shared {
    homes: Homes,
    /// Those of the nodes, the gateway's first.
    segments: Vec<Box<dyn Segment>>,
    words: BTreeMap<Word, u32>,
    /// Words of requests, and those that were read, for each client.
    data: BTreeMap<NodeId, Vec<u32>>,
    values: BTreeMap<NodeId, Vec<u32>>,
}

/// A part of a range: a node, and so many bytes in its memory.
pub(super) type Part = (NodeId, usize);

impl Shared {
    pub(super) fn new(homes: Homes, segments: Vec<Box<dyn Segment>>) -> Shared {
        let (data, values) = (BTreeMap::new(), BTreeMap::new());
        Shared { homes, segments, words: BTreeMap::new(), data, values }
    }

    /// The nodes that have a range, in order.
    ///
    /// # Errors
    /// [`Refused::Bus`] for a range that is not in the memory.
    pub(super) fn parts(&self, at: ByteAddress, bytes: usize) -> Result<Vec<Part>, Refused> {
        let (mut parts, mut at, mut left) = (Vec::new(), at, bytes);
        let all = self.homes.segment as usize * self.homes.ranks;
        at.index().checked_add(bytes).filter(|end| *end <= all).ok_or(Refused::Bus)?;
        while left > 0 {
            let (home, room) = self.homes.of(at).ok_or(Refused::Bus)?;
            let part = left.min(room as usize);
            parts.push((home, part));
            left -= part;
            if left > 0 {
                at = at.checked_add(room).ok_or(Refused::Bus)?;
            }
        }
        Ok(parts)
    }

    /// Bytes of a range; none if it is not in the memory.
    pub(super) fn load(&self, at: ByteAddress, bytes: usize) -> Vec<u8> {
        let (mut at, mut found) = (at, Vec::with_capacity(bytes));
        for (home, part) in self.parts(at, bytes).unwrap_or_default() {
            found.extend(self.segments[home.index()].load(at, part));
            at = ByteAddress(at.0.saturating_add(narrow(part)));
        }
        found
    }

    /// Writes to a range; nothing if it is not in the memory.
    pub(super) fn store(&mut self, at: ByteAddress, bytes: &[u8]) {
        let (mut at, mut left) = (at, bytes);
        for (home, part) in self.parts(at, bytes.len()).unwrap_or_default() {
            let (now, later) = left.split_at(part);
            self.segments[home.index()].store(at, now);
            at = ByteAddress(at.0.saturating_add(narrow(part)));
            left = later;
        }
    }

    /// What a process writes, and where.
    pub(super) fn write(&mut self, at: ByteAddress, data: &Data) {
        match data {
            Data::Word { data, lanes } => {
                for (lane, byte) in (0..).zip(data.to_le_bytes()) {
                    if lanes >> lane & 1 == 1 {
                        self.store(at + lane, &[byte]);
                    }
                }
            }
            Data::Bytes(bytes) => self.store(at, bytes),
            Data::Long(bytes) => self.store(at, bytes),
            Data::Blank(_) => {}
        }
    }

    /// A word that a gateway or a client stores.
    pub(super) fn put(&mut self, word: Word, value: u32) {
        match word {
            Word::Memory(at) => self.store(at, &value.to_le_bytes()),
            Word::Data(client, at) => place(self.data.entry(client).or_default(), at, value),
            Word::Value(_, client, at) => place(self.values.entry(client).or_default(), at, value),
            // They are read again when a gateway begins again, or a request comes twice: neither happens here.
            Word::Result(..) | Word::IntentData(..) => {}
            _ => drop(self.words.insert(word, value)),
        }
    }

    fn word(&self, word: Word) -> u32 {
        let at = |all: &BTreeMap<NodeId, Vec<u32>>, client, at: u16| {
            all.get(client).and_then(|all| all.get(usize::from(at)).copied())
        };
        let word = match &word {
            Word::Memory(at) => {
                self.load(*at, 4).first_chunk().map(|word| u32::from_le_bytes(*word))
            }
            Word::Data(client, index) => at(&self.data, client, *index),
            Word::Value(_, client, index) => at(&self.values, client, *index),
            _ => self.words.get(&word).copied(),
        };
        word.unwrap_or(0)
    }
}

fn place(all: &mut Vec<u32>, at: u16, value: u32) {
    let at = usize::from(at);
    if all.len() <= at {
        all.resize(at + 1, 0);
    }
    all[at] = value;
}

/// The memory as a gateway or a client sees it.
pub(super) struct View<'a> {
    shared: &'a Shared,
    /// Bytes of programs were read from the nodes that have them.
    read: bool,
    /// The range of those that were asked for, and not read.
    lacks: Cell<Option<(ByteAddress, ByteAddress)>>,
}

impl<'a> View<'a> {
    pub(super) fn new(shared: &'a Shared, read: bool) -> View<'a> {
        View { shared, read, lacks: Cell::new(None) }
    }

    /// Where the bytes are that are to be read, and how many.
    pub(super) fn lacks(&self) -> Option<(ByteAddress, usize)> {
        self.lacks.get().map(|(first, last)| (first, last.index() - first.index() + 4))
    }
}

impl Memory for View<'_> {
    fn word(&self, word: Word) -> u32 {
        match word {
            Word::Memory(at) if !self.read => {
                let (first, last) = self.lacks.get().unwrap_or((at, at));
                self.lacks.set(Some((first.min(at), last.max(at))));
                0
            }
            word => self.shared.word(word),
        }
    }

    /// It is for gateways that begin again.
    fn stored(&self, _: Slot) -> u32 {
        0
    }
}
