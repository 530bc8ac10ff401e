// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study`: protocols and machines compared, hosts measured.

use super::study_output::{From, Output, Study, list};
use super::{CliError, CliResult, counterexample, latency, number, shard, study_mandelbrot};
use awgstar_cli::study::results::{Results, Subject};
use awgstar_cli::study::{
    Tick, armci, bypass, clusters, clusters_lu, clusters_tables, engine, fdsm, fdsm_tables, paging,
    report, rings, sweep,
};
use awgstar_cli::work::{Work, WorkError};
use awgstar_simulator::Shard;
use clap::Subcommand;
use serde::Serialize;
use std::{fmt::Display, io::Write};

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
    /// ARMCI's synchronization and lock (paper 001): old and new on the paper's machine, and on the ring
    Armci(ArmciArgs),
    /// CG with FDSM and SCASH (paper 003): on the paper's machine, and the same sharing on the ring
    Fdsm(FdsmArgs),
    /// Ring queue lock and ring barrier: firmware against the engine of the board
    Engine(Args),
    /// One ring against rings with gateways (paper 004): barrier, lock, far accesses
    Rings(RingsArgs),
    /// Paper 004 on its own machine, a cluster of clusters: accesses, barrier, LU; LU on rings by a formula
    Clusters(ClustersArgs),
    /// A board dies on the star: how long until light, tokens and writes are back
    Bypass(BypassArgs),
    /// Virtual shared memory: the size of a page
    Paging(PagingArgs),
    /// `OpenMP` programs: data and synchronisation by the number of nodes, on both machines
    Openmp(super::study_openmp::Args),
    /// Where `OpenMP` programs stop gaining by more nodes: grain and frequency of sharing, on the ring and on a cluster
    Sharing(super::study_sharing::Args),
    /// The thesis' evaluation: a picture of the Mandelbrot set on both versions
    Mandelbrot(study_mandelbrot::Args),
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

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar study armci --nodes 2,16 --out target/study")]
pub(crate) struct ArmciArgs {
    /// Numbers of nodes, each with a process, 1 to 16
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 4, 6, 8, 12, 16], value_name = "N,...", value_parser = number::within::<usize>(1..=16), conflicts_with = "from")]
    nodes: Vec<usize>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar study fdsm --nodes 2 --out target/study")]
