// SPDX-License-Identifier: MIT OR Apache-2.0
//! On Verilator: the campaign, and the report of a failing one.

use super::super::args::Args;
use super::job::{Job, bar, compiled, hdl, idle, judge};
use crate::cli::{CliError, CliResult};
use awgstar_lockstep::campaign::{Failure, Outcome};
use awgstar_lockstep::{
    Cause, Difference, Lockstep, Memories, blame, campaign, failing, vote, waves,
};
use awgstar_simulator::{SimError, four_state as icarus};
use awgstar_stimulus::Case;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::reached::Reached;
use awgstar_stimulus::vector;
use proptest::strategy::ValueTree;
use serde::Serialize;
use std::{io::Write, path::PathBuf, time::Instant};

#[derive(Serialize)]
struct Json<'a> {
    simulator: &'a str,
    module: &'a str,
    nodes: usize,
    seed: u32,
    directed: usize,
    scenarios: usize,
    node_cycles: u64,
    seconds: f64,
    reached: &'a Reached,
    idle: Option<String>,
    divergence: Option<JsonDivergence>,
}

#[derive(Serialize)]
struct JsonDivergence {
    case: String,
    cycle: u64,
    node: usize,
    kind: &'static str,
    path: String,
    module: &'static str,
    bit: u32,
    model: String,
    verilog: String,
    minimal: bool,
    cause: Option<JsonCause>,
    vote: Option<String>,
    vector: Option<PathBuf>,
    wave: Option<PathBuf>,
}

/// The wrong wire after a register that differs.
#[derive(Serialize)]
struct JsonCause {
    cycle: u64,
    module: &'static str,
    port: String,
    model: String,
    verilog: String,
}

/// Results of a failing campaign, for the report.
struct Evidence {
    cause: Result<Option<Cause>, SimError>,
    vote: Result<Option<vote::Vote>, SimError>,
    vector: PathBuf,
    wave: Option<PathBuf>,
}

pub(super) fn run<M: Machine>(job: &Job<'_, M>, args: &Args, out: &mut dyn Write) -> CliResult {
    let Job { module, directed, warm, strategy, nodes, parameters } = job;
    let mut lockstep = Lockstep::<M>::with_parameters(&hdl(args), &compiled(args), parameters)?;
    lockstep.memories = if args.fast { Memories::Fast } else { Memories::Strict };
    let count = args.random_cases() as usize;
    let bar = bar(directed.len() + count);
    let start = Instant::now();
    let progress = |done: usize, _| bar.set_position(done as u64);
    let mut outcome = campaign::directed(&lockstep, directed.clone(), &progress)?;
    let by_hand = std::mem::take(&mut outcome.cases);
    let warm = warm.as_ref().map(|strategy| ("warm", strategy, count / 2));
    let random = ("random", strategy, count - warm.map_or(0, |(.., count)| count));
    for (name, strategy, count) in warm.into_iter().chain([random]) {
        if outcome.failure.is_none() {
            let before = directed.len() + outcome.cases;
            let progress = |done, cycles| progress(before + done, cycles);
            let seed = args.seed.into();
            let Outcome { cases, cycles, failure } =
                campaign::group(&mut lockstep, (name, strategy), seed, count, &progress)?;
            outcome.cases += cases;
            outcome.cycles += cycles;
            outcome.failure = failure;
        }
    }
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let failure = match outcome.failure {
        Some(failure) => {
            let evidence = evidence(args, module, &lockstep, &failure)?;
            Some((failure, evidence))
        }
        None => None,
    };
    let mut reached = lockstep.reached();
    if failure.is_none() {
        add_counts(args, job, &mut reached)?;
    }
    if args.json {
        let object = Json {
            simulator: "verilator",
            module,
            nodes: *nodes,
            seed: args.seed,
            directed: by_hand,
            scenarios: outcome.cases,
            node_cycles: outcome.cycles,
            seconds,
            reached: &reached,
            idle: idle(job, &reached),
            divergence: failure.as_ref().map(|(failure, evidence)| found(failure, evidence)),
        };
        let text = serde_json::to_string(&object).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
        return judge(job, &reached, failure.is_some(), None);
    }
    if let Some((failure, evidence)) = &failure {
        tell(args, module, failure, evidence, out)?;
    }
    let by_hand = match by_hand {
        0 => String::new(),
        1 => "1 directed case, ".to_owned(),
        count => format!("{count} directed cases, "),
    };
    writeln!(
        out,
        "{module}, {nodes} node{}: {by_hand}{} random cases, {} node cycles compared, {}, {seconds:.1} s",
        if *nodes == 1 { "" } else { "s" },
        outcome.cases,
        outcome.cycles,
        if failure.is_none() { "no difference" } else { "1 difference" },
    )?;
    judge(job, &reached, failure.is_some(), Some(out))
}

