// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared pages that a machine keeps coherent (paper 003): what a process asks for, and what it learns.

use crate::PAGE;
use awgstar_frame::quantity::{NodeId, narrow};
use std::fmt;

/// What a process may do with a page before it faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protection {
    None,
    Read,
    Write,
}

/// Pages of a process: those of addresses of 48 bits.
pub const PAGES: u64 = 1 << 36;

/// The lock of flushes: who takes it gets the notes of all.
pub const FLUSH_LOCK: u32 = 8;

/// What a process asks of the protocol of its pages. A page has a number: its address divided by [`PAGE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coherent {
    /// It faults at a page.
    Fault { page: u64, write: bool },
    /// It wants a lock.
    Acquire(u32),
    /// It gives a lock up.
    Release(u32),
    /// It calls the barrier at this place in the program.
    Barrier(u64),
    /// It wants to know which pages it has not: [`News::beyond`].
    Lacked,
    /// These pages belong together: an array, or variables.
    Area { page: u64, pages: u32 },
}

/// Bits of an address.
const CALLER: u64 = (1 << 48) - 1;

impl Coherent {
    /// The barrier, called from this return address with this much of the stack in use: an address alone does not tell
    /// two callers of a function with a barrier apart.
    #[must_use]
    pub const fn barrier(caller: usize, depth: usize) -> Coherent {
        Coherent::Barrier(caller as u64 & CALLER | (depth as u64 / 8) << 48)
    }

    /// The return address of such a place.
    #[must_use]
    pub const fn caller(place: u64) -> u64 {
        place & CALLER
    }
}

impl fmt::Display for Coherent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coherent::Fault { page, write } => {
                let access = if *write { "write to" } else { "read of" };
                write!(f, "a {access} page {:#x}", page.saturating_mul(PAGE.into()))
            }
            Coherent::Acquire(lock) => write!(f, "lock {lock}"),
            Coherent::Release(lock) => write!(f, "its unlock of {lock}"),
            Coherent::Barrier(_) => f.write_str("the barrier"),
            Coherent::Lacked => f.write_str("a list of pages"),
            Coherent::Area { pages, .. } => write!(f, "an area of {pages} pages"),
        }
    }
}

/// Bytes of the shared pages from an address on, all within one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub at: u64,
    pub bytes: Vec<u8>,
}

impl Piece {
    /// Number of the page, and the place in it.
    #[must_use]
    pub fn place(&self) -> (u64, usize) {
        (self.at / u64::from(PAGE), narrow::<u32>(self.at % u64::from(PAGE)) as usize)
    }

    /// Appends a byte: to the last piece if it follows that within a page.
    pub fn push(all: &mut Vec<Piece>, at: u64, byte: u8) {
        match all.last_mut() {
            Some(last)
                if last.at + last.bytes.len() as u64 == at
                    && !at.is_multiple_of(u64::from(PAGE)) =>
            {
                last.bytes.push(byte);
            }
            _ => all.push(Piece { at, bytes: vec![byte] }),
        }
    }

    /// Address, number of bytes, and these, in words of 8 bytes.
    fn encode(all: &[Piece]) -> Vec<u8> {
        let mut to = Vec::new();
        for piece in all {
            put(&mut to, piece.at);
            put_bytes(&mut to, &piece.bytes);
        }
        to
    }

    /// The pieces of that form; `None` if it is none, or a piece is not within one of the [`PAGES`].
    fn decode(mut from: &[u8]) -> Option<Vec<Piece>> {
        let mut all = Vec::new();
        while !from.is_empty() {
            let at = take(&mut from)?;
            let bytes = take_bytes(&mut from)?;
            let piece = Piece { at, bytes };
            let (page, first) = piece.place();
            if page >= PAGES || first + piece.bytes.len() > PAGE as usize {
                return None;
            }
            all.push(piece);
        }
        Some(all)
    }
}

/// What a process hands over with a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What it has changed since the last one.
    pub pieces: Vec<Piece>,
    /// Bytes for those who take the lock that it gives up, or leave the barrier with it: [`News::notes`].
    pub note: Vec<u8>,
}

impl Changes {
    /// The form in a slot.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Vec::new();
        put_bytes(&mut to, &self.note);
        to.extend(Piece::encode(&self.pieces));
        to
    }

    /// The changes of that form; `None` if it is none, or a piece is not within one of the [`PAGES`].
    #[must_use]
    pub fn decode(mut from: &[u8]) -> Option<Changes> {
        let note = take_bytes(&mut from)?;
        Some(Changes { pieces: Piece::decode(from)?, note })
    }
}

/// What a process learns when its call is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Pages that have new bytes.
    pub pages: Vec<Piece>,
    /// Pages with another protection.
    pub protections: Vec<(u64, Protection)>,
    /// Pages that the process uses beyond the pattern of its block.
    pub beyond: Vec<u64>,
    /// Bytes that this process and another one have written between two barriers, without an order.
    pub races: Vec<Race>,
    /// Notes that others gave along, and who: those of a process in its order.
    pub notes: Vec<(NodeId, Vec<u8>)>,
}

/// Another value for a byte that the process has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    pub at: u64,
    pub mine: u8,
    pub theirs: u8,
    /// Who wrote it.
    pub node: NodeId,
}

