// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random runs of a board (proptest).

use crate::board::parts::{WINDOW, set_up, signal, write};
use crate::board::ring::RingRun;
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus, HostAccess};
use crate::case::Case;
use crate::ends::{OWN, Warm};
use awgstar::quantity::{ByteAddress, Cycle, NodeId};
use awgstar::rtl::Smb;
use awgstar::{
    contract::{Order, Token, board as map},
    ring::{
        BoardScenario, Fault, FaultKind, HostOp,
        boards::{self, Cut, Dead, Noise},
    },
};
use proptest::{collection::vec, prelude::*, sample::select};

const BYTES: u32 = 4 << map::MEM_ADDR_W;

fn register() -> impl Strategy<Value = ByteAddress> {
    let all: Vec<ByteAddress> =
        map::REGISTERS.iter().flat_map(|r| (0..r.count).map(move |i| r.offset + 4 * i)).collect();
    prop_oneof![
        12 => select(all.clone()),
        1 => (0u32..0x900).prop_map(ByteAddress),
        1 => any::<u32>().prop_map(|a| ByteAddress(a >> 1)),
        1 => (select(all), 0u32..31).prop_map(|(a, bit)| ByteAddress(a.0 ^ 1 << bit)),
    ]
}

fn window() -> impl Strategy<Value = ByteAddress> {
    prop_oneof![
        8 => (0u32..24).prop_map(|w| WINDOW | (w * 4)),
        2 => (0u32..BYTES / 4).prop_map(|w| WINDOW | (w * 4)),
        1 => (BYTES / 4 - 2..BYTES / 4 + 2).prop_map(|w| WINDOW | (w * 4)),
        1 => any::<u32>().prop_map(|a| WINDOW | a),
    ]
}

/// Two words of the window whose addresses differ in one bit.
fn twins() -> impl Strategy<Value = [u32; 2]> {
    let bits = 2..map::MEM_ADDR_W + 2;
    (0u32..BYTES / 4, bits).prop_map(|(word, bit)| [4 * word, (4 * word) ^ (1 << bit)])
}

fn timing(access: HostAccess) -> impl Strategy<Value = HostAccess> {
    (
        prop_oneof![6 => Just(0u16), 3 => 1u16..8, 1 => 8u16..200],
        prop_oneof![10 => Just(0i8), 2 => -3i8..4, 1 => -12i8..13],
        prop_oneof![10 => Just(0u8), 2 => 1u8..4, 1 => 4u8..12],
    )
        .prop_map(move |(gap, skew, late)| HostAccess { gap, skew, late, ..access })
}

fn strobe() -> impl Strategy<Value = u8> {
    prop_oneof![5 => Just(15u8), 3 => 0u8..16]
}

/// One access, or a few that belong together.
fn accesses() -> BoxedStrategy<Vec<HostAccess>> {
    let one = |write| {
        move |(addr, data, strobe): (ByteAddress, u32, u8)| {
            timing(HostAccess { write, addr, data, strobe, ..HostAccess::default() })
        }
    };
    let data = || prop_oneof![3 => any::<u32>(), 2 => 0u32..16, 1 => 0u32..1024];
    let single = prop_oneof![
        5 => (window(), data(), strobe()).prop_flat_map(one(true)),
        2 => (window(), data(), strobe()).prop_flat_map(one(false)),
        3 => (register(), Just(0u32), Just(15u8)).prop_flat_map(one(false)),
        2 => (register(), data(), strobe()).prop_flat_map(one(true)),
    ];
    let block = (window(), 1u32..40, any::<u32>()).prop_map(|(addr, words, data)| {
        (0..words)
            .map(|i| write(ByteAddress(addr.0.wrapping_add(4 * i)), data.wrapping_add(i)))
            .collect()
    });
    let send = (
        prop_oneof![8 => 3u32..6, 1 => 0u32..8],
        0u32..32,
        0u32..8,
        0u32..16,
        prop_oneof![6 => 0u32..13, 3 => 13u32..47, 1 => 47u32..64],
        prop_oneof![9 => 0u32..3, 1 => Just(3u32)],
        vec((0u32..12, any::<u32>()), 0..4),
    )
        .prop_map(|(token, c_st, node, group, len, order, words)| {
            let fill = words.into_iter().map(|(i, w)| write(map::SIGNAL_DATA.offset + 4 * i, w));
            let word = signal(token, c_st, node, group, len, order);
            fill.chain([write(map::SIGNAL_SEND.offset, word)]).collect::<Vec<_>>()
        });
    // Both are written, then both are read.
    let pair = (twins(), any::<[u32; 2]>(), strobe()).prop_map(|(at, data, strobe)| {
        let put = [0, 1].map(|i| HostAccess { strobe, ..write(WINDOW | at[i], data[i]) });
        let get = at.map(|at| HostAccess { write: false, ..write(WINDOW | at, 0) });
        put.into_iter().chain(get).collect::<Vec<_>>()
    });
    let mail = Just(
        (0..16)
            .map(|i| HostAccess { write: false, ..write(map::MAIL_DATA.offset + 4 * i, 0) })
            .chain([write(map::MAIL_POP.offset, 0)])
            .collect::<Vec<_>>(),
    );
    prop_oneof![
        12 => single.prop_map(|a| vec![a]),
        3 => block,
        2 => pair,
        3 => send,
        1 => mail,
        1 => Just(vec![write(map::FLUSH.offset, 0)]),
    ]
    .boxed()
}

