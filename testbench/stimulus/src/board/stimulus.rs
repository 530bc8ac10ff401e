// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stimulus of a single board: frames from the link, accesses of the host, resets.

use crate::ends::{PEERS, Warm};
use awgstar::quantity::{ByteAddress, Cycle};
use awgstar::ring::Word;
use awgstar::{
    codec::fcs,
    contract::{HeaderWire, Token, layout, limits},
    ring::node_mac,
};
use std::collections::BTreeMap;

/// A run of one board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardStimulus {
    /// Length of the run.
    pub cycles: Cycle,
    /// Cycles after which the board's output returns to its input; `None`: it never does.
    pub loopback: Option<u16>,
    /// Of what returns, only frames with this low byte of MAC; all without it.
    pub returns: Option<u8>,
    /// Frames put on the link, one after another; they break frames that return meanwhile.
    pub link: Vec<BoardEvent>,
    /// Accesses of the host, one after another.
    pub host: Vec<HostAccess>,
    /// Resets: first cycle and length.
    pub resets: Vec<(Cycle, u8)>,
    /// Seed of the values on don't-care inputs.
    pub noise: u32,
    /// The ready of an AXI channel goes up and down while no answer is due on it.
    pub restless: bool,
    /// Far ends near which it begins, and leaps of time.
    pub warm: Warm,
}

/// A frame on the link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardEvent {
    /// Idle cycles before it.
    pub gap: u16,
    pub frame: BoardFrame,
}

/// A frame of another board, or one that claims to be this board's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardFrame {
    /// Low byte of MAC.
    pub source: u8,
    /// The MAC has another prefix.
    pub foreign: bool,
    /// TOKEN, 0 to 7.
    pub token: u8,
    /// C.ST; that of a data token is made from `len` if this is below 2.
    pub c_st: u8,
    pub node_id: u8,
    pub multi_g: u8,
    /// Offset of Packet_Cnt from the next number of its source and kind.
    pub skip: i8,
    pub addr: u32,
    /// Valid bytes.
    pub len: u16,
    /// M on the first word.
    pub monitor: bool,
    /// First bytes of Data; those after them are made from `salt`.
    pub bytes: Vec<u8>,
    /// Byte 0 of Data where `bytes` has none; each of the next ones is one more.
    pub salt: u8,
    /// This bit is inverted, modulo the length.
    pub flip: Option<u16>,
    /// Marks the frame as short, with this number of valid bytes, whatever `len` is.
    pub count: Option<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostAccess {
    /// Cycles before it.
    pub gap: u16,
    /// Read or write.
    pub write: bool,
    /// Byte address on the bus.
    pub addr: ByteAddress,
    /// Data of a write.
    pub data: u32,
    /// Strobes of a write.
    pub strobe: u8,
    /// Cycles by which the address of a write comes before its data, or after it if negative.
    pub skew: i8,
    /// Cycles from the answer to `bready` or `rready`.
    pub late: u8,
}

/// Next numbers by source and kind (data or not).
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    next: BTreeMap<(u8, bool), u32>,
    /// When there were frames before: the next of data, the last of signals but for what the source
    /// changes in it (see [`crate::deposit::Deposit`]).
    before: Option<[u32; 2]>,
}

impl Numbers {
    /// The numbers of sources that have sent what `warm` says.
    #[must_use]
    pub fn new(warm: &Warm) -> Self {
        let before = warm.amount(PEERS).map(|amount| {
            let bytes = amount.to_le_bytes();
            [bytes[0].into(), u32::from_le_bytes([bytes[1], bytes[2], bytes[3], bytes[4]])]
        });
        Numbers { next: BTreeMap::new(), before }
    }

    fn first(&self, source: u8, data: bool) -> u32 {
        match self.before {
            None => 0,
            Some([next, _]) if data => next,
            Some([_, last]) => (last ^ u32::from(source)).wrapping_add(1),
        }
    }
}

const DATA: u8 = Token::Data.code();
const CONTROL: u8 = Token::Control.code();

impl BoardFrame {
    /// Words of the frame on the link; `numbers` gives Packet_Cnt.
    #[must_use]
    pub fn words(&self, numbers: &mut Numbers) -> Vec<Word> {
        let data = self.token == DATA;
        let first = numbers.first(self.source, data);
        let next = numbers.next.entry((self.source, data)).or_insert(first);
        let number = next.wrapping_add_signed(self.skip.into());
        let [packet_cnt, ..] = number.to_le_bytes();
        // SND-4: Addr has the upper bits of the number of a signal.
        let addr = match numbers.before {
            Some(_) if !data => self.addr & 0x8000_00ff | number & 0x7fff_ff00,
            _ => self.addr,
        };
        if self.token == CONTROL && self.c_st == awgstar::contract::board::SYNC.c_st {
            numbers.next.insert((self.source, true), 0);
        } else if self.skip == 0 && self.flip.is_none() && self.count.is_none() {
            *next = next.wrapping_add(1);
        }
        let len = usize::from(self.len).min(limits::DATA_MAX);
        let short = len < limits::DATA_MIN;
        let says_short = short || self.count.is_some();
        let c_st =
            if self.token == DATA && self.c_st < 2 { u8::from(says_short) } else { self.c_st };
        let prefix = if self.foreign { 1 << 47 } else { 0 };
        let header = HeaderWire {
            mac: node_mac(self.source.into()).to_u64() ^ prefix,
            token: self.token & 7,
            c_st: c_st & 31,
            node_id: self.node_id,
            multi_g: self.multi_g & 15,
            act_seq: 0,
            packet_cnt,
            addr,
        };
        let mut bytes = layout::pack(&header).to_be_bytes()[..limits::HEADER_BYTES].to_vec();
        let made = |i: usize| self.salt.wrapping_add(i.to_le_bytes()[0]);
        bytes.extend((0..len).map(|i| self.bytes.get(i).copied().unwrap_or_else(|| made(i))));
        if short {
            bytes.resize(limits::HEADER_BYTES + limits::DATA_MIN, 0);
            if self.token == DATA {
                bytes[limits::HEADER_BYTES + limits::SHORT_COUNT_INDEX] = len.to_le_bytes()[0];
            }
        }
        if let Some(count) = self.count {
            bytes[limits::HEADER_BYTES + limits::SHORT_COUNT_INDEX] = count;
        }
        bytes.extend(fcs::compute(&bytes).to_le_bytes());
        if let Some(bit) = self.flip {
            let at = usize::from(bit) % (8 * bytes.len());
            bytes[at / 8] ^= 1 << (at % 8);
        }
        let mut words: Vec<_> = bytes
            .chunks(4)
            .map(|c| Word {
                data: c.iter().rev().fold(0, |v, &b| v << 8 | u32::from(b)),
                keep: (1u8 << c.len()).wrapping_sub(1),
                ..Word::default()
            })
            .collect();
        words[0].user = self.monitor;
        if let Some(last) = words.last_mut() {
            last.last = true;
        }
        words
    }
}
