// SPDX-License-Identifier: MIT OR Apache-2.0
//! C programs on a modelled ring: results, order, errors, and processes that go wrong.

mod rfm2g;
mod signals;

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

/// The folder of the built libraries.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // With the tests, so that nothing is compiled twice.
        let built = Path::new(env!("CARGO_BIN_EXE_awgstar")).parent().unwrap();
        let options = ["--workspace", "--lib", "--tests", "--quiet", "--locked", "--target-dir"];
        let cargo = Command::new(env!("CARGO"))
            .current_dir(root())
            .arg("build")
            .args(options)
            .arg(built.parent().unwrap())
            .status()
            .unwrap();
        assert!(cargo.success());
        built.into()
    })
}

/// Compiles a program in C with the static library `lib{library}.a` of the crate `model/{of}`.
fn link(source: &Path, of: &str, library: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("programs");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(source.file_stem().unwrap());
    let flags = ["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off", "-I"];
    let compiled = Command::new("cc")
        .args(flags)
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
        let examples = ["pi", "counter", "halo", "allreduce", "mandelbrot", "producer"];
        for name in examples {
            let source = root().join("model/capi/examples").join(name).with_extension("c");
            link(&source, "capi", "awgstar");
        }
        let wrong = root().join("testbench/cli/tests/programs/wrong.c");
        link(&wrong, "capi", "awgstar");
        for name in rfm2g::EXAMPLES {
            let source = root().join("model/rfm2g/examples").join(name).with_extension("c");
            link(&source, "rfm2g", "rfm2g");
        }
        let all = root().join("testbench/cli/tests/programs/board.c");
        link(&all, "rfm2g", "rfm2g").parent().unwrap().into()
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

#[test]
fn every_error_has_a_code_and_a_text() {
    let (code, out, err) = run(&["-n", "3", "--", "@wrong", "errors"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    assert!(Command::new(program("wrong")).arg("alone").status().unwrap().success());
    let (_, texts, _) = result(&Command::new(program("wrong")).arg("texts").output().unwrap());
    let texts: Vec<&str> = texts.lines().collect();
    assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), 22, "{texts:?}");
    assert!(texts[21].contains("not an error code"));
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

/// A C program of ours with these flags of the compiler, as `name` in `folder`.
fn compile(source: &str, flags: &[&str], folder: &Path) -> PathBuf {
    let to = folder.join("program");
    let library = Path::new(env!("CARGO_BIN_EXE_awgstar")).parent().unwrap().join("libawgstar.a");
    // It is built with the others.
    program("wrong");
    let done = Command::new("cc")
        .args(["-std=gnu99", "-g", "-I"])
        .arg(root().join("model/capi/include"))
        .args(flags)
        .arg(root().join(source))
        .arg(library)
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&to)
        .status()
        .unwrap();
    assert!(done.success(), "{source} {flags:?}");
    to
}

/// The functions of the library under valgrind and the sanitizers of the C compiler. The thread sanitizer
/// holds signals back until a call of the C library, so `handler` is left out there.
#[test]
fn no_sanitizer_finds_anything() {
    let folder = tempfile::tempdir().unwrap();
    let all = ["errors", "posted", "fork", "threads"];
    for flags in
        [&["-fsanitize=address,undefined", "-fno-sanitize-recover"][..], &["-fsanitize=thread"]]
    {
        let program = compile("testbench/cli/tests/programs/wrong.c", flags, folder.path());
        for mode in all {
            let result = run(&["-n", "2", "--", program.to_str().unwrap(), mode]);
            assert_eq!(result, (0, String::new(), String::new()), "{flags:?} {mode}");
        }
    }
    for mode in all {
        let valgrind =
            ["-n", "2", "--", "valgrind", "-q", "--error-exitcode=9", "--leak-check=full"];
        let result = run(&[&valgrind[..], &["@wrong", mode]].concat());
        assert_eq!(result, (0, String::new(), String::new()), "valgrind {mode}");
    }
    // They do find what is there: a read behind the end of the word that the library fills.
    let bad = folder.path().join("bad.c");
    std::fs::write(
        &bad,
        "#include <awgstar.h>\n#include <stdlib.h>\nint main(void) {\n  uint32_t *word = malloc(4);\n  \
         if (awg_init() || awg_read(0, word, 4)) return 1;\n  int found = word[1] == 7;\n  \
         return found | awg_finalize();\n}\n",
    )
    .unwrap();
    let program = compile(bad.to_str().unwrap(), &["-fsanitize=address"], folder.path());
    let (code, _, err) = run(&["-n", "2", "--", program.to_str().unwrap()]);
    assert!(code != 0 && err.contains("heap-buffer-overflow"), "{code} {err}");
}

/// The installed library: a program finds it by the flags of the pkg-config file, in a path with a space.
#[test]
fn the_library_is_installed() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("a prefix");
    program("halo");
    let built = Path::new(env!("CARGO_BIN_EXE_awgstar")).parent().unwrap();
    let install = Command::new("sh")
        .arg(root().join("model/capi/install.sh"))
        .arg(&prefix)
        .arg(built)
        .status()
        .unwrap();
    assert!(install.success());
    for (library, source, start) in [
        ("awgstar", "model/capi/examples/halo.c", "sum 1000000"),
        ("rfm2g", "model/rfm2g/examples/block.c", "3 rounds with 1 nodes"),
    ] {
        let file = prefix.join("lib/pkgconfig").join(library).with_extension("pc");
        let file = std::fs::read_to_string(file).unwrap();
        let value = |key: &str| {
            let line = file.lines().find_map(|line| line.strip_prefix(key));
            line.unwrap_or_else(|| panic!("{key} in {file}")).trim().to_owned()
        };
        assert_eq!(value("prefix="), prefix.to_str().unwrap());
        let flags = format!("{} {}", value("Cflags:"), value("Libs:"));
        let script =
            format!("prefix=$1; cc \"$2\" {flags} \"-Wl,-rpath,$1/lib\" -o \"$1/program\"");
        let compiled = Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(&prefix)
            .arg(root().join(source))
            .status()
            .unwrap();
        assert!(compiled.success(), "{library}");
        let program = prefix.join("program");
        let (code, out, err) = run(&["-n", "2", "--", program.to_str().unwrap(), "3"]);
        assert!(code == 0 && out.starts_with(start), "{out}{err}");
    }
    assert!(prefix.join("share/man/man3/awgstar.3").exists());
}

