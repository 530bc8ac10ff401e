// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame of the current version (CUR-2): what a node attaches to the control token.
//!
//! | byte | field | |
//! |---|---|---|
//! | 0 | kind | 0x01 data, 0x02 signal, 0x03 control token |
//! | 1 | source | node that attached it |
//! | 2, 3 | number | counts the frames of its source; of a token, its generation |
//! | 4–7 | address | byte offset in the shared memory; of a signal, the node it is for |
//! | 8, 9 | length | bytes of data: 1 to 1,024, or 0 in a signal or token |
//! | from 10 | data | |
//! | last 4 | CRC | as the FCS of the next version (FCS-1), over all before it |
//!
//! The thesis (2.2.3) names address, data, control code and CRC. Kind, source, number and length are
//! the control code. Numbers are big-endian; the CRC has its least significant byte first.

use awgstar_frame::codec::fcs;
use awgstar_frame::quantity::{NodeId, narrow};
use std::{fmt, sync::Arc};
use thiserror::Error;

/// Bytes before the data.
pub const HEADER_BYTES: usize = 10;
/// Bytes of a frame that are not data: header and CRC.
pub const OVERHEAD: usize = HEADER_BYTES + 4;
/// Most bytes of data in a frame (thesis, Table 2).
pub const DATA_MAX: usize = 1024;

/// Kind of a frame on the train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An update of the shared memory.
    Data = 1,
    /// A signal of the signal function (thesis 3.2): nothing but where it comes from.
    Signal = 2,
    /// The control token, which leads the train.
    Token = 3,
}

/// Contents of a data frame.
#[derive(Clone, PartialEq, Eq)]
pub enum Data {
    /// These bytes.
    Bytes(Arc<[u8]>),
    /// That many bytes whose values do not matter: they take their time and change no memory. Sent
    /// as zeros.
    Blank(u16),
}

impl Data {
    /// Number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Data::Bytes(bytes) => bytes.len(),
            Data::Blank(len) => usize::from(*len),
        }
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Data::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Data::Blank(len) => write!(f, "{len} bytes"),
        }
    }
}

/// A frame on the train.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub kind: Kind,
    /// Node that attached it.
    pub source: NodeId,
    /// Number among the frames of its source; 65535 is followed by 0.
    pub number: u16,
    /// Byte address of the data; the node that a signal is for.
    pub addr: u32,
    /// The data; none in a signal or token.
    pub data: Data,
}

/// Error of decoding or encoding a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{field} at byte {offset}: expected {expected}, found {found}")]
pub struct FrameError {
    /// Field that is wrong.
    pub field: &'static str,
    /// Byte offset of the field in the frame.
    pub offset: usize,
    /// Expected value.
    pub expected: &'static str,
    /// Value found.
    pub found: u64,
}

const fn wrong(
    field: &'static str,
    offset: usize,
    expected: &'static str,
    found: u64,
) -> FrameError {
    FrameError { field, offset, expected, found }
}

impl Frame {
    /// A signal of `source` for the node `to`; the ring numbers it.
    #[must_use]
    pub const fn signal(source: NodeId, to: NodeId) -> Frame {
        Frame { kind: Kind::Signal, source, number: 0, addr: to.0 as u32, data: Data::Blank(0) }
    }

    /// A control token that `source` made.
    #[must_use]
    pub const fn token(source: NodeId, generation: u16) -> Frame {
        Frame { kind: Kind::Token, source, number: generation, addr: 0, data: Data::Blank(0) }
    }

    /// Bytes on the line.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (OVERHEAD + self.data.len()) as u64
    }

    /// The bytes on the line.
    ///
    /// # Errors
    /// If the number of data bytes does not go with the kind, or a signal is for no node.
    pub fn encode(&self) -> Result<Vec<u8>, FrameError> {
        let len = self.data.len();
        check(self.kind, self.addr, len)?;
        let mut out = Vec::with_capacity(OVERHEAD + len);
        out.extend([self.kind as u8, self.source.0]);
        out.extend(self.number.to_be_bytes());
        out.extend(self.addr.to_be_bytes());
        out.extend(narrow::<u16>(len).to_be_bytes());
        match &self.data {
            Data::Bytes(bytes) => out.extend_from_slice(bytes),
            Data::Blank(len) => out.resize(HEADER_BYTES + usize::from(*len), 0),
        }
        out.extend(fcs::compute(&out).to_le_bytes());
        Ok(out)
    }

    /// The frame that `bytes` are.
    ///
    /// # Errors
    /// The first thing that is wrong, in the order: number of bytes, CRC, kind, length, address.
    pub fn decode(bytes: &[u8]) -> Result<Frame, FrameError> {
        let total = bytes.len();
        let (Some((header, _)), Some(crc)) = (bytes.split_first_chunk(), fcs::read(bytes)) else {
            return Err(wrong("frame", total, "14 to 1038 bytes", total as u64));
        };
        if !(OVERHEAD..=OVERHEAD + DATA_MAX).contains(&total) {
            return Err(wrong("frame", total, "14 to 1038 bytes", total as u64));
        }
        if fcs::compute(&bytes[..total - 4]) != crc {
            return Err(wrong("CRC", total - 4, "the CRC-32 of the bytes before it", crc.into()));
        }
        let [kind, source, n0, n1, a0, a1, a2, a3, l0, l1]: [u8; HEADER_BYTES] = *header;
        let kind = match kind {
            1 => Kind::Data,
            2 => Kind::Signal,
            3 => Kind::Token,
            _ => return Err(wrong("kind", 0, "1, 2 or 3", kind.into())),
        };
        let len = usize::from(u16::from_be_bytes([l0, l1]));
        if len != total - OVERHEAD {
            return Err(wrong("length", 8, "the bytes between header and CRC", len as u64));
        }
        let addr = u32::from_be_bytes([a0, a1, a2, a3]);
        check(kind, addr, len)?;
        let data = if len == 0 {
            Data::Blank(0)
        } else {
            Data::Bytes(bytes[HEADER_BYTES..total - 4].into())
        };
        Ok(Frame { kind, source: NodeId(source), number: u16::from_be_bytes([n0, n1]), addr, data })
    }
}

fn check(kind: Kind, addr: u32, len: usize) -> Result<(), FrameError> {
    match kind {
        Kind::Data if !(1..=DATA_MAX).contains(&len) => {
            Err(wrong("length", 8, "1 to 1024 on data", len as u64))
        }
        Kind::Signal | Kind::Token if len != 0 => {
            Err(wrong("length", 8, "0 on a signal or token", len as u64))
        }
        Kind::Signal if addr > 255 => Err(wrong("address", 4, "a node, 0 to 255", addr.into())),
        Kind::Token if addr != 0 => Err(wrong("address", 4, "0 on a token", addr.into())),
        _ => Ok(()),
    }
}
