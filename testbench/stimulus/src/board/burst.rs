// SPDX-License-Identifier: MIT OR Apache-2.0
//! The AXI4 port in lockstep: by itself, between a host that writes and reads in bursts and a board
//! that answers at random, and in a board.

use crate::StimulusError;
use crate::board::case::look;
use crate::board::incoming::Incoming;
use crate::board::limits;
use crate::board::one_word;
use crate::board::parts::{WINDOW, set_up, signal};
use crate::board::stimulus::{BoardEvent, BoardStimulus, HostAccess};
use crate::board::strategy::frame;
use crate::case::{Case, Source};
use crate::ends::Warm;
use crate::machine::{self, Bench, Look, PortsVisit, Running, Stimulus, machine};
use crate::node::directed::Named;
use crate::shrink::{edited, without};
use awgstar::contract::board as map;
use awgstar::quantity::Cycle;
use awgstar::random::XorShift32;
use awgstar::ring::Word;
use awgstar::ring::burst::{Burst, BurstHost, BurstRing, FIXED, INCR, Pace, WRAP};
use awgstar::ring::{BoardScenario, RESET_CYCLES};
use awgstar::rtl::{
    Axi4Port, Parameters, SmbAxi4, axi4_port, smb_axi4,
    state::{Ports, State},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// A run of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BurstStimulus {
    /// Length of the run.
    pub cycles: Cycle,
    /// Cycles after which the board's output returns to its input; `None`: it never does.
    pub loopback: Option<u16>,
    /// Of what returns, only frames with this low byte of MAC; all without it.
    pub returns: Option<u8>,
    /// Frames put on the link, one after another; they break frames that return meanwhile.
    pub link: Vec<BoardEvent>,
    /// Bursts of the host.
    pub bursts: Vec<Burst>,
    /// How often the channels move.
    pub pace: Pace,
    /// Resets: first cycle and length.
    pub resets: Vec<(Cycle, u8)>,
    /// Seed of the pace and of the values on don't-care inputs.
    pub noise: u32,
}

/// A ring of boards whose host 0 writes blocks of 1,024 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BurstRun {
    pub boards: usize,
    pub tokens: u8,
    /// Cycles of each link.
    pub fibre: u32,
    /// Blocks that are written.
    pub blocks: u32,
    /// Length of the run.
    pub cycles: Cycle,
}

impl BurstRun {
    /// The ring before its first cycle.
    fn ring(&self) -> Result<BurstRing, StimulusError> {
        let fibre = vec![self.fibre; self.boards];
        let scenario = BoardScenario { fibre, ..BoardScenario::new(self.boards) };
        let ring = BurstRing::with_pace(&scenario, Pace::FULL);
        let mut ring = ring.map_err(|e| StimulusError::format("scenario", e.to_string()))?;
        ring.configure(self.tokens, 4_000, 300);
        let block = |k: u32| Burst {
            len: 255,
            gap: if k == 0 { 4_000 } else { 0 },
            ..Burst::word_write((WINDOW | (k % 16 * 1024)).0, k, 15)
        };
        ring.host_mut(0).push((0..self.blocks).map(block));
        Ok(ring)
    }
}

machine!(SmbAxi4, smb_axi4, Parameters::DEFAULT, BurstStimulus, BurstRun, {
    fn look(&self, inputs: &Self::Inputs, visit: &mut PortsVisit<'_>) {
        let node = &self.blocks.u_node;
        look(node, |each| SmbAxi4::look(self, inputs, &mut |a, b, c| each(a, b, c)), visit);
    }
});

/// Drives a board with an AXI4 port.
pub struct Player {
    host: BurstHost,
    incoming: Incoming,
    resets: Vec<(Cycle, u8)>,
    random: XorShift32,
    parameters: Parameters,
}

impl Player {
    fn new(s: &BurstStimulus, parameters: &Parameters) -> Self {
        let mut host = BurstHost::new(s.pace, s.noise);
        host.push(s.bursts.iter().copied());
        Player {
            host,
            incoming: Incoming::new(&s.link, &Warm::default(), (s.loopback, s.returns)),
            resets: s.resets.clone(),
            random: XorShift32::new(s.noise | 1),
            parameters: *parameters,
        }
    }

    fn noise(&mut self) -> Word {
        let data = self.random.next_u32();
        let byte = data.to_le_bytes();
        Word { data, keep: byte[0] >> 3 & 15, last: byte[1] & 4 == 4, user: byte[1] & 8 == 8 }
    }
}

