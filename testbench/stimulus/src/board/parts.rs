// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accesses, frames and runs that the cases of a board are made of.

use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus, HostAccess};
use crate::ends::OWN;
use awgstar::contract::board as map;
use awgstar::quantity::{ByteAddress, Cycle};

/// First byte address of the window onto the shared memory.
pub const WINDOW: ByteAddress = ByteAddress(1 << map::WINDOW_BIT);

/// A write of a whole register without delay.
#[must_use]
pub const fn write(addr: ByteAddress, data: u32) -> HostAccess {
    HostAccess { gap: 0, write: true, addr, data, strobe: 15, skew: 0, late: 0 }
}

/// A `SIGNAL_SEND` word.
#[must_use]
pub const fn signal(
    token: u32,
    c_st: u32,
    node_id: u32,
    multi_g: u32,
    len: u32,
    order: u32,
) -> u32 {
    token | (c_st << 3) | (node_id << 8) | (multi_g << 16) | (len << 20) | (order << 26)
}

/// Accesses that set a board up with these times, and enable it.
#[must_use]
pub fn set_up(
    timeout: u32,
    combine: u32,
    period: u32,
    tokens: u32,
    enable: bool,
) -> Vec<HostAccess> {
    let mut all = vec![
        write(map::NODE_ID.offset, OWN.into()),
        write(map::GROUPS.offset, 0b0110),
        write(map::TIMEOUT.offset, timeout),
        write(map::COMBINE.offset, combine),
        write(map::PERIOD.offset, period),
        write(map::TOKENS.offset, tokens),
        write(map::IRQ_ENABLE.offset, 0x1ff),
    ];
    if enable {
        all.push(write(map::CONTROL.offset, 1));
    }
    all
}

/// The host reads the word at a byte address.
#[must_use]
pub const fn read(addr: ByteAddress) -> HostAccess {
    HostAccess { write: false, ..write(addr, 0) }
}

/// The same access, this many cycles later.
#[must_use]
pub const fn after(gap: u16, access: HostAccess) -> HostAccess {
    HostAccess { gap, ..access }
}

/// Writes of consecutive words, the first at byte address `at`.
pub fn block(at: u32, words: u32) -> impl Iterator<Item = HostAccess> {
    (0..words).map(move |i| write(WINDOW | (at + 4 * i), i.wrapping_mul(0x0101_0101) ^ at))
}

/// A run of one board: cycles, cycles of the loop back to its own link, accesses of its host.
#[must_use]
pub fn run(cycles: u64, loopback: Option<u16>, host: Vec<HostAccess>) -> BoardStimulus {
    BoardStimulus { cycles: Cycle(cycles), loopback, host, ..BoardStimulus::default() }
}

/// A frame from another node.
#[must_use]
pub fn frame(token: u8, c_st: u8, addr: u32, len: u16) -> BoardFrame {
    BoardFrame { source: 1, token, c_st, node_id: 1, addr, len, ..BoardFrame::default() }
}

/// Frames on the link with this many idle words before each.
pub fn events(frames: impl IntoIterator<Item = BoardFrame>, gap: u16) -> Vec<BoardEvent> {
    frames.into_iter().map(|frame| BoardEvent { gap, frame }).collect()
}
