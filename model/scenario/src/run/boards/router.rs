// SPDX-License-Identifier: MIT OR Apache-2.0
//! The AWG router of a ring of boards: what gets lost, and what its controller did (AWG-3 to AWG-6).

use crate::run::boards::host::Host;
use crate::run::boards::plan::Router;
use crate::run::lost::Lost;
use awgstar::quantity::Cycle;
use awgstar::{
    ring::star::{Change, Star, recovery::Loss},
    ring::{Ring, ScenarioError, boards::Board},
};
use serde::Serialize;

/// Event of the controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    pub cycle: Cycle,
    /// Description.
    pub what: String,
}

/// The router in a run.
pub(super) struct Control {
    star: Star,
    losses: Vec<Lost>,
}

impl Control {
    pub(super) fn new(
        ring: &mut Ring<impl Board>,
        router: Option<&Router>,
    ) -> Result<Option<Self>, ScenarioError> {
        let Some(router) = router else { return Ok(None) };
        let (fibre, order) = (router.fibre.clone(), router.order.clone());
        let star = Star::in_order(ring, fibre, router.times, order)?;
        Ok(Some(Control { star, losses: router.losses.clone() }))
    }

    /// Before a cycle.
    pub(super) fn step(
        &mut self,
        ring: &mut Ring<impl Board>,
        hosts: &mut [Host],
    ) -> Result<(), ScenarioError> {
        let cycle = ring.cycle();
        for lost in &self.losses {
            let i = lost.board;
            if lost.at == cycle {
                match lost.loss {
                    Loss::Power => ring.power_off(i)?,
                    Loss::Uplink => ring.set_uplink(i, false)?,
                    Loss::Downlink => ring.set_downlink(i, false)?,
                }
            }
            if lost.until == Some(cycle) {
                ring.power_off(i)?;
                ring.set_uplink(i, true)?;
                ring.set_downlink(i, true)?;
                ring.power_on(i)?;
                hosts[i].reset(ring, i);
                self.star.insert(i);
            }
        }
        self.star.step(ring)
    }

    /// Events of the controller, in order.
    pub(super) fn events(&self) -> Vec<Event> {
        let text = |&(cycle, change): &(Cycle, Change)| Event { cycle, what: text(change) };
        self.star.events().iter().map(text).collect()
    }
}

fn text(change: Change) -> String {
    match change {
        Change::Dark(board) => format!("board {board} has no light"),
        Change::Tuning { board, to, wavelength } => {
            format!("laser of board {board} is tuned to {wavelength}, to board {to}")
        }
        Change::Bypassed(board) => format!("the ring goes without board {board}"),
        Change::Inserted(board) => format!("the ring goes through board {board} again"),
        Change::NotIt(board) => format!("the bypass of board {board} does not restore the light"),
        Change::GaveUp(board) => format!("board {board} stays without light"),
    }
}
