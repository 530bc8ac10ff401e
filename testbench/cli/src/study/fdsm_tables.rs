// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables and plots of the study of FDSM: what the paper prints beside what was found.

use crate::study::fdsm::{LINE, Row};
use crate::study::results::{File, Results, Subject};
use awgstar_draw::plot::{Axes, Line};
use awgstar_draw::table::{Cells, Sheet, Table};

/// All rows.
fn columns(rows: &[Row]) -> Sheet {
    let three = |value: f64| format!("{value:.3}");
    Table::new()
        .text("way", |r: &Row| r.way.clone())
        .number("nodes", |r| r.nodes)
        .number("computing_ms", move |r| three(r.computing_ms))
        .number("beside_ms", move |r| three(r.beside_ms))
        .number("inspection_ms", move |r| three(r.inspection_ms))
        .number("bytes", |r| r.bytes)
        .number("messages", |r| r.messages)
        .number("faults", |r| r.faults)
        .sheet("fdsm.csv", rows)
}

/// The rows of a sheet.
fn of(sheet: &Sheet) -> Vec<Row> {
    let row = |cells: Cells<'_>| {
        let count = |name| cells.text(name)?.parse().ok();
        Some(Row {
            way: cells.text("way")?.to_owned(),
            nodes: cells.text("nodes")?.parse().ok()?,
            computing_ms: cells.number("computing_ms")?,
            beside_ms: cells.number("beside_ms")?,
            inspection_ms: cells.number("inspection_ms")?,
            bytes: count("bytes")?,
            messages: count("messages")?,
            faults: count("faults")?,
        })
    };
    sheet.cells().filter_map(row).collect()
}

/// A line of Table 3: who, on which row here, and Mop/s on 1, 2, 4 and 8 nodes.
type Printed = (&'static str, Option<&'static str>, &'static [f64]);

/// Table 3.
pub(super) const PRINTED: [Printed; 5] = [
    ("FDSM (IA32)", Some("FDSM IA-32"), &[68.38, 128.5, 234.7, 389.9]),
    ("SCASH (IA32)", Some("SCASH IA-32"), &[68.38, 114.7, 195.7, 281.7]),
    ("MPI (IA32)", None, &[73.91, 290.3, 480.1, 948.2]),
    ("FDSM (IA64)", Some("FDSM IA-64"), &[72.3, 146.3, 265.3]),
    ("MPI (IA64)", None, &[67.5, 141.9, 247.1]),
];
const NODES: [usize; 4] = [1, 2, 4, 8];
const RING: &str = "ring: ";

/// What Table 3 has for a way on so many nodes, against one.
fn printed(way: &str, nodes: usize) -> Option<f64> {
    let (_, _, all) = PRINTED.iter().find(|one| one.1 == Some(way))?;
    let at = NODES.iter().position(|&n| n == nodes)?;
    Some(all.get(at)? / all[0])
}

/// The row of a way.
fn at<'a>(rows: &'a [Row], way: &str, nodes: usize) -> Option<&'a Row> {
    rows.iter().find(|row| row.way == way && row.nodes == nodes)
}

pub(super) fn or_none<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or("–".to_owned(), show)
}

/// By how much a value is off another one.
fn off(value: f64, from: f64) -> String {
    format!("{:+.1} %", 100.0 * (value / from - 1.0))
}

