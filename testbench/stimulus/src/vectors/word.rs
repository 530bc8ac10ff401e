// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words of an AXI-Stream: on the link, of a payload (LNK-2).

use awgstar::contract::limits::WORD_BYTES;

/// One word of a stream, as a line of `wire.hex`, `tx_payload.hex` or `rx_payload.hex`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// `tdata`; lane 0 (bits 7:0) is the first byte.
    pub data: u32,
    /// `tkeep`, 4 bits.
    pub keep: u8,
    /// `tlast`.
    pub last: bool,
    /// `tuser`: M on the first word, "aborted" on the last (LNK-4).
    pub user: bool,
    /// `tvalid` is low for one cycle before this word.
    pub gap: bool,
}

/// `tkeep` of a word whose four lanes are all valid.
pub const KEEP_ALL: u8 = 0b1111;

/// `tkeep` of a last word that carries `bytes` bytes; more than 4 count as 4.
#[must_use]
pub const fn keep_of(bytes: usize) -> u8 {
    match bytes {
        0 => 0b0000,
        1 => 0b0001,
        2 => 0b0011,
        3 => 0b0111,
        _ => KEEP_ALL,
    }
}

/// The word by which a node marks a frame as aborted and ends it (TX-7).
pub const ABORT: Word = Word { data: 0, keep: KEEP_ALL, last: true, user: true, gap: false };

/// Cuts bytes into words: `tlast` and the `tkeep` of what is left on the last, zeros in its other
/// lanes. No bytes give no words.
#[must_use]
pub fn words(bytes: &[u8]) -> Vec<Word> {
    let mut out: Vec<Word> = bytes
        .chunks(WORD_BYTES)
        .map(|chunk| {
            let mut lanes = [0; WORD_BYTES];
            lanes[..chunk.len()].copy_from_slice(chunk);
            Word {
                data: u32::from_le_bytes(lanes),
                keep: keep_of(chunk.len()),
                last: false,
                user: false,
                gap: false,
            }
        })
        .collect();
    if let Some(word) = out.last_mut() {
        word.last = true;
    }
    out
}

/// The bytes that `tkeep` marks, lane 0 first.
#[must_use]
pub fn bytes(words: &[Word]) -> Vec<u8> {
    words
        .iter()
        .flat_map(|word| {
            word.data
                .to_le_bytes()
                .into_iter()
                .enumerate()
                .filter(|(lane, _)| word.keep >> lane & 1 == 1)
                .map(|(_, byte)| byte)
        })
        .collect()
}
