// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards that can join: hosts that order fences and fills in any order, and fences and answers that no board
//! would send.

use crate::board::case::BoardRun;
use crate::board::parts::{WINDOW, events, frame, write};
use crate::board::ring::RingRun;
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus, HostAccess};
use crate::board::strategy::fault;
use crate::case::{Case, Source};
use crate::error::StimulusError;
use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar::{
    contract::{JoinCommand, Order, Token, board as map},
    ring::{
        BoardScenario, HostOp,
        boards::{self, Noise, register},
    },
    rtl::{
        Parameters, Smb,
        join_regs::{FILL, LOOK},
        rx_sorter::JUDGE,
    },
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Address bits of the memory: so few words that fills and writes meet.
const ADDR_W: u8 = 5;
const WORDS: u32 = 1 << ADDR_W;

/// Sizes of a board that can join.
///
/// # Panics
/// If its Verilog does not take them.
#[must_use]
pub fn parameters() -> Parameters {
    let join = Parameters::DEFAULT.with("smb", "JOIN", 1);
    join.and_then(|all| all.with("smb", "MEM_ADDR_W", ADDR_W.into())).expect("legal")
}

fn order(command: JoinCommand) -> HostOp {
    register(&map::JOIN_COMMAND, command.code().into())
}

/// A fill of some words from one on; the address may be none.
fn fill() -> impl Strategy<Value = Vec<HostOp>> {
    let at = prop_oneof![8 => (0..WORDS).prop_map(|word| 4 * word), 1 => any::<u32>()];
    (at, vec(any::<u32>(), 1..6)).prop_map(|(at, words)| {
        let fills = words.into_iter().map(|word| register(&map::FILL_DATA, word));
        [register(&map::FILL_ADDR, at)].into_iter().chain(fills).collect()
    })
}

/// Accesses to any place of the page, read or written, in part as well.
fn anywhere() -> impl Strategy<Value = Vec<HostOp>> {
    (0u32..12, any::<u32>(), any::<bool>(), prop_oneof![6 => Just(15u8), 1 => 0u8..16]).prop_map(
        |(word, data, write, strobe)| {
            let addr = map::JOIN_STATUS.offset + 4 * word;
            // Commands are small numbers, mostly.
            let data = if data.is_multiple_of(3) { data } else { data % 6 };
            vec![if write { HostOp::Write { addr, data, strobe } } else { HostOp::Read { addr } }]
        },
    )
}

fn write_words() -> impl Strategy<Value = Vec<HostOp>> {
    (0..4 * WORDS - 20, vec(any::<u8>(), 1..20))
        .prop_map(|(at, bytes)| boards::write_block(ByteAddress(at), &bytes))
}

fn operations(nodes: u8) -> impl Strategy<Value = Vec<HostOp>> {
    let status = [&map::JOIN_STATUS, &map::FILL_ADDR, &map::JOIN_IRQ_STATUS];
    let status = status.map(|r| HostOp::Read { addr: r.offset });
    prop_oneof![
        8 => write_words(),
        3 => fill(),
        2 => anywhere(),
        2 => Just(vec![order(JoinCommand::Whole)]),
        2 => Just(vec![order(JoinCommand::Again)]),
        1 => Just(vec![order(JoinCommand::Settle)]),
        2 => Just(status.to_vec()),
        1 => (0u32..16, 0u32..16)
            .prop_map(|(clear, mask)| vec![
                register(&map::JOIN_IRQ_STATUS, clear),
                register(&map::JOIN_IRQ_ENABLE, mask),
            ]),
        3 => (1u64..900).prop_map(|cycles| vec![HostOp::Wait { cycles: Cycle(cycles) }]),
        1 => (0u8..8, 0..nodes, select(Order::ALL.to_vec()), vec(any::<u8>(), 0..12))
            .prop_map(|(c, n, o, d)| boards::send_signal(Token::P2p, c, NodeId(n), o, &d)),
        2 => joins(),
    ]
}

/// A board joins: fences, fills while the others write, and is whole.
fn joins() -> impl Strategy<Value = Vec<HostOp>> {
    (vec(fill(), 1..8), 100u64..900, any::<bool>()).prop_map(|(fills, cycles, waits)| {
        let wait = |cycles| HostOp::Wait { cycles: Cycle(cycles) };
        // Data that has not returned is in the way.
        let mut ops = vec![register(&map::FLUSH, 0), wait(if waits { 600 } else { 5 })];
        ops.extend([order(JoinCommand::Begin), wait(cycles)]);
        for fill in fills {
            ops.extend(fill);
            ops.push(wait(cycles / 8));
        }
        ops.extend([order(JoinCommand::Settle), wait(cycles), order(JoinCommand::Whole)]);
        ops
    })
}

/// A ring of boards that join and write over links that err, `cycles` at most.
pub fn ring(nodes: u8, cycles: u64) -> impl Strategy<Value = Case<Smb>> {
    let count = usize::from(nodes);
    let hosts = vec(vec(operations(nodes), 4..40), count);
    let scenario = (
        vec(0u32..12, count),
        vec(fault(count), 0..4),
        prop_oneof![4 => Just(0u32), 1 => 1u32..1 << 18],
        any::<u64>(),
    );
    (scenario, hosts, 200u32..900, 150u32..500).prop_map(
        move |((fibre, faults, rate, seed), hosts, timeout, period)| {
            let scenario = BoardScenario {
                fibre,
                faults,
                noise: Noise { rate, seed },
                parameters: parameters(),
                ..BoardScenario::new(count)
            };
            let hosts = (0..nodes).zip(hosts).map(|(node, ops)| {
                boards::configure(NodeId(node), nodes, timeout, period)
                    .into_iter()
                    .chain([order(JoinCommand::Whole), boards::wait_synced(Cycle(3000))])
                    .chain(ops.into_iter().flatten())
                    .collect()
            });
            Case::ring(RingRun { scenario, hosts: hosts.collect(), cycles: Cycle(cycles) }.into())
        },
    )
}

/// [`ring`], of boards with these parameters.
pub fn ring_of(parameters: Parameters, nodes: u8, cycles: u64) -> impl Strategy<Value = Case<Smb>> {
    ring(nodes, cycles).prop_map(move |mut case| {
        if let Source::Ring(BoardRun::Hosts(run)) = &mut case.source {
            run.scenario.parameters = parameters;
        }
        case.on(parameters)
    })
}

/// Node of the single board.
const ME: u8 = 2;

prop_compose! {
    /// A fence, an answer, or data of another node.
    fn message()(
        kind in select(vec![0u8, 0, 1, 1, 1, 2, 2, 2, 2]),
        source in prop_oneof![8 => select(vec![0u8, 1, 3, 129]), 1 => any::<u8>()],
        node_id in prop_oneof![8 => Just(ME), 1 => any::<u8>()],
        count in prop_oneof![8 => 0u8..3, 2 => 3u8..9, 1 => any::<u8>()],
        number in prop_oneof![6 => 0u8..4, 1 => any::<u8>()],
        middle in prop_oneof![6 => Just(0u32), 1 => 0u32..256],
        skip in prop_oneof![8 => Just(0i8), 2 => -3i8..4],
        at in 0..4 * WORDS + 8,
        len in 1u16..40,
        flip in prop::option::weighted(0.03, any::<u16>()),
    ) -> BoardFrame {
        let control = Token::Control.code();
        let frame = BoardFrame { source, skip, flip, ..BoardFrame::default() };
        match kind {
            0 => BoardFrame { token: control, c_st: map::FENCE.c_st, ..frame },
            1 => {
                let echo = u32::from(node_id) << 24 | u32::from(count) << 16;
                let addr = echo | middle << 8 | u32::from(number);
                BoardFrame { token: control, c_st: map::HERE.c_st, addr, ..frame }
            }
            _ => BoardFrame { token: Token::Data.code(), addr: at, len, ..frame },
        }
    }
}

fn accesses() -> impl Strategy<Value = Vec<HostAccess>> {
    let of = |ops: Vec<HostOp>| {
        let access = |op| match op {
            HostOp::Write { addr, data, strobe } => {
                Some(HostAccess { strobe, ..write(addr, data) })
            }
            HostOp::Read { addr } => Some(HostAccess { write: false, ..write(addr, 0) }),
            _ => None,
        };
        ops.into_iter().filter_map(access).collect::<Vec<_>>()
    };
    prop_oneof![
        4 => fill().prop_map(of),
        3 => anywhere().prop_map(of),
        3 => (0u8..4).prop_map(|code| vec![write(map::JOIN_COMMAND.offset, code.into())]),
        3 => (0..WORDS, any::<u32>(), 0u8..16).prop_map(|(word, data, strobe)| {
            vec![HostAccess { strobe, ..write(WINDOW | (4 * word), data) }]
        }),
    ]
}

/// One board, node 2, that joins and is asked by others; what it sends returns.
pub fn one(cycles: u64) -> impl Strategy<Value = BoardStimulus> {
    let link = vec((prop_oneof![4 => 1u16..4, 3 => 4u16..60, 1 => 60u16..300], message()), 8..50);
    let host = vec((prop_oneof![4 => 0u16..3, 2 => 3u16..60, 1 => 60u16..200], accesses()), 8..60);
    let resets = prop::option::weighted(0.2, (600..cycles.max(601), 1u8..4));
    (link, host, 100u32..700, 1u16..40, any::<u32>(), resets).prop_map(
        move |(link, host, timeout, ring, noise, reset)| {
            let events = link.into_iter().enumerate().map(|(k, (gap, frame))| {
                // Not before the table of sources is cleared.
                BoardEvent { gap: gap + if k == 0 { 300 } else { 0 }, frame }
            });
            let set_up = [
                write(map::NODE_ID.offset, ME.into()),
                write(map::TIMEOUT.offset, timeout),
                write(map::COMBINE.offset, 30),
                write(map::JOIN_IRQ_ENABLE.offset, 7),
                write(map::CONTROL.offset, 1),
                write(map::JOIN_COMMAND.offset, JoinCommand::Whole.code().into()),
            ];
            let accesses = host.into_iter().flat_map(|(gap, all)| {
                all.into_iter().enumerate().map(move |(k, access)| HostAccess {
                    gap: if k == 0 { gap } else { access.gap },
                    ..access
                })
            });
            BoardStimulus {
                cycles: Cycle(cycles),
                loopback: Some(ring),
                returns: Some(ME),
                link: events.collect(),
                host: set_up.into_iter().chain(accesses).collect(),
                resets: reset.into_iter().map(|(at, n)| (Cycle(at), n)).collect(),
                noise,
                ..BoardStimulus::default()
            }
        },
    )
}

/// How often hosts and boards of a ring did what these cases are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Fences that returned.
    pub fences: u32,
    /// Answers that counted.
    pub answers: u32,
    /// Data of a source that had not answered.
    pub blocked: u32,
    /// New data waited for an answer.
    pub held: u32,
    /// Words of which a fill wrote some bytes, and others were known.
    pub partly: u32,
    /// A fill waited for the ring.
    pub met: u32,
}