/// The tables that are printed, and that a page of the documents has.
#[must_use]
pub fn tables(sheet: &Sheet) -> Vec<Sheet> {
    let rows = of(sheet);
    let on = |ring: bool| rows.iter().filter(move |row| row.way.starts_with(RING) == ring);
    let one = |digits: usize, value: f64| format!("{value:.digits$}");
    let costs = Table::new()
        .text("", |r: &&Row| r.way.clone())
        .number("nodes", |r| r.nodes)
        .number("computing, ms", move |r| one(2, r.computing_ms))
        .number("beside it, ms", move |r| one(2, r.beside_ms))
        .number("faults", |r| r.faults)
        .number("messages", |r| r.messages)
        .number("bytes in them", |r| r.bytes)
        .number("first two products: ms more", move |r| one(1, r.inspection_ms));
    let ring = Table::new()
        .text("", |r: &&Row| r.way[RING.len()..].to_owned())
        .number("nodes", |r| r.nodes)
        .number("MB a product", |r| format!("{:.2}", megabytes(r)))
        .number("beside computing, ms", move |r| one(2, r.beside_ms))
        .number("times faster than one node", move |r| one(2, r.speed_up(LINE)))
        .number("by bytes and line rate alone", move |r| one(2, by_bytes(r)))
        .number("MB/s for FDSM's", |r| line_for(r, "FDSM IA-32"))
        .number("MB/s for SCASH's", |r| line_for(r, "SCASH IA-32"));
    vec![
        table3(&rows),
        costs.sheet("A product", &on(false).collect::<Vec<_>>()),
        ring.sheet("The ring", &on(true).collect::<Vec<_>>()),
        claims(&rows),
    ]
}

/// Of a product.
#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn megabytes(row: &Row) -> f64 {
    row.bytes as f64 / 1e6
}

/// Against one node, if nothing took time but computing and the bytes on the line.
fn by_bytes(row: &Row) -> f64 {
    let alone =
        Row { beside_ms: 1000.0 * megabytes(row) / LINE, inspection_ms: 0.0, ..row.clone() };
    alone.speed_up(LINE)
}

/// The line rate at which a row is as fast as the paper's.
fn line_for(row: &Row, way: &str) -> String {
    let line = printed(way, row.nodes).and_then(|times| row.line_for(times));
    or_none(line, |line| format!("{line:.0}"))
}

fn table3(rows: &[Row]) -> Sheet {
    struct Cell<'a> {
        name: &'static str,
        nodes: usize,
        printed: f64,
        one: f64,
        row: Option<&'a Row>,
        kind: &'static str,
    }
    let mut cells = Vec::new();
    for (name, way, all) in PRINTED {
        for (nodes, &printed) in NODES.into_iter().zip(all) {
            let row = way.and_then(|way| at(rows, way, nodes));
            let kind = match way {
                None => "not modelled: cache effects",
                Some(_) if nodes == 1 => "input",
                Some(_) if nodes == 8 => "fit",
                Some(_) => "prediction",
            };
            if way.is_none() || nodes == 1 || row.is_some() {
                cells.push(Cell { name, nodes, printed, one: all[0], row, kind });
            }
        }
    }
    Table::new()
        .text("", |c: &Cell<'_>| c.name)
        .number("nodes", |c| c.nodes)
        .number("Mop/s, printed", |c| c.printed)
        .number("found", |c| or_none(c.row, |row| format!("{:.1}", row.mops())))
        .number("off", |c| or_none(c.row, |row| off(row.mops(), c.printed)))
        .number("times one node, printed", |c| format!("{:.2}", c.printed / c.one))
        .number("found", |c| or_none(c.row, |row| format!("{:.2}", row.speed_up(LINE))))
        .text("", |c| c.kind)
        .sheet("Table 3 and Figures 5 and 6: CG, class B", &cells)
}

