// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames with a good FCS whose fields are not allowed.

use crate::vectors::classes::build::{Frames, data_header, header};
use crate::vectors::pattern::nonzero;
use crate::vectors::reference::seal;
use crate::vectors::vector::Class;
use awgstar::contract::{Check, Token, limits};

pub(super) fn classes() -> Vec<Class> {
    vec![token(), c_st(), count(), kind_length()]
}

fn token() -> Class {
    let mut f = Frames::default();
    for data in [46, 47, 48, 49, 110, 1024] {
        for code in Token::RESERVED {
            for c_st in [0, 1, 2, 31] {
                if data > 200 && c_st != 1 {
                    continue;
                }
                let i = f.count();
                let mut h = header(code, i);
                h.c_st = c_st;
                f.bytes(
                    format!("TOKEN {code:03b}, C.ST {c_st:05b}, {data} bytes of Data"),
                    &seal(&h, &nonzero(i as u64, data)),
                    Check::Token,
                );
            }
        }
        f.good_after(data);
    }
    f.class(
        "reserved_token",
        &["FRM-4", "FRM-13", "RX-4"],
        "a TOKEN that is not assigned is taken for its neighbour",
        "frames of a later version change the memory of nodes that do not know them",
    )
}

fn c_st() -> Class {
    let mut f = Frames::default();
    for data in [46, 47, 1024] {
        for c_st in 2..32 {
            if data > 47 && c_st % 10 != 2 {
                continue;
            }
            let i = f.count();
            let mut h = data_header(i);
            h.c_st = c_st;
            f.bytes(
                format!("data token, C.ST {c_st:05b}, {data} bytes of Data"),
                &seal(&h, &nonzero(i as u64, data)),
                Check::CSt,
            );
        }
        f.good_after(data);
    }
    f.class(
        "reserved_c_st",
        &["FRM-8", "RX-4"],
        "C.ST of a data token decoded by some of its bits",
        "later kinds of data token are written to memory as plain data",
    )
}

fn count() -> Class {
    let mut f = Frames::default();
    for count in std::iter::once(0).chain(46..=255u8) {
        let i = f.count();
        let mut h = data_header(i);
        h.c_st = limits::C_ST_DATA_SHORT;
        let mut data = nonzero(i as u64, 46);
        data[limits::SHORT_COUNT_INDEX] = count;
        f.bytes(format!("short count {count}"), &seal(&h, &data), Check::ShortCount);
        if count % 32 == 0 {
            f.good_after(1 + i % 45);
        }
    }
    f.class(
        "short_count",
        &["FRM-7", "RX-4"],
        "short count cut to 6 bits or not checked",
        "a count of 64 + 4 writes 4 bytes that nobody sent; one of 0 stops a DMA engine",
    )
}

fn kind_length() -> Class {
    let mut f = Frames::default();
    for len in [65, 66, 67, 68, 128, 1042] {
        for (token, c_st) in [(Token::Free, 0), (Token::Data, limits::C_ST_DATA_SHORT)] {
            for count in [1, 45, 0, 46] {
                let i = f.count();
                let mut h = header(token.code(), i);
                h.c_st = c_st;
                let mut data = if token == Token::Free {
                    vec![0; len - 18]
                } else {
                    nonzero(i as u64, len - 18)
                };
                data[limits::SHORT_COUNT_INDEX] = count;
                f.bytes(
                    format!("{} of {len} bytes, index 45 of Data holds {count}", token.doc()),
                    &seal(&h, &data),
                    Check::Length,
                );
            }
        }
        f.good_after(len - 18);
    }
    f.class(
        "length_of_kind",
        &["FRM-7", "FRM-10", "FRM-13", "RX-4"],
        "free or short data tokens of another length accepted",
        "two readings of one frame: a node writes 45 bytes where another writes 1,024",
    )
}