impl News {
    /// The form in a slot.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Vec::new();
        put(&mut to, self.protections.len() as u64);
        put(&mut to, self.beyond.len() as u64);
        put(&mut to, self.races.len() as u64);
        put(&mut to, self.notes.len() as u64);
        for (page, protection) in &self.protections {
            put(&mut to, *page << 2 | *protection as u64);
        }
        self.beyond.iter().for_each(|page| put(&mut to, *page));
        for race in &self.races {
            put(&mut to, race.at);
            put(&mut to, u64::from_le_bytes([race.mine, race.theirs, race.node.0, 0, 0, 0, 0, 0]));
        }
        for (node, note) in &self.notes {
            put(&mut to, node.0.into());
            put_bytes(&mut to, note);
        }
        to.extend(Piece::encode(&self.pages));
        to
    }

    /// The news of that form; `None` if it is none.
    #[must_use]
    pub fn decode(mut from: &[u8]) -> Option<News> {
        let protections = take(&mut from)?;
        let beyond = take(&mut from)?;
        let races = take(&mut from)?;
        let notes = take(&mut from)?;
        let mut news = News::default();
        for _ in 0..protections {
            let word = take(&mut from)?;
            let all = [Protection::None, Protection::Read, Protection::Write];
            let protection = all.into_iter().find(|one| *one as u64 == word & 3)?;
            news.protections.push((word >> 2, protection));
        }
        for _ in 0..beyond {
            news.beyond.push(take(&mut from)?);
        }
        for _ in 0..races {
            let at = take(&mut from)?;
            let [mine, theirs, node, ..] = take(&mut from)?.to_le_bytes();
            news.races.push(Race { at, mine, theirs, node: NodeId(node) });
        }
        for _ in 0..notes {
            let [node, ..] = take(&mut from)?.to_le_bytes();
            news.notes.push((NodeId(node), take_bytes(&mut from)?));
        }
        news.pages = Piece::decode(from)?;
        Some(news)
    }
}

fn put(to: &mut Vec<u8>, word: u64) {
    to.extend_from_slice(&word.to_le_bytes());
}

/// A number of bytes, and these, in words of 8 bytes.
fn put_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    put(to, bytes.len() as u64);
    to.extend_from_slice(bytes);
    to.resize(to.len().next_multiple_of(8), 0);
}

fn take(from: &mut &[u8]) -> Option<u64> {
    let (word, rest) = from.split_first_chunk::<8>()?;
    *from = rest;
    Some(u64::from_le_bytes(*word))
}

/// A number of bytes, and these.
fn take_bytes(from: &mut &[u8]) -> Option<Vec<u8>> {
    let len = usize::try_from(take(from)?).ok()?;
    let (bytes, rest) = from.split_at_checked(len.checked_next_multiple_of(8)?)?;
    *from = rest;
    Some(bytes[..len].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_news_are_read_as_they_were_written() {
        let piece = |at, bytes: &[u8]| Piece { at, bytes: bytes.to_vec() };
        let pages = vec![piece(0x1_0000_0fff, &[7]), piece(0x2000, &[1, 2, 3, 4, 5, 6, 7, 8, 9])];
        assert_eq!(Piece::decode(&Piece::encode(&pages)), Some(pages.clone()));
        let changes = Changes { pieces: pages.clone(), note: b"nine byte".to_vec() };
        assert_eq!(Changes::decode(&changes.encode()), Some(changes));
        assert_eq!(Changes::decode(&[]), None);
        let protections =
            vec![(1, Protection::None), (1 << 40, Protection::Read), (2, Protection::Write)];
        let races = vec![Race { at: 0x3001, mine: 1, theirs: 2, node: NodeId(7) }];
        let notes = vec![(NodeId(3), b"a note".to_vec()), (NodeId(0), vec![])];
        let news = News { pages, protections, beyond: vec![5, 6], races, notes };
        let bytes = news.encode();
        assert_eq!(News::decode(&bytes), Some(news));
        // Each cut in the middle of a word, and each part that says that more follows.
        for len in (0..bytes.len()).filter(|len| len % 8 != 0 || *len < 112) {
            assert_eq!(News::decode(&bytes[..len]), None, "{len}");
        }
    }

    #[test]
    fn bytes_that_follow_each_other_in_a_page_are_one_piece() {
        let mut all = Vec::new();
        for (at, byte) in [(0xffe, 1), (0xfff, 2), (0x1000, 3), (0x1001, 4), (0x1003, 5)] {
            Piece::push(&mut all, at, byte);
        }
        let found: Vec<_> = all.iter().map(|piece| (piece.at, &piece.bytes[..])).collect();
        assert_eq!(found, [(0xffe, &[1, 2][..]), (0x1000, &[3, 4]), (0x1003, &[5])]);
    }

    #[test]
    fn places_of_barriers_differ() {
        let places = [(1, 0), (0, 1), (0x40_1000, 64), (0x40_1000, 72), (0x40_1008, 64)];
        let places = places.map(|(caller, depth)| Coherent::barrier(caller, depth));
        for (at, place) in places.iter().enumerate() {
            assert!(!places[..at].contains(place), "{at}");
        }
    }

    /// What no library writes: more bytes than there are, a piece of two pages or beyond all, a protection that there is not.
    #[test]
    fn what_is_no_form_is_refused() {
        let words = |all: &[u64]| -> Vec<u8> { all.iter().flat_map(|w| w.to_le_bytes()).collect() };
        for bad in
            [&[0x1000, u64::MAX][..], &[0x1000, 9, 0], &[0x1fff, 2, 0], &[0x1000], &[1 << 48, 1, 0]]
        {
            assert_eq!(Piece::decode(&words(bad)), None, "{bad:?}");
        }
        for bad in [
            &[1, 0, 0, 0, 3][..],
            &[u64::MAX, 0, 0, 0],
            &[0, u64::MAX, 0, 0],
            &[0, 0, 1, 0],
            &[0, 0, 0, 1],
            &[0],
        ] {
            assert_eq!(News::decode(&words(bad)), None, "{bad:?}");
        }
    }
}
