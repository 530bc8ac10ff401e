// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two words of an information-exchange area, and where areas and index lie (MBX-1, MBX-2).
//!
//! | word | bits | |
//! |---|---|---|
//! | 0 | 31–4 | `0x0000FF0`: lock · `0x0000FFF`: unlock · `0xFF00000`: arrival at the barrier |
//! | 0 | 3 | repaired: 1 in an answer |
//! | 0 | 2–0 | repaired: number of the request, from 1; 7 is followed by 0 |
//! | 1 | 31–0 | lock number, 1 or more; 0 at the barrier |

use awgstar_frame::quantity::ByteAddress;
use awgstar_request::Request;
use thiserror::Error;

/// Word 0 of a request for a lock (thesis 3.2).
pub const LOCK: u32 = 0x0000_ff00;
/// Word 0 of an unlock (thesis 3.2).
pub const UNLOCK: u32 = 0x0000_fff0;
/// Word 0 of an arrival at the barrier (thesis 3.3).
pub const BARRIER: u32 = 0xff00_0000;
/// The bit that an answer has.
const ANSWER: u32 = 8;
/// Numbers go from 0 to this.
pub const NUMBER_MAX: u8 = 7;

/// Byte address of process `i`'s area.
#[must_use]
pub const fn area(process: u8) -> ByteAddress {
    ByteAddress(8 * process as u32)
}

/// Byte address of the entry of `lock` in the index, which follows the areas of 256 processes; lock
/// numbers are 1 or more.
#[must_use]
pub const fn index_word(lock: u32) -> ByteAddress {
    ByteAddress(area(u8::MAX).0 + 8 + 4 * (lock.wrapping_sub(1)))
}

/// What a process asks of the master: a primitive of the thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// The lock with this number, 1 or more.
    Lock(u32),
    /// To give it back.
    Unlock(u32),
    /// To wait for all others.
    Barrier,
}

impl Primitive {
    /// What a request asks of the master; `None` if it is the board's.
    #[must_use]
    pub const fn of(request: &Request) -> Option<Primitive> {
        match *request {
            Request::Lock(lock) => Some(Primitive::Lock(lock)),
            Request::Unlock(lock) => Some(Primitive::Unlock(lock)),
            Request::Barrier(0) => Some(Primitive::Barrier),
            _ => None,
        }
    }

    /// The request that asks for it.
    #[must_use]
    pub const fn request(self) -> Request {
        match self {
            Primitive::Lock(lock) => Request::Lock(lock),
            Primitive::Unlock(lock) => Request::Unlock(lock),
            Primitive::Barrier => Request::Barrier(0),
        }
    }

    /// In words.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Primitive::Lock(n) => format!("lock {n}"),
            Primitive::Unlock(n) => format!("unlock {n}"),
            Primitive::Barrier => "barrier".into(),
        }
    }
}

/// Contents of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mail {
    /// The request, or the request that is answered.
    pub request: Primitive,
    /// Number of the request, 0 to 7; 0 as published.
    pub number: u8,
    /// The master has written it.
    pub answer: bool,
}

/// Words that are no mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("word {word} of the area is {found:#010x}: expected {expected}")]
pub struct WordsError {
    /// 0 or 1.
    pub word: u8,
    /// Value found.
    pub found: u32,
    /// Expected value.
    pub expected: &'static str,
}

impl Mail {
    /// The words; a number above 7 loses its upper bits.
    #[must_use]
    pub const fn words(self) -> [u32; 2] {
        let (code, lock) = match self.request {
            Primitive::Lock(n) => (LOCK, n),
            Primitive::Unlock(n) => (UNLOCK, n),
            Primitive::Barrier => (BARRIER, 0),
        };
        let number = (self.number & NUMBER_MAX) as u32;
        [code | if self.answer { ANSWER } else { 0 } | number, lock]
    }

    /// Decodes the two words of an area.
    ///
    /// # Errors
    /// If word 0 is no code, or word 1 is no lock number that fits the code.
    pub const fn read([code, lock]: [u32; 2]) -> Result<Mail, WordsError> {
        let request = match code & !0xf {
            LOCK => Primitive::Lock(lock),
            UNLOCK => Primitive::Unlock(lock),
            BARRIER => Primitive::Barrier,
            _ => {
                let expected = "a code: 0x0000FF0n, 0x0000FFFn or 0xFF00000n";
                return Err(WordsError { word: 0, found: code, expected });
            }
        };
        match (request, lock) {
            (Primitive::Barrier, 0) | (Primitive::Lock(1..) | Primitive::Unlock(1..), _) => {}
            (Primitive::Barrier, _) => {
                return Err(WordsError { word: 1, found: lock, expected: "0 at the barrier" });
            }
            _ => return Err(WordsError { word: 1, found: lock, expected: "a lock, 1 or more" }),
        }
        Ok(Mail { request, number: (code & 7) as u8, answer: code & ANSWER != 0 })
    }

    /// In words.
    #[must_use]
    pub fn text(self) -> String {
        let end = if self.answer { ", answered" } else { "" };
        format!("{} #{}{end}", self.request.text(), self.number)
    }
}