/// Time that a program does not tell is none; measured, it is the processor time, by a factor.
#[test]
fn the_time_of_computing() {
    let spins = |how: &str| {
        let (code, out, err) =
            run(&["-n", "1", "--report", "--compute", how, "--", "@wrong", "spin"]);
        assert_eq!(code, 0, "{err}");
        assert_eq!(err.contains("computing measured (not reproducible)"), how != "told", "{err}");
        out.trim().parse::<u64>().unwrap()
    };
    assert_eq!(spins("told"), 0);
    // 20 million multiplications one after the other take more than 10 ms on any processor of today, and
    // less than 10 s.
    assert!((10_000_000..10_000_000_000).contains(&spins("measured:1")));
    assert!((100_000..100_000_000).contains(&spins("measured:0.01")));
    for wrong in ["measured:", "measured:0", "measured:x", "counted", "measured:1e9"] {
        let (code, _, err) = run(&["-n", "2", "--compute", wrong, "--", "@wrong", "none"]);
        assert!(code == 2 && err.contains("expected told, or measured:K"), "{wrong}: {err}");
    }
}

/// Memory from 16 bytes to the 512 MB of the thesis and beyond; what is not written takes no place.
#[test]
fn the_size_of_the_memory() {
    for (option, bytes) in [
        ("16", "16"),
        ("16K", "16384"),
        ("1M", "1048576"),
        ("512M", "536870912"),
        ("2G", "2147483648"),
    ] {
        let result = run(&["-n", "2", "--memory", option, "--", "@wrong", "ends", bytes]);
        assert_eq!(result, (0, String::new(), String::new()), "{option}");
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
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert_eq!(err, "warning: not all that was written has arrived everywhere\n");
    let dead = format!("{base}[[dead]]\nnodes = 1\nat = 20_000\n");
    let (code, _, err) = with(&dead, &["-n", "3", "--", "@counter", "5000"]);
    assert!(code != 0 && err.contains("no call can end: "), "{code} {err}");
    assert!(err.contains("node 1 has a dead board"), "{err}");
    // The others need not wait for it: what has not come to its end is said all the same.
    let (code, _, err) = with(&dead, &["-n", "3", "--", "@wrong", "alone on node", "1"]);
    assert!(code != 0 && err.contains("node 1 has a dead board, and its process"), "{code} {err}");
    for (text, expected) in [
        (format!("{base}cycles = 18_000\n"), "error: the limit of cycles is reached"),
        (base.replace('3', "4"), "--ring has 4 nodes: expected 3, one for each process"),
        (format!("{base}[[program]]\nnodes = 0\n"), "ring.toml:4:1: program: not in the file"),
        ("system = \"paging\"\n".into(), "system is `paging`"),
        (format!("{base}[[board]]\nnodes = 1\nnode_id = 7\n"), "expected no node_id or prefix"),
        (format!("{base}may_differ = true\n"), "may_differ: not with [primitives]"),
        (
            "system = \"generation-1\"\nnodes = 3\nshow = [0]\n".into(),
            "show: the report of a run of processes",
        ),
        (
            "system = \"generation-1\"\nnodes = 3\n[primitives]\nlocks = 4\n".into(),
            "processes always have locks 0 to 65534",
        ),
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
        (&["-n", "0", "--", "@wrong", "none"][..], "-n is 0: expected 1 node or more"),
        (&["-n", "257", "--", "@wrong", "none"], "nodes: expected 1 to 256, found more"),
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
        (
            &["-n", "2", "--memory", "100", "--", "@wrong"],
            "memory_bytes is 100: expected a power of two",
        ),
        (
            &["-n", "2", "--memory", "8", "--", "@wrong"],
            "memory_bytes is 8: expected 16 to 2147483648",
        ),
        (
            &["-n", "2", "--memory", "1X", "--", "@wrong"],
            "expected a number of bytes such as 65536, 64K or 1M",
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
