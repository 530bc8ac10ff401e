// SPDX-License-Identifier: MIT OR Apache-2.0
//! A signal's meaning, to and from the values in its frame (SIG-2).

use awgstar_frame::contract::{Signal, SignalField, Token};
use awgstar_frame::quantity::NodeId;
use thiserror::Error;

/// A signal as firmware sees it. What its layout ([`Signal::fields`]) does not have is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Meaning.
    pub signal: Signal,
    /// Node that sent the frame (low byte of its MAC).
    pub source: NodeId,
    /// Node_ID of the frame: see [`Signal::node_id_meaning`].
    pub node_id: NodeId,
    pub send_node: NodeId,
    /// Number of the request, or of the episode of a barrier.
    pub tag: u16,
    /// The lock or the barrier; in a swap request, the page.
    pub lock_number: u32,
    /// Number of hand-overs of the lock so far, modulo 65,536.
    pub epoch: u16,
}

/// Bytes of Data that messages fill.
pub const MESSAGE_BYTES: usize = 10;

/// Error of decoding a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MessageError {
    /// The pair of codes is not assigned.
    #[error("TOKEN {token:?} with C.ST {c_st:#07b}: no signal has these codes")]
    Codes {
        /// TOKEN.
        token: Token,
        /// C.ST.
        c_st: u8,
    },
    /// Data ends within a value.
    #[error("{field}: Data has {found} bytes, the value ends at byte {expected}")]
    Short {
        /// The value.
        field: &'static str,
        /// Bytes that Data must have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// A byte that no value covers is not zero.
    #[error("Data byte {offset}: {found:#04x} where {signal} has no value: expected 0")]
    Reserved {
        /// Name of the signal.
        signal: &'static str,
        /// Byte within Data.
        offset: usize,
        /// The value found.
        found: u8,
    },
}

impl Message {
    /// A message of `source` with all values zero.
    #[must_use]
    pub const fn new(signal: Signal, source: NodeId) -> Self {
        Message {
            signal,
            source,
            node_id: NodeId(0),
            send_node: NodeId(0),
            tag: 0,
            lock_number: 0,
            epoch: 0,
        }
    }

    /// Returns true if `node` receives the message: sent by another node, to all or to `node`.
    #[must_use]
    pub fn reaches(&self, node: NodeId) -> bool {
        self.source != node && (self.signal.token() != Token::P2p || self.node_id == node)
    }

    fn value(&self, field: &SignalField) -> u32 {
        match field.name {
            "send_node" => self.send_node.into(),
            "tag" => self.tag.into(),
            "epoch" => self.epoch.into(),
            _ => self.lock_number,
        }
    }

    /// Data: the values at their places, zero elsewhere.
    #[must_use]
    pub fn data(&self) -> [u8; MESSAGE_BYTES] {
        let mut data = [0; MESSAGE_BYTES];
        for field in self.signal.fields() {
            let bytes = self.value(field).to_be_bytes();
            data[field.offset..field.offset + field.bytes]
                .copy_from_slice(&bytes[4 - field.bytes..]);
        }
        data
    }

    /// The message in a frame's values.
    ///
    /// # Errors
    /// If the codes are not assigned, `data` ends too early, or a byte that must be zero is not.
    pub fn read(
        (token, c_st): (Token, u8),
        source: NodeId,
        node_id: NodeId,
        data: &[u8],
    ) -> Result<Message, MessageError> {
        let signal = Signal::from_codes(token, c_st).ok_or(MessageError::Codes { token, c_st })?;
        let mut message = Message { node_id, ..Message::new(signal, source) };
        let mut covered = [false; MESSAGE_BYTES];
        for field in signal.fields() {
            let end = field.offset + field.bytes;
            let bytes = data.get(field.offset..end).ok_or(MessageError::Short {
                field: field.name,
                expected: end,
                found: data.len(),
            })?;
            covered[field.offset..end].fill(true);
            let value = bytes.iter().fold(0_u32, |value, &byte| value << 8 | u32::from(byte));
            let low = value.to_be_bytes();
            match field.name {
                "send_node" => message.send_node = NodeId(low[3]),
                "tag" => message.tag = u16::from_be_bytes([low[2], low[3]]),
                "epoch" => message.epoch = u16::from_be_bytes([low[2], low[3]]),
                _ => message.lock_number = value,
            }
        }
        let reserved = |&(offset, &byte): &(usize, &u8)| {
            byte != 0 && !covered.get(offset).copied().unwrap_or(false)
        };
        match data.iter().enumerate().find(reserved) {
            None => Ok(message),
            Some((offset, &found)) => {
                Err(MessageError::Reserved { signal: signal.name(), offset, found })
            }
        }
    }
}
