// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes of the shared memory.

use super::Node;
use crate::{
    call::{BLOCK_WORDS, COMPUTE_WORDS, Call, LONG, LONG_WORDS, PART, PART_WORDS, WRITE_HEAD, at},
    change,
    error::CallError,
};
use awgstar_frame::quantity::{ByteAddress, NodeId, narrow};
use awgstar_request::Change;

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

    /// Returns true if a write of so many bytes is posted: it does not wait, and the machine does not advance.
    #[must_use]
    pub fn posts(&self, bytes: usize) -> bool {
        // Parts of words at both ends, words between them, and a computation before each.
        let computation = BLOCK_WORDS - self.post_words();
        let words = 2 * PART_WORDS + WRITE_HEAD + bytes.div_ceil(4) + 3 * computation;
        self.posted + words + computation <= self.post_words()
    }

    /// Writes a value of 64 bits, the byte of the lowest address first, which arrives everywhere at once. Posted, as
    /// [`Node::write`] is.
    ///
    /// # Errors
    /// [`CallError::Unaligned`] if the address is no multiple of 8; as of [`Node::write`].
    pub fn write_long(&mut self, addr: ByteAddress, value: [u8; 8]) -> Result<(), CallError> {
        if !addr.0.is_multiple_of(8) {
            return Err(CallError::Unaligned);
        }
        self.within(addr, value.len())?;
        let head = self.room(LONG_WORDS)?;
        self.slot.set(head, LONG);
        self.slot.set(head + 1, addr.0);
        self.slot.put(head + 2, &value);
        self.posted += LONG_WORDS;
        Ok(())
    }

    /// Waits until all that this node has written is in every memory, or in that of node `to`.
    ///
    /// # Errors
    /// [`CallError::NoNode`], [`CallError::Refused`], [`CallError::Over`].
    pub fn fence(&mut self, to: Option<NodeId>) -> Result<(), CallError> {
        if to.is_some_and(|to| to.index() >= self.nodes) {
            return Err(CallError::NoNode);
        }
        self.call(Call::Fence(to))
    }

    /// Waits until bytes of this node's memory differ from `old`.
    ///
    /// # Errors
    /// [`CallError::Range`], also if they are more than a block of calls takes, [`CallError::Refused`],
    /// [`CallError::Over`].
    pub fn wait_change(&mut self, addr: ByteAddress, old: &[u8]) -> Result<(), CallError> {
        self.within(addr, old.len())?;
        let mut data = old.to_vec();
        data.resize(old.len().next_multiple_of(4), 0);
        if data.len() / 4 > self.post_words() - COMPUTE_WORDS {
            return Err(CallError::Range);
        }
        match old.len() {
            0 => Ok(()),
            bytes => self.call_with(Call::Changed { addr, bytes: narrow(bytes) }, &data),
        }
    }

    /// Changes memory in one step, and gives what the change gives. A machine without [`Node::homes`] refuses that,
    /// which ends the run.
    ///
    /// # Errors
    /// [`CallError::Range`], also if it is more than a block of calls takes, [`CallError::Unaligned`],
    /// [`CallError::Over`].
    pub fn change(&mut self, addr: ByteAddress, change: &Change) -> Result<Vec<u8>, CallError> {
        self.within(addr, change.bytes())?;
        if !addr.0.is_multiple_of(change::unit(change).into()) {
            return Err(CallError::Unaligned);
        }
        let data = change::bytes(change);
        if data.len() / 4 > self.post_words() - COMPUTE_WORDS {
            return Err(CallError::Range);
        }
        let [bytes, words] = [change.bytes(), data.len() / 4].map(narrow);
        self.call_with(Call::Update { addr, bytes, words }, &data)?;
        let mut old = match change {
            Change::Update(update) => vec![0; update.bytes.into()],
            Change::Accumulate { .. } => Vec::new(),
        };
        self.slot.take(at::BLOCK, &mut old);
        Ok(old)
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
