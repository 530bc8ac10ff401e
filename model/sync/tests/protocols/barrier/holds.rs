// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the repaired barriers and the ring barrier keep, and in how many states (BAR-1 to BAR-4, BAR-6).

use super::bench::{Acknowledged, Bare, Bench, LIMIT, Lines, base, bench};
use awgstar_sync::check::Settings;

/// All faults that two nodes can have.
#[test]
fn two_nodes() {
    let mut lines = Lines::new(LIMIT);
    for profile in [Bare, Acknowledged] {
        let two = base(2, profile);
        let three = Settings { rounds: 3, ..two };
        lines.each(bench(Settings { losses: 2, early: 1, ..three }));
        lines.each(bench(Settings { losses: 1, early: 1, full: 1, ..two }));
        lines.each(bench(Settings { full: 2, ..two }));
        lines.each(bench(Settings { losses: 1, early: 1, slow: 1, ..two }));
        lines.each(bench(Settings { losses: 1, early: 1, slow: 1 << 1, ..two }));
        // Episodes wrap.
        let wraps = Settings { losses: 1, early: 1, ..three };
        lines.each(Bench { from: u16::MAX, ..bench(wraps) });
    }
    lines.keep("two nodes");
}

#[test]
fn three_nodes() {
    let mut lines = Lines::new(LIMIT);
    for profile in [Bare, Acknowledged] {
        let three = base(3, profile);
        lines.each(bench(Settings { losses: 1, ..three }));
        lines.each(bench(Settings { rounds: 1, full: 1, ..three }));
        lines.mw(bench(Settings { losses: 2, ..three }));
        lines.mw(bench(Settings { losses: 1, full: 1, ..three }));
        lines.mw(bench(Settings { slow: 1, ..three }));
        lines.ring(bench(Settings { losses: 2, ..three }));
        lines.ring(bench(Settings { early: 1, ..three }));
        lines.ring(bench(Settings { full: 1, ..three }));
        lines.ring(bench(Settings { slow: 1 << 1, ..three }));
        lines.dist(bench(Settings { rounds: 1, losses: 1, early: 1, ..three }));
        lines.dist(bench(Settings { rounds: 1, losses: 1, slow: 1 << 1, ..three }));
    }
    lines.keep("three nodes");
}

/// The master is not node 0, node numbers descend along the ring, or all nodes are slow.
#[test]
fn unlike() {
    let mut lines = Lines::new(LIMIT);
    let (two, three) = (base(2, Acknowledged), base(3, Acknowledged));
    let descending = Settings { descending: true, losses: 1, ..three };
    lines.mw_at(1, bench(descending));
    lines.ring(bench(descending));
    lines.dist(bench(Settings { rounds: 1, ..descending }));
    lines.mw_at(2, bench(Settings { full: 1, ..three }));
    lines.mw_at(1, bench(Settings { losses: 1, early: 1, ..two }));
    let slow = u32::MAX;
    lines.mw(bench(Settings { slow, losses: 1, ..two }));
    lines.ring(bench(Settings { slow, losses: 1, ..two }));
    lines.dist(bench(Settings { slow, ..two }));
    lines.mw_at(1, bench(Settings { slow, rounds: 1, ..three }));
    lines.ring(bench(Settings { slow, rounds: 1, ..three }));
    lines.keep("unlike");
}

#[test]
fn four_nodes() {
    let mut lines = Lines::new(LIMIT);
    for profile in [Bare, Acknowledged] {
        let four = base(4, profile);
        lines.each(bench(Settings { rounds: 1, ..four }));
        lines.mw(bench(four));
    }
    lines.ring(bench(base(4, Acknowledged)));
    let once = Settings { rounds: 1, ..base(4, Acknowledged) };
    for s in [Settings { losses: 1, ..once }, Settings { full: 1, ..once }] {
        lines.mw(bench(s));
        lines.ring(bench(s));
    }
    lines.keep("four nodes");
}

#[test]
#[ignore = "some minutes, and a gigabyte"]
fn long() {
    let mut lines = Lines::new(6_000_000);
    let (two, three, four) = (base(2, Bare), base(3, Bare), base(4, Bare));
    lines.each(bench(Settings { rounds: 3, losses: 2, early: 1, slow: 1 << 1, ..two }));
    lines.mw(bench(Settings { losses: 2, early: 1, slow: 1, ..three }));
    lines.dist(bench(four));
    lines.ring(bench(four));
    lines.dist(bench(Settings { losses: 2, ..three }));
    let slow = u32::MAX;
    lines.dist(bench(Settings { slow, losses: 1, ..base(2, Acknowledged) }));
    lines.dist(bench(Settings { slow, rounds: 1, ..base(3, Acknowledged) }));
    lines.dist(bench(Settings { slow: 1 << 1, ..base(3, Acknowledged) }));
    lines.dist(bench(Settings { rounds: 1, full: 1, ..base(4, Acknowledged) }));
    for profile in [Bare, Acknowledged] {
        let (three, four) = (base(3, profile), base(4, profile));
        lines.mw(bench(Settings { losses: 2, early: 1, full: 1, ..three }));
        lines.ring(bench(Settings { losses: 1, early: 1, ..three }));
        lines.dist(bench(Settings { early: 1, ..three }));
        lines.dist(bench(Settings { losses: 1, full: 1, ..three }));
        lines.mw(bench(Settings { losses: 1, ..four }));
        lines.mw(bench(Settings { early: 1, ..four }));
        lines.ring(bench(Settings { losses: 1, ..four }));
        lines.dist(bench(Settings { rounds: 1, losses: 1, ..four }));
    }
    lines.keep("long");
}
