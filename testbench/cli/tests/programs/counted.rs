// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time of computing that is counted in basic blocks.

use super::{built, link, root, run};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

const COUNTS: &str = "-fsanitize-coverage=trace-pc";

/// `blocks.c` as `name` in a folder: its parts are compiled with the first flags, the second is the rest of the
/// link.
fn blocks(folder: &Path, name: &str, flags: &[&str], rest: &[PathBuf]) -> PathBuf {
    let tests = root().join("testbench/cli/tests/programs");
    let to = folder.join(name);
    let object = to.with_extension("o");
    let cc = |args: &mut Command| assert!(args.status().unwrap().success(), "{name}");
    cc(Command::new("cc")
        .args(["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1", "-c", "-I"])
        .arg(root().join("model/capi/include"))
        .args(flags)
        .arg(tests.join("blocks.c"))
        .arg("-o")
        .arg(&object));
    cc(Command::new("cc")
        .args(["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root().join("model/capi/include"))
        .arg(&object)
        .args(rest)
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&to));
    to
}

/// Nanoseconds that `blocks.c` prints.
fn time(out: &str) -> u64 {
    let ns = out.split_once(" ns, ").unwrap_or_else(|| panic!("{out}")).0;
    ns.parse().unwrap()
}

/// The time of a program is that of the blocks that a counter in C finds in the same object file; it is the same
/// under load; a program that does not count is an error.
#[test]
fn blocks_take_time() {
    let folder = tempfile::tempdir().unwrap();
    let tests = root().join("testbench/cli/tests/programs");
    let library = built().join("libawgstar.a");
    let alone = blocks(folder.path(), "alone", &[COUNTS], &[tests.join("blocks_alone.c")]);
    let ring = blocks(folder.path(), "ring", &[COUNTS], std::slice::from_ref(&library));
    let plain = blocks(folder.path(), "plain", &[], &[library]);
    let (ring, plain) = (ring.to_str().unwrap(), plain.to_str().unwrap());
    for last in ["1", "30", "1000"] {
        let output = Command::new(&alone).arg(last).output().unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        let (blocks, steps) = output.split_once(" ns").unwrap();
        let blocks: u64 = blocks.parse().unwrap();
        assert!(blocks >= last.parse().unwrap(), "{output}");
        for (how, thousandths) in [("counted", 1000), ("counted:2.5", 2500), ("counted:0.001", 1)] {
            let expected = blocks * thousandths / 1000;
            // A part of a nanosecond from before the first time counts, too.
            let most = expected + u64::from(thousandths != 1000);
            let (code, out, err) =
                run(&["-n", "1", "--machine", "gen1", "--compute", how, "--", ring, last]);
            let found = time(&out);
            assert!(
                code == 0 && (expected..=most).contains(&found),
                "{how} {expected}: {out}{err}"
            );
            assert!(out.ends_with(steps), "{out}");
            // On the ring a computation ends with a cycle of 15 1/17 ns.
            let (code, out, err) = run(&["-n", "1", "--compute", how, "--", ring, last]);
            let found = time(&out);
            assert!(code == 0 && (expected..expected + 32).contains(&found), "{how} {out}{err}");
        }
    }
    // What the program does not count would take no time.
    let (code, out, err) = run(&["-n", "2", "--compute", "counted", "--", plain, "30"]);
    assert!(code == 1 && time(&out) < 32, "{code} {out}");
    assert_eq!(
        err,
        "error: --compute counted: the program counts no blocks on node 0, node 1: compile it with gcc -fsanitize-coverage=trace-pc\n"
    );
    let (code, _, err) =
        run(&["-n", "1", "--compute", "counted", "--", plain, "3", ":", "-n", "1", ring, "3"]);
    assert!(code == 1 && err.contains("counts no blocks on node 0: compile"), "{code} {err}");
    // Without the option nothing is counted.
    assert_eq!(run(&["-n", "1", "--machine", "gen1", "--", ring, "30"]).1, "0 ns, 441 steps\n");
    // A program that never joins has no time that could be wrong.
    assert_eq!(run(&["-n", "2", "--compute", "counted", "--", "true"]).0, 0);
}

#[test]
fn counted_runs_are_the_same_under_load() {
    let folder = tempfile::tempdir().unwrap();
    let library = built().join("libawgstar.a");
    let ring = blocks(folder.path(), "ring", &[COUNTS], &[library]);
    let waves = folder.path().join("run.vcd");
    let args = ["-n", "3", "--report", "--compute", "counted:20", "--vcd", waves.to_str().unwrap()];
    let args = [&args[..], &["--", ring.to_str().unwrap(), "40", "nodes"]].concat();
    let stop = AtomicBool::new(false);
    let mut runs = BTreeSet::new();
    thread::scope(|scope| {
        for busy in [false, true] {
            if busy {
                for _ in 0..2 {
                    scope.spawn(|| {
                        while !stop.load(Ordering::Relaxed) {
                            std::hint::spin_loop();
                        }
                    });
                }
            }
            runs.extend((0..3).map(|_| (run(&args), fs::read(&waves).unwrap())));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(runs.len(), 1, "{:#?}", runs.iter().map(|run| &run.0).collect::<Vec<_>>());
    let ((code, out, err), _) = runs.first().unwrap();
    assert!(*code == 0 && out.ends_with(" ns, 709 steps\n"), "{out}{err}");
    assert!(
        err.contains("ring, lock queue, ") && err.contains(", computing counted (20 ns a block)"),
        "{err}"
    );
}

/// The library of the `RFM2g` interface counts as well.
#[test]
fn rfm2g_counts() {
    let program = link(
        &root().join("model/rfm2g/examples/control.c"),
        "rfm2g",
        "rfm2g",
        &[COUNTS],
        "counted",
    );
    let args = |how: &'static str| ["-n", "4", "--compute", how, "--"];
    let with = |how| run(&[&args(how)[..], &[program.to_str().unwrap(), "30"]].concat());
    let (told, counted) = (with("told"), with("counted:50"));
    assert!(told.0 == 0 && counted.0 == 0, "{told:?} {counted:?}");
    assert_ne!(told.1, counted.1);
    assert_eq!(with("counted:50"), counted);
}
