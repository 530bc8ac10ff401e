// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes that go wrong, signals, and runs side by side.

use super::{command, run};
use crate::killed::{children, leaves_nothing};
use crate::started::{LONG, Started};
use std::{
    io::{BufRead, BufReader, Read},
    process::Command,
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
        for machine in ["ring", "gen1", "cluster"] {
            let (code, out, err) = run(&["-n", "3", "--machine", machine, "--", "@wrong", mode]);
            assert!(err.contains(expected), "{mode}, {machine}: {err}");
            for node in 0..2 {
                assert!(out.contains(&format!("node {node}: the run is over")), "{mode}: {out}");
            }
            assert_eq!(code, exit, "{mode}, {machine}: {err}");
        }
    }
}

/// What a process does after `awg_finalize` takes the time it takes: it was killed after two seconds, without a word. (A
/// program that compared its results took so long on a busy computer.)
#[test]
fn work_after_the_end_of_a_run() {
    let expected = (0, "done\ndone\n".into(), String::new());
    assert_eq!(run(&["-n", "2", "--", "@wrong", "afterwards"]), expected);
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
        let mut child = Started::with_signals(&command(&["-n", "3", "--", "@wrong", "sleep"]));
        let mut out = BufReader::new(child.0.stdout.take().unwrap());
        let pids = pids(&mut out, 3);
        assert_eq!(pids.len(), 3);
        kill(signal, &child.0.id().to_string());
        assert!(!child.wait().success());
        for pid in pids {
            assert!(gone(&pid), "{signal}: process {pid} is left");
        }
    }
}

/// A process killed at any moment never hangs a run.
#[test]
fn kills_at_many_moments() {
    let name = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/comm"));
    for moment in 0..100u64 {
        let mut child = Started::new(&mut command(&["-n", "3", "--", "@wrong", "work"]));
        let end = Instant::now() + LONG;
        let victims = loop {
            let mut victims = children(child.0.id());
            victims.retain(|pid| name(pid).is_ok_and(|name| name.trim() == "wrong"));
            if victims.len() == 3 {
                break victims;
            }
            assert!(Instant::now() < end, "moment {moment}: the processes do not start");
        };
        // From before the first call to well within the work, which takes seconds.
        thread::sleep(Duration::from_micros(moment * 977 % 40_000));
        kill("-KILL", &victims[usize::try_from(moment % 3).unwrap()].to_string());
        let code = child.wait().code();
        let mut err = String::new();
        child.0.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let killed = code == Some(137) && err.contains("signal 9 (kill)");
        assert!(killed, "moment {moment}: {code:?} {err}");
    }
}

/// Processes that wait in a call, in a system call or for nothing, and those that a program of the run has started.
#[test]
fn a_killed_command_leaves_nothing() {
    let wrong = super::program("wrong");
    let sleeps = format!("'{0}' sleep; true", wrong.display());
    let works = format!("sh -c \"'{0}' work; true\"; true", wrong.display());
    let all: [&[&str]; 6] = [
        &["-n", "3", "--", "@wrong", "sleep"],
        &["-n", "3", "--", "@wrong", "work"],
        &["-n", "2", "--", "sh", "-c", "while :; do :; done"],
        &["-n", "2", "--", "sh", "-c", &sleeps],
        &["-n", "2", "--machine", "gen1", "--", "sh", "-c", &works],
        &["-n", "2", "--", "@block", "1000000", "1000"],
    ];
    for number in 0..18_u64 {
        // From before the first process to the midst of their work.
        let moment = Duration::from_micros(number * 7919 % 60_000 + number / 9 * 100_000);
        let args = all[usize::try_from(number).unwrap() % all.len()];
        leaves_nothing(&mut command(args), number, moment);
    }
}
