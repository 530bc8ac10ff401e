// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recovery: a board fails while all hosts write. A run measures how long the ring takes to work
//! again, and checks the replicas (AWG-7, AWG-8).
//!
//! Each host writes a separate area. After the bypass the lowest board of the ring rewrites the
//! area of the dead one from its local replica: a frame that the dead board could not finish may
//! have reached only some boards. When the board returns its memory is empty; then every host
//! rewrites its own area. No other host may: a value that was read for copying is old as soon as
//! its writer writes again.

mod case;
mod judge;
mod worker;

use awgstar_frame::quantity::Cycle;
pub use case::{Case, Loss, Recovered, RecoveryError};

use super::change::Change;
use super::network::Star;
use crate::ring::boards::{BoardRing, BoardScenario, count};
use awgstar_frame::contract::BoardCounter;
use worker::Worker;

/// A run under way.
struct Run {
    case: Case,
    ring: BoardRing,
    star: Star,
    workers: Vec<Worker>,
    /// Cycle of the loss.
    died: Cycle,
    found: Recovered,
    /// Last cycle without exactly one monitor.
    unruled: Cycle,
    /// Last cycle in which a token was made or dropped.
    census: Cycle,
    /// Frames that each board has to get back before `all_writes`.
    owed: Vec<u64>,
}

/// Runs a case to its end and checks what must hold.
///
/// # Errors
/// If the case is invalid, a condition does not hold, or an expected event does not happen.
pub fn run(case: &Case) -> Result<Recovered, RecoveryError> {
    let mut run = Run::new(case)?;
    run.lose()?;
    run.bypass()?;
    // The last data is still being written when its source gets the acknowledgement.
    run.go_on(Cycle(500))?;
    run.judge_dead()?;
    // Long enough for a takeover and the census after it.
    run.go_on(12 * Cycle::from(case.period()))?;
    run.marks();
    if let Some(after) = case.returns {
        run.go_on(after)?;
        run.bring_back()?;
    }
    run.finish()?;
    Ok(run.found)
}

impl Run {
    /// A ring that is up and whose hosts have written for `case.at` cycles.
    fn new(case: &Case) -> Result<Run, RecoveryError> {
        let (boards, found) = (case.boards, case.board);
        if found >= boards {
            return Err(RecoveryError::Board { boards, found });
        }
        let fibre = vec![2 * case.fibre; boards];
        let mut ring = BoardRing::new(&BoardScenario { fibre, ..BoardScenario::new(boards) })?;
        let star = Star::new(&mut ring, vec![[case.fibre; 2]; boards], case.times)?;
        for i in 0..boards {
            ring.push(i, case.set_up(i))?;
        }
        let workers = (0..boards).map(|i| Worker::new(case, i)).collect();
        let mut run = Run {
            case: *case,
            ring,
            star,
            workers,
            died: Cycle(0),
            found: Recovered::default(),
            unruled: Cycle(0),
            census: Cycle(0),
            owed: Vec::new(),
        };
        run.wait("a ring that is up", |run| {
            let added = |i| count(run.ring.board(i), BoardCounter::TokenAdded);
            (0..boards).map(added).sum::<u32>() >= case.tokens.into()
        })?;
        run.workers.iter_mut().for_each(|w| w.works = true);
        run.go_on(case.at)?;
        Ok(run)
    }

    /// Runs that many cycles.
    fn go_on(&mut self, cycles: Cycle) -> Result<(), RecoveryError> {
        let end = self.ring.cycle() + cycles;
        while self.ring.cycle() < end {
            self.cycle()?;
        }
        Ok(())
    }

    /// One cycle of controller, hosts and boards.
    fn cycle(&mut self) -> Result<(), RecoveryError> {
        self.star.step(&mut self.ring)?;
        for (i, worker) in self.workers.iter_mut().enumerate() {
            worker.step(&mut self.ring, i)?;
        }
        self.ring.step_skipping();
        let cycle = self.ring.cycle();
        let mut monitors = 0;
        for i in self.star.members().filter(|&i| self.ring.powered(i)) {
            let control = &self.ring.board(i).u_control;
            monitors += u32::from(control.active_q);
            if control.add_q != 0 || control.discard_q {
                self.census = cycle;
            }
        }
        if monitors != 1 {
            self.unruled = cycle;
        }
        Ok(())
    }

