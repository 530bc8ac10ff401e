// SPDX-License-Identifier: MIT OR Apache-2.0
//! `OpenMP` programs on the ring: rows of their runs, CSV files and plots.

use crate::study::results::{File, Results};
use awgstar_draw::plot::{Axes, Line};
use awgstar_draw::table::{Sheet, Table};
use awgstar_program::Cause;
use serde::{Deserialize, Serialize};

/// Machines, and the times of a basic block in ns with which each runs.
pub const MACHINES: [(&str, &[u32]); 2] =
    [("ring", &[10, 30, 100, 300, 1000]), ("gen1", &[1000, 10_000, 100_000, 1_000_000])];
/// Times of a basic block of the plots of speed-up over the number of nodes.
const PLOTTED: [(&str, u32); 3] = [("ring", 100), ("ring", 1000), ("gen1", 100_000)];

/// Traffic of one cause, of all nodes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Traffic {
    /// Name of the cause.
    pub cause: String,
    /// Accesses that read, bytes read, accesses that write, bytes written.
    pub counts: [u64; 4],
}

/// A run. Times are in us on the ring, bytes those of all nodes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    /// Name of the program.
    pub program: String,
    /// Its arguments.
    pub arguments: String,
    /// Machine.
    pub machine: String,
    /// Nodes.
    pub nodes: usize,
    /// Time of a basic block in ns; 0 if computing takes no time.
    pub block_ns: u32,
    /// Stores are written at once, too.
    pub through: bool,
    /// The end of the last node.
    pub end_us: f64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Mean over the nodes of the time that reads take.
    pub read_us: f64,
    /// The same for writes.
    pub write_us: f64,
    /// The same for locks.
    pub lock_us: f64,
    /// The same for barriers.
    pub barrier_us: f64,
    /// The same for computing.
    pub compute_us: f64,
    /// Traffic by cause.
    pub traffic: Vec<Traffic>,
}

impl Run {
    /// Adds a line of a report: true if it is that of a node.
    pub fn add(&mut self, line: &str) -> bool {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let Some(cause) = Cause::ALL.iter().find(|one| cells.get(1) == Some(&one.name())) {
            let counts: Vec<u64> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
            if let [reads, read, writes, written] = counts[..] {
                let counts = [reads, read, writes, written];
                self.traffic.push(Traffic { cause: cause.name().to_owned(), counts });
            }
            return false;
        }
        let cells: Vec<f64> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
        let [_, _, read, written, read_us, write_us, lock_us, barrier_us, compute_us, end] =
            cells[..]
        else {
            return false;
        };
        #[expect(clippy::cast_precision_loss, reason = "64 nodes at most")]
        let nodes = self.nodes as f64;
        self.end_us = self.end_us.max(end);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
        {
            self.read_bytes += read as u64;
            self.written_bytes += written as u64;
        }
        self.read_us += read_us / nodes;
        self.write_us += write_us / nodes;
        self.lock_us += lock_us / nodes;
        self.barrier_us += barrier_us / nodes;
        self.compute_us += compute_us / nodes;
        true
    }

    /// Counts of some causes.
    fn counts(&self, causes: &[Cause]) -> [u64; 4] {
        let of = |one: &&Traffic| causes.iter().any(|cause| cause.name() == one.cause);
        self.traffic
            .iter()
            .filter(of)
            .fold([0; 4], |sum, one| std::array::from_fn(|at| sum[at] + one.counts[at]))
    }
}

/// Causes of traffic that carry changed data.
const DATA: [Cause; 4] = [Cause::Barrier, Cause::Critical, Cause::Atomic, Cause::Flush];

/// All runs of the study.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Study {
    /// Unmodified programs; computing takes no time.
    pub plain: Vec<Run>,
    /// Programs with hooks; a basic block takes a time.
    pub charged: Vec<Run>,
    /// Programs with hooks; computing takes no time. Stores are written at once in every second one.
    pub stores: Vec<Run>,
}

fn us(time: f64) -> String {
    format!("{time:.3}")
}

/// Columns that say which run it is.
fn head() -> Table<'static, Run> {
    Table::new()
        .text("program", |run: &Run| run.program.clone())
        .text("arguments", |run| run.arguments.clone())
        .text("machine", |run| run.machine.clone())
        .number("nodes", |run| run.nodes)
}

