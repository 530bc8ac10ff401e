// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study`: protocols and machines compared, hosts measured.

use super::study_output::{From, Output, list};
use super::{
    CliError, CliResult, Outcome, counterexample, latency, number, shard, sim::progress,
    study_lambda,
};
use awgstar_cli::study::{StudyError, engine as engines, report, sweep};
use awgstar_cli::work::{Work, WorkError};
use awgstar_simulator::Shard;
use clap::Subcommand;
use std::io::Write;

#[derive(clap::Args)]
pub(crate) struct StudyArgs {
    #[command(subcommand)]
    pub(super) study: Command,
    /// Run part I of N only and write its results to standard output, for `awgstar merge`
    #[arg(long, value_name = "I/N", global = true)]
    shard: Option<Shard>,
}

impl StudyArgs {
    pub(super) fn part(&self) -> shard::ShardArgs {
        shard::ShardArgs { shard: self.shard }
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Locks: acquire, hand-over, unlock and frames
    Lock(Args),
    /// Shortest runs in which the printed protocols go wrong: their names, or one as text, waves,
    /// picture and vector
    Counterexample(counterexample::Args),
    /// Latency and throughput of the hosts of a ring of boards
    Latency(latency::Args),
    /// Barriers: from the last arrival to the release, and frames
    Barrier(Args),
    /// Ring queue lock and ring barrier: firmware against the engine of the board
    Engine(Args),
    /// A board dies on the star: how long until light, tokens and writes are back
    Bypass(study_lambda::BypassArgs),
    /// Virtual shared memory: the size of a page
    Paging(super::study_paging::Args),
    /// `OpenMP` programs: data and synchronisation by the number of nodes, on both machines
    Openmp(super::study_openmp::Args),
    /// The thesis' evaluation: a picture of the Mandelbrot set on both versions
    Mandelbrot(study_lambda::MandelbrotArgs),
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar study lock --nodes 2,4,8 --out target/study")]
pub(crate) struct Args {
    /// Sizes of the rings, 2 to 256 nodes; all else is varied on 16. 256 take some minutes
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8, 16, 32], value_name = "N,...", value_parser = number::within::<usize>(2..=256), conflicts_with = "from")]
    nodes: Vec<usize>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(command: &Command, work: &Work, out: &mut dyn Write) -> CliResult {
    let (args, locks) = match command {
        Command::Lock(args) => (args, true),
        Command::Barrier(args) => (args, false),
        Command::Engine(args) => return engine(args, work, out),
        Command::Bypass(args) => return study_lambda::bypass(args, work, out),
        Command::Counterexample(_) | Command::Latency(_) if work.part().is_some() => {
            let why =
                "--shard does not apply: a counterexample and the table of latencies are one run";
            return Err(CliError::Usage(why.into()));
        }
        Command::Counterexample(args) => return counterexample::run(args, out),
        Command::Latency(args) => return latency::run(args, out),
        Command::Openmp(args) => return super::study_openmp::run(args, work, out),
        Command::Paging(args) => return super::study_paging::run(args, work, out),
        Command::Mandelbrot(args) => return study_lambda::mandelbrot(args, work, out),
    };
    let check = |e: WorkError<StudyError>| shard::failed(e, |e| CliError::Check(e.to_string()));
    let nodes = list(&args.nodes);
    if let Some(from) = &args.from.from {
        let (subject, name) =
            if locks { (report::LOCKS, "lock") } else { (report::BARRIERS, "barrier") };
        return args.output.draw(subject, from, name, work);
    }
    if locks {
        let bar = progress(3 * sweep::lock_points(&args.nodes).len() as u64, "points");
        let rows = sweep::locks(&args.nodes, work, &|| bar.inc(1)).map_err(check)?;
        bar.finish_and_clear();
        let Some(rows) = rows else { return Ok(Outcome::Holds) };
        args.output.write(report::locks(&rows), &rows, &["lock", "--nodes", &nodes], out)
    } else {
        let bar = progress(3 * sweep::barrier_points(&args.nodes).len() as u64, "points");
        let rows = sweep::barriers(&args.nodes, work, &|| bar.inc(1)).map_err(check)?;
        bar.finish_and_clear();
        let Some(rows) = rows else { return Ok(Outcome::Holds) };
        args.output.write(report::barriers(&rows), &rows, &["barrier", "--nodes", &nodes], out)
    }
}

fn engine(args: &Args, work: &Work, out: &mut dyn Write) -> CliResult {
    if let Some(from) = &args.from.from {
        return args.output.draw(engines::SUBJECT, from, "engine", work);
    }
    let bar = progress(args.nodes.len() as u64, "rings");
    let rows = engines::rows(&args.nodes, work, &|| bar.inc(1))
        .map_err(|e| shard::failed(e, |e| CliError::Check(e.to_string())))?;
    bar.finish_and_clear();
    let Some(rows) = rows else { return Ok(Outcome::Holds) };
    let command = ["engine", "--nodes", &list(&args.nodes)];
    args.output.write(engines::results(&rows), &rows, &command, out)
}
