// SPDX-License-Identifier: MIT OR Apache-2.0
//! The controller of the star (AWG-4, AWG-5, AWG-6): detects which board has lost its light,
//! chooses the boards to bypass, and tunes the lasers.
//!
//! Board i has input and output port i + 1. The ring goes through its members in an order that is
//! given once; the default is from the lowest board to the highest. The controller has a separate
//! network to the transmitters: a board without power does not answer there.

use super::change::{Change, Times};
use super::router::{PORTS, Router};
use crate::ring::Ring;
use crate::ring::ScenarioError;
use crate::ring::boards::{Aim, Board};
use awgstar_frame::quantity::Cycle;

/// State of the controller.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    Steady,
    /// The orders are on their way.
    Ordered(Cycle),
    /// Lasers are tuned.
    Tuning(Cycle),
    /// Light should be everywhere then.
    Checking(Cycle),
}

/// Reason for a change of the ring.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    /// This board has no light; `suspects` are left out in turn, the last first.
    Dark {
        board: usize,
        out: Vec<usize>,
        suspects: Vec<usize>,
    },
    Insert(usize),
}

/// A router with a ring of boards.
#[derive(Clone, Debug)]
pub struct Star {
    times: Times,
    /// Cycles from each board to the router and from it to the board.
    fibre: Vec<[u32; 2]>,
    /// Boards in the order of the whole ring.
    order: Vec<usize>,
    /// Takes part in the ring.
    member: Vec<bool>,
    /// Cycle since which the receiver has no light.
    dark: Vec<Option<Cycle>>,
    /// The light of the board will not return.
    lost: Vec<bool>,
    aim: Vec<Option<usize>>,
    phase: Phase,
    cause: Option<Cause>,
    /// Members as they were before the last try.
    before: Vec<bool>,
    wanted: Vec<usize>,
    events: Vec<(Cycle, Change)>,
}

impl Star {
    /// A star of boards in a ring from each to the next. `fibre` are the cycles of each board's two
    /// fibres: up to the router and down from it. The links of `ring` are set to their sums.
    ///
    /// # Errors
    /// If the router has fewer ports than the ring boards, or `fibre` has not one entry for each.
    pub fn new(
        ring: &mut Ring<impl Board>,
        fibre: Vec<[u32; 2]>,
        times: Times,
    ) -> Result<Self, ScenarioError> {
        let order = (0..ring.boards()).collect();
        Star::in_order(ring, fibre, times, order)
    }

    /// Like [`Star::new`], with another order of the boards: each of them once, as [`super::ring_order`] finds it.
    ///
    /// # Errors
    /// As [`Star::new`], and when `order` is none of the boards.
    pub fn in_order(
        ring: &mut Ring<impl Board>,
        fibre: Vec<[u32; 2]>,
        times: Times,
        order: Vec<usize>,
    ) -> Result<Self, ScenarioError> {
        let (nodes, found) = (ring.boards(), fibre.len());
        if nodes > PORTS.into() {
            return Err(ScenarioError::Ports(nodes));
        }
        if found != nodes {
            return Err(ScenarioError::PerNode { list: "router fibre", nodes, found });
        }
        let mut each = order.clone();
        each.sort_unstable();
        if each.iter().copied().ne(0..nodes) {
            let found = each.len();
            return Err(ScenarioError::PerNode { list: "router order", nodes, found });
        }
        let mut star = Star {
            times,
            fibre,
            order,
            member: vec![true; nodes],
            dark: vec![None; nodes],
            lost: vec![false; nodes],
            aim: vec![None; nodes],
            phase: Phase::Steady,
            cause: None,
            before: Vec::new(),
            wanted: Vec::new(),
            events: Vec::new(),
        };
        for i in 0..nodes {
            let next = star.next(i);
            star.point(ring, i, Some(next))?;
        }
        Ok(star)
    }

    /// Events so far, each with the cycle in which it happened.
    #[must_use]
    pub fn events(&self) -> &[(Cycle, Change)] {
        &self.events
    }

