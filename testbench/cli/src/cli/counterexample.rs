// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study counterexample`: where the printed protocols go wrong.

use super::{CliError, CliResult, Outcome, at, whole};
use awgstar_cli::counterexample::{CounterexampleError, Example, Shown};
use serde_json::json;
use std::{fs, io::Write, path::PathBuf};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  awgstar study counterexample\n  awgstar study counterexample lock_mw_printed_grant_again --out target/run\n  awgstar study counterexample --vectors vectors"
)]
pub(crate) struct Args {
    /// Name of the counterexample; all are listed when left out
    name: Option<String>,
    /// Folder for waves (firmware.vcd or paging.vcd and .gtkw), run.svg and run.json; made if it is not there
    #[arg(long, value_name = "FOLDER", requires = "name")]
    out: Option<PathBuf>,
    /// Write the vectors of all of them to folders below this one
    #[arg(long, value_name = "FOLDER", conflicts_with = "name")]
    vectors: Option<PathBuf>,
    /// The list as one JSON array, or the run as the JSON object of run.json
    #[arg(long, conflicts_with = "vectors")]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    if let Some(root) = &args.vectors {
        for one in Example::all() {
            let folder = root.join(one.folder());
            at(folder.display(), fs::create_dir_all(&folder))?;
            whole::write(&folder.join(format!("{}.json", one.name())), find(one)?.vector())?;
        }
        writeln!(out, "wrote {} vectors to {}", Example::all().count(), root.display())?;
        return Ok(Outcome::Holds);
    }
    let Some(name) = &args.name else {
        if args.json {
            let row = |one: Example| json!({ "name": one.name(), "protocol": one.protocol(), "why": one.why() });
            let rows: Vec<_> = Example::all().map(row).collect();
            writeln!(out, "{}", json!(rows))?;
            return Ok(Outcome::Holds);
        }
        for one in Example::all() {
            writeln!(out, "{:<36} {}\n{:<36} {}", one.name(), one.protocol(), "", one.why())?;
        }
        return Ok(Outcome::Holds);
    };
    let one = Example::named(name).map_err(|e| CliError::Usage(e.to_string()))?;
    let found = find(one)?;
    if args.json {
        writeln!(out, "{}", found.vector().trim_end())?;
    } else {
        writeln!(
            out,
            "{}: {}\n{}\n\n{}\nThen {}.",
            one.name(),
            one.protocol(),
            one.why(),
            found.listing(),
            one.breaks()
        )?;
    }
    if let Some(folder) = &args.out {
        at(folder.display(), fs::create_dir_all(folder))?;
        let waves = at(folder.display(), found.waves(folder))?;
        for (name, text) in [("run.svg", found.picture()), ("run.json", found.vector())] {
            whole::write(&folder.join(name), text)?;
        }
        // JSON is one object and nothing else.
        if args.json {
            return Ok(Outcome::Holds);
        }
        writeln!(
            out,
            "\nlook: cd {} && gtkwave {waves}.gtkw, or surfer {waves}.vcd; run.svg",
            folder.display()
        )?;
    }
    Ok(Outcome::Holds)
}

fn find(one: Example) -> Result<Shown, CliError> {
    one.find().map_err(|e: CounterexampleError| CliError::Check(e.to_string()))
}
