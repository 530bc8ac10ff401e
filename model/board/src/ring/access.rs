// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a host does at the port of its board.

use super::scenario::{ScenarioError, range};
use awgstar_frame::quantity::{ByteAddress, Cycle};

/// Operation of a host on the bus of its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostOp {
    /// Writes a word.
    Write {
        /// Byte address on the bus; bits 1 and 0 are ignored.
        addr: ByteAddress,
        /// The word: lane 0 is the byte with the lowest address.
        data: u32,
        /// Bit l: lane l is written.
        strobe: u8,
    },
    /// Reads a word.
    Read {
        /// Byte address on the bus.
        addr: ByteAddress,
    },
    /// Does nothing.
    Wait {
        /// Number of cycles.
        cycles: Cycle,
    },
    /// Reads a word until it has a value.
    Poll {
        /// Byte address on the bus.
        addr: ByteAddress,
        /// Bits that are compared.
        mask: u32,
        /// Value that the bits under `mask` must have.
        value: u32,
        /// Limit in cycles: no read begins later than that after the first one.
        limit: Cycle,
    },
    /// Waits for the board's `irq`.
    Interrupt {
        /// Limit in cycles.
        limit: Cycle,
    },
}

/// Outcome of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The operation was done.
    Done,
    /// The board answered SLVERR.
    Refused,
    /// The value or the interrupt did not come within the limit.
    Expired,
}

/// An operation that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostResult {
    /// The operation.
    pub op: HostOp,
    pub began: Cycle,
    /// Cycle in which it was over.
    pub ended: Cycle,
    /// Data of the last read; 0 if the operation reads nothing.
    pub data: u32,
    /// Outcome of the operation.
    pub outcome: Outcome,
}

impl HostOp {
    /// Checks that every field is in range; `index` is the place in the list, for the error.
    pub(super) fn check(&self, index: usize) -> Result<(), ScenarioError> {
        let list = "operations";
        match *self {
            HostOp::Write { strobe, .. } => range(list, index, "strobe", 0, 15, strobe.into()),
            HostOp::Poll { mask, value, .. } if value & !mask != 0 => {
                Err(ScenarioError::Mask { list, index, mask, found: value })
            }
            _ => Ok(()),
        }
    }
}
