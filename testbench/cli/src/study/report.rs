// SPDX-License-Identifier: MIT OR Apache-2.0
//! The studies of locks and of barriers: their tables and plots.

use crate::study::results::{File, Results, Subject, lines};
use crate::study::sweep::{BarrierRow, LockRow};
use crate::study::{MHZ, Ring, Stats, bounds};
use awgstar_draw::plot::{Axes, Line};
use awgstar_draw::table::{Cells, Sheet, Table};

/// Mean, two quantiles and maximum of what a row measured.
fn with_stats<R: 'static>(
    table: Table<'static, R>,
    name: &str,
    of: for<'r> fn(&'r R) -> &'r Stats,
) -> Table<'static, R> {
    table
        .number(format!("{name}_mean"), move |r| format!("{:.2}", of(r).mean))
        .number(format!("{name}_p90"), move |r| of(r).p90)
        .number(format!("{name}_p99"), move |r| of(r).p99)
        .number(format!("{name}_max"), move |r| of(r).max)
}

/// The ring on which a row was measured.
fn with_ring<R: 'static>(
    table: Table<'static, R>,
    of: for<'r> fn(&'r R) -> &'r Ring,
) -> Table<'static, R> {
    table
        .number("nodes", move |r| of(r).nodes)
        .number("fibre", move |r| of(r).fibre)
        .unit("cycles")
        .number("noise_of_2_32", move |r| of(r).noise)
        .text("order", move |r| of(r).order.name())
        .number("seed", move |r| of(r).seed)
        .number("tokens", move |r| of(r).tokens)
}

/// All rows of locks, in cycles.
#[must_use]
pub fn lock_rows(rows: &[LockRow]) -> Sheet {
    let mut table =
        Table::new().text("sweep", |r: &LockRow| r.sweep).text("protocol", |r| r.protocol);
    table = with_ring(table, |r| &r.point.ring)
        .number("callers", |r| r.point.callers)
        .number("inside", |r| r.point.inside)
        .unit("cycles")
        .number("writes", |r| r.point.writes)
        .number("acquisitions", |r| r.point.acquisitions)
        .number("bound", |r| r.bound)
        .unit("cycles");
    table = with_stats(table, "acquire", |r| &r.figures.acquire);
    table = with_stats(table, "hand_over", |r| &r.figures.hand_over);
    with_stats(table, "unlock", |r| &r.figures.unlock)
        .number("hops", |r| format!("{:.2}", r.figures.hops))
        .number("frames", |r| format!("{:.2}", r.figures.frames))
        .number("resent", |r| r.figures.resent)
        .number("lost", |r| r.figures.lost)
        .number("unread", |r| r.figures.unread)
        .sheet("lock.csv", rows)
}

/// All rows of barriers, in cycles.
#[must_use]
pub fn barrier_rows(rows: &[BarrierRow]) -> Sheet {
    let mut table =
        Table::new().text("sweep", |r: &BarrierRow| r.sweep).text("protocol", |r| r.protocol);
    table = with_ring(table, |r| &r.point.ring)
        .number("spread", |r| r.point.spread)
        .unit("rotations")
        .text("idle", |r| r.point.idle)
        .number("writes", |r| r.point.writes)
        .number("episodes", |r| r.point.episodes)
        .number("bound", |r| r.bound)
        .unit("cycles");
    table = with_stats(table, "all", |r| &r.figures.all);
    with_stats(table, "each", |r| &r.figures.each)
        .number("frames", |r| format!("{:.2}", r.figures.frames))
        .number("resent", |r| r.figures.resent)
        .number("unread", |r| r.figures.unread)
        .number("quiet_min", |r| r.figures.quiet)
        .sheet("barrier.csv", rows)
}

/// Cycles, microseconds and rotations.
fn thrice(cycles: f64, ring: &Ring) -> String {
    format!("{cycles:.0} ({:.2} µs, {:.2} rot)", cycles / MHZ, cycles / bounds::rotation(ring))
}

/// Units of the tables.
const UNITS: &str = "Times are simulated. Without a unit they are cycles of 67.25 MHz; rot is a rotation of the ring. A title names what is varied.";

fn what(sweep: &str, ring: &Ring) -> String {
    match sweep {
        "nodes" | "bound" => format!("N = {}", ring.nodes),
        "loss" if ring.noise == 0 => "no bit errors".to_owned(),
        "loss" => format!("{:.0e} of all bits wrong", f64::from(ring.noise) / 4_294_967_296.0),
        "fibre" => format!("{} cycles of fibre", ring.fibre),
        "order" => ring.order.name().to_owned(),
        "tokens" => format!("{} tokens", ring.tokens),
        _ => String::new(),
    }
}

