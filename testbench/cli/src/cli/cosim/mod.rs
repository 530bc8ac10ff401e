// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar cosim`: the golden vectors on the Verilog, in a simulator.

mod args;
mod lockstep;

pub(crate) use args::Args;

use super::{CliError, CliResult, Outcome, at, choice::Tool, on_terminal};
use awgstar::codec::explain;
use awgstar_simulator as sim;
use awgstar_simulator::ParseError;
use awgstar_simulator::{Module, SimError};
use awgstar_stimulus::reached::Reached;
use awgstar_stimulus::vectors;
use awgstar_stimulus::{StimulusError, echo};
use clap::{ArgMatches, parser::ValueSource};
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Json<'a> {
    simulator: &'a str,
    vectors: usize,
    failed: usize,
    seconds: f64,
    reached: &'a Reached,
    failures: Vec<JsonFailure<'a>>,
}

#[derive(Serialize)]
struct JsonFailure<'a> {
    id: &'a str,
    module: &'a str,
    mode: u32,
    requirements: &'a [String],
    kind: &'a str,
    at: u64,
    expected: &'a str,
    found: &'a str,
    wave: Option<String>,
}

impl From<StimulusError> for CliError {
    fn from(error: StimulusError) -> Self {
        CliError::from(SimError::from(error))
    }
}

impl From<SimError> for CliError {
    fn from(error: SimError) -> Self {
        match error {
            // The testbench cannot read the vectors.
            SimError::Output { source: ParseError::Bench(_), .. } => {
                CliError::Usage(error.to_string())
            }
            // The design, not its user, is at fault.
            SimError::Build { .. }
            | SimError::Ended { .. }
            | SimError::Output { .. }
            | SimError::Flood { .. } => CliError::Check(error.to_string()),
            _ => CliError::Usage(error.to_string()),
        }
    }
}

/// Options for runs of golden vectors only, and for lockstep only.
const GOLDEN: [(&str, &str); 3] =
    [("classes", "--class"), ("vector", "--vector"), ("modes", "--mode")];
const LOCKSTEP: [(&str, &str); 2] = [("cycles", "--cycles"), FAST];
const FAST: (&str, &str) = ("fast", "--fast");
const NODES: (&str, &str) = ("nodes", "--nodes");
const WAVES: (&str, &str) = ("no_waves", "--no-waves");

/// Refuses what does nothing in a run like this.
fn check_options(args: &Args, given: &ArgMatches) -> Result<(), CliError> {
    if args.replay.is_some() {
        let both = [NODES, WAVES, ("cases", "--cases"), ("seed", "--seed"), ("json", "--json")];
        let all = [&LOCKSTEP[..], &GOLDEN, &both].concat();
        return refuse(given, &all, "--replay plays one vector as it is");
    }
    if !args.modules.iter().any(|m| args::MODULES.contains(&m.as_str())) {
        let all = [&LOCKSTEP[..], &[NODES]].concat();
        if let Some(count) = args.cases.filter(|&count| count > RANDOM_MAX) {
            let what = format!("--cases is {count}: expected 1 to {RANDOM_MAX} random frames");
            return Err(CliError::Usage(what));
        }
        return refuse(given, &all, "it is for the modules that run in lockstep");
    }
    refuse(given, &GOLDEN, "it is for --module crc32, frame_tx and frame_rx")?;
    if !args.modules.iter().any(|m| ["ring", "boards"].contains(&m.as_str())) {
        refuse(given, &[NODES], "it is for --module ring and boards")?;
    }
    if args.sim == Some(Tool::Icarus) {
        refuse(given, &[FAST, WAVES], "it is for --sim verilator")?;
    }
    Ok(())
}