pub(crate) struct FdsmArgs {
    /// Numbers of nodes, 2 to 16
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8], value_name = "N,...", value_parser = number::within::<usize>(2..=16), conflicts_with = "from")]
    nodes: Vec<usize>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar study rings --processes 16 --out target/study\n\n4096 processes take some ten minutes."
)]
pub(crate) struct RingsArgs {
    /// Numbers of processes, 4 to 4096, each on 1 to 256 rings: powers of 2
    #[arg(long, value_delimiter = ',', default_values_t = [16, 64, 256], value_name = "N,...", value_parser = number::within::<usize>(4..=4096), conflicts_with = "from")]
    processes: Vec<usize>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar study clusters --rows 120 --out target/study")]
pub(crate) struct ClustersArgs {
    /// Rows of the matrix, 16 to 2000; the paper's has 1200
    #[arg(long, default_value_t = clusters_lu::ROWS, value_name = "N", value_parser = number::within::<usize>(16..=clusters_lu::ROWS_MAX as u64), conflicts_with = "from")]
    rows: usize,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar study bypass --nodes 2,4 --out target/study")]
pub(crate) struct BypassArgs {
    /// Sizes of the rings, 2 to 32 boards; fibre and tuning time are varied on 16
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8, 16, 32], value_name = "N,...", value_parser = number::within::<usize>(2..=32), conflicts_with = "from")]
    nodes: Vec<usize>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar study paging --nodes 2,4,8 --out target/study\n\nMemory of 8 MB, pages of 256 B to 1 MB, half or a quarter of them in the shared memory."
)]
pub(crate) struct PagingArgs {
    /// Sizes of the rings, 1 to 64 nodes
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8], value_name = "N,...", value_parser = number::within::<u8>(1..=64), conflicts_with = "from")]
    nodes: Vec<u8>,
    /// Seed of the random walks
    #[arg(long, default_value_t = 1, value_parser = number::any(), conflicts_with = "from")]
    seed: u64,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(command: &Command, work: &Work, out: &mut dyn Write) -> CliResult {
    match command {
        Command::Counterexample(_) | Command::Latency(_) if work.part().is_some() => {
            let why =
                "--shard does not apply: a counterexample and the table of latencies are one run";
            Err(CliError::Usage(why.into()))
        }
        Command::Counterexample(args) => counterexample::run(args, out),
        Command::Latency(args) => latency::run(args, out),
        Command::Openmp(args) => super::study_openmp::run(args, work, out),
        Command::Sharing(args) => super::study_sharing::run(args, work, out),
        Command::Mandelbrot(args) => study_mandelbrot::run(args, work, out),
        Command::Lock(Args { nodes, from, output }) => {
            let steps = 3 * sweep::lock_points(nodes).len();
            let study = ("lock", report::LOCKS, steps);
            by_nodes(study, nodes, (from, output), (work, out), sweep::locks, report::locks)
        }
        Command::Barrier(Args { nodes, from, output }) => {
            let steps = 3 * sweep::barrier_points(nodes).len();
            let study = ("barrier", report::BARRIERS, steps);
            by_nodes(study, nodes, (from, output), (work, out), sweep::barriers, report::barriers)
        }
        Command::Engine(Args { nodes, from, output }) => {
            let study = ("engine", engine::SUBJECT, nodes.len());
            by_nodes(study, nodes, (from, output), (work, out), engine::rows, engine::results)
        }
        Command::Armci(ArmciArgs { nodes, from, output }) => {
            let study = ("armci", armci::SUBJECT, armci::steps(nodes));
            by_nodes(study, nodes, (from, output), (work, out), armci::rows, armci::results)
        }
        Command::Fdsm(FdsmArgs { nodes, from, output }) => {
            let study = ("fdsm", fdsm_tables::SUBJECT, fdsm::steps(nodes));
            by_nodes(study, nodes, (from, output), (work, out), fdsm::rows, fdsm_tables::results)
        }
        Command::Rings(RingsArgs { processes, from, output }) => Study {
            subject: rings::SUBJECT,
            command: &["rings", "--processes", &list(processes)],
            steps: (rings::points(processes).len(), "points"),
        }
        .run(
            (from, output),
            work,
            out,
            |done| rings::rows(processes, work, done),
            rings::results,
        ),
        Command::Clusters(ClustersArgs { rows, from, output }) => Study {
            subject: clusters_tables::SUBJECT,
            command: &["clusters", "--rows", &rows.to_string()],
            steps: (clusters::points().len(), "figures"),
        }
        .run(
            (from, output),
            work,
            out,
            |done| clusters::rows(*rows, work, done),
            clusters_tables::results,
        ),
        Command::Bypass(BypassArgs { nodes, from, output }) => {
            let study = ("bypass", bypass::SUBJECT, bypass::points(nodes).len());
            by_nodes(study, nodes, (from, output), (work, out), bypass::rows, bypass::results)
        }
        Command::Paging(PagingArgs { nodes, seed, from, output }) => Study {
            subject: paging::SUBJECT,
            command: &["paging", "--nodes", &list(nodes), "--seed", &seed.to_string()],
            steps: (paging::points(nodes, *seed).len(), "points"),
        }
        .run(
            (from, output),
            work,
            out,
            |done| paging::rows(nodes, *seed, work, done),
            paging::results,
        ),
    }
}

/// A study of rings of these sizes: its name, what its rows are about, and how many points they are.
fn by_nodes<R: Serialize, E: Display>(
    (name, subject, steps): (&str, Subject, usize),
    nodes: &[usize],
    to: (&From, &Output),
    (work, out): (&Work, &mut dyn Write),
    rows: impl FnOnce(&[usize], &Work, &Tick<'_>) -> Result<Option<Vec<R>>, WorkError<E>>,
    results: impl FnOnce(&[R]) -> Result<Results, String>,
) -> CliResult {
    let command = &[name, "--nodes", &list(nodes)];
    let study = Study { subject, command, steps: (steps, "points") };
    study.run(to, work, out, |done| rows(nodes, work, done), results)
}
