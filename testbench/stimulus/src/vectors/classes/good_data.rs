// SPDX-License-Identifier: MIT OR Apache-2.0
//! Good data tokens: lengths, the short form, contents.

use crate::vectors::classes::build::{Frames, data_header, from_both_ends};
use crate::vectors::pattern::nonzero;
use crate::vectors::reference::{crc_register, header_bytes};
use crate::vectors::vector::Class;
use awgstar::contract::limits;
use std::collections::BTreeSet;

pub(super) fn classes() -> Vec<Class> {
    vec![lengths(), short(), short_values(), patterns(), fragments(), alignment()]
}

fn lengths() -> Class {
    let mut lengths: BTreeSet<usize> = (46..=130).chain(1009..=1024).collect();
    for power in [256, 512] {
        lengths.extend(power - 2..=power + 2);
    }
    // Around a whole frame of 256 and 512 bytes, and to an odd stride.
    lengths.extend([237, 238, 239, 493, 494, 495]);
    lengths.extend((131..1009).step_by(97));
    let mut f = Frames::default();
    for len in from_both_ends(lengths) {
        let i = f.count();
        f.good(format!("{len} valid bytes"), &data_header(i), &nonzero(i as u64, len));
    }
    f.class(
        "data_lengths",
        &["FRM-3", "FRM-6", "FRM-9", "FCS-1", "TX-3", "TX-4", "RX-2", "RX-5"],
        "a length at which counters wrap, or whose last word or FCS is put together wrongly",
        "writes of some lengths never arrive, or arrive with a wrong last byte",
    )
}

fn short() -> Class {
    let mut f = Frames::default();
    for len in from_both_ends(1..46) {
        let i = f.count();
        f.good(format!("{len} valid bytes"), &data_header(i), &nonzero(i as u64, len));
    }
    f.class(
        "short_data",
        &["FRM-5", "FRM-6", "FRM-9", "TX-3", "RX-5"],
        "short form built or read wrongly: count, pad, C.ST",
        "a 4-byte write overwrites the 42 bytes after it on every node",
    )
}

fn short_values() -> Class {
    let mut f = Frames::default();
    for len in from_both_ends(1..46usize) {
        let i = f.count();
        let byte = len.to_le_bytes()[0];
        f.good(
            format!("{len} valid bytes, each of the value {len}"),
            &data_header(i),
            &vec![byte; len],
        );
        let mut valid = nonzero(i as u64, len);
        valid[len - 1] = 45 - byte;
        f.good(
            format!("{len} valid bytes, the last looks like another count"),
            &data_header(i + 1),
            &valid,
        );
    }
    for len in [1, 44, 45, 46, 47] {
        for fill in [0x00, 0xFF, 0x01, 0x2D] {
            let i = f.count();
            f.good(format!("{len} valid bytes, all {fill:02x}"), &data_header(i), &vec![fill; len]);
        }
    }
    f.class(
        "short_data_values",
        &["FRM-5", "FRM-6", "TX-3", "RX-5"],
        "short count taken from the wrong byte, or a byte of data taken for the count",
        "writes of a few values are cut or smeared although the same length works with others",
    )
}

/// Four bytes that take the CRC register from `from` to `to`.
fn bridge(from: u32, to: u32) -> [u8; 4] {
    let mut register = to;
    for _ in 0..32 {
        let out = register >> 31;
        register = (register ^ (limits::CRC32_POLY_REFLECTED * out)) << 1 | out;
    }
    (register ^ from).to_le_bytes()
}

fn patterns() -> Class {
    let mut f = Frames::default();
    for len in [46, 47, 48, 49, 202] {
        for (name, fill) in [("zeros", 0x00), ("ones", 0xFF), ("01", 0x55), ("10", 0xAA)] {
            f.good(format!("{len} bytes of {name}"), &data_header(f.count()), &vec![fill; len]);
        }
    }
    for len in [64, 65, 66, 67] {
        let i = f.count();
        for (name, register) in [
            ("FCS is all zeros", 0xFFFF_FFFF),
            ("FCS is all ones", 0),
            ("register before the FCS is that after a good frame", limits::CRC32_RESIDUE),
            ("FCS is the residue", !limits::CRC32_RESIDUE),
        ] {
            let h = data_header(f.count());
            let mut data = nonzero(i as u64, len - 4);
            let before =
                crc_register(limits::CRC32_INIT, &[header_bytes(&h), data.clone()].concat());
            data.extend(bridge(before, register));
            f.good(format!("{len} bytes, {name}"), &h, &data);
        }
        let h = data_header(f.count());
        let start = crc_register(limits::CRC32_INIT, &header_bytes(&h));
        let mut data = bridge(start, 0).to_vec();
        data.resize(len, 0);
        f.good(format!("{len} bytes, register zero and then zeros"), &h, &data);
        let inner = crate::vectors::classes::build::data_frame(64, i);
        let data = [&inner[..], &nonzero(1, len - 64)].concat();
        f.good(format!("{len} bytes that hold a whole good frame"), &data_header(f.count()), &data);
        let mut data = nonzero(2, len);
        data[len - 4..].copy_from_slice(&[0; 4]);
        f.good(format!("{len} bytes, the last four zero"), &data_header(f.count()), &data);
    }
    f.class(
        "data_patterns",
        &["FRM-9", "FCS-1", "FCS-2", "TX-3", "RX-4"],
        "data that looks like FCS, pad or idle ends the frame or passes for its check",
        "a page of zeros, or one page in four thousand million, is lost each time it is sent",
    )
}

fn fragments() -> Class {
    let mut f = Frames::default();
    let block = nonzero(0xB10C, 2 * 1024 + 100);
    for (seq, part) in (0u8..).zip(block.chunks(limits::DATA_MAX)) {
        let mut h = data_header(7);
        h.act_seq = seq;
        h.packet_cnt = 0xFE_u8.wrapping_add(seq);
        h.addr = 0x0012_3450 + 1024 * u32::from(seq);
        f.good(format!("fragment {seq} of 2,148 bytes"), &h, part);
    }
    f.class(
        "divided_block",
        &["FRM-9", "RX-5", "TX-3"],
        "a full frame spoils the next one; Packet_Cnt does not wrap",
        "large writes arrive with a damaged tail",
    )
}

fn alignment() -> Class {
    let mut f = Frames::default();
    for addr in [0u32, 1, 2, 3, 0xFFC, 0xFFD, 0xFFF, 0x7FFF_FFFF, 0xFFFF_FFFC, 0xFFFF_FFFF] {
        for len in [1, 2, 3, 4] {
            let i = f.count();
            let mut h = data_header(i);
            h.addr = addr;
            f.good(format!("{len} bytes at {addr:08x}"), &h, &nonzero(i as u64, len));
        }
    }
    f.class(
        "alignment",
        &["FRM-9", "FRM-6"],
        "address rounded to a word, or checked against the length",
        "byte and half-word writes change their neighbours",
    )
}
