// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host of a board: AXI4-Lite accesses one after the other (HST-1).
//!
//! The host drives address and data of a write in the same cycle and is always ready for an answer.
//! Its outputs depend on its own registers only, never on the board's outputs in the same cycle.

use super::super::scenario::{ScenarioError, range};
use crate::rtl::AxilRequest;
use crate::rtl::smb::{Inputs, Outputs};
use awgstar_frame::quantity::{ByteAddress, Cycle};
use std::collections::VecDeque;

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

/// Phase of the current operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// None is under way.
    #[default]
    Idle,
    /// The host waits until this cycle.
    Waiting(u64),
    /// A write is offered; its answer comes next.
    Write,
    /// A read is offered; its answer comes next.
    Read,
    /// The host waits for `irq`.
    Irq,
}

/// Host of a board: a queue of operations and their results.
#[derive(Clone, Debug)]
pub struct BoardHost {
    pub(super) inputs: Inputs,
    queue: VecDeque<HostOp>,
    phase: Phase,
    began: u64,
    results: Vec<HostResult>,
}

impl Default for BoardHost {
    fn default() -> Self {
        let inputs = Inputs {
            s_axi: AxilRequest { bready: true, rready: true, ..AxilRequest::default() },
            ..Inputs::default()
        };
        let (queue, results) = (VecDeque::new(), Vec::new());
        BoardHost { inputs, queue, phase: Phase::Idle, began: 0, results }
    }
}

impl HostOp {
    /// Checks that every field is in range; `index` is the place in the list, for the error.
    fn check(&self, index: usize) -> Result<(), ScenarioError> {
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

impl BoardHost {
    /// Operations that are over, in their order.
    pub fn results(&self) -> &[HostResult] {
        &self.results
    }

    /// Removes and returns the finished operations.
    pub fn take_results(&mut self) -> Vec<HostResult> {
        std::mem::take(&mut self.results)
    }

    /// No operation waits or is under way.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) fn push(
        &mut self,
        operations: impl IntoIterator<Item = HostOp>,
    ) -> Result<(), ScenarioError> {
        let operations: Vec<_> = operations.into_iter().collect();
        operations.iter().enumerate().try_for_each(|(index, op)| op.check(index))?;
        self.queue.extend(operations);
        Ok(())
    }

    /// Up to which cycle it does nothing; `None` when it is at work.
    #[inline]
    pub(super) fn free_until(&self) -> Option<u64> {
        match self.phase {
            Phase::Idle if self.queue.is_empty() => Some(u64::MAX),
            Phase::Waiting(until) => Some(until),
            _ => None,
        }
    }

    /// Nothing waits or is under way any more.
    pub(super) fn forget(&mut self) {
        self.queue.clear();
        self.phase = Phase::Idle;
        let i = &mut self.inputs;
        (i.s_axi.awvalid, i.s_axi.wvalid, i.s_axi.arvalid) = (false, false, false);
    }

    /// Sets the host's outputs for `cycle`.
    #[inline]
    pub(super) fn drive(&mut self, cycle: u64) {
        match self.phase {
            Phase::Idle if !self.queue.is_empty() => self.begin(cycle),
            Phase::Waiting(until) if cycle >= until => {
                self.end(cycle, 0, Outcome::Done);
                self.begin(cycle);
            }
            _ => {}
        }
    }

    /// The first operation that waits, if there is one.
    fn begin(&mut self, cycle: u64) {
        self.began = cycle;
        match self.queue.front() {
            None => {}
            Some(&HostOp::Write { addr, data, strobe }) => {
                let i = &mut self.inputs;
                (i.s_axi.awaddr, i.s_axi.awvalid) = (addr.0, true);
                (i.s_axi.wdata, i.s_axi.wstrb, i.s_axi.wvalid) = (data, strobe, true);
                self.phase = Phase::Write;
            }
            Some(&(HostOp::Read { addr } | HostOp::Poll { addr, .. })) => self.read(addr),
            Some(&HostOp::Wait { cycles }) => {
                self.phase = Phase::Waiting(cycle.saturating_add(cycles.0));
            }
            Some(HostOp::Interrupt { .. }) => self.phase = Phase::Irq,
        }
    }

    fn read(&mut self, addr: ByteAddress) {
        (self.inputs.s_axi.araddr, self.inputs.s_axi.arvalid) = (addr.0, true);
        self.phase = Phase::Read;
    }

    /// Takes the board's outputs of `cycle`, just before the edge.
    #[inline]
    pub(super) fn take(&mut self, cycle: u64, o: &Outputs) {
        match self.phase {
            Phase::Write => {
                if o.s_axi.awready {
                    self.inputs.s_axi.awvalid = false;
                }
                if o.s_axi.wready {
                    self.inputs.s_axi.wvalid = false;
                }
                if o.s_axi.bvalid {
                    self.end(cycle, 0, outcome(o.s_axi.bresp));
                }
            }
            Phase::Read => {
                if o.s_axi.arready {
                    self.inputs.s_axi.arvalid = false;
                }
                if o.s_axi.rvalid {
                    self.answer(cycle, o.s_axi.rdata, outcome(o.s_axi.rresp));
                }
            }
            Phase::Irq => {
                let over = |op| matches!(op, &HostOp::Interrupt { limit } if cycle - self.began >= limit.0);
                if o.irq {
                    self.end(cycle, 0, Outcome::Done);
                } else if self.queue.front().is_some_and(over) {
                    self.end(cycle, 0, Outcome::Expired);
                }
            }
            Phase::Idle | Phase::Waiting(_) => {}
        }
    }

    /// A word was read.
    fn answer(&mut self, cycle: u64, data: u32, outcome: Outcome) {
        match self.queue.front() {
            Some(&HostOp::Poll { addr, mask, value, limit })
                if outcome == Outcome::Done && data & mask != value =>
            {
                if cycle - self.began >= limit.0 {
                    self.end(cycle, data, Outcome::Expired);
                } else {
                    self.read(addr);
                }
            }
            _ => self.end(cycle, data, outcome),
        }
    }

    fn end(&mut self, cycle: u64, data: u32, outcome: Outcome) {
        self.phase = Phase::Idle;
        if let Some(op) = self.queue.pop_front() {
            let (began, ended) = (Cycle(self.began), Cycle(cycle));
            self.results.push(HostResult { op, began, ended, data, outcome });
        }
    }
}

const fn outcome(resp: u8) -> Outcome {
    if resp == 0 { Outcome::Done } else { Outcome::Refused }
}
