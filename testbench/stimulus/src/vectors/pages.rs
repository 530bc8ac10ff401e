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
    out.push_str(
        "\n# Vectors of the board\n\n\
         | `board/` | what happens | requirements | catches | effect in the field |\n\
         |---|---|---|---|---|\n",
    );
    let boards = board::all();
    for b in &boards {
        let requirements = b.requirements.join(", ");
        let _ = writeln!(
            out,
            "| `{}` | {} | {requirements} | {} | {} |",
            b.name, b.shows, b.catches, b.effect
        );
    }
    let cycles: Cycle = boards.iter().map(board::Golden::cycles).sum();
    let _ = writeln!(out, "\n{} vectors, {cycles} cycles.", boards.len());
    out
}
