// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "mandelbrot"`: the thesis' program from a file, its errors, figures, files and waves (EVA-4).

use super::{
    current::{file, values},
    gtkw, root, sim, waves,
};
use awgstar_scenario::run::{Run, Window};
use awgstar_scenario::scenario;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

#[test]
fn a_picture_of_the_set() {
    let error = |rest: &str| {
        let text = format!("system = \"mandelbrot\"\nsize = 8\n{rest}\n");
        let error = scenario::read("test.toml", &text).expect_err("no error");
        (error.line, error.what)
    };
    for (rest, what) in [
        ("nodes = 33", "nodes is 33: expected 1 to 32"),
        ("limit = 0", "limit is 0"),
        ("machine = \"score\"", "machine is `score`: expected one of observed, table2, port"),
        ("read = \"slow\"", "read is `slow`: expected one of pointer, dma"),
        ("writes = \"point\"", "writes is `point`: expected one of word, row"),
        ("re = [1, 0]", "re is [1.0, 0.0]: expected two numbers from -10 to 10"),
        ("master_percent = 0", "master_percent is 0: expected 1 to 100"),
        ("colour = 1", "unknown key `colour`"),
    ] {
        let (line, found) = error(rest);
        assert!(line == 3 && found.contains(what), "{rest}: {line}: {found}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let out = sim(&["docs/scenarios/mandelbrot.toml", "--json", "--out", path]);
    let json: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!((json["size"].as_u64(), json["nodes"].as_u64()), (Some(120), Some(4)));
    let time = |part: &str| json["time_ns"][part].as_u64().unwrap();
    assert_eq!(time("total"), time("init") + time("parallel") + time("sequential"));
    for name in ["picture.png", "cpu.csv", "cpu.svg"] {
        assert!(fs::metadata(folder.path().join(name)).unwrap().len() > 20, "{name}");
    }
}

fn job(text: &str) -> Box<dyn Run> {
    scenario::read("test.toml", text).unwrap_or_else(|e| panic!("{e}"))
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join("docs/scenarios").join(name)).unwrap()
}

/// The example with results written row by row, so that computing and writing can be told apart.
fn example(name: &str) -> Box<dyn Run> {
    job(&format!("{}writes = \"row\"\n", text(name)))
}

fn wave(job: &dyn Run) -> String {
    let files = waves(job, None).unwrap();
    file(&files, "mandelbrot.vcd").to_owned()
}

/// The words of a signal, one after the other.
fn words(wave: &str, scope: &str, name: &str) -> Vec<String> {
    values(wave, scope, name).into_iter().map(|value| value.1).collect()
}

/// What a signal is at last.
fn last(wave: &str, scope: &str, name: &str) -> String {
    values(wave, scope, name).pop().unwrap().1
}

/// From when to when a process is at something, by its text.
fn spans(wave: &str, scope: &str, what: &str) -> Vec<(u64, u64)> {
    let all = values(wave, scope, "process");
    let of = |two: &&[(u64, String)]| two[0].1 == what;
    all.windows(2).filter(of).map(|two| (two[0].0, two[1].0)).collect()
}

const NODES: [&str; 4] = ["node0", "node1", "node2", "node3"];

/// 120 rows on four nodes, 30 each: who does what when, on both versions.
#[test]
fn waves_show_the_program() {
    for name in ["mandelbrot.toml", "mandelbrot_generation1.toml"] {
        let job = example(name);
        let wave = wave(&*job);
        assert_eq!(wave, self::wave(&*job), "the same again, bit for bit");
        assert_eq!(
            words(&wave, "", "phase"),
            ["-", "initialise", "execution_1", "results_1", "ended"]
        );
        assert_eq!(last(&wave, "", "rows_done"), "120");
        let worker: Vec<&str> = ["-", "at_barrier_1"]
            .into_iter()
            .chain([["computes", "writes"]; 30].into_iter().flatten())
            .chain(["at_barrier_2", "ended"])
            .collect();
        let master: Vec<&str> = ["-", "initialises"]
            .into_iter()
            .chain(worker[1..62].iter().copied())
            .chain(["at_barrier_2"])
            .chain([["reads", "sends"]; 120].into_iter().flatten())
            .chain(["ended"])
            .collect();
        let begin = spans(&wave, "node0", "at_barrier_1")[0].0;
        let phases: BTreeMap<String, u64> =
            values(&wave, "", "phase").into_iter().map(|(at, phase)| (phase, at)).collect();
        for (node, scope) in NODES.into_iter().enumerate() {
            let process = words(&wave, scope, "process");
            assert_eq!(process, if node == 0 { &master[..] } else { &worker[..] }, "{scope}");
            assert_eq!(last(&wave, scope, "rows_done"), "30");
            // Nobody computes before the master has come to the barrier, or writes when it is open.
            let first = spans(&wave, scope, "computes")[0].0;
            let end = spans(&wave, scope, "writes")[29].1;
            assert!(begin < first && end < phases["results_1"], "{name}: {scope}");
            assert_eq!(values(&wave, scope, "rows_done")[30].0, end);
        }
        let rows: Vec<String> = (30..60).map(|row: u32| row.to_string()).collect();
        assert_eq!(words(&wave, "node1", "row")[1..], rows[..]);
        // The worker with the middle of the picture is the last at the barrier; the first has least.
        let arrives = NODES.map(|scope| spans(&wave, scope, "at_barrier_2")[0].0);
        assert!(arrives[3] < arrives[1] && arrives[1] < arrives[2], "{arrives:?}");
    }
}

/// The examples as they are: each word is written when it is computed, which takes the process as long
/// and spreads its frames over the row.
#[test]
fn waves_show_words_as_they_are_computed() {
    for name in ["mandelbrot.toml", "mandelbrot_generation1.toml"] {
        let (words, rows) = (wave(&*job(&text(name))), wave(&*example(name)));
        let process = self::words(&words, "node2", "process");
        assert_eq!(process, ["-", "at_barrier_1", "computes_and_writes", "at_barrier_2", "ended"]);
        assert_eq!(last(&words, "node2", "rows_done"), "30");
        // Between the barriers, in ns: no longer by more than roundings and what waits for the ring.
        let busy = |wave: &str| {
            let from = spans(wave, "node2", "at_barrier_1")[0].1;
            spans(wave, "node2", "at_barrier_2")[0].0 - from
        };
        let (word, row) = (busy(&words), busy(&rows));
        assert!(word.abs_diff(row) * 1_000 <= row, "{name}: {word} {row}");
        // Frames of 120 words at once leave the ring soon. Words up to 1.4 µs apart keep some frame of
        // the node on the ring for most of the time.
        let on_ring = |wave: &str| -> u64 {
            let all = values(wave, "node2", "frames");
            let some = all.windows(2).filter(|two| two[0].1 != "0");
            some.map(|two| two[1].0 - two[0].0).sum()
        };
        let (word, row) = (on_ring(&words), on_ring(&rows));
        assert!(word > 3 * row && row > 0, "{name}: {word} {row}");
    }
}

/// Iterations of a row of the default view, `size` points wide, counted here once more.
fn iterations(row: u32, size: u32, limit: u32) -> u64 {
    let place = |k: u32| 3.0 * f64::from(k) / f64::from(size);
    let mut count = 0;
    for column in 0..size {
        let (re, im) = (place(column) - 0.75, place(row) - 1.5);
        let mut z = (0.0, 0.0);
        for _ in 0..limit {
            if z.0 * z.0 + z.1 * z.1 > 4.0 {
                break;
            }
            z = (z.0 * z.0 - z.1 * z.1 - re, 2.0 * z.0 * z.1 - im);
            count += 1;
        }
    }
    count
}

/// Times worked out by hand: 12 MB to initialise, 480 bytes and so many iterations for a row.
#[test]
fn waves_show_the_time_to_the_nanosecond() {
    // 6,540 ps an iteration and 100 ns a point; row 30 is the first of node 1.
    let compute = (iterations(30, 120, 200) * 6_540).div_ceil(1_000) + 12_000;
    let current = wave(&*example("mandelbrot_generation1.toml"));
    // 64 MB/s.
    assert_eq!(spans(&current, "node0", "initialises"), [(0, 187_500_000)]);
    let (from, to) = spans(&current, "node1", "computes")[0];
    assert_eq!(to - from, compute);
    for node in NODES {
        assert!(spans(&current, node, "writes").iter().all(|(from, to)| to - from == 7_500));
    }
    // 3 cycles a word at 67.25 MHz; what is computed ends with a cycle, of 15 ns.
    let next = wave(&*example("mandelbrot.toml"));
    let (_, to) = spans(&next, "node0", "initialises")[0];
    assert!(to.abs_diff(133_828_996) < 100_000, "{to}");
    let (from, to) = spans(&next, "node1", "computes")[0];
    assert!((to - from).abs_diff(compute) <= 16, "{from} {to}: {compute}");
    let writes = spans(&next, "node3", "writes");
    assert!(writes.iter().all(|(from, to)| (to - from).abs_diff(5_353) <= 16), "{writes:?}");
}

/// Frames on the ring are those of its nodes, at every moment, and it is busy while there are any.
#[test]
fn waves_show_the_ring() {
    for name in ["mandelbrot.toml", "mandelbrot_generation1.toml"] {
        let wave = wave(&*example(name));
        let number = |scope: &str, signal: &str| -> BTreeMap<u64, u64> {
            let all = values(&wave, scope, signal).into_iter();
            all.map(|(at, value)| (at, value.parse().unwrap())).collect()
        };
        let busy: BTreeMap<u64, u64> = values_of_bit(&wave, "busy");
        let (frames, nodes) = (number("", "frames"), NODES.map(|node| number(node, "frames")));
        let times: BTreeSet<u64> = nodes.iter().flat_map(|node| node.keys().copied()).collect();
        let at = |signal: &BTreeMap<u64, u64>, time: u64| *signal.range(..=time).last().unwrap().1;
        let mut most = 0;
        for &time in &times {
            let sum: u64 = nodes.iter().map(|node| at(node, time)).sum();
            assert_eq!((at(&frames, time), at(&busy, time)), (sum, u64::from(sum > 0)), "{time}");
            most = most.max(sum);
        }
        assert!(most > 1, "{name}");
        assert_eq!(*frames.values().last().unwrap(), 0);
        // The master initialises the array; of the others only what says that they are at the barrier
        // is on the ring, which on the next version is no data.
        let (_, initialised) = spans(&wave, "node0", "initialises")[0];
        assert!(nodes[0].range(1..initialised).any(|(_, frames)| *frames > 0), "{name}");
        let others = nodes[1].range(1..initialised).count();
        assert_eq!(others > 0, name == "mandelbrot_generation1.toml", "{name}: {others}");
    }
}

/// A signal of one bit of the ring.
fn values_of_bit(wave: &str, name: &str) -> BTreeMap<u64, u64> {
    values(wave, "", name).into_iter().map(|(at, bit)| (at, bit.parse().unwrap())).collect()
}

/// 1,001 rows are two executions; the second one has one row, which is the last node's.
#[test]
fn waves_of_two_executions() {
    let text = "system = \"mandelbrot\"\nsize = 1001\nlimit = 2\nmachine = \"local\"\n";
    let files = waves(&*job(text), None).unwrap();
    let wave = file(&files, "mandelbrot.vcd");
    let phases =
        ["-", "initialise", "execution_1", "results_1", "execution_2", "results_2", "ended"];
    assert_eq!(words(wave, "", "phase"), phases);
    assert_eq!(last(wave, "", "rows_done"), "1001");
    assert_eq!(NODES.map(|node| last(wave, node, "rows_done")), ["250", "250", "250", "251"]);
    assert_eq!(
        (last(wave, "node3", "row"), last(wave, "node1", "row")),
        ("1000".into(), "499".into())
    );
    // What is shown is there.
    let save = file(&files, "mandelbrot.gtkw");
    gtkw::check_text(save, wave, &|_| false);
    let rows = save.lines().filter(|line| line.starts_with("ring.") || line.starts_with('+'));
    assert_eq!(rows.count(), 4 + 4 * 4);
    // A window keeps what stands when it opens; behind the end there is none.
    let middle = values(wave, "", "phase")[3].0;
    let part = waves(&*job(text), Window::of_ns(middle + 1, middle + 1_000)).unwrap();
    let part = file(&part, "mandelbrot.vcd");
    assert_eq!(values(part, "", "phase"), [(middle + 1, "results_1".into())]);
    assert_eq!(last(part, "", "rows_done"), "1000");
    let late = waves(&*job(text), Window::of_ns(1 << 40, 1 << 41)).unwrap_err();
    assert!(late.to_string().contains("the run ends after"), "{late}");
}
