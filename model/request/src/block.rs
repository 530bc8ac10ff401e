// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks on a machine that accesses words, or parts of blocks.

use crate::{Answer, Data, Got, Len, Place, Refused, Request, Space};
use awgstar_frame::quantity::{ByteAddress, narrow};
use std::ops::Range;
use std::sync::Arc;

/// What a block moves.
#[derive(Clone, Debug)]
enum Moves {
    /// Bytes in, and how many are wanted.
    In(Vec<u8>, usize),
    /// Bytes out, and how many are done.
    Out(Arc<[u8]>, usize),
}

/// A request for bytes, as requests for words (little-endian) or for parts. A refused one ends it.
#[derive(Clone, Debug)]
pub struct Block {
    place: Place,
    moves: Moves,
    /// Words of a part; 1 for words.
    words: usize,
}

impl Block {
    /// The block of a request, and its first word; `None` if it is not one.
    #[must_use]
    pub fn new(request: &Request) -> Option<(Block, Request)> {
        Block::in_parts(request, 1)
    }

    /// The block of a request, and its first part of so many words of the shared memory at most, or its first word;
    /// `None` if it is not one. Pages are accessed in words.
    #[must_use]
    pub fn in_parts(request: &Request, words: usize) -> Option<(Block, Request)> {
        let (place, moves) = match request {
            &Request::Read(place, Len::Bytes(bytes)) => {
                (place, Moves::In(Vec::new(), narrow(bytes)))
            }
            Request::Write(place, Data::Bytes(bytes)) => (*place, Moves::Out(Arc::clone(bytes), 0)),
            // Pages arrive in copies.
            Request::Write(place @ Place { space: Space::Virtual, .. }, Data::Long(bytes)) => {
                (*place, Moves::Out(Arc::new(*bytes), 0))
            }
            _ => return None,
        };
        let words = if place.space == Space::Shared { words.max(1) } else { 1 };
        let block = Block { place, moves, words };
        let first = block.part()?;
        Some((block, first))
    }

    /// Bytes that are done, and that are left.
    fn progress(&self) -> (usize, usize) {
        match &self.moves {
            Moves::In(bytes, wanted) => (bytes.len(), wanted - bytes.len()),
            Moves::Out(bytes, done) => (*done, bytes.len() - done),
        }
    }

    /// Address of the next byte, and the bytes of its word that are moved.
    fn lanes(&self) -> (u32, Range<usize>) {
        let (done, left) = self.progress();
        // What is beyond the last address is refused by every memory.
        let addr = self.place.addr.0.saturating_add(narrow(done));
        let first = (addr % 4) as usize;
        (addr, first..4.min(first + left))
    }

    /// Bytes of the next part.
    fn size(&self) -> usize {
        let (addr, lanes) = self.lanes();
        let (_, left) = self.progress();
        let part = left.min(4 * self.words - (addr % 4) as usize);
        // What is beyond the last address is refused, word by word.
        let whole = addr.checked_add(narrow(part)).is_some();
        if self.words > 1 && whole { part } else { lanes.len() }
    }

    /// The access for the next part; `None` when all is done.
    fn part(&self) -> Option<Request> {
        if self.progress().1 == 0 {
            return None;
        }
        let (size, (addr, lanes)) = (self.size(), self.lanes());
        if size == lanes.len() {
            return Some(self.word(addr, lanes));
        }
        let place = Place { addr: ByteAddress(addr), ..self.place };
        Some(match &self.moves {
            Moves::In(..) => Request::Read(place, Len::Bytes(size as u64)),
            Moves::Out(bytes, 0) if bytes.len() == size => {
                Request::Write(place, Data::Bytes(Arc::clone(bytes)))
            }
            Moves::Out(bytes, done) => {
                Request::Write(place, Data::Bytes(bytes[*done..][..size].into()))
            }
        })
    }

    /// The access for these bytes of the word at an address.
    fn word(&self, addr: u32, lanes: Range<usize>) -> Request {
        let place = Place { addr: ByteAddress(addr & !3), ..self.place };
        match &self.moves {
            Moves::In(..) => Request::Read(place, Len::Word),
            Moves::Out(bytes, done) => {
                let mut word = [0; 4];
                word[lanes.clone()].copy_from_slice(&bytes[*done..][..lanes.len()]);
                let lanes = lanes.fold(0, |all, lane| all | 1 << lane);
                Request::Write(place, Data::Word { data: u32::from_le_bytes(word), lanes })
            }
        }
    }