/// The parameter that the sweep of a row of locks varies.
fn lock_point(r: &LockRow) -> String {
    match r.sweep {
        "inside" => format!("{} cycles inside", r.point.inside),
        "callers" => format!("{} callers", r.point.callers),
        sweep => what(sweep, &r.point.ring),
    }
}

/// Share beyond the propagation of the frames: the frames themselves, hosts, data that is confirmed
/// first.
fn beside(r: &LockRow) -> f64 {
    let f = &r.figures;
    if f.hand_over.count == 0 {
        f.acquire.mean - r.bound
    } else {
        f.hand_over.mean - f.hops * bounds::hop(&r.point.ring)
    }
}

/// A table for each sweep, in the order of the first rows.
pub(super) fn by_sweep<R: Clone>(
    rows: &[R],
    of: impl Fn(&R) -> &'static str,
    table: &Table<'_, R>,
) -> Vec<Sheet> {
    let mut sweeps: Vec<(&str, Vec<R>)> = Vec::new();
    for row in rows {
        match sweeps.iter_mut().find(|(sweep, _)| *sweep == of(row)) {
            Some((_, rows)) => rows.push(row.clone()),
            None => sweeps.push((of(row), vec![row.clone()])),
        }
    }
    sweeps.into_iter().map(|(sweep, rows)| table.sheet(sweep, &rows)).collect()
}

/// Tables of some rows, one for each sweep.
fn lock_tables(rows: &[LockRow]) -> Vec<Sheet> {
    let hand_over = |r: &LockRow, shown: String| {
        if r.figures.hand_over.count == 0 { "–".to_owned() } else { shown }
    };
    let table = Table::new()
        .text("", lock_point)
        .number("callers", |r| r.point.callers)
        .text("protocol", |r| r.protocol)
        .number("acquire, mean", |r| thrice(r.figures.acquire.mean, &r.point.ring))
        .number("p99", |r| r.figures.acquire.p99)
        .number("hand-over, mean", |r| {
            hand_over(r, thrice(r.figures.hand_over.mean, &r.point.ring))
        })
        .number("p99", |r| hand_over(r, r.figures.hand_over.p99.to_string()))
        .number("beside the way", |r| format!("{:.0}", beside(r)))
        .number("hops", |r| format!("{:.1}", r.figures.hops))
        .number("frames", |r| format!("{:.2}", r.figures.frames))
        .number("lost", |r| r.figures.lost);
    by_sweep(rows, |r| r.sweep, &table)
}

/// Tables of some rows, one for each sweep.
fn barrier_tables(rows: &[BarrierRow]) -> Vec<Sheet> {
    let table = Table::new()
        .text("", |r: &BarrierRow| match r.sweep {
            "spread" => format!("arrivals over {} rotations", r.point.spread),
            sweep => what(sweep, &r.point.ring),
        })
        .text("protocol", |r| r.protocol)
        .number("last arrival → all released, mean", |r| {
            thrice(r.figures.all.mean, &r.point.ring)
        })
        .number("p99", |r| r.figures.all.p99)
        .number("→ each, mean", |r| format!("{:.0}", r.figures.each.mean))
        .number("frames", |r| format!("{:.1}", r.figures.frames))
        .number("unread", |r| r.figures.unread);
    by_sweep(rows, |r| r.sweep, &table)
}

/// A line for each protocol, and the bound of the way.
fn with_bound<'a>(rows: &'a Sheet, keep: impl Fn(Cells<'a>) -> bool, y: &'static str) -> Vec<Line> {
    let point = |row: Cells<'a>, y| Some((row.number("nodes")?, row.number(y)? / MHZ));
    let mut all = lines(rows, |row| {
        let (x, y) = point(row, y).filter(|_| keep(row))?;
        Some((row.text("protocol")?, x, y))
    });
    let kept = rows.cells().filter(|row| keep(*row));
    let mut points: Vec<_> = kept.filter_map(|row| point(row, "bound_cycles")).collect();
    points.dedup();
    all.push(Line { name: "bound of the way".into(), points, bound: true });
    all
}

/// True for the rows of a sweep.
fn of_sweep(row: Cells<'_>, sweep: &str) -> bool {
    row.text("sweep") == Some(sweep)
}

