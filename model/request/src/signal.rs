// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals between processes (DRV-7): a number and a word, to one node or to all others. They have codes that
//! no signal of the firmware has (SIG-3).

use awgstar_frame::contract::Token;
use awgstar_frame::quantity::NodeId;

pub use awgstar_frame::contract::signal::PROCESS_C_ST;
/// Bytes of Data that such a signal fills.
pub const SIGNAL_BYTES: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessSignal {
    /// Node that sent it.
    pub source: NodeId,
    /// Node that it is for; `None` for all others.
    pub to: Option<NodeId>,
    /// Number: what it means is the programs' affair.
    pub number: u16,
    /// Word that comes with it.
    pub value: u32,
}

impl ProcessSignal {
    /// TOKEN: point to point, or broadcast.
    #[must_use]
    pub const fn token(&self) -> Token {
        if self.to.is_some() { Token::P2p } else { Token::Broadcast }
    }

    /// Data: number in bytes 2 and 3, value in bytes 4 to 7, big-endian.
    #[must_use]
    pub fn data(&self) -> [u8; SIGNAL_BYTES] {
        let mut data = [0; SIGNAL_BYTES];
        data[2..4].copy_from_slice(&self.number.to_be_bytes());
        data[4..].copy_from_slice(&self.value.to_be_bytes());
        data
    }

    /// The signal with these codes; `None` if they are not those of a signal between processes.
    #[must_use]
    pub fn read(
        (token, c_st): (Token, u8),
        source: NodeId,
        node_id: NodeId,
        data: [u8; SIGNAL_BYTES],
    ) -> Option<ProcessSignal> {
        let ([_, _, high, low], value) = data.split_first_chunk()?;
        let to = match token {
            Token::P2p => Some(node_id),
            Token::Broadcast => None,
            _ => return None,
        };
        let (number, value) = (u16::from_be_bytes([*high, *low]), value.try_into().ok()?);
        let value = u32::from_be_bytes(value);
        (c_st == PROCESS_C_ST).then_some(ProcessSignal { source, to, number, value })
    }
}
