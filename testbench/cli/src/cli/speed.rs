// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask speed`: the table of simulators' speeds, from interleaved runs.

use super::{BENCHES, CliError, CliResult, Outcome, at, files_at, number, sim::progress};
use awgstar::quantity::Cycle;
use awgstar_cli::measured::{Change, Mark, replaced};
use awgstar_cli::speed::{self, Measurement, Programs, Spread};
use awgstar_draw::table::Table;
use awgstar_simulator::{Icarus, Simulator, Sources, verilator};
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    thread,
};

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  cargo xtask speed\n\nNeeds Verilator and Icarus Verilog; `awgstar doctor` says how to get them."
)]
pub(crate) struct Args {
    /// Sizes of the rings
    #[arg(long, value_delimiter = ',', default_values_t = [4, 16, 64], value_name = "N,...", value_parser = number::within::<usize>(2..=256))]
    nodes: Vec<usize>,
    /// Node-cycles of each run of the model and of Verilator; Icarus runs 1/200 of it
    #[arg(long, default_value_t = 8_000_000, value_parser = number::within::<u64>(100_000..=1_000_000_000_000))]
    node_cycles: u64,
    /// Rounds: each runs the model, Verilator and Icarus once
    #[arg(long, default_value_t = 5, value_parser = number::within::<usize>(1..=1000))]
    repeat: usize,
    /// Root of the repository
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Write the table into the section `speed` of this page of the repository
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// The rows as JSON when all have run, rates in node-cycles per second
    #[arg(long)]
    json: bool,
}

/// Files that decide how is measured.
const RECIPE: [&str; 7] = [
    "testbench/cli/src/speed.rs",
    "testbench/verilog/ring.v",
    "testbench/verilog/fibre.v",
    "testbench/verilog/traffic.v",
    "testbench/verilog/ring.cpp",
    "testbench/verilog/tb_ring.v",
    "testbench/verilog/icarus.f",
];
/// Files that are measured.
const MEASURED: [&str; 3] =
    ["hdl/*.v", "model/board/src/rtl/*.rs", "model/board/src/rtl/ring_node/*.rs"];

/// One round: node-cycles per second of processor time.
struct Round {
    model: f64,
    verilator: f64,
    icarus: f64,
}

/// A row of the table: one ring size.
struct Row {
    nodes: usize,
    model: Spread,
    verilator: Spread,
    icarus: Spread,
    to_verilator: Spread,
    to_icarus: Spread,
}

impl Row {
    /// `None` without a round.
    fn of(nodes: usize, rounds: &[Round]) -> Option<Row> {
        let spread = |figure: fn(&Round) -> f64| Spread::of(rounds.iter().map(figure));
        Some(Row {
            nodes,
            model: spread(|r| r.model)?,
            verilator: spread(|r| r.verilator)?,
            icarus: spread(|r| r.icarus)?,
            to_verilator: spread(|r| r.model / r.verilator)?,
            to_icarus: spread(|r| r.model / r.icarus)?,
        })
    }
}

/// Rates in node-cycles per second, and ratios.
fn json(rows: &[Row]) -> serde_json::Value {
    let spread = |s: Spread| json!({ "least": s.least, "median": s.median, "most": s.most });
    let row = |r: &Row| {
        json!({
            "nodes": r.nodes,
            "model": spread(r.model),
            "verilator": spread(r.verilator),
            "icarus": spread(r.icarus),
            "model_to_verilator": spread(r.to_verilator),
            "model_to_icarus": spread(r.to_icarus),
        })
    };
    rows.iter().map(row).collect()
}

/// A median with the least and the most.
fn cell(spread: Spread, scale: f64, digits: usize, unit: &str) -> String {
    let [least, median, most] =
        [spread.least, spread.median, spread.most].map(|f| format!("{:.digits$}", f / scale));
    format!("{median}{unit} ({least} to {most})")
}

