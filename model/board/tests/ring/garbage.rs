// SPDX-License-Identifier: MIT OR Apache-2.0
//! A node whose link in carries anything, while it sends as much as it can. Checks NODE-5 to
//! NODE-9, NODE-14, NODE-15, NODE-17, NODE-21.

use super::feed::{Change, Feed, Feeds, OWN, Piece, changed, feeds, frame_bytes, words_of};
use super::monitor::{Law, Seen, no_overflow, word_out};
use super::seeded::seeded;
use awgstar_board::ring::{Word, node_mac};
use awgstar_board::rtl::RingNode;
use awgstar_board::rtl::ring_node::Inputs;
use awgstar_frame::contract::{Counter, Token};
use proptest::prelude::*;

proptest! {
    #![proptest_config(seeded(300))]

    /// NODE-8, NODE-9, NODE-14, NODE-17: whatever comes in, the link out keeps its law, the buffer
    /// never overflows, own frames are good, and nothing bad is delivered.
    #[test]
    fn whatever_comes_in(feeds in feeds()) {
        let mut node = RingNode::default();
        let mut feed = Feed::new(&feeds);
        let mut law = Law::default();
        let mut out: Vec<Seen> = Vec::new();
        for cycle in 0..6_000 {
            let inputs = feed.inputs(cycle);
            no_overflow(cycle, &node, &inputs);
            let outputs = node.step(&inputs);
            feed.took(&inputs, &outputs);
            if cycle >= 1 {
                out.extend(law.word(cycle, word_out(&outputs)));
            }
        }
        // NODE-14: a frame with our MAC behind us, not free, is one we sent: own frames that came
        // in were stripped (NODE-3). It is whole and good, and its Node_ID is ours if it is data.
        for seen in &out {
            if let Some(frame) = seen.frame()
                && frame.mac == node_mac(OWN)
                && frame.token == Token::Data
            {
                prop_assert_eq!(frame.node_id, 3);
            }
        }
        let reserved = out.iter().filter(|s| [2, 7].contains(&(s.bytes[6] >> 5)) && !s.aborted);
        prop_assert_eq!(reserved.count(), 0, "NODE-5");
    }
}

/// One node, one thing on its link; gives what came out and the counters.
fn one(link: Vec<Option<Word>>) -> (Vec<Seen>, RingNode) {
    let feeds = Feeds {
        pieces: Vec::new(),
        issue: Vec::new(),
        monitor: false,
        discard: Vec::new(),
        data: Vec::new(),
        signals: Vec::new(),
        lazy: false,
    };
    let mut feed = Feed::new(&feeds);
    feed.link = link;
    let (mut node, mut law, mut out) = (RingNode::default(), Law::default(), Vec::new());
    for cycle in 0..1_000 {
        let outputs = node.step(&feed.inputs(cycle));
        if cycle >= 1 {
            out.extend(law.word(cycle, word_out(&outputs)));
        }
    }
    (out, node)
}

fn counted(node: &RingNode, counter: Counter) -> u32 {
    node.u_counters.mem[usize::from(counter.code())]
}

fn foreign(token: u8, len: usize) -> Vec<Option<Word>> {
    words_of(&frame_bytes(node_mac(9), token, 1, len)).into_iter().map(Some).collect()
}

/// NODE-6: the word at fault becomes the abort word, the rest is swallowed, the next frame passes.
#[test]
fn cut_where_the_fault_is() {
    for (at, change) in [
        (5, Change::Missing),
        (5, Change::Keep(7)),
        (16, Change::Keep(0b0101)),
        (16, Change::Keep(0)),
    ] {
        let mut link = foreign(5, 50);
        let whole = link.len();
        link[at] = link[at].and_then(|w| changed(w, change));
        link.push(None);
        link.extend(foreign(5, 50));
        let (out, node) = one(link);
        assert_eq!(counted(&node, Counter::Cut), 1, "{change:?}");
        assert_eq!(counted(&node, Counter::Passed), 2);
        assert_eq!(out.len(), 2);
        assert!(out[0].aborted && !out[1].aborted);
        assert_eq!(out[0].bytes.len(), 4 * at + 4, "{whole} words");
        assert_eq!(out[0].bytes[4 * at..], [0; 4]);
        assert!(out[1].frame().is_some());
        assert_eq!(counted(&node, Counter::Delivered), 1);
    }
}

/// NODE-6: word 260 without `tlast` is cut there.
#[test]
fn cut_when_over_long() {
    let word = Word { data: 0x0a0a_0a0a, keep: 15, last: false, user: false };
    for (words, cut) in [(261usize, 0), (262, 1), (400, 1)] {
        let mut link = vec![Some(word); words];
        link[words - 1] = Some(Word { last: true, ..word });
        let (out, node) = one(link);
        assert_eq!(counted(&node, Counter::Cut), cut, "{words} words");
        assert_eq!((out.len(), out[0].bytes.len(), out[0].aborted), (1, 4 * 261, cut == 1));
    }
}

