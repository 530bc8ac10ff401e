// SPDX-License-Identifier: MIT OR Apache-2.0
//! On Icarus, in four states.

use super::super::args::Args;
use super::job::{Job, bar, compiled, hdl, idle, judge};
use crate::cli::{CliError, CliResult};
use awgstar_lockstep::campaign;
use awgstar_simulator::{SimError, four_state as icarus};
use awgstar_stimulus::machine::{Machine, Track};
use awgstar_stimulus::reached;
use awgstar_stimulus::reached::Reached;
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector;
use proptest::strategy::ValueTree;
use std::{io::Write, path::Path, sync::Arc, time::Instant};

pub(super) fn run<M: Machine>(job: &Job<'_, M>, args: &Args, out: &mut dyn Write) -> CliResult {
    let Job { module, directed, warm, strategy, nodes, parameters } = job;
    let shape = Shape::of::<M>(parameters);
    let program = icarus::build(&shape, &hdl(args), &compiled(args))?;
    let count = args.random_cases() as usize;
    let directed = if args.with.is_some() { &directed[..] } else { &[] };
    let bar = bar(directed.len() + count);
    let start = Instant::now();
    let (mut cycles, mut failed) = (0, 0);
    let mut reached = Reached::default();
    let named = directed.iter().map(|named| Ok((named.name.clone(), named.case.clone())));
    let random = (0..count).map(|number| {
        // Every other case begins just before a wrap-around.
        let warm = warm.as_ref().filter(|_| number % 2 == 1);
        let case = campaign::case(warm.unwrap_or(strategy), args.seed.into(), number)?.current();
        Ok::<_, CliError>((format!("scenario {number}"), case))
    });
    for case in named.chain(random) {
        let (name, case) = case?;
        for node in 0..*nodes {
            let track = vector::track_of::<M>(&case, node, parameters)?;
            cycles += track.inputs.len();
            if let Some(wrong) = says::<M>(&shape, &program, &track)? {
                failed += 1;
                writeln!(out, "{name}, node {node}: {wrong}")?;
            }
            reached.merge(&reached::of::<M>(&shape, &track)?);
        }
        bar.inc(1);
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
            "reached": reached, "idle": idle(job, &reached),
        });
        writeln!(out, "{object}")?;
        judge(job, &reached, failed > 0, None)
    } else {
        writeln!(
            out,
            "{module} in Icarus, four states: {cycles} node cycles compared, {}, {seconds:.1} s",
            if failed == 0 { "no difference, no X" } else { "a difference" }
        )?;
        judge(job, &reached, failed > 0, Some(out))
    }
}

/// Description of the first difference.
pub(super) fn says<M: Machine>(
    shape: &Arc<Shape>,
    program: &Path,
    track: &Track<M::Inputs>,
) -> Result<Option<String>, CliError> {
    let cycles = icarus::play::<M>(shape, program, track)?;
    let wrong = awgstar_lockstep::check::<M>(shape, track, &cycles)
        .map_err(|error| SimError::format(program, error.to_string()))?;
    Ok(wrong.first().map(|w| {
        let (what, x) = if w.is_x() { ("an X", true) } else { ("another value", false) };
        let found = if x { "X".to_owned() } else { format!("{:x}", w.seen.value) };
        let (path, cycle, model) = (w.path(), w.cycle, w.model());
        format!("Icarus has {what} in {path}, cycle {cycle}: model {model:x}, Icarus {found}")
    }))
}
