// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables and the plot of the study of clusters: what paper 004 prints beside what was found.

use super::clusters::{
    ALTERNATE, BARRIER, BESIDE, CLUSTERS, FREE, Kind, LOADS, LU, ONCE, RING, RINGS, Row, SERIAL,
    SIMULATED, SMALL_LU, TABLE_4,
};
use super::clusters_ring::SMALL;
use super::results::{File, Results, Subject};
use awgstar_draw::plot::{Axes, Line};
use awgstar_draw::table::{Cells, Sheet, Table};
use std::collections::BTreeMap;

/// All rows.
fn columns(rows: &[Row]) -> Sheet {
    Table::new()
        .text("what", |r: &Row| r.what.clone())
        .text("way", |r| r.way.clone())
        .number("clusters", |r| r.clusters)
        .number("processes", |r| r.processes)
        .number("found", |r| format!("{:.6}", r.found))
        // What is not printed is no number.
        .text("paper", |r| r.paper.map_or("-".to_owned(), |paper| format!("{paper:.3}")))
        .text("kind", |r| r.kind.name())
        .sheet("clusters.csv", rows)
}

/// The rows of a sheet.
fn of(sheet: &Sheet) -> Vec<Row> {
    let row = |cells: Cells<'_>| {
        let kind = cells.text("kind")?;
        Some(Row {
            what: cells.text("what")?.to_owned(),
            way: cells.text("way")?.to_owned(),
            clusters: cells.text("clusters")?.parse().ok()?,
            processes: cells.text("processes")?.parse().ok()?,
            found: cells.number("found")?,
            paper: cells.number("paper"),
            kind: Kind::ALL.into_iter().find(|one| one.name() == kind)?,
        })
    };
    sheet.cells().filter_map(row).collect()
}

/// By how much a value is off another one.
fn off(found: f64, paper: Option<f64>) -> String {
    let off = |paper: f64| format!("{:+.1} %", 100.0 * (found / paper - 1.0));
    paper.map_or("–".to_owned(), off)
}

fn or_none(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
}

/// LU on so many clusters of so many processes, in s.
fn lu(rows: &[Row], way: &str, (clusters, processes): (usize, usize)) -> Option<f64> {
    let is = |row: &&Row| {
        row.what == LU && row.way == way && (row.clusters, row.processes) == (clusters, processes)
    };
    rows.iter().find(is).map(|row| row.found)
}

