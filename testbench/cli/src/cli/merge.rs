// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar merge`: a run divided among computers is put together again.

use super::{CliError, CliResult, Command, at, output, shard};
use awgstar_cli::work::Work;
use clap::{Parser, error::ErrorKind};
use std::{fs::File, io::BufReader, io::Write, path::PathBuf};

#[derive(clap::Args)]
#[command(
    after_help = "What is printed, and the exit code, are those of the whole run. It is read from the files: nothing is run.\n\nExample:\n  awgstar study lock --shard 1/2 > 1.jsonl\n  awgstar study lock --shard 2/2 > 2.jsonl\n  awgstar merge 1.jsonl 2.jsonl --out target/study"
)]
pub(crate) struct Args {
    /// Files of all parts of a run, in any order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object, as of the command
    #[arg(long)]
    json: bool,
    /// Folder for CSV files and plots (study)
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Write a `JUnit` file (conform)
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    junit: Option<PathBuf>,
    /// Write an HTML report (conform, study)
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    html: Option<PathBuf>,
    /// Root of the repository (mutants)
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let mut files = Vec::new();
    for path in &args.files {
        let file = at(path.display(), File::open(path))?;
        files.push((path.display().to_string(), BufReader::new(file)));
    }
    let (mut words, work) = Work::merged(files)?;
    if let Some(option) = shard::output(&words) {
        let name = args.files.first().map(|path| path.display().to_string()).unwrap_or_default();
        return Err(CliError::Usage(format!("{name}: command: {option} is none of a part's")));
    }
    let options = [
        ("--out", &args.out),
        ("--junit", &args.junit),
        ("--html", &args.html),
        ("--root", &args.root),
    ];
    let given = options.into_iter().filter_map(|(name, path)| Some((name, path.as_ref()?)));
    let mut all: Vec<std::ffi::OsString> = vec!["awgstar".into()];
    all.extend(words.drain(..).map(Into::into));
    for (name, path) in given {
        all.extend([name.into(), path.into()]);
    }
    if args.json {
        all.push("--json".into());
    }
    let cli = super::Cli::try_parse_from(&all).map_err(|error| {
        let text = error.render().to_string();
        let first =
            text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                CliError::Usage("command of the parts: asks for help".into())
            }
            _ => CliError::Usage(format!("command of the parts: {first}")),
        }
    })?;
    match cli.command {
        Command::Campaign(args) => super::campaign::run(&args, &work, out),
        Command::Mutants(args) => super::mutants::run(&args, &work, out),
        Command::Study(args) => super::study::run(&args.study, &work, out),
        Command::Conform(args) => super::conform::run(&args, &work, out),
        _ => Err(CliError::Usage(
            "command of the parts: expected campaign, mutants, conform or study".into(),
        )),
    }
}
