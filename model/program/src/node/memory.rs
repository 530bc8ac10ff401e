// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes of the shared memory.

use super::Node;
use crate::{
    call::{BLOCK_WORDS, Call, PART, PART_WORDS, WRITE_HEAD, at},
    error::CallError,
};
use awgstar_frame::quantity::{ByteAddress, narrow};

impl Node {
    /// These bytes are within the memory.
    pub(super) fn within(&self, addr: ByteAddress, bytes: usize) -> Result<(), CallError> {
        let end = u32::try_from(bytes).ok().and_then(|bytes| addr.checked_add(bytes));
        if end.is_some_and(|end| end.0 <= self.memory) { Ok(()) } else { Err(CallError::Range) }
    }

    /// Reads bytes of this node's replica, with an access for each word that they touch. They are those that
    /// had arrived when each word was read.
    ///
    /// # Errors
    /// [`CallError::Range`], [`CallError::Over`], [`CallError::Refused`] if the board refused an earlier write.
    pub fn read(&mut self, addr: ByteAddress, to: &mut [u8]) -> Result<(), CallError> {
        self.within(addr, to.len())?;
        let (first, mut rest) = (addr.0 % 4, to);
        let mut word = ByteAddress(addr.0 - first);
        let mut skip = first as usize;
        while !rest.is_empty() {
            let words = (skip + rest.len()).div_ceil(4).min(BLOCK_WORDS);
            self.call(Call::Read { addr: word, words: narrow(words) })?;
            let (part, after) = rest.split_at_mut(rest.len().min(4 * words - skip));
            if skip == 0 && part.len().is_multiple_of(4) {
                self.slot.take(at::BLOCK, part);
            } else {
                let bytes = (0..words).flat_map(|at| self.slot.get(at::BLOCK + at).to_le_bytes());
                part.iter_mut().zip(bytes.skip(skip)).for_each(|(to, byte)| *to = byte);
            }
            (word, skip, rest) = (word + narrow::<u32>(4 * words), 0, after);
        }
        Ok(())
    }

    /// Writes bytes: to this node's replica at once, to the others when their frame arrives there.
    /// Writes of one node arrive everywhere in the order of the calls. Of a word at the ends only these bytes
    /// are written.
    ///
    /// Writes are posted: the call only waits when many are under way, and the next other call comes
    /// behind them. On the ring that is the same as if each call waited.
    ///
    /// # Errors
    /// As of [`Node::read`].
    pub fn write(&mut self, addr: ByteAddress, from: &[u8]) -> Result<(), CallError> {
        self.within(addr, from.len())?;
        let first = addr.0 as usize % 4;
        let (head, rest) = from.split_at(if first == 0 { 0 } else { from.len().min(4 - first) });
        let (words, tail) = rest.split_at(rest.len() / 4 * 4);
        self.write_part(addr, head)?;
        let addr = addr + narrow::<u32>(head.len());
        self.write_words(addr, words)?;
        self.write_part(addr + narrow::<u32>(words.len()), tail)
    }

    /// Writes bytes of one word.
    fn write_part(&mut self, addr: ByteAddress, from: &[u8]) -> Result<(), CallError> {
        if from.is_empty() {
            return Ok(());
        }
        let first = addr.0 % 4;
        let mut word = [0; 4];
        word[first as usize..][..from.len()].copy_from_slice(from);
        let head = self.room(PART_WORDS)?;
        self.slot.set(head, PART);
        self.slot.set(head + 1, addr.0 - first);
        self.slot.set(head + 2, u32::from_le_bytes(word));
        self.slot.set(head + 3, ((1 << from.len()) - 1) << first);
        self.posted += PART_WORDS;
        Ok(())
    }

    fn write_words(&mut self, mut addr: ByteAddress, mut from: &[u8]) -> Result<(), CallError> {
        while !from.is_empty() {
            // What fits into a block stays one piece, as one access of the host is.
            let whole = (from.len() / 4).min(self.post_words() - WRITE_HEAD);
            let head = self.room(WRITE_HEAD + whole)?;
            let room = self.post_words() - self.posted - WRITE_HEAD;
            let (part, rest) = from.split_at(from.len().min(4 * room));
            let words: u32 = narrow(part.len() / 4);
            self.slot.set(head, addr.0);
            self.slot.set(head + 1, words);
            self.slot.put(head + WRITE_HEAD, part);
            self.posted += WRITE_HEAD + words as usize;
            addr += 4 * words;
            from = rest;
        }
        Ok(())
    }
}
