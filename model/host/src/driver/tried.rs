// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a driver says of its trials to the stall rule.

use super::Driver;
use crate::Protocols;
use awgstar_frame::quantity::Cycle;
use awgstar_request::Process;

impl<P: Protocols, Q: Process + ?Sized> Driver<P, Q> {
    /// Cycle of the last change on this node.
    pub(crate) fn changed(&self) -> Cycle {
        self.trials.changed
    }

    /// Last cycle in which all that had arrived was handled.
    pub(crate) fn rested(&self) -> Cycle {
        self.trials.rested
    }

    /// Every timer that runs has run out at `since` or later.
    pub(crate) fn timers_tried(&self, since: Cycle) -> bool {
        let tried = |timer| self.trials.timers.get(timer).is_some_and(|&end| end >= since);
        self.timers.keys().all(tried)
    }

    /// Every message that is under way, or that the driver had to send at `since` or later, has been sent since
    /// and has returned: the cycle in which the last did. `None` if one has not.
    pub(crate) fn messages_tried(&self, since: Cycle) -> Option<Cycle> {
        let under_way = self.outbox.iter().chain(&self.flying).map(|(mail, _)| *mail);
        let asked = self.trials.mails.iter().filter(|one| one.asked >= since).map(|one| one.mail);
        let mut last = since;
        for mail in under_way.chain(asked) {
            last = last.max(self.trials.returned(mail, since)?);
        }
        Some(last)
    }
}
