// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames that are too short, too long or cut.

use crate::vectors::classes::build::{Frames, data_frame, data_header, header};
use crate::vectors::pattern::nonzero;
use crate::vectors::reference::seal;
use crate::vectors::vector::Class;
use awgstar::contract::{Check, Token};

pub(super) fn classes() -> Vec<Class> {
    vec![truncated(), runts(), long()]
}

fn truncated() -> Class {
    let mut f = Frames::default();
    let cuts: [(usize, Vec<usize>); 3] = [
        (64, (1..64).collect()),
        (130, (4..116).step_by(4).chain(116..130).collect()),
        (1042, vec![14, 63, 64, 65, 256, 513, 1024, 1028, 1034, 1037, 1038, 1039, 1040, 1041]),
    ];
    for (len, at) in cuts {
        let whole = data_frame(len, len);
        for cut in at {
            let check = if cut < 64 { Check::Runt } else { Check::Fcs };
            f.bytes(format!("{len} bytes cut after {cut}"), &whole[..cut], check);
            if cut % 8 == 3 {
                f.good_after(46 + cut % 4);
            }
        }
    }
    f.class(
        "truncated",
        &["FRM-3", "FCS-1", "RX-4", "RX-6", "RX-7"],
        "a frame that ends early is accepted, or never gets a verdict",
        "a node that is switched off in mid frame leaves half a page in every memory, or stops the \
         receiver behind it",
    )
}

fn runts() -> Class {
    let mut f = Frames::default();
    for data in 0..46 {
        let i = f.count();
        let code = Token::ALL[i % 6].code();
        let mut h = header(code, i);
        h.c_st = u8::from(code == 1 && data % 2 == 0);
        f.bytes(
            format!("{data} bytes of Data, FCS good"),
            &seal(&h, &nonzero(i as u64, data)),
            Check::Runt,
        );
        if data % 6 == 5 {
            f.good_after(46);
        }
    }
    for len in [4usize, 8, 12, 15] {
        let i = f.count();
        let body = nonzero(i as u64, len - 4);
        let fcs = crate::vectors::reference::fcs(&body);
        f.bytes(format!("{len} bytes in all, FCS good"), &[&body[..], &fcs].concat(), Check::Runt);
        f.good_after(len);
    }
    f.class(
        "runts_sealed",
        &["FRM-3", "FRM-13", "RX-4"],
        "length judged by the FCS alone",
        "a frame that lost its pad is taken, and bytes that were never sent are written",
    )
}

fn long() -> Class {
    let mut f = Frames::default();
    // 1,088, 2,112 and 4,160 are 64 bytes more than a counter of 10 to 12 bits holds.
    for len in (1043..=1048).chain([1088, 2048, 2112, 4160]) {
        let i = f.count();
        f.bytes(
            format!("{len} bytes, FCS good"),
            &seal(&data_header(i), &nonzero(i as u64, len - 18)),
            Check::Long,
        );
        if len % 4 == 0 {
            f.good_after(47 + i % 4);
        }
    }
    for (token, c_st) in [(Token::Free, 0), (Token::Data, 1), (Token::Control, 3)] {
        let i = f.count();
        let mut h = header(token.code(), i);
        h.c_st = c_st;
        f.bytes(
            format!("{} of 1043 bytes, FCS good", token.doc()),
            &seal(&h, &nonzero(i as u64, 1025)),
            Check::Long,
        );
    }
    f.good_after(1024);
    f.class(
        "too_long",
        &["FRM-3", "RX-4", "RX-6"],
        "length counter wraps, or the limit is off by a word",
        "a babbling node overflows frame buffers downstream, or its frames pass as short ones",
    )
}
