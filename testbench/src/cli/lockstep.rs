//! `awgstar cosim --module node|ring` and `--replay`: model and Verilog in lockstep.

use super::{CliError, CliResult, Outcome, cosim::Args};
use awgstar::rtl::RingNode;
use awgstar_testbench::{
    lockstep::{
        Case, Lockstep, Memories, Verdict,
        campaign::{self, Failure},
        icarus,
        machine::Machine,
        strategy, text,
        vector::{self, Vector},
        vote, waves,
    },
    sim::SimError,
};
use indicatif::{ProgressBar, ProgressStyle};
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use serde::Serialize;
use std::{
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    time::Instant,
};

#[derive(Serialize)]
struct Json<'a> {
    simulator: &'a str,
    module: &'a str,
    nodes: usize,
    seed: u32,
    scenarios: usize,
    node_cycles: u64,
    seconds: f64,
    divergence: Option<JsonDivergence>,
}

#[derive(Serialize)]
struct JsonDivergence {
    scenario: usize,
    cycle: u64,
    node: usize,
    kind: &'static str,
    path: String,
    module: &'static str,
    bit: u32,
    model: String,
    verilog: String,
    minimal: bool,
    vote: Option<String>,
    vector: Option<PathBuf>,
    wave: Option<PathBuf>,
}

/// What a failing campaign leaves behind.
struct Evidence {
    vote: Result<Option<vote::Vote>, SimError>,
    vector: PathBuf,
    wave: Option<PathBuf>,
}

fn hdl(args: &Args) -> PathBuf {
    args.hdl.clone().unwrap_or_else(|| args.root.join("hdl"))
}

fn compiled(args: &Args) -> PathBuf {
    args.root.join("target/cosim")
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let mut holds = true;
    for module in &args.modules {
        let (strategy, nodes) = cases(args, module);
        let job = Job::<RingNode> { module, strategy, nodes };
        holds &= job.run(args, out)?;
    }
    Ok(if holds { Outcome::Holds } else { Outcome::Failed })
}

/// What is to be run.
struct Job<'a, M: Machine> {
    module: &'a str,
    strategy: BoxedStrategy<M::Case>,
    nodes: usize,
}

fn cases(args: &Args, module: &str) -> (BoxedStrategy<Case>, usize) {
    if module == "ring" {
        let nodes = usize::from(args.nodes);
        (strategy::ring(nodes, args.cycles).boxed(), nodes)
    } else {
        (strategy::node(args.cycles).boxed(), 1)
    }
}

fn bar(count: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len} scenarios  {per_sec}  eta {eta}");
    let bar = ProgressBar::new(count as u64);
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

impl<M: Machine> Job<'_, M> {
    fn run(&self, args: &Args, out: &mut dyn Write) -> Result<bool, CliError> {
        if args.sim.as_deref() == Some("icarus") {
            on_icarus(self, args, out)
        } else {
            on_verilator(self, args, out)
        }
    }
}

fn on_verilator<M: Machine>(
    job: &Job<'_, M>,
    args: &Args,
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let Job { module, strategy, nodes } = job;
    let mut lockstep = Lockstep::<M>::new(&hdl(args), &compiled(args))?;
    lockstep.memories = if args.fast { Memories::Fast } else { Memories::Strict };
    let count = usize::try_from(args.scenarios).unwrap_or(usize::MAX);
    let bar = bar(count);
    let start = Instant::now();
    let outcome =
        campaign::campaign(&mut lockstep, strategy, args.seed.into(), count, &|done, _| {
            bar.set_position(done as u64);
        })?;
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let failure = match outcome.failure {
        Some(failure) => {
            let evidence = evidence(args, module, &lockstep, &failure)?;
            Some((failure, evidence))
        }
        None => None,
    };
    if args.json {
        let object = Json {
            simulator: "verilator",
            module,
            nodes: *nodes,
            seed: args.seed,
            scenarios: outcome.cases,
            node_cycles: outcome.cycles,
            seconds,
            divergence: failure.as_ref().map(|(failure, evidence)| found(failure, evidence)),
        };
        let text = serde_json::to_string(&object).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
        return Ok(failure.is_none());
    }
    if let Some((failure, evidence)) = &failure {
        tell(args, module, failure, evidence, out)?;
    }
    writeln!(
        out,
        "{module}, {nodes} node{}: {} scenarios, {} node cycles compared, {}, {seconds:.1} s",
        if *nodes == 1 { "" } else { "s" },
        outcome.cases,
        outcome.cycles,
        if failure.is_none() { "no difference" } else { "1 difference" },
    )?;
    Ok(failure.is_none())
}

fn evidence<M: Machine>(
    args: &Args,
    module: &str,
    lockstep: &Lockstep<M>,
    failure: &Failure<M::Case>,
) -> Result<Evidence, CliError> {
    let d = &failure.divergence;
    let name = format!("{module}-{}-{}", args.seed, failure.number);
    let vector = compiled(args).join("failing").join(&name);
    let path = d.first().map_or("", |s| s.path.as_str());
    let why = format!("model and Verilog differed in {path}, cycle {}", d.cycle);
    Vector::<M>::of(d, &why)?.save(&vector)?;
    let folder = compiled(args).join("wave").join(&name);
    let wave = if args.no_waves { None } else { Some(waves::write(d, lockstep, &folder)?) };
    let vote = icarus::build::<M>(&hdl(args), &compiled(args))
        .and_then(|program| vote::vote(d, lockstep, &program));
    Ok(Evidence { vote, vector, wave })
}

