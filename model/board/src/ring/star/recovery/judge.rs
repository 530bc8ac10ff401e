// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions that must hold after a loss.

use super::{
    RecoveryError, Run,
    case::TOKEN,
    worker::{Worker, area},
};
use crate::ring::Outcome;
use crate::ring::boards::{bytes, count};
use awgstar_frame::contract::BoardCounter;
use awgstar_frame::quantity::{ByteAddress, Cycle};

impl Run {
    fn wrong(&self, what: String) -> RecoveryError {
        RecoveryError::Wrong { cycle: self.ring.cycle(), what }
    }

    /// The bytes of host `i` in the replica of board `on`.
    fn replica(&self, on: usize, i: usize) -> Vec<u8> {
        let area = area(&self.case, i);
        bytes(self.ring.board(on), ByteAddress::at(area.start), area.len())
    }

    /// The lost board's area is the same on all, and holds what it wrote up to some word at or after
    /// the last one that it knew to be confirmed.
    pub(super) fn judge_dead(&mut self) -> Result<(), RecoveryError> {
        let lost = self.case.board;
        let members: Vec<usize> = self.star.members().collect();
        let Some(&first) = members.first() else { return Ok(()) };
        let found = self.replica(first, lost);
        for &i in &members {
            if self.replica(i, lost) != found {
                let what = format!("boards {first} and {i} differ in what board {lost} wrote");
                return Err(self.wrong(what));
            }
        }
        let worker = &self.workers[lost];
        let start = worker.area.start;
        let mut image = worker.image(worker.confirmed);
        let mut have = (image == found).then_some(worker.confirmed);
        for (k, word) in worker.log.iter().enumerate().skip(worker.confirmed) {
            word.put(&mut image, start);
            if image == found {
                have = Some(k + 1);
            }
        }
        let Some(have) = have else {
            let confirmed = worker.confirmed;
            let what = format!(
                "what board {lost} wrote: expected its first {confirmed} words or more of them, found something else"
            );
            return Err(self.wrong(what));
        };
        self.found.unconfirmed = (worker.log.len() - worker.confirmed) as u64;
        self.found.survived = (have - worker.confirmed) as u64;
        // Words that did not get through count as never written.
        for word in self.workers[lost].log.iter_mut().skip(have) {
            word.outcome = Some(Outcome::Refused);
        }
        self.workers[lost].forget_open();
        Ok(())
    }

    /// The replica of the returned board is that of the others, but for what hosts are just writing:
    /// compared in the area of the returned board, which is still.
    pub(super) fn judge_returned(&mut self) -> Result<(), RecoveryError> {
        let back = self.case.board;
        let others: Vec<usize> = self.star.members().filter(|&i| i != back).collect();
        let found = self.replica(back, back);
        match others.into_iter().find(|&i| self.replica(i, back) != found) {
            None => Ok(()),
            Some(i) => {
                let what = format!("boards {back} and {i} differ in the area of board {back}");
                Err(self.wrong(what))
            }
        }
    }

    /// When monitor and tokens were as they should be.
    pub(super) fn marks(&mut self) {
        let since = |cycle: Cycle| cycle.saturating_sub(self.died);
        self.found.monitor = since(self.unruled);
        self.found.tokens = since(self.census).max(self.found.light);
    }

    /// Stops the hosts and checks the ring when all frames have returned: every replica holds the
    /// accepted words, there is one monitor, and all tokens are there.
    pub(super) fn finish(&mut self) -> Result<(), RecoveryError> {
        // Long enough for all that waits for a period to have happened.
        self.go_on(4 * Cycle::from(self.case.period()))?;
        self.workers.iter_mut().for_each(|w| w.works = false);
        let members: Vec<usize> = self.star.members().collect();
        let now = self.ring.cycle();
        self.wait("a quiet ring", |run| {
            let quiet =
                |&i: &usize| run.ring.host(i).is_idle() && Worker::outstanding(&run.ring, i) == 0;
            run.ring.cycle() > now + Cycle(1_000) && members.iter().all(quiet)
        })?;
        // The last data is still being written when its source gets the acknowledgement.
        self.go_on(Cycle(500))?;
        self.ring.catch_up();
        let found = &mut self.found;
        let since = |cycle: Cycle| cycle.saturating_sub(self.died);
        found.events = self.star.events().iter().map(|&(at, e)| (since(at), e)).collect();
        for i in 0..self.case.boards {
            let (worker, board) = (&self.workers[i], self.ring.board(i));
            let done = |w: &&super::worker::Written| w.outcome == Some(Outcome::Done);
            found.accepted += worker.log.iter().filter(done).count() as u64;
            found.refused += worker.refused;
            found.resent += u64::from(count(board, BoardCounter::Rewound));
            found.made += u64::from(count(board, BoardCounter::TokenAdded));
            found.dropped += u64::from(count(board, BoardCounter::TokenRemoved));
        }
        found.made = found.made.saturating_sub(self.case.tokens.into());
        self.judge(&members)
    }

    fn judge(&mut self, members: &[usize]) -> Result<(), RecoveryError> {
        for source in 0..self.case.boards {
            let worker = &self.workers[source];
            let image = worker.image(worker.log.len());
            for &on in members {
                let found = self.replica(on, source);
                let at = image.iter().zip(&found).position(|(a, b)| a != b);
                if let Some(at) = at {
                    let (expected, found) = (image[at], found[at]);
                    return Err(self.wrong(format!(
                        "board {on}, byte {at} of board {source}: expected {expected:02x}, found {found:02x}"
                    )));
                }
            }
        }
        let monitors = members.iter().filter(|&&i| self.ring.board(i).u_control.active_q).count();
        if monitors != 1 {
            return Err(self.wrong(format!("monitors: expected 1, found {monitors}")));
        }
        let survey = self.ring.survey(8 * Cycle::from(self.case.period()));
        let expected = u64::from(self.case.tokens);
        // On a ring shorter than its token the time between two observations of the token is not a
        // rotation. The returned writes show that the token is there.
        let short = survey.rotation.is_some_and(|lap| lap < TOKEN && expected == 1);
        let tokens = if short { expected } else { survey.tokens.unwrap_or(0) };
        if tokens != expected || survey.others != 0 {
            let what = format!("expected {expected} tokens and nothing else, found {survey:?}");
            return Err(self.wrong(what));
        }
        Ok(())
    }
}
