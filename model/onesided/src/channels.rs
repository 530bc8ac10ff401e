// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages between two ranks.

use crate::{Error, World};
use awgstar_program::CallError;

impl World {
    /// Sends a message. It waits while the channel to that rank is full.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Call`].
    pub fn send(&mut self, to: usize, tag: u32, bytes: &[u8]) -> Result<(), Error> {
        let _ = (to, tag, bytes);
        Err(Error::Call(CallError::NotStarted))
    }

    /// Waits for the oldest message of a rank with this tag.
    ///
    /// # Errors
    /// As of [`World::send`].
    pub fn recv(&mut self, from: usize, tag: u32) -> Result<Vec<u8>, Error> {
        let _ = (from, tag);
        Err(Error::Call(CallError::NotStarted))
    }
}
