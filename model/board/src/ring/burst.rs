// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hosts that write and read in AXI4 bursts, and a ring of their boards.

use super::board::Board;
use super::boards::{self, Axi4, BoardHost, BoardScenario, HostOp, HostResult, configure};
use super::fibre::Word;
use super::member::{Member, Now};
use super::scenario::ScenarioError;
use super::sweep::Ring;
use crate::rtl::smb_axi4::{Inputs, Outputs};
use crate::rtl::state::State;
use crate::rtl::{Axi4Request, Parameters, RingEgress, SmbAxi4, ring_node};
use awgstar_frame::quantity::{Cycle, NodeId, narrow};
use awgstar_frame::random::XorShift32;

/// FIXED burst: each beat has the first one's address.
pub const FIXED: u8 = 0;
/// INCR burst: addresses ascend.
pub const INCR: u8 = 1;
/// WRAP burst: addresses ascend and wrap.
pub const WRAP: u8 = 2;

/// A burst of the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Burst {
    /// It writes; otherwise it reads.
    pub write: bool,
    pub id: u16,
    /// Byte address of its first beat.
    pub addr: u32,
    /// Beats, less one.
    pub len: u8,
    /// Bytes of a beat: 2^n.
    pub size: u8,
    /// [`FIXED`], [`INCR`] or [`WRAP`].
    pub kind: u8,
    /// Cycles between the address before it in its channel and its own, at least.
    pub gap: u16,
    /// It waits for the answers to all bursts before it.
    pub fence: bool,
    /// Word of its first beat; [`Burst::word`] gives the others.
    pub data: u32,
    /// Lanes of a beat that are written, if the beat has them: bit (l + k) mod 4 is for lane l of beat k.
    pub strobe: u8,
}

impl Burst {
    /// A write of one word, or of the lanes of it.
    #[must_use]
    pub const fn word_write(addr: u32, data: u32, strobe: u8) -> Self {
        Burst {
            write: true,
            id: 0,
            addr,
            len: 0,
            size: 2,
            kind: INCR,
            gap: 0,
            fence: false,
            data,
            strobe,
        }
    }

    #[must_use]
    pub const fn word_read(addr: u32) -> Self {
        Burst { write: false, strobe: 0, ..Self::word_write(addr, 0, 0) }
    }

    /// Data of beat `k`.
    #[must_use]
    pub const fn word(&self, k: u8) -> u32 {
        self.data ^ (k as u32).wrapping_mul(0x9e37_79b1)
    }

    /// First byte address of beat `k` of a burst whose addresses ascend.
    #[must_use]
    pub const fn address(&self, k: u8) -> u32 {
        let bytes = 1 << (self.size & 7);
        match k {
            0 => self.addr,
            _ => (self.addr & !(bytes - 1)).wrapping_add(bytes.wrapping_mul(k as u32)),
        }
    }

    /// Lanes that beat `k` may write.
    #[must_use]
    pub const fn lanes(&self, k: u8) -> u8 {
        let from = if self.kind == FIXED { self.addr } else { self.address(k) };
        let bytes = 1 << (self.size & 7);
        let (first, end) = (from & 3, (from & 3 & !(bytes - 1)) + bytes);
        let all = if end > 3 { 0b1111u8 } else { 0b1111 >> (4 - end) };
        all & 0b1111 << first
    }

    /// Lanes that beat `k` writes.
    #[must_use]
    pub const fn strobes(&self, k: u8) -> u8 {
        let strobe = self.strobe & 15;
        self.lanes(k) & ((strobe << 4 | strobe) >> (k % 4))
    }
}

/// How often a channel moves: in n of 8 cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// A write address that may be valid becomes so.
    pub aw: u8,
    /// The same of write data.
    pub w: u8,
    /// The same of a read address.
    pub ar: u8,
    /// `bready`.
    pub b: u8,
    /// `rready`.
    pub r: u8,
}

impl Pace {
    /// Everything at once.
    pub const FULL: Pace = Pace { aw: 8, w: 8, ar: 8, b: 8, r: 8 };
}

/// The answer to a burst.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The burst's place in the host's list.
    pub burst: usize,
    /// ID on the port.
    pub id: u16,
    /// A write, or beats of a read: refused or not, and the word.
    pub beats: Vec<(bool, u32)>,
    /// Cycle of its end, counted from the host's first one.
    pub cycle: Cycle,
    /// `rlast` was on the last beat and on no other.
    pub last_is_right: bool,
}

/// A burst with what comes before it in the list.
#[derive(Clone, Copy, Debug)]
struct Item {
    burst: Burst,
    place: usize,
    writes_before: usize,
    reads_before: usize,
}

