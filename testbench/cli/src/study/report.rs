//! The rows as CSV, tables and plots.

use crate::study::plot::{Axes, Line, plot};
use crate::study::sweep::{BarrierRow, LockRow};
use crate::study::{MHZ, Ring, Stats, bounds};
use std::fmt::Write;

/// A file of the study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

fn stats_names(name: &str) -> String {
    ["mean", "p90", "p99", "max"].map(|part| format!("{name}_{part}")).join(",")
}

fn stats(s: &Stats) -> String {
    format!("{:.2},{},{},{}", s.mean, s.p90, s.p99, s.max)
}

fn ring(r: &Ring) -> String {
    format!("{},{},{},{},{},{}", r.nodes, r.fibre, r.noise, r.order.name(), r.seed, r.tokens)
}

const RING: &str = "nodes,fibre_cycles,noise_of_2_32,order,seed,tokens";

/// All rows of locks, in cycles.
#[must_use]
pub fn lock_csv(rows: &[LockRow]) -> String {
    let [acquire, hand_over, unlock] = ["acquire", "hand_over", "unlock"].map(stats_names);
    let mut text = format!(
        "sweep,protocol,{RING},callers,inside_cycles,writes,acquisitions,bound_cycles,{acquire},{hand_over},{unlock},hops,frames,resent,lost,unread\n"
    );
    for r in rows {
        let (p, f) = (&r.point, &r.figures);
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{:.2},{:.2},{},{},{}",
            r.sweep,
            r.protocol,
            ring(&p.ring),
            p.callers,
            p.inside,
            p.writes,
            p.acquisitions,
            r.bound,
            stats(&f.acquire),
            stats(&f.hand_over),
            stats(&f.unlock),
            f.hops,
            f.frames,
            f.resent,
            f.lost,
            f.unread
        );
    }
    text
}

/// All rows of barriers, in cycles.
#[must_use]
pub fn barrier_csv(rows: &[BarrierRow]) -> String {
    let [all, each] = ["all", "each"].map(stats_names);
    let mut text = format!(
        "sweep,protocol,{RING},spread_rotations,idle,writes,episodes,bound_cycles,{all},{each},frames,resent,unread,quiet_min\n"
    );
    for r in rows {
        let (p, f) = (&r.point, &r.figures);
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{:.2},{},{},{}",
            r.sweep,
            r.protocol,
            ring(&p.ring),
            p.spread,
            p.idle,
            p.writes,
            p.episodes,
            r.bound,
            stats(&f.all),
            stats(&f.each),
            f.frames,
            f.resent,
            f.unread,
            f.quiet
        );
    }
    text
}

/// Cycles, microseconds and rotations.
fn thrice(cycles: f64, ring: &Ring) -> String {
    format!("{cycles:.0} ({:.2} µs, {:.2} rot)", cycles / MHZ, cycles / bounds::rotation(ring))
}

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

/// Tables in Markdown, one for each sweep.
#[must_use]
pub fn lock_tables(rows: &[LockRow]) -> String {
    let mut text = String::new();
    let mut sweep = "";
    for r in rows {
        let (p, f) = (&r.point, &r.figures);
        if r.sweep != sweep {
            sweep = r.sweep;
            let _ = writeln!(
                text,
                "\n**{sweep}**\n\n| | callers | protocol | acquire, mean | p99 | hand-over, mean | p99 | beside the way | hops | frames | lost |\n\
                 |---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|"
            );
        }
        let point = match sweep {
            "inside" => format!("{} cycles inside", p.inside),
            "callers" => format!("{} callers", p.callers),
            _ => what(sweep, &p.ring),
        };
        // What is not the way of the frames: frames themselves, hosts, data that is confirmed first.
        let beside = if f.hand_over.count == 0 {
            f.acquire.mean - r.bound
        } else {
            f.hand_over.mean - f.hops * bounds::hop(&p.ring)
        };
        let hand_over = if f.hand_over.count == 0 {
            "– | –".to_owned()
        } else {
            format!("{} | {}", thrice(f.hand_over.mean, &p.ring), f.hand_over.p99)
        };
        let _ = writeln!(
            text,
            "| {point} | {} | {} | {} | {} | {hand_over} | {beside:.0} | {:.1} | {:.2} | {} |",
            p.callers,
            r.protocol,
            thrice(f.acquire.mean, &p.ring),
            f.acquire.p99,
            f.hops,
            f.frames,
            f.lost
        );
    }
    text
}

/// Tables in Markdown, one for each sweep.
#[must_use]
pub fn barrier_tables(rows: &[BarrierRow]) -> String {
    let mut text = String::new();
    let mut sweep = "";
    for r in rows {
        let (p, f) = (&r.point, &r.figures);
        if r.sweep != sweep {
            sweep = r.sweep;
            let _ = writeln!(
                text,
                "\n**{sweep}**\n\n| | protocol | last arrival → all released, mean | p99 | → each, mean | frames | unread |\n\
                 |---|---|---:|---:|---:|---:|---:|"
            );
        }
        let point = if sweep == "spread" {
            format!("arrivals over {} rotations", p.spread)
        } else {
            what(sweep, &p.ring)
        };
        let _ = writeln!(
            text,
            "| {point} | {} | {} | {} | {:.0} | {:.1} | {} |",
            r.protocol,
            thrice(f.all.mean, &p.ring),
            f.all.p99,
            f.each.mean,
            f.frames,
            f.unread
        );
    }
    text
}

