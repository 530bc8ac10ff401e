// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header bundle: a header and its number of valid bytes as one vector.
//!
//! In this form a header goes between the inner modules of the Verilog, as the port `hdr` or
//! `..._hdr`: the fields of [`LAYOUT`] in link order, the first on top, and `len` at the bottom. A
//! signal brings the fields from TOKEN on, because MAC is the node's; a data frame brings those from
//! Act_Seq on. Both are the low end of the same vector, so a field has one place in all three.

use super::layout::{
    Field, FieldLayout, HeaderWire, Index, LAYOUT, each_field, layout_of, pack, unpack,
};

/// Width of `len`, the number of valid bytes.
pub const LEN_BITS: usize = 11;
/// Width of the bundle.
pub const HDR_BITS: usize = {
    let last = &LAYOUT[LAYOUT.len() - 1];
    last.bit + last.bits + LEN_BITS
};
/// Width of what a signal brings: from TOKEN on.
pub const SIGNAL_HDR_BITS: usize = from(Field::Token);
/// Width of what a data frame brings: from Act_Seq on.
pub const DATA_HDR_BITS: usize = from(Field::ActSeq);

const fn from(first: Field) -> usize {
    match layout_of(first) {
        Some(layout) => HDR_BITS - layout.bit,
        None => panic!("not a field of the header"),
    }
}

/// Position of a field of the bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HdrField {
    /// Name of the field in Rust, Verilog and VCD.
    pub name: &'static str,
    /// Lowest bit of the field; bit 0 is that of `len`.
    pub low: usize,
    /// Width of the field in bits.
    pub bits: usize,
}

/// The fields of the bundle from the top.
pub const HDR_FIELDS: [HdrField; LAYOUT.len() + 1] = {
    let mut fields = [HdrField { name: "len", low: 0, bits: LEN_BITS }; LAYOUT.len() + 1];
    let mut i = 0;
    while i < LAYOUT.len() {
        let layout = &LAYOUT[i];
        fields[i] =
            HdrField { name: layout.field.name(), low: layout.hdr_low(), bits: layout.bits };
        i += 1;
    }
    fields
};

/// A header bundle. Where only its low end is a port, the bits above are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hdr(pub u128);

impl Hdr {
    /// The bundle of these fields. Bits of a value beyond its field's width are dropped.
    #[must_use]
    #[inline]
    pub const fn new(header: &HeaderWire, len: u16) -> Self {
        Hdr(pack(header) >> (128 - HDR_BITS) | len as u128 & ((1 << LEN_BITS) - 1))
    }

    /// All fields but `len`.
    #[must_use]
    #[inline]
    pub const fn header(self) -> HeaderWire {
        unpack(self.0 << (128 - HDR_BITS))
    }

    /// The low end of this width: what a signal or a data frame brings.
    #[must_use]
    #[inline]
    pub const fn low(self, bits: usize) -> Self {
        Hdr(self.0 & ((1 << bits) - 1))
    }

    /// Number of valid bytes.
    #[must_use]
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "masked to its width")]
    pub const fn len(self) -> u16 {
        self.0 as u16 & ((1 << LEN_BITS) - 1)
    }

    /// Returns true if there are no valid bytes.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

impl FieldLayout {
    /// Lowest bit of the field in the bundle ([`Hdr`]).
    #[must_use]
    #[inline]
    pub const fn hdr_low(&self) -> usize {
        HDR_BITS - self.bit - self.bits
    }
}

macro_rules! accessors {
    ($($doc:literal $name:ident $ty:ident;)*) => {
        /// Fields of the bundle.
        impl Hdr {
            $(
                #[doc = $doc]
                #[must_use]
                #[inline]
                #[allow(clippy::cast_possible_truncation, reason = "masked to the field's width first")]
                pub const fn $name(self) -> $ty {
                    const AT: FieldLayout = LAYOUT[Index::$name as usize];
                    ((self.0 >> AT.hdr_low()) as u64 & AT.max()) as $ty
                }
            )*
        }
    };
}

each_field!(accessors);