impl machine::Player<SmbAxi4> for Player {
    fn drive(&mut self, now: Cycle) -> smb_axi4::Inputs {
        let reset = |&(at, length): &(Cycle, u8)| (at..at + Cycle(length.into())).contains(&now);
        let rst = now < RESET_CYCLES || self.resets.iter().any(reset);
        if rst {
            self.host.reset();
        }
        let mut inputs = if rst { self.host.noise() } else { self.host.drive() };
        for id in [&mut inputs.s_axi.awid, &mut inputs.s_axi.arid] {
            *id = fit_id(*id, &self.parameters);
        }
        inputs.rst = rst;
        let (word, noise) = (self.incoming.word(now), self.noise());
        let link = word.unwrap_or(noise);
        (inputs.s_axis.tvalid, inputs.s_axis.tdata) = (word.is_some(), link.data);
        (inputs.s_axis.tkeep, inputs.s_axis.tlast) = (link.keep, link.last);
        inputs.s_axis.tuser = link.user;
        inputs
    }

    fn clock(&mut self, now: Cycle, inputs: &smb_axi4::Inputs, outputs: &smb_axi4::Outputs) {
        if !inputs.rst {
            self.host.clock(inputs, outputs);
        }
        self.incoming.clock(now, outputs.m_axis.word().filter(|_| !inputs.rst));
    }
}

impl Stimulus<SmbAxi4> for BurstStimulus {
    type Player = Player;

    fn cycles(&self) -> Cycle {
        self.cycles
    }

    fn set_cycles(&mut self, cycles: Cycle) {
        self.cycles = cycles;
    }

    fn player(&self, parameters: &Parameters) -> Player {
        Player::new(self, parameters)
    }

    fn candidates(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for link in without(&self.link) {
            edited(self, &mut all, |s| s.link = link);
        }
        for bursts in without(&self.bursts) {
            edited(self, &mut all, |s| s.bursts = bursts);
        }
        for resets in without(&self.resets) {
            edited(self, &mut all, |s| s.resets = resets);
        }
        edited(self, &mut all, |s| s.pace = Pace::FULL);
        edited(self, &mut all, |s| s.loopback = None);
        for i in 0..self.bursts.len() {
            edited(self, &mut all, |s| s.bursts[i].len /= 2);
            edited(self, &mut all, |s| s.bursts[i].gap = 0);
            edited(self, &mut all, |s| s.bursts[i].fence = false);
        }
        all
    }
}

/// The ring, and the cycle it ends with.
struct Streaming(BurstRing, Cycle);

impl Running<SmbAxi4> for Streaming {
    fn done(&self) -> bool {
        self.0.cycle() >= self.1
    }

    fn node_mut(&mut self, node: usize) -> &mut SmbAxi4 {
        self.0.board_mut(node)
    }

    fn step(&mut self, look: &mut Look<'_, SmbAxi4>) {
        self.0
            .step_observed(&mut |node, board, inputs, outputs| look(node, board, inputs, outputs));
    }
}

impl Bench<SmbAxi4> for BurstRun {
    fn nodes(&self) -> usize {
        self.boards
    }

    fn cycles(&self) -> Cycle {
        self.cycles
    }

    fn set_cycles(&mut self, cycles: Cycle) {
        self.cycles = cycles;
    }

    fn running(&self) -> Result<Box<dyn Running<SmbAxi4>>, StimulusError> {
        Ok(Box::new(Streaming(self.ring()?, self.cycles)))
    }

    fn candidates(&self) -> Vec<Self> {
        Vec::new()
    }
}

/// An access of one word as a burst of one beat.
fn single(access: &HostAccess) -> Burst {
    let word = if access.write {
        Burst::word_write(access.addr.0, access.data, access.strobe)
    } else {
        Burst::word_read(access.addr.0)
    };
    Burst { gap: access.gap, ..word }
}

/// The same run of a board with an AXI4 port: each access is a burst of one beat, after the answer to the one
/// before it.
#[must_use]
pub fn of_single_accesses(s: &BoardStimulus) -> BurstStimulus {
    BurstStimulus {
        cycles: s.cycles,
        loopback: s.loopback,
        returns: s.returns,
        link: s.link.clone(),
        bursts: s.host.iter().map(|access| Burst { fence: true, ..single(access) }).collect(),
        pace: Pace::FULL,
        resets: s.resets.clone(),
        noise: s.noise | 1,
    }
}

/// Bursts that configure the board.
fn start(combine: u32, tokens: u32, enable: bool) -> Vec<Burst> {
    set_up(600, combine, 300, tokens, enable).iter().map(single).collect()
}

