// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters to be checked.

use awgstar_frame::contract::Order;
use awgstar_frame::quantity::NodeId;
use awgstar_sync::check::onesided::{Call, Cluster, Settings};
use awgstar_sync::firmware::onesided::barrier::{Counts, FenceRepairs, Kind};
use awgstar_sync::firmware::onesided::hybrid::{Home, HybridRepairs};
use awgstar_sync::firmware::onesided::owner::{OwnerRepairs, Segment};
use awgstar_sync::firmware::onesided::queue::{QueueRepairs, Words};
use awgstar_sync::firmware::onesided::ring::{Replica, RingRepairs};
use awgstar_sync::firmware::onesided::{barrier, hybrid, owner, queue, ring};

/// Processes in a barrier; who does not call it is not in the group. Counts begin at `from`.
pub(crate) fn barrier(
    settings: Settings,
    kind: Kind,
    repairs: FenceRepairs,
    from: u32,
) -> Cluster<barrier::Process> {
    let ranks = settings.nodes.len();
    let in_group = |rank: &NodeId| settings.scripts[rank.index()].contains(&Call::Barrier);
    let members: Vec<NodeId> = NodeId::all(ranks).filter(in_group).collect();
    let process = |rank| {
        // Who is not in the group makes puts only.
        let members = if members.contains(&rank) { members.clone() } else { vec![rank] };
        let process = barrier::Process::new(kind, rank, members, ranks, repairs);
        process.expect("a member").counting_from(from)
    };
    let nodes = settings.nodes.iter().max().map_or(0, |last| last + 1);
    let server = |node| {
        let on = |rank: &NodeId| settings.nodes[rank.index()] == node;
        Counts::new(NodeId::all(ranks).filter(on).collect(), ranks, repairs).counting_from(from)
    };
    let (processes, servers) =
        (NodeId::all(ranks).map(process).collect(), (0..nodes).map(server).collect());
    Cluster { settings, processes, servers }
}

pub(crate) fn hybrid(settings: Settings, repairs: HybridRepairs) -> Cluster<hybrid::Process> {
    let ranks = settings.nodes.len();
    let process = |rank| hybrid::Process::new(rank, ranks, repairs);
    let (processes, servers) =
        (NodeId::all(ranks).map(process).collect(), vec![Home::new(repairs); ranks]);
    Cluster { settings, processes, servers }
}

pub(crate) fn queue(settings: Settings, repairs: QueueRepairs) -> Cluster<queue::Process> {
    let ranks = settings.nodes.len();
    let process = |rank| queue::Process::new(rank, ranks, repairs);
    let (processes, servers) =
        (NodeId::all(ranks).map(process).collect(), vec![Words::new(repairs); ranks]);
    Cluster { settings, processes, servers }
}

/// The queue lock as published on a ring: its words have two writers.
pub(crate) fn published(settings: Settings, order: Order) -> Cluster<queue::Process> {
    // That a swap is one step is another repair.
    let mut system = queue(settings, QueueRepairs::ATOMIC);
    system.processes = system.processes.into_iter().map(|one| one.on_replicas(order)).collect();
    system
}

/// The ring's form of the queue lock. Requests are counted from `from`.
pub(crate) fn ring(settings: Settings, repairs: RingRepairs, from: u16) -> Cluster<ring::Process> {
    let ranks = settings.nodes.len();
    let process = |rank| ring::Process::new(rank, ranks, repairs).counting_from(from);
    let servers = vec![Replica::new(repairs).counting_from(from); ranks];
    Cluster { settings, processes: NodeId::all(ranks).map(process).collect(), servers }
}

/// Accumulate and read-modify-write by the owner of a word. Requests are counted from `from`.
pub(crate) fn owner(
    settings: Settings,
    repairs: OwnerRepairs,
    from: u16,
) -> Cluster<owner::Process> {
    let ranks = settings.nodes.len();
    let process = |rank| owner::Process::new(rank, ranks, repairs).counting_from(from);
    let server = |rank| Segment::new(rank, ranks, repairs).counting_from(from);
    let (processes, servers) =
        (NodeId::all(ranks).map(process).collect(), NodeId::all(ranks).map(server).collect());
    Cluster { settings, processes, servers }
}

/// So many processes that each take lock 0 so often; with an update of a word of `data` under it.
pub(crate) fn takers(ranks: usize, rounds: usize, data: Option<usize>) -> Vec<Vec<Call>> {
    let mut round = vec![Call::Acquire(0)];
    round.extend(data.map(Call::Update));
    round.push(Call::Release(0));
    vec![round.repeat(rounds); ranks]
}

/// So many processes that each put to the one at a distance before each of so many barriers.
pub(crate) fn putters(ranks: usize, distance: usize, barriers: usize) -> Vec<Vec<Call>> {
    let script = |rank: usize| {
        let mut round = vec![Call::Put((rank + distance) % ranks), Call::Barrier];
        if ranks == 1 {
            round.remove(0);
        }
        round.repeat(barriers)
    };
    (0..ranks).map(script).collect()
}
