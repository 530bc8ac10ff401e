// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers on the command line: decimal, or hexadecimal with `0x`.

use awgstar::quantity::narrow;

fn parse(text: &str, bits: u32) -> Result<u64, String> {
    let max = (1u64 << bits) - 1;
    let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) if !hex.starts_with('+') => u64::from_str_radix(hex, 16),
        _ => text.trim_start_matches('+').parse(),
    };
    match value {
        Ok(value) if value <= max => Ok(value),
        _ => Err(format!("expected 0 to {max} ({bits} bits), decimal or 0x hexadecimal")),
    }
}

/// A field of 32 bits.
pub(crate) fn u32(text: &str) -> Result<u32, String> {
    parse(text, 32).map(|v| narrow::<u32>(v))
}

/// A field of `BITS` bits, at most 8.
pub(crate) fn bits<const BITS: u32>(text: &str) -> Result<u8, String> {
    parse(text, BITS).map(|v| narrow::<u8>(v))
}
