// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar speed`: the table of simulators' speeds, from one run.

use super::{BENCHES, CliError, CliResult, Outcome, files_at, number, sim::progress};
use awgstar::quantity::Cycle;
use awgstar_cli::speed;
use awgstar_cli::speed::{Measurement, Row};
use awgstar_simulator::Sources;
use std::{io::Write, path::PathBuf};

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  cargo run --release -- speed\n\nNeeds Verilator and Icarus Verilog; `awgstar doctor` says how to get them."
)]
pub(crate) struct Args {
    /// Sizes of the rings
    #[arg(long, value_delimiter = ',', default_values_t = [4, 16, 64], value_name = "N,...", value_parser = number::within::<usize>(2..=256))]
    nodes: Vec<usize>,
    /// Node-cycles of each run of the model and of Verilator; Icarus runs 1/200 of it
    #[arg(long, default_value_t = 20_000_000, value_parser = number::within::<u64>(100_000..=1_000_000_000_000))]
    node_cycles: u64,
    /// Runs of each, of which the fastest counts
    #[arg(long, default_value_t = 3, value_parser = number::within::<usize>(1..=1000))]
    repeat: usize,
    /// Root of the repository
    #[arg(long, default_value = ".")]
    root: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let root = files_at(&args.root, &["hdl", BENCHES])?;
    let sources = Sources::of(&root);
    let folder = root.join("target/speed");
    let table = speed::table();
    write!(out, "{}", table.head())?;
    let bar = progress((args.nodes.len() * args.repeat) as u64, "runs");
    for &nodes in &args.nodes {
        let cycles = args.node_cycles / nodes as u64;
        let few = cycles / 200;
        let mut best: Option<Row> = None;
        for _ in 0..args.repeat {
            let usage = |e: &dyn std::fmt::Display| CliError::Usage(e.to_string());
            let model = speed::model(nodes, cycles).map_err(|e| usage(&e))?;
            let model_few = speed::model(nodes, few).map_err(|e| usage(&e))?;
            let verilator = speed::verilator(&sources, &folder, nodes, Cycle(cycles))?;
            let icarus = speed::icarus(&sources, &folder, nodes, Cycle(few))?;
            agree(&model, &verilator)?;
            agree(&model_few, &icarus)?;
            let row = best.get_or_insert(Row { nodes, model: 0.0, verilator: 0.0, icarus: 0.0 });
            row.model = row.model.max(model.rate());
            row.verilator = row.verilator.max(verilator.rate());
            row.icarus = row.icarus.max(icarus.rate());
            bar.inc(1);
        }
        if let Some(row) = best {
            write!(out, "{}", table.row(&row))?;
            out.flush()?;
        }
    }
    bar.finish_and_clear();
    Ok(Outcome::Holds)
}

fn agree(model: &Measurement, other: &Measurement) -> Result<(), CliError> {
    speed::agree(model, other).map_err(|e| CliError::Check(e.to_string()))
}
