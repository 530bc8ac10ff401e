// SPDX-License-Identifier: MIT OR Apache-2.0
//! Helpers of the classes. Each states the verdict it expects and stops generation when the
//! reference disagrees: a vector's promise and its expectation come from two places.

use crate::vectors::pattern::nonzero;
use crate::vectors::reference::{frame, judge, seal, transmit};
use crate::vectors::vector::{Class, FrameVector, Note, Vectors};
use crate::vectors::word::{Word, words};
use awgstar::contract::{Check, HeaderWire, Token, TxStatus};

/// A header whose fields all differ from those of its neighbours `i - 1` and `i + 1`.
pub(super) fn header(token: u8, i: usize) -> HeaderWire {
    let [a, b, c, top, ..] = i.to_le_bytes();
    HeaderWire {
        mac: u64::from_be_bytes([0, 0, 0x02, !a, a ^ 0x57, b, !b, a]),
        token,
        c_st: 0,
        node_id: a.wrapping_mul(5).wrapping_add(3),
        multi_g: a.wrapping_mul(7) & 0xF,
        act_seq: !a & 0xF,
        packet_cnt: a ^ 0x3C,
        addr: u32::from_be_bytes([top ^ 0x12, c.wrapping_add(a), !b ^ a, a.wrapping_mul(3)]),
    }
}

/// [`header`] of a data token.
pub(super) fn data_header(i: usize) -> HeaderWire {
    header(Token::Data.code(), i)
}

/// A good data token of `frame_bytes` bytes (64 to 1,042), as bytes.
pub(super) fn data_frame(frame_bytes: usize, i: usize) -> Vec<u8> {
    seal(&data_header(i), &nonzero(i as u64, frame_bytes - 18))
}

/// `items` from both ends in turn: first, last, second, last but one, ...
pub(super) fn from_both_ends<T>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut rest: std::collections::VecDeque<T> = items.into_iter().collect();
    let mut out = Vec::new();
    while let Some(item) = rest.pop_front() {
        out.push(item);
        out.extend(rest.pop_back());
    }
    out
}

/// A class in the making.
#[derive(Default)]
pub(super) struct Frames(Vec<FrameVector>);

impl Frames {
    /// Number of vectors so far.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// A good frame, for both modules.
    pub(super) fn good(&mut self, comment: impl Into<String>, header: &HeaderWire, valid: &[u8]) {
        let comment = comment.into();
        let payload = words(valid);
        let (status, wire) = transmit(header, valid.len(), &payload);
        assert_eq!(status, TxStatus::Ok, "{comment}");
        let seen = judge(&wire);
        assert_eq!(seen.check, Check::Ok, "{comment}");
        assert_eq!(seen.len, valid.len(), "{comment}: one len for both modules");
        self.0.push(FrameVector {
            note: note(comment),
            tx: true,
            rx: true,
            monitor: false,
            check: Check::Ok,
            tx_status: status,
            header: seen.header,
            len: short(valid.len()),
            wire,
            tx_payload: payload,
            rx_payload: words(&seen.data),
        });
    }

    /// A good data token of `len` valid bytes at `frame_rx`: what came before must not show.
    pub(super) fn good_after(&mut self, len: usize) {
        let i = self.count();
        let bytes = frame(&data_header(i), &nonzero(!(i as u64), len));
        self.bytes("good after it", &bytes, Check::Ok);
    }

    /// A good data token of `len` valid bytes at `frame_tx`: what came before must not show.
    pub(super) fn sent_after(&mut self, len: usize) {
        let i = self.count();
        let beats = words(&nonzero(!(i as u64), len));
        self.sent("good after it", &data_header(i), len, beats, TxStatus::Ok);
    }

    /// Words at `frame_rx`, with the verdict they are made for.
    pub(super) fn received(
        &mut self,
        comment: impl Into<String>,
        wire: Vec<Word>,
        promised: Check,
    ) {
        let comment = comment.into();
        let seen = judge(&wire);
        assert_eq!(seen.check, promised, "{comment}");
        self.0.push(FrameVector {
            note: note(comment),
            tx: false,
            rx: true,
            monitor: wire.first().is_some_and(|word| word.user),
            check: seen.check,
            tx_status: TxStatus::Ok,
            header: seen.header,
            len: short(seen.len),
            wire,
            tx_payload: Vec::new(),
            rx_payload: words(&seen.data),
        });
    }

    /// Bytes at `frame_rx`, with the verdict they are made for.
    pub(super) fn bytes(&mut self, comment: impl Into<String>, whole: &[u8], promised: Check) {
        self.received(comment, words(whole), promised);
    }

    /// Fields and payload beats at `frame_tx`, with the verdict they are made for.
    pub(super) fn sent(
        &mut self,
        comment: impl Into<String>,
        header: &HeaderWire,
        len: usize,
        beats: Vec<Word>,
        promised: TxStatus,
    ) {
        let comment = comment.into();
        let (status, wire) = transmit(header, len, &beats);
        assert_eq!(status, promised, "{comment}");
        self.0.push(FrameVector {
            note: note(comment),
            tx: true,
            rx: false,
            monitor: false,
            check: Check::Ok,
            tx_status: status,
            header: *header,
            len: short(len),
            wire,
            tx_payload: beats,
            rx_payload: Vec::new(),
        });
    }

    /// Sets the requirements of the last vector, in place of those of the class.
    pub(super) fn cites(&mut self, requirements: &[&str]) {
        if let Some(vector) = self.0.last_mut() {
            vector.note.requirements = owned(requirements);
        }
    }

    /// Closes the class.
    pub(super) fn class(self, name: &str, cites: &[&str], bug_class: &str, effect: &str) -> Class {
        class(name, cites, bug_class, effect, Vectors::Frame(self.0))
    }
}

/// A class from its parts.
pub(super) fn class(
    name: &str,
    requirements: &[&str],
    bug_class: &str,
    effect: &str,
    vectors: Vectors,
) -> Class {
    Class {
        name: name.into(),
        requirements: owned(requirements),
        bug_class: bug_class.into(),
        effect: effect.into(),
        vectors,
    }
}

/// Makes a note with the requirements of the class.
pub(super) fn note(comment: impl Into<String>) -> Note {
    Note { comment: comment.into(), requirements: Vec::new() }
}

fn owned(ids: &[&str]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

fn short(len: usize) -> u16 {
    u16::try_from(len).expect("lengths fit 16 bits")
}
