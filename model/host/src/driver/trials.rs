// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a driver has tried since something changed: the base of the stall rule on the ring.
//!
//! State machines repeat messages when timers run out, for as long as a process waits.
//! A repetition proves something: if it was sent, and was handled everywhere, after the last change on any node, and
//! nothing has changed since, it will change nothing when it is sent again.

use super::machine::Machine;
use crate::port::Mail;
use awgstar_frame::quantity::Cycle;
use awgstar_sync::firmware::Timer;
use std::collections::BTreeMap;

/// A message that the node has to send.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub(super) mail: Mail,
    /// Cycle of the driver's last order to send it.
    pub(super) asked: Cycle,
    /// When it was sent, and when it returned, the last time it did.
    done: Option<(Cycle, Cycle)>,
}

/// Trials since the last change on this node.
#[derive(Clone, Debug, Default)]
pub(super) struct Trials {
    /// Cycle of the last change of what the driver or the process knows.
    pub(super) changed: Cycle,
    /// Cycle in which each timer ran out, or was stopped, last.
    pub(super) timers: BTreeMap<(Machine, Timer), Cycle>,
    pub(super) mails: Vec<Trial>,
    /// Cycle in which the signal that the board has was handed over.
    sent: Cycle,
    /// Last cycle in which all that had arrived was handled.
    pub(super) rested: Cycle,
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
    pub(super) fn returned(&self, mail: Mail, since: Cycle) -> Option<Cycle> {
        let one = self.mails.iter().find(|one| one.mail == mail)?;
        one.done.filter(|(sent, _)| *sent >= since).map(|(_, returned)| returned)
    }
}
