// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of a run: page table and pages as data frames, requests as signals.

use awgstar::quantity::{ByteAddress, NodeId, narrow};
use awgstar::{
    check::paging::Word,
    codec::Frame,
    contract::{HeaderWire, Token, board::MAC_PREFIX},
    firmware::{Message, message::MESSAGE_BYTES},
};
use awgstar_stimulus::echo;
use awgstar_stimulus::vectors::reference;

/// Content of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Signal(Message),
    Data(Written),
}

/// Bytes that a node writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) source: usize,
    /// Data frames of the source, counted from 1.
    pub(super) number: u8,
    pub(super) addr: ByteAddress,
    pub(super) bytes: Vec<u8>,
}

/// The bytes of a word that `strobe` marks, which are neighbours, and the address of the first.
pub(super) fn marked(addr: ByteAddress, data: u32, strobe: u8) -> (ByteAddress, Vec<u8>) {
    let lanes = (0..4).filter(|lane| strobe >> lane & 1 == 1);
    let bytes = lanes.map(|lane| data.to_le_bytes()[lane]).collect();
    (addr + strobe.trailing_zeros(), bytes)
}

impl From<Word> for Written {
    fn from(word: Word) -> Written {
        let (addr, bytes) = marked(word.addr, word.data, word.strobe);
        Written { source: word.source.index(), number: word.number, addr, bytes }
    }
}

fn mac(source: u8) -> u64 {
    MAC_PREFIX << 8 | u64::from(source)
}

/// By the reference codec. `Packet_Cnt` of a signal is 0, of data its number.
pub(super) fn encode(content: &Content) -> String {
    let (header, data) = match content {
        Content::Signal(m) => {
            let header = HeaderWire {
                mac: mac(m.source.0),
                token: m.signal.token().code(),
                c_st: m.signal.c_st(),
                node_id: m.node_id.0,
                ..HeaderWire::default()
            };
            (header, m.data().to_vec())
        }
        Content::Data(Written { source, number, addr, bytes }) => {
            let header = HeaderWire {
                mac: mac(narrow::<u8>(*source)),
                token: Token::Data.code(),
                packet_cnt: *number,
                addr: addr.0,
                ..HeaderWire::default()
            };
            (header, bytes.clone())
        }
    };
    hex::encode(reference::frame(&header, &data))
}

/// By the codec of the product.
pub(super) fn decode(frame: &str) -> Result<Content, String> {
    let bytes = echo::hex(frame).map_err(|e| format!("{}: {e}", echo::shown(frame)))?;
    let wire = Frame::decode(&bytes).map_err(|e| format!("{frame}: {e}"))?;
    let source = wire.mac.to_u64().to_be_bytes()[7];
    if wire.token == Token::Data {
        let Frame { packet_cnt: number, addr, data, .. } = wire;
        return Ok(Content::Data(Written {
            source: source.into(),
            number,
            addr: ByteAddress(addr),
            bytes: data.into(),
        }));
    }
    let data = wire.data.get(..MESSAGE_BYTES).ok_or_else(|| format!("{frame}: too short"))?;
    let message =
        Message::read((wire.token, wire.c_st), NodeId(source), NodeId(wire.node_id), data);
    message.map(Content::Signal).map_err(|e| format!("{frame}: {e}"))
}
