//! Rings with virtual shared memory, and what is said of their runs.

use awgstar::{
    check::{
        Profile, Report, Step, explore, find, listing,
        paging::{Network, Property, Settings, What},
    },
    firmware::paging::Repairs,
};

use crate::snapshot;

pub(super) use Profile::{Acknowledged, Bare};

/// States after which an exploration is one for the longer list.
pub(super) const LIMIT: usize = 1_500_000;

/// What goes wrong in a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// This is broken.
    Breaks(Property),
    /// The end cannot be reached any more.
    Stuck,
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
    let faults = [(s.losses, "loss"), (s.early, "early timer")];
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
    let network = Network { settings: settings.clone() };
    let run = match wrong {
        Wrong::Breaks(property) => find(&network, LIMIT, property),
        Wrong::Stuck => explore(&network, LIMIT).stuck,
    };
    let run = run.unwrap_or_else(|| panic!("{name}: expected {wrong:?}, found nothing"));
    let end = match wrong {
        Wrong::Breaks(property) => format!("{property:?} is broken."),
        Wrong::Stuck => "From here the end cannot be reached.".to_string(),
    };
    println!("{:3} steps: {name}", run.len());
    snapshot::run("paging.md", name, &shown(name, settings, &end, &run));
}

/// Lines of a table of explorations.
pub(super) struct Lines(pub(super) String);

impl Lines {
    pub(super) fn new() -> Lines {
        Lines(
            "| nodes | pages | room | accesses | lets go | board | losses | early | states | steps | depth | all | breaks |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
                .to_string(),
        )
    }

    /// Explores, and says what was seen.
    pub(super) fn add(
        &mut self,
        settings: &Settings,
        limit: usize,
    ) -> Report<Property, Step<What>> {
        let started = std::time::Instant::now();
        let report = explore(&Network { settings: settings.clone() }, limit);
        let line = line(settings, &report);
        print!("{:6.2} s {line}", started.elapsed().as_secs_f32());
        self.0 += &line;
        report
    }

    /// As [`Lines::add`]: nothing may be broken, and all states must have been reached.
    pub(super) fn holds(&mut self, settings: &Settings, limit: usize) {
        let report = self.add(settings, limit);
        let run = report.broken.first().map(|(property, run)| (Some(*property), run));
        let run = run.or(report.stuck.as_ref().map(|run| (None, run)));
        if let Some((property, run)) = run {
            panic!("{}", shown("should hold", settings, &format!("{property:?}"), run));
        }
        assert!(report.exhausted, "more than {limit} states: {settings:?}");
    }
}

fn line(s: &Settings, report: &Report<Property, Step<What>>) -> String {
    let broken = report.broken.iter().map(|(property, run)| format!("{property:?} {}", run.len()));
    let stuck = report.stuck.iter().map(|run| format!("stuck {}", run.len()));
    let breaks: Vec<String> = broken.chain(stuck).collect();
    let breaks = if breaks.is_empty() { "-".to_string() } else { breaks.join(", ") };
    let scripts: Vec<String> = s
        .scripts
        .iter()
        .map(|script| script.iter().map(u16::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {breaks} |\n",
        s.nodes(),
        s.pages,
        s.frames,
        scripts.join(" / "),
        if s.lets_go { "each" } else { "last" },
        if s.profile == Bare { "bare" } else { "resends" },
        s.losses,
        s.early,
        report.states,
        report.steps,
        report.depth,
        if report.exhausted { "yes" } else { "no" },
    )
}

/// The same ring with other repairs.
pub(super) fn with(settings: &Settings, repairs: Repairs) -> Settings {
    Settings { repairs, ..settings.clone() }
}
