// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frame codec: bytes on the link to header + valid bytes, and back (FRM-1 to FRM-13).
//!
//! [`Frame`] borrows its payload; neither direction allocates. Errors name the field, the byte
//! offset, what was expected and what was found.
//!
//! ```
//! use awgstar_frame::{contract::Token, codec::Frame};
//!
//! let frame = Frame { addr: 0x100, ..Frame::new(Token::Data, "02:53:4d:42:00:01".parse()?, &[1, 2, 3]) };
//! let mut line = [0; 64];
//! assert_eq!(frame.encode(&mut line)?, 64);
//! assert_eq!(Frame::decode(&line)?.data, [1, 2, 3]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod decode;
mod encode;
mod error;
mod explain;
pub mod fcs;
mod mac;

pub use decode::defects;
pub use error::{DecodeError, EncodeError, Expected};
pub use explain::explain;
pub use mac::{Mac, ParseMacError};

use crate::contract::{HeaderWire, Signal, Token};

/// A frame: header fields and valid bytes. The FCS is computed and checked on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Address of the SMB that sent the frame.
    pub mac: Mac,
    /// Kind of frame.
    pub token: Token,
    /// C.ST, 5 bits. On a data token [`Frame::encode`] sets it from the length (FRM-6).
    pub c_st: u8,
    /// Node_ID, 8 bits.
    pub node_id: u8,
    /// Multi_G, 4 bits.
    pub multi_g: u8,
    /// Act_Seq, 4 bits.
    pub act_seq: u8,
    /// Packet_Cnt, 8 bits.
    pub packet_cnt: u8,
    /// Byte offset in the shared memory, 32 bits.
    pub addr: u32,
    /// Valid bytes: 1 to 1,024 for a data token, none for a free token, 0 to 1,024 for others.
    pub data: &'a [u8],
}

impl<'a> Frame<'a> {
    /// A frame with these and zero in every other field.
    #[must_use]
    pub const fn new(token: Token, mac: Mac, data: &'a [u8]) -> Self {
        Frame {
            mac,
            token,
            c_st: 0,
            node_id: 0,
            multi_g: 0,
            act_seq: 0,
            packet_cnt: 0,
            addr: 0,
            data,
        }
    }

    /// The signal this frame carries, if its (TOKEN, C.ST) pair is assigned (SIG-1).
    #[must_use]
    pub const fn signal(&self) -> Option<Signal> {
        Signal::from_codes(self.token, self.c_st)
    }

    const fn header(&self) -> HeaderWire {
        HeaderWire {
            mac: self.mac.to_u64(),
            token: self.token.code(),
            c_st: self.c_st,
            node_id: self.node_id,
            multi_g: self.multi_g,
            act_seq: self.act_seq,
            packet_cnt: self.packet_cnt,
            addr: self.addr,
        }
    }
}
