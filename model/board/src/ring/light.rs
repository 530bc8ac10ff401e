// SPDX-License-Identifier: MIT OR Apache-2.0
//! Light that is turned to another board while the ring runs, boards without power, and broken
//! fibres (AWG-4).
//!
//! A ring that never calls any of this keeps its links from board i to board i + 1.

use super::board::Board;
use super::member::Member;
use super::routes::{Aim, Rest, Routes};
use super::scenario::{Cut, FIBRE_MAX, RESET_CYCLES, ScenarioError, range};
use super::sweep::Ring;
use awgstar_frame::quantity::narrow;

impl<M: Member> Ring<M> {
    fn routes(&mut self) -> &mut Routes {
        self.routes.get_or_insert_with(|| {
            Box::new(Routes::new(self.places.iter().map(|place| place.fibre.delay())))
        })
    }

    /// Words of this cycle to the receivers they reach.
    pub(super) fn gather(&mut self) {
        let cycle = self.cycle;
        let Some(routes) = &mut self.routes else { return };
        let lights = &mut routes.lights;
        routes.changes.retain(|&(at, board, begins)| {
            if at > cycle {
                return true;
            }
            lights[board] = if begins { lights[board] + 1 } else { lights[board] - 1 };
            false
        });
        let cut = |link| Cut::any(&self.cuts, link, cycle);
        for (i, place) in self.places.iter_mut().enumerate() {
            if let (Some(word), Some(aim)) = (place.fibre.pop(cycle), routes.aim[i])
                && !cut(i)
            {
                routes.arrive(aim.to, word);
            }
        }
        for k in (0..routes.rests.len()).rev() {
            let rest = &mut routes.rests[k];
            let (to, link, word) = (rest.to, rest.link, rest.words.pop(cycle));
            if rest.words.next_arrival().is_none() {
                routes.rests.swap_remove(k);
            }
            if let Some(word) = word.filter(|_| !cut(link)) {
                routes.arrive(to, word);
            }
        }
    }

    /// Changes what decides where the light of board `i` goes; what has left stays on its way.
    fn redirect(&mut self, i: usize, change: impl FnOnce(&mut Routes)) {
        let cycle = self.cycle;
        let routes = self.routes();
        let before = routes.beam(i);
        change(routes);
        let after = routes.beam(i);
        if before == after {
            return;
        }
        let mut note = |aim: Option<Aim>, begins| {
            if let Some(Aim { to, delay }) = aim {
                routes.changes.push((cycle + 1 + u64::from(delay), to, begins));
            }
        };
        note(before, false);
        note(after, true);
        let place = &mut self.places[i];
        let delay = after.map_or(0, |aim| aim.delay);
        let words = place.fibre.turn(delay);
        place.dark = after.is_none();
        if let (Some(aim), Some(routes)) = (before, &mut self.routes) {
            routes.rests.push(Rest { to: aim.to, link: i, words });
        }
    }

    /// From this cycle on the laser of board `i` points to another receiver, or is off. What has left
    /// it arrives where it pointed before.
    ///
    /// # Errors
    /// If there is no such board, or the delay is more than a link may have.
    pub fn aim(&mut self, i: usize, aim: Option<Aim>) -> Result<(), ScenarioError> {
        self.place("aim", i)?;
        if let Some(aim) = aim {
            self.place("aim", aim.to)?;
            range("aim", i, "delay", 0, FIBRE_MAX.into(), aim.delay.into())?;
        }
        self.redirect(i, |routes| routes.aim[i] = aim);
        Ok(())
    }

    /// Where the light of board `i` goes, in the cycle before this one: nowhere if its laser is off or has no power,
    /// or its light does not get into the router.
    ///
    /// # Panics
    /// If there is no such board.
    #[must_use]
    pub fn beam(&self, i: usize) -> Option<Aim> {
        match &self.routes {
            Some(routes) => routes.beam(i),
            None => Some(Aim {
                to: (i + 1) % self.places.len(),
                delay: narrow(self.places[i].fibre.delay()),
            }),
        }
    }

    /// The light of board `i` gets into the router, or no longer: its laser, its fibre there or the
    /// router's input port.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn set_uplink(&mut self, i: usize, works: bool) -> Result<(), ScenarioError> {
        self.place("uplink", i)?;
        self.redirect(i, |routes| routes.up[i] = works);
        Ok(())
    }

    /// Board `i` gets light from the router, or no longer: the output port, its fibre or its receiver.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn set_downlink(&mut self, i: usize, works: bool) -> Result<(), ScenarioError> {
        self.place("downlink", i)?;
        self.routes().down[i] = works;
        Ok(())
    }

    /// Board `i` has power.
    ///
    /// # Panics
    /// If there is no such board.
    #[must_use]
    pub fn powered(&self, i: usize) -> bool {
        self.places[i].dead_from > self.cycle
    }

    /// The light of exactly one laser is at the receiver of board `i`.
    ///
    /// # Panics
    /// If there is no such board.
    #[must_use]
    pub fn lit(&self, i: usize) -> bool {
        match &self.routes {
            None => i < self.places.len(),
            Some(routes) => routes.lights[i] == 1 && routes.down[i] && routes.power[i],
        }
    }
}

impl<M: Board> Ring<M> {
    /// Turns off the power of board `i`: board and host do nothing, the laser is dark, and no
    /// switch bypasses the board.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn power_off(&mut self, i: usize) -> Result<(), ScenarioError> {
        let cycle = self.cycle;
        let (_, place) = self.place("power", i)?;
        M::forget(&mut place.host);
        place.dead_from = place.dead_from.min(cycle);
        self.redirect(i, |routes| routes.power[i] = false);
        Ok(())
    }

    /// Board `i` has its power again: a board in reset, its memory empty.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn power_on(&mut self, i: usize) -> Result<(), ScenarioError> {
        let cycle = self.cycle;
        let (member, place) = self.place("power", i)?;
        let mut board = M::with(member.u_node.parameters());
        // The replica stays where it is in the memory of this process: others may look at it there.
        let replica = &mut board.u_memory.mem;
        std::mem::swap(replica, &mut member.u_memory.mem);
        replica.clear();
        *member = board;
        M::forget(&mut place.host);
        place.reset_until = cycle + RESET_CYCLES.0;
        place.dead_from = u64::MAX;
        self.redirect(i, |routes| routes.power[i] = true);
        Ok(())
    }
}