    /// Cycles until `done`; none of these takes longer than the longest outage and some takeovers.
    fn wait(
        &mut self,
        what: &'static str,
        done: impl Fn(&Run) -> bool,
    ) -> Result<Cycle, RecoveryError> {
        let case = &self.case;
        let times = Cycle::from(case.times.detect + case.times.command + case.times.tune);
        let periods = (case.boards as u64 + 40) * Cycle::from(case.period());
        let end = self.ring.cycle() + 4 * times + periods + Cycle(400_000);
        while !done(self) {
            if self.ring.cycle() >= end {
                return Err(RecoveryError::Never { cycle: self.ring.cycle(), what });
            }
            self.cycle()?;
        }
        Ok(self.ring.cycle().saturating_sub(self.died))
    }

    /// The board gets lost in this cycle.
    fn lose(&mut self) -> Result<(), RecoveryError> {
        let i = self.case.board;
        self.died = self.ring.cycle();
        self.found.monitor_lost = self.ring.board(i).u_control.active_q;
        self.workers[i].look(&mut self.ring, i);
        self.workers[i].works = false;
        self.workers[i].died();
        match self.case.loss {
            Loss::Power => self.ring.power_off(i)?,
            Loss::Uplink => self.ring.set_uplink(i, false)?,
            Loss::Downlink => self.ring.set_downlink(i, false)?,
        }
        (self.unruled, self.census) = (self.died, self.died);
        Ok(())
    }

    /// Waits for light, then for writes, then for the rewrite of the lost board's area.
    fn bypass(&mut self) -> Result<(), RecoveryError> {
        let lost = self.case.board;
        let seen = |run: &Run, change| run.star.events().iter().any(|e| e.1 == change);
        self.found.dark = self.wait("a receiver without light", |run| {
            run.star.events().iter().any(|e| matches!(e.1, Change::Dark(_)))
        })?;
        self.found.light = self.wait("light", |run| seen(run, Change::Bypassed(lost)))?;
        // What is not in the ring any more stays silent.
        if self.ring.powered(lost) {
            self.ring.power_off(lost)?;
        }
        let members: Vec<usize> = self.star.members().collect();
        let back: Vec<u64> = self.workers.iter().map(|w| w.acknowledged).collect();
        let owed = |(i, w): (usize, &Worker)| w.acknowledged + Worker::outstanding(&self.ring, i);
        self.owed = self.workers.iter().enumerate().map(owed).collect();
        self.found.first_write = self.wait("an acknowledged write", |run| {
            members.iter().any(|&i| run.workers[i].acknowledged > back[i])
        })?;
        let owed = self.owed.clone();
        self.found.all_writes = self.wait("all writes acknowledged", |run| {
            members.iter().all(|&i| run.workers[i].acknowledged >= owed[i])
        })?;
        let Some(&donor) = members.first() else { return Ok(()) };
        self.workers[donor].rewrite(worker::area(&self.case, lost));
        self.found.reconciled =
            self.wait("the lost board's area on all", |run| run.workers[donor].idle_job())?;
        Ok(())
    }

    /// Inserts the lost board again, with an empty memory.
    fn bring_back(&mut self) -> Result<(), RecoveryError> {
        let back = self.case.board;
        self.ring.set_uplink(back, true)?;
        self.ring.set_downlink(back, true)?;
        self.ring.power_on(back)?;
        let before = self.ring.cycle();
        self.star.insert(back);
        self.wait("light through the returned board", |run| {
            run.star.events().iter().any(|&(at, e)| at >= before && e == Change::Inserted(back))
        })?;
        self.found.inserted = Some(self.ring.cycle() - before);
        let set_up = self.case.set_up(back);
        self.ring.push(back, set_up)?;
        self.wait("a returned board that all know", |run| run.ring.board(back).u_control.synced_q)?;
        self.found.synced = Some(self.ring.cycle() - before);
        let others: Vec<usize> = self.star.members().filter(|&i| i != back).collect();
        for (k, &i) in others.iter().enumerate() {
            self.workers[i].rewrite(worker::area(&self.case, i));
            if k == 0 {
                self.workers[i].rewrite(worker::area(&self.case, back));
            }
        }
        self.wait("a replica that is whole", |run| {
            others.iter().all(|&i| run.workers[i].idle_job())
        })?;
        self.found.restored = Some(self.ring.cycle() - before);
        self.go_on(Cycle(500))?;
        self.judge_returned()?;
        self.workers[back].works = true;
        self.go_on(self.case.at)
    }
}
