// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study paging`: the size of a page.

use super::study_output::{From, Output, list};
use super::{CliResult, Outcome, number, shard, sim::progress};
use awgstar_cli::study::paging::{Point, SUBJECT, points, results, row};
use awgstar_cli::work::Work;
use std::io::Write;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar study paging --nodes 2,4,8 --out target/study\n\nMemory of 8 MB, pages of 256 B to 1 MB, half or a quarter of them in the shared memory."
)]
pub(crate) struct Args {
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

pub(super) fn run(args: &Args, work: &Work, out: &mut dyn Write) -> CliResult {
    if let Some(from) = &args.from.from {
        return args.output.draw(SUBJECT, from, "paging", work);
    }
    let points = points(&args.nodes, args.seed);
    let bar = progress(points.len() as u64, "points");
    let one = |point: &Point| {
        bar.inc(1);
        Ok::<_, std::convert::Infallible>(row(*point))
    };
    let rows = work.map(&points, |point| format!("{point:?}"), one);
    bar.finish_and_clear();
    let rows = rows.map_err(|e| shard::failed(e, |never| match never {}))?;
    let Some(rows) = rows else { return Ok(Outcome::Holds) };
    let (nodes, seed) = (list(&args.nodes), args.seed.to_string());
    let command = ["paging", "--nodes", &nodes, "--seed", &seed];
    args.output.write(results(&rows), &rows, &command, out)
}
