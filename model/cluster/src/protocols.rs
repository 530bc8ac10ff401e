// SPDX-License-Identifier: MIT OR Apache-2.0
//! The protocols of a process, and of the server of its computer.

use crate::settings::{Barriers, Locks, Settings};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::onesided::{
    Action, Client, Event, GroupError, Message, Server, barrier, hybrid, queue,
};

/// A protocol of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// The barrier with its fence.
    Meeting,
    /// The locks.
    Holding,
}

/// The lock of a process.
#[derive(Clone, Debug)]
enum Lock {
    Hybrid(hybrid::Process),
    Queue(queue::Process),
}

/// The words of the locks in the memory of a computer.
#[derive(Clone, Debug)]
enum Words {
    Hybrid(hybrid::Home),
    Queue(queue::Words),
}

/// The protocols of a process.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    barrier: barrier::Process,
    lock: Lock,
}

/// The protocols of a server.
#[derive(Clone, Debug)]
pub(crate) struct Servers {
    pub(crate) counts: barrier::Counts,
    lock: Words,
}

impl Servers {
    /// Those of a computer.
    pub(crate) fn new(settings: &Settings, computer: usize) -> Self {
        let first = computer * settings.per_computer;
        let end = settings.processes.min(first + settings.per_computer);
        let processes = (first..end).map(NodeId::at).collect();
        let repairs = barrier::FenceRepairs::ALL;
        Servers {
            counts: barrier::Counts::new(processes, settings.processes, repairs),
            lock: match settings.locks {
                Locks::Hybrid => Words::Hybrid(hybrid::Home::new(hybrid::HybridRepairs::ALL)),
                Locks::Queue => Words::Queue(queue::Words::new(queue::QueueRepairs::ALL)),
            },
        }
    }

    /// A message of a process.
    pub(crate) fn serve(&mut self, from: NodeId, message: &Message, actions: &mut Vec<Action>) {
        if let Message::Fence { .. } = message {
            self.counts.serve(from, message, actions);
        } else {
            match &mut self.lock {
                Words::Hybrid(home) => home.serve(from, message, actions),
                Words::Queue(words) => words.serve(from, message, actions),
            }
        }
    }
}

impl Clients {
    /// Those of a process.
    pub(crate) fn new(settings: &Settings, process: usize) -> Result<Self, GroupError> {
        let (rank, ranks) = (NodeId::at(process), settings.processes);
        let kind = match settings.barrier {
            Barriers::AllFence => barrier::Kind::AllFence,
            Barriers::Combined => barrier::Kind::Combined,
        };
        let all = NodeId::all(ranks).collect();
        let repairs = barrier::FenceRepairs::ALL;
        Ok(Clients {
            barrier: barrier::Process::new(kind, rank, all, ranks, repairs)?,
            lock: match settings.locks {
                Locks::Hybrid => {
                    let repairs = hybrid::HybridRepairs::ALL;
                    Lock::Hybrid(hybrid::Process::new(rank, ranks, repairs))
                }
                Locks::Queue => {
                    let repairs = queue::QueueRepairs::ALL;
                    Lock::Queue(queue::Process::new(rank, ranks, repairs))
                }
            },
        })
    }

    /// An event of a protocol.
    pub(crate) fn step(
        &mut self,
        protocol: Protocol,
        event: Event,
        server: &mut Servers,
    ) -> Vec<Action> {
        let mut actions = Vec::new();
        match (protocol, &mut self.lock, &mut server.lock) {
            (Protocol::Meeting, ..) => {
                self.barrier.step(event, &mut server.counts, &mut actions);
            }
            (Protocol::Holding, Lock::Hybrid(process), Words::Hybrid(home)) => {
                process.step(event, home, &mut actions);
            }
            (Protocol::Holding, Lock::Queue(process), Words::Queue(words)) => {
                process.step(event, words, &mut actions);
            }
            // Both are made from the same settings.
            (Protocol::Holding, ..) => {}
        }
        actions
    }

    /// The value that the sleep of the barrier is about.
    pub(crate) fn watched(&self, server: &Servers) -> u32 {
        self.barrier.watched(&server.counts)
    }
}
