// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar cosim --module node|ring|smb|smb_axi4|boards|ring_link|smb_link` and `--replay`: model and Verilog in lockstep.

mod icarus;
mod verilator;

use super::args::Args;
use crate::cli::{CliError, CliResult, Outcome};
use awgstar::rtl::{ParameterError, Parameters, RingLink, RingNode, Smb, SmbAxi4, SmbLink};
use awgstar_lockstep::{Lockstep, Verdict, text};
use awgstar_simulator::four_state as icarus_sim;
use awgstar_stimulus::board::BoardCase;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::directed::Named;
use awgstar_stimulus::node::{directed, sized, strategy};
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector::Vector;
use awgstar_stimulus::{Case, board, link, vector};
use indicatif::{ProgressBar, ProgressStyle};
use proptest::strategy::{BoxedStrategy, Strategy};
use std::{
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
};

/// Modules that run beside the model.
pub(super) const MODULES: [&str; 7] =
    ["node", "ring", "smb", "smb_axi4", "boards", "ring_link", "smb_link"];

fn hdl(args: &Args) -> PathBuf {
    args.hdl.clone().unwrap_or_else(|| args.root.join("hdl"))
}

fn compiled(args: &Args) -> PathBuf {
    args.root.join("target/cosim")
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let mut holds = true;
    for module in &args.modules {
        holds &= match module.as_str() {
            "smb" | "boards" => board_job(args, module)?.run(args, out)?,
            "smb_axi4" => burst_job(args, module)?.run(args, out)?,
            "ring_link" => link_job(args, module)?.run(args, out)?,
            "smb_link" => linked_board_job(args, module)?.run(args, out)?,
            _ => node_job(args, module)?.run(args, out)?,
        };
    }
    Ok(if holds { Outcome::Holds } else { Outcome::Failed })
}

/// Cases of a lockstep campaign.
struct Job<'a, M: Machine> {
    module: &'a str,
    /// Played before the random cases, on Verilator.
    directed: Vec<Named<M::Case>>,
    /// Cases that begin just before a wrap-around: half of all random ones, on Verilator the first half.
    warm: Option<BoxedStrategy<M::Case>>,
    strategy: BoxedStrategy<M::Case>,
    nodes: usize,
    parameters: Parameters,
}

impl From<ParameterError> for CliError {
    fn from(error: ParameterError) -> Self {
        CliError::Usage(format!("--param: {error}"))
    }
}

fn node_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, RingNode>, CliError> {
    let parameters = Parameters::DEFAULT.parse("ring_node", &args.parameters)?;
    let ring = module == "ring";
    let nodes = if ring { usize::from(args.nodes) } else { 1 };
    let strategy: BoxedStrategy<Case> = if ring {
        strategy::ring(nodes, args.cycles).boxed()
    } else {
        strategy::node(args.cycles).boxed()
    };
    // At other sizes only cases that fit them are played.
    let usual = !ring && parameters == Parameters::DEFAULT;
    let directed = match (ring, usual) {
        (true, _) => Vec::new(),
        (_, true) => directed::cases(),
        (_, false) => sized::cases(&parameters),
    };
    let warm = usual.then(|| strategy::warm_node(args.cycles).boxed());
    Ok(Job { module, directed, warm, strategy, nodes, parameters })
}

fn board_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, Smb>, CliError> {
    let ring = module == "boards";
    let parameters = Parameters::DEFAULT.parse("smb", &args.parameters)?;
    let nodes = u8::try_from(args.nodes).map_err(|_| {
        CliError::Usage(format!("--nodes is {}: expected 1 to 255 boards", args.nodes))
    })?;
    let strategy: BoxedStrategy<BoardCase> = if ring {
        board::strategy::ring(nodes, args.cycles).boxed()
    } else {
        let fit = move |case| board::sized::fit(case, &parameters);
        board::strategy::board(args.cycles).prop_map(fit).boxed()
    };
    let usual = !ring && parameters == Parameters::DEFAULT;
    let directed = match (ring, usual) {
        (true, _) => Vec::new(),
        (_, true) => board::directed::named().into_iter().chain(board::warm::named()).collect(),
        (_, false) => board::sized::cases(&parameters),
    };
    let warm = usual.then(|| board::warm::warm_board(args.cycles).boxed());
    let nodes = if ring { nodes.into() } else { 1 };
    Ok(Job { module, directed, warm, strategy, nodes, parameters })
}

