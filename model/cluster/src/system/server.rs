// SPDX-License-Identifier: MIT OR Apache-2.0
//! The server of a computer: it sleeps until a message wakes it, and handles messages in their order.

use super::{Cluster, ClusterError, Event};
use crate::{network::Packet, protocols::Protocol, state::Doing};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_request::{Change, Got};
use awgstar_sync::firmware::onesided::{Action, End, Server as _};
use awgstar_sync::record::{Happened, Serving};

impl Cluster {
    /// A message is at a server.
    pub(super) fn asks(&mut self, computer: usize, from: NodeId, packet: Packet) {
        let server = &mut self.servers[computer];
        server.waiting.push_back((from, packet));
        if std::mem::take(&mut server.sleeps) {
            self.queue.put(self.settings.costs.wake, Event::Woken(computer));
            self.note(Happened::Server(computer, Serving::Wakes));
        }
    }

    /// The server begins with its oldest message.
    pub(super) fn serve_next(&mut self, computer: usize) {
        self.queue.put(self.settings.costs.serve, Event::Served(computer));
        self.note(Happened::Server(computer, Serving::Serves));
    }

    /// The server has handled its oldest message.
    pub(super) fn served(&mut self, computer: usize) -> Result<(), ClusterError> {
        let Some((from, packet)) = self.servers[computer].waiting.pop_front() else {
            return Ok(());
        };
        let sends = match packet {
            Packet::Pages(to, message, _) => self.page_message(to.index(), from, message, true)?,
            packet => self.handle(computer, from, packet),
        };
        // What is on this computer may have changed.
        for process in 0..self.settings.processes {
            if self.settings.computer(process) == computer {
                self.look(process, Protocol::Meeting)?;
                self.look(process, Protocol::Holding)?;
            }
        }
        // It sends its answers one after the other.
        let busy = Nanoseconds(self.settings.costs.send.0 * sends);
        let server = &mut self.servers[computer];
        if server.waiting.is_empty() {
            server.sleeps = true;
            self.note(Happened::Server(computer, Serving::Sleeps));
        } else {
            self.queue.put(busy, Event::Woken(computer));
        }
        Ok(())
    }

    /// What a message asks for; the messages that the server sends.
    fn handle(&mut self, computer: usize, from: NodeId, packet: Packet) -> u64 {
        let mut actions = Vec::new();
        let counts = &mut self.servers[computer].protocols.counts;
        let mut answer = None;
        match packet {
            Packet::Protocol(message) => {
                self.servers[computer].protocols.serve(from, &message, &mut actions);
            }
            Packet::Put { target, at, data } => {
                self.processes[target.index()].memory.store(at, &data);
                counts.count((from, target), false, &mut actions);
                self.changed(target.index());
            }
            Packet::Get { target, at, bytes } => {
                answer = Some(Got::Bytes(self.processes[target.index()].memory.load(at, bytes)));
            }
            Packet::Change { target, at, change } => {
                let old = self.change(target.index(), at, &change);
                match change {
                    Change::Update(_) => answer = Some(Got::Bytes(old)),
                    Change::Accumulate { .. } => {
                        let counts = &mut self.servers[computer].protocols.counts;
                        counts.count((from, target), false, &mut actions);
                    }
                }
            }
            Packet::Value(_) | Packet::Pages(..) => {}
        }
        let here = End::Server(NodeId::at(computer * self.settings.per_computer));
        let answers = answer.map(|got| (from, Packet::Value(got))).into_iter();
        let sends = actions.into_iter().filter_map(|action| match action {
            Action::Send(End::Process(to), message) => Some((to, Packet::Protocol(message))),
            _ => None,
        });
        let mut count = 0;
        for (to, packet) in answers.chain(sends) {
            count += 1;
            let leaves = self.now() + Nanoseconds(self.settings.costs.send.0 * count);
            self.send((here, End::Process(to)), leaves, packet);
        }
        count
    }

    /// Changes memory of a process in one step, and gives what the change gives.
    pub(super) fn change(&mut self, process: usize, at: ByteAddress, change: &Change) -> Vec<u8> {
        let memory = &mut self.processes[process].memory;
        let mut bytes = memory.load(at, change.bytes());
        let old = change.apply(&mut bytes);
        memory.store(at, &bytes);
        self.changed(process);
        old
    }

    /// The memory of a process has changed.
    pub(super) fn changed(&mut self, process: usize) {
        let one = &self.processes[process];
        if let Doing::Watching(at, old) = &one.doing
            && one.memory.load(*at, old.len()) != **old
        {
            self.answer(process, Ok(Got::Nothing), Nanoseconds(0));
        }
    }
}
