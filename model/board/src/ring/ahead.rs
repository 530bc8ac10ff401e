// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is still to come on the links of a ring, whatever its hosts do.

use super::board::Board;
use super::sweep::Ring;
use awgstar_frame::quantity::Cycle;

/// Most cycles of a frame in a board: frames of full length leave before it.
const BOARD: u64 = 1024;

impl<M: Board> Ring<M> {
    /// A link that is cut will carry frames again, or a board that is in reset will go on.
    #[must_use]
    pub fn recovers(&self) -> bool {
        let now = self.cycle;
        let ends = self
            .cuts
            .iter()
            .any(|cut| cut.until.0 < u64::MAX && (cut.from.0..cut.until.0).contains(&now));
        ends || self.live().any(|i| self.places[i].reset_until > now)
    }

    /// Cycle since which a link is cut that is never repaired: no frame returns to its source any more.
    #[must_use]
    pub fn cut_for_good(&self) -> Option<Cycle> {
        let now = self.cycle();
        let cuts = self.cuts.iter().filter(|cut| cut.until == Cycle(u64::MAX) && cut.from <= now);
        cuts.map(|cut| cut.from).min()
    }

    /// Most cycles from the moment in which a frame leaves a board until it returns.
    #[must_use]
    pub fn longest_rotation(&self) -> Cycle {
        let fibres: u64 = self.places.iter().map(|place| place.fibre.delay() + BOARD).sum();
        let slow: u64 = self.slow.iter().map(|slow| u64::from(slow.cycles)).sum();
        Cycle(fibres + slow)
    }

    /// Cycle in which a board died last, or left its reset last.
    #[must_use]
    pub fn last_loss(&self) -> Cycle {
        let now = self.cycle;
        let dead = self.places.iter().map(|place| place.dead_from).filter(|&from| from <= now);
        let reset = self.places.iter().map(|place| place.reset_until).filter(|&until| until <= now);
        Cycle(dead.chain(reset).max().unwrap_or(0))
    }
}
