// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveform of a link: the fields of its frames.

use awgstar::{Tap, contract::Field};
use awgstar_draw::gtkw::Shown::{self, Decimal, Names};
use awgstar_draw::waves::{Signal, Waves};
use std::io::{self, Write};

/// Word on a link: (valid, data, last word of a frame).
pub type Word = (bool, u32, bool);

/// The fields of the frame on a link, as its words pass.
pub(super) struct Link {
    signals: Vec<Signal>,
    tap: Tap,
    values: [u128; 5],
}

/// Fields shown for each link, with their names, widths and formats.
const FIELDS: [(Field, &str, usize, Shown<'static>); 5] = [
    (Field::Token, "token", 3, Names("token")),
    (Field::CSt, "c_st", 5, Names("c_st")),
    (Field::NodeId, "node_id", 8, Decimal),
    // The low byte of the MAC.
    (Field::Mac, "source", 8, Decimal),
    (Field::PacketCnt, "packet_cnt", 8, Decimal),
];

impl Link {
    pub(super) fn declare<W: Write>(out: &mut Waves<W>) -> io::Result<Link> {
        out.scope("link_out")?;
        let declare = |&(_, name, bits, shown): &_| out.number(name, bits, shown);
        let signals = FIELDS.iter().map(declare).collect::<io::Result<_>>()?;
        out.end_scope()?;
        Ok(Link { signals, tap: Tap::default(), values: [u128::MAX; 5] })
    }

    /// A field shows from the word on that brings it.
    pub(super) fn change<W: Write>(&mut self, out: &mut Waves<W>, word: Word) -> io::Result<()> {
        let (valid, data, last) = word;
        if !valid {
            self.tap.idle();
            return Ok(());
        }
        self.tap.word(data, last);
        for (i, (field, _, bits, _)) in FIELDS.iter().enumerate() {
            let new = self.tap.new_fields().find(|(layout, _)| layout.field == *field);
            let Some((_, value)) = new else { continue };
            let value = u128::from(value) & ((1 << bits) - 1);
            if self.values[i] != value {
                self.values[i] = value;
                out.set(self.signals[i], value)?;
            }
        }
        Ok(())
    }
}
