// SPDX-License-Identifier: MIT OR Apache-2.0
//! The firmware of the product, by name.

use super::{Engine, Protocols};
use awgstar_frame::contract::{Order, PageTable};
use awgstar_frame::quantity::{Cycle, NodeId};
use awgstar_sync::firmware::barrier::{
    self, DistRepairs as BarrierDistRepairs, Member, MwRepairs as BarrierMwRepairs, Nodes,
};
use awgstar_sync::firmware::lock::{self, DistRepairs, MwRepairs};
use awgstar_sync::firmware::paging::{Place, Repairs};
use awgstar_sync::firmware::{Action, Event, Firmware, Timer};

/// A lock's protocol, as repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockKind {
    /// Thesis 5.2.1.
    MasterWorker,
    /// Thesis 5.2.2.
    Distributed,
    /// The ring's own.
    Queue,
}

/// A barrier's protocol, as repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierKind {
    /// Thesis 5.3.1.
    MasterWorker,
    /// Thesis 5.3.2.
    Distributed,
    /// The ring's own.
    Ring,
}

impl LockKind {
    /// All of them.
    pub const ALL: [LockKind; 3] = [LockKind::MasterWorker, LockKind::Distributed, LockKind::Queue];

    /// Name on the command line and in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LockKind::MasterWorker => "master-worker",
            LockKind::Distributed => "distributed",
            LockKind::Queue => "queue",
        }
    }
}

impl BarrierKind {
    /// All of them.
    pub const ALL: [BarrierKind; 3] =
        [BarrierKind::MasterWorker, BarrierKind::Distributed, BarrierKind::Ring];

    /// Name on the command line and in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            BarrierKind::MasterWorker => "master-worker",
            BarrierKind::Distributed => "distributed",
            BarrierKind::Ring => "ring",
        }
    }
}

/// Selection of the protocols of a ring, with their settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub lock: LockKind,
    pub barrier: BarrierKind,
    /// Order of unlocks and arrivals relative to data written before.
    pub order: Order,
    /// Time after which a state machine repeats a request. Needed because the
    /// board's own retransmission does not help if a mailbox was full or a host was reset.
    pub retry_timeout: Cycle,
    /// Runs the protocols of the thesis as published, to observe their errors; the ring protocols
    /// have no such variant.
    pub as_published: bool,
    /// Virtual shared memory, with node 0 as master; `None` for none.
    pub pages: Option<PageTable>,
    /// Nodes whose locks 0 to 15 and barriers 0 to 7 the engine of their board serves. `lock` must be
    /// [`LockKind::Queue`] and `barrier` [`BarrierKind::Ring`] then.
    pub engines: Nodes,
}

impl Choice {
    /// The protocols that meet the ring's latency lower bound, with order `confirmed` and a long retry
    /// timeout.
    #[must_use]
    pub const fn new() -> Self {
        Choice {
            lock: LockKind::Queue,
            barrier: BarrierKind::Ring,
            order: Order::Confirmed,
            retry_timeout: Cycle(200_000),
            as_published: false,
            pages: None,
            engines: Nodes::NONE,
        }
    }
}

/// Name of the lock of the engines.
const ENGINE: &str = "engine";

impl Choice {
    /// Locks by their names on the command line; `None`: the engines of all boards serve locks and barriers.
    pub const LOCKS: [(&str, Option<LockKind>); 4] = [
        (LockKind::MasterWorker.name(), Some(LockKind::MasterWorker)),
        (LockKind::Distributed.name(), Some(LockKind::Distributed)),
        (LockKind::Queue.name(), Some(LockKind::Queue)),
        (ENGINE, None),
    ];

    /// The same with a lock of [`Choice::LOCKS`]; `None` if the barrier is not the engine's.
    #[must_use]
    pub fn with_lock(self, lock: Option<LockKind>) -> Option<Self> {
        let Some(lock) = lock else {
            let engines = NodeId::all(usize::from(u8::MAX) + 1).collect();
            let own = self.barrier == BarrierKind::Ring;
            return own.then_some(Choice { lock: LockKind::Queue, engines, ..self });
        };
        Some(Choice { lock, engines: Nodes::NONE, ..self })
    }

    #[must_use]
    pub fn has_engines(&self) -> bool {
        self.engines != Nodes::NONE
    }

    /// Name of the lock on the command line and in reports.
    #[must_use]
    pub fn lock_name(&self) -> &'static str {
        if self.has_engines() { ENGINE } else { self.lock.name() }
    }
}

