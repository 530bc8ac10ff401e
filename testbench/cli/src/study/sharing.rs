// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where programs stop gaining by more nodes: one synthetic `OpenMP` program whose threads share data in pieces of one
//! size or another and a step more or less often, on the ring and on a cluster.
//!
//! A [`Row`] follows from its [`Point`] alone. A step has computing for so long on one node, which the threads divide.

use crate::study::fdsm_tables::or_none;
use crate::study::results::{File, Results, Subject};
use awgstar_draw::plot::{Area, Axes, Line};
use awgstar_draw::table::{Cells, Sheet, Table};
use serde::{Deserialize, Serialize};

/// Bytes that all threads together write in a step.
pub const BYTES: u32 = 65_536;
/// Bytes of a piece, of one writer.
pub const GRAINS: [u32; 5] = [8, 64, 512, 4096, 65_536];
/// Steps per second on one node: computing of a step is the reciprocal.
pub const FREQUENCIES: [u32; 5] = [10, 100, 1000, 10_000, 100_000];
/// The piece of a page, with which all else is varied.
const PAGE: u32 = 4096;

/// How threads share memory, and on what: its name, and options of `awgstar run`.
pub type Way = (&'static str, &'static [&'static str]);

/// All of them.
pub const WAYS: [Way; 6] = [
    ("ring", &["--port", "axi4"]),
    ("ring FDSM", &["--port", "axi4", "--coherence", "fdsm"]),
    ("ring SCASH", &["--port", "axi4", "--coherence", "scash"]),
    ("cluster", &["--ring", CLUSTER]),
    ("cluster FDSM", &["--ring", CLUSTER, "--coherence", "fdsm"]),
    ("cluster SCASH", &["--ring", CLUSTER, "--coherence", "scash"]),
];
/// The file of the cluster.
pub const CLUSTER: &str = "score-myrinet.toml";

/// What threads do in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    pub nodes: u32,
    pub grain: u32,
    /// Other threads that read a piece.
    pub readers: u32,
    /// Bytes that are written, too, and that no other thread reads.
    pub own: u32,
    /// Each piece goes to the next thread every so many steps; 0: never.
    pub moves: u32,
    /// Share of the steps with a lock, in percent.
    pub locked: u32,
    /// Steps per second on one node; 0: no computing.
    pub frequency: u32,
}

impl Point {
    /// Computing of a step on one node, in us.
    fn computing(self) -> f64 {
        if self.frequency == 0 { 0.0 } else { 1e6 / f64::from(self.frequency) }
    }

    /// Basic blocks of computing of a step, and ns of each.
    #[must_use]
    pub fn blocks(self) -> (u32, f64) {
        let blocks = 100 * self.nodes;
        (blocks, 1000.0 * self.computing() / f64::from(blocks))
    }

    /// The same sharing at another frequency.
    fn at(self, frequency: u32) -> Point {
        Point { frequency, ..self }
    }
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub way: String,
    pub point: Point,
    /// Of a step, in us.
    pub step: f64,
}

impl Row {
    /// Against one node.
    fn speed_up(&self) -> f64 {
        self.point.computing() / self.step
    }

    /// What a step takes longer than computing, in us.
    fn beside(&self) -> f64 {
        self.step - self.point.computing() / f64::from(self.point.nodes)
    }
}

/// Numbers of readers that a map has: one, and all others.
fn readers(nodes: u32) -> Vec<u32> {
    if nodes > 2 { vec![1, nodes - 1] } else { vec![1] }
}

/// Sharing of a page that is varied in one thing: name, and what it is.
fn varied(nodes: u32) -> [(&'static str, Point); 4] {
    let page =
        Point { nodes, grain: PAGE, readers: nodes - 1, own: 0, moves: 0, locked: 0, frequency: 0 };
    [
        ("as it is", page),
        ("eight times as many bytes that no other thread reads", Point { own: 8 * BYTES, ..page }),
        ("a piece moves every fourth step", Point { moves: 4, ..page }),
        ("a lock in each step", Point { locked: 100, ..page }),
    ]
}

/// All points of so many nodes.
#[must_use]
pub fn points(nodes: &[u32]) -> Vec<(Way, Point)> {
    let mut all = Vec::new();
    for &nodes in nodes {
        let [(_, page), more @ ..] = varied(nodes);
        for readers in readers(nodes) {
            for grain in GRAINS {
                let point = Point { grain, readers, ..page };
                all.extend([0].into_iter().chain(FREQUENCIES).map(|often| point.at(often)));
            }
        }
        all.extend(more.map(|(_, point)| point));
    }
    all.into_iter().flat_map(|point| WAYS.map(|way| (way, point))).collect()
}

/// All rows.
fn columns(rows: &[Row]) -> Sheet {
    Table::new()
        .text("way", |r: &Row| r.way.clone())
        .number("nodes", |r| r.point.nodes)
        .number("grain", |r| r.point.grain)
        .unit("bytes")
        .number("readers", |r| r.point.readers)
        .number("own", |r| r.point.own)
        .unit("bytes")
        .number("moves", |r| r.point.moves)
        .unit("steps")
        .number("locked", |r| r.point.locked)
        .unit("percent")
        .number("steps_per_second", |r| r.point.frequency)
        .number("step", |r| format!("{:.3}", r.step))
        .unit("us")
        .sheet("sharing.csv", rows)
}

/// The rows of a sheet.
fn of(sheet: &Sheet) -> Vec<Row> {
    let row = |cells: Cells<'_>| {
        let count = |name| cells.text(name)?.parse().ok();
        let point = Point {
            nodes: count("nodes")?,
            grain: count("grain_bytes")?,
            readers: count("readers")?,
            own: count("own_bytes")?,
            moves: count("moves_steps")?,
            locked: count("locked_percent")?,
            frequency: count("steps_per_second")?,
        };
        Some(Row { way: cells.text("way")?.to_owned(), point, step: cells.number("step_us")? })
    };
    sheet.cells().filter_map(row).collect()
}

/// Rows of all ways.
struct Rows(Vec<Row>);

impl Rows {
    fn of(&self, way: &str, point: Point) -> Option<&Row> {
        self.0.iter().find(|row| row.way == way && row.point == point)
    }

    /// Numbers of nodes.
    fn nodes(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.0.iter().map(|row| row.point.nodes).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Maps that were measured: sharing of each grain, without its frequency.
    fn maps(&self) -> Vec<(u32, u32)> {
        let of = |nodes| readers(nodes).into_iter().map(move |readers| (nodes, readers));
        self.nodes().into_iter().flat_map(of).collect()
    }

    /// Steps per second on one node at which all nodes are so many times faster: they are less so with more.
    ///
    /// Between two that were measured, what a step takes beside computing changes evenly over the logarithm.
    fn frequency(&self, way: &str, sharing: Point, times: f64) -> Option<f64> {
        let at = |often| self.of(way, sharing.at(often));
        let pairs = FREQUENCIES.windows(2).filter_map(|pair| Some((at(pair[0])?, at(pair[1])?)));
        let (low, high) =
            { pairs }.find(|(low, high)| low.speed_up() >= times && high.speed_up() < times)?;
        let often = |row: &Row| f64::from(row.point.frequency).log10();
        let (mut from, mut to) = (often(low), often(high));
        for _ in 0..60 {
            let middle = f64::midpoint(from, to);
            let part = (middle - often(low)) / (often(high) - often(low));
            let beside = low.beside() + part * (high.beside() - low.beside());
            let computing = 1e6 / 10_f64.powf(middle);
            let step = computing / f64::from(sharing.nodes) + beside;
            if computing / step >= times { from = middle } else { to = middle }
        }
        Some(10_f64.powf(from))
    }
}

/// Sharing of a map.
fn sharing(nodes: u32, readers: u32, grain: u32) -> Point {
    let [(_, page), ..] = varied(nodes);
    Point { grain, readers, ..page }
}

/// A column for each way.
fn each_way<'a, R>(
    table: Table<'a, R>,
    value: impl Fn(&R, &str) -> String + Copy + 'a,
) -> Table<'a, R> {
    WAYS.iter().fold(table, |table, (way, _)| table.number(*way, move |row| value(row, way)))
}