/// State of a channel of the host.
#[derive(Clone, Copy, Debug, Default)]
struct Channel {
    /// Next burst of the list of its direction.
    at: usize,
    /// Its valid is high.
    on: bool,
    /// Cycles since the last transfer.
    idle: u32,
}

/// Drives the AXI4 port of a board.
#[derive(Clone, Debug)]
pub struct BurstHost {
    pace: Pace,
    random: XorShift32,
    items: usize,
    writes: Vec<Item>,
    reads: Vec<Item>,
    aw: Channel,
    w: Channel,
    ar: Channel,
    beat: u8,
    written: usize,
    read: usize,
    part: Answer,
    answers: Vec<Answer>,
    lost: usize,
    cycle: u64,
}

impl BurstHost {
    /// A host before its first cycle; `seed` decides when its channels move.
    #[must_use]
    pub fn new(pace: Pace, seed: u32) -> Self {
        BurstHost {
            pace,
            random: XorShift32::new(seed | 1),
            items: 0,
            writes: Vec::new(),
            reads: Vec::new(),
            aw: Channel::default(),
            w: Channel::default(),
            ar: Channel::default(),
            beat: 0,
            written: 0,
            read: 0,
            part: Answer::default(),
            answers: Vec::new(),
            lost: 0,
            cycle: 0,
        }
    }

    /// More bursts.
    pub fn push(&mut self, bursts: impl IntoIterator<Item = Burst>) {
        for burst in bursts {
            let item = Item {
                burst,
                place: self.items,
                writes_before: self.writes.len(),
                reads_before: self.reads.len(),
            };
            self.items += 1;
            if burst.write { self.writes.push(item) } else { self.reads.push(item) }
        }
    }

