// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of `docs/openmp-study.md`.

use super::{Row, document::section, line, rows};

const PAGE: &str = "openmp-study.md";
const PROGRAMS: [&str; 9] =
    ["pi", "mandelbrot", "jacobi", "cg", "lu", "matmul", "histogram", "queens", "pipeline"];
const NODES: [u32; 4] = [2, 4, 8, 16];
/// Machines, times of a basic block of the table of speed-up, and of that of the best number of nodes.
const BLOCKS: [(&str, &[u32]); 2] =
    [("ring", &[10, 30, 100, 300, 1000]), ("gen1", &[1000, 10_000, 100_000, 1_000_000])];

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
        "| program | arguments | bytes on 4 nodes | ring, 2 | 4 | 8 | 16 | generation 1, 2 | 4 | 8 | 16 |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
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
        "| program | ring, 2 | 4 | 8 | 16 | generation 1, 2 | 4 | 8 | 16 |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
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

/// Bytes that four nodes of the ring read and write, by cause.
#[test]
fn traffic_of_openmp_programs() {
    const CAUSES: [&str; 7] = [
        "command",
        "heads of logs",
        "loops",
        "lock words",
        "data at barriers",
        "data under locks",
        "data of atomics",
    ];
    let (rows, all) = (rows("openmp.csv"), rows("openmp-traffic.csv"));
    let of = |program: &str, machine: &str, nodes: &str| {
        let fits = [("program", program), ("machine", machine), ("nodes", nodes)];
        all.iter()
            .filter(|row| fits.iter().all(|(column, text)| row.text(column) == *text))
            .collect::<Vec<_>>()
    };
    // The library counts by cause, the command by node.
    for row in &rows {
        let found = of(row.text("program"), row.text("machine"), row.text("nodes"));
        for column in ["read_bytes", "written_bytes"] {
            let sum: f64 = found.iter().map(|one| one.number(column)).sum();
            assert!((sum - row.number(column)).abs() < 0.5, "{}: {sum}", row.text("program"));
        }
    }
    let mut table =
        format!("| program | {} |\n|---|{}\n", CAUSES.join(" | "), "---:|".repeat(CAUSES.len()));
    for program in PROGRAMS {
        let found = of(program, "ring", "4");
        assert!(found.iter().all(|row| CAUSES.contains(&row.text("cause"))), "{program}");
        let cells = CAUSES.map(|cause| {
            let of = found.iter().filter(|row| row.text("cause") == cause);
            let bytes = of.map(|row| row.number("read_bytes") + row.number("written_bytes"));
            format!("{:.0}", bytes.fold(0.0, |sum, bytes| sum + bytes))
        });
        line(&mut table, &format!("`{program}`"), cells);
    }
    section(PAGE, "traffic", &table);
}

/// Speed-up of a program with a time of a basic block, without the time of a region that does nothing.
fn speed_up(
    [plain, charged]: [&[Row]; 2],
    program: &str,
    machine: &str,
    nodes: u32,
    block: u32,
) -> f64 {
    let time = |nodes: u32| {
        let of = |row: &&Row| {
            row.text("program") == program
                && row.text("machine") == machine
                && row.text("nodes") == nodes.to_string()
                && row.text("block_ns") == block.to_string()
        };
        let end = charged.iter().find(of).expect("a run").number("end_us");
        end - find(plain, "empty", machine, nodes).expect("an empty region").number("end_us")
    };
    time(1) / time(nodes)
}

#[test]
fn speed_up_of_openmp_programs() {
    let (plain, charged) = (rows("openmp.csv"), rows("openmp-speed-up.csv"));
    let both = [&plain[..], &charged];
    let mut table = String::from(
        "| program | ring, 100 ns: 2 | 4 | 8 | 16 | 1000 ns: 2 | 4 | 8 | 16 | generation 1, 100000 ns: 2 | 4 | 8 | 16 |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut best = String::from(
        "| program | basic blocks | ring: 10 ns | 30 ns | 100 ns | 300 ns | 1 µs | generation 1: 1 µs | 10 µs | 100 µs | 1 ms |\n|---|---:|---|---|---|---|---|---|---|---|---|\n",
    );
    for program in PROGRAMS.into_iter().filter(|&program| program != "pipeline") {
        let cells = [("ring", 100), ("ring", 1000), ("gen1", 100_000)];
        let cells = cells.into_iter().flat_map(|(machine, block)| {
            let up = |nodes| speed_up(both, program, machine, nodes, block);
            NODES.map(|nodes| format!("{:.2}", up(nodes)))
        });
        line(&mut table, &format!("`{program}`"), cells);
        let cells = BLOCKS.into_iter().flat_map(|(machine, blocks)| {
            blocks.iter().map(move |&block| {
                let up = |nodes| speed_up(both, program, machine, nodes, block);
                let all = [1].into_iter().chain(NODES).map(|nodes| (nodes, up(nodes)));
                let (nodes, most) = all.max_by(|a, b| a.1.total_cmp(&b.1)).expect("a run");
                format!("{nodes} ({most:.1})")
            })
        });
        // Each takes a microsecond in this run.
        let blocks = charged.iter().find(|row| {
            ["1", "1000"] == ["nodes", "block_ns"].map(|column| row.text(column))
                && (row.text("program"), row.text("machine")) == (program, "gen1")
        });
        let blocks = format!("{:.0}", blocks.expect("a run").number("compute_us"));
        line(&mut best, &format!("`{program}`"), [blocks].into_iter().chain(cells));
    }
    section(PAGE, "speed-up", &table);
    section(PAGE, "best", &best);
}

