// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar run`: processes of this computer, one on each node of a modelled ring.

mod args;
mod cluster;
mod finished;
mod line;
mod machine;
mod openmp;
mod pages;
mod process;
mod programs;
mod report;
mod ring;
mod rings;
mod starter;

pub(crate) use args::Args;

use super::sim::viewed;
use super::whole::{self, WholeFiles};
use super::{CliError, CliResult, Outcome, say, unfinished};
use args::Mapped;
use awgstar::quantity::NodeId;
use awgstar_program::{Computing, Forked, Monitor, Port, Slot, VARIABLE};
use awgstar_scenario::page::{Scene, Waves, html};
use awgstar_scenario::run::{Files, Folder, RunError, Sink};
use awgstar_simulator::reaper::Reaper;
use finished::{Events, Finished, Replicas, Wanted};
use line::Line;
use machine::Modelled;
use process::{Running, failure};
use report::Report;
use std::{
    io::{self, Write},
    os::{fd::AsRawFd, unix::process::ExitStatusExt},
    path::{Path, PathBuf},
    process::ExitStatus,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Time for processes to end after the run is over.
const GRACE: Duration = Duration::from_secs(2);

/// Refuses a run within a run, and a window of nothing.
fn check(args: &Args) -> Result<(), CliError> {
    // A process of a run would take its slot for one of the new run.
    if std::env::var_os(VARIABLE).is_some() {
        let what = "this is a process of another `awgstar run`: a run within a run is not possible";
        return Err(CliError::Usage(what.into()));
    }
    if args.window.is_some() && args.html.is_none() && args.pcapng.is_none() {
        return Err(CliError::Usage("--window: expected --html or --pcapng with it".into()));
    }
    Ok(())
}

/// The capture file of a run, or that of each ring.
fn capture_files(args: &Args, machine: &Modelled) -> Vec<PathBuf> {
    let of_ring = |path: &PathBuf, ring: usize| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("frames");
        path.with_file_name(format!("{stem}-ring{ring}.pcapng"))
    };
    match (&args.pcapng, machine.rings()) {
        (None, _) => Vec::new(),
        (Some(path), None) => vec![path.clone()],
        (Some(path), Some(rings)) => (0..rings).map(|ring| of_ring(path, ring)).collect(),
    }
}

/// Gives the capture files their names, and says that they are there.
fn end_captures(paths: &[PathBuf], frames: Vec<Mutex<WholeFiles>>) -> Result<(), CliError> {
    for (path, file) in paths.iter().zip(frames) {
        file.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
        say(format_args!("{}", path.display()));
    }
    Ok(())
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    check(args)?;
    let Some(nodes) = starter::nodes(args.nodes)? else { return Ok(Outcome::Holds) };
    let programs = programs::programs(nodes, &args.program)?;
    let machine = machine::machine(args, programs.len())?;
    let threads = args.openmp.then(|| openmp::program(&programs, args));
    let threads = threads.transpose()?;
    if threads.is_some() {
        openmp::check_order(machine.order())?;
    }
    out.flush()?;
    let pages: Vec<PathBuf> = args.html.iter().cloned().collect();
    let title = args.program.join(" ");
    unfinished::with_pages(&pages, &title, || launch(args, &programs, threads.as_ref(), &machine))
}

