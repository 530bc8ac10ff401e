// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was repaired, and the ring queue, hold in every run within bounds (LOCK-1 to LOCK-3, LOCK-5,
//! LOCK-7, LOCK-8).

use super::bench::{
    Acknowledged, Bare, LIMIT, Lines, base, dist, dist_at, goes_wrong, mw, mw_at, queue, queue_at,
};
use crate::{snapshot, wrong::Wrong::Breaks};
use awgstar_frame::contract::Order::Confirmed;
use awgstar_sync::{
    check::{Profile, Property::Fair, Settings},
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
        Settings { slow: 1, ..two },
        Settings { slow: 1 << 1, losses: 1, ..two },
        Settings { locks: 2, ..three },
        Settings { losses: 1, ..three },
        Settings { early: 1, ..three },
        Settings { full: 1, ..three },
        Settings { slow: 1 << 1, ..three },
    ]
}

/// Rings on which something is not as it is on most: node numbers descend, all nodes are slow, numbers
/// of locks agree in the low 16 bits, or only some of four nodes ask.
fn unlike() -> Vec<Settings> {
    let base = |nodes| Settings { unaided: true, ..base(nodes, Acknowledged) };
    let (two, three) = (Settings { rounds: 2, ..base(2) }, base(3));
    let four = Settings { callers: 0b1100, ..base(4) };
    vec![
        Settings { descending: true, losses: 1, ..three },
        Settings { descending: true, full: 1, ..three },
        Settings { slow: u32::MAX, ..base(2) },
        Settings { slow: u32::MAX, losses: 1, ..base(2) },
        Settings { locks: 2, lock_step: 1 << 16, ..two },
        Settings { losses: 1, ..four },
        Settings { early: 1, ..four },
        Settings { full: 1, ..four },
    ]
}

/// As [`unaided`], with what only some of the locks can do in short time.
fn large(profile: Profile) -> [Settings; 2] {
    let base = |nodes| Settings { unaided: true, ..base(nodes, profile) };
    [Settings { rounds: 2, ..base(3) }, base(4)]
}

/// First come, first served, where the mailboxes have room.
fn fair(settings: Vec<Settings>) -> impl Iterator<Item = Settings> {
    settings.into_iter().map(|s| Settings { fair: s.full == 0, ..s })
}

/// First come, first served, where nothing is lost.
fn fair_alone(settings: Vec<Settings>) -> impl Iterator<Item = Settings> {
    fair(settings).map(|s| Settings { fair: s.fair && s.losses == 0, ..s })
}

/// What takes minutes.
fn long(profile: Profile) -> Vec<Settings> {
    let base = |nodes| Settings { unaided: true, ..base(nodes, profile) };
    let three = base(3);
    let twice = Settings { rounds: 2, ..three };
    let two = Settings { rounds: 2, ..base(2) };
    vec![
        Settings { losses: 2, early: 1, full: 1, ..two },
        Settings { slow: 1 << 1, losses: 1, early: 1, ..two },
        Settings { losses: 2, ..three },
        Settings { losses: 1, early: 1, ..three },
        Settings { losses: 1, early: 1, full: 1, ..three },
        Settings { slow: 1 << 1, losses: 1, ..three },
        Settings { losses: 1, ..twice },
        Settings { losses: 1, ..base(4) },
    ]
}

/// `cargo test --release -p awgstar-sync --test protocols -- --ignored --nocapture --test-threads=1 lock::holds::long_list`
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
    for s in fair(large(Bare).to_vec()) {
        lines.holds("master-worker", &mw(s, Confirmed, MwRepairs::ALL), LIMIT);
        lines.holds("ring queue", &queue(s, Confirmed), LIMIT);
    }
    snapshot::section("protocols-lock.md", "long list", &lines.0);
}

/// The distributed lock has ten times as many states as the others.
#[test]
#[ignore = "takes some minutes and 2 GB"]
fn long_list_of_the_distributed_lock() {
    const LIMIT: usize = 100_000_000;
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in fair_alone(long(profile)).chain(fair_alone(large(profile).to_vec())) {
            lines.holds("distributed", &dist(s, Confirmed, DistRepairs::ALL), LIMIT);
        }
    }
    snapshot::section("protocols-lock.md", "long list dist", &lines.0);
}

/// Who misses an acknowledgement serves a request again, and lets its process overtake.
#[test]
#[ignore = "with the long list"]
fn long_list_one_lost_acknowledgement_lets_overtake() {
    let s = Settings { fair: true, rounds: 2, losses: 1, ..base(3, Acknowledged) };
    goes_wrong("lock_dist_unfair", Breaks(Fair), &dist(s, Confirmed, DistRepairs::ALL));
}

#[test]
fn master_worker_holds() {
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in fair(unaided(profile)) {
            lines.holds("master-worker", &mw(s, Confirmed, MwRepairs::ALL), LIMIT);
        }
    }
    for s in fair(large(Acknowledged).to_vec()) {
        lines.holds("master-worker", &mw(s, Confirmed, MwRepairs::ALL), LIMIT);
    }
    for s in fair(unlike()) {
        let ring = mw_at(1, s, Confirmed, MwRepairs::ALL);
        lines.holds("master-worker, master 1", &ring, LIMIT);
    }
    snapshot::section("protocols-lock.md", "mw holds", &lines.0);
}

#[test]
fn distributed_holds() {
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in fair_alone(unaided(profile)) {
            lines.holds("distributed", &dist(s, Confirmed, DistRepairs::ALL), LIMIT);
        }
    }
    let [twice, _] = large(Acknowledged);
    for s in fair_alone(vec![twice]) {
        lines.holds("distributed", &dist(s, Confirmed, DistRepairs::ALL), LIMIT);
    }
    for s in fair_alone(unlike()) {
        let ring = dist_at(1, s, Confirmed, DistRepairs::ALL);
        lines.holds("distributed, first 1", &ring, LIMIT);
    }
    snapshot::section("protocols-lock.md", "dist holds", &lines.0);
}

#[test]
fn ring_queue_holds() {
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in fair(unaided(profile)) {
            lines.holds("ring queue", &queue(s, Confirmed), LIMIT);
        }
    }
    for s in fair(large(Acknowledged).to_vec()) {
        lines.holds("ring queue", &queue(s, Confirmed), LIMIT);
    }
    for s in fair(unlike()) {
        lines.holds("ring queue, first 1", &queue_at(1, s, Confirmed), LIMIT);
    }
    snapshot::section("protocols-lock.md", "queue holds", &lines.0);
}
