// SPDX-License-Identifier: MIT OR Apache-2.0
//! A report as one page that needs nothing else (CNF-6).

use crate::conform::report::{Failure, Report, Window};
use awgstar_draw::{markup::escape, page::document};
use std::fmt::Write as _;

/// Most failing cases that are listed; the others are counted.
const SHOWN: usize = 50;

/// The page.
#[must_use]
pub fn page(report: &Report) -> String {
    let title = format!("{}: is it a {}?", report.top, report.module);
    let mut out = format!("<h1>{}</h1>\n", escape(&title));
    let class = if report.verdict().is_none() { "pass" } else { "fail" };
    let _ = write!(
        out,
        "<p class=\"verdict {class}\">{}</p>\n<p>{}, seed {}, {:.1} s.</p>\n",
        escape(&report.headline()),
        escape(&report.simulator),
        report.seed,
        report.seconds
    );
    ports(&mut out, report);
    if let Some(failure) = &report.compiler {
        let _ = write!(out, "<h2>Compiler</h2>\n<p>{}</p>\n", failure.verdict);
        pre(&mut out, &failure.detail);
    }
    requirements(&mut out, report);
    failures(&mut out, report);
    groups(&mut out, report);
    document(&title, &out)
}

fn pre(out: &mut String, text: &str) {
    if !text.trim().is_empty() {
        let _ = writeln!(out, "<pre>{}</pre>", escape(text.trim_end()));
    }
}

fn row(out: &mut String, class: &str, cells: &[&str]) {
    let _ = write!(out, "<tr class=\"{class}\">");
    for cell in cells {
        let _ = write!(out, "<td>{}</td>", escape(cell));
    }
    out.push_str("</tr>\n");
}

fn ports(out: &mut String, report: &Report) {
    let ports = &report.ports;
    let _ = writeln!(out, "<h2>Ports</h2>");
    if let Some(why) = &ports.unread {
        let _ = writeln!(out, "<p>Not checked.</p>");
        pre(out, why);
    } else {
        let (right, wrong) = (ports.right.len(), ports.findings.len());
        let _ = writeln!(out, "<p>{right} are as they should be, {wrong} are not.</p>");
    }
    if !ports.findings.is_empty() {
        out.push_str("<table><tr><th>port</th><th>expected</th><th>found</th></tr>\n");
        for f in &ports.findings {
            row(out, "fail", &[&f.port, &f.expected, &f.found]);
        }
        out.push_str("</table>\n");
    }
    for remark in &ports.remarks {
        let _ = writeln!(out, "<p>Remark: {}</p>", escape(remark));
    }
}

fn requirements(out: &mut String, report: &Report) {
    use super::requirements::Standing;
    if report.groups.is_empty() {
        return;
    }
    out.push_str(
        "<h2>Requirements</h2>\n<table><tr><th>id</th><th>standing</th><th>checks run</th>\
         <th>fail</th><th>not run</th><th>text</th></tr>\n",
    );
    for r in &report.requirements {
        let class = match r.standing {
            Standing::Pass => "pass",
            Standing::Fail => "fail",
            Standing::NotCovered => "none",
        };
        let [run, failed, left] = [r.run, r.failed, r.checks - r.run].map(|n| n.to_string());
        row(out, class, &[&r.id, &r.standing.to_string(), &run, &failed, &left, &r.text]);
    }
    out.push_str("</table>\n");
}

fn failures(out: &mut String, report: &Report) {
    let all: Vec<_> = report.failing().collect();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h2>Failures</h2>");
    for (group, case, failure) in all.iter().take(SHOWN) {
        let _ = writeln!(out, "<h3>{} ({})</h3>", escape(&case.name), escape(&group.name));
        let _ = writeln!(out, "<p>{}</p>", escape(&failure.line()));
        if !case.requirements.is_empty() {
            let _ = writeln!(out, "<p>Requirements: {}</p>", escape(&case.requirements.join(", ")));
        }
        details(out, failure);
    }
    if all.len() > SHOWN {
        let _ = writeln!(out, "<p>{} more cases fail.</p>", all.len() - SHOWN);
    }
}

fn details(out: &mut String, failure: &Failure) {
    if let Some(window) = &failure.window {
        wave(out, window);
    }
    pre(out, &failure.detail);
}

fn wave(out: &mut String, window: &Window) {
    let class = |i: usize| if i == window.mark { " class=\"mark\"" } else { "" };
    out.push_str("<div class=\"scroll\"><table class=\"wave\"><tr><th></th>");
    for (i, head) in window.columns.iter().enumerate() {
        let _ = write!(out, "<th{}>{}</th>", class(i), escape(head));
    }
    out.push_str("</tr>\n");
    for (name, values) in &window.rows {
        let _ = write!(out, "<tr><th>{}</th>", escape(name));
        for (i, value) in values.iter().enumerate() {
            let _ = write!(out, "<td{}>{}</td>", class(i), escape(value));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
}

fn groups(out: &mut String, report: &Report) {
    use super::report::Outcome;
    if report.groups.is_empty() {
        return;
    }
    out.push_str(
        "<h2>What was run</h2>\n<table><tr><th>class</th><th>cases</th><th>fail</th>\
         <th>not run</th></tr>\n",
    );
    for group in &report.groups {
        let count = |what: &dyn Fn(&Outcome) -> bool| {
            group.cases.iter().filter(|c| what(&c.outcome)).count().to_string()
        };
        let failed = count(&|o| matches!(o, Outcome::Fail(_)));
        let left = count(&|o| matches!(o, Outcome::NotRun(_)));
        let class = if failed == "0" { "" } else { "fail" };
        row(out, class, &[&group.name, &group.cases.len().to_string(), &failed, &left]);
    }
    out.push_str("</table>\n");
}
