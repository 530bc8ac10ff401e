// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames whose bits were damaged on the way.

use crate::vectors::classes::build::{Frames, data_frame, data_header};
use crate::vectors::pattern::nonzero;
use crate::vectors::reference::{crc_register, frame, judge, seal};
use crate::vectors::vector::Class;
use crate::vectors::word::words;
use awgstar::contract::{Check, limits};

pub(super) fn classes() -> Vec<Class> {
    vec![flips(), short_flips(), resealed(), wrong()]
}

fn flipped(frame: &[u8], bit: usize) -> Vec<u8> {
    let mut out = frame.to_vec();
    out[bit / 8] ^= 0x80 >> (bit % 8);
    out
}

fn flips() -> Class {
    let mut f = Frames::default();
    let base = data_frame(64, 1);
    for bit in 0..512 {
        f.bytes(format!("bit {bit}"), &flipped(&base, bit), Check::Fcs);
    }
    f.good_after(46);
    f.class(
        "bit_flips",
        &["FCS-1", "FRM-12", "RX-4"],
        "a bit that the FCS does not cover",
        "damaged data is committed to the shared memory",
    )
}

fn short_flips() -> Class {
    let mut f = Frames::default();
    let base = frame(&data_header(2), &nonzero(2, 5));
    for byte in 0..64 {
        f.bytes(
            format!("short data token, byte {byte} damaged"),
            &flipped(&base, 8 * byte + byte % 8),
            Check::Fcs,
        );
    }
    f.good_after(5);
    f.class(
        "bit_flips_short",
        &["FCS-1", "FRM-6", "FRM-13", "RX-4"],
        "pad or count judged before the FCS",
        "the verdict names a field whose bits mean nothing",
    )
}

/// Damage before the FCS was put on: every bit of header and count, with an FCS that fits.
fn resealed() -> Class {
    let mut f = Frames::default();
    let base = frame(&data_header(3), &nonzero(3, 20));
    let count_bit = 8 * (limits::HEADER_BYTES + limits::SHORT_COUNT_INDEX);
    for bit in (0..112).chain(count_bit..count_bit + 8) {
        let body = flipped(&base[..60], bit);
        let header = crate::vectors::reference::header_of(&body);
        let sealed = seal(&header, &body[limits::HEADER_BYTES..]);
        let check = judge(&words(&sealed)).check;
        f.bytes(format!("bit {bit}, then sealed: {}", check.name()), &sealed, check);
    }
    f.class(
        "header_bits_sealed",
        &["FRM-4", "FRM-7", "FRM-8", "RX-4", "RX-5"],
        "a verdict decided by too few bits of TOKEN, C.ST or the count",
        "one damaged kind of frame is taken for another",
    )
}

fn wrong() -> Class {
    let mut f = Frames::default();
    for len in [64, 65, 66, 67, 131] {
        let i = f.count();
        let good = data_frame(len, i);
        let body = &good[..len - 4];
        let fcs: [u8; 4] = [good[len - 4], good[len - 3], good[len - 2], good[len - 1]];
        let value = u32::from_le_bytes(fcs);
        let last = data_frame(len, i + 1);
        let cases = [
            ("zero", [0; 4]),
            ("ones", [0xFF; 4]),
            ("not complemented", (!value).to_le_bytes()),
            ("in the other byte order", value.to_be_bytes()),
            ("in the other bit order", value.reverse_bits().to_be_bytes()),
            ("from a register preset to zeros", (!crc_register(0, body)).to_le_bytes()),
            ("without preset and complement", crc_register(0, body).to_le_bytes()),
            ("of Data without the header", crate::vectors::reference::fcs(&body[14..])),
            ("without the last byte", crate::vectors::reference::fcs(&body[..len - 5])),
            ("without the first byte", crate::vectors::reference::fcs(&body[1..])),
            ("of the next frame", [last[len - 4], last[len - 3], last[len - 2], last[len - 1]]),
            ("off by one", value.wrapping_add(1).to_le_bytes()),
            ("with its halves swapped", value.rotate_left(16).to_le_bytes()),
        ];
        for (name, fcs) in cases {
            f.bytes(format!("{len} bytes, FCS {name}"), &[body, &fcs].concat(), Check::Fcs);
        }
        f.good_after(len - 18);
    }
    let short = frame(&data_header(9), &nonzero(9, 7));
    let fcs = crate::vectors::reference::fcs(&short[..14 + 7]);
    f.bytes(
        "short data token, FCS without pad and count",
        &[&short[..60], &fcs].concat(),
        Check::Fcs,
    );
    f.good_after(7);
    let long = data_frame(67, 11);
    for bit in 0..32 {
        let mut bad = long.clone();
        for (byte, delta) in bad[63..].iter_mut().zip(before_the_fcs(1 << bit).to_le_bytes()) {
            *byte ^= delta;
        }
        f.bytes(format!("FCS that leaves the residue wrong in bit {bit} only"), &bad, Check::Fcs);
    }
    f.good_after(46);
    f.class(
        "fcs_wrong",
        &["FCS-1", "FCS-2", "RX-4"],
        "CRC with another preset, complement, order or range accepted",
        "two makers' nodes drop each other's frames, or accept damaged ones",
    )
}

/// Computes the difference of the FCS for which the register after it differs by `after`: 32 steps
/// back.
fn before_the_fcs(after: u32) -> u32 {
    (0..32).fold(after, |register, _| {
        if register >> 31 == 1 {
            (register ^ limits::CRC32_POLY_REFLECTED) << 1 | 1
        } else {
            register << 1
        }
    })
}