/// What bytes and the line rate say about 8 nodes, and what was found.
fn claims(rows: &[Row]) -> Sheet {
    struct Claim<'a> {
        says: &'static str,
        times: f64,
        row: &'a Row,
    }
    let all = [
        ("p only: what others read", 7.66, "p; reads free"),
        ("the same, read from the board in blocks", 7.66, "p; blocks"),
        ("the same, by FDSM, in blocks", 7.66, "FDSM; blocks"),
        ("the same, by FDSM, word by word", 7.66, "FDSM; words"),
        ("all that changes, six vectors", 6.30, "six vectors; reads free"),
        ("the same in records", 6.13, "six vectors; records; reads free"),
        ("records that are read word by word", 3.4, "six vectors; records; words"),
    ];
    let claim = |(says, times, way)| {
        Some(Claim { says, times, row: at(rows, &format!("{RING}{way}"), 8)? })
    };
    let all: Vec<Claim<'_>> = all.into_iter().filter_map(claim).collect();
    Table::new()
        .text("8 nodes", |c: &Claim<'_>| c.says)
        .number("expected", |c| format!("{:.2}", c.times))
        .number("found", |c| format!("{:.2}", c.row.speed_up(LINE)))
        .number("off", |c| off(c.row.speed_up(LINE), c.times))
        .number("MB/s at which it is so", |c| {
            or_none(c.row.line_for(c.times), |line| format!("{line:.0}"))
        })
        .number("MB/s for FDSM's 5.70", |c| line_for(c.row, "FDSM IA-32"))
        .number("MB/s for SCASH's 4.12", |c| line_for(c.row, "SCASH IA-32"))
        .sheet("Claims", &all)
}

/// Line rates of the plot, in MB/s.
const LINES: [f64; 9] = [4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 264.35, 512.0, 1024.0];

fn drawn(sheet: &Sheet) -> Result<Vec<File>, String> {
    let rows = of(sheet);
    let number = |nodes: usize| u32::try_from(nodes).map_or(0.0, f64::from);
    let speed_up = |architecture: &str, ring: &[&str]| {
        let mut lines = Vec::new();
        let found = |name: String, way: &str| {
            let of_way = rows.iter().filter(|row| row.way == way);
            let points = of_way.map(|row| (number(row.nodes), row.speed_up(LINE)));
            let points = [(1.0, 1.0)].into_iter().chain(points).collect();
            Line { name, points, bound: false }
        };
        for (name, way, all) in PRINTED.iter().filter(|one| one.0.contains(architecture)) {
            if let Some(way) = way {
                lines.push(found(format!("{way}, found"), way));
            }
            let points = NODES.into_iter().zip(*all).map(|(n, mops)| (number(n), mops / all[0]));
            lines.push(Line {
                name: format!("{name}, printed"),
                points: points.collect(),
                bound: true,
            });
        }
        lines.extend(ring.iter().map(|way| found((*way).to_owned(), way)));
        lines
    };
    let ring = ["ring: FDSM; blocks", "ring: all; blocks", "ring: all; records; words"];
    let by_line = |row: &Row| {
        let points = LINES.map(|line| (line, row.speed_up(line)));
        Line { name: row.way.clone(), points: points.into(), bound: false }
    };
    let of_eight = rows.iter().filter(|row| row.nodes == 8 && ring.contains(&&*row.way));
    let mut by_line: Vec<Line> = of_eight.map(by_line).collect();
    for way in ["FDSM IA-32", "SCASH IA-32"] {
        let points = printed(way, 8).into_iter().flat_map(|y| [(LINES[0], y), (LINES[8], y)]);
        by_line.push(Line {
            name: format!("{way}, printed"),
            points: points.collect(),
            bound: true,
        });
    }
    let file = |name, title, x, lines: &[Line]| {
        File::plot(
            &format!("fdsm-{name}"),
            Axes { title, x, y: "times faster than one node" },
            lines,
        )
    };
    Ok(vec![
        file("ia32", "Figure 5: CG on IA-32, and on the ring", "nodes", &speed_up("IA32", &ring))?,
        file("ia64", "Figure 6: CG on IA-64", "nodes", &speed_up("IA64", &[]))?,
        file("line", "CG on 8 nodes of the ring, by its line rate", "MB/s", &by_line)?,
    ])
}

/// The study.
pub const SUBJECT: Subject = Subject {
    title: "FDSM and SCASH: CG of paper 003, on its machine and on the ring",
    units: "Times are simulated: a product of CG with the matrix, scaled to the 1,950 of class B. Two costs of the paper's machine are fitted, one to FDSM and one to SCASH on 8 nodes; all others are predictions. Lines are in MB/s, performance in Mop/s.",
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