prop_compose! {
    pub(super) fn frame()(
        source in prop_oneof![
            8 => Just(OWN),
            48 => select(vec![1u8, 2, 9]),
            3 => (select(vec![1u8, 2, 9]), 0u32..8).prop_map(|(source, bit)| source ^ 1 << bit),
        ],
        foreign in prop::bool::weighted(0.05),
        token in prop_oneof![8 => select(vec![0u8, 1, 1, 1, 3, 4, 5, 5, 6]), 1 => 0u8..8],
        c_st in prop_oneof![4 => 0u8..4, 1 => 0u8..32],
        node_id in prop_oneof![2 => Just(OWN), 1 => 0u8..10],
        multi_g in 0u8..16,
        skip in prop_oneof![8 => Just(0i8), 1 => -2i8..3, 1 => any::<i8>()],
        addr in prop_oneof![
            5 => 0u32..128,
            2 => (0u32..128, 0..map::MEM_ADDR_W + 2).prop_map(|(at, bit)| at ^ 1 << bit),
            1 => (BYTES - 8)..(BYTES + 8),
            1 => any::<u32>(),
            // Of a signal: after this data frame.
            3 => (0u32..12).prop_map(|mark| (1 << 31) | mark),
            1 => (0u32..4).prop_map(|high| high << 8),
        ],
        len in prop_oneof![8 => 1u16..46, 3 => 46u16..50, 2 => 50u16..300, 1 => 1020u16..=1024],
        monitor in prop::bool::weighted(0.2),
        salt: u8,
        flip in prop::option::weighted(0.08, any::<u16>()),
    ) -> BoardFrame {
        let len = if token == 0 { 0 } else { len };
        BoardFrame { source, foreign, token, c_st, node_id, multi_g, skip, addr, len, monitor, salt, flip, ..BoardFrame::default() }
    }
}

/// Timeout, time to combine writes, period of the monitor, tokens.
pub(super) type Times = (u32, u32, u32, u32);

prop_compose! {
    pub(super) fn stimulus(cycles: u64, times: BoxedStrategy<Times>)(
        loopback in prop_oneof![4 => (1u16..40).prop_map(Some), 1 => Just(None)],
        link in vec(
            (prop_oneof![3 => 1u16..6, 2 => 6u16..80, 1 => 80u16..500], frame())
                .prop_map(|(gap, frame)| BoardEvent { gap, frame }),
            0..20,
        ),
        times in times,
        enable in prop::bool::weighted(0.95),
        host in vec(accesses(), 0..60),
        resets in prop_oneof![5 => Just(Vec::new()), 1 => vec((0..cycles, 1u8..4), 1..3)],
        noise: u32,
        restless: bool,
    ) -> BoardStimulus {
        let (timeout, combine, period, tokens) = times;
        let resets = resets.into_iter().map(|(at, length)| (Cycle(at), length)).collect();
        let mut all = set_up(timeout, combine, period, tokens, enable);
        all.extend(host.into_iter().flatten());
        BoardStimulus {
            cycles: Cycle(cycles), loopback, returns: None, link, host: all, resets, noise, restless,
            warm: Warm::default(),
        }
    }
}