fn table() -> Table<'static, Row> {
    Table::new()
        .number("nodes", |r: &Row| r.nodes)
        .number("model, node-cycles/s", |r| cell(r.model, 1e6, 1, " M"))
        .number("Verilator", |r| cell(r.verilator, 1e6, 2, " M"))
        .number("Icarus", |r| cell(r.icarus, 1e3, 1, " k"))
        .number("model / Verilator", |r| cell(r.to_verilator, 1.0, 1, ""))
        .number("model / Icarus", |r| cell(r.to_icarus, 1.0, 0, ""))
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    if args.page.is_some() && cfg!(debug_assertions) {
        return Err(CliError::Usage(
            "figures of a page are those of a build with --release".into(),
        ));
    }
    let root = files_at(&args.root, &["hdl", BENCHES])?;
    let sources = Sources::of(&root);
    let folder = root.join("target/speed");
    let table = table();
    if !args.json {
        write!(out, "{}", table.head())?;
    }
    let bar = progress((args.nodes.len() * args.repeat) as u64, "rounds");
    let mut rows = Vec::new();
    for &nodes in &args.nodes {
        let programs = Programs::build(&sources, &folder, nodes)?;
        let mut rounds = Vec::new();
        for _ in 0..args.repeat {
            rounds.push(round(&programs, nodes, args.node_cycles)?);
            bar.inc(1);
        }
        if let Some(row) = Row::of(nodes, &rounds) {
            if !args.json {
                write!(out, "{}", table.row(&row))?;
                out.flush()?;
            }
            rows.push(row);
        }
    }
    bar.finish_and_clear();
    if args.json {
        writeln!(out, "{}", json(&rows))?;
    }
    if let Some(page) = &args.page {
        write_page(&root, page, args, &table.markdown(&rows))?;
    }
    Ok(Outcome::Holds)
}

/// Runs all three, one after another, and compares what they did.
fn round(programs: &Programs, nodes: usize, node_cycles: u64) -> Result<Round, CliError> {
    let cycles = node_cycles / nodes as u64;
    let few = cycles / 200;
    let usage = |e: &dyn std::fmt::Display| CliError::Usage(e.to_string());
    let model = speed::model(nodes, cycles).map_err(|e| usage(&e))?;
    let verilator = programs.verilator(Cycle(cycles))?;
    agree(&model, &verilator)?;
    let icarus = programs.icarus(Cycle(few))?;
    agree(&speed::model(nodes, few).map_err(|e| usage(&e))?, &icarus)?;
    Ok(Round { model: rate(&model)?, verilator: rate(&verilator)?, icarus: rate(&icarus)? })
}

fn agree(model: &Measurement, other: &Measurement) -> Result<(), CliError> {
    speed::agree(model, other).map_err(|e| CliError::Check(e.to_string()))
}

fn rate(run: &Measurement) -> Result<f64, CliError> {
    run.rate().ok_or_else(|| {
        let (name, cycles, nodes) = (run.name, run.cycles, run.nodes);
        CliError::Usage(format!(
            "{name}: {cycles} cycles of {nodes} nodes take no time that can be measured; expected more --node-cycles"
        ))
    })
}

/// Writes the section of the page: what was run with, the table, and the marks with the hashes of its sources.
fn write_page(root: &Path, page: &Path, args: &Args, table: &str) -> Result<(), CliError> {
    let place = root.join(page);
    let text = at(place.display(), fs::read_to_string(&place))?;
    let nodes: Vec<String> = args.nodes.iter().map(ToString::to_string).collect();
    let command = format!(
        "cargo xtask speed --nodes {} --node-cycles {} --page {}",
        nodes.join(","),
        args.node_cycles,
        page.display()
    );
    let mark = |change, files: &[&str]| at(root.display(), Mark::of(root, &command, change, files));
    let (recipe, measured) = (mark(Change::Fails, &RECIPE)?, mark(Change::IsShown, &MEASURED)?);
    let section = format!(
        "{recipe}\n{measured}\n\nMedians of {} rounds, least to most, on {}.\n{}; {}; model and C++ with `-O3`.\n\n{table}",
        args.repeat,
        machine(),
        verilator::versions()?,
        Icarus.version()?,
    );
    let new = replaced(&text, "speed", &section).ok_or_else(|| {
        let page = page.display();
        CliError::Usage(format!("{page}: expected a section `<!-- begin speed -->`"))
    })?;
    at(place.display(), fs::write(&place, new))
}

/// Processors of this machine.
fn machine() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let text = fs::read_to_string("/proc/cpuinfo").ok();
    let name = text.iter().flat_map(|text| text.lines()).find_map(|line| {
        let (key, name) = line.split_once(':')?;
        (key.trim() == "model name").then(|| name.trim().to_owned())
    });
    format!("{cores} processors{}", name.map(|name| format!(" ({name})")).unwrap_or_default())
}
