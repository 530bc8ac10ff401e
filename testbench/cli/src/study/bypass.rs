// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time for the ring to bypass a failed board (AWG-5, AWG-7), on the cycle-accurate ring
//! of boards while all hosts write.

use crate::study::MHZ;
use crate::study::Tick;
use crate::study::report::by_sweep;
use crate::study::results::{File, Results, Subject};
use crate::study::star::star;
use crate::work::{Work, WorkError};
use awgstar::quantity::Cycle;
use awgstar::ring::star::{
    Times,
    recovery::{Case, Recovered, RecoveryError, run},
};
use awgstar_draw::plot::{Axes, Line};
use awgstar_draw::table::{Cells, Sheet, Table};
use serde::{Deserialize, Serialize};

/// Cycles of a microsecond's detection and ten microseconds' orders.
const TIMES: Times = Times { detect: 68, command: 673, tune: 6_725 };
/// Cycles of 1 µs to 10 ms.
const TUNE: [u32; 5] = [68, 673, 6_725, 67_250, 672_500];
/// Cycles of each of the two fibres of a hop: 10 m, 100 m and 1 km for both together.
const FIBRE: [u32; 3] = [2, 17, 168];
/// Boards while something else is varied.
pub const MIDDLE: usize = 16;
/// Moments of each point: the middle of their figures is the row.
const MOMENTS: u64 = 5;

/// Settings of a measurement: boards, fibre, tuning time, and whether the dead board is the
/// monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    pub boards: usize,
    /// Cycles of a hop's fibre.
    pub fibre: u32,
    /// Cycles a laser takes.
    pub tune: u32,
    /// The dead board is the monitor.
    pub monitor: bool,
}

/// Cycles from the death of the board to each moment: the middle one of several runs. And what
/// happened in all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// A receiver says that it has no light.
    pub dark: Cycle,
    /// Light everywhere.
    pub light: Cycle,
    pub monitor: Cycle,
    /// The tokens are all there.
    pub tokens: Cycle,
    /// The first write acknowledged.
    pub first_write: Cycle,
    /// All that waited acknowledged.
    pub all_writes: Cycle,
    /// The dead board's area is the same everywhere.
    pub reconciled: Cycle,
    /// Words accepted.
    pub accepted: u64,
    /// Words refused, because no frame returned.
    pub refused: u64,
    /// Words of the dead board without a confirmation, in all runs.
    pub unconfirmed: u64,
    /// Of them, those that all living boards have.
    pub survived: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The parameter that this part of the table varies.
    pub sweep: &'static str,
    /// Settings of the measurement.
    pub point: Point,
    /// Results of the measurement.
    pub figures: Figures,
}

/// The points: `boards`, then fibre, then tuning time on [`MIDDLE`] boards.
#[must_use]
pub fn points(boards: &[usize]) -> Vec<(&'static str, Point)> {
    let point = Point { boards: MIDDLE, fibre: 2 * FIBRE[0], tune: TIMES.tune, monitor: false };
    let mut all = Vec::new();
    for monitor in [false, true] {
        let point = Point { monitor, ..point };
        all.extend(boards.iter().map(|&boards| ("boards", Point { boards, ..point })));
        all.extend(FIBRE.map(|f| ("fibre", Point { fibre: 2 * f, ..point })));
        all.extend(TUNE.map(|tune| ("tuning", Point { tune, ..point })));
    }
    all
}

/// Measures a point.
///
/// # Errors
/// If something does not hold, or does not happen: there is no figure then.
pub fn row(sweep: &'static str, point: Point) -> Result<Row, RecoveryError> {
    let (boards, fibre) = (point.boards, point.fibre / 2);
    let run = |moment: u64| {
        run(&Case {
            fibre,
            tokens: Case::tokens(boards, fibre),
            times: Times { tune: point.tune, ..TIMES },
            // The lowest board is the monitor.
            board: if point.monitor { 0 } else { boards / 2 },
            at: Cycle(3_000 + 977 * moment),
            seed: moment,
            ..Case::new(boards, 0)
        })
    };
    let runs: Vec<Recovered> = (1..=MOMENTS).map(run).collect::<Result<_, _>>()?;
    let middle = |of: fn(&Recovered) -> Cycle| {
        let mut all: Vec<Cycle> = runs.iter().map(of).collect();
        all.sort_unstable();
        all[all.len() / 2]
    };
    let sum = |of: fn(&Recovered) -> u64| runs.iter().map(of).sum();
    let figures = Figures {
        dark: middle(|r| r.dark),
        light: middle(|r| r.light),
        monitor: middle(|r| r.monitor),
        tokens: middle(|r| r.tokens),
        first_write: middle(|r| r.first_write),
        all_writes: middle(|r| r.all_writes),
        reconciled: middle(|r| r.reconciled),
        accepted: sum(|r| r.accepted),
        refused: sum(|r| r.refused),
        unconfirmed: sum(|r| r.unconfirmed),
        survived: sum(|r| r.survived),
    };
    Ok(Row { sweep, point, figures })
}

