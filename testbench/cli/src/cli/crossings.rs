// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask crossings`: every path between clocks, and the constraint files of them (CDC-4, CDC-5).

use super::{CliResult, Outcome, at, checkout};
use awgstar_simulator::crossings::{
    self, Kind, Report,
    constraints::{self, FOLDER},
    tops::{STORES, TOPS},
};
use clap::Subcommand;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Look at every path between clocks in every top level, and write the constraint files: hdl/constraints
    #[command(after_help = "Example:\n  cargo xtask crossings generate\n\nNeeds Yosys.")]
    Generate {
        /// Root of the repository
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
    /// Look at them, and compare the files; exits with 1 for a path that must not be there or an old file
    #[command(after_help = "Example:\n  cargo xtask crossings check\n\nNeeds Yosys.")]
    Check {
        /// Root of the repository
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
}

/// What was found, and the files that follow from it.
fn found(
    root: &Path,
    out: &mut dyn Write,
) -> Result<(bool, Vec<(String, String)>), super::CliError> {
    let hdl = root.join("hdl");
    let (mut wrong, mut files, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for module in crossings::left_out(&hdl)? {
        wrong.push(format!("{module}: has more than one clock and is not among the top levels"));
    }
    for top in TOPS {
        let report = crossings::check(&hdl, top)?;
        writeln!(out, "{report}")?;
        wrong.extend(report.wrong.iter().cloned());
        files.extend(constraints::files(top, &report));
        all.push(report);
    }
    let count = |kind| all.iter().map(|report: &Report| report.count(kind)).sum::<usize>();
    writeln!(
        out,
        "{} top levels; crossings: {} bits, {} pins, {} counters, {} stores",
        TOPS.len(),
        count(Kind::Bit),
        count(Kind::Pin),
        count(Kind::Gray),
        count(Kind::Words)
    )?;
    for store in STORES {
        writeln!(out, "a store (`{}`) is read without a register: {}", store.memory, store.reason)?;
    }
    for what in &wrong {
        writeln!(out, "{what}")?;
    }
    Ok((wrong.is_empty(), files))
}

pub(crate) fn run(command: &Command, out: &mut dyn Write) -> CliResult {
    let (Command::Generate { root } | Command::Check { root }) = command;
    checkout(root, &["hdl"])?;
    let (mut holds, files) = found(root, out)?;
    let folder = root.join("hdl").join(FOLDER);
    let old = at(folder.display(), constraints::old(&folder, &files))?;
    if let Command::Check { .. } = command {
        holds &= old.is_empty();
        for name in old {
            let path = folder.join(name);
            writeln!(out, "{}: old; run `cargo xtask crossings generate`", path.display())?;
        }
    } else {
        at(folder.display(), fs::create_dir_all(&folder))?;
        for name in old.iter().filter(|old| files.iter().all(|(name, _)| name != *old)) {
            at(name, fs::remove_file(folder.join(name)))?;
        }
        for (name, text) in files {
            let path = folder.join(name);
            at(path.display(), fs::write(&path, text))?;
            writeln!(out, "wrote {}", path.display())?;
        }
    }
    Ok(if holds { Outcome::Holds } else { Outcome::Failed })
}