impl Default for Choice {
    fn default() -> Self {
        Choice::new()
    }
}

/// A lock's state machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LockMachine {
    MasterWorker(lock::MasterWorker),
    Distributed(lock::Distributed),
    Queue(lock::RingQueue),
}

/// A barrier's state machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BarrierMachine {
    MasterWorker(barrier::MasterWorker),
    Distributed(barrier::Distributed),
    Ring(barrier::Ring),
}

macro_rules! forward {
    ($machine:ident: $($variant:ident),*) => {
        impl Firmware for $machine {
            fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
                match self { $($machine::$variant(one) => one.step(event, actions),)* }
            }

            fn summary(&self) -> String {
                match self { $($machine::$variant(one) => one.summary(),)* }
            }

            fn leads(&self) -> bool {
                match self { $($machine::$variant(one) => one.leads(),)* }
            }
        }
    };
}

forward!(LockMachine: MasterWorker, Distributed, Queue);
forward!(BarrierMachine: MasterWorker, Distributed, Ring);

impl Protocols for Choice {
    type Lock = LockMachine;
    type Barrier = BarrierMachine;

    /// The first holder of lock n, or its master, is node n modulo the number of nodes (LOCK-4).
    fn lock(&self, node: NodeId, nodes: usize, number: u32) -> LockMachine {
        let first = NodeId::at(number as usize % nodes.max(1));
        let order = self.order;
        let (mw, dist) = if self.as_published {
            (MwRepairs::NONE, DistRepairs::NONE)
        } else {
            (MwRepairs::ALL, DistRepairs::ALL)
        };
        match self.lock {
            LockKind::MasterWorker => {
                LockMachine::MasterWorker(lock::MasterWorker::new(node, number, first, order, mw))
            }
            LockKind::Distributed => {
                LockMachine::Distributed(lock::Distributed::new(node, number, first, order, dist))
            }
            LockKind::Queue => LockMachine::Queue(lock::RingQueue::new(node, number, first, order)),
        }
    }

    /// The master of the barrier is node 0.
    fn barrier(&self, node: NodeId, nodes: usize) -> BarrierMachine {
        self.barrier_with(node, nodes, 0)
    }

    /// There is one ring barrier for each number, for all nodes, and one of each other kind.
    fn numbered_barrier(&self, node: NodeId, nodes: usize, number: u8) -> Option<BarrierMachine> {
        let known = number == 0 || self.barrier == BarrierKind::Ring;
        known.then(|| self.barrier_with(node, nodes, number))
    }

    /// The master is node 0.
    fn pages(&self, node: NodeId) -> Option<(Place, Repairs)> {
        let place = |at| Place { node, master: NodeId(0), at };
        let repairs = if self.as_published { Repairs::NONE } else { Repairs::ALL };
        self.pages.map(|at| (place(at), repairs))
    }

    /// The first holder of lock n is node n modulo the number of nodes, as with firmware (LOCK-4).
    fn engine(&self, node: NodeId, nodes: usize) -> Option<Engine> {
        let first = |lock: &usize| lock % nodes.max(1) == node.index();
        self.engines.contains(node).then(|| Engine {
            locks: u16::MAX,
            first: (0..16).filter(first).fold(0, |locks, lock| locks | 1 << lock),
            barriers: vec![NodeId::all(nodes).collect::<Nodes>().words(); 8],
            order: self.order,
            retry: self.retry_timeout,
        })
    }

    fn cycles(&self, _: Timer) -> Cycle {
        self.retry_timeout
    }
}

impl Choice {
    fn barrier_with(&self, node: NodeId, nodes: usize, barrier: u8) -> BarrierMachine {
        let mut member = Member::new(node, NodeId::all(nodes).collect::<Nodes>());
        member.barrier = barrier;
        (member.arrivals, member.releases) = (self.order, self.order);
        let (mw, dist) = if self.as_published {
            (BarrierMwRepairs::NONE, BarrierDistRepairs::NONE)
        } else {
            (BarrierMwRepairs::ALL, BarrierDistRepairs::ALL)
        };
        match self.barrier {
            BarrierKind::MasterWorker => {
                BarrierMachine::MasterWorker(barrier::MasterWorker::new(member, NodeId(0), mw))
            }
            BarrierKind::Distributed => {
                BarrierMachine::Distributed(barrier::Distributed::new(member, dist))
            }
            BarrierKind::Ring => BarrierMachine::Ring(barrier::Ring::new(member)),
        }
    }
}
