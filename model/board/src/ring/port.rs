// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sending side of a host: one of the node's two ports.

use super::scenario::Outgoing;
use awgstar_frame::contract::{Hdr, HeaderWire};
use awgstar_frame::quantity::narrow;
use std::collections::VecDeque;

/// Payload of a frame, a beat at a time.
#[derive(Clone, Debug)]
enum Bytes {
    Given(Vec<u8>),
    /// That of [`pattern`].
    Pattern {
        node: usize,
        count: u64,
        len: u16,
    },
}

/// Word `k` of the payload that saturation sends as frame `count` of a node.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a pattern")]
const fn pattern_word(node: usize, count: u64, k: u32) -> u32 {
    let seed = (count as u32) << 8 | node as u32 & 0xff;
    seed.wrapping_mul(0x9E37_79B9).wrapping_add(k.wrapping_mul(0x85EB_CA6B))
}

/// Valid bytes of frame `count` that saturation sends from a node.
#[must_use]
pub fn pattern(node: usize, count: u64, len: u16) -> Vec<u8> {
    let words = u32::from(len.div_ceil(4));
    let mut bytes: Vec<u8> =
        (0..words).flat_map(|k| pattern_word(node, count, k).to_le_bytes()).collect();
    bytes.truncate(len.into());
    bytes
}

/// A header on the port.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) hdr: Hdr,
    bytes: Bytes,
}

/// A payload beat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat {
    pub(super) data: u32,
    pub(super) keep: u8,
    pub(super) last: bool,
}

/// Frames that wait, the one whose header is offered, and the one whose payload is being taken.
#[derive(Clone, Debug)]
pub(super) struct Port {
    node: usize,
    queue: VecDeque<(u64, Outgoing)>,
    /// Length of the frames of saturation, and how many were offered.
    saturate: Option<(u16, u64)>,
    offer: Option<Offer>,
    payload: Option<(Bytes, u32)>,
}

impl Port {
    pub(super) fn new(node: usize) -> Self {
        Port { node, queue: VecDeque::new(), saturate: None, offer: None, payload: None }
    }

    pub(super) fn push(&mut self, cycle: u64, frame: Outgoing) {
        self.queue.push_back((cycle, frame));
    }

    pub(super) fn saturate(&mut self, len: u16) {
        self.saturate = Some((len, 0));
    }

    /// Nothing is offered or waits, saturation aside.
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.offer.is_none() && self.payload.is_none()
    }

    /// Cycle in which the next header comes onto the port, if none is there.
    #[inline]
    pub(super) fn due(&self) -> u64 {
        match (&self.offer, self.saturate, self.queue.front()) {
            (Some(_), ..) | (None, None, None) => u64::MAX,
            (None, Some(_), _) => 0,
            (None, None, Some(&(cycle, _))) => cycle,
        }
    }

    /// The header that comes onto the port in `cycle`, if one is due and the port is free.
    #[inline]
    pub(super) fn offer(&mut self, cycle: u64) -> Option<&Offer> {
        if self.due() > cycle {
            return None;
        }
        let next = match self.queue.front() {
            Some(&(not_before, _)) if not_before <= cycle => {
                self.queue.pop_front().map(|(_, frame)| given(frame))
            }
            _ => None,
        };
        self.offer = next.or_else(|| self.saturation());
        self.offer.as_ref()
    }

    fn saturation(&mut self) -> Option<Offer> {
        let node = self.node;
        let (len, count) = self.saturate.as_mut()?;
        let bytes = Bytes::Pattern { node, count: *count, len: *len };
        let packet_cnt = count.to_le_bytes()[0];
        *count += 1;
        let header = HeaderWire { packet_cnt, ..HeaderWire::default() };
        Some(Offer { hdr: Hdr::new(&header, *len), bytes })
    }

    /// The header was taken: its payload is next. Gives its first beat.
    pub(super) fn taken(&mut self) -> Option<Beat> {
        let offer = self.offer.take()?;
        self.payload = if offer.hdr.is_empty() { None } else { Some((offer.bytes, 0)) };
        self.beat()
    }

    /// The beat on the port was taken: gives the next one.
    #[inline]
    pub(super) fn beat_taken(&mut self) -> Option<Beat> {
        if let Some((_, k)) = &mut self.payload {
            *k += 1;
        }
        let beat = self.beat();
        if beat.is_none() {
            self.payload = None;
        }
        beat
    }

    #[inline]
    fn beat(&self) -> Option<Beat> {
        let (bytes, k) = self.payload.as_ref()?;
        let (k, at) = (*k, *k as usize * 4);
        let (data, left) = match bytes {
            Bytes::Given(bytes) => {
                let left = bytes.get(at..)?;
                let mut word = [0; 4];
                let n = left.len().min(4);
                word[..n].copy_from_slice(&left[..n]);
                (u32::from_le_bytes(word), left.len())
            }
            Bytes::Pattern { node, count, len } => {
                (pattern_word(*node, *count, k), usize::from(*len).saturating_sub(at))
            }
        };
        match left {
            0 => None,
            1..=4 => Some(Beat { data, keep: 0b1111 >> (4 - left), last: true }),
            _ => Some(Beat { data, keep: 0b1111, last: false }),
        }
    }
}

fn given(frame: Outgoing) -> Offer {
    let header = HeaderWire {
        token: frame.token.code(),
        c_st: frame.c_st,
        node_id: frame.node_id,
        multi_g: frame.multi_g,
        act_seq: frame.act_seq,
        packet_cnt: frame.packet_cnt,
        addr: frame.addr,
        ..HeaderWire::default()
    };
    let len = narrow(frame.data.len());
    Offer { hdr: Hdr::new(&header, len), bytes: Bytes::Given(frame.data) }
}
