// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings that are out of their range.

use awgstar_frame::quantity::Nanoseconds;
use thiserror::Error;

/// Bytes per second of local memory when words are taken one after the other, 4 ns a word.
/// Shared memory of the next version is as fast (thesis 5.1). A decision: the thesis has no figure.
pub const LOCAL_BYTES: u64 = 1_000_000_000;

/// Time that a program takes for one word at a time: address, loop and access to local memory, in
/// ns. A decision: the thesis has no figure.
pub const LOCAL_WORD: Nanoseconds = Nanoseconds(100);

/// A setting that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{field} is {found}: expected {least} to {most}")]
pub struct SettingsError {
    /// Name of the setting.
    pub field: &'static str,
    /// Smallest value allowed.
    pub least: u64,
    /// Largest value allowed.
    pub most: u64,
    /// Value found.
    pub found: u64,
}

impl SettingsError {
    /// # Errors
    /// If `found` is not one of `least` to `most`.
    pub fn within(
        field: &'static str,
        found: u64,
        least: u64,
        most: u64,
    ) -> Result<(), SettingsError> {
        let error = SettingsError { field, least, most, found };
        if (least..=most).contains(&found) { Ok(()) } else { Err(error) }
    }
}