    /// Boards that the ring goes through, from the lowest on.
    pub fn members(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.member.len()).filter(|&i| self.member[i])
    }

    /// Nothing is being changed.
    #[must_use]
    pub fn steady(&self) -> bool {
        self.phase == Phase::Steady && self.wanted.is_empty()
    }

    /// The ring is to go through this board again as soon as nothing else is being changed.
    pub fn insert(&mut self, board: usize) {
        if board < self.member.len() {
            self.wanted.push(board);
        }
    }

    fn note(&mut self, cycle: Cycle, change: Change) {
        self.events.push((cycle, change));
    }

    fn point(
        &mut self,
        ring: &mut Ring<impl Board>,
        board: usize,
        to: Option<usize>,
    ) -> Result<(), ScenarioError> {
        self.aim[board] = to;
        let aim = to.map(|to| Aim { to, delay: self.fibre[board][0] + self.fibre[to][1] });
        ring.aim(board, aim)
    }

    /// The member after `board` in the ring, the board itself if it is the only one.
    fn next(&self, board: usize) -> usize {
        let from = self.order.iter().position(|&i| i == board).unwrap_or(0);
        let after = self.order.iter().cycle().skip(from + 1).take(self.order.len());
        after.copied().find(|&i| self.member[i]).unwrap_or(board)
    }

    /// The member ahead of `board`.
    fn ahead(&self, board: usize) -> usize {
        self.members().find(|&i| self.next(i) == board).unwrap_or(board)
    }

    /// To be called before each cycle of `ring`.
    ///
    /// # Errors
    /// None on the ring it was made for.
    pub fn step(&mut self, ring: &mut Ring<impl Board>) -> Result<(), ScenarioError> {
        let cycle = ring.cycle();
        for i in 0..self.dark.len() {
            let dark = self.member[i] && !ring.lit(i);
            self.dark[i] = if dark { self.dark[i].or(Some(cycle)) } else { None };
        }
        match self.phase {
            Phase::Steady => self.watch(ring, cycle),
            Phase::Ordered(at) if cycle >= at => self.tune(ring, cycle)?,
            Phase::Tuning(at) if cycle >= at => {
                for i in 0..self.member.len() {
                    let to = self.member[i].then(|| self.next(i));
                    if self.aim[i] != to {
                        self.point(ring, i, to)?;
                    }
                }
                let sum = |f: &[u32; 2]| f[0] + f[1];
                let fibre = self.fibre.iter().map(sum).max().unwrap_or(0);
                // By then the old light has gone and the new light has come.
                self.phase = Phase::Checking(cycle + Cycle::from(fibre + 2));
            }
            Phase::Checking(at) if cycle >= at => self.check(ring, cycle),
            _ => {}
        }
        Ok(())
    }

    /// Watches while no change is under way: does a receiver miss its light, or does a board ask to
    /// be inserted?
    fn watch(&mut self, ring: &Ring<impl Board>, cycle: Cycle) {
        let detect = Cycle::from(self.times.detect);
        let late = |i: &usize| {
            let since = self.dark[*i].filter(|_| ring.powered(*i) && !self.lost[*i]);
            since.is_some_and(|since| cycle >= since + detect)
        };
        let board = (0..self.dark.len()).find(late);
        if let Some(board) = board {
            self.note(cycle, Change::Dark(board));
            // Who does not answer has no power, and is out in any case.
            let silent: Vec<usize> = self.members().filter(|&i| !ring.powered(i)).collect();
            let sender = self.ahead(board);
            let suspects = if silent.is_empty() { vec![board, sender] } else { Vec::new() };
            self.before.clone_from(&self.member);
            let mut cause = Cause::Dark { board, out: silent.clone(), suspects };
            for i in silent {
                self.member[i] = false;
            }
            self.suspect(&mut cause);
            self.cause = Some(cause);
            self.phase = Phase::Ordered(cycle + Cycle::from(self.times.command));
        } else if !self.wanted.is_empty() {
            let board = self.wanted.remove(0);
            if ring.powered(board) && !self.member[board] {
                self.before.clone_from(&self.member);
                self.member[board] = true;
                self.lost[board] = false;
                self.cause = Some(Cause::Insert(board));
                self.phase = Phase::Ordered(cycle + Cycle::from(self.times.command));
            }
        }
    }

    /// Leaves the next suspect out; says whether there was one.
    fn suspect(&mut self, cause: &mut Cause) -> bool {
        let Cause::Dark { out, suspects, .. } = cause else { return false };
        let Some(next) = suspects.pop() else { return false };
        self.member[next] = false;
        out.push(next);
        true
    }

    /// The lasers that have to point elsewhere go dark.
    fn tune(&mut self, ring: &mut Ring<impl Board>, cycle: Cycle) -> Result<(), ScenarioError> {
        for board in 0..self.member.len() {
            let to = self.next(board);
            if !self.member[board] {
                self.point(ring, board, None)?;
            } else if self.aim[board] != Some(to) {
                self.point(ring, board, None)?;
                let port = |i: usize| i.to_le_bytes()[0] + 1;
                // Ports of boards are those of the router.
                let wavelength = Router.wavelength(port(board), port(to)).unwrap_or(0);
                self.note(cycle, Change::Tuning { board, to, wavelength });
            }
        }
        self.phase = Phase::Tuning(cycle + Cycle::from(self.times.tune));
        Ok(())
    }

    /// Light everywhere: done. Else another try.
    fn check(&mut self, ring: &Ring<impl Board>, cycle: Cycle) {
        let lit = self.members().all(|i| ring.lit(i) || self.lost[i]);
        self.dark.fill(None);
        let Some(mut cause) = self.cause.take() else { return };
        if lit {
            self.phase = Phase::Steady;
            match cause {
                Cause::Dark { out, .. } => {
                    for board in out {
                        self.note(cycle, Change::Bypassed(board));
                    }
                }
                Cause::Insert(board) => self.note(cycle, Change::Inserted(board)),
            }
            return;
        }
        self.member.clone_from(&self.before);
        match &mut cause {
            Cause::Insert(board) => {
                // Out again, and the ring as it was.
                let board = *board;
                self.note(cycle, Change::NotIt(board));
                self.member[board] = false;
                let (out, suspects) = (Vec::new(), Vec::new());
                self.cause = Some(Cause::Dark { board, out, suspects });
                self.phase = Phase::Ordered(cycle + Cycle::from(self.times.command));
            }
            Cause::Dark { board, out, .. } => {
                let board = *board;
                for tried in std::mem::take(out) {
                    self.note(cycle, Change::NotIt(tried));
                }
                if self.suspect(&mut cause) {
                    self.cause = Some(cause);
                    self.phase = Phase::Ordered(cycle + Cycle::from(self.times.command));
                } else {
                    self.note(cycle, Change::GaveUp(board));
                    self.lost[board] = true;
                    self.phase = Phase::Steady;
                }
            }
        }
    }
}