/// Runs the boards of a case without any Verilog, and says what it reached.
///
/// # Errors
/// If the scenario of the case is invalid.
pub fn reached(case: &Case<Smb>) -> Result<Reached, StimulusError> {
    let mut all = Reached::default();
    let mut before: Vec<Option<Smb>> = vec![None; case.nodes()];
    let mut bench = case.bench_with(&parameters())?;
    while !bench.done() {
        bench.step(&mut |n, new: &Smb, _, _| {
            if let Some(old) = before[n].replace(new.clone()) {
                all.note(&old, new);
            }
        });
    }
    Ok(all)
}

impl Reached {
    /// A board before and after an edge.
    fn note(&mut self, old: &Smb, new: &Smb) {
        let (was, now) = (&old.u_fence, &new.u_fence);
        self.fences += u32::from(!was.fenced_q && now.fenced_q);
        self.answers += u32::from(now.heard_q > was.heard_q);
        self.blocked += u32::from(old.u_sorter.state_q == JUDGE && old.u_sorter.blocked_q);
        let data = &new.u_data;
        let waits = data.next_q == data.fresh_q && data.next_q != data.tail_q;
        self.held += u32::from(now.owe_q && !was.owe_q && waits);
        let (was, now) = (&old.u_join, &new.u_join);
        let filled = was.state_q == FILL && now.fill_q != was.fill_q;
        self.partly += u32::from(filled && !matches!(old.u_known.known_q, 0 | 15));
        self.met += u32::from(was.state_q == FILL && now.state_q == LOOK);
    }
}