fn address() -> impl Strategy<Value = u32> {
    let bytes = 4u32 << map::MEM_ADDR_W;
    let registers: Vec<u32> =
        map::REGISTERS.iter().flat_map(|r| (0..r.count).map(move |i| r.offset.0 + 4 * i)).collect();
    prop_oneof![
        8 => (0u32..0x200).prop_map(|at| WINDOW.0 | at),
        3 => (0u32..5, 0u32..48).prop_map(|(page, by)| (WINDOW.0 | (4096 * page)).wrapping_sub(24).wrapping_add(by)),
        2 => (0u32..48).prop_map(move |by| WINDOW.0 | (bytes - 24 + by)),
        1 => any::<u32>().prop_map(|at| WINDOW.0 | at),
        2 => select(registers),
        1 => 0u32..0x900,
    ]
}

prop_compose! {
    fn burst()(
        write: bool,
        id in 0u16..16,
        addr in address(),
        len in prop_oneof![4 => 0u8..3, 3 => 3u8..20, 1 => 20u8..=255],
        size in prop_oneof![8 => Just(2u8), 2 => 0u8..2, 1 => 3u8..8],
        kind in prop_oneof![12 => Just(INCR), 1 => Just(FIXED), 1 => Just(WRAP), 1 => Just(3)],
        gap in prop_oneof![6 => Just(0u16), 2 => 1u16..6, 1 => 6u16..100],
        fence in prop::bool::weighted(0.15),
        data in prop_oneof![2 => any::<u32>(), 1 => 0u32..16],
        strobe in prop_oneof![5 => Just(15u8), 2 => 0u8..16],
    ) -> Burst {
        Burst { write, id, addr, len, size, kind, gap, fence, data, strobe }
    }
}

/// A message to another board, in a burst.
fn message() -> impl Strategy<Value = Vec<Burst>> {
    (0u8..4, 3u32..6, any::<u32>(), 0u32..3).prop_map(|(words, token, data, order)| {
        let fill = Burst { len: words, ..Burst::word_write(map::SIGNAL_DATA.offset.0, data, 15) };
        let word = signal(token, 1, 2, 0, 4 * u32::from(words), order);
        vec![fill, Burst::word_write(map::SIGNAL_SEND.offset.0, word, 15)]
    })
}

fn pace() -> impl Strategy<Value = Pace> {
    let one = || select(vec![1u8, 3, 6, 8, 8]);
    prop_oneof![
        1 => Just(Pace::FULL),
        3 => (one(), one(), one(), one(), one())
            .prop_map(|(aw, w, ar, b, r)| Pace { aw, w, ar, b, r }),
    ]
}

prop_compose! {
    fn stimulus(cycles: u64)(
        loopback in prop_oneof![4 => (1u16..40).prop_map(Some), 1 => Just(None)],
        link in vec(
            (prop_oneof![3 => 1u16..6, 2 => 6u16..80, 1 => 80u16..500], frame())
                .prop_map(|(gap, frame)| BoardEvent { gap, frame }),
            0..12,
        ),
        combine in 1u32..60,
        tokens in 1u32..4,
        enable in prop::bool::weighted(0.9),
        bursts in vec(
            prop_oneof![12 => burst().prop_map(|b| vec![b]), 1 => message()],
            0..60,
        ),
        pace in pace(),
        resets in prop_oneof![5 => Just(Vec::new()), 1 => vec((0..cycles, 1u8..4), 1..3)],
        noise: u32,
    ) -> BurstStimulus {
        let mut all = start(combine, tokens, enable);
        all.extend(bursts.into_iter().flatten());
        let resets = resets.into_iter().map(|(at, length)| (Cycle(at), length)).collect();
        BurstStimulus {
            cycles: Cycle(cycles), loopback, returns: None, link, bursts: all, pace, resets, noise,
        }
    }
}

/// One board, `cycles` at most.
pub fn board(cycles: u64) -> impl Strategy<Value = Case<SmbAxi4>> {
    ((cycles / 4).max(1)..=cycles).prop_flat_map(stimulus).prop_map(Case::alone)
}

fn run(cycles: u64, loopback: Option<u16>, bursts: Vec<Burst>, pace: Pace) -> BurstStimulus {
    BurstStimulus {
        cycles: Cycle(cycles),
        loopback,
        returns: None,
        link: Vec::new(),
        bursts,
        pace,
        resets: Vec::new(),
        noise: 0x1357_9bdf,
    }
}

