// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host at an AXI4-Lite port: a queue of accesses. A write that the board refuses is made again, as a driver does.

use awgstar::rtl::{AxilAnswer, AxilRequest};
use std::collections::VecDeque;

/// An access of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Write {
        addr: u32,
        data: u32,
        strobe: u8,
    },
    Read {
        addr: u32,
    },
    /// Reads until bit 0 is set.
    Poll {
        addr: u32,
    },
    Wait(u64),
}

/// What a host has done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) written: u64,
    pub(super) refused: u64,
    pub(super) read: u64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Host {
    pub(super) queue: VecDeque<Access>,
    pub(super) done: Done,
    pins: AxilRequest,
    busy: bool,
}

impl Host {
    pub(super) fn new(queue: impl IntoIterator<Item = Access>) -> Self {
        let pins = AxilRequest { bready: true, rready: true, ..AxilRequest::default() };
        Host { queue: queue.into_iter().collect(), pins, ..Host::default() }
    }

    /// Sets the pins of the cycle that begins.
    pub(super) fn drive(&mut self) -> AxilRequest {
        if !self.busy {
            match self.queue.front_mut() {
                Some(&mut Access::Write { addr, data, strobe }) => {
                    (self.pins.awaddr, self.pins.wdata, self.pins.wstrb) = (addr, data, strobe);
                    (self.pins.awvalid, self.pins.wvalid, self.busy) = (true, true, true);
                }
                Some(&mut (Access::Read { addr } | Access::Poll { addr })) => {
                    (self.pins.araddr, self.pins.arvalid, self.busy) = (addr, true, true);
                }
                Some(Access::Wait(left)) => {
                    *left = left.saturating_sub(1);
                    if *left == 0 {
                        self.queue.pop_front();
                    }
                }
                None => {}
            }
        }
        self.pins
    }

    /// Takes the answer of a cycle, just before the edge.
    pub(super) fn clock(&mut self, answer: &AxilAnswer) {
        self.pins.awvalid &= !answer.awready;
        self.pins.wvalid &= !answer.wready;
        self.pins.arvalid &= !answer.arready;
        let over = match self.queue.front() {
            Some(Access::Write { .. }) if answer.bvalid => {
                let good = answer.bresp == 0;
                self.done.written += u64::from(good);
                self.done.refused += u64::from(!good);
                self.busy = false;
                good
            }
            Some(Access::Read { .. }) if answer.rvalid => {
                self.done.read += 1;
                self.busy = false;
                true
            }
            Some(Access::Poll { .. }) if answer.rvalid => {
                self.busy = false;
                answer.rdata & 1 != 0
            }
            _ => false,
        };
        if over {
            self.queue.pop_front();
        }
    }
}
