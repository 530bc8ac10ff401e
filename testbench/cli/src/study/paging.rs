// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of a page (thesis 5.4.2): table, CSV and plots of runs of
//! [`awgstar_thesis::paging`], on the next version's costs.

use crate::study::Tick;
use crate::study::results::{File, Results, Subject};
use crate::work::{Work, WorkError};
use awgstar::contract::PageTable;
use awgstar::quantity::narrow;
use awgstar_draw::plot::{Axes, Line};
use awgstar_draw::table::{Cells, Sheet, Table};
use awgstar_thesis::paging::{Costs, Figures, Load, Pattern, run};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;

/// Bytes of the virtual memory.
pub const BYTES: u32 = 8 << 20;
/// Metres of fibre between nodes (thesis 4.1).
const METRES: u64 = 10;
/// Words that all processes write together where they do not write all.
const WORDS: u32 = 16_384;
/// Orders of access: the matrix has rows of 4 KB, and one in 32 random words is far from the last one.
pub const PATTERNS: [Pattern; 3] =
    [Pattern::Sequential, Pattern::Strided(4096), Pattern::Random(32)];

/// Settings of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Order of access.
    pub pattern: Pattern,
    /// Nodes, each with a process.
    pub nodes: u8,
    /// Virtual memory over physical memory.
    pub ratio: u32,
    pub page_bytes: u32,
    /// Of random walks.
    pub seed: u64,
}

/// Results of a measurement; times in ns, those of processes summed over all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Order of access.
    pub pattern: String,
    pub nodes: u8,
    /// Virtual memory over physical memory.
    pub ratio: u32,
    pub page_bytes: u32,
    pub pages: u16,
    /// Pages that there is room for.
    pub room: u16,
    /// Bytes of the page table.
    pub table_bytes: u32,
    /// Words written.
    pub words: u64,
    /// Pages entered.
    pub visits: u64,
    /// Pages swapped.
    pub swaps: u64,
    /// Pages hidden and shown again.
    pub aborted: u64,
    /// Until the last process had ended.
    pub time_ns: u64,
    /// Writes.
    pub work_ns: u64,
    /// Reading the table and changing access flags.
    pub table_ns: u64,
    /// Waiting for pages to be swapped in.
    pub swap_ns: u64,
    pub seed: u64,
}

/// Sizes of a page: 256 B to 1 MB.
pub fn sizes() -> impl Iterator<Item = u32> {
    (0..7).map(|i| 256 << (2 * i))
}

/// All that is run for rings of these sizes.
#[must_use]
pub fn points(nodes: &[u8], seed: u64) -> Vec<Point> {
    let mut points = Vec::new();
    for pattern in PATTERNS {
        for &nodes in nodes {
            for ratio in [2, 4] {
                let one = |page_bytes| Point { pattern, nodes, ratio, page_bytes, seed };
                points.extend(sizes().map(one));
            }
        }
    }
    points
}