/// A line for each protocol, of one sweep: `y` over `x`, both in a unit of this many.
fn of_protocols(
    rows: &Sheet,
    keep: impl Fn(Cells<'_>) -> bool,
    x: (&str, f64),
    y: (&str, f64),
) -> Vec<Line> {
    lines(rows, |row| {
        let point = (row.text("protocol")?, row.number(x.0)? / x.1, row.number(y.0)? / y.1);
        keep(row).then_some(point)
    })
}

/// Bits inverted, as a part of all.
const RATE: (&str, f64) = ("noise_of_2_32", 4_294_967_296.0);
const NODES: (&str, f64) = ("nodes", 1.0);

fn lock_plots(rows: &Sheet) -> Result<Vec<File>, String> {
    let (x, y) = ("nodes", "microseconds, mean");
    let nodes = |row: Cells<'_>, all: bool| {
        of_sweep(row, "nodes") && row.number("callers").is_some_and(|n| (n > 1.0) == all)
    };
    let (free, full) = (|row: Cells<'_>| nodes(row, false), |row: Cells<'_>| nodes(row, true));
    let acquire = with_bound(rows, free, "acquire_mean");
    let hand_over = with_bound(rows, full, "hand_over_mean");
    let loss = |row: Cells<'_>| of_sweep(row, "loss");
    let loss = of_protocols(rows, loss, RATE, ("hand_over_p99", MHZ));
    let frames = of_protocols(rows, full, NODES, ("frames", 1.0));
    let inside = |row: Cells<'_>| of_sweep(row, "inside");
    let inside = of_protocols(rows, inside, ("inside_cycles", 1.0), ("acquire_mean", MHZ));
    let axes = |title, x, y| Axes { title, x, y };
    Ok(vec![
        File::plot(
            "lock-acquire",
            axes("Ring of boards, a free lock: from asking to having it", x, y),
            &acquire,
        )?,
        File::plot(
            "lock-hand-over",
            axes("Ring of boards, all nodes want the lock: from unlock to the next holder", x, y),
            &hand_over,
        )?,
        File::plot(
            "lock-frames",
            axes(
                "Ring of boards, all nodes want the lock: signals for each acquisition",
                x,
                "signals",
            ),
            &frames,
        )?,
        File::plot(
            "lock-loss",
            axes(
                "Ring of 16 boards with bit errors: hand-over of the lock, 99 of 100",
                "bit error rate",
                "microseconds",
            ),
            &loss,
        )?,
        File::plot(
            "lock-inside",
            axes(
                "Ring of 16 boards: waiting for the lock, by length of the critical section",
                "cycles inside",
                y,
            ),
            &inside,
        )?,
    ])
}

/// The study of locks.
pub const LOCKS: Subject = Subject {
    title: "Study of locks",
    units: UNITS,
    columns: || lock_rows(&[]),
    plots: lock_plots,
};

/// The results of the study of locks.
///
/// # Errors
/// The message of the plotting library.
pub fn locks(rows: &[LockRow]) -> Result<Results, String> {
    LOCKS.results(lock_rows(rows), |_| lock_tables(rows))
}

fn barrier_plots(rows: &Sheet) -> Result<Vec<File>, String> {
    let nodes = |row: Cells<'_>| of_sweep(row, "nodes");
    let any = with_bound(rows, nodes, "all_mean");
    let idle = with_bound(rows, |row| of_sweep(row, "bound"), "all_mean");
    let frames = of_protocols(rows, nodes, NODES, ("frames", 1.0));
    let loss = of_protocols(rows, |row| of_sweep(row, "loss"), RATE, ("all_p99", MHZ));
    let axes = |title, x, y| Axes { title, x, y };
    let y = "microseconds, mean";
    Ok(vec![
        File::plot(
            "barrier-release",
            axes(
                "Ring of boards: from the last arrival at a barrier to the last release, with data",
                "nodes",
                y,
            ),
            &any,
        )?,
        File::plot(
            "barrier-idle",
            axes(
                "Idle ring of boards: from one late arrival at a barrier to the last release, no data",
                "nodes",
                y,
            ),
            &idle,
        )?,
        File::plot(
            "barrier-frames",
            axes("Ring of boards: signals for each episode of a barrier", "nodes", "signals"),
            &frames,
        )?,
        File::plot(
            "barrier-loss",
            axes(
                "Ring of 16 boards with bit errors: release of a barrier, 99 of 100",
                "bit error rate",
                "microseconds",
            ),
            &loss,
        )?,
    ])
}

/// The study of barriers.
pub const BARRIERS: Subject = Subject {
    title: "Study of barriers",
    units: UNITS,
    columns: || barrier_rows(&[]),
    plots: barrier_plots,
};

/// The results of the study of barriers.
///
/// # Errors
/// The message of the plotting library.
pub fn barriers(rows: &[BarrierRow]) -> Result<Results, String> {
    BARRIERS.results(barrier_rows(rows), |_| barrier_tables(rows))
}
