// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tx_arbiter` and `tx_mux`. Checks NODE-9, NODE-11 to NODE-15, NODE-23.

use awgstar_board::rtl::Stream;
use awgstar_board::rtl::tx_arbiter::{Inputs, Outputs, frame_words};
use awgstar_board::rtl::{TxArbiter, TxMux, tx_mux};
use awgstar_frame::contract::{Hdr, HeaderWire, TxClass, node::TOKEN_RUN};

const READY: Inputs = Inputs {
    rst: false,
    token_in: false,
    free_passed: false,
    issue: false,
    discard: false,
    refused: false,
    data_valid: false,
    data_len: 100,
    data_pending: false,
    data_open: true,
    signal_valid: false,
    signal_len: 100,
    signal_pending: false,
    signal_open: true,
    boundary: true,
    tx_ready: true,
    words: 0,
    push: false,
    pop: false,
};

/// After a cycle without headers and with `words` in the insertion buffer.
fn behind(words: u16) -> TxArbiter {
    let mut arbiter = TxArbiter::default();
    arbiter.clock(&Inputs { rst: true, ..READY });
    arbiter.clock(&Inputs { words, ..READY });
    arbiter
}

fn with_tokens(tokens: u8) -> TxArbiter {
    with_tokens_and_words(tokens, 0)
}

fn with_tokens_and_words(tokens: u8, words: u16) -> TxArbiter {
    let mut arbiter = behind(words);
    for _ in 0..tokens {
        arbiter.clock(&Inputs { issue: true, boundary: false, words, ..READY });
    }
    assert_eq!(arbiter.held_q, tokens);
    arbiter
}

/// Behind two cycles in which it saw the headers: the second one found the room for them.
fn seen(mut arbiter: TxArbiter, i: &Inputs) -> TxArbiter {
    let i = Inputs { boundary: false, discard: false, ..*i };
    arbiter.clock(&i);
    arbiter.clock(&Inputs { data_pending: true, signal_pending: true, ..i });
    arbiter
}

fn grants(o: Outputs) -> (bool, bool, bool) {
    (o.grant_data, o.grant_signal, o.grant_free)
}

/// L(len) of `docs/node.md`: 18 bytes of header and FCS, padded to 64, in words.
#[test]
fn words_of_a_frame() {
    for len in 0..2048u16 {
        let bytes = if len > 1024 { 64 } else { (len + 18).max(64) };
        assert_eq!(frame_words(len), bytes.div_ceil(4), "{len}");
    }
}

/// NODE-11: a signal needs no token, data does.
#[test]
fn tokens_are_for_data() {
    let both = Inputs { data_valid: true, signal_valid: true, ..READY };
    let o = seen(TxArbiter::default(), &both).outputs(&both);
    assert_eq!((grants(o), o.take_free), ((false, true, false), true));
    assert_eq!(o.grant_cycles, 32);
    let o = seen(with_tokens(1), &both).outputs(&Inputs { signal_valid: false, ..both });
    assert_eq!((grants(o), o.take_free, o.grant_cycles), ((true, false, false), false, 32));
}

/// NODE-11: when both wait, they take turns.
#[test]
fn turns() {
    let both = Inputs { data_valid: true, signal_valid: true, ..READY };
    let mut arbiter = seen(with_tokens(6), &both);
    let mut order = String::new();
    for _ in 0..6 {
        let o = arbiter.outputs(&both);
        order.push(if o.grant_signal {
            's'
        } else if o.grant_data {
            'd'
        } else {
            '-'
        });
        arbiter.clock(&both);
    }
    assert_eq!(order, "sdsdsd");
}

/// No grant but at a boundary, with the transmitter ready and the gate open.
#[test]
fn what_stops_a_grant() {
    let both = Inputs { data_valid: true, signal_valid: true, ..READY };
    let arbiter = seen(with_tokens(1), &both);
    for stopped in [Inputs { boundary: false, ..both }, Inputs { tx_ready: false, ..both }] {
        assert_eq!(grants(arbiter.outputs(&stopped)), (false, false, false));
    }
    let closed = Inputs { data_open: false, signal_open: false, ..both };
    assert_eq!(grants(arbiter.outputs(&closed)), (false, false, false), "keeps its one token");
    assert_eq!(grants(with_tokens(2).outputs(&closed)), (false, false, true), "not a second one");
}

/// NODE-9: only while the buffer has room for L + 4 words.
#[test]
fn room_for_the_frame() {
    let data = Inputs { data_valid: true, data_len: 1024, ..READY };
    for (words, goes) in [(512 - 261 - 4, true), (512 - 261 - 3, false)] {
        let data = Inputs { words, ..data };
        assert_eq!(seen(with_tokens(1), &data).outputs(&data).grant_data, goes);
        assert_eq!(seen(behind(words), &data).outputs(&data).take_free, goes);
        let signal = Inputs { signal_valid: true, signal_len: 1024, words, ..READY };
        assert_eq!(seen(behind(words), &signal).outputs(&signal).grant_signal, goes);
    }
    for (words, goes) in [(512 - 20, true), (512 - 19, false)] {
        let o = with_tokens_and_words(1, words).outputs(&Inputs { words, ..READY });
        assert_eq!(o.grant_free, goes);
    }
}

