// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each repair, left out: the checker finds a run that goes wrong, and none with it.

use crate::document;
use crate::systems::{barrier, hybrid, putters, queue, takers};
use awgstar_sync::check::onesided::{
    Call::{Acquire, Barrier, LibraryPut, Put, Release},
    Cluster, Property, Settings,
};
use awgstar_sync::check::{explore, listing};
use awgstar_sync::firmware::onesided::Client;
use awgstar_sync::firmware::onesided::barrier::{FenceRepairs, Kind};
use awgstar_sync::firmware::onesided::hybrid::HybridRepairs;
use awgstar_sync::firmware::onesided::queue::QueueRepairs;
use std::fmt::Write as _;

const LIMIT: usize = 2_000_000;

/// How a run goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    Breaks(Property),
    Hangs,
}
pub(crate) use Wrong::{Breaks, Hangs};

/// The table and the runs of the page.
#[derive(Default)]
pub(crate) struct Found {
    table: String,
    runs: String,
}

impl Found {
    /// A run without the repair goes wrong so; with it none does.
    pub(crate) fn hole<C: Client, D: Client>(
        &mut self,
        name: &str,
        without: &Cluster<C>,
        with: &Cluster<D>,
        wrong: Wrong,
    ) {
        let repaired = explore(with, LIMIT);
        assert!(repaired.holds(), "{name}, repaired: {:?}", repaired.broken);
        let report = explore(without, LIMIT);
        let (run, how) = match wrong {
            Breaks(property) => (report.run(property).cloned(), property.violated()),
            Hangs => (report.stuck.clone(), "a process waits without end"),
        };
        let run = run.unwrap_or_else(|| panic!("{name}: not found in {} states", report.states));
        let steps = run.len();
        let _ = writeln!(
            self.table,
            "| {name} | {how} | {steps} | {} | {} |",
            report.states, repaired.states
        );
        let _ = writeln!(
            self.runs,
            "Without *{name}*: {how}.\n\n```text\n{}```\n",
            listing(&run, without.nodes())
        );
    }

    pub(crate) fn write(&self, section: &str) {
        let head =
            "| repair left out | what happens | steps | states | states with all repairs |\n";
        let table = format!("{head}|---|---|---:|---:|---:|\n{}", self.table);
        document::section("one-sided-protocols.md", &format!("holes {section}"), &table);
        document::section("one-sided-protocols.md", &format!("runs {section}"), &self.runs);
    }
}

fn fence(found: &mut Found, repair: FenceRepairs, settings: &Settings, wrong: Wrong) {
    let kinds = [FenceRepairs::COUNTED, FenceRepairs::EPISODE];
    let kind = if kinds.contains(&repair) { Kind::AllFence } else { Kind::Combined };
    // A count that begins here wraps at the second put.
    let from = if repair == FenceRepairs::DIFFERENCE { 0x7fff_ffff } else { 0 };
    let name = FenceRepairs::LIST.iter().find(|one| one.0 == repair).unwrap().1;
    let system = |repairs| barrier(settings.clone(), kind, repairs, from);
    // Where each count takes one way, nothing is counted twice: the sum may stand in place.
    let with = if repair == FenceRepairs::COPY {
        FenceRepairs::ALL.without(FenceRepairs::ANY_NUMBER)
    } else {
        FenceRepairs::ALL
    };
    let without = with.without(repair);
    found.hole(name, &system(without), &system(with), wrong);
}

