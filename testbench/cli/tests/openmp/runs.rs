// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs: the same each time, over the ring, and without anything left behind.

use super::{built, cases, each, output, ring, ring_command, root, same};
use crate::killed::marked;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    collections::BTreeSet,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The scheduler of this computer has no say in a run: all times and waves are the same, under load, and with
/// another environment.
#[test]
fn every_run_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let numbers: Vec<usize> = (0..12).collect();
    let runs = std::sync::Mutex::new(BTreeSet::new());
    let errors = each(&numbers, |number| {
        let vcd = folder.path().join(format!("{number}.vcd"));
        let options = format!("--report --vcd {}", vcd.display());
        let mut command = ring_command(&options, 3, &["histogram", "200"]);
        command.env("LONG", "x".repeat(100 * number));
        let (code, out, err) = output(&mut command, "");
        let err: String = err.lines().filter(|line| line.starts_with('|')).collect();
        let waves = std::fs::read(&vcd).map_err(|e| e.to_string())?;
        runs.lock().unwrap().insert((code, out, err, waves));
        Ok(())
    });
    assert!(errors.is_empty(), "{errors:?}");
    let runs = runs.into_inner().unwrap();
    assert_eq!(runs.len(), 1);
    assert!(runs.iter().all(|run| run.0 == 0 && run.2.contains("| 2 |") && run.3.len() > 1000));
}

/// Nothing of the library is on the stacks of the threads: it would travel, and take a time that depends on how the
/// library was built.
#[test]
fn the_library_leaves_nothing_on_the_stacks() {
    let program = ["leftovers", "libawgstar_openmp"];
    assert_eq!(same("--machine gen1", 4, &program), Ok(()));
    // The program looks for its own name, and finds it: it sees what is there.
    let (code, out, _) = ring("--machine gen1", 4, &["leftovers", "/leftovers"]);
    let found = out.lines().filter(|line| line.starts_with("thread") && !line.ends_with(": 0"));
    assert!(code == 0 && found.count() == 4, "{code} {out}");
}

/// DRV-10: through AXI4 commits and logs go as bursts. Results have the bits of libgomp, and come sooner.
#[test]
fn commits_go_as_bursts() {
    let program = ["jacobi", "16", "4"];
    assert_eq!(same("--port axi4", 3, &program), Ok(()));
    let time = |port: &str| {
        let (code, _, err) = ring(&format!("--json --port {port}"), 3, &program);
        let report: serde_json::Value = serde_json::from_str(&err).unwrap();
        assert_eq!(code, 0, "{err}");
        report["end_ns"].as_u64().unwrap_or_else(|| panic!("{report}"))
    };
    let (burst, words) = (time("axi4"), time("axi4-lite"));
    assert!(5 * burst < 4 * words, "{burst} ns, and word by word {words} ns");
}

/// Each construct takes the same time on the ring in each of several runs.
#[test]
#[ignore = "half a minute: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn every_construct_takes_the_same_time_each_time() {
    let errors = each(&cases("constructs"), |case| {
        let run = || ring("--machine gen1 --report", 4, &["constructs", case]);
        let first = run();
        let same = (0..5).all(|_| run() == first);
        if same { Ok(()) } else { Err(case.clone()) }
    });
    assert!(errors.is_empty(), "{errors:?}");
    let runs: BTreeSet<_> =
        (0..30).map(|_| ring("--machine gen1 --report", 4, &["pipeline"])).collect();
    assert_eq!(runs.len(), 1, "{runs:#?}");
}

/// What threads share travels as data frames: each node writes and reads it on the ring, and without those
/// bytes the result would be another.
#[test]
fn data_travels_over_the_ring() {
    for machine in ["ring", "gen1"] {
        let options = format!("--machine {machine} --report");
        let (code, _, err) = ring(&options, 4, &["matmul", "16"]);
        assert_eq!(code, 0, "{err}");
        assert!(err.contains("all replicas are equal"), "{err}");
        for node in 0..4 {
            let row = err.lines().find(|line| line.starts_with(&format!("| {node} |"))).unwrap();
            let cells: Vec<f64> =
                row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
            // The matrices have 3 × 2048 bytes; a node writes its quarter of each and reads the rest.
            assert!(cells[3] > 3.0 * 512.0 && cells[2] > 3.0 * 1536.0 / 2.0, "{machine}: {row}");
        }
    }
}

