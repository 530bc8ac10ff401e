// SPDX-License-Identifier: MIT OR Apache-2.0
//! With all repairs nothing goes wrong: all states of small clusters.

use crate::document;
use crate::systems::{barrier, hybrid, putters, queue, takers};
use awgstar_sync::check::explore;
use awgstar_sync::check::onesided::{Call, Cluster, Settings};
use awgstar_sync::firmware::onesided::Client;
use awgstar_sync::firmware::onesided::barrier::{FenceRepairs, Kind};
use awgstar_sync::firmware::onesided::hybrid::HybridRepairs;
use awgstar_sync::firmware::onesided::queue::QueueRepairs;
use std::fmt::Write as _;

/// A line of the table.
pub(crate) fn holds<C: Client>(table: &mut String, name: &str, system: &Cluster<C>) {
    let report = explore(system, 2_000_000);
    assert!(report.holds(), "{name}: {:?}, stuck {:?}", report.broken, report.stuck);
    let ranks = system.settings.nodes.len();
    let calls: usize = system.settings.scripts.iter().map(Vec::len).sum();
    let _ = writeln!(
        table,
        "| {name} | {ranks} | {calls} | {} | {} | {} |",
        report.states, report.steps, report.depth
    );
}

pub(crate) const HEAD: &str =
    "| protocol | processes | calls | states | steps | depth |\n|---|---:|---:|---:|---:|---:|\n";

#[test]
fn repaired() {
    let mut table = HEAD.to_owned();
    for (name, kind) in [("all-fence", Kind::AllFence), ("combined", Kind::Combined)] {
        // A count for a process at distance 3 takes two phases.
        for (ranks, distance, barriers) in [(1, 1, 2), (2, 1, 3), (3, 1, 2), (4, 1, 1), (4, 3, 1)] {
            let settings = Settings::new(putters(ranks, distance, barriers));
            holds(&mut table, name, &barrier(settings, kind, FenceRepairs::ALL, 0xffff_fffe));
        }
    }
    let takes = [
        (1, 2, None),
        (2, 2, Some(0)),
        (2, 2, Some(1)),
        (3, 1, Some(2)),
        (3, 2, Some(0)),
        (4, 1, Some(0)),
    ];
    for (name, kind) in [("all-fence", Kind::AllFence), ("combined", Kind::Combined)] {
        for ranks in [2, 3] {
            // One put at a time has no order.
            let twice = |call: Call| vec![call; if call == Call::Barrier { 1 } else { 2 }];
            let scripts = putters(ranks, 1, 2).into_iter();
            let scripts = scripts.map(|script| script.into_iter().flat_map(twice).collect());
            let settings = Settings { ordered: false, ..Settings::new(scripts.collect()) };
            let name = format!("{name}, puts in any order");
            holds(&mut table, &name, &barrier(settings, kind, FenceRepairs::ALL, 0));
        }
    }
    for (ranks, rounds, data) in takes {
        let settings = Settings::new(takers(ranks, rounds, data));
        let data = data.map(|at| format!(", data at {at}")).unwrap_or_default();
        let name = |lock| format!("{lock}{data}");
        holds(&mut table, &name("hybrid"), &hybrid(settings.clone(), HybridRepairs::ALL));
        holds(&mut table, &name("queue"), &queue(settings, QueueRepairs::ALL));
    }
    // Two processes share a computer, and so a server: that of the lock's home, or another.
    for nodes in [vec![0, 0, 1], vec![0, 1, 1]] {
        let name = |lock| format!("{lock}, computers {nodes:?}");
        let (hybrids, queues) = (name("hybrid"), name("queue"));
        let settings = Settings { nodes, ..Settings::new(takers(3, 2, Some(1))) };
        holds(&mut table, &hybrids, &hybrid(settings.clone(), HybridRepairs::ALL));
        holds(&mut table, &queues, &queue(settings, QueueRepairs::ALL));
    }
    for (ranks, rounds, copies) in [(2, 2, 2), (3, 2, 1)] {
        let settings = Settings { copies, ..Settings::new(takers(ranks, rounds, None)) };
        let name = format!("queue, messages twice: {copies}");
        holds(&mut table, &name, &queue(settings, QueueRepairs::ALL));
    }
    let tries = vec![[Call::Try(0), Call::Update(1), Call::Release(0)].repeat(2); 3];
    let tries = Settings::new(tries);
    holds(&mut table, "hybrid, tries", &hybrid(tries.clone(), HybridRepairs::ALL));
    holds(&mut table, "queue, tries", &queue(tries, QueueRepairs::ALL));
    let one_waits = Settings::new(vec![
        [Call::Try(0), Call::Update(1), Call::Release(0)].repeat(2),
        [Call::Acquire(0), Call::Update(1), Call::Release(0)].repeat(2),
    ]);
    holds(&mut table, "hybrid, one tries", &hybrid(one_waits.clone(), HybridRepairs::ALL));
    holds(&mut table, "queue, one tries", &queue(one_waits, QueueRepairs::ALL));
    document::section("one-sided-protocols.md", "holds", &table);
}
