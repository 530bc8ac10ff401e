// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stimulus for a node alone: anything on its link in, and its ports in use.

use awgstar_board::ring::{Word, node_mac};
use awgstar_board::rtl::ring_node::{Inputs, Outputs};
use awgstar_frame::codec::{Frame, Mac};
use awgstar_frame::contract::{Hdr, HeaderWire, Token};
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
    // M too: a monitor looks at it.
    let change = prop_oneof![3 => (at, change), 1 => Just((0, Change::User))];
    let frame = (any::<bool>(), 0u8..8, len, prop::option::of(change))
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
    pub(crate) pieces: Vec<Piece>,
    pub(crate) issue: Vec<u64>,
    pub(crate) monitor: bool,
    /// First cycle of `discard` and how many.
    pub(crate) discard: Vec<(u64, u64)>,
    pub(crate) data: Vec<usize>,
    pub(crate) signals: Vec<(u8, usize)>,
    pub(crate) lazy: bool,
}

pub(crate) fn feeds() -> impl Strategy<Value = Feeds> {
    let len = prop_oneof![0usize..60, 0usize..=1024, 1000usize..1100];
    (
        prop::collection::vec(piece(), 1..60),
        prop::collection::vec(4u64..2000, 0..6),
        any::<bool>(),
        prop::collection::vec((4u64..2000, prop_oneof![Just(1u64), 1u64..200]), 0..3),
        prop::collection::vec(len.clone(), 0..4),
        prop::collection::vec((0u8..8, len), 0..4),
        any::<bool>(),
    )
        .prop_map(|(pieces, issue, monitor, discard, data, signals, lazy)| Feeds {
            pieces,
            issue,
            monitor,
            discard,
            data,
            signals,
            lazy,
        })
}

/// The node that is fed.
pub(crate) const OWN: usize = 3;

pub(crate) fn words_of(bytes: &[u8]) -> Vec<Word> {
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
    let fcs = awgstar_frame::codec::fcs::compute(&bytes[..at]).to_le_bytes();
    bytes[at..].copy_from_slice(&fcs);
    bytes
}

/// Turns the stimulus into inputs, cycle by cycle.
pub(crate) struct Feed {
    pub(crate) link: Vec<Option<Word>>,
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
            cfg_monitor: self.feeds.monitor,
            issue: self.feeds.issue.contains(&cycle),
            discard: self.feeds.discard.iter().any(|&(at, n)| (at..at + n).contains(&cycle)),
            m_rx_hdr_ready: !self.feeds.lazy || cycle.is_multiple_of(50),
            m_rx_axis_tready: !self.feeds.lazy || cycle.is_multiple_of(3),
            count_addr: cycle.to_le_bytes()[0] & 15,
            ..Inputs::default()
        };
        let at = usize::try_from(cycle).expect("small");
        if let Some(Some(word)) = self.link.get(at.wrapping_sub(6)) {
            (i.s_axis.tvalid, i.s_axis.tdata) = (true, word.data);
            (i.s_axis.tkeep, i.s_axis.tlast, i.s_axis.tuser) = (word.keep, word.last, word.user);
        }
        if let Some(&len) = cyclic(&self.feeds.data, self.data.0) {
            i.s_data_hdr_valid = cycle >= 4;
            let packet_cnt = self.data.0.to_le_bytes()[0];
            let header = HeaderWire { packet_cnt, ..HeaderWire::default() };
            i.s_data_hdr = Hdr::new(&header, u16::try_from(len).expect("small"));
        }
        if let Some(&(token, len)) = cyclic(&self.feeds.signals, self.signal.0) {
            i.s_signal_hdr_valid = cycle >= 4 && cycle % 700 > 300;
            let packet_cnt = self.signal.0.to_le_bytes()[0];
            let header = HeaderWire { token, packet_cnt, ..HeaderWire::default() };
            i.s_signal_hdr = Hdr::new(&header, u16::try_from(len).expect("small"));
        }
        // The payload of the frame that was taken last.
        let len = cyclic(&self.feeds.data, self.data.0.wrapping_sub(1)).copied().unwrap_or(0);
        (i.s_data_axis.tvalid, i.s_data_axis.tkeep, i.s_data_axis.tlast) = beat(len, self.data.1);
        i.s_data_axis.tdata = 0x0101_0101 * u32::from(self.data.1.to_le_bytes()[0]);
        let len = cyclic(&self.feeds.signals, self.signal.0.wrapping_sub(1)).map_or(0, |s| s.1);
        (i.s_signal_axis.tvalid, i.s_signal_axis.tkeep, i.s_signal_axis.tlast) =
            beat(len, self.signal.1);
        i.s_signal_axis.tdata = 0x1010_1010;
        i
    }

    pub(crate) fn took(&mut self, i: &Inputs, o: &Outputs) {
        if i.rst {
            // What was under way is gone with the node's.
            self.data.1 = usize::MAX / 8;
            self.signal.1 = usize::MAX / 8;
            return;
        }
        if o.s_data_axis_tready && i.s_data_axis.tvalid {
            self.data.1 += 1;
        }
        if o.s_signal_axis_tready && i.s_signal_axis.tvalid {
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

pub(crate) fn changed(word: Word, change: Change) -> Option<Word> {
    match change {
        Change::Missing => None,
        Change::Keep(keep) => Some(Word { keep, ..word }),
        Change::Last => Some(Word { last: true, ..word }),
        Change::NotLast => Some(Word { last: false, ..word }),
        Change::Flip(bit) => Some(Word { data: word.data ^ 1 << bit, ..word }),
        Change::User => Some(Word { user: true, ..word }),
    }
}
