// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changed bytes of a page, and their form in the log: the number of the page, a bit for each line of 64 bytes
//! with a change, for each such line a bit for each changed byte, and those bytes.

use crate::layout::{Bytes, PAGE};
use std::ops::Range;

const LINES: usize = PAGE / 64;

/// Changed bytes of one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    /// Address of the page.
    pub(crate) page: usize,
    /// Instruction that wrote first; 0 if not known. It does not travel.
    pub(crate) site: usize,
    /// A bit for each changed byte, 64 bytes in each word.
    mask: [u64; LINES],
    bytes: Vec<u8>,
}

impl Patch {
    /// What differs between two states of a page, within the parts of it that are tracked; `None` if nothing
    /// does.
    pub(crate) fn of(
        page: usize,
        old: &Bytes,
        new: &Bytes,
        parts: &[Range<usize>],
        site: usize,
    ) -> Option<Patch> {
        let mut patch = Patch { page, site, mask: [0; LINES], bytes: Vec::new() };
        for part in parts {
            let (first, end) = (part.start - page, part.end - page);
            for line in first / 64..end.div_ceil(64) {
                let whole = line * 64..line * 64 + 64;
                if old[whole.clone()] == new[whole] {
                    continue;
                }
                for at in (line * 64).max(first)..(line * 64 + 64).min(end) {
                    if old[at] != new[at] {
                        patch.mask[line] |= 1 << (at % 64);
                        patch.bytes.push(new[at]);
                    }
                }
            }
        }
        (!patch.bytes.is_empty()).then_some(patch)
    }

    /// Calls `work` with each changed byte: its index in the page and its value.
    pub(crate) fn each(&self, mut work: impl FnMut(usize, u8)) {
        let mut bytes = self.bytes.iter();
        for (line, &mask) in self.mask.iter().enumerate() {
            let mut left = mask;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                if let Some(&value) = bytes.next() {
                    work(line * 64 + bit, value);
                }
            }
        }
    }

    /// Value of the byte with this index, if the patch changes it.
    pub(crate) fn value(&self, index: usize) -> Option<u8> {
        let (line, bit) = (index / 64, index % 64);
        if self.mask[line] >> bit & 1 == 0 {
            return None;
        }
        let before: u32 = self.mask[..line].iter().map(|mask| mask.count_ones()).sum();
        let here = (self.mask[line] & ((1 << bit) - 1)).count_ones();
        self.bytes.get((before + here) as usize).copied()
    }

    /// Returns true if both change a byte at the same place.
    pub(crate) fn overlaps(&self, other: &Patch) -> bool {
        self.page == other.page && self.mask.iter().zip(&other.mask).any(|(a, b)| a & b != 0)
    }

    /// Bytes in the log, a multiple of 4.
    pub(crate) fn encoded_len(&self) -> usize {
        let lines = self.mask.iter().filter(|&&mask| mask != 0).count();
        16 + 8 * lines + self.bytes.len().next_multiple_of(4)
    }

    /// Appends the form in the log.
    pub(crate) fn encode(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&((self.page / PAGE) as u64).to_le_bytes());
        let lines = self.mask.iter().enumerate().filter(|(_, mask)| **mask != 0);
        let map = lines.clone().fold(0_u64, |map, (line, _)| map | 1 << line);
        to.extend_from_slice(&map.to_le_bytes());
        for (_, mask) in lines {
            to.extend_from_slice(&mask.to_le_bytes());
        }
        to.extend_from_slice(&self.bytes);
        to.resize(to.len().next_multiple_of(4), 0);
    }

    /// Takes a patch from the front of a log whose length is a multiple of 4; `None` if there is none.
    pub(crate) fn decode(from: &mut &[u8]) -> Option<Patch> {
        let page = take_word(from)?;
        let map = take_word(from)?;
        let mut mask = [0; LINES];
        let mut count = 0;
        for (line, mask) in mask.iter_mut().enumerate().filter(|(line, _)| map >> line & 1 != 0) {
            let _ = line;
            *mask = take_word(from)?;
            count += mask.count_ones() as usize;
        }
        let (bytes, rest) = from.split_at_checked(count.next_multiple_of(4))?;
        *from = rest;
        let page = usize::try_from(page).ok()?.checked_mul(PAGE)?;
        Some(Patch { page, site: 0, mask, bytes: bytes[..count].to_vec() })
    }
}

/// Takes eight bytes from the front of a log.
pub(crate) fn take_word(from: &mut &[u8]) -> Option<u64> {
    let (word, rest) = from.split_first_chunk::<8>()?;
    *from = rest;
    Some(u64::from_le_bytes(*word))
}
