// SPDX-License-Identifier: MIT OR Apache-2.0
//! A ring without hosts: for programs that are processes of this computer.

use super::{
    boards, cluster, clusters, gen1, parse, rings,
    source::{Result, Source},
    system::{SYSTEMS, System},
};
use crate::run::{
    boards::BoardsPlan,
    cluster::{ClusterPlan, ClustersPlan},
    gen1::Gen1Plan,
    rings::RingsPlan,
};
use awgstar::host::{BarrierKind, Choice, LockKind};
use awgstar::quantity::Nanoseconds;
use awgstar_cluster::{Barriers, Locks};
use awgstar_rings::clusters::Meeting;

/// A ring for processes.
#[derive(Clone, Debug)]
pub enum Machine {
    /// The cycle-accurate ring of boards.
    Ring(Box<BoardsPlan>),
    /// Generation 1.
    Gen1(Box<Gen1Plan>),
    /// A cluster.
    Cluster(Box<ClusterPlan>),
    /// Rings of boards with gateways between them.
    Rings(Box<RingsPlan>),
    /// Clusters with gateways between them.
    Clusters(Box<ClustersPlan>),
}

/// Names of the locks of any machine.
#[must_use]
pub fn lock_names() -> Vec<&'static str> {
    let ring = Choice::LOCKS.iter().map(|(name, _)| *name);
    let cluster = Locks::ALL.iter().map(|kind| kind.name());
    // A queue is a lock of both.
    ring.chain(cluster.filter(|name| *name != LockKind::Queue.name())).collect()
}

/// Names of the barriers of any machine.
#[must_use]
pub fn barrier_names() -> Vec<&'static str> {
    let ring = BarrierKind::ALL.iter().map(|kind| kind.name());
    let cluster = Barriers::ALL.iter().map(|kind| kind.name());
    ring.chain(cluster).chain(Meeting::ALL.iter().map(|kind| kind.name())).collect()
}

/// Reads the text of a file of boards, of generation 1, of a cluster, of rings or of clusters, without programs. The keys `cycles` and
/// `limit_ns` may be missing: then the run has no limit.
///
/// # Errors
/// As [`super::read`], and if the file says what hosts do.
pub fn read_machine(name: &str, text: &str) -> Result<Machine> {
    let source = &Source { name, text, system: None, ring: None };
    let (mut file, system) = parse(source, &SYSTEMS[1..6])?;
    let source = &Source { system: Some(system), ..*source };
    if let Some(program) = &file.program {
        let place = program.span();
        let what = "program: not in the file of a ring on which processes run";
        return Err(source.error(&place, what));
    }
    if let System::Cluster = system {
        return Ok(Machine::Cluster(Box::new(cluster::convert(source, &file)?)));
    }
    if let System::Clusters = system {
        return Ok(Machine::Clusters(Box::new(clusters::convert(source, &file)?)));
    }
    if let System::Rings = system {
        return Ok(Machine::Rings(Box::new(rings::convert(source, &mut file)?)));
    }
    if let System::Generation1 = system {
        if let Some(show) = &file.show {
            let what = "show: the report of a run of processes does not have it";
            return Err(source.error(&show.span(), what));
        }
        let locks = file.primitives.as_ref().and_then(|keys| keys.get_ref().locks.as_ref());
        if let Some(locks) = locks {
            let what = "primitives.locks: processes always have locks 0 to 65534";
            return Err(source.error(&locks.span(), what));
        }
        // Without the key a run ends with its processes.
        let mut plan = gen1::convert(source, &file)?;
        if file.limit_ns.is_none() {
            plan.settings.limit = Nanoseconds(u64::MAX);
        }
        return Ok(Machine::Gen1(Box::new(plan)));
    }
    let choice = boards::firmware_of(source, &mut file)?;
    Ok(Machine::Ring(Box::new(boards::for_processes(source, &file, choice)?)))
}
