// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a driver has tried since something changed: the base of the stall rule on the ring.
//!
//! State machines repeat messages when timers run out, for as long as a process waits.
//! A repetition proves something: if it was sent, and was handled everywhere, after the last change on any node, and
//! nothing has changed since, it will change nothing when it is sent again.

use super::{Driver, machines::Machine};
use crate::{Protocols, port::Mail};
use awgstar_frame::quantity::Cycle;
use awgstar_request::Process;
use awgstar_sync::firmware::Timer;
use std::collections::BTreeMap;

/// A message that the node has to send.
#[derive(Clone, Copy, Debug)]
struct Trial {
    mail: Mail,
    /// Cycle of the driver's last order to send it.
    asked: Cycle,
    /// When it was sent, and when it returned, the last time it did.
    done: Option<(Cycle, Cycle)>,
}

/// Trials since the last change on this node.
#[derive(Clone, Debug, Default)]
pub(super) struct Trials {
    /// Cycle of the last change of what the driver or the process knows.
    changed: Cycle,
    /// Cycle in which each timer ran out, or was stopped, last.
    timers: BTreeMap<(Machine, Timer), Cycle>,
    mails: Vec<Trial>,
    /// Cycle in which the signal that the board has was handed over.
    sent: Cycle,
    /// Last cycle in which all that had arrived was handled.
    rested: Cycle,
}

impl Trials {
    /// A state machine, the process or what is kept for it changes.
    pub(super) fn change(&mut self, cycle: Cycle) {
        self.changed = cycle;
        self.timers.clear();
        self.mails.clear();
    }

    pub(super) fn end_timer(&mut self, machine: Machine, timer: Timer, cycle: Cycle) {
        self.timers.insert((machine, timer), cycle);
    }

    fn trial(&mut self, mail: Mail, asked: Cycle) -> &mut Trial {
        let at = self.mails.iter().position(|one| one.mail == mail).unwrap_or_else(|| {
            self.mails.push(Trial { mail, asked, done: None });
            self.mails.len() - 1
        });
        &mut self.mails[at]
    }

    /// The driver has to send a message.
    pub(super) fn ask(&mut self, mail: Mail, cycle: Cycle) {
        self.trial(mail, cycle).asked = cycle;
    }

    /// A message is handed to the board.
    pub(super) fn send(&mut self, cycle: Cycle) {
        self.sent = cycle;
    }

    /// The message that the board had has returned.
    pub(super) fn end(&mut self, mail: Mail, cycle: Cycle) {
        let sent = self.sent;
        self.trial(mail, sent).done = Some((sent, cycle));
    }

    /// The driver has nothing to do.
    pub(super) fn rest(&mut self, cycle: Cycle) {
        self.rested = cycle;
    }

    /// When the message returned that was sent at `since` or later.
    fn returned(&self, mail: Mail, since: Cycle) -> Option<Cycle> {
        let one = self.mails.iter().find(|one| one.mail == mail)?;
        one.done.filter(|(sent, _)| *sent >= since).map(|(_, returned)| returned)
    }
}

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