    /// Answers so far; those of a direction in their order.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// All bursts are answered, but for those that a reset ended.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.answers.len() + self.lost == self.items
    }

    /// The board is reset, and this host with it: bursts under way are never answered.
    pub fn reset(&mut self) {
        let begun = |channel: Channel| channel.at + usize::from(channel.on);
        let (aw, ar) = (begun(self.aw).max(self.w.at + usize::from(self.beat > 0)), begun(self.ar));
        self.lost += (aw - self.written) + (ar - self.read);
        (self.written, self.read, self.beat) = (aw, ar, 0);
        self.part = Answer::default();
        let at = |at| Channel { at, ..Channel::default() };
        (self.aw, self.w, self.ar) = (at(aw), at(aw), at(ar));
    }

    fn moves(&mut self, chance: u8) -> bool {
        chance >= 8 || self.random.next_u32() >> 7 & 7 < u32::from(chance)
    }

    fn ahead(&self, item: &Item) -> bool {
        !item.burst.fence || (self.written >= item.writes_before && self.read >= item.reads_before)
    }

    fn due(&self, channel: Channel, list: &[Item]) -> bool {
        list.get(channel.at)
            .is_some_and(|item| channel.idle >= item.burst.gap.into() && self.ahead(item))
    }

    /// Inputs of the board with nothing valid: noise.
    #[must_use]
    pub fn noise(&mut self) -> Inputs {
        let [a, b, c] = [(); 3].map(|()| self.random.next_u32());
        let byte = |n: u32| n.to_le_bytes();
        Inputs {
            s_axi: Axi4Request {
                awid: u16::from(byte(a)[0]) & 15,
                awaddr: a,
                awlen: byte(b)[1],
                awsize: byte(b)[2] & 7,
                awburst: byte(b)[3] & 3,
                wdata: b,
                wstrb: byte(c)[0] & 15,
                wlast: c >> 9 & 1 == 1,
                bready: c >> 10 & 1 == 1,
                arid: u16::from(byte(c)[2]) & 15,
                araddr: c,
                arlen: byte(a)[1],
                arsize: byte(a)[2] & 7,
                arburst: byte(a)[3] & 3,
                rready: c >> 11 & 1 == 1,
                ..Axi4Request::default()
            },
            ..Inputs::default()
        }
    }

    /// The host's inputs of the board in this cycle; those that are not valid are noise.
    #[must_use]
    pub fn drive(&mut self) -> Inputs {
        let pace = self.pace;
        let due = self.due(self.aw, &self.writes);
        self.aw.on |= due && self.moves(pace.aw);
        // The first beat is not before the time of its address; the others follow as they can.
        let due = self.w.at < self.aw.at
            || (self.w.at == self.aw.at && (self.aw.on || due) && self.w.at < self.writes.len());
        self.w.on |= due && self.moves(pace.w);
        let due = self.due(self.ar, &self.reads);
        self.ar.on |= due && self.moves(pace.ar);
        let (b, r) = (self.moves(pace.b), self.moves(pace.r));
        let mut i = self.noise();
        (i.s_axi.awvalid, i.s_axi.wvalid, i.s_axi.arvalid) = (self.aw.on, self.w.on, self.ar.on);
        (i.s_axi.bready, i.s_axi.rready) = (b, r);
        if let (true, Some(item)) = (self.aw.on, self.writes.get(self.aw.at)) {
            let burst = item.burst;
            (i.s_axi.awid, i.s_axi.awaddr, i.s_axi.awlen) = (burst.id, burst.addr, burst.len);
            (i.s_axi.awsize, i.s_axi.awburst) = (burst.size, burst.kind);
        }
        if let (true, Some(item)) = (self.w.on, self.writes.get(self.w.at)) {
            i.s_axi.wdata = item.burst.word(self.beat);
            i.s_axi.wstrb = item.burst.strobes(self.beat);
            i.s_axi.wlast = self.beat == item.burst.len;
        }
        if let (true, Some(item)) = (self.ar.on, self.reads.get(self.ar.at)) {
            let burst = item.burst;
            (i.s_axi.arid, i.s_axi.araddr, i.s_axi.arlen) = (burst.id, burst.addr, burst.len);
            (i.s_axi.arsize, i.s_axi.arburst) = (burst.size, burst.kind);
        }
        i
    }

    /// The edge, given what the board did.
    pub fn clock(&mut self, i: &Inputs, o: &Outputs) {
        self.cycle += 1;
        for (channel, taken) in [
            (&mut self.aw, i.s_axi.awvalid && o.s_axi.awready),
            (&mut self.ar, i.s_axi.arvalid && o.s_axi.arready),
        ] {
            channel.idle = channel.idle.saturating_add(1);
            if taken {
                *channel = Channel { at: channel.at + 1, on: false, idle: 0 };
            }
        }
        if i.s_axi.wvalid && o.s_axi.wready {
            self.w.on = false;
            self.beat = self.beat.wrapping_add(1);
            if i.s_axi.wlast {
                (self.w.at, self.beat) = (self.w.at + 1, 0);
            }
        }
        if o.s_axi.bvalid && i.s_axi.bready {
            let burst = self.writes.get(self.written).map_or(usize::MAX, |item| item.place);
            self.written += 1;
            self.answers.push(Answer {
                burst,
                id: o.s_axi.bid,
                beats: vec![(o.s_axi.bresp != 0, 0)],
                cycle: Cycle(self.cycle),
                last_is_right: true,
            });
        }
        if o.s_axi.rvalid && i.s_axi.rready {
            let item = self.reads.get(self.read).copied();
            if self.part.beats.is_empty() {
                self.part.burst = item.map_or(usize::MAX, |item| item.place);
                (self.part.id, self.part.last_is_right) = (o.s_axi.rid, true);
            }
            self.part.last_is_right &= self.part.id == o.s_axi.rid;
            self.part.beats.push((o.s_axi.rresp != 0, o.s_axi.rdata));
            let ends = item.is_none_or(|item| self.part.beats.len() > item.burst.len.into());
            self.part.last_is_right &= o.s_axi.rlast == ends;
            if ends {
                self.read += 1;
                self.part.cycle = Cycle(self.cycle);
                self.answers.push(std::mem::take(&mut self.part));
            }
        }
    }
}

/// Host of a board with an AXI4 port.
#[derive(Clone, Debug)]
pub enum Axi4Host {
    /// Plays bursts, with noise on pins that are not valid.
    Bursts(BurstHost),
    /// Serves operations.
    Accesses(BoardHost<Axi4>),
}

impl Member for SmbAxi4 {
    type Inputs = Inputs;
    type Outputs = Outputs;
    type Host = Axi4Host;

    // A memory may still be read in the cycles before, and its word be kept.
    const CALM: u8 = 6;

    #[inline]
    fn cycle<const SEEN: bool>(
        &mut self,
        host: &mut Axi4Host,
        Now { cycle, reset, word }: Now,
        look: impl FnOnce(&SmbAxi4, &Inputs, &Outputs),
    ) {
        let mut inputs = match host {
            Axi4Host::Bursts(_) if reset => Inputs::default(),
            Axi4Host::Bursts(host) => host.drive(),
            Axi4Host::Accesses(host) => {
                if !reset {
                    host.drive(cycle);
                }
                host.pins.inputs
            }
        };
        inputs.rst = reset;
        inputs.s_axis.set(word);
        let outputs = self.outputs(&inputs);
        look(self, &inputs, &outputs);
        self.advance(&inputs);
        match host {
            _ if reset => {}
            Axi4Host::Bursts(host) => host.clock(&inputs, &outputs),
            Axi4Host::Accesses(host) => host.take(cycle, &outputs),
        }
    }

