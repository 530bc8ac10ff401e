// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pins of a host: how its accesses go through the port of its board.

use super::super::access::{HostOp, Outcome};
use super::operations::WINDOW;
use crate::rtl::bundle::{Axi4Request, AxilRequest};
use crate::rtl::{smb, smb_axi4};
use awgstar_frame::quantity::narrow;
use std::collections::VecDeque;
use std::fmt::Debug;

/// Accesses at the front of the queue that are over.
#[derive(Clone, Copy, Debug)]
pub struct Answered {
    /// How many.
    pub(in crate::ring) ops: usize,
    /// The word, if one was read.
    pub(in crate::ring) data: u32,
    pub(in crate::ring) outcome: Outcome,
}

/// What the host of a board drives.
pub trait Pins: Clone + Debug + Default {
    type Outputs;

    /// Begins with the accesses at the front of the queue: with the first one, or with more.
    fn begin(&mut self, queue: &VecDeque<HostOp>);
    /// Takes the board's outputs of a cycle, just before the edge.
    fn take(&mut self, o: &Self::Outputs) -> Option<Answered>;
    /// Some of the accesses that were begun are not answered.
    fn is_busy(&self) -> bool;
    /// Nothing is asked for any more: the board is reset.
    fn silence(&mut self);
    fn irq(o: &Self::Outputs) -> bool;
}

const fn outcome(resp: u8) -> Outcome {
    if resp == 0 { Outcome::Done } else { Outcome::Refused }
}

/// AXI4-Lite: one access after the other. Address and data of a write come in the same cycle, and an answer is always
/// taken.
#[derive(Clone, Debug)]
pub struct Axil {
    pub(in crate::ring) inputs: smb::Inputs,
    /// The access is a write.
    writes: bool,
    busy: bool,
}

impl Default for Axil {
    fn default() -> Self {
        let s_axi = AxilRequest { bready: true, rready: true, ..AxilRequest::default() };
        let inputs = smb::Inputs { s_axi, ..smb::Inputs::default() };
        Axil { inputs, writes: false, busy: false }
    }
}

impl Pins for Axil {
    type Outputs = smb::Outputs;

    fn begin(&mut self, queue: &VecDeque<HostOp>) {
        let pins = &mut self.inputs.s_axi;
        self.busy = true;
        match queue.front() {
            Some(&HostOp::Write { addr, data, strobe }) => {
                (pins.awaddr, pins.awvalid) = (addr.0, true);
                (pins.wdata, pins.wstrb, pins.wvalid) = (data, strobe, true);
                self.writes = true;
            }
            Some(&(HostOp::Read { addr } | HostOp::Poll { addr, .. })) => {
                (pins.araddr, pins.arvalid) = (addr.0, true);
                self.writes = false;
            }
            _ => self.busy = false,
        }
    }

    #[inline]
    fn take(&mut self, o: &smb::Outputs) -> Option<Answered> {
        let pins = &mut self.inputs.s_axi;
        let (valid, data, resp) = if self.writes {
            pins.awvalid &= !o.s_axi.awready;
            pins.wvalid &= !o.s_axi.wready;
            (o.s_axi.bvalid, 0, o.s_axi.bresp)
        } else {
            pins.arvalid &= !o.s_axi.arready;
            (o.s_axi.rvalid, o.s_axi.rdata, o.s_axi.rresp)
        };
        valid.then(|| {
            self.busy = false;
            Answered { ops: 1, data, outcome: outcome(resp) }
        })
    }

    fn is_busy(&self) -> bool {
        self.busy
    }

    fn silence(&mut self) {
        let pins = &mut self.inputs.s_axi;
        (pins.awvalid, pins.wvalid, pins.arvalid) = (false, false, false);
        self.busy = false;
    }

    fn irq(o: &smb::Outputs) -> bool {
        o.irq
    }
}

/// Beats of the longest burst.
const BEATS: usize = 256;

/// AXI4: writes, or reads, of words of the shared memory that follow each other are bursts, without a pause between
/// two of them.
#[derive(Clone, Debug)]
pub struct Axi4 {
    pub(in crate::ring) inputs: smb_axi4::Inputs,
    /// The accesses are writes.
    writes: bool,
    /// Words of a write that have not left yet.
    words: VecDeque<(u32, u8)>,
    /// Bursts, each with its address and beats, whose address has not left yet.
    asked: VecDeque<(u32, usize)>,
    /// Beats of bursts whose last beat has not left yet, or not come.
    moving: VecDeque<usize>,
    /// Beats of the first of them that have left or come.
    beats: usize,
    /// Writes that are not answered.
    open: VecDeque<usize>,
}

impl Default for Axi4 {
    fn default() -> Self {
        let s_axi = Axi4Request {
            awsize: 2,
            awburst: 1,
            arsize: 2,
            arburst: 1,
            bready: true,
            rready: true,
            ..Axi4Request::default()
        };
        let inputs = smb_axi4::Inputs { s_axi, ..smb_axi4::Inputs::default() };
        Axi4 {
            inputs,
            writes: false,
            words: VecDeque::new(),
            asked: VecDeque::new(),
            moving: VecDeque::new(),
            beats: 0,
            open: VecDeque::new(),
        }
    }
}

