// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every machine leaves at the end of a run.

use awgstar::host::Record;
use awgstar::quantity::{ByteAddress, Cycle, Nanoseconds};
use awgstar::record::Record as ClusterRecord;
use awgstar::request::Request;
use awgstar_cluster::Blocks;
use awgstar_program::Lock;
use awgstar_rings::machine::Counts;
use awgstar_scenario::page::Scene;
use awgstar_scenario::run::cluster::Shape;
use awgstar_scenario::run::{Sink, Window};
use awgstar_thesis::gen1;

/// Cycles between two judgements of a ring, and events between two reports of progress on other machines.
pub(super) const LOOK: u64 = 1 << 14;

/// What happened, for waves.
pub(super) enum Events {
    /// On the ring: records and the cycle of the end.
    Ring(Vec<Record>, u64),
    /// On rings: boards of each, records of each, the cycle of the end, and what gateways did.
    Rings { boards: usize, records: Vec<Vec<Record>>, end: Cycle, counts: Counts },
    /// On generation 1: records and the end.
    Gen1(Vec<gen1::record::Record>, Nanoseconds),
    /// On a cluster or several: who is there, records, the end, and what gateways did.
    Cluster { shape: Shape, records: Vec<ClusterRecord>, end: Nanoseconds, counts: Option<Counts> },
}

/// The replicas at the end of a run.
#[derive(Clone, Copy)]
pub(super) enum Replicas {
    Equal,
    /// They differ, at this byte address first.
    Differ(ByteAddress),
}

/// A run that is over.
pub(super) struct Finished {
    /// Why it did not come to its end.
    pub(super) stopped: Option<String>,
    pub(super) end: Nanoseconds,
    /// Only known when the run came to its end. A cluster has none.
    pub(super) replicas: Option<Replicas>,
    /// All processes ended, but not all that they wrote has arrived everywhere.
    pub(super) under_way: bool,
    pub(super) events: Events,
    /// What the protocol of shared pages did on each node; nothing without one.
    pub(super) blocks: Vec<Blocks>,
    /// The page of the run without time lines and report, if it is wanted.
    pub(super) page: Option<Scene>,
}

/// What is kept of a run besides its outcome.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// Records, for waves.
    pub(super) records: bool,
    pub(super) page: bool,
    /// The part of the run that the page and the capture file show; with it the page has frames.
    pub(super) window: Option<Window>,
    /// Where the frames on the links go: those of each ring, if there are several.
    pub(super) captures: &'a [Sink<'a>],
}

/// The nodes that nothing can help, and those that have ended or whose board is dead.
pub(super) fn hopeless(
    nodes: usize,
    waiting: &[(usize, String)],
    live: impl Fn(usize) -> bool,
) -> String {
    let mut all: Vec<String> =
        waiting.iter().map(|(node, what)| format!("node {node} {what}")).collect();
    let others = (0..nodes).filter(|node| waiting.iter().all(|(one, _)| one != node));
    all.extend(others.map(|node| {
        let what = if live(node) { "has ended" } else { "has a dead board" };
        format!("node {node} {what}")
    }));
    format!("no call can end: {}", all.join(", "))
}

/// What a process waits for, in a sentence; `offers` says where locks and memory of programs begin.
pub(super) fn waits_for(request: Option<&Request>, offers: &awgstar_program::Machine) -> String {
    let lock = |number| Lock::of(number - offers.first_lock);
    match request {
        Some(Request::Lock(number)) => format!("waits for {}", lock(*number)),
        Some(Request::Try(number)) => format!("tries {}", lock(*number)),
        Some(Request::Unlock(number)) => format!("releases {}", lock(*number)),
        Some(Request::Barrier(_)) => "waits at the barrier".into(),
        Some(Request::Await(Some(number), _)) => format!("waits for signal {number}"),
        Some(Request::Await(None, _)) => "waits for a signal".into(),
        Some(Request::Signal(signal, _)) => format!("sends signal {}", signal.number),
        Some(Request::Fence(_)) => "waits until its writes are confirmed".into(),
        Some(Request::Changed(place, _)) => {
            format!("waits until its memory changes at {:#x}", place.addr.0 - offers.first_byte.0)
        }
        _ => "waits".into(),
    }
}

pub(super) const fn replicas(differ: Option<ByteAddress>) -> Replicas {
    match differ {
        None => Replicas::Equal,
        Some(addr) => Replicas::Differ(addr),
    }
}

/// Why a run of events ended before its processes.
pub(super) fn ended(
    offers: &awgstar_program::Machine,
    left: Vec<(usize, Option<Request>)>,
    nodes: usize,
    limit: bool,
) -> Option<String> {
    let waits = |(node, asked): (usize, Option<Request>)| (node, waits_for(asked.as_ref(), offers));
    let left: Vec<_> = left.into_iter().map(waits).collect();
    (!left.is_empty()).then(|| {
        if limit { "limit_ns is reached".into() } else { hopeless(nodes, &left, |_| true) }
    })
}
