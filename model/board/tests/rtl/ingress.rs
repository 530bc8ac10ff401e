// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_ingress`, by the rows of its table. Checks NODE-1 to NODE-7, NODE-22, NODE-24.

use awgstar_board::rtl::Link;
use awgstar_board::rtl::RingIngress;
use awgstar_board::rtl::ring_ingress::{GAP, IDLE, Inputs, Outputs, PASS, SKIP};
use awgstar_frame::contract::node::{BUFFER_ABORT, BUFFER_IDLE};
use awgstar_frame::contract::{FrameKind, Token};

const MAC: u64 = 0x0102_0304_0506;

/// Words 0 and 1 of a frame with this MAC and TOKEN.
fn head(mac: u64, token: u8) -> [u32; 2] {
    let b = mac.to_be_bytes();
    [u32::from_le_bytes([b[2], b[3], b[4], b[5]]), u32::from_le_bytes([b[6], b[7], token << 5, 0])]
}

/// An ingress that stands in IDLE.
fn idle() -> RingIngress {
    let mut ingress = RingIngress::default();
    ingress.clock(&Inputs::default());
    assert_eq!(ingress.state_q, IDLE);
    ingress
}

/// Word 0 is in stage 1, if it is there at all; the other word comes behind it.
fn behind(mac: u64, marked: bool, first: Option<u32>, next: &Inputs) -> RingIngress {
    let mut ingress = idle();
    (ingress.s1_valid_q, ingress.s1_data_q) = (first.is_some(), first.unwrap_or_default());
    (ingress.s1_keep_q, ingress.s1_user_q) = (15, marked);
    ingress.clock(&Inputs { cfg_mac: mac, ..*next });
    ingress
}

/// A full word on the link.
fn word(tdata: u32) -> Inputs {
    let s_axis = Link { tdata, tkeep: 15, tvalid: true, ..Link::default() };
    Inputs { s_axis, ..Inputs::default() }
}

/// Puts a word into each stage and gives what is decided, and the state behind the edge.
fn first(mac: u64, token: u8, take_free: bool) -> (Outputs, RingIngress) {
    watched(mac, token, &Inputs { cfg_mac: MAC, take_free, ..Inputs::default() }, false)
}

/// The same with any inputs; `marked`: M of the frame.
fn watched(mac: u64, token: u8, i: &Inputs, marked: bool) -> (Outputs, RingIngress) {
    let [w0, w1] = head(mac, token);
    let mut ingress = behind(i.cfg_mac, marked, Some(w0), &word(w1));
    let o = ingress.outputs(i);
    ingress.clock(i);
    (o, ingress)
}

/// NODE-1 to NODE-5, NODE-12: the first word decides.
#[test]
fn first_words() {
    for token in 0..8u8 {
        for own in [false, true] {
            for take in [false, true] {
                let (o, after) = first(if own { MAC } else { MAC + 1 }, token, take);
                let free = token == Token::Free.code();
                let reserved = token == 2 || token == 7;
                let taken = free && take;
                let stripped = own && !free && !reserved;
                let passed = !reserved && !taken && !stripped;
                assert_eq!(o.ev_reserved, reserved, "TOKEN {token}");
                assert_eq!(o.ev_taken, taken);
                assert_eq!(o.ev_passed, passed);
                assert_eq!(o.token_in, taken || (stripped && token == 1));
                assert_eq!(o.free_passed, passed && free);
                assert_eq!((o.wr_valid, o.ev_cut, o.ev_dropped), (passed, false, false));
                let kind = match (passed, stripped) {
                    (true, _) => FrameKind::Other,
                    (_, true) => FrameKind::Own,
                    _ => FrameKind::None,
                };
                assert_eq!(after.kind_q, kind.code());
                assert_eq!(after.state_q, if passed { PASS } else { SKIP });
                if passed {
                    assert_eq!((o.wr_word, after.word_q), (u64::from(head(MAC, 0)[0]), 1));
                }
            }
        }
    }
}

/// NODE-22: the active monitor marks what it passes, and absorbs what comes marked; free tokens and
/// its own frames aside.
#[test]
fn monitored() {
    for token in 0..8u8 {
        for bits in 0..16u8 {
            let [own, take_free, cfg_monitor, marked] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
            let i = Inputs { cfg_mac: MAC, cfg_monitor, take_free, ..Inputs::default() };
            let (o, after) = watched(if own { MAC } else { MAC + 1 }, token, &i, marked);
            let reserved = token == 2 || token == 7;
            let free = token == Token::Free.code();
            let stripped = own && !free && !reserved;
            let orphan = cfg_monitor && marked && !free && !reserved && !stripped;
            let taken = free && take_free;
            assert_eq!(o.ev_orphan, orphan, "TOKEN {token}, {bits:04b}");
            assert_eq!(o.token_in, taken || ((orphan || stripped) && token == 1));
            assert_eq!(o.wr_valid, !(reserved || stripped || orphan || taken));
            assert_eq!(o.ev_passed, o.wr_valid);
            if orphan {
                assert_eq!((after.kind_q, after.state_q), (FrameKind::None.code(), SKIP));
            }
            if o.wr_valid {
                assert_eq!(o.wr_word >> 35 == 1, marked || (cfg_monitor && !free));
                assert_eq!(o.wr_word >> 32 & 7, 0);
            }
        }
    }
}

/// NODE-22: only the first word is marked.
#[test]
fn marked_once() {
    let mut ingress = idle();
    (ingress.state_q, ingress.s2_valid_q, ingress.s2_keep_q) = (PASS, true, 15);
    let o = ingress.outputs(&Inputs { cfg_monitor: true, ..Inputs::default() });
    assert!(o.wr_valid && !o.ev_orphan);
    assert_eq!(o.wr_word >> 32, 0);
}