/// Runs the programs on the machine; `threads` is the program of an OpenMP run.
fn launch(
    args: &Args,
    programs: &[Vec<String>],
    threads: Option<&openmp::Program>,
    machine: &Modelled,
) -> CliResult {
    let offers = machine.offers();
    // Generation 1 keeps only what is written.
    if let Some(memory) = machine.replica().filter(|memory| !fits(*memory, programs.len())) {
        let what = format!(
            "memory: this computer has no room for {} replicas of {memory} bytes",
            programs.len()
        );
        return Err(CliError::Usage(what));
    }
    let paths = capture_files(args, machine);
    let frames = paths.iter().map(|path| WholeFiles::new([path]).map(Mutex::new));
    let frames: Vec<Mutex<WholeFiles>> = frames.collect::<Result<_, _>>()?;
    let slots = awgstar_program::forked_slots(programs.len(), offers, args.compute);
    let (fd, slots, forked) = slots.map_err(|e| CliError::Io {
        what: "memory shared with the processes".into(),
        source: e.into(),
    })?;
    let folder = args.report.as_ref().filter(|path| path.as_os_str() != "-");
    let monitor = Arc::new(if folder.is_some() || args.html.is_some() {
        Monitor::with_spans()
    } else {
        Monitor::default()
    });
    let shown = Line::new(&monitor);
    let reaper = Reaper::start().map_err(|source| CliError::Io {
        what: "the process that ends the others if this one is killed".into(),
        source,
    })?;
    let mut running: Vec<Running> = Vec::new();
    let mut ports = Vec::new();
    let mut workers = Vec::new();
    for ((node, words), slot) in NodeId::all(programs.len()).zip(programs).zip(&slots) {
        if let (Some(main), Some(_)) = (running.first(), threads) {
            let worker = openmp::Worker::new(&forked, node.index());
            let life = shown.beside(worker.life(main));
            workers.push(worker);
            ports.push(Port::new(slot.clone(), node, offers, life, Arc::clone(&monitor)));
            continue;
        }
        let mapped = [("AWGSTAR_MAPPED", args.mapped.name().to_owned())];
        let (words, environment) =
            threads.map_or((words, &mapped[..]), |one| (&one.words, &one.environment));
        let input = args.stdin.as_ref().map(|name| name.replace("{}", &node.to_string()));
        let place = (node.index(), fd.as_raw_fd());
        // Processes of one program have the same addresses; the library of OpenMP programs does more for that itself.
        let fixed = threads.is_none();
        let process = Running::start(&reaper, words, place, args.prefix, input, environment, fixed);
        let process = process.inspect_err(|_| awgstar_program::end(&slots))?;
        let life = shown.beside(process.life());
        running.push(process);
        ports.push(Port::new(slot.clone(), node, offers, life, Arc::clone(&monitor)));
    }
    let (records, page) = (args.vcd.is_some(), args.html.is_some());
    let captures: Vec<Sink<'_>> = frames.iter().map(|frames| Sink(frames)).collect();
    let wanted = Wanted { records, page, window: args.window, captures: &captures };
    let watch = &mut |now: awgstar::quantity::Nanoseconds| shown.at(now);
    let finished = machine.run(ports, &monitor, wanted, watch);
    shown.clear();
    awgstar_program::end(&slots);
    let end = Instant::now() + GRACE;
    // What a process does after a run that came to its end takes the time it takes.
    let well = finished.as_ref().is_ok_and(|finished| finished.stopped.is_none());
    let until = (!well || threads.is_some() || monitor.failed()).then_some(end);
    let mut statuses: Vec<_> = running.into_iter().map(|process| process.finish(until)).collect();
    statuses.extend(workers.iter().map(|worker| worker.finish(end)));
    let mut finished = finished?;
    let page = finished.page.take();
    end_captures(&paths, frames)?;
    if let Some(path) = &args.vcd {
        let mut folder = Folder::new(path.parent().unwrap_or(Path::new("")));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("run");
        machine::waves(&finished, programs.len(), &mut folder, stem)?;
        written(&folder);
    }
    if finished.under_way {
        say(format_args!("warning: not all that was written has arrived everywhere"));
    }
    let judged =
        Judged { args, monitor: &monitor, slots: &slots, statuses: &statuses, forked: &forked };
    let outcome = judged.outcome(&finished);
    let report = Report {
        machine: described(args, machine),
        programs,
        outcome: judged.words(&finished, &outcome),
        end: finished.end,
        monitor: &monitor,
        gateways: match &finished.events {
            Events::Rings { counts, .. } => Some(counts),
            Events::Cluster { counts, .. } => counts.as_ref(),
            _ => None,
        },
    };
    let rows = (!finished.blocks.is_empty()).then(|| {
        let program = programs.first().and_then(|words| words.first());
        let program = program.and_then(|name| openmp::found(name).ok());
        let functions = program.map(|path| pages::Functions::of(&path)).unwrap_or_default();
        pages::rows(&finished.blocks, &functions)
    });
    if args.report.is_some() {
        let mut errors = io::stderr().lock();
        errors.write_all(report.summary().as_bytes())?;
        if threads.is_some() {
            errors.write_all(report::traffic(&forked, programs.len()).as_bytes())?;
        }
        if let Some(rows) = &rows {
            errors.write_all(pages::text(rows).as_bytes())?;
        }
    }
    if args.summary.json {
        let mut json = report.json();
        if let (Some(rows), Some(all)) = (&rows, json.as_object_mut()) {
            all.insert("pages".into(), pages::json(rows));
        }
        say(format_args!("{json}"));
    }
    if let Some(path) = folder {
        write_report(path, &report)?;
    }
    if let (Some(path), Some(mut page)) = (&args.html, page) {
        report.add_to(&mut page, matches!(outcome, Ok(Outcome::Holds)));
        write_page(path, &page, args.vcd.as_deref())?;
    }
    outcome
}

