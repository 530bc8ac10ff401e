// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study latency`: what hosts of a ring of boards wait for, and how much they can write.

use super::{CliError, CliResult, Outcome, number, sim::progress};
use awgstar_cli::latency;
use awgstar_cli::latency::{Bandwidth, LENGTHS, Latency, LatencyError, OneHost, Port, TOKEN_RUNS};
use awgstar_draw::table::Table;
use serde::Serialize;
use std::io::Write;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar study latency --nodes 2,4")]
pub(crate) struct Args {
    /// Sizes of the rings, 2 to 256 boards
    #[arg(long = "nodes", value_delimiter = ',', default_values_t = [2, 4, 8, 16, 32, 64], value_name = "N,...", value_parser = number::within::<usize>(2..=256))]
    boards: Vec<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Default, Serialize)]
struct Figures {
    latency: Vec<Latency>,
    bandwidth: Vec<Bandwidth>,
    one_host: Vec<OneHost>,
}

/// Rings of more boards have no row of one host: a free token takes too long to come round.
const ONE_HOST_BOARDS: usize = 8;

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let few: Vec<usize> = args.boards.iter().copied().filter(|n| *n <= ONE_HOST_BOARDS).collect();
    let runs = args.boards.len() * 2 * (1 + LENGTHS.len()) + few.len() * 2 * TOKEN_RUNS.len();
    let bar = progress(runs as u64, "runs");
    let mut figures = Figures::default();
    let check = |e: LatencyError| CliError::Check(e.to_string());
    for &boards in &args.boards {
        for tokens in [1, boards.min(16).to_le_bytes()[0]] {
            figures.latency.push(latency::latency(boards, tokens).map_err(check)?);
            bar.inc(1);
            for length in LENGTHS {
                let figure = latency::bandwidth(boards, tokens, length).map_err(check)?;
                figures.bandwidth.push(figure);
                bar.inc(1);
            }
        }
    }
    for boards in few {
        for (port, token_run) in
            [Port::Lite, Port::Burst].into_iter().flat_map(|p| TOKEN_RUNS.map(|n| (p, n)))
        {
            figures.one_host.push(latency::one_host(boards, port, token_run).map_err(check)?);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if args.json {
        let text = serde_json::to_string(&figures).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        table(&figures, out)?;
    }
    Ok(Outcome::Holds)
}

fn table(figures: &Figures, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "Mean cycles (microseconds) from the AXI handshake on.\n")?;
    let latency = Table::new()
        .number("boards", |l: &Latency| l.boards)
        .number("tokens", |l| l.tokens)
        .number("visible, `COMBINE` 0", |l| l.visible)
        .number("confirmed", |l| l.confirmed)
        .number("visible, `COMBINE` 64", |l| l.visible_combined)
        .number("confirmed", |l| l.confirmed_combined)
        .number("signal `none`", |l| l.signal)
        .number("signal `sent`", |l| l.signal_sent);
    writeln!(out, "{}", latency.markdown(&figures.latency))?;
    writeln!(out, "MB/s of payload that went round, by bytes of a frame; all boards write.\n")?;
    let bandwidth = Table::new()
        .number("boards", |row: &&[Bandwidth]| row[0].boards)
        .number("tokens", |row| row[0].tokens);
    let bandwidth = LENGTHS.iter().enumerate().fold(bandwidth, |table, (i, length)| {
        table.number(length.to_string(), move |row| format!("{:.1}", row[i].megabytes))
    });
    let rows: Vec<_> = figures.bandwidth.chunks(LENGTHS.len()).collect();
    writeln!(out, "{}", bandwidth.markdown(&rows))?;
    writeln!(
        out,
        "One host writes, one token: MB/s in frames of 1,024 bytes, and mean cycles of a word from `awvalid` on.\n"
    )?;
    let one = Table::new()
        .number("boards", |h: &OneHost| h.boards)
        .number("host port", |h| h.port)
        .number("`TOKEN_RUN`", |h| h.token_run)
        .number("MB/s", |h| format!("{:.1}", h.megabytes))
        .number("of the line rate", |h| format!("{:.1} %", 100.0 * h.part))
        .number("answered", |h| format!("{:.0}", h.answered.mean))
        .number("visible, `COMBINE` 0", |h| h.visible)
        .number("confirmed", |h| h.confirmed);
    write!(out, "{}", one.markdown(&figures.one_host))?;
    Ok(())
}
