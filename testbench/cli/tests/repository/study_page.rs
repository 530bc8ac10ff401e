// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of `docs/study.md`, `docs/evaluation.md` and `docs/router.md` are those of the CSV files. `UPDATE=1` writes them again.

mod lambda;
mod openmp;

use crate::document;
use std::collections::HashMap;

const LOCKS: [&str; 3] = ["master-worker", "distributed", "queue"];
const BARRIERS: [&str; 3] = ["master-worker", "distributed", "ring"];
const MHZ: f64 = 67.25;

/// A row by the names of its columns.
struct Row(HashMap<String, String>);

impl Row {
    fn text(&self, column: &str) -> &str {
        self.0.get(column).unwrap_or_else(|| panic!("no column {column}"))
    }

    fn number(&self, column: &str) -> f64 {
        self.text(column).parse().unwrap_or_else(|e| panic!("{column}: {e}"))
    }
}

fn rows(name: &str) -> Vec<Row> {
    let path = document::file("docs/study").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let names: Vec<String> = lines.next().expect("a heading").collect();
    lines.map(|cells| Row(names.iter().cloned().zip(cells).collect())).collect()
}

/// The rows of a sweep, by the point (each protocol in turn).
fn points<'a>(rows: &'a [Row], sweep: &str, protocols: [&str; 3]) -> Vec<[&'a Row; 3]> {
    let of: Vec<&Row> = rows.iter().filter(|row| row.text("sweep") == sweep).collect();
    let points = of.as_chunks::<3>();
    assert!(!points.0.is_empty() && points.1.is_empty(), "{sweep}: {} rows", of.len());
    for point in points.0 {
        assert_eq!(point.map(|row| row.text("protocol")), protocols, "{sweep}");
    }
    points.0.to_vec()
}

fn line(table: &mut String, head: &str, cells: impl IntoIterator<Item = String>) {
    table.push_str("| ");
    table.push_str(head);
    for cell in cells {
        table.push_str(" | ");
        table.push_str(&cell);
    }
    table.push_str(" |\n");
}

fn whole(cycles: f64) -> String {
    format!("{cycles:.0}")
}

fn micro(cycles: f64) -> String {
    format!("{:.2}", cycles / MHZ)
}

fn hop(row: &Row) -> f64 {
    row.number("fibre_cycles") + 4.0
}

