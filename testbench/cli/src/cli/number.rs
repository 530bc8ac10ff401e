// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers on the command line: decimal, or hexadecimal with `0x`, in a range that the message names.

use std::ops::RangeInclusive;

/// A parser of the numbers of a range.
pub(crate) fn within<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(hex) if !hex.starts_with('+') => u64::from_str_radix(hex, 16),
            _ => text.trim_start_matches('+').parse(),
        };
        let found = number.ok().filter(|number| range.contains(number));
        let expected =
            || format!("expected {} to {}, decimal or 0x hexadecimal", range.start(), range.end());
        found.and_then(|number| T::try_from(number).ok()).ok_or_else(expected)
    }
}

/// A parser of any number of 64 bits.
pub(crate) fn any() -> impl Fn(&str) -> Result<u64, String> + Clone {
    within(0..=u64::MAX)
}

/// A parser of any number of 32 bits.
pub(crate) fn any_32() -> impl Fn(&str) -> Result<u32, String> + Clone {
    within(0..=u32::MAX.into())
}
