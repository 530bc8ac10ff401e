// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stimulus of a single node in an environment that can do everything a link and a host can: frames
//! of every kind, broken in every way, requests of any length, resets at any time.

pub mod case;
pub mod directed;
pub mod player;
mod shrink;
pub mod sized;
pub mod strategy;

use crate::ends::Warm;
use awgstar::quantity::Cycle;
use awgstar::ring::Word;
use awgstar::{
    codec::fcs,
    contract::{HeaderWire, Token, layout, limits},
    ring::node_mac,
};

/// A run of one node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeStimulus {
    /// Node_ID; the MAC is `node_mac` of it.
    pub node_id: u8,
    /// Multicast groups.
    pub groups: u16,
    /// The node is the active monitor.
    pub monitor: bool,
    /// Length of the run.
    pub cycles: Cycle,
    /// Events on the link, from the end of the first reset on.
    pub link: Vec<LinkEvent>,
    /// Requests of the host.
    pub sends: Vec<NodeSend>,
    /// `m_rx_hdr_ready` and `m_rx_axis_tready`: high in about this many of 8 cycles.
    pub ready: [u8; 2],
    /// Resets: first cycle and length.
    pub resets: Vec<(Cycle, u8)>,
    /// Cycles with a pulse on `issue`.
    pub issues: Vec<Cycle>,
    /// When `discard` is high: first cycle and length.
    pub discards: Vec<(Cycle, u16)>,
    /// Seed of the values on don't-care inputs, and of the ready pattern.
    pub noise: u32,
    /// Far ends near which it begins.
    pub warm: Warm,
}

/// Something on the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkEvent {
    /// Idle words before it; 0 is one too few.
    pub gap: u16,
    pub frame: LinkFrame,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkFrame {
    /// Node that sent it.
    pub source: u8,
    /// TOKEN, 0 to 7.
    pub token: u8,
    /// C.ST; a data token's is made from `len` if this is below 2.
    pub c_st: u8,
    pub node_id: u8,
    pub multi_g: u8,
    /// Valid bytes.
    pub len: u16,
    /// M on the first word.
    pub monitor: bool,
    /// First byte of Data; Packet_Cnt too.
    pub salt: u8,
    pub defect: Defect,
}

/// Defect of a frame on the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Defect {
    /// Nothing.
    #[default]
    None,
    /// This bit is inverted, modulo the length.
    Flip(u16),
    /// `tkeep` of this word, modulo the length.
    Keep(u16, u8),
    /// This many words are missing before this word, modulo the length.
    Hole(u16, u8),
    /// `tlast` comes with this word, modulo the length; the rest does not come.
    Cut(u16),
    /// This many words more, whatever they are.
    Long(u16),
    /// `tuser` of this word is inverted, modulo the length.
    User(u16),
    /// An upstream node aborted it.
    Abort,
}

/// A frame for the node to send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSend {
    /// Not before this cycle.
    pub cycle: Cycle,
    /// The signal port, not the data port.
    pub signal: bool,
    /// TOKEN on the signal port, 0 to 7.
    pub token: u8,
    /// C.ST, 5 bits; the other fields of the header come from `salt`.
    pub c_st: u8,
    pub node_id: u8,
    /// Length on the port: any 11 bits.
    pub len: u16,
    /// First byte of the payload.
    pub salt: u8,
    /// Defect of the payload.
    pub fault: SendFault,
}

/// Defect of a payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SendFault {
    /// Nothing.
    #[default]
    None,
    /// This beat, modulo the number, comes that many cycles late.
    Late(u16, u8),
    /// The payload ends with this beat, modulo the number.
    Early(u16),
    /// That many beats more than the length says.
    More(u8),
    /// `tkeep` of this beat, modulo the number.
    Keep(u16, u8),
}

/// A beat of a payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// Lanes.
    pub data: u32,
    /// Valid lanes, bit l for lane l.
    pub keep: u8,
    pub last: bool,
    /// Cycles it is late.
    pub late: u8,
}

