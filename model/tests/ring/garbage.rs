//! A node whose link in carries anything, while it sends as much as it can. Checks NODE-5 to
//! NODE-9, NODE-14, NODE-15, NODE-17, NODE-21.

use super::monitor::{Law, Seen, no_overflow, word_out};
use awgstar::contract::{Counter, Token};
use awgstar::frame::{Frame, Mac};
use awgstar::ring::{Word, node_mac};
use awgstar::rtl::RingNode;
use awgstar::rtl::ring_node::{Inputs, Outputs};
use proptest::prelude::*;

/// What comes in next on the link.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// No word for so many cycles.
    Idle(u64),
    /// Words as they are.
    Words(Vec<Word>),
    /// A frame, with perhaps a word changed: (index, what).
    Frame { own: bool, token: u8, len: usize, change: Option<(usize, Change)> },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    Missing,
    Keep(u8),
    Last,
    NotLast,
    Flip(u32),
    User,
}

fn word() -> impl Strategy<Value = Word> {
    let keep = prop_oneof![3 => Just(15u8), 1 => 0u8..16];
    (any::<u32>(), keep, prop::bool::weighted(0.1), any::<bool>())
        .prop_map(|(data, keep, last, user)| Word { data, keep, last, user })
}

fn piece() -> impl Strategy<Value = Piece> {
    let change = prop_oneof![
        Just(Change::Missing),
        (0u8..16).prop_map(Change::Keep),
        Just(Change::Last),
        Just(Change::NotLast),
        (0u32..32).prop_map(Change::Flip),
        Just(Change::User),
    ];
    let at = prop_oneof![0usize..6, 0usize..262, 255usize..262];
    let len = prop_oneof![0usize..50, 0usize..=1024, Just(1024usize)];
    let frame = (any::<bool>(), 0u8..8, len, prop::option::of((at, change)))
        .prop_map(|(own, token, len, change)| Piece::Frame { own, token, len, change });
    prop_oneof![
        4 => prop_oneof![Just(1u64), 0u64..4, 0u64..300].prop_map(Piece::Idle),
        2 => prop::collection::vec(word(), 1..20).prop_map(Piece::Words),
        1 => prop::collection::vec(word(), 300..600).prop_map(Piece::Words),
        8 => frame,
    ]
}

/// Stimulus of a node: what comes in, tokens, and lengths of data and signals to be sent in turn.
#[derive(Clone, Debug)]
pub(crate) struct Feeds {
    pieces: Vec<Piece>,
    issue: Vec<u64>,
    data: Vec<usize>,
    signals: Vec<(u8, usize)>,
    lazy: bool,
}

pub(crate) fn feeds() -> impl Strategy<Value = Feeds> {
    let len = prop_oneof![0usize..60, 0usize..=1024, 1000usize..1100];
    (
        prop::collection::vec(piece(), 1..60),
        prop::collection::vec(4u64..2000, 0..6),
        prop::collection::vec(len.clone(), 0..4),
        prop::collection::vec((0u8..8, len), 0..4),
        any::<bool>(),
    )
        .prop_map(|(pieces, issue, data, signals, lazy)| Feeds {
            pieces,
            issue,
            data,
            signals,
            lazy,
        })
}

const OWN: usize = 3;

fn words_of(bytes: &[u8]) -> Vec<Word> {
    let chunks = bytes.chunks(4);
    let n = chunks.len();
    let one = |(k, chunk): (usize, &[u8])| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        let keep = 0b1111 >> (4 - chunk.len());
        Word { data: u32::from_le_bytes(word), keep, last: k + 1 == n, user: false }
    };
    chunks.enumerate().map(one).collect()
}

/// Bytes of a frame with a TOKEN of any code and a good FCS.
pub(crate) fn frame_bytes(mac: Mac, token: u8, node_id: u8, len: usize) -> Vec<u8> {
    let data: Vec<u8> = (0..len.max(1)).map(|k| k.to_le_bytes()[0]).collect();
    let known = Token::from_code(token).unwrap_or(Token::Broadcast);
    let data = if known == Token::Free { &[] } else { &data[..] };
    let frame = Frame { node_id, ..Frame::new(known, mac, data) };
    let mut bytes = vec![0; frame.encoded_len()];
    frame.encode(&mut bytes).expect("a good frame");
    bytes[6] = bytes[6] & 31 | token << 5;
    let at = bytes.len() - 4;
    let fcs = awgstar::frame::fcs::compute(&bytes[..at]).to_le_bytes();
    bytes[at..].copy_from_slice(&fcs);
    bytes
}

/// Turns the stimulus into inputs, cycle by cycle.
pub(crate) struct Feed {
    link: Vec<Option<Word>>,
    feeds: Feeds,
    data: (usize, usize),
    signal: (usize, usize),
}

impl Feed {
    pub(crate) fn new(feeds: &Feeds) -> Self {
        let mut link = Vec::new();
        for piece in &feeds.pieces {
            match piece {
                Piece::Idle(n) => link.extend((0..*n).map(|_| None)),
                Piece::Words(words) => link.extend(words.iter().map(|&w| Some(w))),
                Piece::Frame { own, token, len, change } => {
                    let mac = node_mac(if *own { OWN } else { 9 });
                    let mut words: Vec<_> = words_of(&frame_bytes(mac, *token, 1, *len))
                        .into_iter()
                        .map(Some)
                        .collect();
                    if let Some((at, change)) = change {
                        let at = at % words.len();
                        words[at] = words[at].and_then(|w| changed(w, *change));
                    }
                    link.extend(words);
                    link.push(None);
                }
            }
        }
        Feed { link, feeds: feeds.clone(), data: (0, 0), signal: (0, 0) }
    }