/// The tables that are printed, and that a page of the documents has.
#[must_use]
pub fn tables(sheet: &Sheet) -> Vec<Sheet> {
    let rows = &Rows(of(sheet));
    let points = |(nodes, readers)| GRAINS.map(|grain| sharing(nodes, readers, grain));
    let points: Vec<Point> = rows.maps().into_iter().flat_map(points).collect();
    let sharing = || {
        Table::new()
            .number("nodes", |p: &Point| p.nodes)
            .number("readers", |p| p.readers)
            .number("bytes of a piece", |p| p.grain)
    };
    let gains = |times: fn(u32) -> f64| {
        move |point: &Point, way: &str| {
            let often = rows.frequency(way, *point, times(point.nodes));
            or_none(often, |often| format!("{:.2}", 1000.0 / often))
        }
    };
    let beside =
        |point: &Point, way: &str| or_none(rows.of(way, *point), |row| format!("{:.1}", row.step));
    let varied: Vec<_> = rows.nodes().into_iter().flat_map(varied).collect();
    let more = Table::new()
        .text("", |(name, _): &(&str, Point)| *name)
        .number("nodes", |(_, point)| point.nodes);
    vec![
        each_way(sharing(), gains(|_| 1.0)).sheet("As fast as one node", &points),
        each_way(sharing(), gains(|nodes| f64::from(nodes) / 2.0)).sheet("Half the nodes", &points),
        each_way(sharing(), beside).sheet("A step without computing", &points),
        each_way(more, move |(_, point), way| beside(point, way))
            .sheet("What else there is", &varied),
    ]
}

