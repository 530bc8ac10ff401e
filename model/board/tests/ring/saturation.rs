// SPDX-License-Identifier: MIT OR Apache-2.0
//! A saturated ring. Checks RING-4, NODE-12.

use awgstar_board::ring::{Ring, Scenario};
use awgstar_frame::contract::{Counter, limits::CLOCK_HZ, node::TOKEN_RUN};
use awgstar_frame::quantity::Cycle;

/// Acknowledged frames of every node in `rounds` rounds, in which every node can have its run.
fn acknowledged(nodes: usize, rounds: u64) -> (Vec<u64>, u64) {
    let round = (TOKEN_RUN * nodes * 265) as u64;
    let warm = 2 * round;
    let cycles = warm + rounds * round;
    let mut ring = Ring::new(&Scenario::saturated(nodes, 2, 1024, Cycle(cycles))).expect("good");
    ring.record(false);
    while ring.cycle() < Cycle(warm) {
        ring.step();
    }
    let counts = |ring: &Ring| -> Vec<u64> {
        (0..nodes).map(|n| ring.host(n).counts().acknowledged).collect()
    };
    let before = counts(&ring);
    while !ring.done() {
        ring.step();
    }
    for node in ring.nodes() {
        for lost in [
            Counter::ReturnedBad,
            Counter::Reserved,
            Counter::Cut,
            Counter::Dropped,
            Counter::BadFcs,
            Counter::BadOther,
            Counter::RxOverflow,
            Counter::TxError,
            Counter::TokenOverflow,
        ] {
            assert_eq!(node.u_counters.mem[usize::from(lost.code())], 0, "{}", lost.name());
        }
    }
    let after = counts(&ring);
    (after.iter().zip(&before).map(|(a, b)| a - b).collect(), cycles - warm)
}

/// RING-4: 98 % of the line rate in payload, nothing lost, no node below half of the mean.
fn check(nodes: usize, rounds: u64) {
    let (acknowledged, cycles) = acknowledged(nodes, rounds);
    let total: u64 = acknowledged.iter().sum();
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let (rate, mean) = (
        total as f64 * 1024.0 * CLOCK_HZ as f64 / cycles as f64 / 1e6,
        total as f64 / nodes as f64,
    );
    let full = 2152.0 / 8.0 * 1024.0 / 1042.0;
    let least = *acknowledged.iter().min().expect("a node");
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let share = least as f64 / mean;
    println!("{nodes} nodes: {rate:.2} of {full:.2} MB/s, slowest node {share:.2} of the mean");
    assert!(rate >= 0.98 * full, "{nodes} nodes: {rate:.2} of {full:.2} MB/s");
    assert!(share >= 0.5, "{nodes} nodes: slowest has {share:.2} of the mean");
}

/// RING-4
#[test]
fn four_nodes() {
    check(4, 40);
}

/// RING-4
#[test]
fn sixteen_nodes() {
    check(16, 12);
}

/// RING-4
#[test]
fn sixty_four_nodes() {
    check(64, 6);
}