/// Directed runs of a board, with names and requirements.
#[must_use]
pub fn named() -> Vec<Named<Case<SmbAxi4>>> {
    let mut all: Vec<(&str, Vec<&'static str>, BurstStimulus)> = Vec::new();
    let at = |offset: u32| (WINDOW | offset).0;
    let write = |offset: u32, len: u8| Burst { len, ..Burst::word_write(at(offset), offset, 15) };
    let read = |offset: u32, len: u8| Burst { len, ..Burst::word_read(at(offset)) };
    let after = |gap: u16, burst: Burst| Burst { gap, fence: true, ..burst };

    // Blocks of 1,024 bytes without a pause, then back.
    let mut bursts = start(60, 1, true);
    bursts.extend((0..12u16).map(|k| Burst { id: k, ..write(1024 * u32::from(k), 255) }));
    bursts.extend((0..4).map(|k| after(0, read(1024 * k, 255))));
    all.push(("blocks", vec!["AXI-1", "AXI-6"], run(9_000, Some(20), bursts, Pace::FULL)));

    // Nothing comes back: the buffer fills up in the middle of a burst, and what does not fit is refused.
    let mut bursts = start(60, 1, true);
    bursts.extend((0..8).map(|k| write(1024 * k + 512, 127)));
    bursts.extend([after(0, read(0, 63)), after(0, write(0, 15))]);
    all.push(("no_room", vec!["AXI-4"], run(12_000, None, bursts.clone(), Pace::FULL)));
    bursts.remove(7);
    all.push(("not_enabled", vec!["AXI-4"], run(4_000, None, bursts, Pace::FULL)));

    // Each size from each lane to the end of a page and past it.
    let mut bursts = start(20, 1, true);
    for size in 0..4u8 {
        for lane in 0..4u32 {
            for len in [0u8, 1, 2, 3, 8] {
                for page in [0x100u32, 0xff8, 0xffc, 0x3ff8, 0x3ffc, 0x4000] {
                    bursts.push(Burst { size, ..write(page + lane, len) });
                    bursts.push(Burst { size, ..read(page + lane, len) });
                }
            }
        }
    }
    all.push(("edges", vec!["AXI-2", "AXI-3", "AXI-4"], run(19_000, Some(12), bursts, Pace::FULL)));

    // Both directions at once, and an answer that is taken late.
    for (name, pace) in [
        ("both_ways", Pace::FULL),
        ("slow_b", Pace { b: 1, ..Pace::FULL }),
        ("slow_r", Pace { r: 3, ..Pace::FULL }),
        ("slow_data", Pace { w: 2, ..Pace::FULL }),
    ] {
        let mut bursts = start(20, 1, true);
        for k in 0..24u32 {
            let len = (k * 7 % 23).to_le_bytes()[0];
            let id = u16::from(len) % 16;
            bursts.push(Burst { id, ..write(64 * k, len % 5) });
            bursts.push(Burst { id: id ^ 5, ..read(64 * k, len) });
        }
        all.push((name, vec!["AXI-5", "AXI-6"], run(3_000, Some(12), bursts, pace)));
    }

    // Registers in bursts: those that may be read, those that refuse, messages.
    let mut bursts = start(20, 1, true);
    for register in map::REGISTERS {
        let addr = register.offset.0;
        bursts.push(Burst { len: 3, ..Burst::word_read(addr) });
        bursts.push(Burst { len: 2, ..Burst::word_write(addr, 0, 15) });
        bursts.push(read(4 * addr, 1));
    }
    for (size, kind) in [(2, FIXED), (2, WRAP), (2, 3), (3, INCR), (1, INCR)] {
        let addr = map::TIMEOUT.offset.0;
        bursts.push(Burst { size, kind, len: 1, ..Burst::word_write(addr, 9, 15) });
        bursts.push(Burst { size, kind, len: 1, ..Burst::word_read(addr) });
        bursts.push(Burst { size, kind, len: 1, ..read(0, 1) });
        bursts.push(Burst { size, kind, len: 0, ..write(0, 0) });
    }
    all.push(("registers", vec!["AXI-3", "AXI-4"], run(2_500, Some(12), bursts, Pace::FULL)));

    let all = all.into_iter().map(|(name, about, run)| (name.to_owned(), about, run));
    let shared = limits::runs().into_iter();
    let shared = shared.map(|(name, about, run)| (name, about.to_vec(), of_single_accesses(&run)));
    let mut cases: Vec<Named<Case<SmbAxi4>>> = all
        .chain(shared)
        .map(|(name, requirements, stimulus)| Named {
            name,
            requirements,
            case: Case::alone(stimulus),
        })
        .collect();
    cases.extend(one_word::runs(one_word::AXI4).into_iter().map(|(name, run)| Named {
        name,
        requirements: vec!["RCV-6", "HST-4"],
        case: Case::alone(of_single_accesses(&run)),
    }));
    let run = BurstRun { boards: 2, tokens: 1, fibre: 4, blocks: 40, cycles: Cycle(16_000) };
    cases.push(Named {
        name: "one_host".to_owned(),
        requirements: vec!["AXI-7"],
        case: Case::ring(run),
    });
    cases
}

machine!(Axi4Port, axi4_port, Parameters::DEFAULT);

/// The inputs of a port in a run of a board: those that it has there.
///
/// # Errors
/// If the case is invalid.
pub fn port_alone(case: &Case<SmbAxi4>) -> Result<Case<Axi4Port>, StimulusError> {
    let mut inputs = Vec::new();
    let mut bench = case.bench()?;
    while !bench.done() {
        bench.step(&mut |node, board, i, _| {
            if node == 0 {
                let mut found = false;
                board.look(i, &mut |name, _, image| {
                    if name == "u_axi4" && !found {
                        inputs.push(axi4_port::Inputs::unpack(image));
                        found = true;
                    }
                });
            }
        });
    }
    Ok(Case::fed(inputs))
}

/// A port between a host and a board that answers when it likes, and refuses a request in four.
fn between(
    bursts: &[Burst],
    pace: Pace,
    (answers, noise): (u8, u32),
    cycles: u64,
) -> Case<Axi4Port> {
    let mut host = BurstHost::new(pace, noise);
    host.push(bursts.iter().copied());
    let mut port = Axi4Port::new(&Parameters::DEFAULT);
    let mut noise = XorShift32::new(noise ^ 0x5555_5555 | 1);
    let mut all = Vec::new();
    for cycle in 0..cycles {
        let random = noise.next_u32();
        let bytes = random.to_le_bytes();
        let rst = cycle < RESET_CYCLES.0 || random & 0x7ff == 0x400;
        if rst {
            host.reset();
        }
        let i = if rst { host.noise() } else { host.drive() };
        let mut now = axi4_port::Inputs {
            rst,
            s_axi: i.s_axi,
            rsp_error: bytes[0] & 3 == 3,
            rsp_rdata: random.rotate_left(7),
            mem_rdata: random.rotate_left(19),
            ..axi4_port::Inputs::default()
        };
        let asks = port.outputs(&now).req_valid;
        // Without a request it says anything.
        now.rsp_valid = if asks { bytes[1] & 7 < answers } else { bytes[2] & 1 == 1 };
        let o = port.outputs(&now);
        if !rst {
            let outputs = smb_axi4::Outputs { s_axi: o.s_axi, ..smb_axi4::Outputs::default() };
            host.clock(&i, &outputs);
        }
        port.clock(&now);
        all.push(now);
    }
    Case::fed(all)
}

prop_compose! {
    fn port_run(cycles: u64)(
        bursts in vec(burst(), 20..200),
        pace in pace(),
        answers in select(vec![1u8, 4, 8]),
        noise: u32,
    ) -> Case<Axi4Port> {
        between(&bursts, pace, (answers, noise), cycles)
    }
}

/// The port by itself, `cycles` at most.
pub fn port(cycles: u64) -> impl Strategy<Value = Case<Axi4Port>> {
    ((cycles / 4).max(1)..=cycles).prop_flat_map(port_run)
}

/// An ID of four bits in as many as a port with these parameters has: cut, or repeated.
fn fit_id(id: u16, parameters: &Parameters) -> u16 {
    id.wrapping_mul(0x1111) & (u16::MAX >> (16 - parameters.axi_id_w()))
}

/// The same cases for a port whose IDs may be narrower or wider.
pub fn fit_ids(
    cases: impl Strategy<Value = Case<Axi4Port>>,
    parameters: &Parameters,
) -> impl Strategy<Value = Case<Axi4Port>> {
    let parameters = *parameters;
    cases.prop_map(move |mut case| {
        if let Source::Inputs(track) = &mut case.source {
            for i in &mut track.inputs {
                i.s_axi.awid = fit_id(i.s_axi.awid, &parameters);
                i.s_axi.arid = fit_id(i.s_axi.arid, &parameters);
            }
        }
        case
    })
}