/// What decides whether a run is good.
struct Judged<'a> {
    args: &'a Args,
    monitor: &'a Monitor,
    slots: &'a [Slot],
    statuses: &'a [Option<ExitStatus>],
    forked: &'a Forked,
}

impl Judged<'_> {
    /// The outcome of the command. Failures are said.
    fn outcome(&self, finished: &Finished) -> CliResult {
        let Judged { args, monitor, slots, statuses, forked } = *self;
        if args.openmp && !forked.loaded() {
            return Err(openmp::not_loaded());
        }
        let uncounted = matches!(args.compute, Computing::Counted { .. })
            && says_uncounted(monitor, slots, args.openmp);
        // Threads take what they share from the replicas.
        if let Some(Replicas::Differ(addr)) = finished.replicas
            && args.openmp
            && finished.stopped.is_none()
        {
            say(format_args!("error: replicas differ, at address {addr:#x} first"));
            return Ok(Outcome::Program(1));
        }
        if let Some(code) = forked.exit_code().filter(|&code| code != 0) {
            return Ok(Outcome::Program(code));
        }
        if forked.told() {
            // The library has said why.
            return Ok(Outcome::Program(1));
        }
        let outcome = if forked.exit_code().is_some() {
            failed_before_exit(statuses)
        } else {
            outcome_of(finished.stopped.as_deref(), monitor, statuses)
        };
        let failed = uncounted || forked.race();
        Ok(if failed && matches!(outcome, Outcome::Holds) { Outcome::Program(1) } else { outcome })
    }

    /// The outcome in words, for reports.
    fn words(&self, finished: &Finished, outcome: &CliResult) -> String {
        let memory = match finished.replicas {
            _ if finished.under_way => "not all that was written has arrived everywhere".into(),
            None => "each node has its own memory".into(),
            Some(Replicas::Equal) if matches!(finished.events, Events::Rings { .. }) => {
                "all replicas of each ring are equal".into()
            }
            Some(Replicas::Equal) => "all replicas are equal".into(),
            Some(Replicas::Differ(addr)) => format!("replicas differ, at address {addr:#x} first"),
        };
        let first = || {
            let mut all = self.statuses.iter().enumerate();
            all.find_map(|(node, status)| Some((node, status.and_then(failure)?.0)))
        };
        match (&finished.stopped, outcome) {
            (_, Err(error)) => format!("failed: {error}"),
            (None, Ok(Outcome::Holds)) => memory,
            (_, Ok(_)) if self.forked.race() => format!("failed: a data race; {memory}"),
            (Some(why), Ok(_)) => format!("stopped: {why}"),
            (None, Ok(Outcome::Program(code))) => match first() {
                Some((node, how)) => format!("failed: node {node}: {how}; {memory}"),
                None => format!("failed: exit code {code}; {memory}"),
            },
            (None, Ok(Outcome::Failed | Outcome::NotJudged)) => format!("failed; {memory}"),
        }
    }
}

