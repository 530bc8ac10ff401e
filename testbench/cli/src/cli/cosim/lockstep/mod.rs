// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar cosim --module ring_node|ring|smb|smb_axi4|boards|ring_link|smb_link|ring_gateway` and `--replay`: model and Verilog in lockstep.

mod icarus;
mod job;
mod verilator;

use super::args::Args;
use crate::cli::{CliError, CliResult, Outcome, choice::Tool};
use awgstar::rtl::{
    ParameterError, Parameters, RingGateway, RingLink, RingNode, Smb, SmbAxi4, SmbLink,
};
use awgstar_lockstep::{Lockstep, Verdict, text};
use awgstar_simulator::four_state as icarus_sim;
use awgstar_stimulus::board::BoardStimulus;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::directed::Named;
use awgstar_stimulus::node::{directed, sized, strategy};
use awgstar_stimulus::reached;
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector::Vector;
use awgstar_stimulus::vectors::board as golden;
use awgstar_stimulus::{Case, StimulusError, board, echo, gateway, link, vector};
use job::{Job, compiled, hdl};
use proptest::prop_oneof;
use proptest::strategy::{BoxedStrategy, Strategy};
use std::{io::Write, path::Path};

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let mut outcomes = Vec::new();
    for module in &args.modules {
        outcomes.push(match module.as_str() {
            "smb" | "boards" => board_job(args, module)?.run(args, out)?,
            "smb_axi4" => burst_job(args, module)?.run(args, out)?,
            "ring_link" => link_job(args, module)?.run(args, out)?,
            "smb_link" => linked_board_job(args, module)?.run(args, out)?,
            "ring_gateway" => gateway_job(args, module)?.run(args, out)?,
            _ => node_job(args, module)?.run(args, out)?,
        });
    }
    let worst = [Outcome::Failed, Outcome::NotJudged].into_iter().find(|o| outcomes.contains(o));
    Ok(worst.unwrap_or(Outcome::Holds))
}

impl From<ParameterError> for CliError {
    fn from(error: ParameterError) -> Self {
        let what = match error {
            ParameterError::Unknown { module, name, names } if !names.is_empty() => {
                format!("parameter {name} of {module}: {}", echo::expected(&name, names))
            }
            other => other.to_string(),
        };
        CliError::Usage(format!("--param: {what}"))
    }
}

