// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases of a lockstep campaign, and the verdict on them.

use crate::cli::cosim::args::Args;
use crate::cli::{CliError, Outcome};
use awgstar::rtl::Parameters;
use awgstar_stimulus::Case;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::directed::Named;
use awgstar_stimulus::reached::Reached;
use indicatif::{ProgressBar, ProgressStyle};
use proptest::strategy::BoxedStrategy;
use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
};

/// Cases of a lockstep campaign.
pub(super) struct Job<'a, M: Machine> {
    pub(super) module: &'a str,
    /// Played before the random cases.
    pub(super) directed: Vec<Named<Case<M>>>,
    /// Cases that begin just before a wrap-around: half of all random ones, on Verilator the first half.
    pub(super) warm: Option<BoxedStrategy<Case<M>>>,
    pub(super) strategy: BoxedStrategy<Case<M>>,
    pub(super) nodes: usize,
    pub(super) parameters: Parameters,
}

/// Reason why a run without a difference is no verdict: a part never acted.
pub(super) fn idle<M: Machine>(job: &Job<'_, M>, reached: &Reached) -> Option<String> {
    reached.idle(&job.parameters).or_else(|| reached.never(job.module))
}

/// Outcome of a run without a difference that has reached this, and a line for each group of events.
pub(super) fn judge<M: Machine>(
    job: &Job<'_, M>,
    reached: &Reached,
    failed: bool,
    mut out: Option<&mut dyn Write>,
) -> Result<Outcome, CliError> {
    if failed {
        return Ok(Outcome::Failed);
    }
    if let Some(out) = &mut out {
        for line in reached.lines() {
            writeln!(out, "  {line}")?;
        }
    }
    let Some(why) = idle(job, reached) else { return Ok(Outcome::Holds) };
    if let Some(out) = &mut out {
        writeln!(out, "{}: not judged: {why}", job.module)?;
    }
    Ok(Outcome::NotJudged)
}

pub(super) fn bar(count: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cases  {per_sec}  eta {eta}");
    let bar = ProgressBar::new(count as u64);
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

pub(super) fn hdl(args: &Args) -> PathBuf {
    args.hdl.clone().unwrap_or_else(|| args.root.join("hdl"))
}

pub(super) fn compiled(args: &Args) -> PathBuf {
    args.root.join("target/cosim")
}