    /// A host that plays bursts draws noise for its pins in each cycle.
    #[inline]
    fn rests(&self, host: &Axi4Host, cycle: u64) -> u64 {
        let Axi4Host::Accesses(host) = host else { return 0 };
        let Some(free) = host.free_until() else { return 0 };
        self.rests(&host.pins.inputs).min(free.saturating_sub(cycle))
    }

    #[inline]
    fn pass(&mut self, from: u64, until: u64) {
        self.skip(until - from);
    }

    #[inline]
    fn egress(&self) -> &RingEgress {
        &self.u_node.u_egress
    }
}

impl Board for SmbAxi4 {
    const BURST: usize = 1024;

    fn with(parameters: &Parameters) -> Self {
        SmbAxi4::new(parameters)
    }

    fn host() -> Axi4Host {
        Axi4Host::Accesses(BoardHost::default())
    }

    fn is_idle(host: &Axi4Host) -> bool {
        match host {
            Axi4Host::Bursts(host) => host.is_idle(),
            Axi4Host::Accesses(host) => host.is_idle(),
        }
    }

    fn forget(host: &mut Axi4Host) {
        match host {
            Axi4Host::Bursts(host) => host.reset(),
            Axi4Host::Accesses(host) => host.forget(),
        }
    }

    fn push(host: &mut Axi4Host, ops: Vec<HostOp>) -> Result<(), ScenarioError> {
        match host {
            Axi4Host::Bursts(host) => {
                host.push(bursts_of(&ops));
                Ok(())
            }
            Axi4Host::Accesses(host) => host.push(ops),
        }
    }

    /// Answers to bursts are those of [`BurstHost::answers`].
    fn results(host: &Axi4Host) -> &[HostResult] {
        match host {
            Axi4Host::Bursts(_) => &[],
            Axi4Host::Accesses(host) => host.results(),
        }
    }

    fn take_results(host: &mut Axi4Host) -> Vec<HostResult> {
        match host {
            Axi4Host::Bursts(_) => Vec::new(),
            Axi4Host::Accesses(host) => host.take_results(),
        }
    }

    fn arriving(i: &Inputs) -> Option<Word> {
        i.s_axis.word()
    }

    fn node_ports(&self, i: &Inputs) -> (ring_node::Inputs, ring_node::Outputs) {
        self.node_ports(i)
    }
}

/// A ring of boards with AXI4 hosts.
pub type BurstRing = Ring<SmbAxi4>;

impl BurstRing {
    /// A ring before its first cycle, with hosts of that pace.
    ///
    /// # Errors
    /// If the scenario is invalid; the error names the first wrong entry.
    pub fn with_pace(scenario: &BoardScenario, pace: Pace) -> Result<Self, ScenarioError> {
        let seed = |i: usize| narrow::<u32>(i + 1).wrapping_mul(0x9e37_79b1);
        boards::with_hosts(scenario, |i| Axi4Host::Bursts(BurstHost::new(pace, seed(i))))
    }

    /// Each host configures its board and lets it take part, as [`configure`] does.
    pub fn configure(&mut self, tokens: u8, timeout: u32, period: u32) {
        for (i, node) in NodeId::all(self.boards()).enumerate() {
            let taken = self.push(i, configure(node, tokens, timeout, period));
            debug_assert!(taken.is_ok(), "{taken:?}");
        }
    }

    /// A host that plays bursts.
    ///
    /// # Panics
    /// If there is none of that number, or it is another one.
    #[must_use]
    pub fn host_mut(&mut self, i: usize) -> &mut BurstHost {
        match &mut self.wake(i).1.host {
            Axi4Host::Bursts(host) => host,
            Axi4Host::Accesses(_) => panic!("the host of board {i} serves operations"),
        }
    }
}

/// Operations of a host as bursts of one beat; those that only wait are left out.
#[must_use]
pub fn bursts_of(ops: &[HostOp]) -> Vec<Burst> {
    ops.iter()
        .filter_map(|op| match *op {
            HostOp::Write { addr, data, strobe } => Some(Burst::word_write(addr.0, data, strobe)),
            HostOp::Read { addr } => Some(Burst::word_read(addr.0)),
            HostOp::Wait { .. } | HostOp::Poll { .. } | HostOp::Interrupt { .. } => None,
        })
        .collect()
}
