// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar conform`: the conformance suite on third-party RTL (CNF-1 to CNF-6).

use super::{
    CliError, CliResult, Outcome, choice::Tool, number, on_terminal, output, shard, unfinished,
    whole,
};
use awgstar::rtl::Parameters;
use awgstar_cli::work::Work;
use awgstar_lockstep::conform;
use awgstar_lockstep::conform::{Dut, Module, Verdict, html, junit, text};
use awgstar_simulator::{Shard, SimError};
use clap::builder::PossibleValuesParser;
use std::{io::Write, path::PathBuf, thread, time::Duration};

#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 it passes, 1 it fails, 2 it was not judged: a part that a parameter enables never acted, wrong usage, a file, module or program is missing, a simulator cannot read it or was ended, its time was over, or it names something outside itself.\n\nExamples:\n  awgstar conform --dut hdl/frame_tx.v hdl/crc32.v --top frame_tx --module frame_tx --sim icarus\n  awgstar conform --dut rtl/*.v --top ring_node --module ring_node --sim verilator --junit conform.xml --html conform.html"
)]
pub(crate) struct Args {
    /// Files of the design, in the order in which they are compiled
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    dut: Vec<PathBuf>,
    /// Name of the design's top module
    #[arg(long, value_name = "NAME")]
    top: String,
    /// The module that the design is to be
    #[arg(long, value_parser = PossibleValuesParser::new(Module::NAMES))]
    module: String,
    /// Simulator
    #[arg(long, value_enum, value_name = "SIMULATOR")]
    sim: Tool,
    /// Folder of files that the design includes, may be repeated; hdl/include is searched last
    #[arg(long = "include", value_name = "DIR")]
    includes: Vec<PathBuf>,
    /// Write a `JUnit` file for the CI
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    junit: Option<PathBuf>,
    /// Write an HTML report
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    html: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Seed of random cases, of gaps and of the values on don't-care inputs
    #[arg(long, default_value_t = 1, value_parser = number::any_32())]
    seed: u32,
    /// Number of random cases; not for `crc32`, `frame_tx` and `frame_rx`
    #[arg(long, value_name = "N", value_parser = number::within::<u32>(0..=100_000))]
    cases: Option<u32>,
    /// A parameter of the module that the design was built with, or is to be given; may be
    /// repeated
    #[arg(long = "param", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// Only classes of vectors, or cases, whose names begin so; may be repeated
    #[arg(long, value_name = "START")]
    only: Vec<String>,
    /// Seconds of processor time after which a run of the simulator counts as hanging; 8 times as many if it only waits
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = number::within::<u64>(1..=86_400))]
    limit: u64,
    /// Root of the repository
    #[arg(long, default_value = ".")]
    pub(super) root: PathBuf,
    #[command(flatten)]
    pub(super) part: shard::ShardArgs,
}

pub(super) fn run(args: &Args, work: &Work, out: &mut dyn Write) -> CliResult {
    let pages: Vec<PathBuf> = args.html.iter().cloned().collect();
    let title = format!("{}: is it a {}?", args.top, args.module);
    unfinished::with_pages(&pages, &title, || judge(args, work, out))
}

fn judge(args: &Args, work: &Work, out: &mut dyn Write) -> CliResult {
    let module = Module::named(&args.module)
        .ok_or_else(|| CliError::Usage(format!("--module: no module `{}`", args.module)))?;
    if let (Module::Golden(_), Some(_)) = (module, args.cases) {
        let why = "--cases does not apply: it is not for --module crc32, frame_tx and frame_rx";
        return Err(CliError::Usage(why.into()));
    }
    let simulator = args.sim.simulator();
    let terminal = on_terminal();
    let progress = |name: &str| {
        if terminal {
            eprint!("\r\x1b[K{name}");
        }
    };
    let parameters = Parameters::DEFAULT.parse(&args.module, &args.parameters)?;
    let options = |shard| conform::Options {
        root: args.root.clone(),
        simulator,
        seed: args.seed,
        cases: args.cases.map(|n| n as usize),
        only: args.only.clone(),
        parameters,
        shard,
        limit: Duration::from_secs(args.limit),
        threads: thread::available_parallelism().map_or(2, usize::from),
        progress: &progress,
    };
    // Each part is one item, because parts are runs of the simulator with a compilation each.
    let parts: Vec<Shard> = work.parts();
    work.reads(|| {
        conform::inputs(&Dut::new(&args.dut, &args.includes, &args.top)?, module, &args.root)
    })?;
    let one = |&shard: &Shard| {
        let dut = Dut::new(&args.dut, &args.includes, &args.top)?;
        conform::run(&dut, module, &options(shard))
    };
    let reports = work
        .map(&parts, |shard| format!("part {shard}"), one)
        .map_err(|e| shard::failed(e, |e: SimError| e.into()))?;
    let Some(reports) = reports else { return Ok(Outcome::Holds) };
    let report = conform::join(module, &options(Shard::WHOLE), reports)?;
    if terminal {
        eprint!("\r\x1b[K");
    }
    if let Some(file) = &args.junit {
        whole::write(file, junit::text(&report)?)?;
    }
    if let Some(file) = &args.html {
        whole::write(file, html::page(&report))?;
    }
    if args.json {
        let verdict = report.verdict();
        let mut value =
            serde_json::to_value(&report).map_err(|e| CliError::Usage(e.to_string()))?;
        value["verdict"] = verdict.map_or_else(|| "pass".to_owned(), |v| v.to_string()).into();
        writeln!(out, "{value}")?;
    } else {
        write!(out, "{}", text::text(&report))?;
    }
    Ok(match report.verdict() {
        None => Outcome::Holds,
        Some(Verdict::NotJudged) => Outcome::NotJudged,
        Some(_) => Outcome::Failed,
    })
}
