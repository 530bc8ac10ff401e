// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lengths in bytes (FRM-3) and timing of the link (LNK-1).

/// Header length in bytes: MAC to Addr.
pub const HEADER_BYTES: usize = 14;
/// FCS length in bytes.
pub const FCS_BYTES: usize = 4;
/// Shortest Data field on the link, in bytes.
pub const DATA_MIN: usize = 46;
/// Longest Data field, in bytes.
pub const DATA_MAX: usize = 1024;
/// Shortest frame, in bytes.
pub const FRAME_MIN: usize = HEADER_BYTES + DATA_MIN + FCS_BYTES;
/// Longest frame, in bytes.
pub const FRAME_MAX: usize = HEADER_BYTES + DATA_MAX + FCS_BYTES;
/// Index within Data of the short count of a short data token.
pub const SHORT_COUNT_INDEX: usize = DATA_MIN - 1;
/// Bytes in one word of the link.
pub const WORD_BYTES: usize = 4;
/// C.ST of a data token whose Data bytes are all valid.
pub const C_ST_DATA_FULL: u8 = 0b00000;
/// C.ST of a data token whose last Data byte (index 45) counts the valid bytes.
pub const C_ST_DATA_SHORT: u8 = 0b00001;

/// CRC-32 of IEEE 802.3, reflected polynomial (bit 31 is the coefficient of x^0).
pub const CRC32_POLY_REFLECTED: u32 = 0xEDB8_8320;
/// CRC register before the first byte.
pub const CRC32_INIT: u32 = 0xFFFF_FFFF;
/// CRC register, not complemented, after a whole frame with a good FCS.
pub const CRC32_RESIDUE: u32 = 0xDEBB_20E3;
/// The same with the last link word filled up with zeros, by the bytes in that word modulo 4.
pub const CRC32_FILLED: [u32; 4] = [CRC32_RESIDUE, 0x6293_2081, 0x4E3D_5E5C, 0x39DD_08E2];

/// Line rate of the ring in bit/s (thesis Table 2).
pub const LINE_RATE_BPS: u64 = 2_152_000_000;
/// Clock of the 32-bit datapath in Hz: `LINE_RATE_BPS` / 32.
pub const CLOCK_HZ: u64 = LINE_RATE_BPS / 32;
/// Propagation delay of fibre in ns/m (thesis 2.2.4).
pub const FIBRE_NS_PER_M: u64 = 5;
/// Idle words that at least separate two frames on a link.
pub const IDLE_WORDS_MIN: usize = 1;
