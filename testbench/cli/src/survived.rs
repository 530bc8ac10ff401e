// SPDX-License-Identifier: MIT OR Apache-2.0
//! A corrected bit error: the part of the demo about the board (ACK-3).

use awgstar::quantity::{ByteAddress, Cycle, NodeId};
use awgstar::{
    contract::{BoardCounter, Counter, Order, Token, limits::CLOCK_HZ},
    ring::{
        BoardRing, BoardScenario, Fault, FaultKind, ScenarioError,
        boards::{bytes, configure, count, send_signal, write_block},
    },
    rtl::data_window,
};
use std::fmt;

/// Boards of the demo.
pub const BOARDS: usize = 4;
const WRITER: usize = 1;
/// The bit that is inverted: in the Data of the frame.
const BIT: u32 = 900;
/// Byte address of the block.
const AT: ByteAddress = ByteAddress(0x200);
/// Cycles that each link takes: 62 m.
const FIBRE: u32 = 25;
const PERIOD: u32 = 500;
const TIMEOUT: u32 = 2_000;
const LIMIT: Cycle = Cycle(100_000);

/// Result of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survived {
    /// Bytes written.
    pub bytes: usize,
    /// Cycles from the first write until all data is on every board and has returned, without and
    /// with the error.
    pub cycles: [Cycle; 2],
    /// Frames that some board refused for their FCS.
    pub refused: u32,
    /// Times the writer went back.
    pub again: u32,
    /// Messages in the mailbox of each other board.
    pub messages: Vec<u32>,
    /// Every replica holds the block.
    pub equal: bool,
}

/// A ring whose boards know each other and have their tokens.
fn ring() -> Result<BoardRing, ScenarioError> {
    let fibre = vec![FIBRE; BOARDS];
    let mut ring = BoardRing::new(&BoardScenario { fibre, ..BoardScenario::new(BOARDS) })?;
    for (i, id) in (0..4u8).enumerate() {
        ring.push(i, configure(NodeId(id), 2, TIMEOUT, PERIOD))?;
    }
    ring.run_until(Cycle(u64::from(PERIOD) * 16));
    Ok(ring)
}

/// Every replica holds the block.
fn equal(ring: &BoardRing, block: &[u8]) -> bool {
    (0..BOARDS).all(|i| bytes(ring.board(i), AT, block.len()) == block)
}

/// Returns true if the host of the writer is done, and all its frames have returned.
fn back(ring: &BoardRing) -> bool {
    let smb = ring.board(WRITER);
    ring.hosts_idle()
        && smb.u_data.base_q == smb.u_data.tail_q
        && smb.u_signal.rd_q == smb.u_signal.wr_q
}

/// Runs it twice: without an error, and with a bit of the block's frame inverted on the link after
/// the writer.
///
/// # Errors
/// None: the scenario is a good one.
pub fn survived() -> Result<Survived, ScenarioError> {
    let block: Vec<u8> = (0..200u8).collect();
    let mut clean = ring()?;
    let start = clean.cycle();
    clean.push(WRITER, write_block(AT, &block))?;
    clean.push(WRITER, send_signal(Token::Broadcast, 11, NodeId(1), Order::Sent, &[1]))?;
    // The frame whose payload is being taken is the one that leaves next.
    clean.run_until_done(LIMIT, |ring| ring.board(WRITER).u_data.state_q == data_window::STREAM);
    let mut spoilt = clean.clone();
    let frame = spoilt.frames(WRITER);
    spoilt.add_fault(Fault { link: WRITER, frame, kind: FaultKind::Bit(BIT) })?;
    let cycles = [&mut clean, &mut spoilt].map(|ring| {
        ring.run_until_done(LIMIT, |ring| back(ring) && equal(ring, &block));
        ring.cycle() - start
    });
    let others = (0..BOARDS).filter(|i| *i != WRITER);
    Ok(Survived {
        bytes: block.len(),
        cycles,
        refused: (0..BOARDS).map(|i| count(spoilt.board(i), Counter::BadFcs)).sum(),
        again: count(spoilt.board(WRITER), BoardCounter::Rewound),
        messages: others.map(|i| count(spoilt.board(i), BoardCounter::Signal)).collect(),
        equal: equal(&spoilt, &block),
    })
}

impl fmt::Display for Survived {
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = |cycles: Cycle| cycles.0 as f64 * 1e6 / CLOCK_HZ as f64;
        let [without, with] = self.cycles;
        writeln!(
            f,
            "A bit error, survived: board {WRITER} writes {} bytes and sends a signal after them; one bit of the block's frame is inverted on its way.",
            self.bytes
        )?;
        writeln!(f, "  {} boards refuse the frame: its FCS is wrong", self.refused)?;
        writeln!(
            f,
            "  board {WRITER} gets the damaged frame back, and retransmits it ({} time)",
            self.again
        )?;
        writeln!(f, "  signals taken by the other boards: {:?}", self.messages)?;
        writeln!(f, "  every replica holds the block: {}", self.equal)?;
        writeln!(
            f,
            "  all data arrived and acknowledged after {with} cycles ({:.2} µs); without the error {without} ({:.2} µs)",
            us(with),
            us(without)
        )
    }
}
