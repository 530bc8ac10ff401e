// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar campaign`: long random runs of a ring of boards with faults.

use super::{CliError, CliResult, Outcome, sim::progress};
use awgstar_cli::campaign;
use awgstar_cli::campaign::{BOARDS_MAX, BOARDS_MIN, Campaign};
use std::io::Write;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar campaign --frames 10000\n\nThe last line is the verdict. The exit code is 1 after a violation, and when no frame was sent.\ndocs/faults.md says what is checked, and what no ring survives."
)]
pub(crate) struct Args {
    /// Frames to send: episodes are run until this number is reached
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    frames: u64,
    /// All that is random follows from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Boards of every ring
    #[arg(long, default_value_t = 4)]
    boards: usize,
    /// Run this episode alone
    #[arg(long, value_name = "K", conflicts_with = "frames")]
    episode: Option<u64>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    if !(BOARDS_MIN..=BOARDS_MAX).contains(&args.boards) {
        let found = args.boards;
        let range = format!("boards: expected {BOARDS_MIN} to {BOARDS_MAX}, found {found}");
        return Err(CliError::Usage(range));
    }
    let Args { frames, seed, boards, episode, json } = *args;
    let bar = progress(frames, "frames");
    let verdict = Campaign { seed, boards, frames, episode }.run(
        |k| campaign::episode(seed, k, boards),
        &mut |sent| {
            bar.set_position(sent.min(frames));
        },
    );
    bar.finish_and_clear();
    if json {
        let text = serde_json::to_string(&verdict).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        writeln!(out, "{verdict}")?;
    }
    Ok(if verdict.holds() { Outcome::Holds } else { Outcome::Failed })
}
