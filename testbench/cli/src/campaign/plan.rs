// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plan of an episode: ring, faults, and operations of the hosts.

use crate::campaign::random::Random;
use awgstar::contract::{
    Order, Token,
    board::{FLUSH, GROUPS, STATUS},
};
use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar::ring::boards::{
    Cut, Dead, Noise, configure, register, send_signal, wait_synced, write_block,
};
use awgstar::ring::{BoardScenario, Fault, FaultKind, HostOp};

/// Fewest boards of a campaign.
pub const BOARDS_MIN: usize = 2;
pub const BOARDS_MAX: usize = 16;
/// `TIMEOUT` of every board.
pub(super) const TIMEOUT: u32 = 3_000;
/// `PERIOD` of every board.
pub(super) const PERIOD: u32 = 1_000;
/// The ring is up by then, and hosts begin.
pub(super) const UP: u64 = 14 * PERIOD as u64;
/// Bytes of the shared memory.
pub(super) const MEMORY: usize = 16_384;
/// Faults are over by then, and boards dead.
const OVER: u64 = UP + 60_000;
/// Operations of each host.
const ACTS: u64 = 700;

/// Receivers of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum To {
    One(usize),
    Group(u8),
    All,
}

/// A signal of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Planned {
    pub(super) to: To,
    pub(super) order: Order,
}

/// An episode.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) scenario: BoardScenario,
    pub(super) tokens: u8,
    pub(super) groups: Vec<u16>,
    /// Operations of each host once the ring is up.
    pub(super) ops: Vec<Vec<HostOp>>,
    /// Signals of each host, in their order.
    pub(super) signals: Vec<Vec<Planned>>,
}

impl Plan {
    /// Episode `episode` of a campaign.
    pub fn new(seed: u64, episode: u64, boards: usize) -> Self {
        let mut random = Random::new(seed, episode);
        // Four tokens fit a ring of this length.
        let more = 80 / narrow::<u32>(boards);
        let fibre = (0..boards).map(|_| random.small(10, 90) + more).collect();
        let mut scenario = BoardScenario { fibre, ..BoardScenario::new(boards) };
        let lap: u32 = scenario.fibre.iter().map(|cycles| cycles + 4).sum();
        let tokens = random.small(1, 5).min(lap / 17 - 2).to_le_bytes()[0];
        // One episode in eight has no faults.
        if !random.once_in(8) {
            faults(&mut scenario, &mut random);
        }
        let groups = (0..boards)
            .map(|_| random.next().to_le_bytes())
            .map(|b| u16::from(b[0]) << 8 | u16::from(b[1]))
            .collect();
        let mut plan =
            Plan { scenario, tokens, groups, ops: Vec::new(), signals: vec![Vec::new(); boards] };
        for i in 0..boards {
            let ops = plan.host(i, &mut random);
            plan.ops.push(ops);
        }
        plan
    }

    /// Bytes that each board writes.
    pub(super) fn area(&self) -> usize {
        (MEMORY / self.scenario.boards) & !3
    }

    /// Operations of host `i`.
    fn host(&mut self, i: usize, random: &mut Random) -> Vec<HostOp> {
        let boards = self.scenario.boards;
        let id = NodeId::at(i);
        let mut ops = vec![register(&GROUPS, self.groups[i].into())];
        ops.extend(configure(id, self.tokens, TIMEOUT, PERIOD));
        ops.push(wait_synced(Cycle::MAX));
        ops.push(HostOp::Wait { cycles: Cycle(UP) });
        let base = ByteAddress::at(self.area() * i);
        let size = narrow::<u32>(self.area());
        for act in 0..ACTS {
            match random.within(0, 16) {
                0..=8 => {
                    // Bytes 0 to 3 tell which signal comes.
                    let at = random.small(4, size);
                    let most = if random.once_in(2) { 8 } else { 150 };
                    let n = random.small(1, most).min(size - at);
                    let fill = random.next().to_le_bytes()[0];
                    let block: Vec<u8> = (0..n).map(|k| fill ^ k.to_le_bytes()[0]).collect();
                    ops.extend(write_block(base + at, &block));
                }
                9 | 10 if act % 64 == 9 => {
                    // A block of several frames.
                    let n = random.small(1_000, 3_000).min(size - 4);
                    ops.extend(write_block(base + 4, &vec![act.to_le_bytes()[0]; n as usize]));
                }
                9..=12 => {
                    let to = match random.within(0, 3) {
                        0 => To::All,
                        1 => To::Group(random.next().to_le_bytes()[0] & 15),
                        _ => To::One((i + 1 + random.index(boards - 1)) % boards),
                    };
                    let order = Order::ALL[random.index(Order::ALL.len())];
                    self.signal(i, Planned { to, order }, base, &mut ops);
                }
                13 => ops.push(register(&FLUSH, 0)),
                _ => ops.push(HostOp::Wait { cycles: Cycle(random.within(1, 400)) }),
            }
        }
        ops
    }

    /// A signal that says its number, and unless it has no order that number in the memory before it.
    fn signal(&mut self, i: usize, signal: Planned, base: ByteAddress, ops: &mut Vec<HostOp>) {
        let number = narrow::<u32>(self.signals[i].len() + 1).to_le_bytes();
        self.signals[i].push(signal);
        if signal.order != Order::None {
            ops.extend(write_block(base, &number));
        }
        let full = HostOp::Poll { addr: STATUS.offset, mask: 1 << 5, value: 0, limit: Cycle::MAX };
        ops.push(full);
        let (token, node_id, group) = match signal.to {
            To::One(node) => (Token::P2p, node.to_le_bytes()[0], 0),
            To::Group(group) => (Token::Multicast, 0, group),
            To::All => (Token::Broadcast, 0, 0),
        };
        let mut send = send_signal(token, 1, NodeId(node_id), signal.order, &number);
        if let Some(HostOp::Write { data, .. }) = send.last_mut() {
            *data |= u32::from(group) << 16;
        }
        ops.extend(send);
    }
}

/// Faults of any kinds.
fn faults(scenario: &mut BoardScenario, random: &mut Random) {
    let boards = scenario.boards;
    if random.once_in(2) {
        for _ in 0..random.within(1, 60) {
            let bit = random.small(0, 1200);
            let kind = match random.within(0, 6) {
                0 | 1 => FaultKind::Bit(bit % 512),
                2 | 3 => FaultKind::Lose,
                4 => FaultKind::Twice,
                _ => FaultKind::Truncate(bit % 15 + 1),
            };
            let (link, frame) = (random.index(boards), random.within(20, 3_000));
            scenario.faults.push(Fault { link, frame, kind });
        }
    }
    if random.once_in(3) {
        // One bit in 2^22 to one in 2^14.
        let rate = 1 << random.within(10, 19);
        scenario.noise = Noise { rate, seed: random.next() };
    }
    if random.once_in(3) {
        for _ in 0..random.within(1, 3) {
            let from = random.within(UP, OVER);
            let most = if random.once_in(2) { 2_000 } else { 40_000 };
            let until = from + random.within(1, most);
            scenario.cuts.push(Cut {
                link: random.index(boards),
                from: Cycle(from),
                until: Cycle(until),
            });
        }
    }
    if boards > 2 && random.once_in(3) {
        let board = if random.once_in(2) { 0 } else { random.index(boards) };
        scenario.dead.push(Dead { board, cycle: Cycle(random.within(UP, OVER)) });
        if boards > 3 && random.once_in(4) {
            let board = random.index(boards - 1) + 1;
            scenario.dead.push(Dead { board, cycle: Cycle(random.within(UP, OVER)) });
        }
    }
}