/// Numbers of the lines of a report that begin with `name` or, without one, with a node.
fn rows(report: &str, name: Option<&str>) -> Vec<Vec<f64>> {
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect();
    let lines = report.lines().filter(|line| line.starts_with('|')).map(cells);
    let lines = lines.filter(|cells: &Vec<String>| match name {
        Some(name) => cells[1] == name,
        None => cells[1].parse::<usize>().is_ok(),
    });
    lines.map(|cells| cells.iter().filter_map(|cell| cell.parse().ok()).collect()).collect()
}

/// Causes of traffic, as a report names them.
const CAUSES: [&str; 8] = [
    "command",
    "heads of logs",
    "loops",
    "lock words",
    "data at barriers",
    "data under locks",
    "data of atomics",
    "data at flushes",
];

/// The library counts bytes by cause, the command counts them by node: the sums are the same.
#[test]
fn traffic_has_a_cause() {
    for (program, arguments, causes) in [
        ("histogram", "200", &[0, 1, 4, 5, 6][..]),
        ("pipeline", "3", &[0, 1, 2, 3, 4, 5]),
        ("mandelbrot", "8", &[0, 1, 2, 4]),
    ] {
        let (code, _, err) = ring("--machine gen1 --report", 3, &[program, arguments]);
        assert_eq!(code, 0, "{err}");
        let nodes = rows(&err, None);
        let found: Vec<Vec<f64>> =
            CAUSES.iter().flat_map(|cause| rows(&err, Some(cause))).collect();
        let sum = |of: &[Vec<f64>], at: usize| of.iter().map(|row| row[at]).sum::<f64>();
        assert_eq!(nodes.len(), 3, "{err}");
        // Node, calls, bytes read, bytes written; reads, bytes read, writes, bytes written.
        let both = [(2, 1), (3, 3)].map(|(node, cause)| (sum(&nodes, node), sum(&found, cause)));
        assert!(
            both.iter().all(|(node, cause)| (node - cause).abs() < 0.5 && *node > 0.0),
            "{both:?}\n{err}"
        );
        let with: Vec<usize> =
            (0..CAUSES.len()).filter(|&at| !rows(&err, Some(CAUSES[at])).is_empty()).collect();
        assert_eq!(with, causes, "{program}: {err}");
    }
}

/// A program that says what it does: 1000 and 2000 basic blocks, five stores and a load in each thread.
#[test]
fn hooks_count_blocks_loads_and_stores() {
    for machine in ["ring", "gen1"] {
        let run = |options: &str| {
            let (code, _, err) =
                ring(&format!("--machine {machine} --report {options}"), 2, &["hooks"]);
            assert_eq!(code, 0, "{err}");
            assert!(err.contains("all replicas are equal"), "{err}");
            err
        };
        let computing = |report: &str| rows(report, None).iter().map(|r| r[8]).collect::<Vec<_>>();
        let plain = run("");
        assert_eq!(computing(&plain), [0.0, 0.0]);
        let accesses = [[2.0, 8.0, 10.0, 40.0]];
        assert_eq!(rows(&plain, Some("loads and stores")), accesses);
        let charged = computing(&run("--compute counted:50"));
        // The ring's cycle is 15 ns.
        let off = [charged[0] - 50.0, charged[1] - 100.0];
        assert!(off.iter().all(|off| (0.0..0.015).contains(off)), "{machine}: {charged:?}");
    }
}

