// SPDX-License-Identifier: MIT OR Apache-2.0
//! Good frames at the receiver only: variations on the link that must not matter.

use crate::vectors::classes::build::{Frames, data_frame, data_header, from_both_ends, header};
use crate::vectors::pattern::nonzero;
use crate::vectors::reference::{frame, judge, seal};
use crate::vectors::vector::Class;
use crate::vectors::word::words;
use awgstar::contract::{Check, Token};
use awgstar::quantity::narrow;

pub(super) fn classes() -> Vec<Class> {
    vec![monitor(), gaps(), garbage(), lanes()]
}

fn monitor() -> Class {
    let mut f = Frames::default();
    for (i, len) in from_both_ends((64..=72).chain([128, 129, 260, 1039, 1042]))
        .into_iter()
        .chain(64..=67)
        .enumerate()
    {
        // 1 1 0 0 and so on: both values follow both values.
        let m = i % 4 < 2;
        let mut link = words(&data_frame(len, i));
        link[0].user = m;
        f.received(format!("{len} bytes, M = {}", u8::from(m)), link, Check::Ok);
    }
    for token in Token::ALL {
        let i = f.count();
        let len = if token == Token::Free { 0 } else { 46 };
        let mut link = words(&frame(&header(token.code(), i), &nonzero(i as u64, len)));
        link[0].user = true;
        f.received(format!("{}, M = 1", token.doc()), link, Check::Ok);
    }
    f.class(
        "monitor_bit",
        &["LNK-4", "RX-5"],
        "M taken for an abort, kept from an earlier frame, or counted into the FCS",
        "after one turn of the ring every frame is dropped, or none is ever removed",
    )
}

fn gaps() -> Class {
    let mut f = Frames::default();
    for len in [64, 65, 66, 67] {
        let n = words(&data_frame(len, 0)).len();
        for at in 1..n {
            let mut link = words(&data_frame(len, at));
            link[at].gap = true;
            f.received(format!("{len} bytes, gap before word {at}"), link, Check::Ok);
        }
    }
    for len in [64, 65, 130, 131, 1042] {
        let mut link = words(&data_frame(len, len));
        for word in link.iter_mut().skip(1) {
            word.gap = true;
        }
        f.received(format!("{len} bytes, gap before every word"), link, Check::Ok);
        let mut link = words(&data_frame(len, len + 1));
        link[0].user = true;
        for word in link.iter_mut().skip(1).step_by(3) {
            word.gap = true;
        }
        f.received(format!("{len} bytes, M, gap before each third word"), link, Check::Ok);
    }
    f.class(
        "gaps",
        &["RX-1", "RX-2", "RX-5"],
        "a word counted or put into the CRC twice while tvalid is low",
        "frames fail only after a clock crossing whose FIFO ran empty",
    )
}

fn garbage() -> Class {
    let mut f = Frames::default();
    for i in 0..40 {
        let mut h = header(Token::Free.code(), i);
        h.c_st = narrow::<u8>(i % 32);
        let data = if i % 3 == 0 { vec![0; 46] } else { nonzero(i as u64, 46) };
        f.bytes("free token with values where zeros belong", &seal(&h, &data), Check::Ok);
        f.cites(&["FRM-10", "RX-5"]);
    }
    for len in from_both_ends(1..45usize) {
        let i = f.count();
        let mut h = data_header(i);
        h.c_st = 1;
        let mut data = nonzero(i as u64, 46);
        data[45] = len.to_le_bytes()[0];
        f.bytes(
            format!("short data token, {len} valid bytes, pad not zero"),
            &seal(&h, &data),
            Check::Ok,
        );
    }
    f.class(
        "pad_not_zero",
        &["FRM-5", "FRM-6", "RX-5"],
        "receiver looks at pad or at the zeros of a free token",
        "a later version that uses those bytes cannot share a ring with this one",
    )
}

fn lanes() -> Class {
    let mut f = Frames::default();
    for len in (65..=67).chain([129, 130, 131, 1041, 1042]).chain(65..=67) {
        for fill in [0xFFFF_FFFFu32, 0x5A5A_5A5A] {
            let mut link = words(&data_frame(len, f.count()));
            if let Some(last) = link.last_mut() {
                let off = !0u32 << (8 * last.keep.count_ones());
                last.data |= fill & off;
            }
            debug_assert_eq!(judge(&link).check, Check::Ok);
            f.received(
                format!("{len} bytes, {fill:08x} in lanes that tkeep leaves off"),
                link,
                Check::Ok,
            );
        }
    }
    f.class(
        "lanes_off",
        &["LNK-2", "CRC-1", "RX-4"],
        "bytes of the last word that tkeep leaves off go into the CRC or the data",
        "good frames of three lengths in four are dropped downstream of another maker's sender",
    )
}
