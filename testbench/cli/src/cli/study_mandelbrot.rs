// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study mandelbrot`.

use super::study_output::{From, Output, Study, file, list};
use super::{CliResult, number};
use awgstar_cli::study::{Tick, mandelbrot};
use awgstar_cli::work::{Work, WorkError};
use awgstar_scenario::run::mandelbrot::{compute, owners, png};
use awgstar_thesis::mandelbrot::{View, program::Costs};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar study mandelbrot --sizes 300,600 --nodes 1,2,4 --out target/study"
)]
pub(crate) struct Args {
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

pub(super) fn run(args: &Args, work: &Work, out: &mut dyn Write) -> CliResult {
    let Args { sizes, nodes, limit, from, output } = args;
    let costs = Costs::default();
    let mut files = Vec::new();
    let (side, on, most) = (list(sizes), list(nodes), limit.to_string());
    let study = Study {
        subject: mandelbrot::SUBJECT,
        command: &["mandelbrot", "--sizes", &side, "--nodes", &on, "--iterations", &most],
        steps: (4 * sizes.len() * nodes.len(), "runs"),
    };
    let measure = |done: &Tick<'_>| {
        let mut pictures = Vec::new();
        for &size in sizes {
            let bars = node_bars(size, nodes.iter().copied().max().unwrap_or(1));
            let tick = |node: usize| bars[node].inc(1);
            let picture = compute(View::default(), size, *limit, bars.len(), &tick);
            bars.iter().for_each(ProgressBar::finish_and_clear);
            if output.out.is_some() {
                let bytes = png(&picture).map_err(|e| WorkError::Run(format!("picture: {e}")))?;
                files.push((format!("mandelbrot-{size}.png"), bytes));
            }
            pictures.push(picture);
        }
        mandelbrot::rows(&pictures, nodes, &costs, work, done)
    };
    let results = |rows: &[mandelbrot::Row]| mandelbrot::results(rows, &costs);
    let outcome = study.run((from, output), work, out, measure, results)?;
    // A part has no plots, and no pictures.
    if let Some(folder) = output.out.as_ref().filter(|_| work.part().is_none()) {
        files.iter().try_for_each(|(name, bytes)| file(folder, name, bytes))?;
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
