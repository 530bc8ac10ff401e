// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings with virtual shared memory, and what is said of their runs.

use awgstar_sync::{
    check::{
        Profile, Report, Step, explore, listing,
        paging::{Network, Property, Settings, What},
    },
    firmware::paging::Repairs,
};

use crate::{snapshot, wrong};

pub(super) use Profile::{Acknowledged, Bare};

/// States after which an exploration is one for the longer list.
pub(super) const LIMIT: usize = 1_500_000;

/// What goes wrong in a ring.
pub(super) type Wrong = wrong::Wrong<Property>;

fn network(settings: &Settings) -> Network {
    Network::new(settings.clone()).expect("settings of a ring")
}

/// What a run is of, in words for its heading.
fn words(s: &Settings) -> String {
    let many = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let board = if s.profile == Bare { "the board sends once" } else { "the board sends again" };
    let pages = many(s.pages.into(), "page");
    let room = format!("{pages}, room for {}", s.frames);
    let mut parts = vec![many(s.nodes(), "node"), room, board.to_string()];
    for (node, script) in s.scripts.iter().enumerate().filter(|one| !one.1.is_empty()) {
        parts.push(format!("process {node} accesses {script:?}"));
    }
    let faults = [(s.losses, "loss"), (s.early, "early timer"), (s.full, "full mailbox")];
    parts.extend(
        faults.into_iter().filter(|fault| fault.0 > 0).map(|(n, one)| format!("{n} {one}")),
    );
    parts.join(", ")
}

pub(super) fn shown(title: &str, s: &Settings, end: &str, run: &[Step<What>]) -> String {
    format!("{title}\n{}\n\n{}\n{end}\n", words(s), listing(run, s.nodes()))
}

/// A ring in which something goes wrong, with the name that its shortest run is kept by.
pub(super) fn goes_wrong(name: &str, wrong: Wrong, settings: &Settings) {
    let network = network(settings);
    let (run, end) = wrong::run(name, &network, LIMIT, wrong);
    println!("{:3} steps: {name}", run.len());
    snapshot::run("paging.md", name, &shown(name, settings, &end, &run));
}

/// Lines of a table of explorations.
pub(super) struct Lines(pub(super) String);

impl Lines {
    pub(super) fn new() -> Lines {
        Lines(
            "| nodes | pages | room | accesses | lets go | board | losses | early | full | slow | states | steps | depth | all | breaks |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
                .to_string(),
        )
    }

    /// Explores: all states are reached, and exactly this goes wrong.
    pub(super) fn add(&mut self, settings: &Settings, limit: usize, expected: &[Wrong]) {
        let started = std::time::Instant::now();
        let report = explore(&network(settings), limit);
        let line = line(settings, &report);
        print!("{:6.2} s {line}", started.elapsed().as_secs_f32());
        wrong::expect(&line, &report, expected, |run| shown("", settings, "", run));
        self.0 += &line;
    }

    /// As [`Lines::add`]: nothing goes wrong.
    pub(super) fn holds(&mut self, settings: &Settings, limit: usize) {
        self.add(settings, limit, &[]);
    }
}

fn line(s: &Settings, report: &Report<Property, Step<What>>) -> String {
    let scripts: Vec<String> = s
        .scripts
        .iter()
        .map(|script| script.iter().map(u16::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
        s.nodes(),
        s.pages,
        s.frames,
        scripts.join(" / "),
        if s.lets_go { "each" } else { "last" },
        if s.profile == Bare { "bare" } else { "resends" },
        s.losses,
        s.early,
        s.full,
        if s.slow { "yes" } else { "-" },
        report.states,
        report.steps,
        report.depth,
        if report.exhausted { "yes" } else { "no" },
        wrong::words(report),
    )
}

/// The same ring with other repairs.
pub(super) fn with(settings: &Settings, repairs: Repairs) -> Settings {
    Settings { repairs, ..settings.clone() }
}
