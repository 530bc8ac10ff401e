// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every run of the primitives with 2 to 4 processes (MBX-4 to MBX-8): what is wrong as published, and
//! that each repair is needed.

use crate::{
    snapshot,
    wrong::{self, Wrong},
};
use awgstar_sync::check::explore;
use awgstar_thesis::check::{
    MailNetwork,
    MailProperty::{self, Exclusion, Together},
    MailSettings, mail_listing,
};
use awgstar_thesis::gen1::mailbox::{
    MailRepairs,
    Primitive::{self, Barrier, Lock, Unlock},
};
use std::fmt::Write as _;

const LIMIT: usize = 1_500_000;
const ONCE: [Primitive; 2] = [Lock(1), Unlock(1)];
const TWICE: [Primitive; 4] = [Lock(1), Unlock(1), Lock(1), Unlock(1)];
const MIXED: [Primitive; 3] = [Lock(1), Unlock(1), Barrier];
const EPISODES: [Primitive; 2] = [Barrier, Barrier];

use Wrong::{Breaks, Livelock, Stuck};

fn words(s: &MailSettings) -> String {
    let programs = s.programs.iter().map(|program| {
        let requests: Vec<String> = program.iter().map(|r| r.text()).collect();
        if requests.is_empty() { "nothing".into() } else { requests.join(", ") }
    });
    let mut text = String::new();
    for (process, program) in programs.enumerate() {
        let _ = writeln!(text, "process {process}: {program}");
    }
    if s.apart {
        text.push_str("a signal may come before its words\n");
    }
    if s.twice > 0 {
        let _ = writeln!(text, "{} signal comes twice", s.twice);
    }
    text
}

/// The shortest run to what goes wrong is the one that is kept.
fn goes_wrong(
    name: &str,
    wrong: Wrong<MailProperty>,
    settings: &MailSettings,
    repairs: MailRepairs,
) {
    let network = MailNetwork { settings: settings.clone(), repairs };
    let (run, end) = wrong::run(name, &network, LIMIT, wrong);
    let listing = mail_listing(&run, settings.programs.len());
    snapshot::run("current.md", name, &format!("{name}\n{}\n{listing}\n{end}\n", words(settings)));
}

fn all(processes: usize, program: &[Primitive]) -> MailSettings {
    MailSettings::all(processes, program)
}

/// The workers do this; the main thread of the master does nothing.
fn workers(processes: usize, program: &[Primitive]) -> MailSettings {
    let mut settings = all(processes, program);
    settings.programs[0].clear();
    settings
}

#[test]
fn as_printed() {
    let printed = MailRepairs::NONE;
    goes_wrong("mail_printed_lost_request", Stuck, &workers(3, &ONCE), printed);
    let others = [Lock(1), Unlock(1), Lock(2), Unlock(2), Lock(1)];
    goes_wrong("mail_printed_overwritten", Stuck, &workers(2, &others), printed);
    goes_wrong("mail_printed_two_threads", Breaks(Exclusion), &all(2, &ONCE), printed);
    goes_wrong("mail_printed_barrier_flag", Stuck, &all(2, &[Barrier]), printed);
    let ahead = MailSettings { apart: true, ..workers(2, &ONCE) };
    goes_wrong("mail_printed_ahead", Stuck, &ahead, printed);
    let early = MailSettings { twice: 1, ..all(2, &EPISODES) };
    goes_wrong("mail_printed_twice", Breaks(Together), &early, printed);
}

/// All repairs but the timeout. They are enough where a signal comes once and after its words.
const NO_TIMEOUT: MailRepairs = MailRepairs::ALL.without(MailRepairs::ASK_AGAIN);

