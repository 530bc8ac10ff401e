// SPDX-License-Identifier: MIT OR Apache-2.0
//! A report for the terminal (CNF-6).

use crate::conform::case::{Failure, Window};
use crate::conform::report::Report;
use std::fmt::Write as _;

/// Most failing cases that are listed, the first in full; the others are counted.
const SHOWN: usize = 5;

/// The whole text.
#[must_use]
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    let ports = &report.ports;
    if let Some(why) = &ports.unread {
        let _ = writeln!(out, "ports: not checked. {why}");
    } else {
        let (right, wrong) = (ports.right.len(), ports.findings.len());
        let _ = writeln!(out, "ports: {right} as they should be, {wrong} not");
    }
    for finding in &ports.findings {
        let _ = writeln!(out, "  {finding}");
    }
    for remark in &ports.remarks {
        let _ = writeln!(out, "  remark: {remark}");
    }
    if let Some(failure) = &report.compiler {
        let _ = writeln!(out, "\n{}", failure.verdict);
        indented(&mut out, &failure.detail);
    }
    failures(&mut out, report);
    if !report.groups.is_empty() {
        let _ = writeln!(out, "\n{:<12} {:<12} checks", "requirement", "standing");
        for r in &report.requirements {
            let mut counts = r.run.to_string();
            if r.failed > 0 {
                let _ = write!(counts, ", {} fail", r.failed);
            }
            if r.run < r.checks {
                let _ = write!(counts, ", {} not run", r.checks - r.run);
            }
            let _ = writeln!(out, "{:<12} {:<12} {counts}", r.id, r.standing);
        }
    }
    let reached = report.reached().lines();
    if !reached.is_empty() {
        let _ = writeln!(out, "\nreached in the cases that pass:");
        indented(&mut out, &reached.join("\n"));
    }
    let _ = writeln!(out, "\nsha256 of {}", report.read());
    let _ = writeln!(out, "\n{}, {:.1} s", report.headline(), report.seconds);
    out
}

fn indented(out: &mut String, text: &str) {
    for line in text.trim_end().lines() {
        let _ = writeln!(out, "    {line}");
    }
}

fn failures(out: &mut String, report: &Report) {
    let all: Vec<_> = report.failing().collect();
    for (i, (group, case, failure)) in all.iter().take(SHOWN).enumerate() {
        let mode = group.name.split_once(", ").map(|(_, mode)| format!(" ({mode})"));
        let place = mode.unwrap_or_default();
        let _ = writeln!(out, "\n{}{place}: {}", case.name, failure.line());
        if !case.requirements.is_empty() {
            let _ = writeln!(out, "  requirements: {}", case.requirements.join(", "));
        }
        if i == 0 {
            details(out, failure);
        }
    }
    if all.len() > SHOWN {
        let _ = writeln!(out, "\n{} more cases fail", all.len() - SHOWN);
    }
}

fn details(out: &mut String, failure: &Failure) {
    if let Some(window) = failure.window.as_ref().filter(|_| failure.detail.is_empty()) {
        table(out, window);
    }
    indented(out, &failure.detail);
}

fn table(out: &mut String, window: &Window) {
    let name = window.rows.iter().map(|(n, _)| n.len()).max().unwrap_or(0).max(5);
    let width = |i: usize| {
        let cells = window.rows.iter().filter_map(|(_, v)| v.get(i));
        cells.map(String::len).max().unwrap_or(0).max(window.columns[i].len() + 1)
    };
    let widths: Vec<usize> = (0..window.columns.len()).map(width).collect();
    let mut line = |name_: &str, cells: &dyn Fn(usize) -> String| {
        let cells: Vec<String> =
            widths.iter().enumerate().map(|(i, w)| format!("{:>w$}", cells(i))).collect();
        let _ = writeln!(out, "    {name_:<name$}  {}", cells.join("  ").trim_end());
    };
    let head = |i: usize| {
        let mark = if i == window.mark { "*" } else { "" };
        format!("{mark}{}", window.columns[i])
    };
    line("cycle", &head);
    for (row, values) in &window.rows {
        line(row, &|i| values.get(i).cloned().unwrap_or_default());
    }
}