/// The tables that are printed, and that the page has.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a number of steps")]
pub fn tables(sheet: &Sheet) -> Vec<Sheet> {
    let rows = of(sheet);
    let calls: Vec<&Row> =
        rows.iter().filter(|row| ![LU, SMALL_LU].contains(&&*row.what)).collect();
    let lus: Vec<&Row> = rows.iter().filter(|row| row.what == LU && row.way == CLUSTERS).collect();
    let at = |row: &Row| (row.clusters, row.processes);
    let table_2 = Table::new()
        .text("", |r: &&Row| r.what.clone())
        .number("paper, us", |r| or_none(r.paper, 0))
        .number("found", |r| format!("{:.0}", r.found))
        .number("off", |r| off(r.found, r.paper))
        .text("", |r| r.kind.name());
    let serial = lu(&rows, SERIAL, (1, 1)).unwrap_or(f64::NAN);
    let one = lu(&rows, CLUSTERS, (1, 1)).unwrap_or(f64::NAN);
    // What is beyond an equal share of the time on one node.
    let beyond = |r: &Row, time: f64| {
        let processes = u32::try_from(r.clusters * r.processes).map_or(1.0, f64::from);
        time - one / processes
    };
    let table_4 = Table::new()
        .number("clusters", |r: &&Row| r.clusters)
        .number("processes of each", |r| r.processes)
        .number("paper, s", |r| or_none(r.paper, 3))
        .number("found", |r| format!("{:.3}", r.found))
        .number("off", |r| off(r.found, r.paper))
        .number("beyond the share: paper", |r| or_none(r.paper.map(|t| beyond(r, t)), 2))
        .number("found", |r| format!("{:.2}", beyond(r, r.found)))
        .number("times serial", move |r| format!("{:.2}", serial / r.found))
        .text("", |r| r.kind.name());
    let others: Vec<&Row> = lus.iter().copied().filter(|row| at(row) != (1, 1)).collect();
    let in_s = |way: &'static str| {
        let rows = &rows;
        move |r: &&Row| or_none(lu(rows, way, at(r)), 3)
    };
    let ways = Table::new()
        .number("clusters", |r: &&Row| r.clusters)
        .number("processes of each", |r| r.processes)
        .number("paper, s", |r| or_none(r.paper, 3))
        .number("found", |r| format!("{:.3}", r.found))
        .number("a handler goes on while bytes leave", in_s(BESIDE))
        .number("each goes on when its row is there", in_s(FREE))
        .number("the same, rows alternate", in_s(ALTERNATE))
        .number("a barrier before each step", in_s(BARRIER))
        .number("each cluster asks once", in_s(ONCE));
    let times = |way: &'static str| {
        let rows = &rows;
        move |r: &&Row| or_none(lu(rows, way, at(r)).map(|time| serial / time), 1)
    };
    let rings = Table::new()
        .number("clusters or rings", |r: &&Row| r.clusters)
        .number("processes of each", |r| r.processes)
        .number("clusters, found, s", |r| format!("{:.3}", r.found))
        .number("one ring of all", in_s(RING))
        .number("rings", in_s(RINGS))
        .number("one ring, no time of the DSM for rows", in_s(LOADS))
        .number("times serial: clusters", times(CLUSTERS))
        .number("one ring", times(RING))
        .number("rings", times(RINGS))
        .number("no time of the DSM", times(LOADS));
    let small: Vec<(&Row, &Row)> = {
        let of = |way: &'static str| {
            rows.iter().filter(move |row| row.what == SMALL_LU && row.way == way)
        };
        of(RING).zip(of(SIMULATED)).collect()
    };
    let check = Table::new()
        .number("processes", |r: &(&Row, &Row)| r.0.processes)
        .number("formula, us", |r| format!("{:.1}", r.0.found))
        .number("simulated", |r| format!("{:.1}", r.1.found))
        .number("off", |r| off(r.0.found, Some(r.1.found)))
        .number("simulated takes more in each step", |r| {
            format!("{:.1}", (r.1.found - r.0.found) / SMALL as f64)
        });
    vec![
        table_2.sheet("Table 2, and the sum of Table 3", &calls),
        table_4.sheet("Table 4: LU decomposition", &lus),
        ways.sheet("Other ways", &others),
        rings.sheet("The same on rings of boards, by a formula", &lus),
        check.sheet("The formula on a small matrix", &small),
    ]
}

fn drawn(sheet: &Sheet) -> Result<Vec<File>, String> {
    let rows = of(sheet);
    let serial = lu(&rows, SERIAL, (1, 1)).unwrap_or(f64::NAN);
    let number = |count: usize| u32::try_from(count).map_or(0.0, f64::from);
    let sizes = TABLE_4.map(|row| (row.0, row.1));
    let line =
        |name: String, clusters: Option<usize>, time: &dyn Fn((usize, usize)) -> Option<f64>| {
            let of = sizes.iter().filter(|size| clusters.is_none_or(|clusters| size.0 == clusters));
            let point = |size: &(usize, usize)| Some((size.0 * size.1, serial / time(*size)?));
            let points: BTreeMap<usize, f64> = of.filter_map(point).collect();
            let points = points.into_iter().map(|(x, y)| (number(x), y)).collect();
            Line { name, points, bound: false }
        };
    let mut lines = Vec::new();
    for (clusters, name) in [(1, "one cluster"), (2, "two clusters")] {
        let printed = |size: (usize, usize)| {
            TABLE_4.iter().find(|row| (row.0, row.1) == size).map(|row| row.2)
        };
        let paper = line(format!("{name}, printed"), Some(clusters), &printed);
        lines.push(Line { bound: true, ..paper });
        lines.push(line(format!("{name}, found"), Some(clusters), &|size| {
            lu(&rows, CLUSTERS, size)
        }));
    }
    lines.push(line("one ring, by the formula".into(), None, &|size| lu(&rows, RING, size)));
    let axes = Axes {
        title: "LU of paper 004 on clusters, and on a ring",
        x: "processes",
        y: "times faster than the serial program",
    };
    Ok(vec![File::plot("clusters-lu", axes, &lines)?])
}

/// The study.
pub const SUBJECT: Subject = Subject {
    title: "A cluster of clusters: paper 004 on its own machine, and on rings",
    units: "Times are simulated: of accesses and barriers in us, of LU in s. Four figures of the paper are fitted; rings are by a formula.",
    columns: || columns(&[]),
    plots: drawn,
};

/// The results of the study.
///
/// # Errors
/// The message of the plotting library.
pub fn results(rows: &[Row]) -> Result<Results, String> {
    SUBJECT.results(columns(rows), tables)
}
