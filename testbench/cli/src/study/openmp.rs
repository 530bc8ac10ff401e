// SPDX-License-Identifier: MIT OR Apache-2.0
//! `OpenMP` programs on the ring: rows of their runs, CSV files and plots.

use crate::study::results::{File, Results, lines};
use awgstar_draw::plot::{Axes, Line};
use awgstar_draw::table::{Cells, Sheet, Table};
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
    pub arguments: String,
    pub machine: String,
    pub nodes: usize,
    /// Time of a basic block in ns; 0 if computing takes no time.
    pub block_ns: u32,
    /// The end of the last node.
    pub end_us: f64,
    pub read_bytes: u64,
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
    /// Programs with hooks; computing takes no time.
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
        .number("loads", program(0))
        .number("load_bytes", program(1))
        .number("stores", program(2))
        .number("store_bytes", program(3))
        .number("data_read_bytes", data(1))
        .number("data_written_bytes", data(3))
        .number("read_bytes", |run| run.read_bytes)
        .number("read_us", |run| us(run.read_us))
        .number("write_us", |run| us(run.write_us))
        .number("end_us", |run| us(run.end_us))
        .sheet("openmp-stores.csv", runs)
}

/// The CSV files.
#[derive(Clone, Debug)]
struct Rows {
    plain: Sheet,
    traffic: Sheet,
    charged: Sheet,
    stores: Sheet,
}

/// Which run a row is of.
fn is(row: Cells<'_>, program: &str, machine: &str, nodes: f64) -> bool {
    (row.text("program"), row.text("machine"), row.number("nodes"))
        == (Some(program), Some(machine), Some(nodes))
}

impl Rows {
    /// Time of a run of `charged` without that of a program whose only region does nothing.
    fn own_time(&self, run: Cells<'_>) -> Option<f64> {
        let (machine, nodes) = (run.text("machine")?, run.number("nodes")?);
        let empty = self.plain.cells().find(|row| is(*row, "empty", machine, nodes))?;
        Some(run.number("end_us")? - empty.number("end_us")?)
    }

    /// Time on one node over that of a run of `charged`.
    fn speed_up(&self, run: Cells<'_>) -> Option<f64> {
        let (program, machine) = (run.text("program")?, run.text("machine")?);
        let block = |row: Cells<'_>| row.text("block_ns") == run.text("block_ns");
        let same = |row: &Cells<'_>| is(*row, program, machine, 1.0) && block(*row);
        Some(self.own_time(self.charged.cells().find(same)?)? / self.own_time(run)?)
    }

    /// Numbers of nodes of the runs with counted stores.
    fn sizes(&self) -> Vec<f64> {
        let mut sizes: Vec<f64> =
            self.stores.cells().filter_map(|row| row.number("nodes")).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        sizes
    }

