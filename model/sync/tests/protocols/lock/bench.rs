// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of lock machines, and what is said of their runs.

use awgstar_frame::contract::Order;
use awgstar_frame::quantity::NodeId;
use awgstar_sync::{
    check::{Kind, Network, Profile, Property, Report, Settings, Step, explore, listing},
    firmware::{
        Firmware,
        lock::{DistRepairs, Distributed, MasterWorker, MwRepairs, RingQueue},
    },
};

use crate::{snapshot, wrong};

pub(super) use Profile::{Acknowledged, Bare};

/// A lock on `nodes` nodes, each process once, no faults.
pub(super) const fn base(nodes: usize, profile: Profile) -> Settings {
    Settings { profile, rest: true, ..Settings::new(Kind::Lock, nodes) }
}

pub(super) fn network<F: Firmware>(
    settings: Settings,
    machine: impl Fn(u8, u32) -> F,
) -> Network<F> {
    let numbers = || (0..).step_by(settings.lock_step as usize).take(settings.locks);
    let locks = |node| numbers().map(|lock| machine(node, lock)).collect();
    Network { settings, machines: (0..).take(settings.nodes).map(locks).collect() }
}

/// Lock in master-worker style; node 0 is the master.
pub(super) fn mw(settings: Settings, order: Order, repairs: MwRepairs) -> Network<MasterWorker> {
    mw_at(0, settings, order, repairs)
}

/// Lock in master-worker style with this master.
pub(super) fn mw_at(
    master: u8,
    settings: Settings,
    order: Order,
    repairs: MwRepairs,
) -> Network<MasterWorker> {
    network(settings, |node, lock| {
        MasterWorker::new(NodeId(node), lock, NodeId(master), order, repairs)
    })
}

/// Lock in distributed style; node 0 has the right at the start.
pub(super) fn dist(settings: Settings, order: Order, repairs: DistRepairs) -> Network<Distributed> {
    dist_at(0, settings, order, repairs)
}

/// Lock in distributed style; this node has the right at the start.
pub(super) fn dist_at(
    first: u8,
    settings: Settings,
    order: Order,
    repairs: DistRepairs,
) -> Network<Distributed> {
    network(settings, |node, lock| {
        Distributed::new(NodeId(node), lock, NodeId(first), order, repairs)
    })
}

/// Ring queue lock; node 0 has the right at the start.
pub(super) fn queue(settings: Settings, order: Order) -> Network<RingQueue> {
    queue_at(0, settings, order)
}

/// Ring queue lock; this node has the right at the start.
pub(super) fn queue_at(first: u8, settings: Settings, order: Order) -> Network<RingQueue> {
    network(settings, |node, lock| RingQueue::new(NodeId(node), lock, NodeId(first), order))
}

/// What a run is of, in words for its heading.
fn words(s: &Settings) -> String {
    let many = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let board = if s.profile == Bare { "the board sends once" } else { "the board sends again" };
    let mut parts = vec![many(s.nodes, "node"), many(s.rounds.into(), "round"), board.to_string()];
    parts.extend(s.in_place.then(|| "acknowledged in place".to_string()));
    let faults = [(s.losses, "loss"), (s.early, "early timer"), (s.full, "full mailbox")];
    let faults = faults.into_iter().filter(|fault| fault.0 > 0);
    parts.extend(faults.map(|(count, one)| format!("{count} {one}")));
    parts.join(", ")
}

/// A shortest run, with a heading.
pub(super) fn shown(title: &str, s: &Settings, end: &str, run: &[Step]) -> String {
    format!("{title}\n{}\n\n{}\n{end}\n", words(s), listing(run, s.nodes))
}

/// What goes wrong in a ring.
pub(super) type Wrong = wrong::Wrong<Property>;

/// A ring in which something goes wrong, with the name that its shortest run is kept by.
pub(super) fn goes_wrong<F: Firmware>(name: &str, wrong: Wrong, network: &Network<F>) {
    let s = &network.settings;
    let (run, end) = wrong::run(name, network, LIMIT, wrong);
    println!("{:3} steps: {name}", run.len());
    snapshot::run("protocols-lock.md", name, &shown(name, s, &end, &run));
}

/// States after which an exploration is one for the longer list.
pub(super) const LIMIT: usize = 1_500_000;

/// Lines of a table of explorations.
pub(super) struct Lines(pub(super) String);

impl Lines {
    pub(super) fn new() -> Lines {
        Lines(
            "| lock | nodes | locks | rounds | board | losses | early | full | slow | data | states | steps | depth | all | breaks |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
                .to_string(),
        )
    }

    /// Explores: all states are reached, and exactly this goes wrong.
    pub(super) fn add<F: Firmware>(
        &mut self,
        name: &str,
        network: &Network<F>,
        limit: usize,
        expected: &[Wrong],
    ) {
        let started = std::time::Instant::now();
        let report = explore(network, limit);
        let line = line(name, &network.settings, &report);
        print!("{:6.2} s {line}", started.elapsed().as_secs_f32());
        assert!(!self.0.contains(&line), "listed twice: {line}");
        wrong::expect(&line, &report, expected, |run| shown(name, &network.settings, "", run));
        self.0 += &line;
    }

    /// As [`Lines::add`]: nothing goes wrong.
    pub(super) fn holds<F: Firmware>(&mut self, name: &str, network: &Network<F>, limit: usize) {
        self.add(name, network, limit, &[]);
    }
}

fn line(name: &str, s: &Settings, report: &Report<Property, Step>) -> String {
    let board = if s.profile == Bare { "bare" } else { "resends" };
    let slow = match s.slow {
        0 => "-".to_string(),
        one if one.is_power_of_two() => one.ilog2().to_string(),
        _ => "all".to_string(),
    };
    let far = if s.lock_step > 1 { format!(", {} apart", s.lock_step) } else { String::new() };
    let locks = format!("{}{far}", s.locks);
    let callers = match s.callers.count_ones() as usize {
        some if some < s.nodes => format!(", {some} callers"),
        _ => String::new(),
    };
    let descending = if s.descending { ", descending" } else { "" };
    format!(
        "| {name}{descending}{callers} | {} | {} | {} | {board} | {} | {} | {} | {slow} | {} | {} | {} | {} | {} | {} |\n",
        s.nodes,
        locks,
        s.rounds,
        s.losses,
        s.early,
        s.full,
        if s.data { "yes" } else { "-" },
        report.states,
        report.steps,
        report.depth,
        if report.exhausted { "yes" } else { "no" },
        wrong::words(report),
    )
}
