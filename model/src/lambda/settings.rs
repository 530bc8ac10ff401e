//! Settings that are out of their range.

use thiserror::Error;

/// A setting that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{field} is {found}: expected {least} to {most}")]
pub struct SettingsError {
    /// Which.
    pub field: &'static str,
    /// Smallest value allowed.
    pub least: u64,
    /// Largest value allowed.
    pub most: u64,
    /// What it is.
    pub found: u64,
}

impl SettingsError {
    /// # Errors
    /// When `found` is not one of `least` to `most`.
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
