// SPDX-License-Identifier: MIT OR Apache-2.0
//! Good frames that look at the header fields.

use crate::vectors::classes::build::{Frames, data_header, header};
use crate::vectors::pattern::nonzero;
use crate::vectors::vector::Class;
use awgstar::contract::{Field, HeaderWire, LAYOUT, Token};

pub(super) fn classes() -> Vec<Class> {
    vec![tokens(), groups(), walking(), extremes()]
}

fn tokens() -> Class {
    let mut f = Frames::default();
    for round in 0..4 {
        for token in Token::ALL {
            let i = f.count();
            let len = if token == Token::Free { 0 } else { 46 + 3 * i };
            f.good(
                format!("{}, round {round}", token.doc()),
                &header(token.code(), i),
                &nonzero(i as u64, len),
            );
        }
    }
    f.class(
        "tokens",
        &["FRM-1", "FRM-2", "FRM-4", "FRM-10", "FCS-1", "TX-3", "RX-5"],
        "a kind of frame built or read by the rules of another kind",
        "free tokens carry old data, or signals and control tokens are taken for memory updates",
    )
}

fn groups() -> Class {
    let mut f = Frames::default();
    for multi_g in 0..16u8 {
        for act_seq in 0..16u8 {
            let i = f.count();
            let mut h = data_header(i);
            (h.multi_g, h.act_seq) = (multi_g, act_seq);
            f.good(
                format!("Multi_G {multi_g}, Act_Seq {act_seq}"),
                &h,
                &nonzero(i as u64, 1 + i % 50),
            );
        }
    }
    f.class(
        "groups_and_fragments",
        &["FRM-1", "FRM-2", "FRM-9", "TX-3", "RX-5"],
        "Multi_G and Act_Seq swapped, cut or mixed within their shared byte",
        "fragments of a divided block land in the wrong place, or another group takes the frame",
    )
}

/// Sets a header field by its place in the layout.
fn with(base: &HeaderWire, field: Field, value: u64) -> HeaderWire {
    let mut h = *base;
    let low = value.to_le_bytes()[0];
    match field {
        Field::Mac => h.mac = value,
        Field::NodeId => h.node_id = low,
        Field::MultiG => h.multi_g = low,
        Field::ActSeq => h.act_seq = low,
        Field::PacketCnt => h.packet_cnt = low,
        Field::Addr => h.addr = u32::try_from(value).expect("a value of Addr"),
        _ => {}
    }
    h
}

/// TOKEN and C.ST cannot walk freely: `tokens`, `unassigned_signals` and `header_extremes` do them.
fn walks(field: Field) -> bool {
    !matches!(field, Field::Token | Field::CSt)
}

fn walking() -> Class {
    let mut f = Frames::default();
    for l in LAYOUT.iter().filter(|l| walks(l.field)) {
        for bit in (0..l.bits).rev() {
            let zeros = HeaderWire { token: Token::Data.code(), ..HeaderWire::default() };
            let ones = LAYOUT
                .iter()
                .filter(|l| walks(l.field))
                .fold(zeros, |h, l| with(&h, l.field, l.max()));
            let at = l.bit + l.bits - 1 - bit;
            let name = l.field.thesis_name();
            f.good(
                format!("header bit {at} ({name} bit {bit}) alone is one"),
                &with(&zeros, l.field, 1 << bit),
                &[0; 46],
            );
            f.good(
                format!("header bit {at} ({name} bit {bit}) alone is zero"),
                &with(&ones, l.field, l.max() & !(1 << bit)),
                &[0xFF; 46],
            );
        }
    }
    f.class(
        "header_bits",
        &["FRM-1", "FRM-2", "FCS-1", "TX-3", "RX-5"],
        "a header bit in the wrong place, stuck, or in the wrong order",
        "frames from one vendor's node are read with wrong addresses or senders by another's",
    )
}

fn extremes() -> Class {
    let mut f = Frames::default();
    for l in LAYOUT.iter().filter(|l| walks(l.field)) {
        for value in [0, 1, (l.max() >> 1) + 1, l.max()] {
            for token in [Token::Data, Token::Multicast] {
                let i = f.count();
                f.good(
                    format!("{} = {value:x} in a {}", l.field.thesis_name(), token.doc()),
                    &with(&header(token.code(), i), l.field, value),
                    &nonzero(i as u64, 46 + i % 5),
                );
            }
        }
    }
    for (mac, node_id) in [(0, 0), ((1 << 48) - 1, 0xFF), (0, 0xFF), ((1 << 48) - 1, 0)] {
        let mut h = header(Token::Free.code(), 0);
        (h.mac, h.node_id) = (mac, node_id);
        f.good(format!("free token, MAC {mac:012x}, Node_ID {node_id:02x}"), &h, &[]);
    }
    f.class(
        "header_extremes",
        &["FRM-1", "FRM-10", "TX-3", "RX-5"],
        "the smallest and largest values of a field treated as special or cut",
        "node 255, the last memory page or counter wrap-around fail after months of good running",
    )
}
