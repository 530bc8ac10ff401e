//! `awgstar study counterexample`: where the printed protocols go wrong.

use super::{CliError, CliResult, Outcome, at};
use awgstar_testbench::counterexample::{CASES, Case, CounterexampleError, Found};
use std::{fs, io::Write, path::PathBuf};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  awgstar study counterexample\n  awgstar study counterexample lock_mw_printed_grant_again --out target/run\n  awgstar study counterexample --vectors vectors/firmware"
)]
pub(crate) struct Args {
    /// Its name; all are listed when left out
    name: Option<String>,
    /// Folder for firmware.vcd, firmware.gtkw, run.svg and run.json; made if it is not there
    #[arg(long, value_name = "FOLDER", requires = "name")]
    out: Option<PathBuf>,
    /// Write the vectors of all of them to this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "name")]
    vectors: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    if let Some(folder) = &args.vectors {
        at(folder.display(), fs::create_dir_all(folder))?;
        for case in CASES {
            let path = folder.join(format!("{}.json", case.name));
            let text = find(case)?.vector().text();
            at(path.display(), fs::write(&path, text))?;
        }
        writeln!(out, "wrote {} vectors to {}", CASES.len(), folder.display())?;
        return Ok(Outcome::Holds);
    }
    let Some(name) = &args.name else {
        for case in CASES {
            writeln!(out, "{:<36} {}\n{:<36} {}", case.name, case.protocol(), "", case.why)?;
        }
        return Ok(Outcome::Holds);
    };
    let case = Case::named(name).map_err(|e| CliError::Usage(e.to_string()))?;
    let found = find(case)?;
    writeln!(
        out,
        "{}: {}\n{}\n\n{}\nThen {}.",
        case.name,
        case.protocol(),
        case.why,
        found.listing(),
        case.breaks()
    )?;
    if let Some(folder) = &args.out {
        at(folder.display(), fs::create_dir_all(folder))?;
        at(folder.display(), found.waves(folder))?;
        for (name, text) in [("run.svg", found.picture()), ("run.json", found.vector().text())] {
            let path = folder.join(name);
            at(path.display(), fs::write(&path, text))?;
        }
        writeln!(
            out,
            "\nlook: cd {} && gtkwave firmware.gtkw, or surfer firmware.vcd; run.svg",
            folder.display()
        )?;
    }
    Ok(Outcome::Holds)
}

fn find(case: &'static Case) -> Result<Found, CliError> {
    case.find().map_err(|e: CounterexampleError| CliError::Check(e.to_string()))
}
