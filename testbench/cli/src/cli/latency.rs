//! `awgstar latency`: what hosts of a ring of boards wait for, and how much they can write.

use super::{CliError, CliResult, Outcome, sim::progress};
use awgstar_cli::latency;
use awgstar_cli::latency::{Bandwidth, LENGTHS, Latency, LatencyError};
use serde::Serialize;
use std::io::Write;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar latency --boards 2,4")]
pub(crate) struct Args {
    /// Sizes of the rings, 2 to 256 boards
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8, 16, 32, 64], value_name = "N,...")]
    boards: Vec<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// All figures.
#[derive(Debug, Default, Serialize)]
struct Figures {
    latency: Vec<Latency>,
    bandwidth: Vec<Bandwidth>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    if let Some(found) = args.boards.iter().find(|n| !(2..=256).contains(*n)) {
        return Err(CliError::Usage(format!("boards: expected 2 to 256, found {found}")));
    }
    let bar = progress((args.boards.len() * 2 * (1 + LENGTHS.len())) as u64, "runs");
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
    writeln!(
        out,
        "| boards | tokens | visible, `COMBINE` 0 | confirmed | visible, `COMBINE` 64 | confirmed | signal `none` | signal `sent` |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|"
    )?;
    for l in &figures.latency {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            l.boards,
            l.tokens,
            l.visible,
            l.confirmed,
            l.visible_combined,
            l.confirmed_combined,
            l.signal,
            l.signal_sent
        )?;
    }
    let lengths = LENGTHS.map(|length| length.to_string()).join(" | ");
    writeln!(out, "\nMB/s of payload that went round, by bytes of a frame; all boards write.\n")?;
    writeln!(out, "| boards | tokens | {lengths} |\n|---:|---:|{}", "---:|".repeat(LENGTHS.len()))?;
    for row in figures.bandwidth.chunks(LENGTHS.len()) {
        let cells = row.iter().map(|b| format!("{:.1}", b.megabytes)).collect::<Vec<_>>();
        writeln!(out, "| {} | {} | {} |", row[0].boards, row[0].tokens, cells.join(" | "))?;
    }
    Ok(())
}
