// SPDX-License-Identifier: MIT OR Apache-2.0
//! C programs on a modelled ring: results, order, errors, and processes that go wrong.

#[path = "../common/killed.rs"]
mod killed;
#[path = "../common/libraries.rs"]
mod libraries;
#[path = "../repository/wireshark/tshark.rs"]
mod tshark;

mod armci;
mod capture;
mod cluster;
mod clusters;
mod counted;
#[path = "../../../../model/test_support/document.rs"]
mod document;
mod fdsm;
#[path = "../common/html.rs"]
mod html;
mod library;
mod machine;
mod onesided;
mod page;
mod port;
mod processes;
mod recorded;
mod replica;
mod rfm2g;
mod rings;
mod shmem;
mod signals;
mod stall;
#[path = "../common/started.rs"]
mod started;

use assert_cmd::cargo::CommandCargoExt;
use libraries::built;
use std::{
    collections::BTreeSet,
    io::{Read as _, Write},
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

/// Compiles a program in C with the static library `lib{library}.a` of the crate `model/{of}`; with `more` flags
/// into a folder `{under}`.
fn link(source: &Path, of: &str, library: &str, more: &[&str], under: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("programs").join(under);
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(source.file_stem().unwrap());
    let flags = ["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off"];
    let compiled = Command::new("cc")
        .args(flags)
        .args(more)
        .arg("-I")
        .arg(root().join("model").join(of).join("include"))
        .arg(source)
        .arg(built().join(format!("lib{library}.a")))
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&program)
        .status()
        .unwrap();
    assert!(compiled.success(), "{}", source.display());
    program
}

/// A program, compiled once.
fn program(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        let examples =
            ["pi", "counter", "halo", "allreduce", "mandelbrot", "producer", "bandwidth", "lu"];
        for name in examples {
            let source = root().join("model/capi/examples").join(name).with_extension("c");
            link(&source, "capi", "awgstar", &[], "");
        }
        for name in ["wrong", "replica", "far"] {
            let source = root().join("testbench/cli/tests/programs").join(name).with_extension("c");
            link(&source, "capi", "awgstar", &[], "");
        }
        for name in armci::EXAMPLES {
            let source = root().join("model/armci/examples").join(name).with_extension("c");
            link(&source, "armci", "awgstar_armci", &[], "");
        }
        for name in shmem::EXAMPLES {
            let source = root().join("model/shmem/examples").join(name).with_extension("c");
            link(&source, "shmem", "awgstar_shmem", shmem::FLAGS, "shmem");
        }
        for name in fdsm::EXAMPLES {
            let source = root().join("model/fdsm/examples").join(name).with_extension("c");
            link(&source, "fdsm", "awgstar_fdsm", &[], "fdsm");
        }
        for name in rfm2g::EXAMPLES {
            let source = root().join("model/rfm2g/examples").join(name).with_extension("c");
            link(&source, "rfm2g", "rfm2g", &[], "");
        }
        let tests = root().join("testbench/cli/tests/programs");
        for name in ["flush.c", "windows.c"] {
            link(&tests.join(name), "rfm2g", "rfm2g", &[], "");
        }
        for name in ["armci.c", "armci_wrong.c", "puts.c"] {
            link(&tests.join(name), "armci", "awgstar_armci", &[], "");
        }
        for name in ["shmem.c", "shmem_wrong.c"] {
            link(&tests.join(name), "shmem", "awgstar_shmem", shmem::FLAGS, "shmem");
        }
        for name in ["fdsm.c", "fdsm_wrong.c"] {
            link(&tests.join(name), "fdsm", "awgstar_fdsm", &[], "fdsm");
        }
        link(&tests.join("board.c"), "rfm2g", "rfm2g", &[], "").parent().unwrap().into()
    });
    // Names of examples may be those of another library's.
    folder.join(name)
}

/// A machine of so many nodes, with memory for the layer of one-sided programs and for the programs.
fn machine_of(name: &'static str, nodes: &'static str) -> Vec<&'static str> {
    let memory: &[&str] = if name == "ring" { &["--memory", "2M"] } else { &[] };
    [&["-n", nodes, "--machine", name], memory, &["--"]].concat()
}

/// The words of a run, with what it prints but times, which differ from machine to machine.
fn prints(machine: &[&str], words: &[&str]) -> String {
    let (code, out, err) = run(&[machine, words].concat());
    assert!(code == 0 && err.is_empty(), "{machine:?} {words:?}: {code} {out}{err}");
    without_times(&out)
}

