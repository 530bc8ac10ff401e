// SPDX-License-Identifier: MIT OR Apache-2.0
//! One host writes as fast as its port allows, on the AXI4-Lite and on the AXI4 port.

use crate::latency::{Cycles, FIBRE, LatencyError, MHZ, PERIOD, RUNS};
use awgstar::contract::board::{self, COMBINE};
use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar::ring::boards::{Board, configure, in_window, register};
use awgstar::ring::burst::{Burst, BurstRing, Pace};
use awgstar::ring::{BoardRing, BoardScenario, HostOp, Ring};
use awgstar::rtl::Parameters;
use serde::Serialize;

/// MB/s of payload that the line rate allows with frames of 1,024 bytes: 1,024 of 1,042 bytes of 4 bytes a
/// cycle (RING-4).
pub const LINE: f64 = 4.0 * MHZ * 1024.0 / 1042.0;
/// Data frames in a row before a free token leaves: the value after synthesis and the greatest.
pub const TOKEN_RUNS: [u8; 2] = [8, 15];
/// Cycles until the ring has its token and is quiet.
const UP: u64 = 60_000;
/// Cycles until the buffers are full.
const WARM: u64 = 10_000;
/// Cycles that are measured.
const SPAN: u64 = 200_000;
/// Byte address of the word that is written.
const WORD: u32 = 0x400;
/// Nothing takes longer.
const LIMIT: u64 = 100_000;

/// Host port of the boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Port {
    /// `smb`.
    #[serde(rename = "AXI4-Lite")]
    Lite,
    /// `smb_axi4`.
    #[serde(rename = "AXI4")]
    Burst,
}

impl std::fmt::Display for Port {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Port::Lite => "AXI4-Lite",
            Port::Burst => "AXI4",
        })
    }
}

/// What one host of a ring gets, the others being idle; one token.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OneHost {
    pub boards: usize,
    /// Host port of all boards.
    pub port: Port,
    /// `TOKEN_RUN` of all boards.
    pub token_run: u8,
    /// Million bytes of payload a second in frames of 1,024 bytes that came back.
    pub megabytes: f64,
    /// Part of what the line rate allows.
    pub part: f64,
    /// A write of a word, put on the idle port, is answered.
    pub answered: Cycles,
    /// It is in the memory of every board; `COMBINE` 0.
    pub visible: Cycles,
    /// `FRAMES.base` has passed it; `COMBINE` 0.
    pub confirmed: Cycles,
}

/// A ring whose host 1 is measured.
trait Hosts {
    /// Writes of a word to the start of each of that many blocks of 1,024 bytes for host 1.
    fn write_blocks(&mut self, blocks: u32) -> Result<(), LatencyError>;
    /// One cycle: (the host of board 1 has put an address for a write on the port, its answer is valid).
    fn look(&mut self) -> (bool, bool);
}

/// A write of a word to an address of the shared memory.
const fn write(at: u32, data: u32) -> HostOp {
    HostOp::Write { addr: in_window(ByteAddress(at)), data, strobe: 15 }
}

impl Hosts for BoardRing {
    fn write_blocks(&mut self, blocks: u32) -> Result<(), LatencyError> {
        Ok(self.push(1, (0..256 * blocks).map(|k| write(4 * (k % 4096), k)))?)
    }

    fn look(&mut self) -> (bool, bool) {
        let mut seen = (false, false);
        self.step_observed(&mut |at, _, i, o| {
            if at == 1 {
                seen = (i.s_axi.awvalid, o.s_axi.bvalid);
            }
        });
        seen
    }
}

impl Hosts for BurstRing {
    fn write_blocks(&mut self, blocks: u32) -> Result<(), LatencyError> {
        let block = |k: u32| {
            let addr = in_window(ByteAddress(1024 * (k % 16)));
            Burst { len: 255, ..Burst::word_write(addr.0, k, 15) }
        };
        self.host_mut(1).push((0..blocks).map(block));
        Ok(())
    }

    fn look(&mut self) -> (bool, bool) {
        let mut seen = (false, false);
        self.step_observed(&mut |at, _, i, o| {
            if at == 1 {
                seen = (i.s_axi.awvalid, o.s_axi.bvalid);
            }
        });
        seen
    }
}