/// NODE-9: the room is that of the words in the cycle of the grant, with the word that came and the
/// one that left before it.
#[test]
fn room_with_what_comes_and_leaves() {
    let signal = Inputs { signal_valid: true, signal_len: 1024, signal_pending: true, ..READY };
    for (words, push, pop, goes) in [
        (247, false, false, true),
        (247, true, false, false),
        (247, true, true, true),
        (248, false, false, false),
        (248, false, true, true),
        (248, true, true, false),
    ] {
        let mut arbiter = seen(behind(words), &Inputs { words, signal_pending: false, ..signal });
        arbiter.clock(&Inputs { words, push, pop, boundary: false, ..signal });
        let o = arbiter.outputs(&signal);
        assert_eq!(o.grant_signal, goes, "{words} words, push {push}, pop {pop}");
    }
}

/// NODE-9: in the first cycle after it came, a header has the room of the longest frame only.
#[test]
fn room_for_a_new_header() {
    let signal = Inputs { signal_valid: true, signal_len: 0, ..READY };
    for (words, goes) in [(247, true), (248, false)] {
        let signal = Inputs { words, ..signal };
        let mut arbiter = behind(words);
        arbiter.clock(&Inputs { boundary: false, ..signal });
        assert_eq!(arbiter.outputs(&signal).grant_signal, goes, "{words} words");
        arbiter.clock(&Inputs { boundary: false, signal_pending: true, ..signal });
        assert!(arbiter.outputs(&signal).grant_signal, "its own room from then on");
    }
}

/// NODE-12: after `TOKEN_RUN` data frames one free token goes, sent or passed.
#[test]
fn the_run() {
    let run = u8::try_from(TOKEN_RUN).expect("small");
    let data = Inputs { data_valid: true, ..READY };
    let mut arbiter = seen(with_tokens(run + 2), &data);
    for _ in 0..run {
        assert!(arbiter.outputs(&data).grant_data);
        arbiter.clock(&data);
    }
    let o = arbiter.outputs(&data);
    assert_eq!(grants(o), (false, false, true));
    assert!(!o.take_free);
    let mut passed = arbiter.clone();
    arbiter.clock(&data);
    assert!(arbiter.outputs(&data).grant_data);
    passed.clock(&Inputs { free_passed: true, boundary: false, ..data });
    assert!(passed.outputs(&data).grant_data);
    // With no token in hand none is taken either, until one has passed.
    let mut spent = seen(with_tokens(run), &data);
    for _ in 0..run {
        assert!(!spent.over_q);
        spent.clock(&data);
    }
    assert_eq!((spent.held_q, spent.outputs(&data).take_free), (0, false));
    spent.clock(&Inputs { free_passed: true, ..data });
    assert!(spent.outputs(&data).take_free);
}

/// NODE-12: a token for which there is no data goes on at once.
#[test]
fn a_token_without_data_goes_on() {
    let mut arbiter = with_tokens(1);
    assert_eq!(grants(arbiter.outputs(&READY)), (false, false, true));
    arbiter.clock(&READY);
    assert_eq!(arbiter.held_q, 0);
}

/// NODE-13, NODE-15: tokens add up, to 255 at most.
#[test]
fn tokens_add_up() {
    let three = Inputs { token_in: true, issue: true, refused: true, boundary: false, ..READY };
    let mut arbiter = TxArbiter::default();
    for k in 1..=85 {
        assert!(!arbiter.outputs(&three).ev_token_overflow);
        arbiter.clock(&three);
        assert_eq!(u16::from(arbiter.held_q), 3 * k);
    }
    assert!(arbiter.outputs(&three).ev_token_overflow);
    arbiter.clock(&three);
    assert_eq!(arbiter.held_q, 255);
    let spend_one = Inputs { boundary: true, issue: false, refused: false, ..three };
    assert!(!arbiter.outputs(&spend_one).ev_token_overflow);
    arbiter.clock(&spend_one);
    assert_eq!(arbiter.held_q, 255);
    arbiter.clock(&Inputs { rst: true, ..READY });
    assert_eq!(arbiter.held_q, 0);
}

