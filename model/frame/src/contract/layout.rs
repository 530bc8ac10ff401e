// SPDX-License-Identifier: MIT OR Apache-2.0
//! Header layout (FRM-1, FRM-2; thesis Table 4): one table, four expansions.
//!
//! The table below becomes (a) [`HeaderWire`], the deku declaration and reference codec, (b)
//! [`LAYOUT`], from which Verilog, docs and schema are printed, (c) [`pack`] / [`unpack`], the
//! shift-and-mask codec of the hot path, and (d) the fields of the bundle ([`Hdr`](super::Hdr)) between
//! the modules of the Verilog. Tests hold (a) and (c) equal.

use deku::prelude::*;

/// Position of one header field. Bit 0 is the first bit on the link (most significant bit of byte
/// 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLayout {
    pub field: Field,
    /// First bit, counted from the first bit of the frame.
    pub bit: usize,
    /// Width in bits.
    pub bits: usize,
    /// Contents, as the documentation prints it.
    pub doc: &'static str,
}

impl FieldLayout {
    /// Byte offset of the field's first bit in the frame.
    #[must_use]
    #[inline]
    pub const fn byte(&self) -> usize {
        self.bit / 8
    }
    /// Right shift that brings the field to bit 0 of a big-endian 128-bit load of bytes 0 to 15.
    #[must_use]
    #[inline]
    pub const fn shift(&self) -> usize {
        128 - self.bit - self.bits
    }
    /// Largest value the field holds.
    #[must_use]
    #[inline]
    pub const fn max(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }
}

macro_rules! header_layout {
    (($d:tt) $($name:ident $variant:ident $thesis:literal: $ty:ident[$bits:literal] $doc:literal;)*) => {
        /// The frame header in link order, declared with deku (thesis Table 4).
        ///
        /// This is the reference: generators of golden vectors read and write through it. Tests
        /// check that [`pack`] and [`unpack`], used where speed matters, agree with this
        /// declaration.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, DekuRead, DekuWrite)]
        #[deku(endian = "big")]
        pub struct HeaderWire {
            $(#[doc = $doc] #[deku(bits = $bits)] pub $name: $ty,)*
        }

        /// A part of the frame, as errors and documents name it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Field {
            $(#[doc = $doc] $variant,)*
            /// The Data field, including pad and short count.
            Data,
            /// The short count: Data byte 45 of a short data token.
            ShortCount,
            /// The frame check sequence.
            Fcs,
            /// The frame as a whole (its length).
            Frame,
        }

        impl Field {
            /// Name in Rust, Verilog, VCD, JSON and error messages.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Field::$variant => stringify!($name),)*
                    Field::Data => "data",
                    Field::ShortCount => "short_count",
                    Field::Fcs => "fcs",
                    Field::Frame => "frame",
                }
            }
            /// Name in the thesis, Table 4.
            #[must_use]
            pub const fn thesis_name(self) -> &'static str {
                match self {
                    $(Field::$variant => $thesis,)*
                    Field::Data | Field::ShortCount => "Data",
                    Field::Fcs => "FCS",
                    Field::Frame => "frame",
                }
            }
        }

        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "indices are named after the fields")]
        pub(super) enum Index { $($name,)* Count }

        /// The header fields in link order.
        pub const LAYOUT: [FieldLayout; Index::Count as usize] = {
            let mut bit = 0;
            [$({
                let at = FieldLayout { field: Field::$variant, bit, bits: $bits, doc: $doc };
                bit += $bits;
                let _ = bit;
                at
            },)*]
        };

        /// Header fields to the top 112 bits of a big-endian 128-bit word. Bits of a value beyond
        /// its field's width are dropped; [`crate::codec`] refuses them before they come here.
        #[must_use]
        #[inline]
        pub const fn pack(header: &HeaderWire) -> u128 {
            0 $(| {
                const AT: FieldLayout = LAYOUT[Index::$name as usize];
                ((header.$name as u64 & AT.max()) as u128) << AT.shift()
            })*
        }

        /// Bytes 0 to 15 of a frame, loaded big-endian, to header fields.
        #[must_use]
        #[inline]
        #[allow(clippy::cast_possible_truncation, reason = "masked to the field's width first")]
        pub const fn unpack(word: u128) -> HeaderWire {
            HeaderWire { $($name: {
                const AT: FieldLayout = LAYOUT[Index::$name as usize];
                ((word >> AT.shift()) as u64 & AT.max()) as $ty
            },)* }
        }

        /// Gives description, name and type of every header field to a macro.
        macro_rules! each_field {
            ($d expand:ident) => {
                $d expand! { $($doc $name $ty;)* }
            };
        }
        pub(super) use each_field;

        /// Names of the ports of a header that is given field by field: `s_hdr` becomes
        /// `["s_hdr_mac", ..., "s_hdr_len"]`, in the order of [`HDR_FIELDS`](crate::contract::HDR_FIELDS).
        #[macro_export]
        macro_rules! header_ports {
            ($d port:ident) => {
                [
                    $(concat!(stringify!($d port), "_", stringify!($name)),)*
                    concat!(stringify!($d port), "_len"),
                ]
            };
        }
    };
}

header_layout! {
    ($)
    mac        Mac       "MAC":        u64[48] "address of the SMB that sent the frame";
    token      Token     "TOKEN":      u8[3]   "kind of frame";
    c_st       CSt       "C.ST":       u8[5]   "control token number; meaning of a signal; short flag of a data token";
    node_id    NodeId    "Node_ID":    u8[8]   "sending or receiving node, by meaning";
    multi_g    MultiG    "Multi_G":    u8[4]   "multicast group";
    act_seq    ActSeq    "Act_Seq":    u8[4]   "fragment number of a divided block";
    packet_cnt PacketCnt "Packet_Cnt": u8[8]   "sender's frame counter";
    addr       Addr      "Addr":       u32[32] "byte offset in the shared memory";
}

/// The layout of one header field; `None` for what is no header field (Data, FCS, the frame).
#[must_use]
pub const fn layout_of(field: Field) -> Option<&'static FieldLayout> {
    let mut i = 0;
    while i < LAYOUT.len() {
        if LAYOUT[i].field as u8 == field as u8 {
            return Some(&LAYOUT[i]);
        }
        i += 1;
    }
    None
}