/// Measures a ring of at least two boards.
///
/// # Errors
/// If the scenario is invalid, or something does not happen.
pub fn one_host(boards: usize, port: Port, token_run: u8) -> Result<OneHost, LatencyError> {
    let parameters = Parameters::DEFAULT
        .with("smb", "TOKEN_RUN", token_run.into())
        .unwrap_or_else(|error| unreachable!("{error}"));
    let timeout = narrow::<u32>(boards) * 600;
    let fibre = vec![FIBRE; boards];
    let scenario = BoardScenario { fibre, parameters, ..BoardScenario::new(boards) };
    match port {
        Port::Lite => {
            let mut ring = BoardRing::new(&scenario)?;
            for i in 0..boards {
                ring.push(i, configure(NodeId::at(i), 1, timeout, PERIOD))?;
            }
            measure(ring, boards, port, token_run)
        }
        Port::Burst => {
            let mut ring = BurstRing::with_pace(&scenario, Pace::FULL)?;
            ring.configure(1, timeout, PERIOD);
            measure(ring, boards, port, token_run)
        }
    }
}

fn run(ring: &mut impl Hosts, cycles: u64) {
    for _ in 0..cycles {
        ring.look();
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures")]
fn measure<M: Board>(
    mut ring: Ring<M>,
    boards: usize,
    port: Port,
    token_run: u8,
) -> Result<OneHost, LatencyError>
where
    Ring<M>: Hosts,
{
    run(&mut ring, UP);
    for host in 0..boards {
        ring.push(host, [register(&board::PERIOD, board::PERIOD.reset)])?;
    }
    run(&mut ring, WARM);
    let [answered, visible, confirmed] = words(&mut ring.clone(), boards)?;
    ring.write_blocks(narrow::<u32>((WARM + SPAN) / 256 + 1))?;
    run(&mut ring, WARM);
    // From the end of a frame to that of another one.
    let mut ends = Vec::new();
    let mut base = ring.board(1).u_data.base_q;
    let end = ring.cycle().0 + SPAN;
    while ring.cycle().0 < end {
        ring.look();
        let now = ring.board(1).u_data.base_q;
        if now != base {
            ends.push(ring.cycle().0);
        }
        base = now;
    }
    let span = ends.last().zip(ends.first()).map_or(0, |(last, first)| last - first);
    let bytes = ends.len().saturating_sub(1) as f64 * 1024.0;
    let megabytes = if span == 0 { 0.0 } else { bytes * MHZ / span as f64 };
    let of_line = megabytes / LINE;
    Ok(OneHost { boards, port, token_run, megabytes, part: of_line, answered, visible, confirmed })
}

/// Cycles from the first one of `awvalid` until a write is answered, visible and confirmed.
fn words<M: Board>(ring: &mut Ring<M>, boards: usize) -> Result<[Cycles; 3], LatencyError>
where
    Ring<M>: Hosts,
{
    ring.push(1, [register(&COMBINE, 0)])?;
    let mut times: [Vec<Cycle>; 3] = Default::default();
    for number in 0..4 * RUNS {
        run(ring, 700 + 37 * u64::from(number));
        let base = ring.board(1).u_data.base_q;
        ring.push(1, [write(WORD, number + 1)])?;
        let (end, mut from) = (ring.cycle().0 + LIMIT, None);
        let mut seen = [None; 3];
        while seen.contains(&None) {
            let now = ring.cycle().0;
            if now > end {
                return Err(LatencyError::Never { boards, what: "a write" });
            }
            let (put, answer) = ring.look();
            if put && from.is_none() {
                from = Some(now);
            }
            let all =
                (0..boards).all(|i| ring.board(i).u_memory.mem[WORD as usize / 4] == number + 1);
            let told = ring.board(1).u_data.base_q != base;
            for (seen, now) in seen.iter_mut().zip([
                answer.then_some(now),
                all.then_some(now),
                told.then_some(now),
            ]) {
                *seen = seen.or(now);
            }
        }
        for (times, at) in times.iter_mut().zip(seen) {
            times.extend(at.zip(from).map(|(at, from)| Cycle(at - from)));
        }
    }
    Ok(times.map(|times| Cycles::of(&times)))
}