/// A launcher of Debian's for so many processes. Its run has a limit: that library waits for itself now and then.
fn of_debian(launcher: &str, nodes: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "240", launcher, "--allow-run-as-root", "--oversubscribe"]);
    command.args(["-n", nodes]);
    command
}

fn without_times(out: &str) -> String {
    let lines: Vec<&str> = out.split('\n').filter(|line| !line.starts_with("time: ")).collect();
    lines.join("\n")
}

/// A wrong use: a word of the program, its exit code, and how the line of its error starts.
type Wrong = (&'static str, i32, &'static str);

/// The cases of a program of wrong use, in its source.
fn cases_of(source: &str) -> BTreeSet<&str> {
    let cases = source.split("strcmp(what, \"").skip(1).filter_map(|rest| rest.split('"').next());
    cases.filter(|&case| !["nothing", "work"].contains(&case)).collect()
}

/// Wrong use ends a run of three processes with the function and the argument, and never returns. `cases`: a word of the
/// program, its exit code, and a line of its errors, of which `says` is true, unless no line is expected.
fn wrong_uses(name: &str, start: &str, cases: &[Wrong], says: impl Fn(&str) -> bool) {
    wrong_uses_on(&[], name, start, cases, says);
}

/// As [`wrong_uses`], on a machine with these options.
fn wrong_uses_on(
    options: &[&str],
    name: &str,
    start: &str,
    cases: &[Wrong],
    says: impl Fn(&str) -> bool,
) {
    let at = format!("@{name}");
    let of = |case| run(&[options, &["-n", "3", "--memory", "1M", "--", &at, case]].concat());
    let file = format!("{}.c", name.rsplit('/').next().unwrap());
    let source = std::fs::read_to_string(root().join("testbench/cli/tests/programs").join(file));
    assert_eq!(cases_of(&source.unwrap()), cases.iter().map(|&(case, ..)| case).collect());
    for &(case, expected, text) in cases {
        let (code, out, err) = of(case);
        assert!(code == expected && out.is_empty(), "{case}: {code} {out}{err}");
        let said = err.lines().any(|line| line.starts_with(text) && says(line));
        assert!(text.is_empty() || said, "{case}: {err}");
    }
    // No case: the call returns, and the program ends well.
    assert_eq!(of("nothing"), (0, "nothing: it comes back\n".into(), String::new()));
    let alone = Command::new(program(name)).output().unwrap();
    let (code, _, err) = result(&alone);
    let expected = format!("{start}: not on a ring: start the program with");
    assert!(code == 1 && err.starts_with(&expected), "{err}");
}

/// Kills a process of a run at a few moments: the run ends with the signal. `words` is a program and its arguments.
fn killed_at_any_moment(words: &[&str]) {
    killed_on(&["ring", "gen1", "cluster"].map(|name| machine_of(name, "3")), words);
}

/// As [`killed_at_any_moment`], on these machines of three nodes in turn.
fn killed_on(machines: &[Vec<&str>], words: &[&str]) {
    let comm = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/comm"));
    let name = words[0].rsplit(['@', '/']).next().unwrap();
    for moment in 0..6_u64 {
        let turn = usize::try_from(moment).unwrap();
        let all = [&machines[turn % machines.len()], words].concat();
        let mut child = started::Started::new(&mut command(&all));
        let end = Instant::now() + started::LONG;
        let victims = loop {
            let mut victims = killed::children(child.0.id());
            victims.retain(|pid| comm(pid).is_ok_and(|comm| comm.trim() == name));
            if victims.len() == 3 {
                break victims;
            }
            assert!(Instant::now() < end, "moment {moment}: the processes do not start");
        };
        thread::sleep(Duration::from_micros(moment * 9754 % 60_000));
        let victim = victims[turn % victims.len()];
        processes::kill("-KILL", &victim.to_string());
        let code = child.wait().code();
        let mut err = String::new();
        child.0.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert!(
            code == Some(137) && err.contains("signal 9 (kill)"),
            "moment {moment}: {code:?} {err}"
        );
    }
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
    for nodes in ["1", "2", "4", "7"] {
        let (code, out, err) = run(&["-n", nodes, "--", "@pi", "20000"]);
        assert!(code == 0 && out.starts_with("pi is about 3.14159"), "{out}{err}");
        let (code, out, err) = run(&["-n", nodes, "--", "@allreduce", "32"]);
        assert!(code == 0 && out.starts_with(&format!("32 words on {nodes} nodes")), "{out}{err}");
        let (code, out, err) = run(&["-n", nodes, "--", "@halo", "12"]);
        assert!(code == 0 && out.starts_with("sum 1000000 "), "{out}{err}");
    }
}