    fn speed_ups(&self) -> Result<Vec<File>, String> {
        let plot = |(machine, block_ns): (&str, u32)| {
            let of = |row: &Cells<'_>| {
                (row.text("machine"), row.number("block_ns"))
                    == (Some(machine), Some(f64::from(block_ns)))
            };
            let mut lines = lines(&self.charged, |row| {
                let point = (row.text("program")?, row.number("nodes")?, self.speed_up(row)?);
                of(&row).then_some(point)
            });
            let nodes = self.charged.cells().filter(of).filter_map(|row| row.number("nodes"));
            let mut ideal: Vec<(f64, f64)> = nodes.map(|nodes| (nodes, nodes)).collect();
            ideal.sort_by(|a, b| a.0.total_cmp(&b.0));
            ideal.dedup();
            lines.push(Line { name: "number of nodes".into(), points: ideal, bound: true });
            let title = format!(
                "OpenMP programs: speed-up on {}, {block_ns} ns a basic block",
                title(machine)
            );
            let axes = Axes { title: &title, x: "nodes", y: "time on one node / time" };
            File::plot(&format!("openmp-speed-up-{machine}-{block_ns}"), axes, &lines)
        };
        PLOTTED.into_iter().map(plot).collect()
    }

    /// Speed-up by the time of a basic block, on so many nodes.
    fn computing(&self, nodes: f64) -> Result<Vec<File>, String> {
        let plot = |(machine, _): (&str, &[u32])| {
            let mut lines = lines(&self.charged, |row| {
                let of = (row.text("machine")?, row.number("nodes")?);
                let point = (row.text("program")?, row.number("block_ns")?, self.speed_up(row)?);
                (of == (machine, nodes)).then_some(point)
            });
            let points = lines.first().map_or(&[][..], |line| &line.points);
            let ends = [points.first(), points.last()];
            let points = ends.into_iter().flatten().map(|point| (point.0, 1.0)).collect();
            lines.push(Line { name: "one node".into(), points, bound: true });
            let title = format!("OpenMP programs: speed-up on {nodes} nodes of {}", title(machine));
            let axes = Axes { title: &title, x: "ns a basic block", y: "time on one node / time" };
            File::plot(&format!("openmp-computing-{machine}"), axes, &lines)
        };
        MACHINES.into_iter().map(plot).collect()
    }

    fn traffic(&self, sizes: &[f64]) -> Result<File, String> {
        // `pipeline` has no run on two nodes, and a region that does nothing is none of the programs.
        let counted = |program: &str| !["empty", "pipeline"].contains(&program);
        let bytes = |cause: &str, size: f64| -> f64 {
            let of = |row: Cells<'_>| {
                let program = row.text("program").filter(|program| counted(program))?;
                let same = is(row, program, "ring", size) && row.text("cause")? == cause;
                same.then_some(row.number("read_bytes")? + row.number("written_bytes")?)
            };
            self.traffic.cells().filter_map(of).sum()
        };
        let line = |cause: &Cause| {
            let points = sizes.iter().map(|&size| (size, bytes(cause.name(), size))).collect();
            Line { name: cause.name().into(), points, bound: false }
        };
        let lines: Vec<Line> = Cause::ALL.iter().map(line).collect();
        let some = |line: &Line| line.points.iter().any(|point| point.1 > 0.0);
        let axes = Axes {
            title: "Eight OpenMP programs on the ring: bytes read and written",
            x: "nodes",
            y: "bytes of all nodes",
        };
        let lines: Vec<Line> = lines.into_iter().filter(some).collect();
        File::plot("openmp-traffic", axes, &lines)
    }

    fn stores(&self, sizes: &[f64]) -> Result<File, String> {
        let mut ratio = lines(&self.stores, |row| {
            let ratio = row.number("store_bytes")? / row.number("data_written_bytes")?;
            let point = (row.text("program")?, row.number("nodes")?, ratio);
            (row.text("machine")? == "ring").then_some(point)
        });
        let ends = [sizes.first(), sizes.last()].into_iter().flatten();
        let points = ends.map(|&size| (size, 1.0)).collect();
        ratio.push(Line { name: "as many bytes".into(), points, bound: true });
        let axes = Axes {
            title: "OpenMP on the ring: bytes of all shared stores, over bytes that commits write",
            x: "nodes",
            y: "ratio",
        };
        File::plot("openmp-stores", axes, &ratio)
    }

    fn results(self) -> Result<Results, String> {
        let sizes = self.sizes();
        let middle = sizes.get(sizes.len() / 2).copied().unwrap_or(1.0);
        let mut plots = self.speed_ups()?;
        plots.extend(self.computing(middle)?);
        plots.extend([self.traffic(&sizes)?, self.stores(&sizes)?]);
        Ok(Results {
            title: "OpenMP programs: data and synchronisation by the number of nodes",
            units: "Times are simulated, in microseconds; bytes are those of all nodes. In openmp.csv computing takes no time; in openmp-speed-up.csv a basic block takes a time.",
            tables: Vec::new(),
            rows: vec![self.plain, self.traffic, self.charged, self.stores],
            plots,
        })
    }
}

/// The results of the study.
///
/// # Errors
/// The message of the plotting library.
pub fn results(study: &Study) -> Result<Results, String> {
    let Study { plain: one, charged: blocks, stores: counted } = study;
    let rows = Rows {
        plain: plain(one),
        traffic: traffic(one),
        charged: charged(blocks),
        stores: stores(counted),
    };
    rows.results()
}

/// The results of the rows of its CSV files, whose texts `file` gives by their names.
///
/// # Errors
/// What a file has in place of rows of this study; the message of the plotting library; those of `file`.
pub fn read(file: impl Fn(&str) -> Result<String, String>) -> Result<Results, String> {
    let read = |columns: fn(&[Run]) -> Sheet| {
        let blank = columns(&[]);
        let csv = file(blank.title())?;
        blank.read(&csv).map_err(|e| format!("{}: {e}", blank.title()))
    };
    let [plain, traffic, charged, stores] = [plain, traffic, charged, stores].map(read);
    Rows { plain: plain?, traffic: traffic?, charged: charged?, stores: stores? }.results()
}

fn title(machine: &str) -> &'static str {
    if machine == "gen1" { "generation 1" } else { "the ring" }
}
