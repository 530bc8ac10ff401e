// SPDX-License-Identifier: MIT OR Apache-2.0
//! The printed protocols and what each breaks, on the smallest ring that shows it.

use awgstar::quantity::NodeId;
use awgstar::{
    check::{
        Kind, Network, Profile,
        Profile::{Acknowledged, Bare},
        Property, Settings,
    },
    contract::Order,
    firmware::{
        Action, Event, Firmware,
        barrier::{self, Member, Nodes},
        lock,
    },
};

/// Folder below `vectors/`.
pub const FOLDER: &str = "firmware";

/// Protocol of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    LockMw,
    /// As published: no node owns a lock at first.
    LockDist,
    /// As published, but node 0 owns the lock at first, to show the other errors.
    LockDistFirst,
    BarrierMw,
    BarrierDist,
}

#[derive(Clone, Debug)]
pub struct Case {
    /// Name of the case and of its files.
    pub name: &'static str,
    /// Behaviour that the run shows.
    pub why: &'static str,
    /// The violated property; `None`: the end cannot be reached any more.
    pub breaks: Option<Property>,
    /// The ring and what may happen on it.
    pub settings: Settings,
    /// Being the main process is looked at.
    leaders: bool,
    pub(super) protocol: Protocol,
}

const fn lock(nodes: usize, rounds: u8, profile: Profile) -> Settings {
    Settings { rounds, profile, ..Settings::new(Kind::Lock, nodes) }
}

const fn barrier(profile: Profile) -> Settings {
    let settings = Settings::new(Kind::Barrier, 2);
    Settings { rounds: 2, profile, drained: true, rest: true, ..settings }
}

const TWO: Settings = lock(2, 2, Acknowledged);
const THREE: Settings = lock(3, 2, Acknowledged);
const MW: Case = Case {
    name: "",
    why: "",
    breaks: None,
    settings: TWO,
    leaders: false,
    protocol: Protocol::LockMw,
};
const DIST: Case = Case { protocol: Protocol::LockDistFirst, settings: THREE, ..MW };
const BARRIER_MW: Case = Case { protocol: Protocol::BarrierMw, settings: barrier(Bare), ..MW };
const BARRIER_DIST: Case = Case { protocol: Protocol::BarrierDist, ..BARRIER_MW };

/// All of them.
pub const CASES: &[Case] = &[
    Case {
        name: "lock_mw_printed_answer",
        why: "a grant for an older request of the same node is taken for the present one: two have the lock",
        breaks: Some(Property::Exclusion),
        settings: THREE,
        ..MW
    },
    Case {
        name: "lock_mw_printed_timer",
        why: "a grant for a request that was served before reaches a process after the unlock: its index says `locked` until another one takes the lock and leaves it",
        breaks: Some(Property::Unaided),
        settings: Settings { unaided: true, ..THREE },
        ..MW
    },
    Case {
        name: "lock_mw_printed_fair",
        why: "a later request is served before one that came back earlier",
        breaks: Some(Property::Fair),
        settings: Settings { fair: true, ..THREE },
        ..MW
    },
    Case {
        name: "lock_mw_printed_lost_request",
        why: "a request is lost, and the answer to another stops the timer that would have repeated it",
        settings: Settings { losses: 1, ..lock(2, 1, Bare) },
        ..MW
    },
    Case {
        name: "lock_mw_printed_grant_again",
        why: "a grant that is sent again lets its node in a second time: two have the lock",
        breaks: Some(Property::Exclusion),
        settings: Settings { losses: 1, ..TWO },
        ..MW
    },
    Case {
        name: "lock_mw_printed_request_again",
        why: "a request that is sent again is served again, to a node that does not want the lock",
        settings: Settings { losses: 1, ..TWO },
        ..MW
    },
    Case {
        name: "lock_mw_printed_unlock_again",
        why: "an unlock that is sent again takes the lock from the next holder: two have it",
        breaks: Some(Property::Exclusion),
        settings: Settings { losses: 1, ..lock(3, 1, Acknowledged) },
        ..MW
    },
    Case {
        name: "lock_dist_printed_nobody",
        why: "no node has the right to a lock that was never held: no node answers",
        breaks: Some(Property::Unaided),
        settings: Settings { unaided: true, ..lock(2, 1, Acknowledged) },
        protocol: Protocol::LockDist,
        ..DIST
    },
    Case {
        name: "lock_dist_printed_timer",
        why: "a process notes a request that another one serves, and later gives the right to that node, which wants it no more; the index of a third says `locked` until that node takes the lock again",
        breaks: Some(Property::Unaided),
        settings: Settings { unaided: true, ..THREE },
        ..DIST
    },
    Case {
        name: "lock_dist_printed_stuck",
        why: "from here the right goes to a node that wants it no more and stays there, whatever happens next",
        settings: THREE,
        ..DIST
    },
    Case {
        name: "lock_dist_printed_two_rights",
        why: "the frame that gave the right is lost after its receiver and sent again: the receiver has passed the right on and takes it a second time",
        breaks: Some(Property::OneLeader),
        settings: Settings { losses: 1, ..lock(3, 1, Acknowledged) },
        ..DIST
    },
    Case {
        name: "lock_dist_printed_two_inside",
        why: "the frame that gave the right is sent again too early: the receiver has passed the right on, takes it a second time, and two have the lock",
        breaks: Some(Property::Exclusion),
        settings: Settings { early: 1, ..THREE },
        ..DIST
    },
    Case {
        name: "barrier-mw-printed-together",
        why: "a repeated arrival of one episode counts in the next: a process passes before all are there",
        breaks: Some(Property::Together),
        settings: Settings { losses: 1, ..barrier(Bare) },
        ..BARRIER_MW
    },
    Case {
        name: "barrier-mw-printed-together-early",
        why: "the same after a timer that ran out early, with boards that send again by themselves",
        breaks: Some(Property::Together),
        settings: Settings { early: 1, ..barrier(Acknowledged) },
        ..BARRIER_MW
    },
    Case {
        name: "barrier-mw-printed-stuck",
        why: "a release is lost, and the arrival that asks for it is taken for one of the next episode",
        settings: Settings { losses: 2, ..barrier(Bare) },
        ..BARRIER_MW
    },
    Case {
        name: "barrier-mw-printed-stuck-mailbox",
        why: "a release finds a full mailbox: it came back, so nobody sends it again",
        settings: Settings { full: 1, ..barrier(Acknowledged) },
        ..BARRIER_MW
    },
    Case {
        name: "barrier-dist-printed-two-mains",
        why: "who has heard of an arrival takes itself for the first all the same: two main processes",
        breaks: Some(Property::OneLeader),
        settings: barrier(Bare),
        leaders: true,
        ..BARRIER_DIST
    },
    Case {
        name: "barrier-dist-printed-together",
        why: "a repeated arrival of one episode counts in the next: a process passes before all are there",
        breaks: Some(Property::Together),
        settings: Settings { losses: 1, ..barrier(Bare) },
        ..BARRIER_DIST
    },
    Case {
        name: "barrier-dist-printed-together-early",
        why: "the same after a timer that ran out early",
        breaks: Some(Property::Together),
        settings: Settings { early: 1, ..barrier(Acknowledged) },
        ..BARRIER_DIST
    },
    Case {
        name: "barrier-dist-printed-stuck",
        why: "a frame is lost, and both wait for the other one to lead",
        settings: Settings { losses: 1, ..barrier(Bare) },
        ..BARRIER_DIST
    },
];

