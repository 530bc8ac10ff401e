//! What was repaired, and the ring queue, hold in every run within bounds (LOCK-1 to LOCK-3, LOCK-5,
//! LOCK-7, LOCK-8).

use super::bench::{Acknowledged, Bare, LIMIT, Lines, base, dist, mw, queue};
use crate::snapshot;
use awgstar::{
    check::{Profile, Settings},
    contract::Order::Confirmed,
    firmware::lock::{DistRepairs, MwRepairs},
};

/// All of them also without the help of timers as long as nothing goes wrong.
fn unaided(profile: Profile) -> Vec<Settings> {
    let base = |nodes| Settings { unaided: true, ..base(nodes, profile) };
    let two = Settings { rounds: 2, ..base(2) };
    let three = base(3);
    vec![
        two,
        Settings { locks: 2, losses: 1, ..two },
        Settings { losses: 2, ..two },
        Settings { losses: 1, early: 1, ..two },
        Settings { losses: 1, full: 1, ..two },
        Settings { slow: Some(0), ..two },
        Settings { slow: Some(1), losses: 1, ..two },
        Settings { locks: 2, ..three },
        Settings { losses: 1, ..three },
        Settings { early: 1, ..three },
        Settings { full: 1, ..three },
        Settings { slow: Some(1), ..three },
    ]
}

/// As [`unaided`], with what only some of the locks can do in short time.
fn large(profile: Profile) -> Vec<Settings> {
    let base = |nodes| Settings { unaided: true, ..base(nodes, profile) };
    vec![Settings { rounds: 2, ..base(3) }, base(4)]
}

/// First come, first served, where the mailboxes have room.
fn fair(settings: Vec<Settings>) -> impl Iterator<Item = Settings> {
    settings.into_iter().map(|s| Settings { fair: s.full == 0, ..s })
}

/// What takes minutes.
fn long(profile: Profile) -> Vec<Settings> {
    let base = |nodes| Settings { unaided: true, ..base(nodes, profile) };
    let three = base(3);
    let twice = Settings { rounds: 2, ..three };
    let two = Settings { rounds: 2, ..base(2) };
    vec![
        Settings { losses: 2, early: 1, full: 1, ..two },
        Settings { slow: Some(1), losses: 1, early: 1, ..two },
        Settings { losses: 2, ..three },
        Settings { losses: 1, early: 1, ..three },
        Settings { losses: 1, early: 1, full: 1, ..three },
        Settings { slow: Some(1), losses: 1, ..three },
        Settings { losses: 1, ..twice },
        Settings { losses: 1, ..base(4) },
    ]
}

/// `cargo test -p awgstar --test protocols -- --ignored --nocapture --test-threads=1 long_list`
#[test]
#[ignore = "takes some minutes and 1 GB"]
fn long_list() {
    const LIMIT: usize = 2_000_000;
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in fair(long(profile)) {
            lines.holds("master-worker", &mw(s, Confirmed, MwRepairs::ALL), LIMIT);
            lines.holds("ring queue", &queue(s, Confirmed), LIMIT);
        }
    }
    snapshot::section("protocols-lock.md", "long list", &lines.0);
}

/// The distributed lock has ten times as many states as the others.
#[test]
#[ignore = "takes some minutes and 1 GB"]
fn long_list_of_the_distributed_lock() {
    const LIMIT: usize = 1_000_000;
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in long(profile).into_iter().chain(large(profile)) {
            lines.holds("distributed", &dist(s, Confirmed, DistRepairs::ALL), LIMIT);
        }
    }
    snapshot::section("protocols-lock.md", "long list dist", &lines.0);
}

#[test]
fn master_worker_holds() {
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in fair(unaided(profile)).chain(fair(large(profile))) {
            lines.holds("master-worker", &mw(s, Confirmed, MwRepairs::ALL), LIMIT);
        }
    }
    snapshot::section("protocols-lock.md", "mw holds", &lines.0);
}

#[test]
fn distributed_holds() {
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in unaided(profile) {
            lines.holds("distributed", &dist(s, Confirmed, DistRepairs::ALL), LIMIT);
        }
    }
    for s in large(Acknowledged) {
        lines.holds("distributed", &dist(s, Confirmed, DistRepairs::ALL), LIMIT);
    }
    snapshot::section("protocols-lock.md", "dist holds", &lines.0);
}

#[test]
fn ring_queue_holds() {
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in fair(unaided(profile)).chain(fair(large(profile))) {
            lines.holds("ring queue", &queue(s, Confirmed), LIMIT);
        }
    }
    snapshot::section("protocols-lock.md", "queue holds", &lines.0);
}
