// SPDX-License-Identifier: MIT OR Apache-2.0
//! Execution time and CPU use of the thesis' program on both versions (thesis, Figs 17 and 19 to 22;
//! EVA-4, EVA-5).

use crate::study::Tick;
use crate::study::results::{File, Results, Subject};
use crate::work::{Work, WorkError};
use awgstar::quantity::Nanoseconds;
use awgstar_draw::plot::{Axes, Line};
use awgstar_draw::table::{Cells, Sheet, Table};
use awgstar_scenario::run::mandelbrot::{Machine, Timed, run, usage};
use awgstar_thesis::gen1::{Activity, Span};
use awgstar_thesis::mandelbrot::{
    Picture,
    program::{Costs, Plan, Writes},
};
use serde::{Deserialize, Serialize};

/// Sizes of the thesis (Figs 19 to 22).
pub const SIZES: [u32; 4] = [300, 600, 1500, 3000];
/// Nodes of the thesis, and on to what a router carries.
pub const NODES: [usize; 7] = [1, 2, 3, 4, 8, 16, 32];
pub use awgstar_scenario::run::mandelbrot::LIMIT;
/// Nodes of the figures of CPU use.
pub const USAGE_NODES: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// On what.
    pub machine: Machine,
    /// Points of a row.
    pub size: u32,
    pub nodes: usize,
    /// Iterations of all points.
    pub iterations: u64,
    /// Times with results written word by word.
    #[serde(flatten)]
    pub timed: Timed,
    /// Times with results written row by row.
    pub by_rows: Timed,
}

/// Results of a point as they are written.
#[derive(Serialize, Deserialize)]
struct Times {
    timed: Timed,
    by_rows: Timed,
    spans: [Vec<Vec<WrittenSpan>>; 2],
}

#[derive(Serialize, Deserialize)]
struct WrittenSpan(#[serde(with = "SpanFields")] Span);

/// Fields of a span, for serde.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Span")]
struct SpanFields {
    from: Nanoseconds,
    to: Nanoseconds,
    #[serde(with = "ActivityName")]
    activity: Activity,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Activity", rename_all = "snake_case")]
enum ActivityName {
    Compute,
    Access,
    Dma,
    Sync,
    Lock,
    Barrier,
}

fn written(timed: &Timed) -> Vec<Vec<WrittenSpan>> {
    timed.spans.iter().map(|spans| spans.iter().copied().map(WrittenSpan).collect()).collect()
}

fn read(spans: Vec<Vec<WrittenSpan>>) -> Vec<Vec<Span>> {
    spans.into_iter().map(|spans| spans.into_iter().map(|one| one.0).collect()).collect()
}

/// All rows for these pictures, in order; `None` of a part.
///
/// # Errors
/// The first run that did not end; parts that do not fit.
pub fn rows(
    pictures: &[Picture],
    nodes: &[usize],
    costs: &Costs,
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<Row>>, WorkError<String>> {
    type Item<'a> = (Machine, &'a Picture, usize);
    let items: Vec<Item> = Machine::ALL
        .into_iter()
        .flat_map(|m| pictures.iter().flat_map(move |p| nodes.iter().map(move |&n| (m, p, n))))
        .collect();
    let what = |(machine, picture, nodes): &Item| {
        format!("{}, {} points, {nodes} nodes", machine.name(), picture.size())
    };
    let run = |&(machine, picture, nodes): &Item| {
        let plan = |writes| Plan { writes, ..Plan::default() };
        let timed = run(machine, picture, nodes, costs, plan(Writes::Word))?;
        let by_rows = run(machine, picture, nodes, costs, plan(Writes::Row))?;
        done();
        Ok(Times { spans: [&timed, &by_rows].map(written), timed, by_rows })
    };
    let row = |((machine, picture, nodes), times): (Item, Times)| {
        let (size, iterations) = (picture.size(), picture.iterations());
        let [first, second] = times.spans.map(read);
        let timed = Timed { spans: first, ..times.timed };
        let by_rows = Timed { spans: second, ..times.by_rows };
        Row { machine, size, nodes, iterations, timed, by_rows }
    };
    let times = work.map(&items, what, run)?;
    Ok(times.map(|times| items.into_iter().zip(times).map(row).collect()))
}

/// All rows; times in ns.
#[must_use]
pub fn all(rows: &[Row]) -> Sheet {
    Table::new()
        .text("machine", |r: &Row| r.machine.name())
        .number("size", |r| r.size)
        .number("nodes", |r| r.nodes)
        .number("iterations", |r| r.iterations)
        .number("total", |r| r.timed.total)
        .number("init", |r| r.timed.init)
        .number("parallel", |r| r.timed.parallel)
        .number("sequential", |r| r.timed.sequential)
        .number("total_by_rows", |r| r.by_rows.total)
        .number("parallel_by_rows", |r| r.by_rows.parallel)
        .sheet("mandelbrot.csv", rows)
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn seconds(ns: u64) -> f64 {
    ns as f64 / NS
}

/// The row of one node on the same machine for the same size.
fn one<'a>(rows: &'a [Row], row: &Row) -> Option<&'a Row> {
    rows.iter().find(|r| r.nodes == 1 && (r.machine, r.size) == (row.machine, row.size))
}

/// Tables, one for each machine: seconds, and the share of one node's parallel time.
fn tables(rows: &[Row]) -> Vec<Sheet> {
    let time = |of: fn(&Row) -> u64| move |r: &&Row| format!("{:.3}", seconds(of(r)));
    // Of one node's time: its part, and how often it goes into it.
    let share = |r: &Row| {
        one(rows, r).map_or(1.0, |one| seconds(r.timed.parallel.0) / seconds(one.timed.parallel.0))
    };
    let gain = |r: &Row| {
        one(rows, r).map_or(1.0, |one| seconds(one.timed.total.0) / seconds(r.timed.total.0))
    };
    let table = Table::new()
        .number("size", |r: &&Row| r.size)
        .number("nodes", |r| r.nodes)
        .number("all", time(|r| r.timed.total.0))
        .number("initialise", time(|r| r.timed.init.0))
        .number("parallel", time(|r| r.timed.parallel.0))
        .number("read and send", time(|r| r.timed.sequential.0))
        .number("parallel, of one node's", |r| format!("{:.3}", share(r)))
        .number("speed-up of all", |r| format!("{:.2}", gain(r)))
        .number("all, written by rows", time(|r| r.by_rows.total.0));
    let of = |machine: Machine| {
        let rows: Vec<&Row> = rows.iter().filter(|r| r.machine == machine).collect();
        table.sheet(format!("{} ({}), seconds", machine.title(), machine.name()), &rows)
    };
    Machine::ALL.map(of).into()
}

/// Of a second.
const NS: f64 = 1e9;

fn drawn(rows: &Sheet) -> Result<Vec<File>, String> {
    let mut plots = Vec::new();
    for machine in Machine::ALL {
        let lines = by_nodes(rows, machine);
        let title = format!("Mandelbrot program, execution time: {}", machine.title());
        let axes = Axes { title: &title, x: "data size x = y", y: "seconds" };
        plots.push(File::plot(&format!("mandelbrot-{}", machine.name()), axes, &lines)?);
    }
    let largest = rows.cells().filter_map(|row| row.number("size")).fold(0.0, f64::max);
    let speed_up = |machine: Machine| {
        let of = |row: &Cells<'_>| {
            (row.text("machine"), row.number("size")) == (Some(machine.name()), Some(largest))
        };
        let own = || rows.cells().filter(of);
        let one = own().find(|row| row.text("nodes") == Some("1"));
        let one = one.and_then(|row| row.number("parallel"));
        let points =
            own().filter_map(|row| Some((row.number("nodes")?, one? / row.number("parallel")?)));
        Line { name: machine.title().into(), points: points.collect(), bound: false }
    };
    let mut lines: Vec<Line> = Machine::ALL.into_iter().map(speed_up).collect();
    #[expect(clippy::cast_precision_loss, reason = "a plot")]
    let ideal = NODES.iter().map(|&n| (n as f64, n as f64)).collect();
    lines.push(Line { name: "N times".into(), points: ideal, bound: true });
    let title =
        format!("Mandelbrot program: speed-up of the parallel executions, {largest} x {largest}");
    let axes = Axes { title: &title, x: "nodes", y: "times one node" };
    plots.push(File::plot("mandelbrot-speed-up", axes, &lines)?);
    Ok(plots)
}