/// Stores of shared data that the sources make: those of all iterations, without the first thread's own stack.
#[test]
fn stores_are_those_of_the_sources() {
    let rows = rows("openmp-stores.csv");
    let (n, steps) = (64, 5);
    for (program, stores) in [
        // Parts of three threads; the first thread stores on its own stack.
        ("pi", 3),
        ("mandelbrot", 24 * 24),
        ("jacobi", 8 * 14 * 14),
        // Eleven sums of 16 parts; q, x and r, p.
        ("cg", 11 * 16 + steps * 4 * n),
        ("lu", (1..14).map(|left| left * (left + 1)).sum()),
        ("matmul", 3 * 24 * 24),
        // Each thread adds 32 counts; an atomic operation for each of 40 numbers.
        ("histogram", 4 * 32 + 2000 / 50),
        ("queens", 7),
    ] {
        let mut seen = 0;
        for row in &rows {
            if row.text("program") == program && row.text("nodes") == "4" {
                assert_eq!(row.text("stores"), stores.to_string(), "{program}");
                seen += 1;
            }
        }
        assert_eq!(seen, 2, "{program}");
    }
}

/// Stores against commits, on four nodes.
#[test]
fn stores_of_openmp_programs() {
    let rows = rows("openmp-stores.csv");
    for (machine, place) in [("ring", "stores on the ring"), ("gen1", "stores on generation 1")] {
        let mut table = String::from(
            "| program | stores | bytes of stores | bytes of commits | write µs | loads | read µs, each load | commits |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
        );
        for program in PROGRAMS {
            let row = find(&rows, program, machine, 4).expect("a run");
            let read = |bytes: f64| row.number("read_us") * bytes / row.number("read_bytes");
            let loaded = row.number("load_bytes").max(4.0 * row.number("loads"));
            let cells = [
                (row.number("stores"), 0),
                (row.number("store_bytes"), 0),
                (row.number("data_written_bytes"), 0),
                (row.number("write_us"), 1),
                (row.number("loads"), 0),
                (read(loaded), 0),
                (read(row.number("data_read_bytes")), 0),
            ];
            let cells = cells.map(|(value, digits)| format!("{value:.digits$}"));
            line(&mut table, &format!("`{program}`"), cells);
        }
        section(PAGE, place, &table);
    }
}

/// Numbers in the text of the page are those of the tables.
#[test]
fn text_of_the_openmp_page() {
    let page = std::fs::read_to_string(super::document::file("docs").join(PAGE)).expect("a page");
    let (plain, traffic) = (rows("openmp.csv"), rows("openmp-traffic.csv"));
    let stores = rows("openmp-stores.csv");
    let says = |text: String| assert!(page.contains(&text), "the page does not say: {text}");
    let grows = |cause: &str| {
        let bytes = |nodes: &str| {
            let of = traffic.iter().filter(|row| {
                [row.text("machine"), row.text("nodes"), row.text("cause")]
                    == ["ring", nodes, cause]
                    && !["empty", "pipeline"].contains(&row.text("program"))
            });
            of.map(|row| row.number("read_bytes") + row.number("written_bytes")).sum::<f64>()
        };
        bytes("16") / bytes("2")
    };
    says(format!("From 2 to 16 nodes these bytes grow {:.0} times.", grows("data at barriers")));
    says(format!("The heads of the logs grow {:.0} times", grows("heads of logs")));
    let ratios: Vec<f64> = PROGRAMS
        .iter()
        .flat_map(|program| NODES.map(|nodes| (program, nodes)))
        .filter_map(|(program, nodes)| {
            Some(time(&plain, program, "gen1", nodes)? / time(&plain, program, "ring", nodes)?)
        })
        .collect();
    assert!(ratios.iter().all(|ratio| (70.0..500.0).contains(ratio)), "{ratios:?}");
    says("70 to 500 times as much computing as on the ring".into());
    let of = |machine: &'static str| {
        stores.iter().filter(move |row| [row.text("machine"), row.text("nodes")] == [machine, "4"])
    };
    let less =
        of("ring").filter(|row| row.number("store_bytes") < row.number("data_written_bytes"));
    assert_eq!(less.count(), 7);
    says("fewer bytes than commits in seven of nine programs".into());
    let waits = |program: &str| {
        let row = find(&plain, program, "ring", 4).expect("a row");
        ["read_us", "lock_us", "barrier_us", "write_us"].map(|column| row.number(column))
    };
    for program in ["lu", "matmul"] {
        let [read, lock, barrier, write] = waits(program);
        assert!(read > lock.max(barrier).max(write), "{program}");
    }
    let [read, lock, barrier, write] = waits("cg");
    assert!((read / barrier - 1.0).abs() < 0.02 && read > lock.max(write), "cg");
    for program in ["mandelbrot", "jacobi", "histogram", "queens", "pipeline"] {
        let [read, lock, barrier, write] = waits(program);
        assert!(lock > read.max(barrier).max(write), "{program}");
    }
    let most = of("gen1").map(|row| row.number("write_us")).fold(0.0, f64::max);
    says(format!("at most {most:.0} µs on four nodes of generation 1"));
}
