// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of processes, and what the firmware does because of them.

use super::{
    Cluster,
    settings::{Call, Property},
    state::{Sleeps, State},
    step::Packet,
};
use crate::firmware::onesided::{Access, Action, Client, End, Event};
use awgstar_frame::quantity::{NodeId, narrow};
use std::rc::Rc;

impl<C: Client> Cluster<C> {
    /// Tells a process something, and carries its actions out.
    pub(super) fn tell(&self, state: &mut State<C>, at: usize, event: Event) {
        let mut actions = Vec::new();
        let node = Rc::make_mut(&mut state.nodes[self.settings.nodes[at]]);
        let process = Rc::make_mut(&mut state.processes[at]);
        process.client.step(event, &mut node.server, &mut actions);
        self.act(state, Self::process(at), actions);
    }

    /// The server of a node has done something, or a process there: others there look.
    pub(super) fn look(&self, state: &mut State<C>, node: usize, but: Option<usize>) {
        for at in (0..self.ranks()).filter(|at| self.settings.nodes[*at] == node) {
            let process = &mut state.processes[at];
            // One that is about to sleep does not look.
            if Some(at) == but || process.goes_on || matches!(process.sleeps, Sleeps::Soon(_)) {
                continue;
            }
            if process.sleeps == Sleeps::Yes {
                Rc::make_mut(process).sleeps = Sleeps::No;
            }
            self.tell(state, at, Event::Look);
        }
    }

    pub(super) fn act(&self, state: &mut State<C>, who: End, actions: Vec<Action>) {
        for action in actions {
            let action = match action {
                Action::Send(to, message) => {
                    self.send(state, who, to, Packet::Protocol(message));
                    continue;
                }
                Action::Ring(action) => {
                    self.act_on_ring(state, who, action);
                    continue;
                }
                action => action,
            };
            let End::Process(process) = who else { continue };
            let at = process.index();
            let open = self.waits(state, at);
            let process = Rc::make_mut(&mut state.processes[at]);
            match action {
                Action::Fence => process.fences = Some(open),
                Action::GoOn => process.goes_on = true,
                Action::Sleep(seen) => process.sleeps = Sleeps::Soon(seen),
                Action::Passed => {
                    process.waits = false;
                    self.passed(state, at);
                }
                Action::Acquired(lock) => {
                    process.waits = false;
                    process.inside.push(lock);
                    let holders = state.processes.iter().filter(|one| one.inside.contains(&lock));
                    if holders.count() > 1 {
                        state.wrong = Some(Property::Exclusion);
                    }
                }
                Action::Taken(lock) => {
                    process.waits = false;
                    let rest = self.settings.scripts[at].iter().enumerate().skip(process.begun);
                    let mut releases = rest.filter(|(_, call)| **call == Call::Release(lock));
                    process.begun = releases.next().map_or(process.begun, |(place, _)| place + 1);
                }
                Action::Released(_) => process.waits = false,
                Action::Misuse(_) => state.wrong = Some(Property::Calls),
                Action::Send(..) | Action::Ring(_) => {}
            }
        }
    }

    /// Calls of the barrier among the first so many calls of a process.
    fn barriers(&self, at: usize, calls: usize) -> usize {
        self.settings.scripts[at][..calls].iter().filter(|call| **call == Call::Barrier).count()
    }

    /// Puts of a process to another one before its barrier of this number.
    fn puts(&self, from: usize, to: usize, barrier: usize) -> usize {
        let script = &self.settings.scripts[from];
        let last = (0..script.len()).find(|calls| self.barriers(from, calls + 1) == barrier);
        let before = &script[..last.unwrap_or(0)];
        before.iter().filter(|call| **call == Call::Put(to)).count()
    }

    fn passed(&self, state: &mut State<C>, at: usize) {
        let barrier = self.barriers(at, state.processes[at].begun);
        let member = |at: &usize| self.barriers(*at, self.settings.scripts[*at].len()) > 0;
        let members: Vec<usize> = (0..self.ranks()).filter(member).collect();
        for &other in &members {
            let written = |&to: &usize| {
                state.written[to][other].trailing_ones() as usize >= self.puts(other, to, barrier)
            };
            if self.barriers(other, state.processes[other].begun) < barrier {
                state.wrong = Some(Property::Together);
            } else if !members.iter().all(written) {
                state.wrong = Some(Property::Written);
            }
        }
    }

    pub(super) fn call(&self, state: &mut State<C>, at: usize, call: Call) {
        let process = Rc::make_mut(&mut state.processes[at]);
        process.begun += 1;
        match call {
            Call::Put(target) => {
                let before = &self.settings.scripts[at][..process.begun - 1];
                let before = before.iter().filter(|one| **one == call).count();
                let put = Packet::Put { target, number: Some(narrow(before)) };
                self.send(state, Self::process(at), Self::server(target), put);
                self.tell(state, at, Event::Put(NodeId::at(target)));
                return;
            }
            Call::LibraryPut(target) => {
                let put = Packet::Put { target, number: None };
                self.send(state, Self::process(at), Self::server(target), put);
                return;
            }
            Call::Update(target) if self.settings.replicas => {
                self.update_replicas(state, at, target);
                return;
            }
            Call::Until(_) => return,
            Call::Update(target) if self.settings.nodes[target] == self.settings.nodes[at] => {
                let value = Self::update(state, target, state.words[target]);
                state.words[target] = value;
                return;
            }
            Call::Update(target) => {
                process.waits = true;
                self.send(state, Self::process(at), Self::server(target), Packet::Get(target));
                return;
            }
            Call::Release(lock) => process.inside.retain(|held| *held != lock),
            _ => {}
        }
        process.waits = true;
        let event = match call {
            Call::Acquire(lock) => Event::Acquire(lock),
            Call::Try(lock) => Event::Try(lock),
            Call::Release(lock) => Event::Release(lock),
            Call::Word(word, access) => Event::Word(word, access),
            Call::Read(word, _) => Event::Word(word, Access::Get),
            Call::Fence => Event::Fence,
            _ => Event::Enter,
        };
        self.tell(state, at, event);
        self.look(state, self.settings.nodes[at], Some(at));
    }

    /// The value that comes after the one that the holder of a lock has got.
    pub(super) fn update(state: &mut State<C>, target: usize, value: u8) -> u8 {
        if value != state.updates[target] {
            state.wrong = Some(Property::Current);
        }
        state.updates[target] += 1;
        value + 1
    }
}
