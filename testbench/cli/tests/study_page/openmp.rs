// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of `docs/openmp-study.md`.

use super::{Row, document::section, line, rows};

const PAGE: &str = "openmp-study.md";
const PROGRAMS: [&str; 9] =
    ["pi", "mandelbrot", "jacobi", "cg", "lu", "matmul", "histogram", "queens", "pipeline"];
const NODES: [u32; 3] = [2, 4, 8];

fn find<'a>(rows: &'a [Row], program: &str, machine: &str, nodes: u32) -> Option<&'a Row> {
    rows.iter().find(|row| {
        row.text("program") == program
            && row.text("machine") == machine
            && row.text("nodes") == nodes.to_string()
    })
}

/// Time of a program in us, without that of a region that does nothing.
fn time(rows: &[Row], program: &str, machine: &str, nodes: u32) -> Option<f64> {
    let empty = find(rows, "empty", machine, nodes).expect("an empty region").number("end_us");
    find(rows, program, machine, nodes).map(|row| row.number("end_us") - empty)
}

fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.0}"))
}

#[test]
fn times_of_openmp_programs() {
    let rows = rows("openmp.csv");
    let mut table = String::from(
        "| program | arguments | bytes on 4 nodes | ring, 2 | 4 | 8 | generation 1, 2 | 4 | 8 |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for program in PROGRAMS {
        let row = find(&rows, program, "ring", 4).expect("a row");
        let times = ["ring", "gen1"]
            .into_iter()
            .flat_map(|machine| NODES.map(|nodes| figure(time(&rows, program, machine, nodes))));
        let head = [row.text("arguments").to_owned(), row.text("written_bytes").to_owned()];
        line(&mut table, &format!("`{program}`"), head.into_iter().chain(times));
    }
    section(PAGE, "times", &table);
}

#[test]
fn computing_that_openmp_programs_need() {
    let rows = rows("openmp.csv");
    let mut table = String::from(
        "| program | ring, 2 | 4 | 8 | generation 1, 2 | 4 | 8 |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for program in PROGRAMS {
        let cells = ["ring", "gen1"].into_iter().flat_map(|machine| {
            NODES.map(|nodes| {
                let need = time(&rows, program, machine, nodes).map(|us| f64::from(nodes) * us);
                need.map_or_else(|| "–".into(), |us| format!("{:.1}", us / 1000.0))
            })
        });
        line(&mut table, &format!("`{program}`"), cells);
    }
    section(PAGE, "computing", &table);
}

/// Where the time goes on four nodes of the ring.
#[test]
fn waits_of_openmp_programs() {
    let rows = rows("openmp.csv");
    let mut table = String::from(
        "| program | read us | write us | lock us | barrier us | end us |\n|---|---:|---:|---:|---:|---:|\n",
    );
    for program in PROGRAMS {
        let row = find(&rows, program, "ring", 4).expect("a row");
        let cells = ["read_us", "write_us", "lock_us", "barrier_us", "end_us"];
        let cells = cells.map(|column| format!("{:.0}", row.number(column)));
        line(&mut table, &format!("`{program}`"), cells);
    }
    section(PAGE, "waits", &table);
}