/// Times and bytes of unmodified programs.
#[must_use]
pub fn plain(runs: &[Run]) -> Sheet {
    head()
        .number("end_us", |run| us(run.end_us))
        .number("read_bytes", |run| run.read_bytes)
        .number("written_bytes", |run| run.written_bytes)
        .number("read_us", |run| us(run.read_us))
        .number("write_us", |run| us(run.write_us))
        .number("lock_us", |run| us(run.lock_us))
        .number("barrier_us", |run| us(run.barrier_us))
        .sheet("openmp.csv", runs)
}

/// Traffic of unmodified programs: a row for each cause.
fn traffic(runs: &[Run]) -> Sheet {
    let rows: Vec<(&Run, &Traffic)> =
        runs.iter().flat_map(|run| run.traffic.iter().map(move |one| (run, one))).collect();
    Table::new()
        .text("program", |row: &(&Run, &Traffic)| row.0.program.clone())
        .text("machine", |row| row.0.machine.clone())
        .number("nodes", |row| row.0.nodes)
        .text("cause", |row| row.1.cause.clone())
        .number("reads", |row| row.1.counts[0])
        .number("read_bytes", |row| row.1.counts[1])
        .number("writes", |row| row.1.counts[2])
        .number("written_bytes", |row| row.1.counts[3])
        .sheet("openmp-traffic.csv", &rows)
}

fn charged(runs: &[Run]) -> Sheet {
    head()
        .number("block_ns", |run| run.block_ns)
        .number("compute_us", |run| us(run.compute_us))
        .number("end_us", |run| us(run.end_us))
        .sheet("openmp-speed-up.csv", runs)
}

fn stores(runs: &[Run]) -> Sheet {
    let program = |at: usize| move |run: &Run| run.counts(&[Cause::Program])[at];
    let data = |at: usize| move |run: &Run| run.counts(&DATA)[at];
    head()
        .number("at_once", |run| u8::from(run.through))
        .number("loads", program(0))
        .number("load_bytes", program(1))
        .number("stores", program(2))
        .number("store_bytes", program(3))
        .number("at_once_bytes", |run| run.counts(&[Cause::Store])[3])
        .number("data_read_bytes", data(1))
        .number("data_written_bytes", data(3))
        .number("read_bytes", |run| run.read_bytes)
        .number("read_us", |run| us(run.read_us))
        .number("write_us", |run| us(run.write_us))
        .number("end_us", |run| us(run.end_us))
        .sheet("openmp-stores.csv", runs)
}

#[expect(clippy::cast_precision_loss, reason = "a plot")]
const fn f(x: u64) -> f64 {
    x as f64
}

/// Time of a run without that of a program whose only region does nothing.
fn own_time(plain: &[Run], run: &Run) -> Option<f64> {
    let same = |one: &&Run| {
        one.program == "empty" && (&one.machine, one.nodes) == (&run.machine, run.nodes)
    };
    Some(run.end_us - plain.iter().find(same)?.end_us)
}

/// Time on one node over that of a run.
fn speed_up(study: &Study, run: &Run) -> Option<f64> {
    let same = |one: &&Run| {
        (&one.program, &one.machine, one.block_ns) == (&run.program, &run.machine, run.block_ns)
    };
    let alone = study.charged.iter().filter(same).find(|one| one.nodes == 1)?;
    Some(own_time(&study.plain, alone)? / own_time(&study.plain, run)?)
}

/// Nodes of a run as a place in a plot.
fn nodes(run: &Run) -> f64 {
    f(run.nodes as u64)
}

