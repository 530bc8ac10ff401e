// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vectors of the module `crc32`.

use crate::vectors::classes::build::{class, note};
use crate::vectors::reference::{crc_register, seal};
use crate::vectors::vector::{Class, CrcVector, Vectors};
use crate::vectors::word::{KEEP_ALL, words};
use awgstar::contract::limits;
use awgstar::random::SplitMix64;

pub(super) fn classes() -> Vec<Class> {
    vec![walking(), other_keeps(), random(), published(), residue()]
}

/// A step whose expectation is the reference register.
fn step(comment: impl Into<String>, keep: u8, crc_in: u32, data: u32) -> CrcVector {
    let bytes = data.to_le_bytes();
    let taken = match keep {
        0b0001 => &bytes[..1],
        0b0011 => &bytes[..2],
        0b0111 => &bytes[..3],
        KEEP_ALL => &bytes[..],
        _ => &[],
    };
    CrcVector { note: note(comment), keep, crc_in, data, crc_out: crc_register(crc_in, taken) }
}

fn walking() -> Class {
    let mut v = Vec::new();
    for keep in [0b0001, 0b0011, 0b0111, KEEP_ALL] {
        v.push(step(format!("tkeep {keep:04b}, all inputs zero"), keep, 0, 0));
        for bit in 0..32 {
            v.push(step(format!("tkeep {keep:04b}, crc_in bit {bit}"), keep, 1 << bit, 0));
            v.push(step(format!("tkeep {keep:04b}, tdata bit {bit}"), keep, 0, 1 << bit));
        }
        v.push(step(format!("tkeep {keep:04b}, all inputs one"), keep, !0, !0));
    }
    class(
        "crc_bits",
        &["CRC-1", "FCS-1"],
        "a term missing or misplaced in one XOR equation",
        "frames with that bit set are dropped by every other node",
        Vectors::Crc32(v),
    )
}

fn other_keeps() -> Class {
    let mut pattern = SplitMix64::new(0xC2C);
    let mut v = Vec::new();
    for keep in (0..16).filter(|keep| !matches!(keep, 1 | 3 | 7 | 15)) {
        for _ in 0..4 {
            let comment = format!("tkeep {keep:04b} leaves the register as it is");
            v.push(step(comment, keep, pattern.next_u32(), pattern.next_u32()));
        }
        v.push(step(format!("tkeep {keep:04b}, ones"), keep, !0, 0));
    }
    class(
        "crc_tkeep_illegal",
        &["CRC-2"],
        "a tkeep that is not contiguous steps the register",
        "the FCS verdict of a frame with a faulty tkeep depends on the maker",
        Vectors::Crc32(v),
    )
}

fn random() -> Class {
    let mut pattern = SplitMix64::new(0xC3C);
    let keeps = [0b0001, 0b0011, 0b0111, KEEP_ALL];
    let v = (0..256usize)
        .map(|i| {
            let keep = keeps[i % 4];
            step(format!("random, tkeep {keep:04b}"), keep, pattern.next_u32(), pattern.next_u32())
        })
        .collect();
    class(
        "crc_random",
        &["CRC-1", "CRC-2"],
        "equations right for single bits but not for their sums, or state kept between words",
        "rare data patterns are dropped",
        Vectors::Crc32(v),
    )
}

/// Messages with check values as published for CRC-32/ISO-HDLC, and by RFC 3720's kind of table.
fn messages() -> Vec<(&'static str, Vec<u8>, u32)> {
    let text = |s: &str| s.as_bytes().to_vec();
    vec![
        ("\"123456789\"", text("123456789"), 0xCBF4_3926),
        ("\"a\"", text("a"), 0xE8B7_BE43),
        ("\"abc\"", text("abc"), 0x3524_41C2),
        (
            "\"The quick brown fox jumps over the lazy dog\"",
            text("The quick brown fox jumps over the lazy dog"),
            0x414F_A339,
        ),
        ("32 bytes of zero", vec![0; 32], 0x190A_55AD),
        ("32 bytes of ff", vec![0xFF; 32], 0xFF6C_AB0B),
        ("32 bytes 00 to 1f", (0..32).collect(), 0x9126_7E8A),
        ("1 byte of zero", vec![0], 0xD202_EF8D),
        ("4 bytes of zero", vec![0; 4], 0x2144_DF1C),
        ("4 bytes of ff", vec![0xFF; 4], 0xFFFF_FFFF),
    ]
}

/// The steps of a message, word by word from the preset register.
fn chain(name: &str, message: &[u8]) -> Vec<CrcVector> {
    let mut register = limits::CRC32_INIT;
    words(message)
        .into_iter()
        .enumerate()
        .map(|(n, word)| {
            let made = step(format!("{name}, word {n}"), word.keep, register, word.data);
            register = made.crc_out;
            made
        })
        .collect()
}

fn published() -> Class {
    let mut v = Vec::new();
    for (name, message, check) in messages() {
        let steps = chain(name, &message);
        let end = steps.last().map_or(limits::CRC32_INIT, |s| s.crc_out);
        assert_eq!(!end, check, "{name}");
        v.extend(steps);
    }
    class(
        "crc_published",
        &["CRC-1", "CRC-2", "FCS-1"],
        "another CRC: polynomial, reflection, order of lanes",
        "the ring works among equal nodes and with no other maker's",
        Vectors::Crc32(v),
    )
}

fn residue() -> Class {
    let mut v = Vec::new();
    for len in 64..68 {
        let frame = seal(
            &crate::vectors::classes::build::data_header(len),
            &crate::vectors::pattern::nonzero(len as u64, len - 18),
        );
        let steps = chain(&format!("frame of {len} bytes"), &frame);
        assert_eq!(steps.last().map(|s| s.crc_out), Some(limits::CRC32_RESIDUE));
        v.extend(steps);
    }
    class(
        "crc_residue",
        &["FCS-2", "CRC-1"],
        "the register over FCS and frame does not end at the residue",
        "receivers that compare the residue drop every frame",
        Vectors::Crc32(v),
    )
}