#[test]
fn fences_and_barriers() {
    let mut found = Found::default();
    let two = |first: &[_], second: &[_]| Settings::new(vec![first.to_vec(), second.to_vec()]);
    let one_put = two(&[Put(1), Barrier], &[Barrier]);
    let overtaken = Settings { ordered: false, ..one_put.clone() };
    fence(&mut found, FenceRepairs::COUNTED, &overtaken, Breaks(Property::Written));
    let third = Settings::new(vec![vec![Barrier], vec![Barrier], vec![Put(0), Barrier]]);
    fence(&mut found, FenceRepairs::ANY_NUMBER, &third, Breaks(Property::Together));
    let again = two(&[Put(1), Barrier, Barrier], &[Barrier, Barrier]);
    fence(&mut found, FenceRepairs::COPY, &again, Hangs);
    let more = two(&[Put(1), Barrier, Put(1), Barrier], &[Barrier, Barrier]);
    fence(&mut found, FenceRepairs::CUMULATIVE, &more, Hangs);
    let shared = Settings {
        nodes: vec![0, 0, 1],
        ..Settings::new(vec![vec![Barrier], vec![Barrier], vec![Put(0), Put(1), Barrier]])
    };
    fence(&mut found, FenceRepairs::PER_TARGET, &shared, Breaks(Property::Written));
    let outside = Settings::new(vec![vec![Put(1), Barrier], vec![Barrier], vec![Put(1)]]);
    fence(&mut found, FenceRepairs::BY_SOURCE, &outside, Breaks(Property::Written));
    let library = two(&[LibraryPut(1), Put(1), Barrier], &[Barrier]);
    fence(&mut found, FenceRepairs::LIBRARY, &library, Breaks(Property::Written));
    let wraps = two(&[Put(1), Put(1), Barrier], &[Barrier]);
    fence(&mut found, FenceRepairs::DIFFERENCE, &wraps, Breaks(Property::Written));
    fence(&mut found, FenceRepairs::WRITTEN_FIRST, &one_put, Breaks(Property::Written));
    fence(&mut found, FenceRepairs::SLEEP_ON_VALUE, &one_put, Hangs);
    let empty = Settings::new(vec![vec![Barrier; 3]; 2]);
    fence(&mut found, FenceRepairs::EPISODE, &empty, Hangs);
    assert_eq!(found.table.lines().count(), FenceRepairs::LIST.len());
    found.write("fences");
}

#[test]
fn hybrid_locks() {
    let mut found = Found::default();
    for &(repair, name) in HybridRepairs::LIST {
        let (scripts, wrong) = match repair {
            HybridRepairs::BY_SERVER => (takers(2, 1, None), Hangs),
            HybridRepairs::RANGE => (takers(3, 1, None), Breaks(Property::Exclusion)),
            // The data is neither at the home nor at a holder.
            _ => ([takers(2, 1, Some(2)), vec![vec![]]].concat(), Breaks(Property::Current)),
        };
        let system = |repairs| hybrid(Settings::new(scripts.clone()), repairs);
        let without = HybridRepairs::ALL.without(repair);
        found.hole(name, &system(without), &system(HybridRepairs::ALL), wrong);
    }
    found.write("hybrid");
}

#[test]
fn queue_locks() {
    let mut found = Found::default();
    for &(repair, name) in QueueRepairs::LIST {
        let (scripts, copies, wrong) = match repair {
            QueueRepairs::FENCE => (takers(3, 1, Some(0)), 0, Breaks(Property::Current)),
            QueueRepairs::NODE_PER_LOCK => {
                let holder = vec![Acquire(0), Acquire(1), Release(1), Release(0)];
                let other = vec![Acquire(0), Release(0)];
                (vec![holder, other], 0, Breaks(Property::Exclusion))
            }
            QueueRepairs::ATOMIC => (takers(2, 1, None), 0, Breaks(Property::Exclusion)),
            _ => (takers(2, 2, None), 1, Breaks(Property::Exclusion)),
        };
        let settings = Settings { copies, ..Settings::new(scripts) };
        let system = |repairs| queue(settings.clone(), repairs);
        let without = QueueRepairs::ALL.without(repair);
        found.hole(name, &system(without), &system(QueueRepairs::ALL), wrong);
    }
    found.write("queue");
}

/// What the paper promises of the hybrid lock without a fence: data at its home is right, because one channel
/// carries both.
#[test]
fn data_at_the_home_of_a_hybrid_lock_needs_no_fence() {
    let settings = Settings::new(takers(3, 1, Some(0)));
    let report =
        explore(&hybrid(settings, HybridRepairs::ALL.without(HybridRepairs::FENCE)), LIMIT);
    assert!(report.holds(), "{:?}", report.broken);
}

/// As published, both barriers are right for a power of two and one epoch, without faults.
#[test]
fn as_published_one_epoch_of_a_power_of_two() {
    let kept =
        FenceRepairs::NONE.with(FenceRepairs::SLEEP_ON_VALUE).with(FenceRepairs::WRITTEN_FIRST);
    for kind in [Kind::AllFence, Kind::Combined] {
        for ranks in [1, 2, 4] {
            let settings = Settings::new(putters(ranks, 1, 1));
            let report = explore(&barrier(settings, kind, kept, 0), LIMIT);
            assert!(report.holds(), "{kind:?} of {ranks}: {:?}", report.broken);
        }
    }
}
