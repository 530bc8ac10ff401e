//! `awgstar campaign`: long random runs of a ring of boards with faults.

use super::{CliError, CliResult, Outcome, sim::progress};
use awgstar_testbench::campaign::{self, BOARDS_MAX, BOARDS_MIN, Tally};
use std::io::Write;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar campaign --frames 10000\n\ndocs/faults.md says what is checked, and what no ring survives."
)]
pub(crate) struct Args {
    /// Frames to send: episodes are run until there were so many
    #[arg(long, default_value_t = 1_000_000)]
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
    let mut total = Tally::default();
    let bar = progress(args.frames, "frames");
    let (first, last) = args.episode.map_or((0, u64::MAX), |k| (k, k));
    for k in first..=last {
        let tally = campaign::episode(args.seed, k, args.boards)
            .map_err(|violation| CliError::Check(violation.to_string()))?;
        total.add(&tally);
        bar.set_position(total.frames.min(args.frames));
        if total.frames >= args.frames {
            break;
        }
    }
    bar.finish_and_clear();
    if args.json {
        let text = serde_json::to_string(&total).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        write!(out, "{total}")?;
    }
    Ok(Outcome::Holds)
}
