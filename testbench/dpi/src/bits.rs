// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packed structures of `SystemVerilog` as words, least significant first, and the images of the model.

use awgstar::rtl::state::{Ports, Signal};

/// Bits of a packed structure with these members.
#[must_use]
pub fn width(members: &[Signal]) -> usize {
    members.iter().map(|m| m.bits).sum()
}

/// Words of a packed structure with these members.
#[must_use]
pub fn words(members: &[Signal]) -> usize {
    width(members).div_ceil(32)
}

/// `bits` bits from bit `low` on.
#[must_use]
pub fn get(words: &[u32], low: usize, bits: usize) -> u128 {
    (0..bits).fold(0, |value, i| {
        let at = low + i;
        let bit = words.get(at / 32).map_or(0, |word| word >> (at % 32) & 1);
        value | u128::from(bit) << i
    })
}

/// Sets `bits` bits from bit `low` on.
pub fn put(words: &mut [u32], low: usize, bits: usize, value: u128) {
    for i in 0..bits {
        let at = low + i;
        if let Some(word) = words.get_mut(at / 32) {
            let bit = (value >> i & 1) as u32;
            *word = *word & !(1 << (at % 32)) | bit << (at % 32);
        }
    }
}

/// The image of a packed structure: each member begins a word. The first member is on top.
#[must_use]
pub fn image(members: &[Signal], words: &[u32]) -> Vec<u32> {
    let mut image = Vec::new();
    let mut low = width(members);
    for member in members {
        low -= member.bits;
        let value = get(words, low, member.bits);
        image.extend((0..member.words()).map(|i| (value >> (32 * i) & 0xffff_ffff) as u32));
    }
    image
}

/// Writes an image into a packed structure.
pub fn structure(members: &[Signal], image: &[u32], words: &mut [u32]) {
    let (mut low, mut at) = (width(members), 0);
    for member in members {
        low -= member.bits;
        let value = awgstar_stimulus::shape::value(image, at, member.bits);
        at += member.words();
        put(words, low, member.bits, value);
    }
}

/// The ports of a packed structure.
#[must_use]
pub fn ports<P: Ports>(words: &[u32]) -> P {
    P::unpack(&image(P::PORTS, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBERS: &[Signal] = &[Signal::new("a", 1), Signal::new("b", 48), Signal::new("c", 3)];

    #[test]
    fn the_first_member_is_on_top() {
        // {1'b1, 48'h0123_4567_89ab, 3'd5}, by hand.
        let words = [0x2b3c_4d5d, 0x0001_1a2b | 1 << 19];
        let low = 0x0123_4567_89ab_u64 << 3 | 5;
        assert_eq!(words[0], (low & 0xffff_ffff) as u32);
        let words = [words[0], (low >> 32) as u32 | 1 << 19];
        assert_eq!(image(MEMBERS, &words), [1, 0x4567_89ab, 0x0123, 5]);
        let mut back = [0; 2];
        structure(MEMBERS, &image(MEMBERS, &words), &mut back);
        assert_eq!(back, words);
    }
}
