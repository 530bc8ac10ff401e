// SPDX-License-Identifier: MIT OR Apache-2.0
//! Static data in the segment.

use super::World;
use crate::{Error, memory::PAGE};
use awgstar_frame::quantity::narrow;

impl World {
    /// Makes pages of static data part of the segment, and gives their offset there. Every rank adopts the same, at
    /// the same addresses, before the first [`World::heap`]. What the pages hold counts as stored by this process: a
    /// barrier comes before puts of others.
    ///
    /// # Errors
    /// [`Error::Static`], [`Error::TooSmall`], [`Error::Map`].
    ///
    /// # Safety
    /// The bytes are whole pages of data of this process that can be read and written, and no other thread uses them
    /// meanwhile. Nothing there changes during a later call that waits: neither variables of this library nor addresses
    /// of functions that the loader finds at their first use.
    pub unsafe fn adopt(&mut self, start: *mut u8, bytes: usize) -> Result<u64, Error> {
        let whole = start.addr().is_multiple_of(PAGE) && bytes.is_multiple_of(PAGE) && bytes > 0;
        if !whole {
            return Err(Error::Static("expected whole pages"));
        }
        let offset = self.claim(bytes)?;
        // SAFETY: the caller says it.
        unsafe { self.memory.adopt(&self.node, offset, start, bytes)? };
        Ok(narrow::<u64>(offset))
    }
}