/// A plot of some rows: a line for each protocol.
fn lines<R>(
    rows: &[R],
    keep: impl Fn(&R) -> bool,
    point: impl Fn(&R) -> (&'static str, f64, f64),
) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::new();
    for row in rows.iter().filter(|row| keep(row)) {
        let (name, x, y) = point(row);
        match all.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push((x, y)),
            None => all.push(Line { name: name.into(), points: vec![(x, y)], bound: false }),
        }
    }
    all
}

fn with_bound<R>(
    mut all: Vec<Line>,
    rows: &[R],
    keep: impl Fn(&R) -> bool,
    point: impl Fn(&R) -> (f64, f64),
) -> Vec<Line> {
    let mut points: Vec<(f64, f64)> = rows.iter().filter(|row| keep(row)).map(point).collect();
    points.dedup();
    all.push(Line { name: "bound of the way".into(), points, bound: true });
    all
}

#[expect(clippy::cast_precision_loss, reason = "a plot")]
const fn f(x: u64) -> f64 {
    x as f64
}

/// Table and plots of the study of locks.
///
/// # Errors
/// What the plotting library says.
pub fn lock_files(rows: &[LockRow]) -> Result<Vec<File>, String> {
    let nodes = |r: &LockRow| f(r.point.ring.nodes as u64);
    let us = |cycles: f64| cycles / MHZ;
    let (x, y) = ("nodes", "microseconds, mean");
    let free = |r: &LockRow| r.sweep == "nodes" && r.point.callers == 1;
    let full = |r: &LockRow| r.sweep == "nodes" && r.point.callers > 1;
    let only = |sweep: &'static str| move |r: &LockRow| r.sweep == sweep;
    let acquire = with_bound(
        lines(rows, free, |r| (r.protocol, nodes(r), us(r.figures.acquire.mean))),
        rows,
        free,
        |r| (nodes(r), us(r.bound)),
    );
    let hand_over = with_bound(
        lines(rows, full, |r| (r.protocol, nodes(r), us(r.figures.hand_over.mean))),
        rows,
        full,
        |r| (nodes(r), us(r.bound)),
    );
    let rate = |noise: u32| f64::from(noise) / 4_294_967_296.0;
    let loss = lines(rows, only("loss"), |r| {
        (r.protocol, rate(r.point.ring.noise), us(f(r.figures.hand_over.p99)))
    });
    let frames = lines(rows, full, |r| (r.protocol, nodes(r), r.figures.frames));
    let inside = lines(rows, only("inside"), |r| {
        (r.protocol, f(r.point.inside), us(r.figures.acquire.mean))
    });
    let axes = |title, x, y| Axes { title, x, y };
    Ok(vec![
        File { name: "lock.csv".into(), text: lock_csv(rows) },
        file("lock-acquire", axes("A free lock: from asking to having it", x, y), &acquire)?,
        file(
            "lock-hand-over",
            axes("All nodes want it: from unlock to the next holder", x, y),
            &hand_over,
        )?,
        file(
            "lock-frames",
            axes("Signals for each acquisition, all nodes want it", x, "signals"),
            &frames,
        )?,
        file(
            "lock-loss",
            axes(
                "Hand-over on 16 nodes with bit errors, 99 of 100",
                "bit error rate",
                "microseconds",
            ),
            &loss,
        )?,
        file(
            "lock-inside",
            axes("Waiting on 16 nodes, by length of the critical section", "cycles inside", y),
            &inside,
        )?,
    ])
}

/// Table and plots of the study of barriers.
///
/// # Errors
/// What the plotting library says.
pub fn barrier_files(rows: &[BarrierRow]) -> Result<Vec<File>, String> {
    let nodes = |r: &BarrierRow| f(r.point.ring.nodes as u64);
    let us = |cycles: f64| cycles / MHZ;
    let only = |sweep: &'static str| move |r: &BarrierRow| r.sweep == sweep;
    let mean = |r: &BarrierRow| (r.protocol, nodes(r), us(r.figures.all.mean));
    let bound = |r: &BarrierRow| (nodes(r), us(r.bound));
    let any = with_bound(lines(rows, only("nodes"), mean), rows, only("nodes"), bound);
    let idle = with_bound(lines(rows, only("bound"), mean), rows, only("bound"), bound);
    let frames = lines(rows, only("nodes"), |r| (r.protocol, nodes(r), r.figures.frames));
    let rate = |noise: u32| f64::from(noise) / 4_294_967_296.0;
    let loss = lines(rows, only("loss"), |r| {
        (r.protocol, rate(r.point.ring.noise), us(f(r.figures.all.p99)))
    });
    let axes = |title, x, y| Axes { title, x, y };
    let y = "microseconds, mean";
    Ok(vec![
        File { name: "barrier.csv".into(), text: barrier_csv(rows) },
        file(
            "barrier-release",
            axes("From the last arrival to the last release, with data", "nodes", y),
            &any,
        )?,
        file(
            "barrier-idle",
            axes("The same on an idle ring, one late arrival, no data", "nodes", y),
            &idle,
        )?,
        file("barrier-frames", axes("Signals for each episode", "nodes", "signals"), &frames)?,
        file(
            "barrier-loss",
            axes(
                "Release on 16 nodes with bit errors, 99 of 100",
                "bit error rate",
                "microseconds",
            ),
            &loss,
        )?,
    ])
}

fn file(name: &str, axes: Axes<'_>, lines: &[Line]) -> Result<File, String> {
    Ok(File { name: format!("{name}.svg"), text: plot(axes, lines)? })
}
