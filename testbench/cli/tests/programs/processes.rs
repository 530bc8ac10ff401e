// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes that go wrong, signals, and runs side by side.

use super::{command, result, run};
use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A process that goes wrong is named with its last call, and the others end.
#[test]
fn processes_that_go_wrong() {
    for (mode, expected, exit) in [
        ("crash", "node 2: signal 11 (segmentation fault), after its call `init`", 139),
        ("exit", "node 2: exit code 3, after its call `init`", 3),
        ("hold", "node 2: ended while it holds lock 5", 4),
        ("leave", "node 2: ended without awg_finalize, after its call `init`", 4),
        (
            "skip",
            "no call can end: node 0 waits at the barrier, node 1 waits at the barrier, node 2 has ended",
            4,
        ),
    ] {
        for machine in ["ring", "gen1"] {
            let (code, out, err) = run(&["-n", "3", "--machine", machine, "--", "@wrong", mode]);
            assert!(err.contains(expected), "{mode}, {machine}: {err}");
            for node in 0..2 {
                assert!(out.contains(&format!("node {node}: the run is over")), "{mode}: {out}");
            }
            assert_eq!(code, exit, "{mode}, {machine}: {err}");
        }
    }
}

/// A process of a run cannot start a run: both would answer its calls. Two runs side by side can.
#[test]
fn runs_within_runs_and_side_by_side() {
    let awgstar = env!("CARGO_BIN_EXE_awgstar");
    let inner = ["-n", "2", "--", awgstar, "run", "-n", "2", "--", "true"];
    let (code, _, err) = run(&inner);
    assert!(code == 2 && err.contains("a run within a run is not possible"), "{code} {err}");
    thread::scope(|scope| {
        let runs: Vec<_> =
            (0..2).map(|_| scope.spawn(|| run(&["-n", "3", "--", "@counter", "9"]))).collect();
        for run in runs {
            let (code, out, err) = run.join().unwrap();
            assert!(code == 0 && out.contains("node 2: 27 and 54"), "{out}{err}");
        }
    });
}

/// Process numbers that the processes of `sleep` print.
fn pids(out: &mut impl BufRead, count: usize) -> Vec<String> {
    let mut pids = Vec::new();
    for line in out.lines() {
        let line = line.unwrap();
        pids.extend(line.strip_prefix("pid ").map(str::to_owned));
        if pids.len() == count {
            break;
        }
    }
    pids
}

pub(super) fn kill(signal: &str, pid: &str) {
    let line = format!("kill {signal} {pid} 2>/dev/null");
    Command::new("sh").args(["-c", &line]).status().unwrap();
}

fn gone(pid: &str) -> bool {
    let end = Instant::now() + Duration::from_secs(20);
    while Instant::now() < end {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Nothing is left when a signal ends the command.
#[test]
fn a_signal_ends_everything() {
    for signal in ["-INT", "-TERM"] {
        let mut child = command(&["-n", "3", "--", "@wrong", "sleep"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let pids = pids(&mut out, 3);
        assert_eq!(pids.len(), 3);
        kill(signal, &child.id().to_string());
        // A caller that ignores SIGINT, such as a script's background, hands that down: a failure, not a hang.
        let end = Instant::now() + Duration::from_secs(60);
        while child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < end, "{signal} is ignored");
            thread::sleep(Duration::from_millis(1));
        }
        assert!(!child.wait().unwrap().success());
        for pid in pids {
            assert!(gone(&pid), "{signal}: process {pid} is left");
        }
    }
}

/// The processes that a run has started.
fn children(parent: u32) -> Vec<String> {
    let found = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    found.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// A process killed at any moment never hangs a run.
#[test]
fn kills_at_many_moments() {
    for moment in 0..100u64 {
        let mut child = command(&["-n", "3", "--", "@wrong", "work"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let end = Instant::now() + Duration::from_secs(60);
        let victims = loop {
            let victims = children(child.id());
            if victims.len() == 3 {
                break victims;
            }
            assert!(Instant::now() < end, "moment {moment}: the processes do not start");
        };
        // From before the first call to well within the work, which takes seconds.
        thread::sleep(Duration::from_micros(moment * 977 % 40_000));
        kill("-KILL", &victims[usize::try_from(moment % 3).unwrap()]);
        while child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < end, "moment {moment} hangs");
            thread::sleep(Duration::from_millis(1));
        }
        let (code, _, err) = result(&child.wait_with_output().unwrap());
        assert!(code == 137 && err.contains("signal 9 (kill)"), "moment {moment}: {code} {err}");
    }
}
