//! `awgstar study bypass` and `awgstar study mandelbrot`.

use super::{CliError, CliResult, Outcome, at, sim::progress};
use awgstar_testbench::study::{bypass, report::File};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar study bypass --boards 2,4 --out target/study")]
pub(crate) struct BypassArgs {
    /// Sizes of the rings, 2 to 32 boards; fibre and tuning time are varied on 16
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8, 16, 32], value_name = "N,...")]
    boards: Vec<usize>,
    /// Folder for the CSV file and the plots; made if it is not there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The rows as JSON instead of tables
    #[arg(long)]
    json: bool,
}

pub(crate) fn bypass(args: &BypassArgs, out: &mut dyn Write) -> CliResult {
    if let Some(found) = args.boards.iter().find(|n| !(2..=32).contains(*n)) {
        return Err(CliError::Usage(format!("boards: expected 2 to 32, found {found}")));
    }
    let bar = progress(bypass::points(&args.boards).len() as u64, "points");
    let rows = bypass::rows(&args.boards, &|| bar.inc(1));
    bar.finish_and_clear();
    let rows = rows.map_err(|e| CliError::Check(e.to_string()))?;
    if args.json {
        let text = serde_json::to_string(&rows).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        writeln!(out, "{}", bypass::tables(&rows))?;
    }
    let files = bypass::files(&rows).map_err(|e| CliError::Check(format!("plot: {e}")))?;
    write_all(args.out.as_deref(), &files)
}

fn write_all(folder: Option<&Path>, files: &[File]) -> CliResult {
    let Some(folder) = folder else { return Ok(Outcome::Holds) };
    at(folder.display(), fs::create_dir_all(folder))?;
    for File { name, text } in files {
        let path = folder.join(name);
        at(path.display(), fs::write(&path, text))?;
    }
    Ok(Outcome::Holds)
}
