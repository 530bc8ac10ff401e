// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations that hosts need often, and what they look for in a board.

use super::super::access::HostOp;
use crate::rtl::SmbCore;
use awgstar_frame::contract::{
    BoardCounter, Counter, EngineInterrupt, Order, Token,
    board::{self, Register},
};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};

/// Address on the bus of byte 0 of the shared memory (HST-2).
pub const WINDOW: ByteAddress = ByteAddress(1 << board::WINDOW_BIT);

/// Cycles in which the memories of the largest engine are cleared, and more.
const ENGINE_CLEARS: Cycle = Cycle(20_000);

/// Address on the bus of byte `addr` of the shared memory.
#[must_use]
pub const fn in_window(addr: ByteAddress) -> ByteAddress {
    ByteAddress(WINDOW.0 | addr.0)
}

/// A write of a whole register.
#[must_use]
pub const fn register(register: &Register, value: u32) -> HostOp {
    HostOp::Write { addr: register.offset, data: value, strobe: 0b1111 }
}

/// A board takes part in the ring: `tokens`, `timeout` and `period` as in the registers of these
/// names.
#[must_use]
pub fn configure(node_id: NodeId, tokens: u8, timeout: u32, period: u32) -> Vec<HostOp> {
    vec![
        register(&board::NODE_ID, node_id.into()),
        register(&board::TOKENS, tokens.into()),
        register(&board::TIMEOUT, timeout),
        register(&board::PERIOD, period),
        register(&board::CONTROL, 1),
    ]
}

/// Locks and barriers that the engine of a board serves (ENG-7).
///
/// The engine is the ring queue lock and the ring barrier; the firmware of other nodes must be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Bit l: lock l.
    pub locks: u16,
    /// Bit l: the board owns lock l at the start; just one board of the ring does.
    pub first: u16,
    /// Members of barrier 0, 1 and so on, 8 barriers at most: bit i of word w is node 32 w + i.
    pub barriers: Vec<[u32; 8]>,
    /// Order of unlocks and arrivals relative to data written before.
    pub order: Order,
    /// What is not answered is sent again after one to two such periods; 2^24 cycles at most.
    pub retry: Cycle,
}

/// The engine serves locks and barriers. Before [`configure`]: the board refuses some of it when it is
/// enabled.
#[must_use]
pub fn configure_engine(engine: &Engine) -> Vec<HostOp> {
    let mut ops = vec![HostOp::Poll {
        addr: board::ENGINE_STATUS.offset,
        mask: 1,
        value: 1,
        limit: ENGINE_CLEARS,
    }];
    let words = engine.barriers.iter().take(8).flatten();
    ops.extend((0_u32..).zip(words).map(|(index, &data)| {
        let addr = board::BARRIER_MEMBERS.offset + 4 * index;
        HostOp::Write { addr, data, strobe: 0b1111 }
    }));
    let barriers = (1_u32 << engine.barriers.len().min(8)) - 1;
    let order = u32::from(engine.order.code());
    let retry = narrow::<u32>(engine.retry.0.saturating_sub(1).min(0xff_ffff));
    let events = 1 << EngineInterrupt::Lock.code() | 1 << EngineInterrupt::Barrier.code();
    ops.extend([
        register(&board::LOCK_ENABLE, engine.locks.into()),
        register(&board::LOCK_FIRST, engine.first.into()),
        register(&board::BARRIER_ENABLE, barriers),
        register(&board::ENGINE_ORDER, order | order << 2),
        register(&board::ENGINE_RETRY, retry),
        register(&board::ENGINE_IRQ_ENABLE, events),
    ]);
    ops
}

/// Waits until all boards know this one (MON-2), for `limit` cycles at most.
#[must_use]
pub const fn wait_synced(limit: Cycle) -> HostOp {
    HostOp::Poll { addr: board::STATUS.offset, mask: 1, value: 1, limit }
}

/// Writes `bytes` to the shared memory from byte `addr` on, a word at a time, and no other bytes.
#[must_use]
pub fn write_block(addr: ByteAddress, bytes: &[u8]) -> Vec<HostOp> {
    let mut ops: Vec<HostOp> = Vec::new();
    for (at, &byte) in (addr.0..).map(ByteAddress).zip(bytes) {
        let (word, lane) = (in_window(at.aligned()), at.lane());
        let new = HostOp::Write { addr: word, data: 0, strobe: 0 };
        match ops.last() {
            Some(&HostOp::Write { addr, .. }) if addr == word => {}
            _ => ops.push(new),
        }
        if let Some(HostOp::Write { data, strobe, .. }) = ops.last_mut() {
            *data |= u32::from(byte) << (8 * lane);
            *strobe |= 1 << lane;
        }
    }
    ops
}

/// Reads the `words` words of the shared memory from byte `addr` on.
#[must_use]
pub fn read_block(addr: ByteAddress, words: u32) -> Vec<HostOp> {
    (0..words).map(|i| HostOp::Read { addr: in_window(addr + 4 * i) }).collect()
}

/// Sends a signal with up to 46 bytes of Data.
#[must_use]
pub fn send_signal(
    token: Token,
    c_st: u8,
    node_id: NodeId,
    order: Order,
    data: &[u8],
) -> Vec<HostOp> {
    let word = |(i, bytes): (u32, &[u8])| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        let (addr, data) = (board::SIGNAL_DATA.offset + 4 * i, u32::from_le_bytes(word));
        HostOp::Write { addr, data, strobe: 0b1111 }
    };
    let mut ops: Vec<HostOp> = (0..).zip(data.chunks(4)).map(word).collect();
    let len: u32 = narrow(data.len() & 63);
    let value = u32::from(token.code())
        | u32::from(c_st) << 3
        | u32::from(node_id) << 8
        | len << 20
        | u32::from(order.code()) << 26;
    ops.push(register(&board::SIGNAL_SEND, value));
    ops
}

/// `len` bytes of a board's replica from byte `addr` on.
///
/// # Panics
/// If one of them is beyond the end of the memory.
#[must_use]
pub fn bytes(board: &SmbCore, addr: ByteAddress, len: usize) -> Vec<u8> {
    let byte = |at: ByteAddress| board.u_memory.mem[at.word()].to_le_bytes()[at.lane()];
    (addr.0..).map(ByteAddress).take(len).map(byte).collect()
}

/// A counter of a board, or of its node.
#[must_use]
pub fn count(smb: &SmbCore, counter: impl Into<Counted>) -> u32 {
    let (counters, code) = match counter.into() {
        Counted::Node(counter) => (&smb.u_node.u_counters, counter.code()),
        Counted::Board(counter) => (&smb.u_counters, counter.code()),
    };
    let code = usize::from(code);
    counters.mem[code].wrapping_add(counters.pending_q.0[code].into())
}

/// A counter of the node or of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Node(Counter),
    Board(BoardCounter),
}

impl From<Counter> for Counted {
    fn from(counter: Counter) -> Self {
        Counted::Node(counter)
    }
}

impl From<BoardCounter> for Counted {
    fn from(counter: BoardCounter) -> Self {
        Counted::Board(counter)
    }
}
