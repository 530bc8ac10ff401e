// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults that are added to a run, or taken from it (RING-3).

use super::member::Member;
use super::scenario::{Cut, Dead, Fault, FaultKind, ScenarioError, range};
use super::sweep::Ring;

impl<M: Member> Ring<M> {
    /// Frames that have left member `link` whole.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn frames(&self, link: usize) -> u64 {
        self.places[link].fibre.frames()
    }

    /// Faults of frames that changed their frame, with its number. One whose frame has not left board
    /// `link`, or ends before what the fault changes, is not among them.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn faults_met(&self, link: usize) -> &[(u64, FaultKind)] {
        self.places[link].fibre.met()
    }

    /// A frame of member `link` is on its output: its first words may be on the link.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn sends(&self, link: usize) -> bool {
        self.members[link].egress().m_valid_q
    }

    /// One more fault to come. Its frame is one of those that have not left yet,
    /// [`Ring::frames`] or later.
    ///
    /// # Errors
    /// If there is no such link, or no frame can have the fault.
    pub fn add_fault(&mut self, fault: Fault) -> Result<(), ScenarioError> {
        fault.check(0)?;
        self.place("faults", fault.link)?.1.fibre.add_fault(fault.frame, fault.kind);
        Ok(())
    }

    /// One more time in which nothing comes over a link.
    ///
    /// # Errors
    /// If there is no such link, or the time ends before it begins.
    pub fn add_cut(&mut self, cut: Cut) -> Result<(), ScenarioError> {
        self.place("cuts", cut.link)?;
        range("cuts", 0, "until", cut.from.0, u64::MAX, cut.until.0)?;
        self.cuts.push(cut);
        Ok(())
    }

    /// A member dies in a cycle to come, or in the next one if that is past.
    ///
    /// # Errors
    /// If there is no such member.
    pub fn add_dead(&mut self, dead: Dead) -> Result<(), ScenarioError> {
        let cycle = self.cycle;
        let (_, place) = self.place("dead", dead.board)?;
        place.dead_from = place.dead_from.min(dead.cycle.0.max(cycle));
        Ok(())
    }

    /// Bits that noise has inverted, until [`Ring::calm`].
    pub fn inverted(&self) -> u64 {
        self.places.iter().map(|place| place.fibre.inverted()).sum()
    }

    /// From now on there are no bit errors and no faults of frames. Cuts and dead members stay.
    pub fn calm(&mut self) {
        self.places.iter_mut().for_each(|place| place.fibre.calm());
    }

    /// Members that are alive.
    pub fn live(&self) -> impl Iterator<Item = usize> {
        (0..self.places.len()).filter(|&i| self.is_live(i))
    }

    /// Returns true if member `i` exists and is not dead.
    #[must_use]
    pub fn is_live(&self, i: usize) -> bool {
        self.places.get(i).is_some_and(|place| place.dead_from > self.cycle)
    }
}