/// All rows, in the order of [`points`]; `None` of a part.
///
/// # Errors
/// The first point without a figure; parts that do not fit.
pub fn rows(
    boards: &[usize],
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<Row>>, WorkError<RecoveryError>> {
    let points = points(boards);
    let what = |(sweep, point): &(&str, Point)| format!("{sweep}: {point:?}");
    let run = |&(sweep, point): &(&'static str, Point)| {
        row(sweep, point).map(|row| row.figures).inspect(|_| done())
    };
    let figures = work.map(&points, what, run)?;
    let row = |((sweep, point), figures)| Row { sweep, point, figures };
    Ok(figures.map(|figures| points.into_iter().zip(figures).map(row).collect()))
}

/// All rows, moments in cycles.
#[must_use]
pub fn all(rows: &[Row]) -> Sheet {
    Table::new()
        .text("sweep", |r: &Row| r.sweep)
        .number("boards", |r| r.point.boards)
        .number("fibre", |r| r.point.fibre)
        .unit("cycles")
        .number("tune", |r| r.point.tune)
        .unit("cycles")
        .text("monitor_dead", |r| r.point.monitor)
        .number("dark", |r| r.figures.dark)
        .number("light", |r| r.figures.light)
        .number("monitor", |r| r.figures.monitor)
        .number("tokens", |r| r.figures.tokens)
        .number("first_write", |r| r.figures.first_write)
        .number("all_writes", |r| r.figures.all_writes)
        .number("reconciled", |r| r.figures.reconciled)
        .number("accepted", |r| r.figures.accepted)
        .number("refused", |r| r.figures.refused)
        .number("unconfirmed", |r| r.figures.unconfirmed)
        .number("survived", |r| r.figures.survived)
        .sheet("bypass.csv", rows)
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn us(cycles: Cycle) -> f64 {
    cycles.0 as f64 / MHZ
}

/// Tables, one for each sweep, in microseconds.
fn tables(rows: &[Row]) -> Vec<Sheet> {
    let time = |of: fn(&Figures) -> Cycle| move |r: &Row| format!("{:.1}", us(of(&r.figures)));
    let table = Table::new()
        .text("", |r: &Row| match r.sweep {
            "boards" => format!("N = {}", r.point.boards),
            "fibre" => format!("{} cycles of fibre a hop", r.point.fibre),
            _ => format!("tuning {:.0} µs", us(r.point.tune.into())),
        })
        .text("dead", |r| if r.point.monitor { "the monitor" } else { "another" })
        .number("seen", time(|f| f.dark))
        .number("light", time(|f| f.light))
        .number("one monitor", time(|f| f.monitor))
        .number("tokens", time(|f| f.tokens))
        .number("first write", time(|f| f.first_write))
        .number("all writes", time(|f| f.all_writes))
        .number("area the same", time(|f| f.reconciled))
        .number("refused words", |r| r.figures.refused);
    by_sweep(rows, |r| r.sweep, &table)
}

fn drawn(rows: &Sheet) -> Result<Vec<File>, String> {
    let lines = |sweep, x: (&str, f64)| {
        let line = |(name, monitor, y): (&str, &str, &str)| {
            let point = |row: Cells<'_>| {
                let of = (row.text("sweep"), row.text("monitor_dead"));
                let point = (row.number(x.0)? / x.1, row.number(y)? / MHZ);
                (of == (Some(sweep), Some(monitor))).then_some(point)
            };
            Line {
                name: name.into(),
                points: rows.cells().filter_map(point).collect(),
                bound: false,
            }
        };
        [
            ("light is back", "false", "light"),
            ("first acknowledged write", "false", "first_write"),
            ("all that waited acknowledged", "false", "all_writes"),
            ("the dead board's area is the same", "false", "reconciled"),
            ("first write, the monitor died", "true", "first_write"),
        ]
        .map(line)
    };
    let boards = lines("boards", ("boards", 1.0));
    let tuning = lines("tuning", ("tune_cycles", MHZ));
    let fibre = lines("fibre", ("fibre_cycles", 1.0));
    let y = "microseconds after the death";
    let file = |name, title, x, lines: &[Line]| {
        File::plot(&format!("bypass-{name}"), Axes { title, x, y }, lines)
    };
    Ok(vec![
        File { name: "bypass-star.svg".into(), text: star(6, 3) },
        file(
            "boards",
            "Star of boards, one dies: until light, tokens and writes are back",
            "boards",
            &boards,
        )?,
        file(
            "tuning",
            "Star of 16 boards, one dies: by the time to tune a laser",
            "microseconds a laser is tuned",
            &tuning,
        )?,
        file(
            "fibre",
            "Star of 16 boards, one dies: by the length of the fibre",
            "cycles of fibre a hop, of 14.87 ns",
            &fibre,
        )?,
    ])
}

/// The study.
pub const SUBJECT: Subject = Subject {
    title: "A failed board on the star: time until light, tokens and writes return",
    units: "Times are simulated and begin when the board fails. Those of the tables are in microseconds, those of bypass.csv in cycles of 67.25 MHz.",
    columns: || all(&[]),
    plots: drawn,
};

/// The results of the study.
///
/// # Errors
/// The message of the plotting library.
pub fn results(rows: &[Row]) -> Result<Results, String> {
    SUBJECT.results(all(rows), |_| tables(rows))
}
