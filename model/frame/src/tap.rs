// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decoder of the words on a link.

use crate::contract::{
    Field, FieldLayout, HeaderWire, LAYOUT,
    layout::{layout_of, unpack},
};

/// Bytes of a word of the link.
const WORD: usize = 4;
/// Words that a header reaches into.
const WORDS: usize = 4;

/// The header of the frame on a link, decoded word by word.
///
/// ```
/// use awgstar_frame::{Tap, contract::Field};
///
/// let mut tap = Tap::default();
/// tap.word(0x0000_0002, false);
/// assert_eq!(tap.field(Field::Token), None);
/// // Bytes 4 to 7: the rest of MAC, TOKEN and C.ST, Node_ID.
/// tap.word(0x0724_0100, false);
/// assert_eq!(tap.field(Field::Token), Some(1));
/// assert_eq!(tap.header().c_st, 4);
/// assert_eq!(tap.header().node_id, 7);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tap {
    /// Bytes 0 to 15, the first one highest; 0 for those to come.
    head: u128,
    /// Words so far, at most one more than the header has.
    words: usize,
    /// Bytes so far, at most 16.
    bytes: usize,
    /// The next word begins a frame.
    ended: bool,
}

impl Tap {
    /// A frame that begins with these bytes.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Tap {
        let head: usize = bytes.len().min(WORD * WORDS);
        let mut tap = Tap { words: head.div_ceil(WORD), bytes: head, ..Tap::default() };
        for (i, byte) in bytes[..head].iter().enumerate() {
            tap.head |= u128::from(*byte) << (120 - 8 * i);
        }
        tap
    }

    /// Takes a word. The first word begins a frame, and so does one after a last word or after [`Tap::idle`].
    #[inline]
    pub fn word(&mut self, tdata: u32, last: bool) {
        if self.ended {
            *self = Tap::default();
        }
        if self.words < WORDS {
            self.head |= u128::from(tdata.swap_bytes()) << (96 - 32 * self.words);
            self.bytes += WORD;
        }
        self.words = (self.words + 1).min(WORDS + 1);
        self.ended = last;
    }

    /// Takes a cycle without a word.
    #[inline]
    pub fn idle(&mut self) {
        self.ended = true;
    }

    /// Words of the frame so far. The count stops at 5, one more than the header has.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }

    /// The value of a header field; `None` until its last word, and for what is not in the header.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "masked to the field's width")]
    pub const fn field(&self, field: Field) -> Option<u64> {
        match layout_of(field) {
            Some(at) if at.bit + at.bits <= 8 * self.bytes => {
                Some((self.head >> at.shift()) as u64 & at.max())
            }
            _ => None,
        }
    }

    /// The header; fields and parts of fields that are not known yet are 0.
    #[must_use]
    #[inline]
    pub const fn header(&self) -> HeaderWire {
        unpack(self.head)
    }

    /// The fields that the most recent word completed, with their values.
    pub fn new_fields(&self) -> impl Iterator<Item = (&'static FieldLayout, u64)> {
        let word = self.words.wrapping_sub(1);
        let new = LAYOUT.iter().filter(move |at| (at.bit + at.bits - 1) / (8 * WORD) == word);
        new.filter_map(|at| Some((at, self.field(at.field)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::Tap;
    use crate::contract::{Field, HeaderWire, LAYOUT, layout::pack};

    const HEADER: HeaderWire = HeaderWire {
        mac: 0x0200_0000_0a0b,
        token: 5,
        c_st: 17,
        node_id: 3,
        multi_g: 9,
        act_seq: 6,
        packet_cnt: 200,
        addr: 0x0012_3456,
    };

    #[test]
    fn every_field_shows_with_the_word_that_ends_it() {
        let bytes = pack(&HEADER).to_be_bytes();
        let mut tap = Tap::default();
        let mut seen = 0;
        for (i, word) in bytes.chunks_exact(4).enumerate() {
            tap.word(u32::from_le_bytes([word[0], word[1], word[2], word[3]]), i == 3);
            assert_eq!(tap.words(), i + 1);
            for (layout, value) in tap.new_fields() {
                assert_eq!(layout.field, LAYOUT[seen].field);
                assert_eq!(Tap::of_bytes(&bytes).field(layout.field), Some(value));
                seen += 1;
            }
        }
        assert_eq!((seen, tap.header()), (LAYOUT.len(), HEADER));
        tap.word(0, false);
        assert_eq!((tap.field(Field::Mac), tap.header()), (None, HeaderWire::default()));
    }

    #[test]
    fn what_has_not_passed_is_unknown() {
        let bytes = pack(&HEADER).to_be_bytes();
        let tap = Tap::of_bytes(&bytes[..7]);
        assert_eq!(tap.field(Field::Mac), Some(0x0200_0000_0a0b));
        assert_eq!(tap.field(Field::CSt), Some(17));
        assert_eq!(tap.field(Field::NodeId), None);
        assert_eq!(tap.field(Field::Data), None);
    }
}
