// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random frames: each seed gives a class, beyond the golden ones (VEC-2).

use crate::vectors::classes::build::{Frames, header};
use crate::vectors::pattern::nonzero;
use crate::vectors::reference::{frame, judge, seal, transmit};
use crate::vectors::vector::Class;
use crate::vectors::word::{Word, words};
use awgstar::contract::{HeaderWire, Token};
use awgstar::quantity::narrow;
use awgstar::random::SplitMix64;

/// A class of `count` vectors from `seed`.
#[must_use]
pub fn random(seed: u64, count: usize) -> Class {
    let mut any = Any(SplitMix64::new(seed));
    let mut frames = Frames::default();
    while frames.count() < count {
        match any.below(8) {
            0..=2 => good(&mut frames, &mut any),
            3 => sealed(&mut frames, &mut any),
            4 => damaged(&mut frames, &mut any),
            5 => link(&mut frames, &mut any),
            6 => stream(&mut frames, &mut any),
            _ => refused(&mut frames, &mut any),
        }
    }
    frames.class(
        &format!("random_{seed}"),
        &["FRM-12", "TX-3", "TX-6", "TX-7", "TX-8", "RX-4", "RX-5", "RX-6", "RX-7"],
        "what nobody thought of",
        "unknown",
    )
}

/// Choices from a pattern.
struct Any(SplitMix64);

impl Any {
    fn below(&mut self, end: usize) -> usize {
        narrow::<usize>(self.0.next_u64() % end as u64)
    }

    /// A number of valid bytes: the ends and the edges of the short form more often.
    fn len(&mut self) -> usize {
        match self.below(4) {
            0 => 1 + self.below(45),
            1 => 44 + self.below(8),
            2 => 1017 + self.below(8),
            _ => 1 + self.below(1024),
        }
    }

    fn header(&mut self, token: u8) -> HeaderWire {
        let [c_st, ..] = self.0.next_u64().to_le_bytes();
        HeaderWire { c_st: c_st & 31, ..header(token, self.below(1 << 30)) }
    }

    fn token(&mut self) -> Token {
        Token::ALL[self.below(Token::ALL.len())]
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        nonzero(self.0.next_u64(), count)
    }
}

fn good(frames: &mut Frames, any: &mut Any) {
    let token = any.token();
    let mut header = any.header(token.code());
    let len = match token {
        Token::Free => 0,
        Token::Data => any.len(),
        _ => any.len().max(46),
    };
    match token {
        Token::Free => {
            header =
                HeaderWire { mac: header.mac, node_id: header.node_id, ..HeaderWire::default() };
        }
        Token::Data => header.c_st = 0,
        _ => {}
    }
    let valid = any.bytes(len);
    frames.good(format!("{}, {len} bytes", token.doc()), &header, &valid);
}

/// Any header, any length, an FCS that fits.
fn sealed(frames: &mut Frames, any: &mut Any) {
    let code = narrow::<u8>(any.below(8));
    let mut header = any.header(code);
    if any.below(2) == 0 {
        header.c_st &= 1;
    }
    let len = if any.below(2) == 0 { 46 } else { 40 + any.len() };
    let mut data = any.bytes(len);
    if any.below(2) == 0 {
        data[len.min(46) - 1] = narrow::<u8>(any.below(50));
    }
    received(frames, "sealed", words(&seal(&header, &data)));
}

fn damaged(frames: &mut Frames, any: &mut Any) {
    let (header, len) = (any.header(1), any.len());
    let mut bytes = frame(&header, &any.bytes(len));
    if any.below(3) == 0 {
        bytes.truncate(1 + any.below(bytes.len()));
    }
    for _ in 0..=any.below(3) {
        let bit = any.below(bytes.len() * 8);
        bytes[bit / 8] ^= 0x80 >> (bit % 8);
    }
    received(frames, "damaged", words(&bytes));
}

fn link(frames: &mut Frames, any: &mut Any) {
    let (header, len) = (any.header(1), any.len());
    let mut wire = words(&frame(&header, &any.bytes(len)));
    for _ in 0..=any.below(4) {
        let at = any.below(wire.len());
        match any.below(4) {
            0 => wire[at].keep = narrow::<u8>(any.below(16)),
            1 => wire[at].user = true,
            _ => wire[at].gap = at > 0,
        }
    }
    received(frames, "tkeep, tuser and gaps", wire);
}

fn received(frames: &mut Frames, what: &str, wire: Vec<Word>) {
    let check = judge(&wire).check;
    frames.received(format!("{what}: {}", check.name()), wire, check);
}

fn stream(frames: &mut Frames, any: &mut Any) {
    let token = if any.below(2) == 0 { Token::Data } else { Token::Broadcast };
    let (header, len) = (any.header(token.code()), any.len());
    let mut beats = words(&any.bytes(len));
    let at = any.below(beats.len());
    match any.below(4) {
        0 => beats[at].gap = true,
        1 => beats[at].keep = narrow::<u8>(any.below(16)),
        2 => {
            beats.truncate(at + 1);
            beats[at].last = true;
        }
        _ => {
            if let Some(last) = beats.last_mut() {
                last.last = false;
            }
            let tail = 4 * (1 + any.below(5));
            beats.extend(words(&any.bytes(tail)));
        }
    }
    sent(frames, "stream", &header, len, beats);
}

fn refused(frames: &mut Frames, any: &mut Any) {
    let code = narrow::<u8>(any.below(8));
    let (header, len) = (any.header(code), any.below(2048));
    let allowed = transmit(&header, len, &words(&vec![1; len])).0;
    let beats =
        if allowed == awgstar::contract::TxStatus::Ok { len } else { 4 * (1 + any.below(9)) };
    let beats = if len == 0 { Vec::new() } else { words(&any.bytes(beats)) };
    sent(frames, "any header", &header, len, beats);
}

fn sent(frames: &mut Frames, what: &str, header: &HeaderWire, len: usize, beats: Vec<Word>) {
    let status = transmit(header, len, &beats).0;
    frames.sent(format!("{what}, length {len}: {}", status.name()), header, len, beats, status);
}
