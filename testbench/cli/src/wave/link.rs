//! What stands on a link, as the fields of its frames.

use std::io::{self, Write};
use vcd::{IdCode, Value, VarType, Writer};

/// Whether a word is on a link, which, and whether it is a frame's last.
pub type Word = (bool, u32, bool);

/// The fields of the frame on a link, as its words pass.
pub(super) struct Link {
    ids: [IdCode; 5],
    word: u32,
    values: [u128; 5],
}

/// Fields shown for each link, with their widths.
const FIELDS: [(&str, usize); 5] =
    [("token", 3), ("c_st", 5), ("node_id", 8), ("source", 8), ("packet_cnt", 8)];

impl Link {
    pub(super) fn declare<W: Write>(out: &mut Writer<W>, clk: IdCode) -> io::Result<Link> {
        out.add_module("link_out")?;
        let mut ids = [clk; 5];
        for (id, (name, bits)) in ids.iter_mut().zip(FIELDS) {
            *id = out.add_var(VarType::Wire, u32::try_from(bits).unwrap_or(0), name, None)?;
        }
        out.upscope()?;
        Ok(Link { ids, word: 0, values: [u128::MAX; 5] })
    }

    /// A field shows from the word on that brings it.
    pub(super) fn change<W: Write>(&mut self, out: &mut Writer<W>, word: Word) -> io::Result<()> {
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
                bits(out, self.ids[field], value.into(), FIELDS[field].1)?;
            }
        }
        self.word = if last { 0 } else { self.word + 1 };
        Ok(())
    }
}

pub(super) fn bits<W: Write>(
    out: &mut Writer<W>,
    id: IdCode,
    value: u128,
    bits: usize,
) -> io::Result<()> {
    if bits == 1 {
        return out.change_scalar(id, value & 1 == 1);
    }
    out.change_vector(id, (0..bits).rev().map(|b| Value::from(value >> b & 1 == 1)))
}
