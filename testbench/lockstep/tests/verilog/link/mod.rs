// SPDX-License-Identifier: MIT OR Apache-2.0
//! The link between two boards: 8b/10b, word aligner, ends of the link, elastic buffer. A missing
//! simulator fails.

mod boards;
mod codes;
mod commands;
mod crossing;
pub(crate) mod mutants;
mod reset;
mod ring;
pub(crate) mod step;
mod stopped;

use awgstar_simulator::build::build;
use awgstar_simulator::process::Task;
use awgstar_simulator::recipe::Recipe;
use awgstar_simulator::{Icarus, SimError, Token, Verilator};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(600);

pub(crate) fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Files of the link, those of the node not among them.
const FILES: [&str; 12] = [
    "axil_crossing",
    "clock_crossing",
    "clock_watch",
    "code_8b10b",
    "dec_8b10b",
    "elastic_buffer",
    "enc_8b10b",
    "link_rx",
    "link_tx",
    "ring_link",
    "synchronizer",
    "word_aligner",
];

/// A simulator of the testbenches below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Icarus,
    Verilator,
}

/// Compiles the module `top` of `text` with the link of `hdl`, and runs it in `folder`: what it prints,
/// in its own lines.
fn play(
    tool: Tool,
    hdl: &Path,
    out: &Path,
    top: &str,
    text: String,
    folder: &Path,
) -> Result<Vec<String>, SimError> {
    play_with(tool, ("link", &FILES), hdl, out, (top, text), folder)
}

/// Like [`play`], with the modules of a part of the Verilog.
pub(crate) fn play_with(
    tool: Tool,
    (module, files): (&'static str, &[&str]),
    hdl: &Path,
    out: &Path,
    (top, text): (&str, String),
    folder: &Path,
) -> Result<Vec<String>, SimError> {
    let flags: &[&str] = match tool {
        Tool::Icarus => &["-g2012"],
        Tool::Verilator => &[
            "--binary",
            "--timing",
            "-Wno-fatal",
            "-CFLAGS",
            "-O1",
            "-j",
            "2",
            "--x-initial",
            "unique",
        ],
    };
    let recipe = Recipe {
        module,
        top: top.into(),
        flags: flags.iter().map(|&f| f.to_owned()).collect(),
        texts: vec![("bench.sv", text)],
        files: files.iter().map(|f| hdl.join(format!("{f}.v"))).collect(),
        includes: vec![hdl.join("include")],
        ..Recipe::default()
    };
    let program = match tool {
        Tool::Icarus => build(&Icarus, &recipe, out)?.file,
        Tool::Verilator => build(&Verilator, &recipe, out)?.file,
    };
    let token = Token::load(program.parent().unwrap_or(&program))?;
    let mut command = match tool {
        Tool::Icarus => Command::new("vvp"),
        Tool::Verilator => Command::new(&program),
    };
    if tool == Tool::Icarus {
        command.arg("-n").arg(&program);
    }
    command.arg(format!("+dir={}", folder.display()));
    let task = Task::new("simulator", LIMIT).doing("running a module").keep_all(64 << 20);
    let run = task.run(&mut command)?;
    Ok(token.lines(&run.text).map(str::to_owned).collect())
}