    pub(crate) fn inputs(&self, cycle: u64) -> Inputs {
        let mut i = Inputs {
            rst: cycle < 4,
            cfg_mac: node_mac(OWN).to_u64(),
            cfg_node_id: 3,
            cfg_groups: 0x00ff,
            issue: self.feeds.issue.contains(&cycle),
            m_rx_hdr_ready: !self.feeds.lazy || cycle.is_multiple_of(50),
            m_rx_axis_tready: !self.feeds.lazy || cycle.is_multiple_of(3),
            count_addr: cycle.to_le_bytes()[0] & 15,
            ..Inputs::default()
        };
        let at = usize::try_from(cycle).expect("small");
        if let Some(Some(word)) = self.link.get(at.wrapping_sub(6)) {
            (i.s_axis_tvalid, i.s_axis_tdata) = (true, word.data);
            (i.s_axis_tkeep, i.s_axis_tlast, i.s_axis_tuser) = (word.keep, word.last, word.user);
        }
        if let Some(&len) = cyclic(&self.feeds.data, self.data.0) {
            i.s_data_hdr_valid = cycle >= 4;
            i.s_data_hdr_len = u16::try_from(len).expect("small");
            i.s_data_hdr_packet_cnt = self.data.0.to_le_bytes()[0];
        }
        if let Some(&(token, len)) = cyclic(&self.feeds.signals, self.signal.0) {
            i.s_signal_hdr_valid = cycle >= 4 && cycle % 700 > 300;
            i.s_signal_hdr_token = token;
            i.s_signal_hdr_len = u16::try_from(len).expect("small");
            i.s_signal_hdr_packet_cnt = self.signal.0.to_le_bytes()[0];
        }
        // The payload of the frame that was taken last.
        let len = cyclic(&self.feeds.data, self.data.0.wrapping_sub(1)).copied().unwrap_or(0);
        (i.s_data_axis_tvalid, i.s_data_axis_tkeep, i.s_data_axis_tlast) = beat(len, self.data.1);
        i.s_data_axis_tdata = 0x0101_0101 * u32::from(self.data.1.to_le_bytes()[0]);
        let len = cyclic(&self.feeds.signals, self.signal.0.wrapping_sub(1)).map_or(0, |s| s.1);
        (i.s_signal_axis_tvalid, i.s_signal_axis_tkeep, i.s_signal_axis_tlast) =
            beat(len, self.signal.1);
        i.s_signal_axis_tdata = 0x1010_1010;
        i
    }

    pub(crate) fn took(&mut self, i: &Inputs, o: &Outputs) {
        if i.rst {
            // What was under way is gone with the node's.
            self.data.1 = usize::MAX / 8;
            self.signal.1 = usize::MAX / 8;
            return;
        }
        if o.s_data_axis_tready && i.s_data_axis_tvalid {
            self.data.1 += 1;
        }
        if o.s_signal_axis_tready && i.s_signal_axis_tvalid {
            self.signal.1 += 1;
        }
        if o.s_data_hdr_ready {
            self.data = (self.data.0 + 1, 0);
        }
        if o.s_signal_hdr_ready {
            self.signal = (self.signal.0 + 1, 0);
        }
    }
}

fn cyclic<T>(list: &[T], k: usize) -> Option<&T> {
    list.get(k.checked_rem(list.len())?)
}

fn beat(len: usize, k: usize) -> (bool, u8, bool) {
    match len.saturating_sub(4 * k) {
        0 => (false, 0, false),
        left @ 1..=4 => (true, 0b1111 >> (4 - left), true),
        _ => (true, 15, false),
    }
}

fn changed(word: Word, change: Change) -> Option<Word> {
    match change {
        Change::Missing => None,
        Change::Keep(keep) => Some(Word { keep, ..word }),
        Change::Last => Some(Word { last: true, ..word }),
        Change::NotLast => Some(Word { last: false, ..word }),
        Change::Flip(bit) => Some(Word { data: word.data ^ 1 << bit, ..word }),
        Change::User => Some(Word { user: true, ..word }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

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
                o.m_axis_tvalid,
                o.m_rx_hdr_valid,
                o.m_rx_axis_tvalid,
                o.m_ret_valid,
                o.m_sent_valid,
            ];
            assert_eq!((valid, o.held), ([false; 5], 0), "reset in cycle {reset}");
        }
    }
}

/// NODE-9: the link in is full, and the node sends two frames of its own back to back, which for
/// some lengths brings the buffer to its brim; every frame that came in leaves whole.
#[test]
fn full_to_the_brim() {
    for first in [1024, 1000] {
        for second in 1..=1024 {
            let pieces = vec![Piece::Frame { own: false, token: 5, len: 1024, change: None }; 10];
            let feeds = Feeds {
                pieces,
                issue: vec![302],
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