fn found<C>(failure: &Failure<C>, evidence: &Evidence) -> JsonDivergence {
    let d = &failure.divergence;
    let first = d.first();
    JsonDivergence {
        scenario: failure.number,
        cycle: d.cycle,
        node: d.node,
        kind: first.map_or("", |s| s.kind.name()),
        path: first.map(|s| s.path.clone()).unwrap_or_default(),
        module: first.map_or("", |s| s.module),
        bit: first.map_or(0, awgstar_testbench::lockstep::Differs::bit),
        model: first.map(|s| format!("{:x}", s.model)).unwrap_or_default(),
        verilog: first.map(|s| format!("{:x}", s.rtl)).unwrap_or_default(),
        minimal: failure.minimal,
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
    write!(out, "{}", text::failure(failure))?;
    match &evidence.vote {
        Ok(Some(vote)) => writeln!(out, "  vote:   {vote}")?,
        Ok(None) => writeln!(out, "  vote:   Icarus never gave that word a value")?,
        Err(e) => writeln!(out, "  vote:   none: {e}")?,
    }
    if let Some(wave) = &evidence.wave {
        writeln!(out, "  wave:   {}", wave.with_extension("gtkw").display())?;
    }
    let nodes = if module == "ring" { format!(" --nodes {}", args.nodes) } else { String::new() };
    let hdl = args.hdl.as_ref().map(|h| format!(" --hdl {}", h.display())).unwrap_or_default();
    writeln!(out, "  replay: awgstar cosim --replay {}{hdl}", evidence.vector.display())?;
    writeln!(
        out,
        "  again:  awgstar cosim --sim verilator --module {module}{nodes} --seed {} --scenarios {} --cycles {}{hdl}\n",
        args.seed,
        failure.number + 1,
        args.cycles
    )?;
    Ok(())
}

fn on_icarus<M: Machine>(
    job: &Job<'_, M>,
    args: &Args,
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let Job { module, strategy, nodes } = job;
    let program = icarus::build::<M>(&hdl(args), &compiled(args))?;
    let count = usize::try_from(args.scenarios).unwrap_or(usize::MAX);
    let bar = bar(count);
    let start = Instant::now();
    let (mut cycles, mut failed) = (0, 0);
    for number in 0..count {
        let case = campaign::case(strategy, args.seed.into(), number)?.current();
        for node in 0..*nodes {
            let inputs = vector::inputs_of::<M>(&case, node)?;
            cycles += inputs.len();
            if let Some(wrong) = icarus_says::<M>(&program, &inputs)? {
                failed += 1;
                writeln!(out, "scenario {number}, node {node}: {wrong}")?;
            }
        }
        bar.set_position(number as u64 + 1);
        if failed > 0 {
            break;
        }
    }
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let object = serde_json::json!({
            "simulator": "icarus", "module": module, "nodes": nodes, "seed": args.seed,
            "node_cycles": cycles, "failed": failed, "seconds": seconds,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "{module} in Icarus, four states: {cycles} node cycles compared, {}, {seconds:.1} s",
            if failed == 0 { "no difference, no X" } else { "a difference" }
        )?;
    }
    Ok(failed == 0)
}

/// What is wrong first, in words.
fn icarus_says<M: Machine>(
    program: &Path,
    inputs: &[M::Inputs],
) -> Result<Option<String>, CliError> {
    let cycles = icarus::play::<M>(program, inputs)?;
    let wrong = icarus::check::<M>(inputs, &cycles);
    Ok(wrong.first().map(|w| {
        let (what, x) = if w.is_x() { ("an X", true) } else { ("another value", false) };
        let found = if x { "X".to_owned() } else { format!("{:x}", w.icarus.value) };
        format!(
            "Icarus has {what} in {}, cycle {}: model {:x}, Icarus {found}",
            w.path, w.cycle, w.model
        )
    }))
}

pub(super) fn replay(args: &Args, folder: &Path, out: &mut dyn Write) -> CliResult {
    replay_of::<RingNode>(args, folder, out)
}

fn replay_of<M: Machine>(args: &Args, folder: &Path, out: &mut dyn Write) -> CliResult {
    let vector = Vector::<M>::load(folder)?;
    writeln!(out, "{}: {}", folder.display(), vector.about.why)?;
    let mut holds = true;
    let mut say = |side: &str, wrong: Option<String>| -> Result<(), CliError> {
        holds &= wrong.is_none();
        let text = wrong.unwrap_or_else(|| format!("holds, {} cycles", vector.inputs.len()));
        writeln!(out, "  {side:<10} {}", text.trim_end().replace('\n', "\n  "))?;
        Ok(())
    };
    let drift = vector.drift();
    say("model", drift.map(|c| format!("does not give expect.hex in cycle {c}")))?;
    if args.sim.as_deref() != Some("icarus") {
        let lockstep = Lockstep::<M>::new(&hdl(args), &compiled(args))?;
        match lockstep.run(&vector.case())? {
            Verdict::Equal(_) => say("verilator", None)?,
            Verdict::Diverged(d) => say("verilator", Some(text::render(&d)))?,
        }
    }
    if args.sim.as_deref() != Some("verilator") {
        let program = icarus::build::<M>(&hdl(args), &compiled(args))?;
        say("icarus", icarus_says::<M>(&program, &vector.inputs)?)?;
    }
    Ok(if holds { Outcome::Holds } else { Outcome::Failed })
}
