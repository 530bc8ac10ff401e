// SPDX-License-Identifier: MIT OR Apache-2.0
//! The master-worker barrier (thesis 5.3.1).
//!
//! Each worker sends its arrival to the master and is acknowledged; when all have arrived, the
//! master broadcasts the release. Where the thesis leaves a choice, "as published" means here:
//!
//! * The master's own process takes part: the release waits for it too, and it passes with the
//!   release.
//! * "The process which sends the signal knows that": a worker retransmits its arrival when a timer
//!   runs out before the acknowledgement; the master retransmits a release that has not returned.
//! * An arrival is acknowledged each time it is received, and counted once.
//! * A release also ends the wait of a worker that has no acknowledgement.

mod master;
mod worker;

use super::Member;
use crate::firmware::{Action, Event, Firmware};
use awgstar_frame::quantity::NodeId;
pub use master::{Master, MasterCause, MasterState};
pub use worker::{Worker, WorkerCause, WorkerState};

crate::repairs! {
    /// Set of repairs of the barrier of thesis 5.3.1.
    pub struct MwRepairs {
        /// An arrival counts in its own episode only.
        TAG_ARRIVAL = 0 "tag-arrival";
        /// A release ends its own episode only.
        TAG_RELEASE = 1 "tag-release";
        /// A worker that is acknowledged but not released retransmits its arrival when a timer runs
        /// out.
        ASK = 2 "ask";
        /// An arrival of the episode before is answered with that episode's release.
        ANSWER = 3 "answer";
    }
}

impl MwRepairs {
    /// Tag in the frames of `episode`; 0 as published.
    fn tag(self, episode: u16) -> u16 {
        if self == MwRepairs::NONE { 0 } else { episode }
    }
}

/// A node's state machine of the master-worker barrier (thesis 5.3.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MasterWorker {
    Worker(Worker),
    Master(Master),
}

impl MasterWorker {
    /// The state machine of a node; `master` is the node of the master process.
    pub fn new(member: Member, master: NodeId, repairs: MwRepairs) -> Self {
        if member.node == master {
            MasterWorker::Master(Master::new(member, repairs))
        } else {
            MasterWorker::Worker(Worker::new(member, master, repairs))
        }
    }
}

impl Firmware for MasterWorker {
    fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        match self {
            MasterWorker::Worker(worker) => worker.step(event, out),
            MasterWorker::Master(master) => master.step(event, out),
        }
    }

    fn summary(&self) -> String {
        match self {
            MasterWorker::Worker(worker) => worker.summary(),
            MasterWorker::Master(master) => master.summary(),
        }
    }
}