/// One line that names the machine and what the options change.
fn described(args: &Args, machine: &Modelled) -> String {
    let mut text = machine.describe();
    if args.mapped == Mapped::Flush {
        text.push_str(", mapped windows flushed");
    }
    match args.compute {
        Computing::Told => text,
        Computing::Counted { thousandths } => {
            format!("{text}, computing counted ({} ns a block)", f64::from(thousandths) / 1000.0)
        }
        // A reader must not take it for a run that can be repeated.
        Computing::Measured { .. } => format!("{text}, computing measured (not reproducible)"),
    }
}

/// Names the processes whose computing was to be counted and was not: their times would be too short. A thread of
/// an OpenMP program may have nothing to compute.
fn says_uncounted(monitor: &Monitor, slots: &[Slot], openmp: bool) -> bool {
    if openmp && slots.iter().any(Slot::counts) {
        return false;
    }
    let joined = |node: NodeId| !monitor.usage(node).calls.is_empty();
    let nodes: Vec<String> = NodeId::all(slots.len())
        .zip(slots)
        .filter(|(node, slot)| joined(*node) && !slot.counts())
        .map(|(node, _)| format!("node {node}"))
        .collect();
    if !nodes.is_empty() {
        say(format_args!(
            "error: --compute counted: the program counts no blocks on {}: compile it with gcc -fsanitize-coverage=trace-pc",
            nodes.join(", ")
        ));
    }
    !nodes.is_empty()
}

/// The outcome after a thread has ended the program with code 0: the others end with the ring, or are killed,
/// which is no failure. Another signal is.
fn failed_before_exit(statuses: &[Option<ExitStatus>]) -> Outcome {
    const KILL: i32 = 9;
    for (node, status) in statuses.iter().enumerate() {
        let crash = |status: &ExitStatus| status.signal().is_some_and(|signal| signal != KILL);
        if let Some((how, code)) = status.filter(crash).and_then(failure) {
            say(format_args!("error: node {node}: {how}"));
            return Outcome::Program(code);
        }
    }
    Outcome::Holds
}

/// Returns true if the system can give so much memory; only what programs write takes place.
fn fits(memory: u32, replicas: usize) -> bool {
    let bytes = (memory as usize).checked_mul(replicas);
    bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Writes the report into a folder.
fn write_report(path: &Path, report: &Report<'_>) -> Result<(), RunError> {
    let mut folder = Folder::new(path);
    let files = [
        ("report.html", report.html()),
        ("report.txt", report.text()),
        ("timeline.svg", report.timeline()),
    ];
    for (name, text) in files {
        folder.write(name, text.as_bytes())?;
    }
    written(&folder);
    Ok(())
}

/// Writes the page of the run.
fn write_page(path: &Path, page: &Scene, vcd: Option<&Path>) -> Result<(), CliError> {
    let waves = Waves { make: None, vcd: vcd.map(|path| path.display().to_string()) };
    whole::write(path, html(page, &waves)?)?;
    say(format_args!("{}", path.display()));
    Ok(())
}

/// Says which files there are now; standard output belongs to the processes.
fn written(folder: &Folder) {
    for path in viewed(folder) {
        say(format_args!("{}", path.display()));
    }
}

/// The exit code of the process that ended the run, or else of the first that failed.
fn outcome_of(
    stopped: Option<&str>,
    monitor: &Monitor,
    statuses: &[Option<ExitStatus>],
) -> Outcome {
    let code = |status: &Option<ExitStatus>| status.and_then(failure).map(|(_, code)| code);
    let first = statuses.iter().find_map(code);
    let Some(why) = stopped else {
        return first.map_or(Outcome::Holds, Outcome::Program);
    };
    say(format_args!("error: {why}"));
    // Others fail because one did.
    let faulty = monitor.fault().and_then(|(node, _)| statuses.get(node.index())).and_then(code);
    Outcome::Program(faulty.or(first).unwrap_or(1))
}
