// SPDX-License-Identifier: MIT OR Apache-2.0
//! TOKEN codes (FRM-4; thesis Table 4).

/// Kind of frame. Codes 010 and 111 are not assigned and have no variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Token {
    /// Free token: may be turned into a data token.
    Free = 0b000,
    /// Data token: updates the shared memory.
    Data = 0b001,
    /// Signal to one node.
    P2p = 0b011,
    /// Signal to a multicast group.
    Multicast = 0b100,
    /// Signal to all nodes.
    Broadcast = 0b101,
    /// Link control.
    Control = 0b110,
}

impl Token {
    /// All assigned tokens in order of their codes.
    pub const ALL: [Token; 6] =
        [Token::Free, Token::Data, Token::P2p, Token::Multicast, Token::Broadcast, Token::Control];
    /// Codes that are not assigned.
    pub const RESERVED: [u8; 2] = [0b010, 0b111];

    /// The 3-bit code.
    #[must_use]
    #[inline]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The token of a 3-bit code; `None` for a code that is not assigned.
    #[must_use]
    #[inline]
    pub const fn from_code(code: u8) -> Option<Token> {
        match code {
            0b000 => Some(Token::Free),
            0b001 => Some(Token::Data),
            0b011 => Some(Token::P2p),
            0b100 => Some(Token::Multicast),
            0b101 => Some(Token::Broadcast),
            0b110 => Some(Token::Control),
            _ => None,
        }
    }

    /// Name on the command line, in JSON, Verilog (upper case) and waveforms.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Token::Free => "free",
            Token::Data => "data",
            Token::P2p => "p2p",
            Token::Multicast => "multicast",
            Token::Broadcast => "broadcast",
            Token::Control => "control",
        }
    }

    /// Name of the token in the thesis.
    #[must_use]
    pub const fn doc(self) -> &'static str {
        match self {
            Token::Free => "free token",
            Token::Data => "data token",
            Token::P2p => "point-to-point communication",
            Token::Multicast => "multicast communication",
            Token::Broadcast => "broadcast communication",
            Token::Control => "control token (link control)",
        }
    }

    /// Point-to-point, multicast or broadcast: a signal between processes.
    #[must_use]
    pub const fn is_signal(self) -> bool {
        matches!(self, Token::P2p | Token::Multicast | Token::Broadcast)
    }
}