/// Runs all points; none if this is one part of several.
///
/// # Errors
/// [`WorkError::Merge`] if the parts do not fit.
pub fn rows(
    nodes: &[u8],
    seed: u64,
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<Row>>, WorkError<Infallible>> {
    let one = |point: &Point| {
        done();
        Ok(row(*point))
    };
    work.map(&points(nodes, seed), |point| format!("{point:?}"), one)
}

/// Runs a point.
///
/// # Panics
/// If the size of a page is none of [`sizes`].
#[must_use]
pub fn row(point: Point) -> Row {
    let Point { pattern, nodes, ratio, page_bytes, seed } = point;
    let (pages, room) = (narrow(BYTES / page_bytes), narrow(BYTES / page_bytes / ratio));
    let at = PageTable::new(page_bytes, pages, room, nodes);
    let n = u32::from(nodes);
    let words = if pattern == Pattern::Sequential { BYTES / 4 / n } else { WORDS / n };
    let visits = (0..n)
        .map(|i| Pattern::visits(&pattern.pieces((i, n), BYTES, words, seed), &at))
        .collect::<Option<_>>()
        .expect("the pages have BYTES bytes");
    let costs = Costs::next_version(nodes.into(), METRES);
    let f: Figures = run(&Load { at, costs, visits });
    Row {
        pattern: pattern.name().to_owned(),
        nodes,
        ratio,
        page_bytes,
        pages,
        room,
        table_bytes: at.entry_bytes() * u32::from(pages),
        words: f.words,
        visits: f.visits,
        swaps: f.swaps,
        aborted: f.aborted,
        time_ns: f.time.0,
        work_ns: f.work.0,
        table_ns: f.table.0,
        swap_ns: f.swap.0,
        seed,
    }
}

/// All rows.
fn all(rows: &[Row]) -> Sheet {
    Table::new()
        .text("pattern", |r: &Row| r.pattern.clone())
        .number("nodes", |r| r.nodes)
        .number("ratio", |r| r.ratio)
        .number("page", |r| r.page_bytes)
        .unit("bytes")
        .number("pages", |r| r.pages)
        .number("room", |r| r.room)
        .number("table", |r| r.table_bytes)
        .unit("bytes")
        .number("words", |r| r.words)
        .number("visits", |r| r.visits)
        .number("swaps", |r| r.swaps)
        .number("aborted", |r| r.aborted)
        .number("time", |r| r.time_ns)
        .unit("ns")
        .number("work", |r| r.work_ns)
        .unit("ns")
        .number("table", |r| r.table_ns)
        .unit("ns")
        .number("swap", |r| r.swap_ns)
        .unit("ns")
        .number("seed", |r| r.seed)
        .sheet("paging.csv", rows)
}

/// Formats a size with its unit.
fn size(bytes: u32) -> String {
    if bytes >= 1 << 20 {
        format!("{} MB", bytes >> 20)
    } else if bytes >= 1 << 10 {
        format!("{} KB", bytes >> 10)
    } else {
        format!("{bytes} B")
    }
}

/// Of a millisecond.
const NS: f64 = 1e6;

#[expect(clippy::cast_precision_loss, reason = "at most minutes")]
fn ms(ns: u64) -> f64 {
    ns as f64 / NS
}

/// Per process, in ms.
fn each(row: &Row, ns: u64) -> f64 {
    ms(ns) / f64::from(row.nodes)
}

/// The rows with times in ms, the fastest size of each group marked.
fn table(rows: &[Row]) -> Sheet {
    let fastest = |r: &Row| {
        let group = |o: &&Row| (&o.pattern, o.nodes, o.ratio) == (&r.pattern, r.nodes, r.ratio);
        rows.iter().filter(group).map(|o| o.time_ns).min() == Some(r.time_ns)
    };
    let each = |of: fn(&Row) -> u64| move |r: &Row| format!("{:.2}", each(r, of(r)));
    Table::new()
        .text("access", |r: &Row| r.pattern.clone())
        .number("nodes", |r| r.nodes)
        .number("virtual / physical", |r| r.ratio)
        .number("page", |r| size(r.page_bytes))
        .number("room", |r| r.room)
        .number("table", |r| size(r.table_bytes))
        .number("swaps", |r| r.swaps)
        .number("time", |r| format!("{:.2}", ms(r.time_ns)))
        .unit("ms")
        .number("writes", each(|r| r.work_ns))
        .number("table, flags", each(|r| r.table_ns))
        .number("swaps, waited", each(|r| r.swap_ns))
        .text("", |r| if fastest(r) { "fastest" } else { "" })
        .sheet("", rows)
}

/// `value` of a pattern on so many nodes with a part of the memory, over the size of a page.
fn line(
    name: String,
    rows: &Sheet,
    of: (&str, f64, f64),
    value: impl Fn(Cells<'_>) -> Option<f64>,
) -> Line {
    let point = |row: Cells<'_>| {
        let found = (row.text("pattern")?, row.number("nodes")?, row.number("ratio")?);
        let point = (row.number("page_bytes")?, value(row)?);
        (found == of).then_some(point)
    };
    Line { name, points: rows.cells().filter_map(point).collect(), bound: false }
}

fn drawn(rows: &Sheet) -> Result<Vec<File>, String> {
    let mut plots = Vec::new();
    let mut nodes: Vec<f64> = rows.cells().filter_map(|row| row.number("nodes")).collect();
    nodes.sort_by(f64::total_cmp);
    nodes.dedup();
    for pattern in PATTERNS.map(Pattern::name) {
        let mut lines = Vec::new();
        for &n in &nodes {
            for ratio in [2.0, 4.0] {
                let name = format!("{n} nodes, 1/{ratio} in memory");
                let time = |row: Cells<'_>| Some(row.number("time_ns")? / NS);
                lines.push(line(name, rows, (pattern, n, ratio), time));
            }
        }
        let title =
            format!("Virtual shared memory: {pattern} access to {}, time to the end", size(BYTES));
        let axes = Axes { title: &title, x: "bytes of a page", y: "ms" };
        plots.push(File::plot(&format!("paging-{pattern}"), axes, &lines)?);
    }
    let middle = nodes.get(nodes.len() / 2).copied().unwrap_or(0.0);
    let mut lines = Vec::new();
    for pattern in PATTERNS.map(Pattern::name) {
        for (what, key) in [("table and flags", "table_ns"), ("swaps", "swap_ns")] {
            let name = format!("{pattern}: {what}");
            let each = |row: Cells<'_>| Some(row.number(key)? / NS / middle);
            lines.push(line(name, rows, (pattern, middle, 2.0), each));
        }
    }
    let title = format!(
        "Virtual shared memory: what {middle} processes wait for, half of the memory there"
    );
    let axes = Axes { title: &title, x: "bytes of a page", y: "ms of a process" };
    plots.push(File::plot("paging-costs", axes, &lines)?);
    Ok(plots)
}

/// The study.
pub const SUBJECT: Subject = Subject {
    title: "Virtual shared memory: the size of a page",
    units: "Times are simulated, in ms. The columns after the time are means over the processes.",
    columns: || all(&[]),
    plots: drawn,
};

/// The results of the study.
///
/// # Errors
/// The message of the plotting library.
pub fn results(rows: &[Row]) -> Result<Results, String> {
    SUBJECT.results(all(rows), |_| vec![table(rows)])
}