/// NODE-24: `token_seen` with each complete header of a free or data token, whatever becomes of it.
#[test]
fn tokens_seen() {
    for token in 0..8u8 {
        for own in [false, true] {
            for take in [false, true] {
                let (o, after) = first(if own { MAC } else { MAC + 1 }, token, take);
                assert_eq!(o.token_seen, token < 2, "TOKEN {token}");
                assert!(!after.outputs(&Inputs::default()).token_seen, "one pulse");
            }
        }
    }
    let [w0, w1] = head(MAC, 1);
    let cases = [(GAP, true, true, 15), (IDLE, false, true, 15), (IDLE, true, false, 15)];
    for (state, valid, then, keep) in cases.into_iter().chain([(IDLE, true, true, 7)]) {
        let mut next = word(w1);
        (next.s_axis.tvalid, next.s_axis.tkeep) = (then, keep);
        let mut ingress = behind(MAC, false, valid.then_some(w0), &next);
        ingress.state_q = state;
        assert!(!ingress.outputs(&Inputs::default()).token_seen);
    }
}

/// NODE-7: without a complete header, or without an idle word before it, a frame is dropped.
#[test]
fn dropped() {
    let [w0, w1] = head(MAC + 1, 5);
    let cases: [(bool, u8, bool, u8, u8); 4] = [
        (true, 15, true, 15, GAP),
        (false, 7, true, 15, SKIP),
        (false, 15, false, 15, SKIP),
        (false, 15, true, 7, SKIP),
    ];
    for state in [GAP, IDLE] {
        for (last, keep, then, keep1, next) in cases {
            let mut ingress = idle();
            ingress.state_q = state;
            ingress.kind_q = FrameKind::Other.code();
            (ingress.s2_valid_q, ingress.s2_data_q, ingress.s2_keep_q, ingress.s2_last_q) =
                (true, w0, keep, last);
            (ingress.s1_valid_q, ingress.s1_data_q, ingress.s1_keep_q) = (then, w1, keep1);
            let o = ingress.outputs(&Inputs::default());
            assert!(o.ev_dropped && !o.wr_valid);
            ingress.clock(&Inputs::default());
            assert_eq!((ingress.state_q, ingress.kind_q), (next, FrameKind::None.code()));
        }
    }
}

/// NODE-6 and the slot behind a frame: rows of PASS.
#[test]
fn passing() {
    // (valid, keep, last, word_q) and whether the word is good.
    let cases = [
        (true, 15u8, false, 100u16, true),
        (true, 15, true, 100, true),
        (true, 3, true, 100, true),
        (true, 15, true, 260, true),
        (true, 1, true, 260, true),
        (true, 15, false, 260, false),
        (true, 7, false, 100, false),
        (true, 5, true, 100, false),
        (true, 0, true, 100, false),
        (false, 15, true, 100, false),
    ];
    for (valid, keep, last, word, good) in cases {
        let mut ingress = idle();
        (ingress.state_q, ingress.word_q) = (PASS, word);
        ingress.kind_q = FrameKind::Other.code();
        (ingress.s2_valid_q, ingress.s2_data_q) = (valid, 0xaabb_ccdd);
        (ingress.s2_keep_q, ingress.s2_last_q, ingress.s2_user_q) = (keep, last, last);
        let o = ingress.outputs(&Inputs::default());
        ingress.clock(&Inputs::default());
        let bytes = u64::from(keep.count_ones() % 4);
        let as_it_is = u64::from(last) << 35 | u64::from(last) << 34 | bytes << 32 | 0xaabb_ccdd;
        assert!(o.wr_valid);
        assert_eq!(o.wr_word, if good { as_it_is } else { BUFFER_ABORT });
        assert_eq!(o.ev_cut, !good);
        assert_eq!(ingress.slot_q, last || !good);
        let next = match (good, valid && last) {
            (_, true) => GAP,
            (true, false) => PASS,
            (false, false) => SKIP,
        };
        assert_eq!(ingress.state_q, next);
        assert_eq!(ingress.kind_q, FrameKind::Other.code());
        if ingress.slot_q {
            let o = ingress.outputs(&Inputs::default());
            assert_eq!((o.wr_valid, o.wr_word), (true, BUFFER_IDLE));
            ingress.clock(&Inputs::default());
            assert!(!ingress.slot_q);
        }
    }
}

/// SKIP ends behind the last word; `kind` fits the verdict two cycles after it.
#[test]
fn skipping() {
    let mut ingress = idle();
    ingress.state_q = SKIP;
    ingress.kind_q = FrameKind::Own.code();
    ingress.s2_valid_q = true;
    ingress.clock(&Inputs::default());
    assert_eq!(ingress.state_q, SKIP);
    (ingress.s2_valid_q, ingress.s2_last_q) = (true, true);
    ingress.clock(&Inputs::default());
    assert_eq!(ingress.state_q, GAP);
    ingress.clock(&Inputs::default());
    assert_eq!(ingress.outputs(&Inputs::default()).kind, FrameKind::Own.code());
}

/// NODE-7: after reset an idle word must come first.
#[test]
fn reset_waits_for_an_idle_word() {
    let mut ingress = idle();
    ingress.clock(&Inputs { rst: true, ..word(0) });
    assert_eq!((ingress.state_q, ingress.s1_valid_q, ingress.s2_valid_q), (GAP, false, false));
}
