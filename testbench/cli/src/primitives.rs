// SPDX-License-Identifier: MIT OR Apache-2.0
//! A lock that all nodes request, followed by a barrier: the part of the demo about firmware.

use awgstar::contract::limits::CLOCK_HZ;
use awgstar::host::{Choice, DrivenRing, Happened, HostError, Program, Record, Setup, Stopped};
use awgstar::quantity::{ByteAddress, Cycle};
use awgstar::request::Request;
use awgstar_scenario::spacetime::{Picture, firmware};
use std::fmt;

/// Nodes of the demo.
pub const NODES: usize = 4;
/// Cycles that each link takes: 62 m.
const FIBRE: u32 = 25;
const LOCK: u32 = 3;
const WORD: ByteAddress = ByteAddress(0x40);
const LIMIT: Cycle = Cycle(1_000_000);

/// Result of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Primitives {
    /// Node and cycle of each acquisition, in order.
    pub acquired: Vec<(usize, Cycle)>,
    /// Cycles from one holder's unlock to the next holder.
    pub hand_overs: Vec<Cycle>,
    /// Cycle in which the last node arrived at the barrier.
    pub arrived: Cycle,
    /// Cycle in which the last one passed it.
    pub passed: Cycle,
    /// The counter on every replica.
    pub counters: Vec<u32>,
    /// Events, for drawings and waveforms.
    pub records: Vec<Record>,
    /// Cycle in which the programs began, and the one after the last record.
    pub window: (u64, u64),
}

/// Every node adds 1 to a word under the lock, and waits for the others; then all must see the sum.
fn program(node: usize) -> Program<'static> {
    Box::new(move |handle| {
        handle.wait(Cycle(1 + 40 * node as u64))?;
        handle.lock(LOCK)?;
        let value = handle.read(WORD)?;
        handle.write(WORD, value + 1)?;
        handle.unlock(LOCK)?;
        handle.barrier()?;
        let (expected, found) = (4, handle.read(WORD)?);
        if found == expected { Ok(()) } else { Err(Stopped::Check { expected, found }) }
    })
}

/// Runs it.
///
/// # Errors
/// If a process waits without end, or reads another sum.
pub fn primitives() -> Result<Primitives, String> {
    run().map_err(|e| e.to_string())?
}

fn run() -> Result<Result<Primitives, String>, HostError> {
    let setup = Setup { records: true, ..Setup::new(NODES, FIBRE) };
    let mut system = DrivenRing::new(Choice::new(), &setup)?;
    system.run_until_up(LIMIT)?;
    let begin = system.ring().cycle();
    let ends = system.run_programs(LIMIT, (0..NODES).map(program).collect())?;
    if let Some(error) = ends.into_iter().find_map(Result::err) {
        return Ok(Err(error.to_string()));
    }
    system.settle(LIMIT)?;
    let records = system.take_records();
    let at = |request: Request, answered: bool| {
        records.iter().filter(move |r| match &r.what {
            Happened::Asked(one) => !answered && *one == request,
            Happened::Answered(one) => answered && *one == request,
            _ => false,
        })
    };
    let acquired: Vec<(usize, Cycle)> =
        at(Request::Lock(LOCK), true).map(|r| (r.node.index(), r.cycle)).collect();
    let given: Vec<Cycle> = at(Request::Unlock(LOCK), false).map(|r| r.cycle).collect();
    let hand_overs = acquired.iter().skip(1).zip(&given).map(|(to, from)| to.1 - *from).collect();
    let last = |ask, answered| at(ask, answered).map(|r| r.cycle).max().unwrap_or(Cycle(0));
    Ok(Ok(Primitives {
        hand_overs,
        arrived: last(Request::Barrier(0), false),
        passed: last(Request::Barrier(0), true),
        counters: (0..NODES).map(|i| system.ring().board(i).u_memory.mem[WORD.word()]).collect(),
        window: (begin.0, records.last().map_or(begin.0, |r| (r.cycle + Cycle(20)).0)),
        acquired,
        records,
    }))
}

impl Primitives {
    /// Space-time diagram.
    #[must_use]
    pub fn picture(&self) -> String {
        firmware(&Picture {
            nodes: NODES,
            records: &self.records,
            hops: &[],
            window: self.window,
            title: "A contended lock and a barrier on 4 nodes, 62 m of fibre between them",
        })
    }
}

impl fmt::Display for Primitives {
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = |cycles: Cycle| cycles.0 as f64 * 1e6 / CLOCK_HZ as f64;
        let order: Vec<String> = self.acquired.iter().map(|(node, _)| node.to_string()).collect();
        let overs: Vec<String> = self.hand_overs.iter().map(Cycle::to_string).collect();
        writeln!(f, "A lock and a barrier ({NODES} nodes, firmware over the host ports):")?;
        writeln!(
            f,
            "  lock {LOCK}: all want it; nodes {} have it, one after the other;",
            order.join(", ")
        )?;
        writeln!(
            f,
            "    from unlock to the next holder {} cycles, data confirmed before",
            overs.join(", ")
        )?;
        writeln!(f, "  each added 1 to a word: {:?} on the replicas", self.counters)?;
        let cycles = self.passed - self.arrived;
        writeln!(
            f,
            "  barrier: the last one arrives in cycle {}, all have passed {cycles} cycles ({:.2} µs) later",
            self.arrived,
            us(cycles)
        )
    }
}
