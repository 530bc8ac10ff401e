// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs: the same each time, over the ring, and without anything left behind.

use super::{built, cases, each, output, ring, ring_command};
use std::{
    collections::BTreeSet,
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

/// Processes with this mark in their environment.
fn processes(mark: &str) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let marked = |path: &std::path::Path| {
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        environment.windows(mark.len()).any(|part| part == mark.as_bytes())
    };
    let marked = entries.filter(|entry| marked(&entry.path()));
    marked.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// A process that is killed at any moment ends the run, and nothing is left.
fn kill_one(number: u64) -> Result<(), String> {
    let mark = format!("AWGSTAR_TEST_MARK={}-{number}", std::process::id());
    let mut command = ring_command("--machine gen1", 4, &["cg", "256", "300"]);
    let (name, value) = mark.split_once('=').unwrap();
    let mut child = command
        .env(name, value)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    thread::sleep(Duration::from_micros(20_000 + number * 7919 % 80_000));
    // On a computer with much to do the processes begin later.
    let begin = Instant::now();
    let mut killed = false;
    while !killed && begin.elapsed() < Duration::from_secs(20) {
        let all = processes(&mark);
        let others: Vec<u32> = all.into_iter().filter(|&pid| pid != child.id()).collect();
        let index = usize::try_from(number).unwrap_or(0) % others.len().max(1);
        let kill = |pid: &u32| {
            Command::new("kill").args(["-9", &pid.to_string()]).stderr(Stdio::null()).status()
        };
        killed = others.get(index).is_some_and(|pid| kill(pid).is_ok_and(|how| how.success()));
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
    let mut left = processes(&mark);
    while !left.is_empty() && start.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(5));
        left = processes(&mark);
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
    let errors = each(&(0..12).collect::<Vec<u64>>(), |&number| kill_one(number));
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
#[ignore = "half a minute: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn a_process_killed_at_a_hundred_moments_ends_the_run() {
    let _ = built();
    let errors = each(&(100..200).collect::<Vec<u64>>(), |&number| kill_one(number));
    assert!(errors.is_empty(), "{errors:#?}");
}
