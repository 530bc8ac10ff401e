// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long after the last arrival the last process passes, in hops of a ring that loses nothing.

use crate::snapshot;
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::{
    Action, Event, Firmware, Message,
    barrier::{DistRepairs, Distributed, MasterWorker, Member, MwRepairs, Ring},
};
use std::{collections::VecDeque, fmt::Write as _};

/// A ring on which a frame takes one tick for each hop, and machines take none.
struct Lockstep<F> {
    machines: Vec<F>,
    links: Vec<VecDeque<Message>>,
    passed: Vec<u32>,
    now: u32,
}

impl<F: Firmware> Lockstep<F> {
    fn tell(&mut self, at: usize, event: Event) {
        let mut out = Vec::new();
        self.machines[at].step(event, &mut out);
        for action in out {
            match action {
                Action::Send(message, _) => self.links[at].push_back(message),
                Action::Passed => self.passed[at] = self.now,
                _ => {}
            }
        }
    }

    fn tick(&mut self) {
        self.now += 1;
        let nodes = self.machines.len();
        // All frames move at once.
        let moving: Vec<_> = self.links.iter_mut().map(std::mem::take).collect();
        for (from, frames) in moving.into_iter().enumerate() {
            let to = (from + 1) % nodes;
            for frame in frames {
                if frame.source.index() == to {
                    self.tell(to, Event::Returned(frame));
                } else {
                    self.links[to].push_back(frame);
                    if frame.reaches(NodeId(u8::try_from(to).expect("256 nodes at most"))) {
                        self.tell(to, Event::Signal(frame));
                    }
                }
            }
        }
    }
}

/// Ticks from the last of `arrivals` to the last pass.
fn ticks<F: Firmware>(machine: &impl Fn(Member) -> F, arrivals: &[u32]) -> u32 {
    let nodes = || NodeId::all(arrivals.len());
    let machines = nodes().map(|node| machine(Member::new(node, nodes().collect())));
    let mut ring = Lockstep {
        machines: machines.collect(),
        links: vec![VecDeque::new(); arrivals.len()],
        passed: vec![0; arrivals.len()],
        now: 0,
    };
    let last = *arrivals.iter().max().expect("there are nodes");
    while ring.passed.contains(&0) {
        ring.tick();
        for (node, &at) in arrivals.iter().enumerate() {
            if at == ring.now {
                ring.tell(node, Event::Arrive);
            }
        }
        let rotations = (ring.now.saturating_sub(last))
            / u32::try_from(arrivals.len() - 1).expect("few nodes").max(1);
        assert!(rotations < 20, "somebody waits for ever");
        assert!(ring.links.iter().all(|link| link.len() < 1000), "frames make more frames");
    }
    ring.passed.iter().max().expect("there are nodes") - last
}

/// Mean and worst over arrivals within `spread` ticks, in hops.
fn measure<F: Firmware>(machine: impl Fn(Member) -> F, nodes: u32, spread: u32) -> (f64, u32) {
    let mut random = 1_u32;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        1 + (random >> 8) % spread
    };
    let runs: Vec<u32> = (0..400)
        .map(|_| ticks(&machine, &(0..nodes).map(|_| next()).collect::<Vec<_>>()))
        .collect();
    (f64::from(runs.iter().sum::<u32>()) / 400.0, runs.into_iter().max().unwrap_or(0))
}

#[test]
fn the_ring_barrier_takes_n_minus_one_hops() {
    for nodes in [1, 2, 3, 5, 16] {
        for spread in [1, nodes, 10 * nodes] {
            let (mean, worst) = measure(Ring::new, nodes, spread);
            assert_eq!(worst, nodes - 1);
            assert!((mean - f64::from(worst)).abs() < 1e-9, "always: {mean}");
        }
    }
    let arrivals: Vec<u32> = (0..256).map(|node| 1 + node * 7 % 256).collect();
    assert_eq!(ticks(&Ring::new, &arrivals), 255);
}

#[test]
fn rotations_of_each_barrier() {
    let master_worker = |member| MasterWorker::new(member, NodeId(0), MwRepairs::ALL);
    let distributed = |member| Distributed::new(member, DistRepairs::ALL);
    let nodes = 16;
    let mut text =
        String::from("| arrivals within | barrier | mean | worst |\n|---|---|---:|---:|\n");
    for (spread, within) in [(1, "no time"), (16, "one rotation"), (160, "ten rotations")] {
        let all = [
            ("master-worker", measure(master_worker, nodes, spread)),
            ("distributed", measure(distributed, nodes, spread)),
            ("ring", measure(Ring::new, nodes, spread)),
        ];
        for (name, (mean, worst)) in all {
            let (mean, worst) = (mean / 16.0, f64::from(worst) / 16.0);
            let _ = writeln!(text, "| {within} | {name} | {mean:.2} | {worst:.2} |");
        }
    }
    snapshot::section("protocols-barrier.md", "latency", &text);
}
