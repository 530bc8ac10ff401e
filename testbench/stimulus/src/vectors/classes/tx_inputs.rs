// SPDX-License-Identifier: MIT OR Apache-2.0
//! Headers at the transmitter: refused ones, and inputs that it ignores.

use crate::vectors::classes::build::{Frames, data_header, header};
use crate::vectors::pattern::nonzero;
use crate::vectors::vector::Class;
use crate::vectors::word::{Word, words};
use awgstar::contract::{Token, TxStatus};

pub(super) fn classes() -> Vec<Class> {
    vec![refused_token(), refused_length(), ignored(), lanes()]
}

/// Payload of a refused header: `beats` beats, the last with `tlast`, every third after a gap.
fn drained(beats: usize, i: usize) -> Vec<Word> {
    let mut out = words(&nonzero(i as u64, 4 * beats));
    for beat in out.iter_mut().skip(2).step_by(3) {
        beat.gap = true;
    }
    out
}

fn refused_token() -> Class {
    let mut f = Frames::default();
    for token in Token::RESERVED {
        for (len, beats) in
            [(0, 0), (4, 1), (46, 12), (1, 1), (1024, 9), (1025, 3), (0, 0), (2047, 2)]
        {
            let i = f.count();
            f.sent(
                format!("TOKEN {token:03b}, length {len}, {beats} beats"),
                &header(token, i),
                len,
                drained(beats, i),
                TxStatus::Token,
            );
            f.sent_after(46 + i % 4);
        }
    }
    f.class(
        "refused_token",
        &["TX-6", "TX-8", "FRM-4", "FRM-12"],
        "a TOKEN that is not assigned goes out, or its payload is left in the stream",
        "the next frame is sent with the payload of the refused one",
    )
}

fn refused_length() -> Class {
    let mut f = Frames::default();
    let data = [0].into_iter().chain(1025..=1032).chain([1040, 1100, 1536, 2046, 2047]);
    let data = data.map(|len| (Token::Data, len));
    let free = [1, 2, 45, 46, 64, 1024, 1025, 2047].map(|len| (Token::Free, len));
    let others = [Token::P2p, Token::Multicast, Token::Broadcast, Token::Control]
        .into_iter()
        .flat_map(|token| [1025, 1100, 2047].map(|len| (token, len)));
    for (token, len) in data.chain(free).chain(others) {
        let i = f.count();
        let beats = match len {
            0 => 0,
            _ if i.is_multiple_of(4) => 1,
            _ => 1 + i % 17,
        };
        f.sent(
            format!("{}, length {len}, {beats} beats", token.doc()),
            &header(token.code(), i),
            len,
            drained(beats, i),
            TxStatus::Length,
        );
        if i.is_multiple_of(3) {
            f.sent_after(1 + i % 60);
        }
    }
    f.sent_after(1024);
    f.class(
        "refused_length",
        &["TX-4", "TX-6", "TX-8", "FRM-12"],
        "a length that no frame can have goes out, or its payload is left in the stream",
        "over-long frames on the ring, or every later frame carries its predecessor's payload",
    )
}

fn ignored() -> Class {
    let mut f = Frames::default();
    for c_st in 1..32 {
        for len in [1 + usize::from(c_st), 46 + usize::from(c_st)] {
            let i = f.count();
            let mut h = data_header(i);
            h.c_st = c_st;
            f.sent(
                format!("data token of {len} bytes, C.ST {c_st:05b} at the port"),
                &h,
                len,
                words(&nonzero(i as u64, len)),
                TxStatus::Ok,
            );
        }
        let i = f.count();
        let mut h = header(Token::Free.code(), i);
        h.c_st = c_st;
        f.sent(
            "free token, values at the ports that go out as zero",
            &h,
            0,
            Vec::new(),
            TxStatus::Ok,
        );
    }
    f.class(
        "ignored_inputs",
        &["TX-3", "FRM-6", "FRM-10"],
        "C.ST of a data token, or fields of a free token, go out as the ports have them",
        "free tokens carry an earlier frame's address; receivers refuse data tokens",
    )
}

fn lanes() -> Class {
    let mut f = Frames::default();
    for len in crate::vectors::classes::build::from_both_ends(
        (1..64).chain([125, 126, 127, 1021, 1022, 1023]),
    ) {
        let i = f.count();
        let mut beats = words(&nonzero(i as u64, len));
        let Some(last) = beats.last_mut().filter(|beat| beat.keep != 0b1111) else {
            continue;
        };
        last.data |= 0xA5A5_A5A5 & (!0u32 << (8 * last.keep.count_ones()));
        let token = if i % 3 == 2 { Token::P2p } else { Token::Data };
        let mut h = header(token.code(), i);
        h.c_st = 1;
        f.sent(
            format!("{}, {len} bytes, values in the lanes left off", token.doc()),
            &h,
            len,
            beats,
            TxStatus::Ok,
        );
    }
    f.class(
        "payload_lanes_off",
        &["FRM-5", "FRM-6", "TX-3", "TX-5"],
        "lanes that tkeep leaves off get into pad, short count or FCS",
        "up to three bytes of whatever stood in a buffer go to every node",
    )
}
