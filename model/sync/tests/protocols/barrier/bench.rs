// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of barrier machines, and what is kept of their runs.

use crate::{snapshot, wrong};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::NodeId;
use awgstar_sync::{
    check::{Kind, Network, Profile, Property, Settings, explore, listing},
    firmware::{
        Action, Event, Firmware,
        barrier::{DistRepairs, Distributed, MasterWorker, Member, MwRepairs, Nodes, Ring},
    },
};
use std::fmt::Write as _;

pub(super) use Profile::{Acknowledged, Bare};

/// States after which an exploration is one for the longer list.
pub(super) const LIMIT: usize = 1_000_000;

/// A barrier of `nodes` nodes, two episodes, no faults.
pub(super) const fn base(nodes: usize, profile: Profile) -> Settings {
    let settings = Settings::new(Kind::Barrier, nodes);
    Settings { rounds: 2, profile, drained: true, unaided: true, rest: true, ..settings }
}

/// A machine whose being main is not looked at: where a mailbox is full, two may be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Anyone<F>(F);

impl<F: Firmware> Firmware for Anyone<F> {
    fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        self.0.step(event, out);
    }

    fn summary(&self) -> String {
        self.0.summary()
    }
}

/// How all members of a ring of machines are made.
#[derive(Clone, Copy)]
pub(super) struct Bench {
    pub(super) settings: Settings,
    /// The first episode.
    pub(super) from: u16,
    pub(super) arrivals: Order,
    pub(super) releases: Order,
}

/// With the orders that are the default.
pub(super) const fn bench(settings: Settings) -> Bench {
    Bench { settings, from: 0, arrivals: Order::Confirmed, releases: Order::Sent }
}

impl Bench {
    fn network<F>(self, machine: impl Fn(Member) -> F) -> Network<F> {
        let nodes = || NodeId::all(self.settings.nodes);
        let members: Nodes = nodes().collect();
        let member = |node| Member {
            episode: self.from,
            arrivals: self.arrivals,
            releases: self.releases,
            ..Member::new(node, members)
        };
        let machines = nodes().map(|node| vec![machine(member(node))]).collect();
        Network { settings: self.settings, machines }
    }

    /// Node 0 is the master.
    pub(super) fn mw(self, repairs: MwRepairs) -> Network<MasterWorker> {
        self.mw_at(0, repairs)
    }

    fn mw_at(self, master: u8, repairs: MwRepairs) -> Network<MasterWorker> {
        self.network(|member| MasterWorker::new(member, NodeId(master), repairs))
    }

    pub(super) fn dist(self, repairs: DistRepairs) -> Network<Distributed> {
        self.network(|member| Distributed::new(member, repairs))
    }

    pub(super) fn anyone(self, repairs: DistRepairs) -> Network<Anyone<Distributed>> {
        self.network(|member| Anyone(Distributed::new(member, repairs)))
    }

    pub(super) fn ring(self) -> Network<Ring> {
        self.network(Ring::new)
    }
}

fn words(s: &Settings) -> String {
    let board = if s.profile == Bare { "bare" } else { "resends" };
    let many = if s.rounds == 1 { "" } else { "s" };
    let mut text = format!("{} nodes, {} episode{many}, {board}", s.nodes, s.rounds);
    for (count, what) in [(s.losses, "lost"), (s.early, "early"), (s.full, "mailbox full")] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    match s.slow {
        0 => {}
        one if one.is_power_of_two() => {
            let _ = write!(text, ", node {} slow", one.ilog2());
        }
        _ => text.push_str(", all slow"),
    }
    if s.descending {
        text.push_str(", descending");
    }
    if s.data {
        text.push_str(", data");
    }
    text
}

/// What goes wrong.
pub(super) type Wrong = wrong::Wrong<Property>;

pub(super) const TOGETHER: Wrong = Wrong::Breaks(Property::Together);
pub(super) const TWO_MAINS: Wrong = Wrong::Breaks(Property::OneLeader);
pub(super) const UNSEEN: Wrong = Wrong::Breaks(Property::Visible);

/// Finds the shortest run in which something goes wrong, and compares it with `runs/NAME.txt`.
pub(super) fn goes_wrong<F: Firmware>(name: &str, title: &str, wrong: Wrong, network: &Network<F>) {
    let (run, end) = wrong::run(name, network, LIMIT, wrong);
    let end = match wrong {
        Wrong::Breaks(Property::Together) => "It passes before all have arrived.",
        Wrong::Breaks(Property::OneLeader) => "It is the second main process of this episode.",
        Wrong::Breaks(Property::Visible) => "It passes and misses what another one wrote.",
        Wrong::Stuck => "From here not all can pass any more, however long they wait.",
        Wrong::Breaks(_) | Wrong::Livelock => &end,
    };
    println!("{:3} steps: {name}", run.len());
    let s = &network.settings;
    let text = format!("{title}\n{}\n\n{}\n{end}\n", words(s), listing(&run, s.nodes));
    snapshot::run("protocols-barrier.md", name, &text);
}

/// Exactly this goes wrong.
pub(super) fn breaks_so<F: Firmware>(name: &str, expected: &[Wrong], network: &Network<F>) {
    let found = explore(network, LIMIT);
    let s = &network.settings;
    let case = format!("{name}, {}: {}", words(s), wrong::words(&found));
    println!("{case}");
    wrong::expect(&case, &found, expected, |run| listing(run, s.nodes));
}

/// Lines of a table of explorations.
pub(super) struct Lines {
    text: String,
    limit: usize,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Lines {
        let text =
            "| barrier | ring | states | steps | depth | all |\n|---|---|---:|---:|---:|---|\n";
        Lines { text: text.to_string(), limit }
    }

    /// Explores, and says what was seen: nothing may be broken.
    fn holds<F: Firmware>(&mut self, name: &str, from: u16, network: &Network<F>) {
        let started = std::time::Instant::now();
        let found = explore(network, self.limit);
        let s = &network.settings;
        let mut ring = words(s);
        if from > 0 {
            let _ = write!(ring, ", from episode {from}");
        }
        let all = if found.exhausted { "yes" } else { "no" };
        let line = format!(
            "| {name} | {ring} | {} | {} | {} | {all} |\n",
            found.states, found.steps, found.depth
        );
        print!("{:6.2} s {line}", started.elapsed().as_secs_f32());
        self.text += &line;
        wrong::expect(&line, &found, &[], |run| listing(run, s.nodes));
    }

    pub(super) fn mw(&mut self, bench: Bench) {
        self.holds("master-worker", bench.from, &bench.mw(MwRepairs::ALL));
    }

    pub(super) fn mw_at(&mut self, master: u8, bench: Bench) {
        let name = format!("master-worker, master {master}");
        self.holds(&name, bench.from, &bench.mw_at(master, MwRepairs::ALL));
    }

    pub(super) fn dist(&mut self, bench: Bench) {
        if bench.settings.full > 0 {
            self.holds("distributed", bench.from, &bench.anyone(DistRepairs::ALL));
        } else {
            self.holds("distributed", bench.from, &bench.dist(DistRepairs::ALL));
        }
    }

    pub(super) fn ring(&mut self, bench: Bench) {
        self.holds("ring", bench.from, &bench.ring());
    }

    pub(super) fn each(&mut self, bench: Bench) {
        self.mw(bench);
        self.dist(bench);
        self.ring(bench);
    }

    pub(super) fn keep(&self, name: &str) {
        snapshot::section("protocols-barrier.md", name, &self.text);
    }
}
