//! A bit error that nobody has to care about: the part of the demo about the board (ACK-3).

use awgstar::{
    contract::{BoardCounter, Counter, Order, Token, limits::CLOCK_HZ},
    ring::{
        BoardRing, BoardScenario, Fault, FaultKind, ScenarioError,
        boards::{bytes, configure, count, send_signal, write_block},
    },
};
use std::fmt;

/// Boards of the demo.
pub const BOARDS: usize = 4;
/// Where the block goes.
const AT: u32 = 0x200;
/// Cycles that each link takes: 62 m.
const FIBRE: u32 = 25;
const PERIOD: u32 = 500;
const TIMEOUT: u32 = 2_000;
const LIMIT: u64 = 100_000;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survived {
    /// Bytes written.
    pub bytes: usize,
    /// Cycles from the first write to the last byte on every board, without and with the error.
    pub cycles: [u64; 2],
    /// Frames that some board refused for their FCS.
    pub refused: u32,
    /// Times the writer went back.
    pub again: u32,
    /// Messages in the mailbox of each other board.
    pub messages: Vec<u32>,
    /// Every replica holds the block.
    pub equal: bool,
}

/// A ring whose boards know each other and have their tokens, from the same start each time.
fn ring(faults: Vec<Fault>) -> Result<BoardRing, ScenarioError> {
    let fibre = vec![FIBRE; BOARDS];
    let mut ring = BoardRing::new(&BoardScenario { fibre, faults, ..BoardScenario::new(BOARDS) })?;
    for (i, id) in (0..4u8).enumerate() {
        ring.push(i, configure(id, 2, TIMEOUT, PERIOD))?;
    }
    ring.run_until(u64::from(PERIOD) * 16);
    Ok(ring)
}

/// Writes a block and a signal behind it on board 1; cycles until all of it is everywhere.
fn write(ring: &mut BoardRing, block: &[u8]) -> Result<u64, ScenarioError> {
    let start = ring.cycle();
    ring.push(1, write_block(AT, block))?;
    ring.push(1, send_signal(Token::Broadcast, 11, 1, Order::Sent, &[1]))?;
    let there = |ring: &BoardRing| {
        (0..BOARDS).all(|i| bytes(ring.board(i), AT as usize, block.len()) == block)
            && ring.board(1).u_data.base_q == ring.board(1).u_data.tail_q
            && ring.board(1).u_signal.rd_q == ring.board(1).u_signal.wr_q
            && ring.hosts_idle()
    };
    ring.run_until_done(LIMIT, there);
    Ok(ring.cycle() - start)
}

/// Runs it twice: without an error, and with bit 300 of the block's frame inverted on the link
/// behind board 2.
///
/// # Errors
/// None: the scenario is a good one.
pub fn survived() -> Result<Survived, ScenarioError> {
    let block: Vec<u8> = (0..200u8).collect();
    let mut clean = ring(Vec::new())?;
    // The frames that passed that link before are the same in both runs; of those behind, the block's
    // is the first that is longer than 64 bytes.
    let before = clean.board(2).u_node.u_counters.mem[usize::from(Counter::Passed.code())];
    let without = write(&mut clean, &block)?;
    let mut best = None;
    for frame in u64::from(before.saturating_sub(8))..u64::from(before) + 200 {
        let mut spoilt = ring(vec![Fault { link: 2, frame, kind: FaultKind::Bit(900) }])?;
        let with = write(&mut spoilt, &block)?;
        let again = count(spoilt.board(1), BoardCounter::Rewound);
        if again > 0 {
            best = Some((spoilt, with, again));
            break;
        }
    }
    let (ring, with, again) = best.unwrap_or((clean, without, 0));
    let others = (0..BOARDS).filter(|i| *i != 1);
    Ok(Survived {
        bytes: block.len(),
        cycles: [without, with],
        refused: (0..BOARDS).map(|i| count(ring.board(i), Counter::BadFcs)).sum(),
        again,
        messages: others.map(|i| count(ring.board(i), BoardCounter::Signal)).collect(),
        equal: (0..BOARDS).all(|i| bytes(ring.board(i), AT as usize, block.len()) == block),
    })
}

impl fmt::Display for Survived {
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = |cycles: u64| cycles as f64 * 1e6 / CLOCK_HZ as f64;
        let [without, with] = self.cycles;
        writeln!(
            f,
            "A bit error, survived: board 1 writes {} bytes and sends a signal behind them; one bit of the block's frame is inverted on its way.",
            self.bytes
        )?;
        writeln!(f, "  {} boards refuse the frame: its FCS is wrong", self.refused)?;
        writeln!(f, "  board 1 sees it come back bad, and sends it again ({} time)", self.again)?;
        writeln!(f, "  signals taken by the other boards: {:?}", self.messages)?;
        writeln!(f, "  every replica holds the block: {}", self.equal)?;
        writeln!(
            f,
            "  all there and back after {with} cycles ({:.2} us); without the error {without} ({:.2} us)",
            us(with),
            us(without)
        )
    }
}