/// The sum of what two cases reached.
impl std::ops::Add for Reached {
    type Output = Reached;
    fn add(self, other: Reached) -> Reached {
        Reached {
            fences: self.fences + other.fences,
            answers: self.answers + other.answers,
            blocked: self.blocked + other.blocked,
            held: self.held + other.held,
            partly: self.partly + other.partly,
            met: self.met + other.met,
        }
    }
}

/// The largest memory whose map of known bytes is cleared in the time of a case, in bits of an address.
pub(crate) const CLEARED: usize = 13;

/// Cycles in which a map of known bytes is cleared, if that is within a case.
fn clearing(parameters: &Parameters) -> u16 {
    let width = parameters.mem_addr_w();
    if width <= CLEARED { 1 << width } else { 0 }
}

/// A run made for these parameters: the board answers a fence, joins, and is answered, also when some of its own fences
/// are lost.
pub(crate) fn joined(parameters: &Parameters) -> BoardStimulus {
    let clearing = clearing(parameters);
    let fence = frame(Token::Control.code(), map::FENCE.c_st, 0, 0);
    let number = |(source, number): (u8, u32)| BoardFrame {
        addr: u32::from(ME) << 24 | number << 16,
        ..here(source)
    };
    let answers = (3..9).zip(0..6).map(number);
    let data = BoardFrame { source: 3, ..frame(Token::Data.code(), 0, 1, 9) };
    let mut link = events([fence.clone(), fence].into_iter().chain(answers).chain([data]), 40);
    (link[0].gap, link[2].gap) = (600, clearing + 2_500);
    let mut host = begins();
    host[5].gap = 1_500;
    let fills = (0..8u32).map(|word| write(map::FILL_DATA.offset, !word));
    let mut fills: Vec<_> = [write(map::FILL_ADDR.offset, 0)].into_iter().chain(fills).collect();
    fills[0].gap = clearing + 2_500;
    let settle = write(map::JOIN_COMMAND.offset, JoinCommand::Settle.code().into());
    let whole = write(map::JOIN_COMMAND.offset, JoinCommand::Whole.code().into());
    host.extend(fills);
    host.extend([settle, HostAccess { gap: 1_500, ..whole }]);
    let cycles = Cycle(9_000 + u64::from(clearing));
    let (loopback, returns) = (Some(7), Some(ME));
    BoardStimulus { cycles, loopback, returns, link, host, ..BoardStimulus::default() }
}

