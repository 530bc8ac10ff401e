//! What the repaired barriers and the ring barrier keep, and in how many states (BAR-1 to BAR-4, BAR-6).

use super::bench::{Acknowledged, Bare, Bench, LIMIT, Lines, base, bench};
use awgstar::check::Settings;

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
        lines.each(bench(Settings { losses: 1, early: 1, slow: Some(0), ..two }));
        lines.each(bench(Settings { losses: 1, early: 1, slow: Some(1), ..two }));
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
        lines.mw(bench(Settings { losses: 2, early: 1, ..three }));
        lines.mw(bench(Settings { losses: 1, full: 1, ..three }));
        lines.mw(bench(Settings { early: 1, slow: Some(0), ..three }));
        lines.ring(bench(Settings { losses: 2, ..three }));
        lines.ring(bench(Settings { early: 1, ..three }));
        lines.ring(bench(Settings { full: 1, ..three }));
        lines.ring(bench(Settings { slow: Some(1), ..three }));
        lines.dist(bench(Settings { rounds: 1, losses: 1, early: 1, ..three }));
        lines.dist(bench(Settings { rounds: 1, losses: 1, slow: Some(1), ..three }));
    }
    lines.dist(bench(Settings { losses: 2, ..base(3, Bare) }));
    lines.dist(bench(Settings { early: 1, ..base(3, Acknowledged) }));
    lines.dist(bench(Settings { slow: Some(1), ..base(3, Acknowledged) }));
    lines.keep("three nodes");
}

#[test]
fn four_nodes() {
    let mut lines = Lines::new(LIMIT);
    for profile in [Bare, Acknowledged] {
        let four = base(4, profile);
        lines.each(bench(Settings { rounds: 1, ..four }));
        lines.mw(bench(four));
        lines.ring(bench(four));
    }
    lines.mw(bench(Settings { losses: 1, ..base(4, Bare) }));
    lines.keep("four nodes");
}

#[test]
#[ignore = "five minutes, and a gigabyte"]
fn long() {
    let mut lines = Lines::new(6_000_000);
    let (two, three, four) = (base(2, Bare), base(3, Bare), base(4, Bare));
    lines.each(bench(Settings { rounds: 3, losses: 2, early: 1, slow: Some(1), ..two }));
    lines.mw(bench(Settings { losses: 2, early: 1, slow: Some(0), ..three }));
    lines.dist(bench(four));
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
