// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals and control tokens.

use crate::vectors::classes::build::{Frames, header};
use crate::vectors::pattern::nonzero;
use crate::vectors::vector::Class;
use crate::vectors::word::words;
use awgstar::contract::{HeaderWire, Signal, Token, TxStatus, limits};
use awgstar::random::SplitMix64;

const CARRIERS: [Token; 4] = [Token::P2p, Token::Multicast, Token::Broadcast, Token::Control];

pub(super) fn classes() -> Vec<Class> {
    vec![signals(), unassigned(), lengths(), padded()]
}

/// Data of a signal by its layout (SIG-2), in as many bytes as the layout needs.
fn layout_data(signal: Signal, pattern: &mut SplitMix64) -> Vec<u8> {
    let end = signal.fields().iter().map(|f| f.offset + f.bytes).max();
    let mut data = vec![0; end.unwrap_or(0)];
    // Frames of barrier 0, which are those of a barrier without a number.
    for f in signal.fields().iter().filter(|f| f.name != "barrier_number") {
        let value = pattern.next_u32().to_be_bytes();
        data[f.offset..f.offset + f.bytes].copy_from_slice(&value[4 - f.bytes..]);
    }
    data
}

fn signal_header(signal: Signal, i: usize) -> HeaderWire {
    let mut h = header(signal.token().code(), i);
    h.c_st = signal.c_st();
    h.multi_g = 0;
    h.act_seq = 0;
    h.addr = 0;
    if signal.node_id_meaning().starts_with("none") {
        h.node_id = 0;
    }
    h
}

fn signals() -> Class {
    let mut f = Frames::default();
    let mut pattern = SplitMix64::new(0x5167);
    for round in 0..3 {
        for &signal in Signal::ALL {
            let i = f.count();
            let h = signal_header(signal, i);
            let data = layout_data(signal, &mut pattern);
            let mut whole = data.clone();
            whole.resize(limits::DATA_MIN, 0);
            f.good(format!("{}, round {round}", signal.name()), &h, &whole);
            f.sent(
                format!("{}, padded by the transmitter", signal.name()),
                &h,
                data.len(),
                words(&data),
                TxStatus::Ok,
            );
        }
    }
    f.class(
        "signals",
        &["SIG-1", "SIG-2", "FRM-11", "TX-3", "TX-4", "RX-5"],
        "C.ST read without TOKEN, or a signal's Data moved or cut",
        "a barrier acknowledgement is taken for a release and processes run ahead; a lock goes to \
         two nodes",
    )
}

fn unassigned() -> Class {
    let mut f = Frames::default();
    for c_st in 0..32 {
        for token in CARRIERS {
            if Signal::from_codes(token, c_st).is_some() {
                continue;
            }
            let i = f.count();
            let mut h = header(token.code(), i);
            h.c_st = c_st;
            f.good(
                format!("{}, C.ST {c_st:05b}: not assigned", token.doc()),
                &h,
                &nonzero(i as u64, 46 + i % 4),
            );
        }
    }
    f.class(
        "unassigned_signals",
        &["SIG-3", "FRM-11", "RX-5"],
        "a pair of TOKEN and C.ST that the thesis does not assign is refused, or taken as the \
         short form of a data token",
        "firmware cannot define signals of its own",
    )
}

fn lengths() -> Class {
    let mut f = Frames::default();
    let some = (46..=70).chain([128, 130, 257, 514, 1023, 1024]);
    for len in crate::vectors::classes::build::from_both_ends(some) {
        let i = f.count();
        let token = CARRIERS[i % 4];
        let mut h = header(token.code(), i);
        // 00001 would be the short form if this were a data token.
        h.c_st = if i.is_multiple_of(3) { 1 } else { 29 };
        f.good(format!("{} of {len} bytes", token.doc()), &h, &nonzero(i as u64, len));
    }
    f.class(
        "signal_lengths",
        &["FRM-3", "FRM-11", "TX-4", "RX-2", "RX-5"],
        "rules of data tokens (short count, kinds of length) applied to signals",
        "long signals are lost or cut",
    )
}

fn padded() -> Class {
    let mut f = Frames::default();
    for len in crate::vectors::classes::build::from_both_ends(0..46) {
        let i = f.count();
        let token = CARRIERS[i % 4];
        let mut h = header(token.code(), i);
        h.c_st = if i.is_multiple_of(2) { 1 } else { 21 };
        let valid = nonzero(i as u64, len);
        f.sent(
            format!("{} of {len} bytes, padded to 46", token.doc()),
            &h,
            len,
            words(&valid),
            TxStatus::Ok,
        );
    }
    f.class(
        "signals_padded",
        &["FRM-5", "FRM-11", "TX-4"],
        "pad not zero, or a short count put into a signal",
        "old memory contents leak to every node; receivers misread a signal's values",
    )
}
