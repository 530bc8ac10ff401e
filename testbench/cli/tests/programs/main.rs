// SPDX-License-Identifier: MIT OR Apache-2.0
//! C programs on a modelled ring: results, order, errors, and processes that go wrong.

use assert_cmd::cargo::CommandCargoExt;
use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The programs, compiled with the static library.
fn program(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("programs");
        std::fs::create_dir_all(&folder).unwrap();
        // With the tests, so that nothing is compiled twice.
        let built = Path::new(env!("CARGO_BIN_EXE_awgstar")).parent().unwrap();
        let cargo = Command::new(env!("CARGO"))
            .current_dir(root())
            .args([
                "build",
                "--workspace",
                "--lib",
                "--tests",
                "--quiet",
                "--locked",
                "--target-dir",
            ])
            .arg(built.parent().unwrap())
            .status()
            .unwrap();
        assert!(cargo.success());
        let sources = ["model/capi/examples", "testbench/cli/tests/programs"];
        for name in ["pi", "counter", "halo", "wrong"] {
            let source = sources.iter().map(|s| root().join(s).join(name).with_extension("c"));
            let compiled = Command::new("cc")
                .args(["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1", "-I"])
                .arg(root().join("model/capi/include"))
                .args(source.filter(|s| s.exists()))
                .arg(built.join("libawgstar.a"))
                .args(["-lm", "-lpthread", "-ldl", "-o"])
                .arg(folder.join(name))
                .status()
                .unwrap();
            assert!(compiled.success(), "{name}");
        }
        folder
    });
    folder.join(name)
}

/// Runs `awgstar run` with these arguments; `@NAME` is a program of ours.
fn run(args: &[&str]) -> (i32, String, String) {
    let output = command(args).stdin(Stdio::null()).output().unwrap();
    result(&output)
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("awgstar").unwrap();
    command.arg("run");
    for arg in args {
        match arg.strip_prefix('@') {
            Some(name) => command.arg(program(name)),
            None => command.arg(arg),
        };
    }
    command
}

fn result(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_examples_find_their_results() {
    for nodes in ["2", "4", "7"] {
        let (code, out, err) = run(&["-n", nodes, "--", "@pi", "20000"]);
        assert!(code == 0 && out.starts_with("pi is about 3.14159"), "{out}{err}");
        let (code, out, err) = run(&["-n", nodes, "--", "@halo", "12"]);
        assert!(code == 0 && out.starts_with("sum 1000000 "), "{out}{err}");
    }
}

/// No update is lost, with every pair of protocols.
#[test]
fn counters_under_every_lock_and_barrier() {
    for lock in ["queue", "distributed", "master-worker"] {
        for barrier in ["ring", "distributed", "master-worker"] {
            for order in ["sent", "confirmed"] {
                let options = ["--lock", lock, "--barrier", barrier, "--order", order];
                let args = [&["-n", "3"], &options[..], &["--", "@counter", "5"]].concat();
                let (code, out, err) = run(&args);
                assert_eq!(code, 0, "{options:?} {out}{err}");
                let lines: BTreeSet<&str> = out.lines().collect();
                let expected = ["node 0: 15 and 30", "node 1: 15 and 30", "node 2: 15 and 30"];
                assert_eq!(lines, BTreeSet::from(expected), "{options:?}");
            }
        }
    }
}

/// The scheduler of this computer has no say in a run: the same report of all times, 50 times under load.
#[test]
fn every_run_is_the_same() {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let runs: BTreeSet<_> =
            (0..50).map(|_| run(&["-n", "4", "--report", "--", "@halo", "3"])).collect();
        stop.store(true, Ordering::Relaxed);
        assert_eq!(runs.len(), 1, "{runs:#?}");
        assert!(
            runs.iter()
                .all(|(code, out, err)| *code == 0 && out.contains("sum") && err.contains("| 3 |"))
        );
    });
}

