//! What stands on a link, as the fields of its frames.

use awgstar_draw::gtkw::Shown::{self, Decimal, Names};
use awgstar_draw::waves::{Signal, Waves};
use std::io::{self, Write};

/// Whether a word is on a link, which, and whether it is a frame's last.
pub type Word = (bool, u32, bool);

/// The fields of the frame on a link, as its words pass.
pub(super) struct Link {
    signals: Vec<Signal>,
    word: u32,
    values: [u128; 5],
}

/// Fields shown for each link, with their widths and formats.
const FIELDS: [(&str, usize, Shown<'static>); 5] = [
    ("token", 3, Names("token")),
    ("c_st", 5, Names("c_st")),
    ("node_id", 8, Decimal),
    ("source", 8, Decimal),
    ("packet_cnt", 8, Decimal),
];

impl Link {
    pub(super) fn declare<W: Write>(out: &mut Waves<W>) -> io::Result<Link> {
        out.scope("link_out")?;
        let declare = |&(name, bits, shown): &_| out.number(name, bits, shown);
        let signals = FIELDS.iter().map(declare).collect::<io::Result<_>>()?;
        out.end_scope()?;
        Ok(Link { signals, word: 0, values: [u128::MAX; 5] })
    }

    /// A field shows from the word on that brings it.
    pub(super) fn change<W: Write>(&mut self, out: &mut Waves<W>, word: Word) -> io::Result<()> {
        let (valid, data, last) = word;
        if !valid {
            self.word = 0;
            return Ok(());
        }
        let bytes = data.to_le_bytes();
        let new: &[(usize, u8)] = match self.word {
            1 => &[(0, bytes[2] >> 5), (1, bytes[2] & 31), (2, bytes[3]), (3, bytes[1])],
            2 => &[(4, bytes[1])],
            _ => &[],
        };
        for &(field, value) in new {
            if self.values[field] != u128::from(value) {
                self.values[field] = value.into();
                out.set(self.signals[field], value.into())?;
            }
        }
        self.word = if last { 0 } else { self.word + 1 };
        Ok(())
    }
}
