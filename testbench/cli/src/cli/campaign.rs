// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar campaign`: long random runs of a ring of boards with faults.

use super::{CliError, CliResult, Outcome, number, shard, sim::progress};
use awgstar_cli::campaign;
use awgstar_cli::campaign::rings::{NODES_MAX, RINGS_MAX, RINGS_MIN};
use awgstar_cli::campaign::{BOARDS_MAX, BOARDS_MIN, Campaign};
use awgstar_cli::work::Work;
use std::io::Write;

/// Most episodes of a run: the verdict of each is kept until the end.
const EPISODES_MAX: u64 = 1_000_000;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar campaign --frames 10000\n\nThe last line is the verdict. The exit code is 1 after a violation, and when no frame was sent.\ndocs/faults.md says what is checked, and what no ring survives."
)]
pub(crate) struct Args {
    /// Frames to send: episodes are run until this number is reached
    #[arg(long, default_value_t = 1_000_000, value_parser = number::within::<u64>(1..=u64::MAX))]
    frames: u64,
    /// All that is random follows from it
    #[arg(long, default_value_t = 1, value_parser = number::any())]
    seed: u64,
    /// Boards of every ring
    #[arg(long = "nodes", value_name = "N", default_value_t = 4, value_parser = number::within::<usize>(BOARDS_MIN as u64..=BOARDS_MAX as u64))]
    boards: usize,
    /// Rings of so many boards with gateways between them, and processes, in place of one ring
    #[arg(long, value_name = "N", value_parser = number::within::<usize>(RINGS_MIN as u64..=RINGS_MAX as u64))]
    rings: Option<usize>,
    /// Run so many episodes, which are the cases of a campaign, whatever they send
    #[arg(long = "cases", value_name = "N", conflicts_with = "frames", value_parser = number::within::<u64>(1..=EPISODES_MAX))]
    episodes: Option<u64>,
    /// Run this episode alone
    #[arg(long = "case", value_name = "K", conflicts_with_all = ["frames", "episodes"], value_parser = number::any())]
    episode: Option<u64>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(super) part: shard::ShardArgs,
}

pub(super) fn run(args: &Args, work: &Work, out: &mut dyn Write) -> CliResult {
    let Args { frames, seed, boards, episode, episodes, json, .. } = *args;
    let rings = args.rings.unwrap_or(0);
    if rings > 0 && boards > NODES_MAX {
        let what = format!("--nodes is {boards}: with --rings expected 2 to {NODES_MAX}");
        return Err(CliError::Usage(what));
    }
    let campaign = Campaign { seed, rings, boards, frames, episodes, episode };
    let play = |k| match rings {
        0 => campaign::episode(seed, k, boards),
        _ => campaign::rings::episode(seed, k, rings, boards),
    };
    let verdict = if let Some(episodes) = episodes {
        let bar = progress(episodes, "episodes");
        let one = |&k: &u64| {
            let end = play(k);
            bar.inc(1);
            Ok::<_, std::convert::Infallible>(end)
        };
        let numbers: Vec<u64> = (0..episodes).collect();
        let ends = work.map(&numbers, |k| format!("episode {k}"), one);
        bar.finish_and_clear();
        match ends.map_err(|e| shard::failed(e, |never| match never {}))? {
            Some(ends) => campaign.verdict(ends),
            None => return Ok(Outcome::Holds),
        }
    } else {
        if work.part().is_some() {
            let why = "--shard needs --cases: with --frames the number of episodes follows from what all of them send";
            return Err(CliError::Usage(why.into()));
        }
        let bar = progress(frames, "frames");
        let verdict = campaign.run(play, &mut |sent| {
            bar.set_position(sent.min(frames));
        });
        bar.finish_and_clear();
        verdict
    };
    if json {
        let text = serde_json::to_string(&verdict).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        writeln!(out, "{verdict}")?;
    }
    Ok(if verdict.holds() { Outcome::Holds } else { Outcome::Failed })
}