/// One board, `cycles` at most.
pub fn board(cycles: u64) -> impl Strategy<Value = Case<Smb>> {
    one(cycles).prop_map(Case::alone)
}

/// The stimulus of [`board`].
pub fn one(cycles: u64) -> impl Strategy<Value = BoardStimulus> {
    let times = (100u32..700, 1u32..60, 60u32..500, 1u32..4).boxed();
    ((cycles / 4).max(1)..=cycles).prop_flat_map(move |cycles| stimulus(cycles, times.clone()))
}

fn operations(boards: u8) -> impl Strategy<Value = Vec<HostOp>> {
    let token = select(vec![Token::P2p, Token::Multicast, Token::Broadcast]);
    prop_oneof![
        4 => (0u32..200, vec(any::<u8>(), 1..40)).prop_map(|(at, b)| boards::write_block(ByteAddress(at), &b)),
        1 => (0u32..64, vec(any::<u8>(), 1000..1400)).prop_map(|(at, b)| boards::write_block(ByteAddress(4 * at), &b)),
        3 => (token, 0u8..32, 0..boards, select(Order::ALL.to_vec()), vec(any::<u8>(), 0..46))
            .prop_map(|(t, c, n, o, d)| boards::send_signal(t, c, NodeId(n), o, &d)),
        2 => (1u64..400).prop_map(|cycles| vec![HostOp::Wait { cycles: Cycle(cycles) }]),
        1 => Just(vec![boards::register(&map::FLUSH, 0)]),
        1 => (0u32..40).prop_map(|at| boards::read_block(ByteAddress(4 * at), 2)),
        1 => Just(vec![
            HostOp::Read { addr: map::MAIL_DATA.offset },
            boards::register(&map::MAIL_POP, 0),
        ]),
    ]
}

pub(super) fn fault(nodes: usize) -> impl Strategy<Value = Fault> {
    let kind = prop_oneof![
        3 => (0u32..600).prop_map(FaultKind::Bit),
        2 => Just(FaultKind::Lose),
        1 => Just(FaultKind::Twice),
        1 => (1u32..16).prop_map(FaultKind::Truncate),
    ];
    (0..nodes, 0u64..40, kind).prop_map(|(link, frame, kind)| Fault { link, frame, kind })
}

/// A ring of boards over links that err, with a board that may die, `cycles` at most.
pub fn ring(nodes: u8, cycles: u64) -> impl Strategy<Value = Case<Smb>> {
    let count = usize::from(nodes);
    let hosts = vec(vec(operations(nodes), 0..12), count);
    let scenario = (
        vec(0u32..12, count),
        vec(fault(count), 0..6),
        prop_oneof![4 => Just(0u32), 1 => 1u32..1 << 19],
        any::<u64>(),
        prop::option::weighted(0.15, (0..count, 0..cycles, 1u64..900)),
        prop::option::weighted(0.15, (0..count, cycles / 4..cycles)),
    );
    (scenario, hosts, 200u32..900, 150u32..500).prop_map(move |(s, hosts, timeout, period)| {
        let (fibre, faults, rate, seed, cut, dead) = s;
        let scenario = BoardScenario {
            fibre,
            faults,
            noise: Noise { rate, seed },
            cuts: cut
                .map(|(link, from, n)| Cut { link, from: Cycle(from), until: Cycle(from + n) })
                .into_iter()
                .collect(),
            dead: dead
                .map(|(board, cycle)| Dead { board, cycle: Cycle(cycle) })
                .into_iter()
                .collect(),
            ..BoardScenario::new(count)
        };
        let hosts = (0..nodes).zip(hosts).map(|(node, ops)| {
            let start = boards::configure(NodeId(node), nodes.min(16), timeout, period);
            start.into_iter().chain(ops.into_iter().flatten()).collect()
        });
        Case::ring(RingRun { scenario, hosts: hosts.collect(), cycles: Cycle(cycles) }.into())
    })
}
