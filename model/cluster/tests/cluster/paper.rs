// SPDX-License-Identifier: MIT OR Apache-2.0
//! The measurements of paper 001 on its machine: expected values are the paper's, and those of formulas.

use crate::run;
use awgstar_cluster::{Barriers, Locks, Settings};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use awgstar_request::{Answer, Request};

/// Runs these requests of each process, and gives when each was answered.
fn times(settings: &Settings, scripts: Vec<Vec<Request>>) -> Vec<Vec<u64>> {
    let (_, log) = run(settings, scripts);
    let time = |answer: &Answer| {
        assert!(answer.got.is_ok(), "{:?}", answer.got);
        answer.now.time().0
    };
    log.iter().map(|answers| answers.iter().map(time).collect()).collect()
}

/// A number of ns in us.
fn us(ns: u64) -> f64 {
    f64::from(u32::try_from(ns).unwrap()) / 1000.0
}

/// Mean time of `GA_Sync` in us: after a put to each other process, when all are in place.
fn ga_sync(processes: u32, barrier: Barriers) -> f64 {
    let settings = Settings { barrier, ..Settings::new(processes as usize) };
    let segment = settings.homes().segment;
    let script = |me: u32| {
        let others = (0..processes).filter(|&rank| rank != me);
        let mut all: Vec<Request> =
            others.map(|rank| Request::write(ByteAddress(rank * segment), 1)).collect();
        // The servers sleep, and all begin together.
        all.push(Request::compute(Nanoseconds(10_000_000)));
        all.push(Request::Barrier(0));
        all
    };
    let all = times(&settings, (0..processes).map(script).collect());
    let spans = all.iter().map(|times| times[times.len() - 1] - times[times.len() - 2]);
    us(spans.sum()) / f64::from(processes)
}

/// Figure 7. The values for 16 are the paper's, and the machine is fitted to them; the others are what the text says
/// of messages: 2 (N - 1) + log2 N and 2 log2 N of them, of which N - 1 wake a server. All ask the same server first,
/// so a process waits for up to N - 1 others, 2 us each, once.
#[test]
fn ga_sync_is_that_of_the_paper() {
    let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.0005;
    let (old, new) = (ga_sync(16, Barriers::AllFence), ga_sync(16, Barriers::Combined));
    assert!(near(old, 1724.3) && near(new, 190.3), "{old} {new}");
    for (processes, phases) in [(2, 1.0), (3, 2.0), (4, 2.0), (5, 3.0), (8, 3.0), (12, 4.0)] {
        let others = f64::from(processes - 1);
        let least = (2.0 * 23.788 + 60.021) * others + 23.788 * phases;
        let old = ga_sync(processes, Barriers::AllFence);
        let new = ga_sync(processes, Barriers::Combined);
        assert!((least - 0.001..least + 2.0 * others).contains(&old), "{processes}: {old} {least}");
        assert!(near(new, 2.0 * 23.788 * phases), "{processes}: {new}");
    }
}

/// Mean times of acquire and of release, in us, of a lock that all take again and again.
fn lock(processes: u32, locks: Locks, lock: u32) -> (f64, f64) {
    const TIMES: u32 = 2000;
    let settings = Settings { locks, ..Settings::new(processes.max(2) as usize) };
    let script = |me: usize| {
        let calls = if me < processes as usize { TIMES } else { 0 };
        (0..calls).flat_map(|_| [Request::Lock(lock), Request::Unlock(lock)]).collect()
    };
    let all = times(&settings, (0..settings.processes).map(script).collect());
    let mut sums = [0.0, 0.0];
    for times in &all {
        for (at, pair) in times.windows(2).enumerate() {
            sums[at % 2] += us(pair[1] - pair[0]);
        }
    }
    let [acquire, release] = sums.map(|sum| sum / f64::from(TIMES * processes));
    (acquire, release)
}

/// Section 4.2. To hand the lock over takes two messages and a server that wakes, or one (3.2.2).
#[test]
fn to_hand_a_lock_over_takes_one_message_less() {
    for processes in [8, 12, 16] {
        let turns = f64::from(processes);
        let all = |kind| {
            let (acquire, release) = lock(processes, kind, 0);
            acquire + release
        };
        let (hybrid, queue) = (all(Locks::Hybrid), all(Locks::Queue));
        let (two, one) = (2.0 * 23.788 + 60.021, 23.788 + 60.021);
        // The process at the home of the lock polls, so it needs no answer of the server.
        // A server may be awake for another message.
        let near = |found: f64, all: f64| (0.985..1.005).contains(&(found / all));
        assert!(near(hybrid, turns * two - 23.788), "{processes}: {hybrid}");
        assert!(near(queue, turns * one), "{processes}: {queue}");
    }
}

/// Section 4.2: with one process the new lock is slower, because of its release; the means of a lock that is local
/// and one that is remote.
#[test]
fn a_lock_of_one_process() {
    let mean = |kind| {
        let (local, remote) = (lock(1, kind, 0), lock(1, kind, 1));
        (f64::midpoint(local.0, remote.0), f64::midpoint(local.1, remote.1))
    };
    let (hybrid, queue) = (mean(Locks::Hybrid), mean(Locks::Queue));
    // A message to the server, or an atomic operation there and its answer; at home half a microsecond.
    let trip = 2.0 * 23.788 + 60.021;
    assert!((queue.0 - f64::midpoint(trip, 0.5)).abs() < 0.01, "{queue:?}");
    assert!((queue.1 - f64::midpoint(trip, 0.5)).abs() < 0.01, "{queue:?}");
    assert!((hybrid.1 - f64::midpoint(1.0, 1.5)).abs() < 0.01, "{hybrid:?}");
    assert!(hybrid.0 + hybrid.1 < queue.0 + queue.1);
}
