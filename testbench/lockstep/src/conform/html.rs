// SPDX-License-Identifier: MIT OR Apache-2.0
//! A report as one page that needs nothing else (CNF-6).

use crate::conform::case::{Failure, Group, Outcome};
use crate::conform::ports::Finding;
use crate::conform::report::Report;
use crate::conform::requirements::{Requirement, Standing};
use awgstar_draw::{page::Document, table::Table};

/// Most failing cases that are listed; the others are counted.
const SHOWN: usize = 50;

#[must_use]
pub fn page(report: &Report) -> String {
    let mut page = Document::new(&format!("{}: is it a {}?", report.top, report.module));
    page.verdict(&report.headline(), report.verdict().is_none());
    let Report { simulator, seed, seconds, .. } = report;
    page.paragraph(&format!("{simulator}, seed {seed}, {seconds:.1} s."));
    ports(&mut page, report);
    if let Some(failure) = &report.compiler {
        page.section("Compiler");
        page.paragraph(&failure.verdict.to_string());
        page.lines(&failure.detail);
    }
    requirements(&mut page, report);
    failures(&mut page, report);
    groups(&mut page, report);
    page.section("Files");
    let table = Table::new()
        .text("file", |(name, _): &(&String, &String)| (*name).clone())
        .text("SHA-256", |(_, hash)| (*hash).clone());
    page.table(&table.sheet("", &report.inputs.iter().collect::<Vec<_>>()));
    page.html()
}

fn ports(page: &mut Document, report: &Report) {
    let ports = &report.ports;
    page.section("Ports");
    if let Some(why) = &ports.unread {
        page.paragraph("Not checked.");
        page.lines(why);
    } else {
        let (right, wrong) = (ports.right.len(), ports.findings.len());
        page.paragraph(&format!("{right} are as they should be, {wrong} are not."));
    }
    if !ports.findings.is_empty() {
        let table = Table::new()
            .text("port", |f: &Finding| f.port.clone())
            .text("expected", |f| f.expected.clone())
            .text("found", |f| f.found.clone())
            .class(|_| "fail");
        page.table(&table.sheet("", &ports.findings));
    }
    for remark in &ports.remarks {
        page.paragraph(&format!("Remark: {remark}"));
    }
}

fn requirements(page: &mut Document, report: &Report) {
    if report.groups.is_empty() {
        return;
    }
    page.section("Requirements");
    let table = Table::new()
        .text("id", |r: &Requirement| r.id.clone())
        .text("standing", |r| r.standing)
        .number("checks run", |r| r.run)
        .number("fail", |r| r.failed)
        .number("not run", |r| r.checks - r.run)
        .text("text", |r| r.text.clone())
        .class(|r| match r.standing {
            Standing::Pass => "pass",
            Standing::Fail => "fail",
            Standing::NotCovered => "none",
        });
    page.table(&table.sheet("", &report.requirements));
}

fn failures(page: &mut Document, report: &Report) {
    let all: Vec<_> = report.failing().collect();
    if all.is_empty() {
        return;
    }
    page.section("Failures");
    for (group, case, failure) in all.iter().take(SHOWN) {
        page.heading(&format!("{} ({})", case.name, group.name));
        page.paragraph(&failure.line());
        if !case.requirements.is_empty() {
            page.paragraph(&format!("Requirements: {}", case.requirements.join(", ")));
        }
        details(page, failure);
    }
    if all.len() > SHOWN {
        page.paragraph(&format!("{} more cases fail.", all.len() - SHOWN));
    }
}

fn details(page: &mut Document, failure: &Failure) {
    if let Some(window) = &failure.window {
        page.wave(&window.columns, &window.rows, window.mark);
    }
    page.lines(&failure.detail);
}

fn groups(page: &mut Document, report: &Report) {
    if report.groups.is_empty() {
        return;
    }
    let count = |group: &Group, what: fn(&Outcome) -> bool| {
        group.cases.iter().filter(|case| what(&case.outcome)).count()
    };
    let failed = move |group: &Group| count(group, |o| matches!(o, Outcome::Fail(_)));
    let left = move |group: &Group| count(group, |o| matches!(o, Outcome::NotRun(_)));
    let table = Table::new()
        .text("class", |group: &Group| group.name.clone())
        .number("cases", |group| group.cases.len())
        .number("fail", failed)
        .number("not run", left)
        .class(move |group| if failed(group) == 0 { "" } else { "fail" });
    page.section("What was run");
    page.table(&table.sheet("", &report.groups));
    let reached = report.reached().lines();
    if !reached.is_empty() {
        page.section("What was reached");
        page.paragraph("Events in the cases that pass: those of nodes and boards are counted in the model, those of frames and words are what the vectors have.");
        page.lines(&reached.join("\n"));
    }
}