#[test]
fn different_programs_and_their_input_and_output() {
    let (code, out, err) =
        run(&["-n", "1", "--prefix", "--", "@pi", "99", ":", "-n", "2", "@pi", "99"]);
    assert!(code == 0 && out.starts_with("[0] pi is about 3.14"), "{out}{err}");
    let mut child = command(&["-n", "2", "--", "@wrong", "input"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"a line\n").unwrap();
    let (code, out, _) = result(&child.wait_with_output().unwrap());
    assert_eq!((code, out.as_str()), (0, "got a line\n"));
    // A program that never joins the ring is no fault of the ring.
    let (code, ..) = run(&["-n", "2", "--", "true"]);
    assert_eq!(code, 0);
}

#[test]
fn every_error_has_a_code_and_a_text() {
    let (code, out, err) = run(&["-n", "3", "--", "@wrong", "errors"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    assert!(Command::new(program("wrong")).arg("alone").status().unwrap().success());
    let (_, texts, _) = result(&Command::new(program("wrong")).arg("texts").output().unwrap());
    let texts: Vec<&str> = texts.lines().collect();
    assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), 18, "{texts:?}");
    assert!(texts[17].contains("not an error code"));
    // C++ takes it.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.cpp");
    std::fs::write(&file, "#include <awgstar.h>\nint main() { return awg_init(); }\n").unwrap();
    let cpp = Command::new("c++")
        .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"])
        .arg(root().join("model/capi/include"))
        .arg(&file)
        .status()
        .unwrap();
    assert!(cpp.success());
}

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

/// The same program gives the same memory on every machine.
#[test]
fn what_programs_do_is_right_on_every_machine() {
    for machine in ["ring", "gen1"] {
        for mode in ["errors", "posted", "fork", "handler"] {
            let result = run(&["-n", "3", "--machine", machine, "--", "@wrong", mode]);
            assert_eq!(result, (0, String::new(), String::new()), "{mode}, {machine}");
        }
        let (code, out, err) = run(&["-n", "4", "--machine", machine, "--", "@halo", "7"]);
        assert!(code == 0 && out.starts_with("sum 1000000 after 7 steps, "), "{out}{err}");
        let (code, out, err) = run(&["-n", "2", "--machine", machine, "--", "@counter", "5"]);
        assert!(code == 0 && out.contains("node 0: 10 and 20"), "{out}{err}");
    }
}

/// A ring from a file: its faults are there, and programs survive those that firmware repairs.
#[test]
fn a_ring_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let with = |text: &str, args: &[&str]| {
        let file = folder.path().join("ring.toml");
        std::fs::write(&file, text).unwrap();
        run(&[&["--ring", file.to_str().unwrap()], args].concat())
    };
    let base = "system = \"board-ring\"\nnodes = 3\nfibre_m = 10\n";
    let lock = "[primitives]\nlock = \"distributed\"\n";
    let reported = ["-n", "3", "--report", "--", "@counter", "5"];
    let (code, plain, report) = with(&format!("{base}{lock}"), &reported);
    assert_eq!(code, 0, "{report}");
    let noise = format!("{base}noise = 2e-5\nseed = 7\n{lock}");
    let (code, faulty, err) = with(&noise, &reported);
    assert!(code == 0 && err.starts_with("ring, lock distributed"), "{err}");
    assert_eq!(faulty.lines().collect::<BTreeSet<_>>(), plain.lines().collect::<BTreeSet<_>>());
    assert_ne!(err, report, "no fault met the run");
    let cut = format!("{base}[[cut]]\nlink = 1\nfrom = 30_000\n");
    let (code, out, err) = with(&cut, &["-n", "3", "--", "@wrong", "refused"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    for (text, expected) in [
        (format!("{base}cycles = 18_000\n"), "error: the limit of cycles is reached"),
        (base.replace('3', "4"), "--ring has 4 nodes: expected 3, one for each process"),
        (format!("{base}[[program]]\nnodes = 0\n"), "ring.toml:4:1: program: not in the file"),
        ("system = \"paging\"\n".into(), "system is `paging`"),
    ] {
        let (code, _, err) = with(&text, &["-n", "3", "--", "@counter", "500"]);
        assert!(code != 0 && err.contains(expected), "{code} {err}");
    }
}

/// Files of a run: the same bytes in every run, and what is in them.
#[test]
fn waves_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    for (machine, scope) in [("ring", "barrier_state"), ("gen1", "process")] {
        let mut runs = BTreeSet::new();
        for number in ["1", "2"] {
            let at = |name: &str| folder.path().join(machine).join(number).join(name);
            let (vcd, report) = (at("run.vcd"), at("report"));
            let files = ["--vcd", vcd.to_str().unwrap(), "--report", report.to_str().unwrap()];
            let args = [&["-n", "3", "--machine", machine], &files[..], &["--", "@halo", "4"]];
            let (code, _, err) = run(&args.concat());
            assert!(code == 0 && err.contains("all replicas are equal"), "{err}");
            assert!(err.contains("report.html"), "{err}");
            let read = |path: PathBuf| std::fs::read_to_string(path).unwrap();
            let html = read(report.join("report.html"));
            assert!(html.contains("<svg") && html.contains("Longest waits"), "{html}");
            // A lane for each process, and the barrier in it.
            let svg = read(report.join("timeline.svg"));
            assert!(svg.contains(">node 2<") && svg.contains("barrier: "), "{svg}");
            let text = read(report.join("report.txt"));
            assert!(text.contains("| 2 | barrier |"), "{text}");
            assert!(read(vcd.clone()).contains(scope));
            runs.insert((read(vcd), read(at("run.gtkw")), svg, text));
        }
        assert_eq!(runs.len(), 1, "{machine}");
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

#[test]
fn wrong_usage() {
    for (args, expected) in [
        (&["-n", "1", "--", "@wrong", "none"][..], "nodes: expected 2 to 256, found 1"),
        (&["-n", "0", "--", "@wrong", "none"], "-n is 0: expected 1 node or more"),
        (&["-n", "257", "--", "@wrong", "none"], "found more than 256"),
        (&["-n", "2", "--", "./no such program"], "program `./no such program`"),
        (
            &["-n", "2", "--lock", "none", "--", "@wrong"],
            "--lock is `none`: expected master-worker",
        ),
        (&["-n", "2", "--", "@wrong", ":", "@wrong"], "after `:`: expected -n N PROGRAM"),
        (&["-n", "2", "--", "@wrong", ":", "-n", "x", "@wrong"], "-n is `x`"),
        (
            &["-n", "2", "--machine", "tape", "--", "@wrong"],
            "--machine is `tape`: expected ring, gen1",
        ),
        (
            &["-n", "2", "--machine", "gen1", "--lock", "queue", "--", "@wrong"],
            "--lock: generation 1 has only its own protocol",
        ),
        (&["-n", "33", "--machine", "gen1", "--", "@wrong"], "nodes is 33"),
        (&["-n", "2", "--ring", "no.toml", "--", "@wrong"], "no.toml"),
        (&["-n", "2", "--", "@wrong", ":", "-n", "1"], "expected a program"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
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

fn kill(signal: &str, pid: &str) {
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
