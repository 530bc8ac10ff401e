// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lists of all vectors: for scripts, and as pages.

use crate::vectors::board;
use crate::vectors::vector::Class;
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
pub(super) fn table(classes: &[Class]) -> String {
    let mut out = String::from(
        "<!-- Generated from testbench/stimulus/src/vectors/classes. Do not edit. -->\n\n# Vector classes\n\n\
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
    boards(&mut out, "Vectors of the board", &board::plain());
    boards(&mut out, "Vectors of the board with a lock and barrier engine", &board::with_engine());
    out
}

/// Vectors of one folder.
fn boards(out: &mut String, title: &str, all: &[board::Golden]) {
    let folder = all.first().map_or("", board::Golden::folder);
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
    let cycles: Cycle = all.iter().map(board::Golden::cycles).sum();
    let _ = writeln!(out, "\n{} vectors, {cycles} cycles.", all.len());
}
