// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar wave`: the waves of a run, only the window asked for. An old name, for one release: `sim --vcd`.

use super::{
    CliResult, Outcome, number,
    sim::{load, viewed, watched},
};
use awgstar_scenario::run::{Folder, WaveRequest, Window};
use std::{io::Write, path::PathBuf};

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar wave docs/scenarios/first.toml --window 90:260 --nodes 1,2\n  cd target/wave && gtkwave wave.gtkw"
)]
pub(crate) struct Args {
    /// Scenario file
    scenario: PathBuf,
    /// Part of the run: cycles, or times with ns or us; when left out, what docs/scenarios.md says
    #[arg(long, value_name = "FROM:TO")]
    window: Option<Window>,
    /// Nodes or boards; all when left out
    #[arg(long, value_delimiter = ',', value_name = "N,...", value_parser = number::within::<usize>(0..=255))]
    nodes: Vec<usize>,
    /// Folder for waves, save files and the files with names
    #[arg(long, default_value = "target/wave")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let scenario = load(&args.scenario)?;
    let request = WaveRequest { window: args.window, nodes: args.nodes.clone(), stem: None };
    let mut folder = Folder::new(&args.out);
    watched(|progress| scenario.waves(&request, &mut folder, progress))?;
    let files: Vec<PathBuf> = viewed(&folder).collect();
    for path in &files {
        writeln!(out, "{}", path.display())?;
    }
    let is = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "gtkw");
    for save in files.iter().filter(is).filter_map(|path| path.file_stem()) {
        let stem = save.display();
        writeln!(
            out,
            "look: cd {} && gtkwave {stem}.gtkw, or surfer {stem}.vcd",
            args.out.display()
        )?;
    }
    Ok(Outcome::Holds)
}