/// A state machine whose being main is not looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Anyone<F>(F);

impl<F: Firmware> Firmware for Anyone<F> {
    fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        self.0.step(event, out);
    }

    fn summary(&self) -> String {
        self.0.summary()
    }
}

/// Operation on the state machines of a case.
pub(super) trait Use {
    /// Result of the operation.
    type Out;
    /// Carries out the operation.
    fn with<F: Firmware + 'static>(self, network: &Network<F>) -> Self::Out;
}

impl Case {
    fn ring<F: Firmware>(&self, machine: impl Fn(u8) -> F) -> Network<F> {
        let nodes = (0..=u8::MAX).take(self.settings.nodes);
        let machines = nodes.map(|node| vec![machine(node)]).collect();
        Network { settings: self.settings, machines }
    }

    fn member(&self, node: u8) -> Member {
        Member::new(NodeId(node), NodeId::all(self.settings.nodes).collect::<Nodes>())
    }

    /// The state machines of the case, at its start.
    pub(super) fn run<U: Use>(&self, user: U) -> U::Out {
        use barrier::{DistRepairs as BarrierDist, MwRepairs as BarrierMw};
        use lock::{DistRepairs, MwRepairs};
        let order = Order::Confirmed;
        let dist = |node, some| lock::Distributed::new(node, 0, NodeId(0), order, some);
        match self.protocol {
            Protocol::LockMw => user.with(&self.ring(|node| {
                lock::MasterWorker::new(NodeId(node), 0, NodeId(0), order, MwRepairs::NONE)
            })),
            Protocol::LockDist => {
                user.with(&self.ring(|node| dist(NodeId(node), DistRepairs::NONE)))
            }
            Protocol::LockDistFirst => {
                user.with(&self.ring(|node| dist(NodeId(node), DistRepairs::FIRST)))
            }
            Protocol::BarrierMw => user.with(&self.ring(|node| {
                barrier::MasterWorker::new(self.member(node), NodeId(0), BarrierMw::NONE)
            })),
            Protocol::BarrierDist => {
                let one = |node| barrier::Distributed::new(self.member(node), BarrierDist::NONE);
                if self.leaders {
                    user.with(&self.ring(one))
                } else {
                    user.with(&self.ring(|node| Anyone(one(node))))
                }
            }
        }
    }

    /// Returns true for a lock, false for a barrier.
    #[must_use]
    pub fn is_lock(&self) -> bool {
        self.settings.kind == Kind::Lock
    }

    /// Protocol and variant in words.
    #[must_use]
    pub const fn protocol(&self) -> &'static str {
        match self.protocol {
            Protocol::LockMw => "lock, master-worker, as printed",
            Protocol::LockDist => "lock, distributed, as printed",
            Protocol::LockDistFirst => {
                "lock, distributed, as printed, node 0 having the right first"
            }
            Protocol::BarrierMw => "barrier, master-worker, as printed",
            Protocol::BarrierDist => "barrier, distributed, as printed",
        }
    }

    /// Description of the violated property.
    #[must_use]
    pub const fn breaks(&self) -> &'static str {
        match self.breaks {
            None => "the end cannot be reached any more",
            Some(Property::Exclusion) => "two processes have the lock",
            Some(Property::OneGrant) => "a process is let go twice",
            Some(Property::Together) => "a process passes before all have arrived",
            Some(Property::OneLeader) => "two nodes lead",
            Some(Property::Visible) => "what was written is not seen",
            Some(Property::Fair) => "a later request is served first",
            Some(Property::Unaided) => {
                "nothing was lost, no signal is under way, and a process waits"
            }
        }
    }
}