/// No update is lost, with every pair of protocols.
#[test]
fn counters_under_every_lock_and_barrier() {
    for lock in ["queue", "engine", "distributed", "master-worker"] {
        let all = ["ring", "distributed", "master-worker"];
        for barrier in &all[..if lock == "engine" { 1 } else { 3 }] {
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

/// With the engine, firmware sends no message of lock 7 and of the barrier, only of the lock of `awg_fetch_add`.
#[test]
fn the_engine_takes_locks_and_barriers() {
    let folder = tempfile::tempdir().unwrap();
    let messages = |lock: &str, name: &str| {
        let file = folder.path().join(lock).with_extension("vcd").display().to_string();
        let (code, out, err) =
            run(&["-n", "3", "--lock", lock, "--report", "--vcd", &file, "--", "@counter", "20"]);
        assert!(code == 0 && out.contains("node 2: 60 and 120"), "{lock} {out}{err}");
        assert!(err.contains(&format!("ring, lock {lock}, barrier ring")), "{err}");
        std::fs::read_to_string(file).unwrap().matches(name).count()
    };
    for (name, least) in [("slock_queue_request", 60), ("slock_queue_pass", 60)] {
        let (firmware, engine) = (messages("queue", name), messages("engine", name));
        assert!(engine > least && 3 * engine < 2 * firmware, "{name}: {firmware} {engine}");
    }
    let barrier = "sbarrier_ring";
    assert!(messages("queue", barrier) > 0 && messages("engine", barrier) == 0);
}

/// Nanoseconds that `mandelbrot` prints, whose points have so many iterations in all.
fn mandelbrot(args: &[&str], iterations: &str) -> u64 {
    let (code, out, err) = run(args);
    let line = out.split_once(" iterations, ").filter(|(head, _)| head.ends_with(iterations));
    assert!(code == 0 && line.is_some(), "{out}{err}");
    line.unwrap().1.trim_end_matches(" ns\n").parse().unwrap()
}

/// The picture of the thesis as a C program on generation 1: the study's times to the nanosecond when rows are
/// written, which the study does not compute with the bytes themselves.
#[test]
fn the_mandelbrot_program_has_the_times_of_the_study() {
    let study = std::fs::read_to_string(root().join("docs/study/mandelbrot.csv")).unwrap();
    let column = |name| study.lines().next().unwrap().split(',').position(|c| c == name).unwrap();
    let (iterations, by_rows) = (column("iterations"), column("total_by_rows"));
    for nodes in ["1", "2", "4"] {
        let row = study.lines().find(|row| row.starts_with(&format!("observed,300,{nodes},")));
        let row: Vec<&str> = row.unwrap().split(',').collect();
        let args = ["-n", nodes, "--machine", "gen1", "--", "@mandelbrot", "300", "10000", "rows"];
        let found = mandelbrot(&[&args[..], &["2271"]].concat(), row[iterations]);
        assert_eq!(found.to_string(), row[by_rows], "{nodes} nodes");
    }
}

/// On the ring the times are within 1 % of the study's frame-level model. 3,000,000 words travel.
#[test]
#[ignore = "half a minute"]
fn the_mandelbrot_program_on_the_ring() {
    let sim = Command::cargo_bin("awgstar")
        .unwrap()
        .args(["sim", "--json"])
        .arg(root().join("docs/scenarios/mandelbrot.toml"))
        .output()
        .unwrap();
    let text = String::from_utf8(sim.stdout).unwrap();
    let total = text.split_once("\"total\":").unwrap().1.split_once('}').unwrap().0;
    let total: u64 = total.parse().unwrap();
    for writes in ["words", "rows"] {
        let args = ["-n", "4", "--memory", "16M", "--", "@mandelbrot", "120", "200", writes];
        let found = mandelbrot(&args, " 550109");
        assert!(100 * found.abs_diff(total) < total, "{writes}: {found} ns, study {total} ns");
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
    // A file for each.
    let folder = tempfile::tempdir().unwrap();
    for node in 0..2 {
        std::fs::write(folder.path().join(format!("in {node}")), format!("of {node}\n")).unwrap();
    }
    let files = folder.path().join("in {}");
    let (code, out, err) = run(&[
        "-n",
        "2",
        "--prefix",
        "--stdin",
        files.to_str().unwrap(),
        "--",
        "@wrong",
        "input",
        "all",
    ]);
    let lines: BTreeSet<&str> = out.lines().collect();
    assert_eq!((code, lines), (0, BTreeSet::from(["[0] got of 0", "[1] got of 1"])), "{err}");
    let (code, _, err) = run(&["-n", "2", "--stdin", "no file", "--", "@wrong", "none"]);
    assert!(code == 2 && err.contains("--stdin no file"), "{code} {err}");
    // A program that never joins the ring is no fault of the ring.
    let (code, ..) = run(&["-n", "2", "--", "true"]);
    assert_eq!(code, 0);
}

/// The same program gives the same memory on every machine.
#[test]
fn what_programs_do_is_right_on_every_machine() {
    for machine in ["ring", "gen1", "cluster"] {
        for mode in ["errors", "posted", "fork", "handler", "threads"] {
            let result = run(&["-n", "3", "--machine", machine, "--", "@wrong", mode]);
            assert_eq!(result, (0, String::new(), String::new()), "{mode}, {machine}");
        }
        let (code, out, err) = run(&["-n", "4", "--machine", machine, "--", "@halo", "7"]);
        assert!(code == 0 && out.starts_with("sum 1000000 after 7 steps, "), "{out}{err}");
        let (code, out, err) = run(&["-n", "2", "--machine", machine, "--", "@counter", "5"]);
        assert!(code == 0 && out.contains("node 0: 10 and 20"), "{out}{err}");
    }
}

/// Files of a run: the same bytes in every run, and what is in them.
#[test]
fn waves_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    for (machine, scope) in
        [("ring", "barrier_state"), ("gen1", "process"), ("cluster", "server_message")]
    {
        let mut runs = BTreeSet::new();
        for number in ["1", "2"] {
            let at = |name: &str| folder.path().join(machine).join(number).join(name);
            let (vcd, report) = (at("run.vcd"), at("report"));
            std::fs::create_dir_all(vcd.parent().unwrap()).unwrap();
            let files = ["--vcd", vcd.to_str().unwrap(), "--report", report.to_str().unwrap()];
            let args = [&["-n", "3", "--machine", machine], &files[..], &["--", "@halo", "4"]];
            let (code, _, err) = run(&args.concat());
            let memory = match machine {
                "cluster" => "each node has its own memory",
                _ => "all replicas are equal",
            };
            assert!(code == 0 && err.contains(memory), "{err}");
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

/// Bytes for each allocation, on both machines: those of a call are split, and those outside are counted.
#[test]
fn allocations_are_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().to_str().unwrap();
    for machine in ["ring", "gen1"] {
        let args =
            ["-n", "2", "--machine", machine, "--report", report, "--", "@wrong", "allocate"];
        let (code, _, err) = run(&args);
        assert_eq!(code, 0, "{err}");
        let text = std::fs::read_to_string(folder.path().join("report.txt")).unwrap();
        let table = text.split_once("Allocations with the most bytes\n").unwrap().1;
        let table: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).skip(2).collect();
        // Two nodes: each writes 32 and 2 bytes into the first and 3 into the third, and reads 16 of each.
        let expected = [
            "| 1 | 0x0 | 32 | 32 | 68 |",
            "| 3 | 0x20 | 16 | 32 | 6 |",
            "| 2 | 0x20 | 8 | 0 | 0 |",
            "| none |  |  | 0 | 40 |",
        ];
        assert_eq!(table, expected, "{machine}");
        let html = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
        assert!(html.contains("| 3 | 0x20 | 16 | 32 | 6 |"), "{html}");
    }
    // No allocation, no table.
    assert_eq!(run(&["-n", "2", "--report", report, "--", "@wrong", "nothing"]).0, 0);
    let text = std::fs::read_to_string(folder.path().join("report.txt")).unwrap();
    assert!(!text.contains("Allocations"), "{text}");
}

/// On a terminal a line says how far the run is; a file gets nothing of it.
#[test]
fn a_line_on_a_terminal() {
    let awgstar = env!("CARGO_BIN_EXE_awgstar");
    let line = format!("'{awgstar}' run -n 2 -- '{}' nap", program("wrong").display());
    // The command of util-linux that runs another one on a terminal.
    let output = Command::new("script")
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let (code, out, _) = result(&output);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains(" µs on the ring, 2 calls; barrier: node 0; computing: node 1"), "{out}");
    assert_eq!(run(&["-n", "2", "--", "@wrong", "nap"]), (0, String::new(), String::new()));
}

/// A starter runs the command once for each rank; one of them starts all processes.
#[test]
fn under_a_starter() {
    for (size, rank) in [("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK")]
    {
        let of_rank = |number: &str, args: &[&str]| {
            let output = command(args).env(size, "3").env(rank, number).output().unwrap();
            result(&output)
        };
        let (code, out, err) = of_rank("0", &["--", "@counter", "2"]);
        assert!(code == 0 && out.lines().count() == 3, "{out}{err}");
        assert_eq!(of_rank("2", &["--", "@counter", "2"]), (0, String::new(), String::new()));
        let (code, _, err) = of_rank("0", &["-n", "3", "--", "@counter", "2"]);
        assert!(code == 2 && err.contains("runs this command 3 times; leave out -n"), "{err}");
    }
    let (code, _, err) = run(&["--", "@counter", "2"]);
    assert!(code == 2 && err.contains("expected -n N"), "{err}");
}

#[test]
fn wrong_usage() {
    for (args, expected) in [
        (&["-n", "0", "--", "@wrong", "none"][..], "'0' for '--nodes <N>': expected 1 to 256"),
        (&["-n", "257", "--", "@wrong", "none"], "'257' for '--nodes <N>': expected 1 to 256"),
        (
            &["-n", "250", "--", "true", ":", "-n", "7", "--", "true"],
            "-n: expected 1 to 256 nodes, found 257",
        ),
        (&["-n", "2", "--", "./no such program"], "program `./no such program`"),
        (
            &["-n", "2", "--lock", "none", "--", "@wrong"],
            "invalid value 'none' for '--lock <LOCK>'\n  [possible values: master-worker, distributed, queue, engine, hybrid]",
        ),
        (&["-n", "2", "--", "@wrong", ":", "@wrong"], "after `:`: expected -n N PROGRAM"),
        (&["-n", "2", "--", "@wrong", ":", "-n", "x", "@wrong"], "-n is `x`"),
        (
            &["-n", "2", "--machine", "tape", "--", "@wrong"],
            "invalid value 'tape' for '--machine <MACHINE>'\n  [possible values: ring, gen1, cluster, rings, clusters]",
        ),
        (
            &["-n", "2", "--machine", "gen1", "--lock", "queue", "--", "@wrong"],
            "--lock: generation 1 has only its own protocol",
        ),
        (
            &["-n", "2", "--lock", "hybrid", "--", "@wrong"],
            "--lock is `hybrid`: this machine has master-worker, distributed, queue, engine",
        ),
        (
            &["-n", "2", "--lock", "engine", "--barrier", "distributed", "--", "@wrong"],
            "--barrier is `distributed`: expected `ring`, the engine's",
        ),
        (
            &["-n", "2", "--machine", "cluster", "--barrier", "ring", "--", "@wrong"],
            "--barrier is `ring`: this machine has all-fence, combined",
        ),
        (
            &["-n", "2", "--machine", "cluster", "--order", "sent", "--", "@wrong"],
            "--order: on a cluster an unlock and an arrival come after data",
        ),
        (
            &["-n", "2", "--machine", "cluster", "--fibre-m", "5", "--", "@wrong"],
            "--fibre-m: a cluster has no ring of fibres",
        ),
        (
            &["-n", "2", "--machine", "gen1", "--coherence", "fdsm", "--", "@wrong"],
            "--coherence: generation 1 has replicas: expected `replica`, --machine ring or --machine cluster",
        ),
        (
            &["-n", "2", "--coherence", "fdsm", "--memory", "512", "--", "@wrong"],
            "256 bytes for logs of shared pages: expected 536 or more for 2 nodes",
        ),
        (
            &["-n", "256", "--machine", "cluster", "--memory", "512K", "--", "@wrong"],
            "memory_bytes is 524288: expected 1048576 or more for 256 nodes",
        ),
        (&["-n", "33", "--machine", "gen1", "--", "@wrong"], "nodes is 33"),
        (
            &["-n", "2", "--memory", "100", "--", "@wrong"],
            "'100' for '--memory <BYTES>': expected a power of two, 16 to 2G",
        ),
        (
            &["-n", "2", "--memory", "8", "--", "@wrong"],
            "'8' for '--memory <BYTES>': expected a power of two, 16 to 2G",
        ),
        (
            &["-n", "2", "--memory", "1X", "--", "@wrong"],
            "a number of bytes such as 65536, 64K or 1M",
        ),
        (&["-n", "256", "--memory", "2G", "--", "@wrong"], "no room for 256 replicas"),
        (&["-n", "2", "--ring", "no.toml", "--", "@wrong"], "no.toml"),
        (&["-n", "2", "--", "@wrong", ":", "-n", "1"], "expected a program"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
}