/// Each repair alone taken out; `queued` together with the timeout, which would mend what is lost.
#[test]
fn each_repair_is_needed() {
    let numbered = MailSettings { apart: true, ..workers(2, &TWICE) };
    let cases = [
        (MailRepairs::QUEUED, Stuck, workers(3, &ONCE)),
        (MailRepairs::ANSWERED, Stuck, workers(2, &TWICE)),
        (MailRepairs::NUMBERED, Stuck, numbered),
        (MailRepairs::ONE_AT_A_TIME, Breaks(Exclusion), all(2, &ONCE)),
        (MailRepairs::ASK_AGAIN, Livelock, MailSettings { twice: 1, ..workers(2, &ONCE) }),
    ];
    let all = MailRepairs::ALL;
    for (repair, wrong, settings) in cases {
        let rest = if repair == MailRepairs::QUEUED { NO_TIMEOUT } else { all };
        let (_, name) = MailRepairs::LIST.iter().find(|one| one.0 == repair).unwrap();
        let name = format!("mail_without_{name}");
        goes_wrong(&name, wrong, &settings, rest.without(repair));
        let network = MailNetwork { settings, repairs: rest };
        assert!(explore(&network, LIMIT).holds(), "{name}");
    }
}

/// Explorations of the repaired primitives, as a table: nothing is broken, and each strongly fair run
/// ends.
fn holds(
    section: &str,
    limit: usize,
    cases: impl IntoIterator<Item = (usize, Vec<Primitive>, bool, u8)>,
) {
    let mut text = String::from(
        "| processes | program of each | signals apart | twice | states | steps | depth | all |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for (processes, program, apart, twice) in cases {
        let settings = MailSettings { apart, twice, ..all(processes, &program) };
        let network = MailNetwork { settings, repairs: MailRepairs::ALL };
        let started = std::time::Instant::now();
        let report = explore(&network, limit);
        let requests: Vec<String> = program.iter().map(|r| r.text()).collect();
        let line = format!(
            "| {processes} | {} | {} | {twice} | {} | {} | {} | {} |\n",
            requests.join(", "),
            if apart { "yes" } else { "-" },
            report.states,
            report.steps,
            report.depth,
            if report.exhausted { "yes" } else { "no" },
        );
        print!("{:6.2} s {line}", started.elapsed().as_secs_f32());
        wrong::expect(&line, &report, &[], |run| mail_listing(run, processes));
        if !apart && twice == 0 {
            let network = MailNetwork { repairs: NO_TIMEOUT, ..network };
            assert!(explore(&network, limit).holds(), "without a timeout: {line}");
        }
        text += &line;
    }
    snapshot::section("current.md", section, &text);
}

fn programs() -> [Vec<Primitive>; 5] {
    // Their numbers agree in the low 16 bits.
    let two_locks = vec![Lock(1), Lock(65_537), Unlock(65_537), Unlock(1)];
    [ONCE.into(), TWICE.into(), EPISODES.into(), MIXED.into(), two_locks]
}

#[test]
fn repaired() {
    let mut cases = Vec::new();
    for processes in [2, 3, 4] {
        for program in programs() {
            for (apart, twice) in [(false, 0), (false, 1), (true, 0), (true, 2)] {
                let much = apart || twice > 0;
                let few = match processes {
                    2 => true,
                    3 => twice < 2 && (program.len() < 4 || twice == 0),
                    _ => program.len() < 3 && !much,
                };
                if few {
                    cases.push((processes, program.clone(), apart, twice));
                }
            }
        }
    }
    holds("mailbox repaired", LIMIT, cases);
}

/// What takes longer: run with `--ignored`, in a release build.
#[test]
#[ignore = "some minutes"]
fn repaired_longer() {
    let [once, twice, episodes, mixed, two_locks] = programs();
    let three = [&once, &twice, &episodes, &mixed, &two_locks];
    let three = three.map(|program| (3, program.clone(), true, 2));
    let four = [&once, &episodes, &mixed].map(|program| (4, program.clone(), false, 1));
    let apart = [&once, &episodes, &mixed].map(|program| (4, program.clone(), true, 0));
    let more = [
        (4, mixed.clone(), false, 0),
        (4, two_locks.clone(), false, 0),
        (4, twice.clone(), false, 0),
    ];
    holds("mailbox longer", 10_000_000, three.into_iter().chain(four).chain(apart).chain(more));
}
