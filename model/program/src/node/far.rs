// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accesses to the memory of other rings.

use super::Node;
use crate::{
    call::{COMPUTE_WORDS, Call, at},
    error::CallError,
};
use awgstar_frame::quantity::{ByteAddress, narrow};

impl Node {
    /// The bytes of each call of an access to another ring, of words within its memory.
    fn far(&self, ring: u16, addr: ByteAddress, bytes: usize) -> Result<usize, CallError> {
        if ring >= self.rings {
            return Err(CallError::NoRing);
        }
        if !addr.is_aligned() || !bytes.is_multiple_of(4) {
            return Err(CallError::FarUnaligned);
        }
        // All rings have as much.
        self.within(addr, bytes)?;
        Ok(4 * self.far.min(self.post_words() - COMPUTE_WORDS).max(1))
    }

    /// Reads words of the memory of a ring: what is there when its gateway reads them, if it is another ring, in one or
    /// more requests, one after the other. For the own ring as [`Node::read`].
    ///
    /// # Errors
    /// [`CallError::NoRing`], [`CallError::FarUnaligned`], [`CallError::Range`], [`CallError::Refused`],
    /// [`CallError::Over`].
    pub fn far_read(
        &mut self,
        ring: u16,
        addr: ByteAddress,
        to: &mut [u8],
    ) -> Result<(), CallError> {
        let part = self.far(ring, addr, to.len())?;
        if ring == self.ring {
            return self.read(addr, to);
        }
        let mut addr = addr;
        for to in to.chunks_mut(part) {
            self.call(Call::FarRead { ring, addr, words: narrow(to.len() / 4) })?;
            self.slot.take(at::BLOCK, to);
            addr += narrow::<u32>(to.len());
        }
        Ok(())
    }

    /// Writes words to the memory of a ring. When this returns, they are in every replica there. More words than one
    /// request takes arrive there part by part.
    ///
    /// # Errors
    /// As of [`Node::far_read`].
    pub fn far_write(
        &mut self,
        ring: u16,
        addr: ByteAddress,
        from: &[u8],
    ) -> Result<(), CallError> {
        let part = self.far(ring, addr, from.len())?;
        if ring == self.ring {
            self.write(addr, from)?;
            return self.fence(None);
        }
        let mut addr = addr;
        for from in from.chunks(part) {
            self.call_with(Call::FarWrite { ring, addr, words: narrow(from.len() / 4) }, from)?;
            addr += narrow::<u32>(from.len());
        }
        Ok(())
    }
}
