// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time in nanoseconds, and what the line and the fibre take.

use awgstar_frame::quantity::Nanoseconds;

/// Rate of the optical ring in Mb/s (thesis, Table 2).
pub const LINE_MBPS: u64 = 2152;
/// Time of `bytes` on the line, rounded up to a nanosecond.
///
/// ```
/// assert_eq!(awgstar_thesis::time::line_ns(1024).0, 3807);
/// ```
#[must_use]
pub const fn line_ns(bytes: u64) -> Nanoseconds {
    Nanoseconds((bytes * 8 * 1000).div_ceil(LINE_MBPS))
}

/// Time of `bytes` at `rate` bytes per second, rounded up to a nanosecond; `rate` is not zero.
///
/// ```
/// // 1 KByte into the board at 64 MB/s, and out of it at the 1 Mb/s that were observed.
/// use awgstar_thesis::time::transfer_ns;
/// assert_eq!(transfer_ns(1024, 64_000_000).0, 16_000);
/// assert_eq!(transfer_ns(1024, 125_000).0, 8_192_000);
/// ```
#[must_use]
pub const fn transfer_ns(bytes: u64, rate: u64) -> Nanoseconds {
    Nanoseconds((bytes * 1_000_000_000).div_ceil(rate))
}