fn burst_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, SmbAxi4>, CliError> {
    let parameters = Parameters::DEFAULT.parse("smb_axi4", &args.parameters)?;
    let usual = parameters == Parameters::DEFAULT;
    Ok(Job {
        module,
        directed: if usual { board::burst::named() } else { Vec::new() },
        warm: None,
        strategy: board::burst::board(args.cycles).boxed(),
        nodes: 1,
        parameters,
    })
}

fn link_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, RingLink>, CliError> {
    Ok(Job {
        module,
        directed: link::directed(),
        warm: None,
        strategy: link::link(args.cycles).boxed(),
        nodes: 1,
        parameters: Parameters::DEFAULT.parse(module, &args.parameters)?,
    })
}

fn linked_board_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, SmbLink>, CliError> {
    Ok(Job {
        module,
        directed: link::directed_boards(),
        warm: None,
        strategy: link::board(args.cycles).boxed(),
        nodes: 1,
        parameters: Parameters::DEFAULT.parse(module, &args.parameters)?,
    })
}

/// What the cases that were played reached, of a module for which it is counted.
#[derive(Default)]
struct Reached(Vec<(&'static str, u64)>);

impl Reached {
    fn add<M: Machine>(&mut self, inputs: &[M::Inputs]) {
        for (name, count) in M::reached(inputs) {
            match self.0.iter_mut().find(|(n, _)| *n == name) {
                Some((_, sum)) => *sum += count,
                None => self.0.push((name, count)),
            }
        }
    }

    /// The counts, after a run without a difference.
    ///
    /// # Errors
    /// If a part never acted: then the run says nothing about it.
    fn judged(&self) -> Result<String, CliError> {
        let none: Vec<_> = self.0.iter().filter(|(_, n)| *n == 0).map(|(name, _)| *name).collect();
        if none.is_empty() {
            return Ok(text::reached(&self.0));
        }
        let none = none.join(", ");
        Err(CliError::Usage(format!(
            "not judged: no difference, but not reached: {none}; expected more --scenarios or --cycles"
        )))
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
            icarus::run(self, args, out)
        } else {
            verilator::run(self, args, out)
        }
    }
}

pub(super) fn replay(args: &Args, folder: &Path, out: &mut dyn Write) -> CliResult {
    match vector::module(folder)?.as_str() {
        "smb" => replay_of::<Smb>(args, folder, out),
        "smb_axi4" => replay_of::<SmbAxi4>(args, folder, out),
        "ring_link" => replay_of::<RingLink>(args, folder, out),
        "smb_link" => replay_of::<SmbLink>(args, folder, out),
        _ => replay_of::<RingNode>(args, folder, out),
    }
}

fn replay_of<M: Machine>(args: &Args, folder: &Path, out: &mut dyn Write) -> CliResult {
    let vector = Vector::<M>::load(folder)?;
    writeln!(out, "{}: {}", folder.display(), vector.about.why)?;
    let mut holds = true;
    let mut say = |side: &str, wrong: Option<String>| -> Result<(), CliError> {
        holds &= wrong.is_none();
        let text = wrong.unwrap_or_else(|| format!("holds, {} cycles", vector.track.inputs.len()));
        writeln!(out, "  {side:<10} {}", text.trim_end().replace('\n', "\n  "))?;
        Ok(())
    };
    let drift = vector.drift();
    say("model", drift.map(|c| format!("does not give expect.hex in cycle {c}")))?;
    if args.sim.as_deref() != Some("icarus") {
        let lockstep =
            Lockstep::<M>::with_parameters(&hdl(args), &compiled(args), &vector.parameters)?;
        match lockstep.run(&vector.case())? {
            Verdict::Equal(_) => say("verilator", None)?,
            Verdict::Diverged(d) => say("verilator", Some(text::render(&d)))?,
        }
    }
    if args.sim.as_deref() != Some("verilator") {
        let shape = Shape::of::<M>(&vector.parameters);
        let program = icarus_sim::build(&shape, &hdl(args), &compiled(args))?;
        say("icarus", icarus::says::<M>(&shape, &program, &vector.track)?)?;
    }
    Ok(if holds { Outcome::Holds } else { Outcome::Failed })
}
