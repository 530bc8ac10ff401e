// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host at an AXI4-Lite port: a queue of operations. A write that the board refuses is made again, as a driver does.

use awgstar::quantity::Cycle;
use awgstar::ring::HostOp;
use awgstar::rtl::{AxilAnswer, AxilRequest};
use std::collections::VecDeque;

/// What a host has done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) written: u64,
    pub(super) refused: u64,
    pub(super) read: u64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Host {
    pub(super) queue: VecDeque<HostOp>,
    pub(super) done: Done,
    pins: AxilRequest,
    busy: bool,
}

impl Host {
    pub(super) fn new(queue: impl IntoIterator<Item = HostOp>) -> Self {
        let pins = AxilRequest { bready: true, rready: true, ..AxilRequest::default() };
        Host { queue: queue.into_iter().collect(), pins, ..Host::default() }
    }

    /// Sets the pins of the cycle that begins.
    pub(super) fn drive(&mut self) -> AxilRequest {
        if !self.busy {
            match self.queue.front_mut() {
                Some(&mut HostOp::Write { addr, data, strobe }) => {
                    (self.pins.awaddr, self.pins.wdata, self.pins.wstrb) = (addr.0, data, strobe);
                    (self.pins.awvalid, self.pins.wvalid, self.busy) = (true, true, true);
                }
                Some(&mut (HostOp::Read { addr } | HostOp::Poll { addr, .. })) => {
                    (self.pins.araddr, self.pins.arvalid, self.busy) = (addr.0, true, true);
                }
                Some(HostOp::Wait { cycles }) => {
                    *cycles = cycles.saturating_sub(Cycle(1));
                    if *cycles == Cycle(0) {
                        self.queue.pop_front();
                    }
                }
                Some(HostOp::Interrupt { .. }) | None => {}
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
            Some(HostOp::Write { .. }) if answer.bvalid => {
                let good = answer.bresp == 0;
                self.done.written += u64::from(good);
                self.done.refused += u64::from(!good);
                self.busy = false;
                good
            }
            Some(HostOp::Read { .. }) if answer.rvalid => {
                self.done.read += 1;
                self.busy = false;
                true
            }
            Some(HostOp::Poll { mask, value, .. }) if answer.rvalid => {
                self.busy = false;
                answer.rdata & mask == *value
            }
            _ => false,
        };
        if over {
            self.queue.pop_front();
        }
    }
}
