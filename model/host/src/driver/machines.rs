// SPDX-License-Identifier: MIT OR Apache-2.0
//! State machines of locks and barriers: passes events to them and carries out their actions.

use super::Driver;
use super::machine::Machine;
use crate::{Happened, Protocols, port::Mail};
use awgstar_frame::quantity::Cycle;
use awgstar_request::{Got, Process, Refused};
use awgstar_sync::firmware::{Action, Event, Firmware, Message};

impl<P: Protocols, Q: Process + ?Sized> Driver<P, Q> {
    pub(super) fn tell(&mut self, protocols: &P, cycle: Cycle, machine: Machine, event: Event) {
        let mut actions = Vec::new();
        let (changed, before, after) = match machine {
            Machine::Lock(lock) => {
                let (node, nodes) = (self.node, self.nodes);
                let new = || protocols.lock(node, nodes, lock);
                let one = self.locks.entry(lock).or_insert_with(new);
                step(one, event, &mut actions, self.records.is_some())
            }
            Machine::Barrier(number) => {
                self.make_barrier(protocols, number);
                let number = u8::try_from(number).ok();
                let Some(one) = number.and_then(|number| self.barriers.get_mut(&number)) else {
                    match (event, number) {
                        (Event::Arrive, Some(number)) => {
                            self.reply(cycle, Err(Refused::NoBarrier(number)));
                        }
                        _ => self.strange += 1,
                    }
                    return;
                };
                let (changed, before, after) =
                    step(one, event, &mut actions, self.records.is_some());
                match number {
                    Some(number @ 1..) if before != after => {
                        (changed, before, format!("barrier {number}: {after}"))
                    }
                    _ => (changed, before, after),
                }
            }
        };
        if changed {
            self.trials.change(cycle);
        }
        if before != after {
            let lock = if let Machine::Lock(lock) = machine { Some(lock) } else { None };
            self.record(cycle, Happened::State(lock, after));
        }
        for action in actions {
            match action {
                Action::Send(message, order) => self.send(cycle, Mail::Firmware(message), order),
                Action::Start(timer) => {
                    let end = cycle.saturating_add(protocols.cycles(timer));
                    self.timers.insert((machine, timer), end);
                }
                Action::Stop(timer) => {
                    let ran = self.timers.remove(&(machine, timer)).is_some();
                    if ran && !changed {
                        self.trials.end_timer(machine, timer, cycle);
                    }
                }
                Action::Acquired | Action::Released | Action::Passed => {
                    self.reply(cycle, Ok(Got::Nothing));
                }
            }
        }
    }

    /// Makes the state machine of a barrier at its first use, if the node has that barrier.
    fn make_barrier(&mut self, protocols: &P, number: u32) {
        let Ok(number) = u8::try_from(number) else { return };
        if !self.barriers.contains_key(&number)
            && let Some(one) = protocols.numbered_barrier(self.node, self.nodes, number)
        {
            self.barriers.insert(number, one);
        }
    }
}

/// Whether the event changes the state machine, and its summaries before and after if they are looked at.
fn step<F: Firmware>(
    machine: &mut F,
    event: Event,
    actions: &mut Vec<Action>,
    look: bool,
) -> (bool, String, String) {
    let before = machine.clone();
    machine.step(event, actions);
    let summary = |machine: &F| if look { machine.summary() } else { String::new() };
    (before != *machine, summary(&before), summary(machine))
}

/// The state machine that a message is for.
pub(super) fn machine(message: &Message) -> Machine {
    if message.signal.fields().iter().any(|field| field.name == "lock_number") {
        Machine::Lock(message.lock_number)
    } else {
        Machine::Barrier(message.lock_number)
    }
}