/// NODE-23: one token in hand is dropped in each cycle of `discard`, and none goes out in it.
#[test]
fn discarded() {
    let waits = Inputs { discard: true, boundary: false, ..READY };
    let mut arbiter = with_tokens(2);
    for left in [1, 0] {
        let o = arbiter.outputs(&waits);
        assert!(o.ev_discarded && !o.take_free);
        arbiter.clock(&waits);
        assert_eq!(arbiter.held_q, left);
    }
    assert!(!arbiter.outputs(&waits).ev_discarded, "nothing in hand");
    arbiter.clock(&waits);
    assert_eq!(arbiter.held_q, 0);

    let goes = Inputs { discard: true, ..READY };
    for inputs in [goes, Inputs { data_valid: true, ..goes }] {
        let mut arbiter = with_tokens(2);
        let o = arbiter.outputs(&inputs);
        assert_eq!((grants(o), o.ev_discarded), ((false, false, false), true));
        arbiter.clock(&inputs);
        assert_eq!(arbiter.held_q, 1);
    }
    // A signal is no token.
    let signal = Inputs { signal_valid: true, ..goes };
    let mut arbiter = seen(with_tokens(2), &signal);
    let o = arbiter.outputs(&signal);
    assert!(o.grant_signal && o.ev_discarded);
    arbiter.clock(&signal);
    assert_eq!(arbiter.held_q, 1);
}

/// NODE-12, NODE-23: a free token is taken to be dropped, whatever waits, if none is in hand.
#[test]
fn taken_to_be_discarded() {
    let none = Inputs { data_valid: false, data_open: false, words: 512, ..READY };
    assert!(!TxArbiter::default().outputs(&none).take_free);
    let discard = Inputs { discard: true, ..none };
    assert!(TxArbiter::default().outputs(&discard).take_free);
    assert!(!with_tokens(1).outputs(&discard).take_free);
}

/// NODE-13, NODE-23: 255 tokens, one more and one less in a cycle are no overflow.
#[test]
fn discarded_from_a_full_hand() {
    let mut arbiter = with_tokens(255);
    let both = Inputs { issue: true, discard: true, boundary: false, ..READY };
    let o = arbiter.outputs(&both);
    assert!(o.ev_discarded && !o.ev_token_overflow);
    arbiter.clock(&both);
    assert_eq!(arbiter.held_q, 255);
}

/// NODE-14: MAC and Node_ID are the node's; the signal port cannot send TOKEN 000 or 001.
#[test]
fn headers() {
    let data = HeaderWire { act_seq: 3, packet_cnt: 4, addr: 6, ..HeaderWire::default() };
    let signal = HeaderWire { c_st: 8, node_id: 9, multi_g: 10, ..HeaderWire::default() };
    let ports = tx_mux::Inputs {
        cfg_mac: 0x0253_4d42_0005,
        cfg_node_id: 5,
        s_data_hdr: Hdr::new(&data, 7),
        s_signal_hdr: Hdr::new(&signal, 11),
        s_data_axis: Stream { tvalid: true, ..Stream::default() },
        s_signal_axis: Stream { tvalid: true, ..Stream::default() },
        m_axis_tready: true,
        ..Default::default()
    };
    let mut mux = TxMux::default();
    for token in 0..8 {
        let s_signal_hdr = Hdr::new(&HeaderWire { token, ..signal }, 11);
        let picked = tx_mux::Inputs { pick_signal: true, grant_signal: true, ..ports };
        let o = mux.outputs(&tx_mux::Inputs { s_signal_hdr, ..picked });
        assert_eq!(o.m_hdr.token(), if token < 2 { 7 } else { token });
        assert_eq!((o.m_hdr.mac(), o.m_hdr.c_st()), (ports.cfg_mac, 8));
        assert_eq!((o.m_hdr.node_id(), o.m_hdr.multi_g(), o.m_hdr.len()), (9, 10, 11));
    }
    let grant = tx_mux::Inputs { pick_data: true, grant_data: true, ..ports };
    let o = mux.outputs(&grant);
    assert_eq!(
        (o.m_hdr.token(), o.m_hdr.c_st(), o.m_hdr.node_id(), o.m_hdr.multi_g()),
        (1, 0, 5, 0)
    );
    assert_eq!(
        (o.m_hdr.act_seq(), o.m_hdr.packet_cnt(), o.m_hdr.addr(), o.m_hdr.len()),
        (3, 4, 6, 7)
    );
    mux.clock(&grant);
    let o = mux.outputs(&ports);
    assert_eq!(o.tx_class, TxClass::Data.code());
    assert_eq!(
        (o.s_data_axis_tready, o.s_signal_axis_tready, o.m_axis.tvalid),
        (true, false, true)
    );
    let grant = tx_mux::Inputs { grant_free: true, ..ports };
    let o = mux.outputs(&grant);
    let fields =
        (o.m_hdr.token(), o.m_hdr.node_id(), o.m_hdr.packet_cnt(), o.m_hdr.addr(), o.m_hdr.len());
    assert_eq!(fields, (0, 5, 0, 0, 0));
    mux.clock(&grant);
    let o = mux.outputs(&ports);
    assert_eq!(
        (o.s_data_axis_tready, o.s_signal_axis_tready, o.m_axis.tvalid),
        (false, false, false)
    );
}
