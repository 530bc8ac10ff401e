// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of the cache, and what gateways say of them.

use crate::words::RingNumber;
use awgstar_frame::quantity::{ByteAddress, narrow};
use std::fmt;

/// Sizes of a ring's cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cache {
    /// Places for lines, 1 or more.
    pub lines: u16,
    /// Words of a line, 1 or more.
    pub words: u16,
}

/// Words of an access that are in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    /// Address of the line's first word.
    pub(crate) line: ByteAddress,
    /// First word of the access in the line, and how many.
    pub(crate) first: u16,
    pub(crate) words: u16,
}

impl Cache {
    /// The line of a word.
    pub(crate) fn line(self, address: ByteAddress) -> ByteAddress {
        ByteAddress(address.0 - address.0 % self.bytes())
    }

    fn bytes(self) -> u32 {
        4 * u32::from(self.words)
    }

    /// The place of a line: lines that follow each other have different ones.
    pub(crate) fn place(self, ring: RingNumber, line: ByteAddress) -> u16 {
        let number = u64::from(line.0 / self.bytes()) + u64::from(ring.0);
        narrow(number % u64::from(self.lines))
    }

    /// The lines of an access. `None`: one of them has no end.
    pub(crate) fn parts(self, address: ByteAddress, length: u16) -> Option<Vec<Part>> {
        let (mut at, mut left, mut parts) = (address, length, Vec::new());
        while left > 0 {
            let line = self.line(at);
            let end = line.checked_add(self.bytes())?;
            let first = narrow::<u16>((at.0 - line.0) / 4);
            let words = left.min(self.words - first);
            parts.push(Part { line, first, words });
            left -= words;
            at = end;
        }
        Some(parts)
    }

    /// The line is in a memory that ends there.
    pub(crate) fn is_within(self, line: ByteAddress, end: ByteAddress) -> bool {
        line == self.line(line) && line.checked_add(self.bytes()).is_some_and(|last| last <= end)
    }
}

/// What gateways say to each other of lines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    pub from: RingNumber,
    pub to: RingNumber,
    pub says: Says,
}

/// What a gateway says of a line; without one, of all lines of the home ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Says {
    /// To the home gateway: the line is wanted.
    Wanted(ByteAddress),
    /// From the home gateway: its words, or none where it cannot be had now.
    Words(ByteAddress, Vec<u32>),
    /// From the home gateway: no client may read the line as it is. The number of this.
    Drop(Option<ByteAddress>, u32),
    /// To the home gateway: none can.
    Dropped(Option<ByteAddress>, u32),
}

impl Note {
    pub(crate) fn words(&self) -> usize {
        2 + match &self.says {
            Says::Words(_, values) => values.len(),
            Says::Wanted(_) => 0,
            Says::Drop(..) | Says::Dropped(..) => 1,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |line: &Option<ByteAddress>| {
            line.map_or("all lines".to_owned(), |line| format!("line {}", line.word()))
        };
        let (from, to) = (self.from, self.to);
        match &self.says {
            Says::Wanted(line) => write!(f, "ring {from} wants line {} of ring {to}", line.word()),
            Says::Words(line, values) if values.is_empty() => {
                write!(f, "no line {} of ring {from}", line.word())
            }
            Says::Words(line, values) => {
                write!(f, "line {} of ring {from}: {values:?}", line.word())
            }
            Says::Drop(of, one) => write!(f, "#{one} drop {} of ring {from}", line(of)),
            Says::Dropped(of, one) => {
                write!(f, "#{one} dropped {} of ring {to}", line(of))
            }
        }
    }
}
