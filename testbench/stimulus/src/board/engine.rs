// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards with the lock and barrier engine: hosts that use it, and signals of the engine's kinds
//! that no engine would send.

use crate::board::burst::{self, of_single_accesses};
use crate::board::case::BoardRun;
use crate::board::parts::{WINDOW, signal, write};
use crate::board::ring::RingRun;
use crate::board::sized;
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus, HostAccess};
use crate::board::strategy::fault;
use crate::case::{Case, Source};
use awgstar::quantity::{ByteAddress, Cycle, NodeId};
use awgstar::{
    contract::{Order, Signal, Token, board as map},
    ring::{
        BoardScenario, HostOp,
        boards::{self, Noise, register},
    },
    rtl::{Parameters, Smb, SmbAxi4},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Sizes of a board with an engine, for nodes 0 to 3.
#[must_use]
pub fn parameters() -> Parameters {
    crate::engine::sized(2)
}

/// Cycles in which an engine of this size clears its memories, beyond those of [`parameters`].
fn clearing(parameters: &Parameters) -> u16 {
    (64 << parameters.engine_node_w().saturating_sub(2)) - 64
}

/// Accesses before `CONTROL.enable`: all nodes take part in all barriers but one; node n owns the locks of
/// which the number modulo `nodes` is n.
fn set_up(
    node: u8,
    nodes: u8,
    retry: u32,
    (locks, barriers): (u32, u32),
    order: u32,
) -> Vec<HostOp> {
    let first =
        (0..16).filter(|lock| lock % nodes == node).fold(0_u32, |all, lock| all | 1 << lock);
    let everyone = u32::MAX >> (32 - nodes.clamp(1, 32));
    let members = |b: u32| {
        let who = if b == 3 { everyone >> 1 } else { everyone };
        let addr = map::BARRIER_MEMBERS.offset + 32 * b;
        HostOp::Write { addr, data: who, strobe: 15 }
    };
    let ready =
        HostOp::Poll { addr: map::ENGINE_STATUS.offset, mask: 1, value: 1, limit: Cycle(6000) };
    let settings = [
        register(&map::LOCK_ENABLE, locks),
        register(&map::BARRIER_ENABLE, barriers),
        register(&map::LOCK_FIRST, first),
        register(&map::ENGINE_ORDER, order),
        register(&map::ENGINE_RETRY, retry),
        register(&map::ENGINE_IRQ_ENABLE, 3),
    ];
    [ready].into_iter().chain((0..8).map(members)).chain(settings).collect()
}

/// A signal of one of the engine's kinds, well formed or not.
fn imitated(nodes: u8) -> impl Strategy<Value = Vec<HostOp>> {
    let kind =
        select(vec![Signal::LockQueueRequest, Signal::LockQueuePass, Signal::BarrierRingArrival]);
    let data = (
        prop_oneof![8 => Just(0u8), 1 => any::<u8>()],
        prop_oneof![4 => Just(0u8), 2 => 0u8..9, 1 => any::<u8>()],
        prop_oneof![8 => 0u16..4, 1 => any::<u16>()],
        prop_oneof![8 => 0u32..4, 2 => 0u32..18, 1 => any::<u32>()],
        prop_oneof![8 => 0u16..4, 1 => any::<u16>()],
    );
    let node = prop_oneof![6 => 0..nodes, 1 => any::<u8>()];
    let len = prop_oneof![12 => Just(10usize), 1 => 0usize..20, 1 => 40usize..48];
    let token = prop_oneof![12 => Just(Token::Broadcast), 1 => Just(Token::P2p)];
    (kind, token, node, select(Order::ALL.to_vec()), data, len).prop_map(
        |(kind, token, node, order, (zero, number, tag, lock, epoch), len)| {
            // What the signal does not have is zero, most of the time.
            let barrier = kind == Signal::BarrierRingArrival;
            let (number, lock) = if barrier { (number, lock & !3) } else { (number / 128, lock) };
            let lock = if barrier && lock < 0x4000_0000 { 0 } else { lock };
            let epoch = if kind == Signal::LockQueuePass || epoch > 0x8000 { epoch } else { 0 };
            let mut bytes = vec![zero, number];
            bytes.extend(tag.to_be_bytes());
            bytes.extend(lock.to_be_bytes());
            bytes.extend(epoch.to_be_bytes());
            // Where there is a pad, it is not zero.
            bytes.resize(len.min(12), 0);
            bytes.resize(len, 0xa5);
            boards::send_signal(token, kind.c_st(), NodeId(node), order, &bytes)
        },
    )
}

fn number(below: u32) -> impl Strategy<Value = u32> {
    prop_oneof![6 => 0u32..2, 3 => 0..below, 1 => 0u32..40]
}

fn operations(nodes: u8) -> impl Strategy<Value = Vec<HostOp>> {
    let state = [
        map::ENGINE_STATUS,
        map::LOCK_HELD,
        map::LOCK_ASKING,
        map::LOCK_OWNED,
        map::BARRIER_WAITING,
        map::ENGINE_IRQ_STATUS,
    ];
    let state = state.map(|r| HostOp::Read { addr: r.offset });
    let anywhere = (0u32..0x140, any::<u32>(), any::<bool>()).prop_map(|(word, data, write)| {
        let addr = map::ENGINE_STATUS.offset + 4 * word;
        let strobe = if data % 8 == 0 { 7 } else { 15 };
        vec![if write { HostOp::Write { addr, data, strobe } } else { HostOp::Read { addr } }]
    });
    let settings = [map::LOCK_FIRST, map::LOCK_ENABLE, map::BARRIER_ENABLE, map::BARRIER_MEMBERS];
    let late = (select(settings.to_vec()), any::<u32>())
        .prop_map(|(r, data)| vec![register(&r, data), HostOp::Read { addr: r.offset }]);
    // One bit of the address is another.
    let aside = (select(vec![map::LOCK_HELD, map::ENGINE_STATUS, map::ENGINE_ORDER]), 11u32..31)
        .prop_map(|(r, bit)| vec![HostOp::Read { addr: ByteAddress(r.offset.0 ^ 1 << bit) }]);
    // Data that is still in an open frame when a signal with an order is to leave.
    let ordered = (0u32..3, 1u32..3, 0u32..2).prop_map(|(lock, order, barrier)| {
        let write = |at| boards::write_block(ByteAddress(at), &[at.to_le_bytes()[0]; 8]);
        let order = register(&map::ENGINE_ORDER, 5 * order);
        let lock = [register(&map::LOCK_ACQUIRE, lock), register(&map::LOCK_RELEASE, lock)];
        let mut ops = vec![order, lock[0]];
        ops.extend(write(0x40));
        ops.push(lock[1]);
        ops.extend(write(0x80));
        ops.push(register(&map::BARRIER_ARRIVE, barrier));
        ops
    });
    // More messages than a mailbox has room for.
    let flood = (0..nodes).prop_map(|node| {
        let send = move |_| {
            let signal = boards::send_signal(Token::Broadcast, 9, NodeId(node), Order::None, &[1]);
            signal.into_iter().chain([HostOp::Wait { cycles: Cycle(70) }])
        };
        let kind = Signal::LockQueueRequest.c_st();
        let message =
            boards::send_signal(Token::Broadcast, kind, NodeId(node), Order::None, &[0; 10]);
        (0..18).flat_map(send).chain(message).collect::<Vec<_>>()
    });
    // While the first signal is under way, both engines have another one.
    let turns = (0u32..2, 0u32..3).prop_map(|(barrier, lock)| {
        vec![
            register(&map::BARRIER_ARRIVE, barrier),
            register(&map::LOCK_ACQUIRE, lock),
            register(&map::LOCK_ACQUIRE, lock + 1),
            register(&map::BARRIER_ARRIVE, barrier ^ 1),
            register(&map::BARRIER_ARRIVE, 4 + barrier),
        ]
    });
    let part =
        (select(vec![map::LOCK_ACQUIRE, map::ENGINE_RETRY, map::ENGINE_IRQ_ENABLE]), 1u8..15)
            .prop_map(|(r, strobe)| vec![HostOp::Write { addr: r.offset, data: 1, strobe }]);
    // A lock of this node is acquired in one of the cycles in which the interrupt is cleared.
    let clears = (0u32..4, 1u64..8).prop_map(|(lock, cycles)| {
        let mut ops =
            vec![register(&map::LOCK_ACQUIRE, lock), HostOp::Wait { cycles: Cycle(cycles) }];
        ops.extend([register(&map::ENGINE_IRQ_STATUS, 3); 12]);
        ops.push(register(&map::LOCK_RELEASE, lock));
        ops
    });
    let beyond = (8u32..16).prop_map(|b| vec![register(&map::BARRIER_ARRIVE, b)]);
    let special =
        prop_oneof![4 => ordered, 1 => flood, 2 => part, 2 => clears, 1 => beyond, 3 => turns];
    prop_oneof![
        6 => special,
        2 => late,
        1 => aside,
        8 => number(16).prop_map(|l| vec![register(&map::LOCK_ACQUIRE, l)]),
        8 => number(16).prop_map(|l| vec![register(&map::LOCK_RELEASE, l)]),
        6 => number(8).prop_map(|b| vec![register(&map::BARRIER_ARRIVE, b)]),
        3 => Just(state.to_vec()),
        2 => (0u32..8).prop_map(|bits| vec![register(&map::ENGINE_IRQ_STATUS, bits)]),
        1 => (0u32..4).prop_map(|bits| vec![register(&map::ENGINE_IRQ_ENABLE, bits)]),
        1 => (0u32..16).prop_map(|order| vec![register(&map::ENGINE_ORDER, order)]),
        4 => imitated(nodes),
        2 => anywhere,
        3 => (0u32..200, vec(any::<u8>(), 1..40))
            .prop_map(|(at, b)| boards::write_block(ByteAddress(at), &b)),
        3 => (1u64..900).prop_map(|cycles| vec![HostOp::Wait { cycles: Cycle(cycles) }]),
        2 => (0u8..32, 0..nodes, select(Order::ALL.to_vec()), vec(any::<u8>(), 0..46))
            .prop_map(|(c, n, o, d)| boards::send_signal(Token::P2p, c, NodeId(n), o, &d)),
        1 => Just(vec![
            HostOp::Read { addr: map::MAIL_DATA.offset },
            register(&map::MAIL_POP, 0),
        ]),
    ]
}

/// A ring of boards with engines over links that err, `cycles` at most.
pub fn ring(nodes: u8, cycles: u64) -> impl Strategy<Value = Case<Smb>> {
    let count = usize::from(nodes);
    let hosts = vec(vec(operations(nodes), 4..30), count);
    let enabled = prop_oneof![3 => Just((0xffffu32, 0xffu32)), 1 => (any::<u32>(), any::<u32>())];
    let engine = (200u32..1200, enabled, select(vec![0u32, 5, 10, 2, 8]));
    let scenario = (
        vec(0u32..12, count),
        vec(fault(count), 0..4),
        prop_oneof![4 => Just(0u32), 1 => 1u32..1 << 18],
        any::<u64>(),
    );
    (scenario, engine, hosts, 200u32..900, 150u32..500).prop_map(
        move |((fibre, faults, rate, seed), (retry, enabled, order), hosts, timeout, period)| {
            let scenario = BoardScenario {
                fibre,
                faults,
                noise: Noise { rate, seed },
                parameters: parameters(),
                ..BoardScenario::new(count)
            };
            let hosts = (0..nodes).zip(hosts).map(|(node, ops)| {
                set_up(node, nodes, retry, enabled, order)
                    .into_iter()
                    .chain(boards::configure(NodeId(node), nodes, timeout, period))
                    .chain(ops.into_iter().flatten())
                    .collect()
            });
            Case::ring(RingRun { scenario, hosts: hosts.collect(), cycles: Cycle(cycles) }.into())
        },
    )
}

/// [`ring`], of boards with these parameters. An engine for many nodes clears its memories for long: so much
/// longer is the run.
pub fn ring_of(parameters: Parameters, nodes: u8, cycles: u64) -> impl Strategy<Value = Case<Smb>> {
    let cycles = cycles + u64::from(clearing(&parameters));
    ring(nodes, cycles).prop_map(move |mut case| {
        if let Source::Ring(BoardRun::Hosts(run)) = &mut case.source {
            run.scenario.parameters = parameters;
        }
        case.on(parameters)
    })
}

/// [`one`], of a board with these parameters. With an engine for two nodes the board is node 1 of them.
pub fn one_of(parameters: Parameters, cycles: u64) -> impl Strategy<Value = BoardStimulus> {
    let clearing = clearing(&parameters);
    one(cycles + u64::from(clearing)).prop_map(move |mut stimulus| {
        let enable =
            stimulus.host.iter_mut().find(|a| a.write && a.addr == map::LOCK_ENABLE.offset);
        if let Some(access) = enable {
            access.gap += clearing;
        }
        if let Some(event) = stimulus.link.first_mut() {
            event.gap += clearing;
        }
        if parameters.engine_node_w() == 1 {
            exchange(&mut stimulus);
        }
        stimulus
    })
}

/// One board with an engine of this size: half of the cases use the engine, the others all else.
pub fn board(parameters: Parameters, cycles: u64) -> impl Strategy<Value = Case<Smb>> {
    prop_oneof![
        one_of(parameters, cycles).prop_map(Case::alone),
        crate::board::strategy::board(cycles),
    ]
}

/// [`board`], with an AXI4 port.
pub fn burst_board(parameters: Parameters, cycles: u64) -> impl Strategy<Value = Case<SmbAxi4>> {
    let engine = one_of(parameters, cycles).prop_map(|one| Case::alone(of_single_accesses(&one)));
    let other = burst::board(cycles).prop_map(move |case| sized::fit_bursts(case, &parameters));
    prop_oneof![engine, other]
}

/// Makes node 1 of the single board and node 2 of node 1.
fn exchange(stimulus: &mut BoardStimulus) {
    let other = |node: &mut u8| match *node {
        1 => *node = ME,
        ME => *node = 1,
        _ => {}
    };
    stimulus.returns.iter_mut().for_each(other);
    for BoardEvent { frame, .. } in &mut stimulus.link {
        other(&mut frame.source);
        other(&mut frame.node_id);
    }
    for access in stimulus.host.iter_mut().filter(|a| a.write && a.addr == map::NODE_ID.offset) {
        access.data = 1;
    }
}

/// Accesses before `CONTROL.enable` and those that boot the board, of a ring of two.
fn settings(node: u8) -> Vec<HostOp> {
    let boot = boards::configure(NodeId(node), 2, 700, 400);
    set_up(node, 2, 900, (0xffff, 0xff), 0).into_iter().chain(boot).collect()
}

fn written(hosts: [Vec<HostOp>; 2]) -> Case<Smb> {
    let scenario = BoardScenario { parameters: parameters(), ..BoardScenario::new(2) };
    Case::ring(RingRun { scenario, hosts: hosts.into(), cycles: Cycle(9000) }.into())
}

/// A case written by hand: node 0 sends more signals than the mailbox of node 1 has room for, then messages
/// for its engine; node 1 clears its interrupts in each of the cycles around an acquisition.
#[must_use]
pub fn full_mailbox_and_clears() -> Case<Smb> {
    let one = NodeId(1);
    let mut sender = settings(0);
    for byte in 0..20 {
        sender.extend(boards::send_signal(Token::P2p, 9, one, Order::None, &[byte; 40]));
        sender.push(HostOp::Wait { cycles: Cycle(120) });
    }
    // Requests for locks of node 1, an arrival, and a request that no engine would send.
    sender.extend([1, 3, 5].map(|lock| register(&map::LOCK_ACQUIRE, lock)));
    sender.push(register(&map::BARRIER_ARRIVE, 0));
    let kind = Signal::LockQueueRequest.c_st();
    sender.extend(boards::send_signal(Token::Broadcast, kind, one, Order::None, &[9; 10]));
    // An access takes three cycles, so one of three waits meets the pass of the lock.
    let mut receiver = settings(1);
    for (lock, cycles) in (0..16).step_by(2).zip((1..4).cycle()) {
        receiver.push(HostOp::Wait { cycles: Cycle(cycles) });
        receiver.push(register(&map::LOCK_ACQUIRE, lock));
        receiver.extend([register(&map::ENGINE_IRQ_STATUS, 3); 40]);
        receiver.push(register(&map::LOCK_RELEASE, lock));
    }
    // The oldest signal is as it came.
    receiver.push(HostOp::Wait { cycles: Cycle(3500) });
    receiver.extend((0..16).map(|i| HostOp::Read { addr: map::MAIL_DATA.offset + 4 * i }));
    written([sender, receiver])
}

/// Writes that set a single board up as node 2 of nodes 0 to 3, all locks and barriers enabled.
fn set_up_one(retry: u32, order: u32, timeout: u32) -> Vec<HostAccess> {
    let members = (0..8u32).map(|b| {
        let who = if b == 3 { 0b0011 } else { 0b1111 };
        write(map::BARRIER_MEMBERS.offset + 32 * b, who)
    });
    let first = [
        write(map::NODE_ID.offset, ME.into()),
        write(map::TIMEOUT.offset, timeout),
        write(map::COMBINE.offset, 30),
        HostAccess { gap: 80, ..write(map::LOCK_ENABLE.offset, 0xffff) },
        write(map::BARRIER_ENABLE.offset, 0xff),
        write(map::LOCK_FIRST.offset, 0b0101),
        write(map::ENGINE_ORDER.offset, order),
        write(map::ENGINE_RETRY.offset, retry),
        write(map::ENGINE_IRQ_ENABLE.offset, 3),
    ];
    first.into_iter().chain(members).chain([write(map::CONTROL.offset, 1)]).collect()
}

/// Node of the single board.
const ME: u8 = 2;

prop_compose! {
    /// A signal of one of the engine's kinds from another node, most of the time well formed.
    fn message()(
        signal in select(vec![Signal::LockQueueRequest, Signal::LockQueuePass, Signal::BarrierRingArrival]),
        source in prop_oneof![12 => select(vec![0u8, 1, 3]), 1 => 4u8..9],
        node_id in prop_oneof![6 => 0u8..4, 1 => 4u8..6],
        number in prop_oneof![6 => 0u8..3, 2 => 0u8..8, 1 => 8u8..20],
        tag in prop_oneof![8 => 0u16..4, 1 => any::<u16>()],
        epoch in prop_oneof![8 => 0u16..6, 1 => any::<u16>()],
        wrong in prop::option::weighted(0.15, (0usize..48, 1u8..=255)),
        token in prop_oneof![16 => Just(Token::Broadcast), 1 => Just(Token::P2p)],
        skip in prop_oneof![12 => Just(0i8), 1 => -2i8..1],
        len in prop_oneof![10 => Just(12u16), 3 => 40u16..48],
        flip in prop::option::weighted(0.03, any::<u16>()),
    ) -> BoardFrame {
        let barrier = signal == Signal::BarrierRingArrival;
        let mut bytes = vec![0, if barrier { number } else { 0 }];
        bytes.extend(tag.to_be_bytes());
        bytes.extend([0, 0, 0, if barrier { 0 } else { number }]);
        bytes.extend(if signal == Signal::LockQueuePass { epoch } else { 0 }.to_be_bytes());
        bytes.resize(48, 0);
        if let Some((at, byte)) = wrong {
            bytes[at] = byte;
        }
        let (token, c_st) = (token.code(), signal.c_st());
        BoardFrame { source, token, c_st, node_id, skip, len, bytes, flip, ..BoardFrame::default() }
    }
}

fn accesses() -> impl Strategy<Value = Vec<HostAccess>> {
    let state = [map::LOCK_HELD, map::LOCK_ASKING, map::LOCK_OWNED, map::BARRIER_WAITING];
    let state = state.map(|r| HostAccess { write: false, ..write(r.offset, 0) });
    let set = |r: map::Register| move |value: u32| vec![write(r.offset, value)];
    let order = prop_oneof![4 => 0u32..3, 1 => Just(3u32)];
    let send = (order.clone(), any::<u32>()).prop_map(|(order, data)| {
        let word = signal(Token::P2p.code().into(), 9, 0, 0, 4, order);
        vec![write(map::SIGNAL_DATA.offset, data), write(map::SIGNAL_SEND.offset, word)]
    });
    let events = HostAccess { write: false, ..write(map::ENGINE_IRQ_STATUS.offset, 0) };
    let read_mail = HostAccess { write: false, ..write(map::MAIL_COUNT.offset, 0) };
    prop_oneof![
        8 => number(16).prop_map(set(map::LOCK_ACQUIRE)),
        8 => number(16).prop_map(set(map::LOCK_RELEASE)),
        8 => number(8).prop_map(set(map::BARRIER_ARRIVE)),
        5 => Just(state.to_vec()),
        3 => (1u32..4).prop_map(move |bits| vec![events, write(map::ENGINE_IRQ_STATUS.offset, bits)]),
        1 => (0u32..4).prop_map(set(map::ENGINE_IRQ_ENABLE)),
        1 => (order.clone(), order)
            .prop_map(|(a, b)| vec![write(map::ENGINE_ORDER.offset, a | b << 2)]),
        2 => send,
        2 => (0u32..64, any::<u32>()).prop_map(|(at, data)| vec![write(WINDOW | (4 * at), data)]),
        1 => (0u32..0x50, any::<u32>(), 0u8..16, any::<bool>()).prop_map(|(word, data, strobe, put)| {
            let addr = map::ENGINE_STATUS.offset + 4 * word;
            vec![HostAccess { write: put, strobe, ..write(addr, data) }]
        }),
        2 => Just(vec![read_mail, write(map::MAIL_POP.offset, 0)]),
    ]
}

/// One board with an engine, node 2 of four, with messages of the others on its link; what it sends returns.
pub fn one(cycles: u64) -> impl Strategy<Value = BoardStimulus> {
    let link = vec((prop_oneof![4 => 1u16..4, 3 => 4u16..60, 1 => 60u16..300], message()), 8..40);
    let host = vec((prop_oneof![4 => 0u16..3, 2 => 3u16..60, 1 => 60u16..200], accesses()), 8..50);
    let times = (150u32..600, select(vec![0u32, 5, 10, 2, 8]), 100u32..700);
    (link, host, times, 1u16..40, any::<u32>()).prop_map(move |(link, host, times, ring, noise)| {
        let events = link.into_iter().enumerate().map(|(k, (gap, frame))| {
            // Not before the table of sources is cleared.
            let gap = if k == 0 { gap + 300 } else { gap };
            BoardEvent { gap, frame }
        });
        let mut all = set_up_one(times.0, times.1, times.2);
        for (gap, accesses) in host {
            let from = all.len();
            all.extend(accesses);
            all[from].gap = gap;
        }
        BoardStimulus {
            cycles: Cycle(cycles),
            loopback: Some(ring),
            returns: Some(ME),
            link: events.collect(),
            host: all,
            noise,
            ..BoardStimulus::default()
        }
    })
}