/// [`one`], of a board with a map of this size: it begins at once, and half of the rest waits until its map is cleared.
pub fn one_of(parameters: Parameters, cycles: u64) -> impl Strategy<Value = BoardStimulus> {
    let clearing = clearing(&parameters);
    one(cycles + u64::from(clearing)).prop_map(move |mut stimulus| {
        let enabled = |a: &HostAccess| a.write && a.addr == map::CONTROL.offset;
        if let Some(at) = stimulus.host.iter().position(enabled) {
            let code = JoinCommand::Begin.code().into();
            let begin = HostAccess { gap: 20, ..write(map::JOIN_COMMAND.offset, code) };
            // After the order that comes with the set-up.
            stimulus.host.insert(at + 2, begin);
            if let Some(next) = stimulus.host.get_mut(at + 3) {
                next.gap += clearing + 400;
            }
        }
        let middle = stimulus.link.len() / 2;
        if let Some(event) = stimulus.link.get_mut(middle) {
            event.gap += clearing;
        }
        stimulus
    })
}

/// [`one`], of a board with these parameters.
pub fn board_of(parameters: Parameters, cycles: u64) -> impl Strategy<Value = Case<Smb>> {
    one(cycles).prop_map(move |stimulus| Case::alone(stimulus).on(parameters))
}