pub(crate) fn run(args: &Args, given: &ArgMatches, out: &mut dyn Write) -> CliResult {
    check_options(args, given)?;
    if let Some(folder) = &args.replay {
        return lockstep::replay(args, folder, out);
    }
    let lockstepped = args.modules.iter().filter(|m| args::MODULES.contains(&m.as_str())).count();
    if lockstepped == args.modules.len() && lockstepped > 0 {
        return lockstep::run(args, out);
    }
    if lockstepped > 0 {
        return Err(CliError::Usage(
            "--module: `crc32`, `frame_tx` and `frame_rx` run apart from the others".into(),
        ));
    }
    if !args.parameters.is_empty() {
        let all: Vec<String> = args::MODULES.iter().map(|name| format!("`{name}`")).collect();
        let what = format!("--param: expected with --module {}", all.join(", "));
        return Err(CliError::Usage(what));
    }
    let tool = args.sim.ok_or_else(|| CliError::Usage("--sim: expected a simulator".into()))?;
    let simulator = tool.simulator();
    let mut options = sim::Options::all(&args.root, simulator)?;
    let random = select(args, &mut options)?;
    // A simulator reads over what is no number.
    let mut classes =
        vectors::load(&args.root.join("vectors")).map_err(|e| CliError::Usage(e.to_string()))?;
    classes.extend(random);
    let terminal = on_terminal();
    let summary = sim::cosim(&options, &|done| {
        if terminal {
            let sim::cosim::Progress { module, class, mode, vectors, .. } = done;
            eprint!("\r\x1b[K{module} {class} mode {mode}: {vectors} vectors");
        }
    })?;
    if terminal {
        eprint!("\r\x1b[K");
    }
    let reached = reached(&summary, &classes, options.only)?;
    if args.json {
        json(simulator.name(), &summary, &reached, out)?;
    } else {
        if args.cases.is_some() && summary.failed() > 0 {
            writeln!(
                out,
                "seed {}: the same command with --seed {} runs it again\n",
                args.seed, args.seed
            )?;
        }
        for report in &summary.reports {
            writeln!(out, "{}", report.render(&explain))?;
        }
        writeln!(
            out,
            "{}: {} vectors run, {} failed, {:.1} s",
            simulator.name(),
            summary.vectors(),
            summary.failed(),
            summary.elapsed.as_secs_f64()
        )?;
        for line in reached.lines() {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(if summary.failed() == 0 { Outcome::Holds } else { Outcome::Failed })
}

/// What the vectors reach that ran in runs without a failure.
fn reached(
    summary: &sim::Summary,
    classes: &[vectors::Class],
    only: Option<usize>,
) -> Result<Reached, CliError> {
    let mut reached = Reached::default();
    for run in summary.runs.iter().filter(|run| run.failed == 0) {
        let class = classes.iter().find(|class| class.name == run.class).ok_or_else(|| {
            CliError::Usage(format!("vectors/manifest.json: no class {}", run.class))
        })?;
        let indices = (0..class.len()).filter(|index| only.is_none_or(|only| only == *index));
        let applying = reached.add_vectors(run.module.name(), run.mode, &class.vectors, indices);
        if applying != run.vectors {
            let (name, ran) = (&run.class, run.vectors);
            let why = format!("{name} on {}: {ran} vectors ran, {applying} apply", run.module);
            return Err(CliError::Usage(why));
        }
    }
    Ok(reached)
}

/// The random classes among those that are selected.
fn select(args: &Args, options: &mut sim::Options<'_>) -> Result<Vec<vectors::Class>, CliError> {
    options.seed = args.seed;
    options.waves = !args.no_waves;
    if let Some(hdl) = &args.hdl {
        options.sources.hdl.clone_from(hdl);
    }
    if !args.modules.is_empty() {
        let modules = args.modules.iter().map(|m| m.parse::<Module>().map_err(CliError::Usage));
        options.modules = modules.collect::<Result<_, _>>()?;
    }
    if !args.modes.is_empty() {
        options.modes.clone_from(&args.modes);
    }
    let mut random = Vec::new();
    if let Some(count) = args.cases {
        (options.classes, random) = random_classes(args, count)?.into_iter().unzip();
    }
    let mut wanted = args.classes.clone();
    if let Some(id) = &args.vector {
        let (class, index) = id.split_once('/').unwrap_or((id, ""));
        let index = index.parse().map_err(|_| {
            CliError::Usage(format!("--vector: expected <class>/<index>, found '{id}'"))
        })?;
        options.only = Some(index);
        wanted.push(class.to_owned());
    }
    for name in &wanted {
        if !options.classes.iter().any(|class| class.name == *name) {
            let names = options.classes.iter().map(|class| class.name.as_str());
            return Err(CliError::Usage(format!(
                "no class '{name}': {}; `awgstar vectors list` says what they check",
                echo::expected(name, names)
            )));
        }
    }
    if !wanted.is_empty() {
        options.classes.retain(|class| wanted.contains(&class.name));
    }
    Ok(random)
}

/// Most random frames of a run.
const RANDOM_MAX: u32 = 1_000_000;
/// Classes of at most this many vectors, which is what the testbench has room for.
const RANDOM_CLASS: u32 = 1000;

fn random_classes(args: &Args, count: u32) -> Result<Vec<(sim::Class, vectors::Class)>, CliError> {
    let folder = args.root.join("target/cosim/random");
    let parts = count.div_ceil(RANDOM_CLASS);
    (0..parts)
        .map(|part| {
            let count = RANDOM_CLASS.min(count - part * RANDOM_CLASS);
            // Neighbouring seeds must not share parts.
            let seed = u64::from(args.seed) << 32 | u64::from(part);
            let class = vectors::random(seed, count as usize);
            let folder = at(folder.display(), vectors::write_class(&folder, &class))?;
            Ok((sim::Class::folder(sim::Kind::Frame, &folder), class))
        })
        .collect()
}

fn json(
    simulator: &str,
    summary: &sim::Summary,
    reached: &Reached,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let failures = summary.reports.iter().filter_map(|r| Some((r, r.failures.first()?)));
    let object = Json {
        simulator,
        vectors: summary.vectors(),
        failed: summary.failed(),
        seconds: summary.elapsed.as_secs_f64(),
        reached,
        failures: failures
            .map(|(r, f)| JsonFailure {
                id: &r.id,
                module: r.module.name(),
                mode: r.mode,
                requirements: &r.note.requirements,
                kind: &f.kind,
                at: f.at,
                expected: &f.expected,
                found: &f.found,
                wave: r.wave.as_ref().map(|w| w.display().to_string()),
            })
            .collect(),
    };
    let text = serde_json::to_string(&object).map_err(|e| CliError::Usage(e.to_string()))?;
    writeln!(out, "{text}")?;
    Ok(())
}

/// Refuses options that were given but do nothing here: pairs of field and option, and why.
fn refuse(matches: &ArgMatches, options: &[(&str, &str)], why: &str) -> Result<(), CliError> {
    let given =
        |(id, _): &&(&str, &str)| matches.value_source(id) == Some(ValueSource::CommandLine);
    match options.iter().find(given) {
        Some((_, option)) => Err(CliError::Usage(format!("{option} does not apply: {why}"))),
        None => Ok(()),
    }
}
