// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar run`: processes of this computer, one on each node of a modelled ring.

mod machine;
mod process;
mod programs;
mod report;

use super::sim::{progress, vcd_file, viewed};
use super::{CliError, CliResult, Outcome, say};
use awgstar::quantity::NodeId;
use awgstar_cli::run::{Files, Folder, RunError};
use awgstar_program::{Monitor, Port, VARIABLE};
use process::{Running, failure};
use report::Report;
use std::{
    io::{self, Write},
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    process::ExitStatus,
    rc::Rc,
    time::{Duration, Instant},
};

#[derive(clap::Args)]
#[command(
    after_help = "A process joins the ring with awg_init() of libawgstar (docs/programs.md).\nExit code: that of the process that ended the run, or else of the first node that failed; 128 + N for signal N; 1 if the run failed otherwise; 2 for wrong usage.\n\nExamples:\n  awgstar run -n 4 -- ./pi 100000\n  awgstar run -n 1 -- ./producer : -n 3 -- ./consumer\n  awgstar run -n 8 --lock distributed --barrier master-worker --report -- ./counter\n  awgstar run -n 4 --machine gen1 --vcd pi.vcd --report pi-report -- ./pi 100000"
)]
pub(crate) struct Args {
    /// Nodes, 2 to 256, each with a process
    #[arg(short = 'n', long, value_name = "N")]
    nodes: usize,
    /// The machine: ring, cycle-accurate; gen1, generation 1 of the thesis [default: ring]
    #[arg(long, value_name = "MACHINE")]
    machine: Option<String>,
    /// The machine from a scenario file without programs: fibre, faults, settings of boards
    #[arg(long, value_name = "FILE.toml", conflicts_with = "fibre_m")]
    ring: Option<PathBuf>,
    /// Protocol of the locks: queue, distributed or master-worker [default: queue]
    #[arg(long, value_name = "LOCK")]
    lock: Option<String>,
    /// Protocol of the barrier: ring, distributed or master-worker [default: ring]
    #[arg(long, value_name = "BARRIER")]
    barrier: Option<String>,
    /// How an unlock or an arrival is ordered after the data written before: none, sent or confirmed [default: confirmed]
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
    /// Length of each fibre in m, 0 to 10000 [default: 10]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    fibre_m: Option<u32>,
    /// Begin every line that a process prints with its node
    #[arg(long)]
    prefix: bool,
    /// Print at the end, to standard error, what each process did; with a folder, write a report with
    /// time lines there too
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "-")]
    report: Option<PathBuf>,
    /// Write waves of processes, locks and barriers to this file, with its save file beside it
    #[arg(long, value_name = "FILE.vcd", value_parser = vcd_file)]
    vcd: Option<PathBuf>,
    /// Program and arguments; after `:` -n N and another program
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

/// Time for processes to end after the run is over.
const GRACE: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    // A process of a run would take its slot for one of the new run.
    if std::env::var_os(VARIABLE).is_some() {
        let what = "this is a process of another `awgstar run`: a run within a run is not possible";
        return Err(CliError::Usage(what.into()));
    }
    let programs = programs::programs(args.nodes, &args.program)?;
    let machine = machine::machine(args, programs.len())?;
    out.flush()?;
    let memory = machine::memory(&machine);
    let slots = awgstar_program::slots(programs.len(), memory);
    let (fd, slots) = slots.map_err(|e| CliError::Io {
        what: "memory shared with the processes".into(),
        source: e.into(),
    })?;
    let folder = args.report.as_ref().filter(|path| path.as_os_str() != "-");
    let monitor =
        Rc::new(if folder.is_some() { Monitor::with_spans() } else { Monitor::default() });
    let mut running: Vec<Running> = Vec::new();
    let mut ports = Vec::new();
    for ((node, words), slot) in NodeId::all(programs.len()).zip(&programs).zip(&slots) {
        let process = Running::start(words, node.index(), fd.as_raw_fd(), args.prefix);
        let process = process.inspect_err(|_| awgstar_program::end(&slots))?;
        let life = process.life();
        running.push(process);
        ports.push(Port::new(slot.clone(), node, memory, life, Rc::clone(&monitor)));
    }
    let bar = progress(0, "us on the ring");
    let watch = &mut |now: awgstar::quantity::Nanoseconds| bar.set_position(now.0 / 1000);
    let finished = machine::run(&machine, ports, &monitor, args.vcd.is_some(), watch);
    bar.finish_and_clear();
    awgstar_program::end(&slots);
    let end = Instant::now() + GRACE;
    let statuses: Vec<_> = running.into_iter().map(|process| process.finish(end)).collect();
    let finished = finished?;
    if let Some(path) = &args.vcd {
        let mut folder = Folder::new(path.parent().unwrap_or(Path::new("")));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("run");
        machine::waves(&finished, programs.len(), &mut folder, stem)?;
        written(&folder);
    }
    let outcome = match (&finished.stopped, finished.differ) {
        (Some(why), _) => format!("stopped: {why}"),
        (None, None) => "all replicas are equal".into(),
        (None, Some(addr)) => format!("replicas differ, at address {addr:#x} first"),
    };
    let report = Report {
        machine: machine::describe(&machine),
        programs: &programs,
        outcome,
        end: finished.end,
        monitor: &monitor,
    };
    if args.report.is_some() {
        io::stderr().lock().write_all(report.summary().as_bytes())?;
    }
    if let Some(path) = folder {
        let mut folder = Folder::new(path);
        let files = [
            ("report.html", report.html()),
            ("report.txt", report.text()),
            ("timeline.svg", report.timeline()),
        ];
        for (name, text) in files {
            folder.write(name, text.as_bytes()).map_err(RunError::Io)?;
        }
        written(&folder);
    }
    Ok(outcome_of(finished.stopped.as_deref(), &monitor, &statuses))
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