/// Address of an access of that direction.
fn address(op: &HostOp, writes: bool) -> Option<u32> {
    match *op {
        HostOp::Write { addr, .. } if writes => Some(addr.aligned().0),
        HostOp::Read { addr } if !writes => Some(addr.aligned().0),
        _ => None,
    }
}

impl Axi4 {
    /// Address and first beat of the next burst.
    fn ask(&mut self) {
        let next = self.asked.pop_front();
        let pins = &mut self.inputs.s_axi;
        if self.writes {
            pins.awvalid = next.is_some();
        } else {
            pins.arvalid = next.is_some();
        }
        let Some((addr, beats)) = next else { return };
        let len: u8 = narrow(beats - 1);
        if self.writes {
            (pins.awaddr, pins.awlen) = (addr, len);
        } else {
            (pins.araddr, pins.arlen) = (addr, len);
        }
    }

    /// The next beat of a write.
    fn put(&mut self) {
        let word = self.words.pop_front();
        let pins = &mut self.inputs.s_axi;
        pins.wvalid = word.is_some();
        let Some((data, strobe)) = word else { return };
        (pins.wdata, pins.wstrb) = (data, strobe);
        self.beats += 1;
        pins.wlast = self.moving.front() == Some(&self.beats);
        if pins.wlast {
            self.moving.pop_front();
            self.beats = 0;
        }
    }

    fn take_write(&mut self, o: &smb_axi4::Outputs) -> Option<Answered> {
        let pins = &self.inputs.s_axi;
        let (asked, put) = (pins.awvalid && o.s_axi.awready, pins.wvalid && o.s_axi.wready);
        if asked {
            self.ask();
        }
        if put {
            self.put();
        }
        if !o.s_axi.bvalid {
            return None;
        }
        let ops = self.open.pop_front()?;
        Some(Answered { ops, data: 0, outcome: outcome(o.s_axi.bresp) })
    }

    fn take_read(&mut self, o: &smb_axi4::Outputs) -> Option<Answered> {
        if self.inputs.s_axi.arvalid && o.s_axi.arready {
            self.ask();
        }
        if !o.s_axi.rvalid {
            return None;
        }
        self.beats += 1;
        if self.moving.front() == Some(&self.beats) {
            self.moving.pop_front();
            self.beats = 0;
        }
        Some(Answered { ops: 1, data: o.s_axi.rdata, outcome: outcome(o.s_axi.rresp) })
    }
}

impl Pins for Axi4 {
    type Outputs = smb_axi4::Outputs;

    fn begin(&mut self, queue: &VecDeque<HostOp>) {
        let (addr, writes, more) = match queue.front() {
            Some(&HostOp::Write { addr, .. }) => (addr, true, true),
            Some(&HostOp::Read { addr }) => (addr, false, true),
            Some(&HostOp::Poll { addr, .. }) => (addr, false, false),
            _ => return,
        };
        self.writes = writes;
        let first = addr.aligned().0;
        let follows = |(op, k): (&HostOp, u32)| address(op, writes) == first.checked_add(4 * k);
        // Registers are accessed one by one.
        let run = if more && first >= WINDOW.0 {
            queue.iter().zip(0..).take_while(|&one| follows(one)).count()
        } else {
            1
        };
        if writes {
            let word = |op: &HostOp| match *op {
                HostOp::Write { data, strobe, .. } => Some((data, strobe)),
                _ => None,
            };
            self.words = queue.iter().take(run).filter_map(word).collect();
        }
        let (mut at, mut left) = (first, run);
        while left > 0 {
            // None crosses 4 KiB (AXI-3).
            let beats = left.min(BEATS).min((0x1000 - (at as usize & 0xfff)) / 4);
            self.asked.push_back((at, beats));
            self.moving.push_back(beats);
            if writes {
                self.open.push_back(beats);
            }
            (at, left) = (at.wrapping_add(narrow::<u32>(4 * beats)), left - beats);
        }
        self.ask();
        if writes {
            self.put();
        }
    }

    #[inline]
    fn take(&mut self, o: &smb_axi4::Outputs) -> Option<Answered> {
        if self.writes { self.take_write(o) } else { self.take_read(o) }
    }

    fn is_busy(&self) -> bool {
        if self.writes { !self.open.is_empty() } else { !self.moving.is_empty() }
    }

    fn silence(&mut self) {
        let pins = &mut self.inputs.s_axi;
        (pins.awvalid, pins.wvalid, pins.arvalid) = (false, false, false);
        for list in [&mut self.moving, &mut self.open] {
            list.clear();
        }
        (self.words, self.asked, self.beats) = (VecDeque::new(), VecDeque::new(), 0);
    }

    fn irq(o: &smb_axi4::Outputs) -> bool {
        o.irq
    }
}
