// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study bypass` and `awgstar study mandelbrot`.

use super::study_output::{From, Output, file, list};
use super::{CliError, CliResult, Outcome, number, shard, sim::progress};
use awgstar_cli::study::{bypass, mandelbrot};
use awgstar_cli::work::Work;
use awgstar_scenario::run::mandelbrot::{compute, owners, png};
use awgstar_thesis::mandelbrot::{View, program::Costs};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar study bypass --nodes 2,4 --out target/study")]
pub(crate) struct BypassArgs {
    /// Sizes of the rings, 2 to 32 boards; fibre and tuning time are varied on 16
    #[arg(long = "nodes", value_delimiter = ',', default_values_t = [2, 4, 8, 16, 32], value_name = "N,...", value_parser = number::within::<usize>(2..=32), conflicts_with = "from")]
    boards: Vec<usize>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

pub(super) fn bypass(args: &BypassArgs, work: &Work, out: &mut dyn Write) -> CliResult {
    if let Some(from) = &args.from.from {
        return args.output.draw(bypass::SUBJECT, from, "bypass", work);
    }
    let bar = progress(bypass::points(&args.boards).len() as u64, "points");
    let rows = bypass::rows(&args.boards, work, &|| bar.inc(1));
    bar.finish_and_clear();
    let rows = rows.map_err(|e| shard::failed(e, |e| CliError::Check(e.to_string())))?;
    let Some(rows) = rows else { return Ok(Outcome::Holds) };
    let command = ["bypass", "--nodes", &list(&args.boards)];
    args.output.write(bypass::results(&rows), &rows, &command, out)
}

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar study mandelbrot --sizes 300,600 --nodes 1,2,4 --out target/study"
)]
pub(crate) struct MandelbrotArgs {
    /// Points of a row, and rows, 1 to 10000
    #[arg(long, value_delimiter = ',', default_values_t = mandelbrot::SIZES, value_name = "X,...", value_parser = number::within::<u32>(1..=10_000), conflicts_with = "from")]
    sizes: Vec<u32>,
    /// Nodes, 1 to 32
    #[arg(long, value_delimiter = ',', default_values_t = mandelbrot::NODES, value_name = "N,...", value_parser = number::within::<usize>(1..=32), conflicts_with = "from")]
    nodes: Vec<usize>,
    /// Iterations after which a point is one of the set, 1 to 1000000
    #[arg(long = "iterations", value_name = "N", default_value_t = mandelbrot::LIMIT, value_parser = number::within::<u32>(1..=1_000_000), conflicts_with = "from")]
    limit: u32,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

pub(super) fn mandelbrot(args: &MandelbrotArgs, work: &Work, out: &mut dyn Write) -> CliResult {
    if let Some(from) = &args.from.from {
        return args.output.draw(mandelbrot::SUBJECT, from, "mandelbrot", work);
    }
    let costs = Costs::default();
    let (mut pictures, mut files) = (Vec::new(), Vec::new());
    for &size in &args.sizes {
        let bars = node_bars(size, args.nodes.iter().copied().max().unwrap_or(1));
        let picture =
            compute(View::default(), size, args.limit, bars.len(), &|node| bars[node].inc(1));
        bars.iter().for_each(ProgressBar::finish_and_clear);
        if args.output.out.is_some() {
            let bytes = png(&picture).map_err(|e| CliError::Check(format!("picture: {e}")))?;
            files.push((format!("mandelbrot-{size}.png"), bytes));
        }
        pictures.push(picture);
    }
    let bar = progress((4 * pictures.len() * args.nodes.len()) as u64, "runs");
    let rows = mandelbrot::rows(&pictures, &args.nodes, &costs, work, &|| bar.inc(1));
    bar.finish_and_clear();
    let rows = rows.map_err(|e| shard::failed(e, CliError::Check))?;
    let Some(rows) = rows else { return Ok(Outcome::Holds) };
    let (sizes, nodes) = (list(&args.sizes), list(&args.nodes));
    let limit = args.limit.to_string();
    let command = ["mandelbrot", "--sizes", &sizes, "--nodes", &nodes, "--iterations", &limit];
    let outcome = args.output.write(mandelbrot::results(&rows, &costs), &rows, &command, out)?;
    for (name, bytes) in files {
        if let Some(folder) = &args.output.out {
            file(folder, &name, &bytes)?;
        }
    }
    Ok(outcome)
}

/// A bar for the rows of each node, on a terminal.
fn node_bars(size: u32, nodes: usize) -> Vec<ProgressBar> {
    let all = MultiProgress::new();
    let owners = owners(size, nodes);
    let style = ProgressStyle::with_template("node {prefix:>2} {bar:40} {pos}/{len} rows");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = |node: usize| {
        if !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let rows = owners.iter().filter(|&&owner| owner == node).count();
        let bar = ProgressBar::new(rows as u64).with_style(style.clone());
        all.add(bar.with_prefix(node.to_string()))
    };
    (0..nodes).map(bar).collect()
}
