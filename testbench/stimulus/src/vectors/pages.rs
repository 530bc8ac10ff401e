// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lists of all vectors: for scripts, and as pages.

use crate::StimulusError;
use crate::vectors::board::{self, Golden};
use crate::vectors::story::Story;
use crate::vectors::vector::Class;
use crate::vectors::{burst, gateway};
use awgstar::quantity::Cycle;
use std::fmt::Write;

/// `classes.txt`.
pub(super) fn list(classes: &[Class]) -> String {
    let mut out = String::new();
    for c in classes {
        let _ = writeln!(out, "{} {}", c.module().name(), c.name);
    }
    out
}

/// `classes.md`.
pub(super) fn table(classes: &[Class]) -> Result<String, StimulusError> {
    let mut out = String::from(
        "<!-- Generated from testbench/stimulus/src/vectors/classes and testbench/stimulus/stories. Do not edit. -->\n\n# Vector classes\n\n\
         | class | for | vectors | requirements | catches | effect in the field |\n\
         |---|---|---:|---|---|---|\n",
    );
    for c in classes {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} |",
            c.name,
            c.duts().join(", "),
            c.len(),
            c.requirements.join(", "),
            c.bug_class,
            c.effect
        );
    }
    let total: usize = classes.iter().map(Class::len).sum();
    let _ = writeln!(out, "\n{} classes, {total} vectors.", classes.len());
    let cycles = |all: &[Golden]| all.iter().map(|b| b.stimulus.cycles).sum();
    let plain = board::plain()?;
    boards(&mut out, "Vectors of the board", board::FOLDER, plain, cycles(plain));
    let engine = board::with_engine()?;
    let title = "Vectors of the board with a lock and barrier engine";
    boards(&mut out, title, board::ENGINE_FOLDER, engine, cycles(engine));
    let bursts = burst::all()?;
    let cycles = bursts.iter().map(|b| b.stimulus.cycles).sum();
    boards(&mut out, "Vectors of the AXI4 port", burst::FOLDER, bursts, cycles);
    let gateways = gateway::all()?;
    let cycles = gateways.iter().map(|g| g.stimulus.cycles()).sum();
    boards(&mut out, "Vectors of a gateway between two rings", gateway::FOLDER, gateways, cycles);
    Ok(out)
}

/// Vectors of one folder.
fn boards<S>(out: &mut String, title: &str, folder: &str, all: &[Story<S>], cycles: Cycle) {
    let _ = write!(
        out,
        "\n# {title}\n\n\
         | `{folder}/` | what happens | requirements | catches | effect in the field |\n\
         |---|---|---|---|---|\n",
    );
    for b in all {
        let requirements = b.requirements.join(", ");
        let _ = writeln!(
            out,
            "| `{}` | {} | {requirements} | {} | {} |",
            b.name, b.shows, b.catches, b.effect
        );
    }
    let _ = writeln!(out, "\n{} vectors, {cycles} cycles.", all.len());
}