/// NODE-7: no idle word before it, no second word, a first word that is the last or not full.
#[test]
fn dropped_whole() {
    let good = foreign(5, 46);
    let mut defects = Vec::new();
    let mut no_idle = good.clone();
    no_idle.extend(good.clone());
    defects.push((no_idle, 1));
    let mut gap = good.clone();
    gap.insert(1, None);
    defects.push((gap, 0));
    for (at, change) in [(0, Change::Last), (0, Change::Keep(7)), (1, Change::Keep(3))] {
        let mut link = good.clone();
        link[at] = link[at].and_then(|w| changed(w, change));
        if matches!(change, Change::Last) {
            link.truncate(1);
        }
        defects.push((link, 0));
    }
    for (mut link, passed) in defects {
        link.push(None);
        link.extend(good.clone());
        let (out, node) = one(link);
        assert_eq!(counted(&node, Counter::Dropped), 1);
        assert_eq!(out.len(), passed + 1);
        assert!(out.iter().all(|s| s.frame().is_some()));
    }
}

/// NODE-3, NODE-5: own frames and reserved TOKENs do not leave; a free token of our own does.
#[test]
fn stripped_and_absorbed() {
    for token in 0..8 {
        for own in [true, false] {
            let mac = node_mac(if own { OWN } else { 9 });
            let bytes = frame_bytes(mac, token, 1, 46);
            let (out, node) = one(words_of(&bytes).into_iter().map(Some).collect());
            let reserved = token == 2 || token == 7;
            let passed = !reserved && (!own || token == 0);
            // An own data token leaves its token, which goes on as a free one (NODE-4, NODE-12).
            let token_goes_on = own && token == 1;
            let same = out.iter().filter(|s| s.bytes == bytes).count();
            assert_eq!(same, usize::from(passed), "TOKEN {token}, own {own}");
            assert_eq!(out.len(), same + usize::from(token_goes_on));
            assert!(out.iter().all(|s| !s.monitor && s.frame().is_some()));
            assert_eq!(counted(&node, Counter::Reserved), u32::from(reserved));
            assert_eq!(counted(&node, Counter::Passed), u32::from(passed));
            let returned = own && !reserved && token != 0;
            assert_eq!(counted(&node, Counter::ReturnedGood), u32::from(returned));
        }
    }
}

/// NODE-1: M is passed on as it came.
#[test]
fn m_is_passed_on() {
    let mut link = foreign(5, 46);
    link[0] = link[0].and_then(|w| changed(w, Change::User));
    let (out, _) = one(link);
    assert!(out[0].monitor && !out[0].aborted);
}

/// NODE-21: a reset in the middle of everything; nothing of before leaves afterwards.
#[test]
fn reset_leaves_nothing() {
    let feeds = Feeds {
        pieces: (0..10)
            .map(|_| Piece::Frame { own: false, token: 5, len: 300, change: None })
            .collect(),
        issue: vec![10, 11],
        monitor: true,
        discard: vec![(30, 5)],
        data: vec![700],
        signals: vec![(5, 200)],
        lazy: true,
    };
    for reset in 20..400 {
        let (mut node, mut feed) = (RingNode::default(), Feed::new(&feeds));
        for cycle in 0..reset {
            let inputs = feed.inputs(cycle);
            let outputs = node.step(&inputs);
            feed.took(&inputs, &outputs);
        }
        let quiet = Inputs { cfg_mac: node_mac(OWN).to_u64(), ..Inputs::default() };
        node.step(&Inputs { rst: true, ..quiet });
        for _ in 0..400 {
            let o = node.step(&quiet);
            let valid = [
                o.m_axis.tvalid,
                o.m_rx_hdr_valid,
                o.m_rx_axis.tvalid,
                o.m_ret_valid,
                o.m_sent_valid,
            ];
            assert_eq!((valid, o.held), ([false; 5], 0), "reset in cycle {reset}");
        }
    }
}

/// NODE-9: the link in is full, and the node sends two frames of its own back to back, which for
/// some lengths fills the buffer; every frame that came in leaves whole.
#[test]
fn full_to_the_brim() {
    for first in [1024, 1000] {
        for second in 1..=1024 {
            let pieces = vec![Piece::Frame { own: false, token: 5, len: 1024, change: None }; 10];
            let feeds = Feeds {
                pieces,
                issue: vec![302],
                monitor: false,
                discard: Vec::new(),
                data: vec![first],
                signals: vec![(5, second)],
                lazy: false,
            };
            let (mut node, mut feed) = (RingNode::default(), Feed::new(&feeds));
            let (mut law, mut out) = (Law::default(), Vec::new());
            for cycle in 0..5_000 {
                let inputs = feed.inputs(cycle);
                no_overflow(cycle, &node, &inputs);
                let outputs = node.step(&inputs);
                feed.took(&inputs, &outputs);
                if cycle >= 1 {
                    out.extend(law.word(cycle, word_out(&outputs)));
                }
            }
            assert!(out.iter().all(|s: &Seen| s.frame().is_some()), "{first} behind {second}");
            assert_eq!(
                out.iter().filter(|s| s.frame().is_some_and(|f| f.mac == node_mac(9))).count(),
                10
            );
        }
    }
}