/// An Addr in which every bit depends on `salt`.
#[must_use]
pub fn address(salt: u8) -> u32 {
    u32::from(salt).wrapping_mul(0x9e37_79b1)
}

const DATA: u8 = Token::Data.code();
const FREE: u8 = Token::Free.code();

impl LinkFrame {
    /// The bytes, before the defect.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let len = usize::from(self.len);
        let short = len < limits::DATA_MIN;
        let c_st = if self.token == DATA && self.c_st < 2 { u8::from(short) } else { self.c_st };
        let header = HeaderWire {
            mac: node_mac(self.source.into()).to_u64(),
            token: self.token & 7,
            c_st: c_st & 31,
            node_id: self.node_id,
            multi_g: self.multi_g & 15,
            act_seq: self.salt & 15,
            packet_cnt: self.salt,
            addr: address(self.salt),
        };
        let mut bytes = layout::pack(&header).to_be_bytes()[..limits::HEADER_BYTES].to_vec();
        let value = if self.token == FREE { 0 } else { self.salt };
        bytes.extend((0..self.len).map(|i| value.wrapping_add(i.to_le_bytes()[0])));
        if short {
            bytes.resize(limits::HEADER_BYTES + limits::DATA_MIN, 0);
            if self.token == DATA {
                bytes[limits::HEADER_BYTES + limits::SHORT_COUNT_INDEX] = self.len.to_le_bytes()[0];
            }
        }
        bytes.extend(fcs::compute(&bytes).to_le_bytes());
        bytes
    }

    /// Words of the frame on the link, a missing one as `None`.
    #[must_use]
    pub fn words(&self) -> Vec<Option<Word>> {
        let mut bytes = self.bytes();
        if let Defect::Flip(bit) = self.defect {
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
        match self.defect {
            Defect::Keep(word, keep) => {
                let at = usize::from(word) % words.len();
                words[at].keep = keep & 15;
            }
            Defect::Cut(word) => words.truncate(usize::from(word) % words.len() + 1),
            Defect::Long(more) => {
                if let Some(last) = words.last_mut() {
                    last.keep = 15;
                }
                let more = (0..more).map(|i| Word { data: i.into(), keep: 15, ..Word::default() });
                words.extend(more);
            }
            _ => {}
        }
        words[0].user = self.monitor;
        if let Some(last) = words.last_mut() {
            last.last = true;
            last.user |= self.defect == Defect::Abort;
        }
        if let Defect::User(word) = self.defect {
            let at = usize::from(word) % words.len();
            words[at].user ^= true;
        }
        let mut words: Vec<_> = words.into_iter().map(Some).collect();
        if let Defect::Hole(word, cycles) = self.defect {
            let at = usize::from(word) % words.len();
            words.splice(at..at, std::iter::repeat_n(None, cycles.into()));
        }
        words
    }
}

impl NodeSend {
    /// The beats of its payload.
    #[must_use]
    pub fn beats(&self) -> Vec<Beat> {
        let mut beats: Vec<_> = (0..self.len)
            .step_by(4)
            .map(|at| Beat {
                data: u32::from(self.salt.wrapping_add(at.to_le_bytes()[0]))
                    .wrapping_mul(0x0101_0101),
                keep: (1u8 << (self.len - at).min(4)).wrapping_sub(1),
                ..Beat::default()
            })
            .collect();
        let count = beats.len();
        if count == 0 {
            return beats;
        }
        match self.fault {
            SendFault::Late(beat, cycles) => beats[usize::from(beat) % count].late = cycles,
            SendFault::Early(beat) => beats.truncate(usize::from(beat) % count + 1),
            SendFault::More(more) => {
                let beat = Beat { keep: 15, ..Beat::default() };
                beats.extend(std::iter::repeat_n(beat, more.into()));
            }
            SendFault::Keep(beat, keep) => beats[usize::from(beat) % count].keep = keep & 15,
            SendFault::None => {}
        }
        if let Some(last) = beats.last_mut() {
            last.last = true;
        }
        beats
    }
}