fn node_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, RingNode>, CliError> {
    let parameters = Parameters::DEFAULT.parse("ring_node", &args.parameters)?;
    let ring = module == "ring";
    let nodes = if ring { usize::from(args.nodes) } else { 1 };
    let strategy: BoxedStrategy<Case<RingNode>> = if ring {
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
    let engine = parameters.engine_node_w() != 0;
    let fit = move |case| board::sized::fit(case, &parameters);
    let joins = parameters.join() != 0;
    let strategy: BoxedStrategy<Case<Smb>> = match (ring, engine) {
        (true, false) if joins => board::join::ring_of(parameters, nodes, args.cycles).boxed(),
        (true, true) => board::engine::ring_of(parameters, nodes, args.cycles).boxed(),
        (true, false) => board::strategy::ring(nodes, args.cycles).boxed(),
        (false, true) => board::engine::board(parameters, args.cycles).prop_map(fit).boxed(),
        (false, false) => board::strategy::board(args.cycles).prop_map(fit).boxed(),
    };
    let strategy = if joins && !ring {
        let join = board::join::one_of(parameters, args.cycles).prop_map(Case::alone).prop_map(fit);
        prop_oneof![join, strategy].boxed()
    } else {
        strategy
    };
    // An engine changes no size that a case made for the contract's parameters depends on.
    let usual = !ring && parameters.with("smb", "ENGINE_NODE_W", 0)? == Parameters::DEFAULT;
    let mut directed = match (ring, usual) {
        (true, _) => board::rings::named(nodes, &parameters),
        (_, true) => board::directed::named().into_iter().chain(board::warm::named()).collect(),
        (_, false) => board::sized::cases(&parameters),
    };
    if engine && !ring {
        directed.extend(stories(Case::alone)?);
        // Set for an engine of this size.
        if parameters == board::engine::parameters() {
            directed.push(golden::own_numbers_wrap()?);
        }
    }
    let warm = usual.then(|| board::warm::warm_board(args.cycles).boxed());
    let nodes = if ring { nodes.into() } else { 1 };
    Ok(Job { module, directed, warm, strategy, nodes, parameters })
}

fn burst_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, SmbAxi4>, CliError> {
    let parameters = Parameters::DEFAULT.parse("smb_axi4", &args.parameters)?;
    let engine = parameters.engine_node_w() != 0;
    let usual = parameters.with("smb_axi4", "ENGINE_NODE_W", 0)? == Parameters::DEFAULT;
    let mut directed =
        if usual { board::burst::named() } else { board::sized::burst_cases(&parameters) };
    let fit = move |case| board::sized::fit_bursts(case, &parameters);
    let mut strategy = board::burst::board(args.cycles).prop_map(fit).boxed();
    if engine {
        directed.extend(stories(|s| Case::alone(board::burst::of_single_accesses(&s)))?);
        strategy = board::engine::burst_board(parameters, args.cycles).boxed();
    }
    if parameters.join() != 0 {
        let join = board::join::one_of(parameters, args.cycles);
        let join =
            join.prop_map(|one| Case::alone(board::burst::of_single_accesses(&one))).prop_map(fit);
        strategy = prop_oneof![join, strategy].boxed();
    }
    Ok(Job { module, directed, warm: None, strategy, nodes: 1, parameters })
}

/// The stories of the golden vectors of a board with an engine, and those of its lists.
fn stories<C>(
    case: impl Fn(BoardStimulus) -> C,
) -> Result<impl Iterator<Item = Named<C>>, StimulusError> {
    let stories = golden::with_engine()?
        .iter()
        .map(|story| Named { name: format!("engine/{}", story.name), ..story.named() });
    Ok(stories.chain(golden::lists()?).map(move |story| story.map(&case)))
}

fn link_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, RingLink>, CliError> {
    let parameters = Parameters::DEFAULT.parse(module, &args.parameters)?;
    let mut directed = link::directed();
    if parameters != Parameters::DEFAULT {
        directed.extend(link::sized());
    }
    Ok(Job {
        module,
        directed,
        warm: None,
        strategy: link::link(args.cycles).boxed(),
        nodes: 1,
        parameters,
    })
}

fn linked_board_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, SmbLink>, CliError> {
    let parameters = Parameters::DEFAULT.parse(module, &args.parameters)?;
    Ok(Job {
        module,
        directed: if parameters == Parameters::DEFAULT {
            link::directed_boards(&parameters)
        } else {
            link::sized_boards(&parameters)
        },
        warm: None,
        strategy: link::board(parameters, args.cycles).boxed(),
        nodes: 1,
        parameters,
    })
}

fn gateway_job<'a>(args: &Args, module: &'a str) -> Result<Job<'a, RingGateway>, CliError> {
    let parameters = Parameters::DEFAULT.parse(module, &args.parameters)?;
    Ok(Job {
        module,
        directed: gateway::directed(&parameters),
        warm: None,
        strategy: gateway::random(parameters, args.cycles).boxed(),
        nodes: 1,
        parameters,
    })
}

impl<M: Machine> Job<'_, M> {
    fn run(&self, args: &Args, out: &mut dyn Write) -> CliResult {
        if args.sim == Some(Tool::Icarus) {
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
        "ring_gateway" => replay_of::<RingGateway>(args, folder, out),
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
    if args.sim != Some(Tool::Icarus) {
        let lockstep =
            Lockstep::<M>::with_parameters(&hdl(args), &compiled(args), &vector.parameters)?;
        match lockstep.run(&vector.case())? {
            Verdict::Equal(_) => say("verilator", None)?,
            Verdict::Diverged(d) => say("verilator", Some(text::render(&d)))?,
        }
    }
    if args.sim != Some(Tool::Verilator) {
        let shape = Shape::of::<M>(&vector.parameters);
        let program = icarus_sim::build(&shape, &hdl(args), &compiled(args))?;
        say("icarus", icarus::says::<M>(&shape, &program, &vector.track)?)?;
    }
    if holds {
        let shape = Shape::of::<M>(&vector.parameters);
        for line in reached::of::<M>(&shape, &vector.track)?.came() {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(if holds { Outcome::Holds } else { Outcome::Failed })
}