/// The study.
pub const SUBJECT: Subject = Subject {
    title: "The thesis' evaluation: a picture of the Mandelbrot set",
    units: "Times are simulated. Those of the tables are in seconds, those of mandelbrot.csv in ns. The files cpu have the use of each CPU in percent, second by second.",
    columns: || all(&[]),
    plots: drawn,
};

/// Makes tables and plots.
///
/// # Errors
/// The message of the plotting library.
pub fn results(rows: &[Row], costs: &Costs) -> Result<Results, String> {
    let mut results = SUBJECT.results(all(rows), |_| tables(rows))?;
    for row in rows.iter().filter(|r| r.nodes == USAGE_NODES) {
        let samples = usage::samples(&row.timed, costs.master_percent);
        let name = format!("cpu-{}-{}", row.machine.name(), row.size);
        results.rows.push(usage::sheet(&format!("{name}.csv"), &samples));
        if matches!(row.machine, Machine::Observed | Machine::Port) {
            let title = format!("CPU use, {0} x {0}: {1}", row.size, row.machine.title());
            let text = usage::svg(&title, &samples)?;
            results.plots.push(File { name: format!("{name}.svg"), text });
        }
    }
    Ok(results)
}

/// Nodes that have a line in the plots of times.
const LINES: [u32; 6] = [1, 2, 3, 4, 8, 32];

fn by_nodes(rows: &Sheet, machine: Machine) -> Vec<Line> {
    let line = |n: u32| {
        let point = |row: Cells<'_>| {
            let of = (row.text("machine")?, row.number("nodes")?);
            let point = (row.number("size")?, row.number("total")? / NS);
            (of == (machine.name(), f64::from(n))).then_some(point)
        };
        let points = rows.cells().filter_map(point).collect();
        let name = format!("{n} process{}", if n == 1 { "" } else { "es" });
        Line { name, points, bound: false }
    };
    LINES.map(line).into_iter().filter(|line| !line.points.is_empty()).collect()
}
