// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stall rule on the cycle-accurate ring.
//!
//! State machines repeat messages without end, so something is always under way.
//! What decides is whether it may change something: every timer has run out, and every message was sent and handled
//! everywhere, since the last change on any node. All these events were handled in the present state and left it as
//! it is, and there are no others.

use crate::{
    DrivenRing, Protocols,
    data::{has_data, is_stalled, receives},
    driver::Driver,
};
use awgstar_board::ring::boards::Board;
use awgstar_frame::quantity::Cycle;
use awgstar_request::Process;
use awgstar_request::stall::{Machine, Open};

impl<P: Protocols, Q: Process + ?Sized, M: Board> DrivenRing<P, Q, M> {
    /// Drivers of live boards, with the numbers of their nodes.
    fn live_drivers(&self) -> impl Iterator<Item = (usize, &Driver<P, Q>)> {
        self.drivers
            .iter()
            .enumerate()
            .filter(|(node, _)| self.ring.is_live(*node) && !self.custom.contains_key(node))
    }

    /// Last cycle in which the driver of `node` had handled all that had arrived.
    fn rested(&self, node: usize, driver: &Driver<P, Q>) -> Cycle {
        let rests = driver.rests() && self.ring.is_idle(node);
        if rests && !self.ring.board(node).irq() { self.ring.cycle() } else { driver.rested() }
    }

    /// Something is under way that was not tried in the present state.
    fn untried(&self) -> bool {
        let now = self.ring.cycle();
        let rotation = self.ring.longest_rotation();
        let cut = self.ring.cut_for_good();
        let changed = self.live_drivers().map(|(_, driver)| driver.changed()).max();
        let changed = changed.unwrap_or_default().max(cut.unwrap_or_default());
        // Frames of a board that is gone may still be on the fibre.
        if now < self.ring.last_loss() + rotation || cut.is_some_and(|from| now < from + rotation) {
            return true;
        }
        let mut handled = changed;
        for (node, driver) in self.live_drivers() {
            let board = self.ring.board(node);
            // On a ring that stays cut nothing returns; what the board repeats has arrived where it can.
            let stalled = cut.is_some() && is_stalled(board);
            let repeats = changed + rotation + Cycle(2 * u64::from(board.u_regs.timeout_q));
            if stalled && now < repeats || !stalled && has_data(board) {
                return true;
            }
            // What is answered with its next look.
            let comes =
                driver.watched().is_some() && (receives(board) || now < self.data + rotation);
            if comes || driver.looks() || driver.fences() && !has_data(board) {
                return true;
            }
            // An engine asks again unseen by its driver, and a pass that was lost is sent again when it is asked for.
            let asked_again = changed + rotation + 4 * driver.engine_repeats();
            if driver.engine_repeats() > Cycle(0) && now < asked_again {
                return true;
            }
            // A pager reads until a word changes: it is not judged.
            if driver.has_pager() || !driver.timers_tried(changed) {
                return true;
            }
            if !stalled {
                let Some(returned) = driver.messages_tried(changed) else { return true };
                handled = handled.max(returned);
            }
        }
        self.live_drivers().any(|(node, driver)| self.rested(node, driver) < handled)
    }
}

impl<P: Protocols, Q: Process + ?Sized, M: Board> Machine for DrivenRing<P, Q, M> {
    type Shape = ();

    fn open(&self) -> Open {
        let custom =
            self.custom.iter().any(|(&node, host)| self.ring.is_live(node) && !host.ended());
        let mut open = if custom { Open::Ends } else { Open::None };
        let own = |driver: &Driver<P, Q>| !driver.ended() && !driver.polls();
        for (_, driver) in self.live_drivers().filter(|(_, driver)| own(driver)) {
            match driver.waits() {
                Some((asked, _)) if asked.ends_by_itself() => return Open::Ends,
                None if self.up => return Open::Ends,
                _ if open == Open::None => open = Open::Waits,
                _ => {}
            }
        }
        open
    }

    /// Before all boards know each other, that ends only on a ring that stays cut.
    fn in_flight(&self) -> bool {
        if !self.up {
            let since = |from| self.ring.cycle() >= from + self.ring.longest_rotation();
            return !self.ring.cut_for_good().is_some_and(since);
        }
        if self.open() == Open::None && self.ring.cut_for_good().is_none() {
            return !self.settled();
        }
        self.untried()
    }

    fn helps_later(&self) -> bool {
        self.ring.recovers()
    }

    /// What has been tried says as much as a round.
    fn rounds(&self) -> Option<u64> {
        None
    }

    fn shape(&self) {}
}