/// Adds what the inputs of the cases reach, of a module that counts it by its inputs.
fn add_counts<M: Machine>(
    args: &Args,
    job: &Job<'_, M>,
    reached: &mut Reached,
) -> Result<(), CliError> {
    if M::reached(&[], &job.parameters).is_empty() {
        return Ok(());
    }
    let mut add = |case: &Case<M>| -> Result<(), CliError> {
        let track = vector::track_of::<M>(case, 0, &job.parameters)?;
        reached.add_inputs::<M>(job.module, &track.inputs, &job.parameters);
        Ok(())
    };
    job.directed.iter().try_for_each(|named| add(&named.case))?;
    (0..args.random_cases() as usize).try_for_each(|number| {
        add(&campaign::case(&job.strategy, args.seed.into(), number)?.current())
    })
}

fn evidence<M: Machine>(
    args: &Args,
    module: &str,
    lockstep: &Lockstep<M>,
    failure: &Failure<Case<M>>,
) -> Result<Evidence, CliError> {
    let d = &failure.divergence;
    let name = format!("{module}-{}-{}", args.seed, failure.case.replace('/', "-"));
    let vector = compiled(args).join("failing").join(&name);
    let path = d.first().map(Difference::path).unwrap_or_default();
    let why = format!("model and Verilog differed in {path}, cycle {}", d.cycle);
    failing::vector::<M>(d, lockstep.shape(), &why)?.save(&vector)?;
    let folder = compiled(args).join("wave").join(&name);
    let wave = if args.no_waves { None } else { Some(waves::write(d, lockstep, &folder)?) };
    let vote = icarus::build(lockstep.shape(), &hdl(args), &compiled(args))
        .and_then(|program| vote::vote(d, lockstep, &program));
    let cause = icarus::build_with_ports(lockstep.shape(), &hdl(args), &compiled(args))
        .and_then(|program| blame::blame(d, lockstep, &program));
    Ok(Evidence { cause, vote, vector, wave })
}

fn found<C>(failure: &Failure<C>, evidence: &Evidence) -> JsonDivergence {
    let d = &failure.divergence;
    let first = d.first();
    JsonDivergence {
        case: failure.case.clone(),
        cycle: d.cycle,
        node: d.node,
        kind: first.map_or("", |s| s.signal.kind.name()),
        path: first.map(Difference::path).unwrap_or_default(),
        module: first.map_or("", |s| s.signal.module),
        bit: first.map_or(0, Difference::bit),
        model: first.map(|s| format!("{:x}", s.model())).unwrap_or_default(),
        verilog: first.map(|s| format!("{:x}", s.seen.value)).unwrap_or_default(),
        minimal: failure.minimal,
        cause: evidence.cause.as_ref().ok().and_then(Option::as_ref).and_then(|cause| {
            let wire = cause.wire.as_ref()?;
            Some(JsonCause {
                cycle: wire.cycle,
                module: cause.module,
                port: wire.path(),
                model: format!("{:x}", wire.expected.value),
                verilog: format!("{:x}", wire.seen.value),
            })
        }),
        vote: evidence.vote.as_ref().ok().and_then(Option::as_ref).map(ToString::to_string),
        vector: Some(evidence.vector.clone()),
        wave: evidence.wave.clone(),
    }
}

fn tell<C: std::fmt::Debug>(
    args: &Args,
    module: &str,
    failure: &Failure<C>,
    evidence: &Evidence,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    match &evidence.cause {
        Ok(Some(cause)) => writeln!(out, "first wrong wire:\n  {cause}\n")?,
        Ok(None) => {}
        Err(e) => writeln!(out, "first wrong wire: not searched: {e}\n")?,
    }
    write!(out, "{failure}")?;
    match &evidence.vote {
        Ok(Some(vote)) => writeln!(out, "  vote:   {vote}")?,
        Ok(None) => writeln!(out, "  vote:   Icarus never gave that word a value")?,
        Err(e) => writeln!(out, "  vote:   none: {e}")?,
    }
    if let Some(wave) = &evidence.wave {
        writeln!(out, "  wave:   {}", wave.with_extension("gtkw").display())?;
    }
    let ring = ["ring", "boards"].contains(&module);
    let nodes = if ring { format!(" --nodes {}", args.nodes) } else { String::new() };
    let sizes = args.parameters.iter().fold(String::new(), |t, p| format!("{t} --param {p}"));
    let hdl = args.hdl.as_ref().map(|h| format!(" --hdl {}", h.display())).unwrap_or_default();
    writeln!(out, "  replay: awgstar cosim --replay {}{hdl}", evidence.vector.display())?;
    writeln!(
        out,
        "  again:  awgstar cosim --sim verilator --module {module}{nodes}{sizes} --seed {} --cases {} --cycles {}{hdl}\n",
        args.seed,
        args.random_cases(),
        args.cycles
    )?;
    Ok(())
}
