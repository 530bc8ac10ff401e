// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gateways that die: a standby takes over, or the run says who waits.

use super::{Step, mesh, round, run, run_with};
use awgstar_board::ring::boards::Dead;
use awgstar_frame::quantity::Cycle;
use awgstar_rings::machine::{Counts, Mesh};

fn with_standby(rings: usize, boards: usize) -> Mesh {
    Mesh { standby: true, locks: 0, timeout: Cycle(3_000), ..mesh(rings, boards) }
}

fn dies(ring: usize, at: u64) -> (usize, Dead) {
    (ring, Dead { board: 0, cycle: Cycle(at) })
}

/// The steps of processes on nodes from 1 on, by those on nodes from 2 on.
fn moved(steps: impl Fn(u16, u8) -> Vec<Step>) -> impl Fn(u16, u8) -> Vec<Step> {
    move |ring, node| steps(ring, node - 1)
}

#[test]
fn a_standby_takes_over() {
    let mesh = with_standby(3, 4);
    let steps = || moved(round(3, 3, 3));
    let (log, counts, end) = run(&mesh, 1, steps()).unwrap();
    assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 6 * 3 * 11));
    assert_eq!((counts.deaths, counts.take_overs), (0, 0));
    let mut all = Counts::default();
    for seed in 0..40_u64 {
        let at = |ring: u64| 8_000 + (seed * 7_919 * (ring + 3)) % (end.0 - 8_000);
        let which: Vec<usize> = (0..3).filter(|ring| (seed + 1) >> ring & 1 == 1).collect();
        let deaths: Vec<_> = which.iter().map(|&ring| dies(ring, at(ring as u64))).collect();
        let ran = run_with(&mesh, 1, &deaths, steps());
        let (log, counts, _) = ran.unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 6 * 3 * 11), "{seed}");
        all.deaths += counts.deaths;
        all.take_overs += counts.take_overs;
        all.recovered += counts.recovered;
    }
    assert!(all.take_overs > 30, "{all:?}");
    println!("{all:?} {end}");
}