    /// Takes the answer to a part: the next one, or the answer to the block.
    ///
    /// # Errors
    /// The answer to the block, when that was its last part.
    pub fn next(&mut self, answer: &Answer) -> Result<Request, Answer> {
        let end = |got: Result<Got, Refused>| Answer { now: answer.now, got };
        if let Err(refused) = answer.got {
            return Err(end(Err(refused)));
        }
        let (size, (_, lanes)) = (self.size(), self.lanes());
        match (&mut self.moves, &answer.got) {
            (Moves::In(bytes, _), Ok(Got::Bytes(part))) => bytes.extend(part),
            (Moves::In(bytes, _), _) => bytes.extend(&answer.word().to_le_bytes()[lanes]),
            (Moves::Out(_, done), _) => *done += size,
        }
        self.part().ok_or_else(|| {
            end(Ok(match &mut self.moves {
                Moves::In(bytes, _) => Got::Bytes(std::mem::take(bytes)),
                Moves::Out(..) => Got::Nothing,
            }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Moment, Span};
    use awgstar_frame::quantity::Cycle;

    /// A memory of words that answers what a block asks of it.
    fn run(memory: &mut [u32], request: &Request) -> Result<Answer, Request> {
        let Some((mut block, mut word)) = Block::new(request) else { return Err(request.clone()) };
        loop {
            let at = |place: &Place| place.addr.word();
            let got = match &word {
                Request::Read(place, Len::Word) => {
                    memory.get(at(place)).map(|&word| Got::Word(word)).ok_or(Refused::Bus)
                }
                Request::Write(place, Data::Word { data, lanes }) => {
                    let mask = (0..4).filter(|lane| lanes >> lane & 1 == 1);
                    let mask = mask.fold(0, |all, lane| all | 0xff << (8 * lane));
                    let word = memory.get_mut(at(place)).ok_or(Refused::Bus);
                    word.map(|word| {
                        *word = *word & !mask | data & mask;
                        Got::Nothing
                    })
                }
                other => return Err(other.clone()),
            };
            match block.next(&Answer { now: Moment::Cycle(Cycle(7)), got }) {
                Ok(next) => word = next,
                Err(answer) => return Ok(answer),
            }
        }
    }

    #[test]
    fn every_place_and_length_moves_its_bytes_and_no_other() {
        for from in 0..8_u32 {
            for len in 1..12_u8 {
                let place = Place::shared(ByteAddress(from));
                let bytes: Arc<[u8]> = (1..=len).collect();
                let mut memory = [0xeeee_eeee; 6];
                let write = Request::Write(place, Data::Bytes(Arc::clone(&bytes)));
                assert_eq!(run(&mut memory, &write).unwrap().got, Ok(Got::Nothing));
                let all: Vec<u8> = memory.iter().flat_map(|word| word.to_le_bytes()).collect();
                let mut expected = [0xee; 24];
                expected[from as usize..][..bytes.len()].copy_from_slice(&bytes);
                assert_eq!(all, expected);
                let read = Request::Read(place, Len::Bytes(len.into()));
                assert_eq!(run(&mut memory, &read).unwrap().bytes(), &*bytes);
            }
        }
    }

    #[test]
    fn a_refused_word_ends_the_block() {
        let mut memory = [1, 2];
        let place = Place::shared(ByteAddress(4));
        let answer = run(&mut memory, &Request::Read(place, Len::Bytes(8))).unwrap();
        assert_eq!(answer.got, Err(Refused::Bus));
        let last = Place::shared(ByteAddress(u32::MAX));
        let data = Data::Bytes([1, 2, 3].into());
        assert_eq!(run(&mut memory, &Request::Write(last, data)).unwrap().got, Err(Refused::Bus));
    }

    #[test]
    fn words_and_other_requests_are_no_blocks() {
        for request in [
            Request::read(ByteAddress(4)),
            Request::write(ByteAddress(4), 1),
            Request::Compute(Span::Cycles(Cycle(1))),
            Request::Read(Place::default(), Len::Bytes(0)),
            Request::Read(Place::default(), Len::Blank(8)),
        ] {
            assert!(Block::new(&request).is_none(), "{request:?}");
        }
    }
}
