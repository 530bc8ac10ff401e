// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the barriers break: as published, and without each single repair. The shortest run is kept.

use super::bench::{
    Acknowledged, Bare, TOGETHER, TWO_MAINS, Wrong, base, bench, breaks_so, goes_wrong,
};
use awgstar_sync::{
    check::Settings,
    firmware::barrier::{DistRepairs, MwRepairs},
};

/// Waiting for a timer is not looked at here: most of these runs need one to go wrong.
const fn two(profile: awgstar_sync::check::Profile) -> Settings {
    Settings { unaided: false, ..base(2, profile) }
}

#[test]
fn master_worker_as_printed() {
    let breaks = |name: &str, wrong, settings| {
        let (name, title) =
            (format!("barrier-mw-printed-{name}"), "Master-worker barrier, printed");
        goes_wrong(&name, title, wrong, &bench(settings).mw(MwRepairs::NONE));
    };
    breaks("together", TOGETHER, Settings { losses: 1, ..two(Bare) });
    breaks("together-early", TOGETHER, Settings { early: 1, ..two(Acknowledged) });
    breaks("stuck", Wrong::Stuck, Settings { losses: 2, ..two(Bare) });
    breaks("stuck-mailbox", Wrong::Stuck, Settings { full: 1, ..two(Acknowledged) });
}

#[test]
fn distributed_as_printed() {
    let (name, title) = ("barrier-dist-printed-two-mains", "Distributed barrier, printed");
    goes_wrong(name, title, TWO_MAINS, &bench(two(Bare)).dist(DistRepairs::NONE));
    let breaks = |name: &str, wrong, settings| {
        let name = format!("barrier-dist-printed-{name}");
        goes_wrong(&name, title, wrong, &bench(settings).anyone(DistRepairs::NONE));
    };
    breaks("together", TOGETHER, Settings { losses: 1, ..two(Bare) });
    breaks("together-early", TOGETHER, Settings { early: 1, ..two(Acknowledged) });
    breaks("stuck", Wrong::Stuck, Settings { losses: 1, ..two(Bare) });
}

#[test]
fn master_worker_needs_each_repair() {
    let full = Settings { full: 1, ..two(Acknowledged) };
    let cases =
        [(TOGETHER, two(Bare)), (TOGETHER, two(Bare)), (Wrong::Stuck, full), (Wrong::Stuck, full)];
    assert_eq!(cases.len(), MwRepairs::LIST.len());
    for (&(repair, name), (wrong, settings)) in MwRepairs::LIST.iter().zip(cases) {
        let title = format!("Master-worker barrier, repaired, without {name}");
        let network = bench(settings).mw(MwRepairs::ALL.without(repair));
        goes_wrong(&format!("barrier-mw-without-{name}"), &title, wrong, &network);
    }
}

#[test]
fn distributed_needs_each_repair() {
    let early = Settings { early: 1, ..two(Bare) };
    let full = Settings { full: 1, ..two(Bare) };
    let cases = [
        (DistRepairs::TAG_ARRIVAL, TOGETHER, early),
        (DistRepairs::TAG_RELEASE, TOGETHER, early),
        (DistRepairs::TAG_ACK, Wrong::Stuck, Settings { losses: 1, full: 1, ..two(Acknowledged) }),
        (DistRepairs::TAG_RETURN, TWO_MAINS, early),
        (DistRepairs::HEARD, TWO_MAINS, two(Bare)),
        (DistRepairs::FOLLOW, Wrong::Stuck, two(Bare)),
        (DistRepairs::NEXT, TWO_MAINS, Settings { losses: 1, ..two(Bare) }),
        (DistRepairs::ASK, Wrong::Stuck, full),
        (DistRepairs::ANSWER, Wrong::Stuck, full),
    ];
    assert_eq!(cases.map(|case| case.0).to_vec(), repairs());
    for (&(repair, name), (_, wrong, settings)) in DistRepairs::LIST.iter().zip(cases) {
        let title = format!("Distributed barrier, repaired, without {name}");
        let name = format!("barrier-dist-without-{name}");
        let repairs = DistRepairs::ALL.without(repair);
        if matches!(wrong, Wrong::Stuck) {
            goes_wrong(&name, &title, wrong, &bench(settings).anyone(repairs));
        } else {
            goes_wrong(&name, &title, wrong, &bench(settings).dist(repairs));
        }
    }
}

fn repairs() -> Vec<DistRepairs> {
    DistRepairs::LIST.iter().map(|one| one.0).collect()
}

/// What no repair mends: who missed an arrival in its own full mailbox may take itself for the
/// first.
#[test]
fn full_mailboxes_make_two_main_processes() {
    let network = bench(Settings { full: 1, ..two(Bare) }).dist(DistRepairs::ALL);
    let title = "Distributed barrier, repaired, and a full mailbox";
    goes_wrong("barrier-dist-full-mailbox", title, TWO_MAINS, &network);
}

/// Why a driver empties the mailbox before it tells that a signal has returned (DRV-1).
#[test]
fn returns_told_too_soon_make_two_main_processes() {
    let settings = Settings { slow: 1 << 1, drained: false, ..two(Bare) };
    let title = "Distributed barrier, repaired, and a driver that tells returns too soon";
    let network = bench(settings).dist(DistRepairs::ALL);
    goes_wrong("barrier-dist-not-drained", title, TWO_MAINS, &network);
}

/// All that goes wrong as published, without a fault and with one of each kind. Two main processes are not
/// looked at.
#[test]
fn rings_as_printed() {
    const EARLY: &[Wrong] = &[TOGETHER];
    // A full mailbox also lets a process pass: the timer of a node that was released sends an arrival
    // again, which counts in the next episode.
    const BOTH: &[Wrong] = &[TOGETHER, Wrong::Stuck];
    for profile in [Bare, Acknowledged] {
        let two = two(profile);
        let rows = [
            (two, &[][..], &[][..]),
            (Settings { losses: 1, ..two }, EARLY, BOTH),
            (Settings { early: 1, ..two }, EARLY, BOTH),
            (Settings { full: 1, ..two }, BOTH, BOTH),
        ];
        for (settings, of_mw, of_dist) in rows {
            breaks_so("master-worker", of_mw, &bench(settings).mw(MwRepairs::NONE));
            breaks_so("distributed", of_dist, &bench(settings).anyone(DistRepairs::NONE));
        }
    }
}