#[test]
fn locks_on_the_bound() {
    let rows = rows("lock.csv");
    let mut table = String::from(
        "| N | bound, free | free: longest, master-worker | distributed | queue | hand-over beside the way, master-worker | distributed | queue |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let points = points(&rows, "bound", LOCKS);
    for pair in points.chunks(2) {
        let [free, wanted] = pair else { panic!("a free lock and a wanted one") };
        let nodes = free[0].text("nodes");
        assert!(free.iter().all(|r| r.text("callers") == "1"));
        assert!(wanted.iter().all(|r| r.text("callers") == nodes));
        let bound = [whole(free[0].number("bound_cycles"))].into_iter();
        let longest = free.iter().map(|r| whole(r.number("acquire_max")));
        let beside =
            wanted.iter().map(|r| whole(r.number("hand_over_mean") - r.number("hops") * hop(r)));
        line(&mut table, nodes, bound.chain(longest).chain(beside));
    }
    document::section("study.md", "locks on the bound", &table);
}

#[test]
fn locks_that_all_want() {
    let rows = rows("lock.csv");
    let mut table = String::from(
        "| N | master-worker, µs mean | p99 | signals | distributed, µs mean | p99 | signals | queue, µs mean | p99 | signals |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for point in points(&rows, "nodes", LOCKS) {
        if point[0].text("callers") == "1" {
            continue;
        }
        let cells = point.iter().flat_map(|r| {
            let signals = format!("{:.1}", r.number("frames"));
            [micro(r.number("hand_over_mean")), micro(r.number("hand_over_p99")), signals]
        });
        line(&mut table, point[0].text("nodes"), cells);
    }
    document::section("study.md", "locks that all want", &table);
}

/// What a sweep varies, in words.
fn words(sweep: &str, row: &Row) -> String {
    match sweep {
        "callers" => format!("{} of 16 want it", row.text("callers")),
        "inside" => format!("{} cycles inside", row.text("inside_cycles")),
        "spread" => format!("arrivals over {} rotations", row.text("spread_rotations")),
        "loss" if row.text("noise_of_2_32") == "0" => "no bit errors".into(),
        "loss" => {
            format!("{:.0e} of all bits wrong", row.number("noise_of_2_32") / 4_294_967_296.0)
        }
        "fibre" => format!("{} cycles of fibre a hop", row.text("fibre_cycles")),
        "order" => format!("order `{}`", row.text("order")),
        "tokens" if row.text("tokens") == "1" => "1 token".into(),
        "tokens" => format!("{} tokens", row.text("tokens")),
        other => panic!("what does {other} vary?"),
    }
}

fn varied(rows: &[Row], protocols: [&str; 3], sweeps: &[&str], figure: &str) -> String {
    let heads = protocols.map(|p| format!("{p} | p99")).join(" | ");
    let mut table = format!("| | {heads} |\n|---|{}\n", "---:|".repeat(6));
    for sweep in sweeps {
        for point in points(rows, sweep, protocols) {
            // With one that wants it there is no hand-over.
            if *sweep == "callers" && point[0].text("callers") == "1" {
                continue;
            }
            let cells = point.iter().flat_map(|r| {
                ["mean", "p99"].map(|which| whole(r.number(&format!("{figure}_{which}"))))
            });
            line(&mut table, &words(sweep, point[0]), cells);
        }
    }
    table
}

#[test]
fn locks_one_thing_at_a_time() {
    let rows = rows("lock.csv");
    let sweeps = ["callers", "inside", "loss", "fibre", "order", "tokens"];
    document::section("study.md", "locks varied", &varied(&rows, LOCKS, &sweeps, "hand_over"));
    let none: Vec<&Row> = rows
        .iter()
        .filter(|row| row.text("sweep") == "order" && row.text("order") == "none")
        .collect();
    let lost: Vec<String> = none
        .iter()
        .map(|r| {
            format!("{} of {} ({})", r.text("lost"), r.text("acquisitions"), r.text("protocol"))
        })
        .collect();
    let text = format!(
        "With order `none` the lock says nothing about data: of the additions to the guarded word these were lost: {}.\n",
        lost.join(", ")
    );
    document::section("study.md", "additions lost", &text);
}

#[test]
fn barriers_by_size() {
    let rows = rows("barrier.csv");
    let mut table = String::from(
        "| N | bound, cycles | master-worker, idle | distributed, idle | ring, idle | ring, beside the way | master-worker, with data | distributed, with data | ring, with data | signals: master-worker, distributed, ring |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n",
    );
    let (idle, data) = (points(&rows, "bound", BARRIERS), points(&rows, "nodes", BARRIERS));
    assert_eq!(idle.len(), data.len());
    for (idle, data) in idle.iter().zip(data) {
        assert_eq!(idle[0].text("nodes"), data[0].text("nodes"));
        let bound = idle[0].number("bound_cycles");
        let mean = |r: &&Row| whole(r.number("all_mean"));
        let beside = whole(idle[2].number("all_mean") - bound);
        let signals = data.map(|r| format!("{:.1}", r.number("frames"))).join(", ");
        let cells = [whole(bound)].into_iter().chain(idle.iter().map(mean)).chain([beside]);
        line(
            &mut table,
            idle[0].text("nodes"),
            cells.chain(data.iter().map(mean)).chain([signals]),
        );
    }
    document::section("study.md", "barriers by size", &table);
}

#[test]
fn barriers_one_thing_at_a_time() {
    let rows = rows("barrier.csv");
    let sweeps = ["spread", "loss", "fibre", "order", "tokens"];
    document::section("study.md", "barriers varied", &varied(&rows, BARRIERS, &sweeps, "all"));
}
