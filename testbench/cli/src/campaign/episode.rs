// SPDX-License-Identifier: MIT OR Apache-2.0
//! One episode, from its plan to what it came to.

use crate::campaign::check::Witness;
use crate::campaign::plan::{PERIOD, Plan, UP};
use crate::campaign::{Faults, Tally};
use awgstar::contract::{BoardCounter, Counter};
use awgstar::quantity::{ByteAddress, Cycle};
use awgstar::ring::boards::{Counted, count, write_block};
use awgstar::ring::{BoardRing, BoardScenario, Fault, FaultKind};
use serde::{Deserialize, Serialize};

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("--seed {seed} {}--nodes {boards} --case {episode}: {what}", of_rings(*.rings))]
pub struct Violation {
    /// Seed of the campaign.
    pub seed: u64,
    /// The episode.
    pub episode: u64,
    /// Rings with gateways; 0 for a ring alone.
    #[serde(default)]
    pub rings: usize,
    /// Boards of the ring, or of each.
    pub boards: usize,
    /// Description of the violation.
    pub what: String,
}

/// The option of a campaign of rings with gateways.
pub(super) fn of_rings(rings: usize) -> String {
    if rings == 0 { String::new() } else { format!("--rings {rings} ") }
}

/// Longest episode.
const CYCLES_MAX: u64 = 20_000_000;
/// Cycles between two looks into the mailboxes: fewer than sixteen signals can arrive.
const LOOK: u64 = 25;

/// Runs an episode.
///
/// # Errors
/// If a replica, a signal or a token is not as it must be.
pub fn episode(seed: u64, episode: u64, boards: usize) -> Result<Tally, Violation> {
    run(&Plan::new(seed, episode, boards)).map_err(|what| Violation {
        seed,
        episode,
        rings: 0,
        boards,
        what,
    })
}

fn run(plan: &Plan) -> Result<Tally, String> {
    let mut ring = BoardRing::new(&plan.scenario).map_err(|e| e.to_string())?;
    for (i, ops) in plan.ops.iter().enumerate() {
        ring.push(i, ops.iter().copied()).map_err(|e| e.to_string())?;
    }
    let mut witness = Witness::new(plan);
    // The last data is still under way when its source gets the acknowledgement.
    let mut quiet = 0;
    while quiet < 500 / LOOK {
        if ring.cycle() > Cycle(CYCLES_MAX) {
            return Err(stuck(&ring));
        }
        ring.run_until(ring.cycle() + Cycle(LOOK));
        witness.look(&mut ring)?;
        quiet = if over(plan, &ring) && settled(&ring) { quiet + 1 } else { 0 };
    }
    let faults = happened(&plan.scenario, &ring);
    ring.calm();
    heal(&mut ring, plan.tokens, plan.area())?;
    witness.look(&mut ring)?;
    witness.judge(&ring)?;
    let mut tally = Tally { episodes: 1, cycles: ring.cycle(), faults, ..Tally::default() };
    (tally.writes, tally.refused, tally.signals) = witness.counts();
    add_counters(&ring, &mut tally);
    Ok(tally)
}

/// Adds the counters of all boards of a ring.
pub(super) fn add_counters(ring: &BoardRing, tally: &mut Tally) {
    for i in 0..ring.boards() {
        let mut add = |name, counter: Counted| {
            let n = u64::from(count(ring.board(i), counter));
            *tally.counters.entry(name).or_default() += n;
            n
        };
        for &c in Counter::ALL {
            let n = add(c.name(), c.into());
            if matches!(c, Counter::DataSent | Counter::SignalSent) {
                tally.frames += n;
            }
        }
        for &c in BoardCounter::ALL {
            add(c.name(), c.into());
        }
    }
}

/// Nothing more of the plan is to come.
fn over(plan: &Plan, ring: &BoardRing) -> bool {
    let s = &plan.scenario;
    let cuts = s.cuts.iter().map(|cut| cut.until);
    let events = cuts.chain(s.dead.iter().map(|dead| dead.cycle)).max().unwrap_or(Cycle(0));
    ring.cycle() > events.max(Cycle(UP))
}

/// Returns true if all that live boards wrote and sent has returned.
fn settled(ring: &BoardRing) -> bool {
    ring.hosts_idle()
        && ring.live().all(|i| {
            let board = ring.board(i);
            !board.u_combiner.open_q
                && board.u_data.base_q == board.u_data.tail_q
                && board.u_signal.rd_q == board.u_signal.wr_q
        })
}

fn stuck(ring: &BoardRing) -> String {
    let of = |i: usize| {
        let b = ring.board(i);
        let d = &b.u_data;
        format!(
            "board {i}: base {} next {} tail {}, signal state {}, held {}",
            d.base_q, d.next_q, d.tail_q, b.u_signal.state_q, b.u_node.u_arbiter.held_q
        )
    };
    let boards: Vec<String> = ring.live().map(of).collect();
    format!("not settled in cycle {}; {}", ring.cycle(), boards.join("; "))
}

/// Without faults and work the ring finds its monitor and its tokens, and nothing else goes round.
fn heal(ring: &mut BoardRing, tokens: u8, area: usize) -> Result<(), String> {
    let period = u64::from(PERIOD) + 1;
    ring.run_until(ring.cycle() + Cycle(24 * period));
    let mut rounds = 0;
    loop {
        let survey = ring.survey(Cycle(6 * period));
        let monitors = ring.live().filter(|&i| ring.board(i).u_control.active_q).count();
        let clean = (survey.others, survey.bad, monitors) == (0, 0, 1);
        if clean && survey.tokens == Some(tokens.into()) {
            if survey.damaged == 0 {
                return Ok(());
            }
            // A damaged free token goes round until somebody takes it.
            for i in ring.live().collect::<Vec<_>>() {
                let addr = ByteAddress::at(area * i);
                ring.push(i, write_block(addr + 4, &[0; 4])).map_err(|e| e.to_string())?;
            }
            if !ring.run_until_done(Cycle(100 * period), settled) {
                return Err(stuck(ring));
            }
        }
        rounds += 1;
        if rounds == 20 {
            let expected = format!("expected {tokens} tokens, heartbeats of one monitor");
            return Err(format!("{expected}; found {monitors} monitors and {survey:?}"));
        }
    }
}

/// The faults of the plan that the run came to.
fn happened(scenario: &BoardScenario, ring: &BoardRing) -> Faults {
    let mut faults = Faults { noise: ring.inverted(), ..Faults::default() };
    for &Fault { link, frame, kind } in &scenario.faults {
        if frame < ring.frames(link) {
            *match kind {
                FaultKind::Bit(_) => &mut faults.bits,
                FaultKind::Lose => &mut faults.lost,
                FaultKind::Twice => &mut faults.twice,
                FaultKind::Truncate(_) => &mut faults.truncated,
            } += 1;
        }
    }
    faults.cuts = scenario.cuts.len() as u64;
    let live: Vec<usize> = ring.live().collect();
    let dead: Vec<usize> = (0..scenario.boards).filter(|i| !live.contains(i)).collect();
    faults.dead = dead.len() as u64;
    faults.monitors = dead.iter().filter(|&&i| ring.board(i).u_control.active_q).count() as u64;
    faults
}
