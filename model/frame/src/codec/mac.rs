// SPDX-License-Identifier: MIT OR Apache-2.0
//! MAC address of an SMB.

use alloc::string::String;
use core::{fmt, str::FromStr};

/// MAC address, bytes in link order. Text form: `02:53:4d:42:00:01`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mac(pub [u8; 6]);

impl Mac {
    /// The address as a 48-bit number, first byte on the link most significant.
    #[must_use]
    #[inline]
    pub const fn to_u64(self) -> u64 {
        let mut bytes = [0; 8];
        bytes.split_at_mut(2).1.copy_from_slice(&self.0);
        u64::from_be_bytes(bytes)
    }

    /// The address of a 48-bit number; bits above are dropped.
    #[must_use]
    #[inline]
    pub const fn from_u64(value: u64) -> Self {
        let mut bytes = [0; 6];
        bytes.copy_from_slice(value.to_be_bytes().split_at(2).1);
        Mac(bytes)
    }
}

impl fmt::Display for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.0.iter().enumerate() {
            let colon = if i == 0 { "" } else { ":" };
            write!(f, "{colon}{byte:02x}")?;
        }
        Ok(())
    }
}

/// Text that is no MAC address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("mac: part {part}: expected 6 parts of two hex digits separated by ':', found '{found}'")]
pub struct ParseMacError {
    /// Index of the part that is wrong or missing, counted from 0.
    pub part: usize,
    /// That part, empty if it is missing.
    pub found: String,
}

impl FromStr for Mac {
    type Err = ParseMacError;

    fn from_str(text: &str) -> Result<Self, ParseMacError> {
        let mut bytes = [0; 6];
        let mut parts = text.split(':');
        for (part, byte) in bytes.iter_mut().enumerate() {
            let found = parts.next().unwrap_or_default();
            let two_digits = found.len() == 2 && found.bytes().all(|c| c.is_ascii_hexdigit());
            *byte = u8::from_str_radix(found, 16)
                .ok()
                .filter(|_| two_digits)
                .ok_or_else(|| ParseMacError { part, found: found.into() })?;
        }
        match parts.next() {
            Some(found) => Err(ParseMacError { part: 6, found: found.into() }),
            None => Ok(Mac(bytes)),
        }
    }
}