/// The field of a value on a logarithmic axis: halfway to its neighbours; as far on the other side at an end.
fn around(values: &[u32], at: usize) -> std::ops::Range<f64> {
    let value = |at: usize| f64::from(values[at]);
    let factor = |at: usize| (value(at + 1) / value(at)).sqrt();
    let last = values.len() - 1;
    let (below, above) = (at.saturating_sub(1), at.min(last - 1));
    value(at) / factor(below)..value(at) * factor(above)
}

fn drawn(sheet: &Sheet) -> Result<Vec<File>, String> {
    let rows = Rows(of(sheet));
    let kinds = [
        ("all", "ring, and FDSM and SCASH on a cluster", ["ring", "cluster FDSM", "cluster SCASH"]),
        ("cluster", "three ways on a cluster", ["cluster", "cluster FDSM", "cluster SCASH"]),
        ("ring", "three ways on the ring", ["ring", "ring FDSM", "ring SCASH"]),
    ];
    let mut files = Vec::new();
    for (nodes, readers) in rows.maps() {
        for (kind, of, ways) in kinds {
            let fastest = |point: Point| {
                let speed = |(at, way): (usize, &&str)| Some((at, rows.of(way, point)?.speed_up()));
                let all = ways.iter().enumerate().filter_map(speed);
                all.filter(|one| one.1 > 1.0).max_by(|a, b| a.1.total_cmp(&b.1))
            };
            let mut areas = Vec::new();
            for (column, grain) in GRAINS.into_iter().enumerate() {
                for (row, often) in FREQUENCIES.into_iter().enumerate() {
                    let best = fastest(sharing(nodes, readers, grain).at(often));
                    areas.push(Area {
                        x: around(&GRAINS, column),
                        y: around(&FREQUENCIES, row),
                        line: best.map(|one| one.0),
                        text: best.map_or_else(String::new, |one| format!("{:.1}", one.1)),
                    });
                }
            }
            let line = |way: &str, times: f64, bound| {
                let point = |grain| {
                    let often = rows.frequency(way, sharing(nodes, readers, grain), times)?;
                    Some((f64::from(grain), often))
                };
                let points = GRAINS.into_iter().filter_map(point).collect();
                Line { name: format!("{way}: {times}"), points, bound }
            };
            let half = f64::from(nodes) / 2.0;
            let bounds = [1.0, half].into_iter().take(if nodes > 2 { 2 } else { 1 });
            let lines = bounds.flat_map(|times| {
                ways.iter().map(move |way| line(way, times, times > 1.0)).collect::<Vec<_>>()
            });
            let lines: Vec<Line> = lines.collect();
            let who = if readers == 1 { "one reads".to_owned() } else { format!("{readers} read") };
            let title = format!("The fastest of: {of}; {nodes} nodes, {who} a piece");
            let axes =
                Axes { title: &title, x: "bytes of a piece", y: "steps per second of one node" };
            let stem = format!("sharing-{kind}-{nodes}-{readers}");
            files.push(File::map(&stem, axes, &areas, ways.len(), &lines)?);
        }
    }
    Ok(files)
}

/// The study.
pub const SUBJECT: Subject = Subject {
    title: "Where programs stop gaining by more nodes: grain and frequency of sharing",
    units: "Times are simulated. As fast as one node, half the nodes: ms of computing in a step, on one node, at which all nodes are as fast as one, and half as many times faster as there are nodes. A step without computing, what else there is: µs of a step.",
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