/// The results of the study.
///
/// # Errors
/// The message of the plotting library.
pub fn results(study: &Study) -> Result<Results, String> {
    let rows = vec![
        self::plain(&study.plain),
        traffic(&study.plain),
        self::charged(&study.charged),
        self::stores(&study.stores),
    ];
    let Study { plain, charged, stores } = study;
    let mut files = Vec::new();
    for (machine, block_ns) in PLOTTED {
        let of = charged.iter().filter(|run| run.machine == machine && run.block_ns == block_ns);
        let points = |run: &Run| {
            let up = speed_up(study, run)?;
            Some((run.program.clone(), (nodes(run), up)))
        };
        let mut lines = Line::by_name(of.clone().filter_map(points));
        let mut ideal: Vec<(f64, f64)> = of.map(|run| (nodes(run), nodes(run))).collect();
        ideal.sort_by(|a, b| a.0.total_cmp(&b.0));
        ideal.dedup();
        lines.push(Line { name: "number of nodes".into(), points: ideal, bound: true });
        let title =
            format!("OpenMP programs: speed-up on {}, {block_ns} ns a basic block", title(machine));
        let axes = Axes { title: &title, x: "nodes", y: "time on one node / time" };
        files.push(File::plot(&format!("openmp-speed-up-{machine}-{block_ns}"), axes, &lines)?);
    }
    let mut sizes: Vec<usize> = stores.iter().map(|run| run.nodes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let middle = sizes.get(sizes.len() / 2).copied().unwrap_or(1);
    for (machine, _) in MACHINES {
        let of = charged.iter().filter(|run| run.machine == machine && run.nodes == middle);
        let points = of.filter_map(|run| {
            let up = speed_up(study, run)?;
            Some((run.program.clone(), (f64::from(run.block_ns), up)))
        });
        let mut lines = Line::by_name(points);
        let ends = [0, usize::MAX].map(|at| {
            let points = lines.first().map_or(&[][..], |line| &line.points);
            points.get(at.min(points.len().saturating_sub(1))).map_or(1.0, |point| point.0)
        });
        let one = ends.map(|end| (end, 1.0)).to_vec();
        lines.push(Line { name: "one node".into(), points: one, bound: true });
        let title = format!("OpenMP programs: speed-up on {middle} nodes of {}", title(machine));
        let axes = Axes { title: &title, x: "ns a basic block", y: "time on one node / time" };
        files.push(File::plot(&format!("openmp-computing-{machine}"), axes, &lines)?);
    }
    let ring: Vec<&Run> = plain.iter().filter(|run| run.machine == "ring").collect();
    // `pipeline` has no run on two nodes, and a region that does nothing is none of the programs.
    let counted = |run: &&&Run| !["empty", "pipeline"].contains(&run.program.as_str());
    let by_cause = Cause::ALL.iter().flat_map(|cause| {
        sizes.iter().map(|&size| {
            let of = ring.iter().filter(counted).filter(|run| run.nodes == size);
            let bytes: u64 = of.map(|run| run.counts(&[*cause])).map(|c| c[1] + c[3]).sum();
            (cause.name().to_owned(), (f(size as u64), f(bytes)))
        })
    });
    let by_cause: Vec<Line> = Line::by_name(by_cause)
        .into_iter()
        .filter(|line| line.points.iter().any(|point| point.1 > 0.0))
        .collect();
    let axes = Axes {
        title: "Eight OpenMP programs on the ring: bytes read and written",
        x: "nodes",
        y: "bytes of all nodes",
    };
    files.push(File::plot("openmp-traffic", axes, &by_cause)?);
    let ratio = stores.iter().filter(|run| run.machine == "ring" && !run.through).map(|run| {
        let ([.., stored], [.., sent]) = (run.counts(&[Cause::Program]), run.counts(&DATA));
        (run.program.clone(), (nodes(run), f(stored) / f(sent)))
    });
    let axes = Axes {
        title: "OpenMP on the ring: bytes of all shared stores, over bytes that commits write",
        x: "nodes",
        y: "ratio",
    };
    let mut ratio = Line::by_name(ratio);
    let ends = [sizes.first(), sizes.last()].into_iter().flatten();
    let points = ends.map(|&size| (f(size as u64), 1.0)).collect();
    ratio.push(Line { name: "as many bytes".into(), points, bound: true });
    files.push(File::plot("openmp-stores", axes, &ratio)?);
    Ok(Results {
        title: "OpenMP programs: data and synchronisation by the number of nodes",
        units: "Times are simulated, in microseconds; bytes are those of all nodes. In openmp.csv computing takes no time; in openmp-speed-up.csv a basic block takes a time.",
        tables: Vec::new(),
        rows,
        plots: files,
    })
}

fn title(machine: &str) -> &'static str {
    if machine == "gen1" { "generation 1" } else { "the ring" }
}