/// Accesses of a board, node 2, that begins to join when it is up.
fn begins() -> Vec<HostAccess> {
    let commands = [JoinCommand::Whole, JoinCommand::Begin].map(JoinCommand::code);
    vec![
        write(map::NODE_ID.offset, ME.into()),
        write(map::TIMEOUT.offset, 500),
        write(map::JOIN_IRQ_ENABLE.offset, 7),
        write(map::CONTROL.offset, 1),
        write(map::JOIN_COMMAND.offset, commands[0].into()),
        HostAccess { gap: 400, ..write(map::JOIN_COMMAND.offset, commands[1].into()) },
    ]
}

fn here(source: u8) -> BoardFrame {
    let addr = u32::from(ME) << 24;
    BoardFrame { source, addr, ..frame(Token::Control.code(), map::HERE.c_st, 0, 0) }
}

fn alone(link: Vec<BoardEvent>, host: Vec<HostAccess>) -> Case<Smb> {
    Case::alone(BoardStimulus {
        cycles: Cycle(5_000),
        loopback: Some(7),
        returns: Some(ME),
        link,
        host,
        ..BoardStimulus::default()
    })
    .on(parameters())
}

/// Cases written by hand: the ring writes half of the words in nearly every cycle while the host fills all; the
/// fills begin a cycle later in each.
pub fn fills_meet_the_ring() -> impl Iterator<Item = Case<Smb>> {
    (0..8).map(|shift| {
        let words = (0..60u8).map(|k| BoardFrame {
            salt: 3 * k,
            ..frame(Token::Data.code(), 0, u32::from(k % 7), 56 - u16::from(k % 5))
        });
        let mut link = events([here(1)].into_iter().chain(words), 1);
        link[0].gap = 1_000;
        let mut fills: Vec<_> = (0..200u32)
            .map(|k| match k % 12 {
                0 => write(map::FILL_ADDR.offset, 4 * ((16 + k * 5) % WORDS)),
                _ => HostAccess {
                    gap: narrow(k % 4),
                    ..write(map::FILL_DATA.offset, k.wrapping_mul(0x0101_0101))
                },
            })
            .collect();
        fills[0].gap = 650 + shift;
        alone(link, [begins(), fills].concat())
    })
}

/// A case written by hand: boards answer one after another while the host does nothing but accesses, and a source
/// whose data was known before sends a signal that data is to precede.
#[must_use]
pub fn answers_meet_accesses() -> Case<Smb> {
    let sync = BoardFrame { source: 5, ..frame(Token::Control.code(), map::SYNC.c_st, 0, 0) };
    let signal = BoardFrame {
        source: 5,
        node_id: ME,
        addr: 0x8000_0003,
        ..frame(Token::P2p.code(), 9, 0, 8)
    };
    let answers = (6..60).map(here);
    let mut link = events([sync, signal].into_iter().chain(answers), 1);
    (link[0].gap, link[1].gap) = (300, 700);
    let accesses = (0..900u32).map(|k| write(map::JOIN_IRQ_STATUS.offset, k % 8));
    alone(link, begins().into_iter().chain(accesses).collect())
}
