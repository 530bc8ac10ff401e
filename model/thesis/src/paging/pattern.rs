// SPDX-License-Identifier: MIT OR Apache-2.0
//! Access patterns of processes: walks over virtual memory, as visits of pages.

use awgstar_frame::contract::PageTable;
use awgstar_frame::quantity::ByteAddress;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// An order in which a process goes through the virtual memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Each process writes its own part, word after word.
    Sequential,
    /// The processes write the columns of a matrix with rows of this many bytes, in turn: each word is that
    /// far after the last one.
    Strided(u32),
    /// Words near the last one, within 256 bytes, and once in this many a word anywhere.
    Random(u32),
}

/// A write of consecutive words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Virtual byte address.
    pub addr: ByteAddress,
    pub words: u32,
}

/// Pieces of one page, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Page, from 1.
    pub page: u16,
    /// Words written.
    pub pieces: Vec<Piece>,
}

impl Pattern {
    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Pattern::Sequential => "sequential",
            Pattern::Strided(_) => "strided",
            Pattern::Random(_) => "random",
        }
    }

    /// The pieces that `process` of `processes` writes: `words` words of a memory of `bytes` bytes.
    #[must_use]
    pub fn pieces(
        self,
        (process, processes): (u32, u32),
        bytes: u32,
        words: u32,
        seed: u64,
    ) -> Vec<Piece> {
        let one = |addr: u32| Piece { addr: ByteAddress(addr % bytes).aligned(), words: 1 };
        match self {
            Pattern::Sequential => {
                let first = bytes / processes * process;
                (0..words).map(|i| one(first + 4 * i % (bytes / processes))).collect()
            }
            Pattern::Strided(row) => {
                let rows = bytes / row;
                let place = |i: u32| (i % rows) * row + 4 * (process + processes * (i / rows));
                (0..words).map(|i| one(place(i))).collect()
            }
            Pattern::Random(jump) => {
                let new = seed.wrapping_mul(0x9e37_79b9).wrapping_add(u64::from(process) + 1);
                let mut random = XorShiftRng::seed_from_u64(new);
                let mut at = random.next_u32() % bytes;
                let mut next = |_| {
                    let near = random.next_u32() % 512;
                    at = if random.next_u32().is_multiple_of(jump) {
                        random.next_u32() % bytes
                    } else {
                        (at + bytes + near - 256) % bytes
                    };
                    one(at)
                };
                (0..words).map(&mut next).collect()
            }
        }
    }

    /// The pieces as visits of the pages of a table; consecutive words are one piece. `None` if one is
    /// beyond the last page.
    #[must_use]
    pub fn visits(pieces: &[Piece], at: &PageTable) -> Option<Vec<Visit>> {
        let mut visits: Vec<Visit> = Vec::new();
        for piece in pieces {
            let (page, _) = at.locate(piece.addr)?;
            match visits.last_mut() {
                Some(visit) if visit.page == page => match visit.pieces.last_mut() {
                    Some(last) if last.addr + 4 * last.words == piece.addr && last.words < 256 => {
                        last.words += piece.words;
                    }
                    _ => visit.pieces.push(*piece),
                },
                _ => visits.push(Visit { page, pieces: vec![*piece] }),
            }
        }
        Some(visits)
    }
}