/// The study gives the rows in `docs/study`, with any build of the library.
#[test]
#[ignore = "half a minute: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn the_study_gives_the_rows_of_the_documents() {
    built();
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_awgstar"))
        .args(["study", "openmp", "--nodes", "2", "--out"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    for (name, keys, rows) in [
        ("openmp.csv", &["program", "machine", "nodes"][..], 20),
        ("openmp-traffic.csv", &["program", "machine", "nodes", "cause"], 50),
        ("openmp-speed-up.csv", &["program", "machine", "nodes", "block_ns"], 144),
        ("openmp-stores.csv", &["program", "machine", "nodes", "stores"], 16),
    ] {
        let read = |path: PathBuf| -> Vec<Vec<(String, String)>> {
            let text = std::fs::read_to_string(path).unwrap();
            let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
            let names: Vec<String> = lines.next().unwrap().collect();
            lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
        };
        let committed = read(root().join("docs/study").join(name));
        let found = read(folder.path().join(name));
        assert!(found.len() >= rows, "{name}: {} rows", found.len());
        for row in found {
            let is_key = |(column, _): &&(String, String)| keys.contains(&column.as_str());
            let key: Vec<_> = row.iter().filter(is_key).collect();
            let same =
                committed.iter().find(|one| one.iter().filter(is_key).collect::<Vec<_>>() == key);
            let same = same.unwrap_or_else(|| panic!("not in {name}: {key:?}"));
            for ((column, here), (_, there)) in row.iter().zip(same) {
                if let (true, Ok(here), Ok(there)) =
                    (column == "end_us", here.parse::<f64>(), there.parse::<f64>())
                {
                    assert!((here - there).abs() < 1e-6, "{name}: {key:?}: {here}, not {there}");
                }
            }
        }
    }
}

/// Computing takes time on the ring if it is measured.
#[test]
fn computing_is_measured() {
    let end = |options: &str| {
        let (code, _, err) = ring(options, 2, &["pi", "2000000"]);
        assert_eq!(code, 0, "{err}");
        let row = err.lines().find(|line| line.starts_with("| 0 |")).unwrap();
        row.trim_end_matches(" |").rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let told = end("--machine gen1 --report");
    let measured = end("--machine gen1 --report --compute measured:100");
    assert!(measured > told + 1000.0, "{told} and {measured} us");
}

/// Kills a process; false if it had ended. A signal to a process that has ended is no error until its parent
/// has waited for it, so it is stopped first: only one that lives can be.
fn kill_living(process: u32) -> bool {
    let Some(pid) = Pid::from_raw(process.cast_signed()) else { return false };
    if kill_process(pid, Signal::STOP).is_err() {
        return false;
    }
    loop {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
        match state {
            Some('T') => return kill_process(pid, Signal::KILL).is_ok(),
            None | Some('Z' | 'X') => return false,
            Some(_) => thread::sleep(Duration::from_micros(100)),
        }
    }
}

/// Which process is killed, and when.
#[derive(Clone, Copy)]
enum Kill {
    /// One of all, some time after the start.
    Late,
    /// The newest, as soon as there are so many: it may not have said that it exists.
    Born(usize),
}

/// A process that is killed at any moment ends the run, and nothing is left.
fn kill_one(number: u64, kill: Kill) -> Result<(), String> {
    let mark = format!("AWGSTAR_TEST_MARK={}-{number}", std::process::id());
    // It does not end by itself: a process that has left may be killed, and the run is good.
    let mut command = ring_command("--machine gen1", 4, &["cg", "256", "1000000"]);
    let (name, value) = mark.split_once('=').unwrap();
    let mut child = command
        .env(name, value)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    if matches!(kill, Kill::Late) {
        thread::sleep(Duration::from_micros(20_000 + number * 7919 % 80_000));
    }
    // On a computer with much to do the processes begin later.
    let begin = Instant::now();
    let mut killed = false;
    while !killed && begin.elapsed() < Duration::from_secs(20) {
        let all = marked(&mark);
        let mut others: Vec<u32> = all.into_iter().filter(|&pid| pid != child.id()).collect();
        others.sort_unstable();
        let index = match kill {
            Kill::Late => usize::try_from(number).unwrap_or(0) % others.len().max(1),
            Kill::Born(least) if others.len() < least => continue,
            Kill::Born(_) => others.len() - 1,
        };
        killed = others.get(index).is_some_and(|&pid| kill_living(pid));
    }
    let start = Instant::now();
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            let _ = child.kill();
            return Err(format!("run {number} hangs"));
        }
        thread::sleep(Duration::from_millis(2));
    }
    // What was killed with its group may take a moment to end.
    let mut left = marked(&mark);
    while !left.is_empty() && start.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(5));
        left = marked(&mark);
    }
    let code = child.wait().map_err(|e| e.to_string())?.code();
    match (killed, code, left.is_empty()) {
        (true, Some(1..), true) => Ok(()),
        _ => Err(format!("run {number}: killed {killed}, exit code {code:?}, leaves {left:?}")),
    }
}

#[test]
fn a_process_killed_at_any_moment_ends_the_run() {
    let _ = built();
    let errors = each(&(0..12).collect::<Vec<u64>>(), |&number| kill_one(number, Kill::Late));
    assert!(errors.is_empty(), "{errors:#?}");
}

/// The launcher did not know of such a process, and waited for it without end.
#[test]
fn a_process_killed_at_its_birth_ends_the_run() {
    let _ = built();
    let errors = each(&(1000..1024).collect::<Vec<u64>>(), |&number| {
        let least = 2 + usize::try_from(number % 3).unwrap();
        kill_one(number, Kill::Born(least))
    });
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
#[ignore = "half a minute: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn a_process_killed_at_a_hundred_moments_ends_the_run() {
    let _ = built();
    let errors = each(&(100..200).collect::<Vec<u64>>(), |&number| kill_one(number, Kill::Late));
    assert!(errors.is_empty(), "{errors:#?}");
}
