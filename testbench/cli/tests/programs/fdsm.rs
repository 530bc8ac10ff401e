// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with FDSM: their results under both protocols, wrong use.

use super::{
    Wrong, killed_on, link, prints, program, result, root, run, without_times, wrong_uses_on,
};
use crate::libraries::built;
use std::{collections::BTreeSet, fs, path::Path, process::Command};

pub(super) const EXAMPLES: [&str; 3] = ["cg", "histogram", "jacobi"];
const PROTOCOLS: [&str; 2] = ["fdsm", "scash"];

fn machine_of<'a>(protocol: &'a str, nodes: &'a str) -> Vec<&'a str> {
    let cluster = ["--machine", "cluster", "--coherence", protocol, "--memory", "2M"];
    [&["-n", nodes], &cluster[..], &["--"]].concat()
}

/// Results of the examples. Those of `jacobi` and `histogram` were computed by a program without shared memory; the
/// solution that `cg` looks for is known.
const RESULTS: [(&[&str], &str); 4] = [
    (
        &["@fdsm/jacobi", "40", "12"],
        "40 x 40 points, 12 steps: last change 0.019483327865600586, sum 95.343310236930847\n",
    ),
    (&["@fdsm/jacobi", "3", "0"], "3 x 3 points, 0 steps: last change 0, sum 3\n"),
    (&["@fdsm/cg", "24"], "24 rows, 24 steps: solved\n"),
    (&["@fdsm/histogram", "23"], "23 squares end with 3 5 0 0 5 2 4 0 0 4\n"),
];

fn find_their_results(sizes: &[&str]) {
    for protocol in PROTOCOLS {
        for nodes in sizes {
            for (words, expected) in RESULTS {
                let found = prints(&machine_of(protocol, nodes), words);
                assert_eq!(found, expected, "{protocol} {nodes} {words:?}");
            }
        }
    }
}

#[test]
fn the_examples_find_their_results() {
    find_their_results(&["1", "2", "4"]);
}

/// There the protocol's messages are in logs in the replicated memory.
#[test]
fn the_examples_find_their_results_on_the_ring() {
    for (protocol, port) in [("fdsm", "axi4-lite"), ("fdsm", "axi4"), ("scash", "axi4")] {
        for (words, expected) in RESULTS {
            let on = ["-n", "3", "--port", port, "--coherence", protocol, "--memory", "2M", "--"];
            assert_eq!(prints(&on, words), expected, "{protocol} {port} {words:?}");
        }
    }
}

#[test]
#[ignore = "a minute: more processes, other homes"]
fn the_examples_find_their_results_on_more_nodes() {
    find_their_results(&["3", "7", "16"]);
    for homes in ["blocks", "round-robin"] {
        for (words, expected) in RESULTS {
            let on = [&["--homes", homes], &machine_of("scash", "5")[..]].concat();
            assert_eq!(prints(&on, words), expected, "{homes} {words:?}");
        }
    }
}

/// Every run of a program is the same, its times too.
#[test]
fn every_run_is_the_same() {
    for protocol in PROTOCOLS {
        let on = machine_of(protocol, "3");
        let runs: BTreeSet<_> =
            (0..5).map(|_| run(&[&on, &["@fdsm/cg", "12"][..]].concat())).collect();
        assert_eq!(runs.len(), 1, "{runs:?}");
        assert!(runs.iter().all(|(code, out, _)| *code == 0 && out.contains("time: ")));
    }
}

/// All functions, with system calls, faults of the program's own, and threads.
fn keep_their_promises(sizes: &[&str]) {
    for protocol in PROTOCOLS {
        for nodes in sizes {
            let found = prints(&machine_of(protocol, nodes), &["@fdsm/fdsm", nodes]);
            assert_eq!(found, format!("{nodes} processes, 0 failures\n"), "{protocol}");
        }
    }
}

#[test]
fn the_functions_keep_their_promises() {
    keep_their_promises(&["1", "2", "4"]);
}

#[test]
#[ignore = "a minute: more processes"]
fn the_functions_keep_their_promises_on_more_nodes() {
    keep_their_promises(&["3", "5", "16"]);
}

/// A case of `fdsm_wrong.c`, its exit code, and what it says.
#[rustfmt::skip]
const WRONG: [Wrong; 49] = [
    ("after", 1, "fdsm_after_loop: FDSM does not run: expected between fdsm_init and fdsm_finalize"),
    ("all bytes", 1, "fdsm_alloc: argument `bytes`: 18446744073709551615 bytes, expected 622592 or fewer, which are free"),
    ("alloc in loop", 1, "fdsm_alloc: within a loop: expected fdsm_after_loop before"),
    ("before start", 1, "fdsm_lock: FDSM does not run: expected between fdsm_init and fdsm_finalize"),
    ("child", 1, "fdsm: write to shared memory at 0x200000000000: a forked process cannot use the ring of its parent"),
    ("count", 1, "fdsm_reduce: argument `count`: 1, expected 0 as in process 1"),
    ("dies", 137, "error: node 2: signal 9 (kill), after its call `write fault`"),
    ("end in loop", 1, "fdsm_finalize: within a loop: expected fdsm_after_loop before"),
    ("end locked", 1, "fdsm_finalize: lock 0 is still held"),
    ("ended", 1, "fdsm: write to shared memory at 0x200000000005: after fdsm_finalize"),
    ("exhausted", 1, "fdsm_alloc: argument `bytes`: 100000 bytes, expected 90112 or fewer, which are free (`awgstar run"),
    ("fails", 9, "error: node 2: exit code 9, after its call"),
    ("free", 1, "fdsm_free: argument `memory`: 0x200000000008, expected an address that fdsm_alloc gave"),
    ("free in loop", 1, "fdsm_free: within a loop: expected fdsm_after_loop before"),
    ("free local", 1, "fdsm_free: argument `memory`: 0x"),
    ("free others", 1, "fdsm_free: argument `memory`: 0, expected 4096 as in process 1"),
    ("free twice", 1, "fdsm_free: argument `memory`: 0x200000000000, expected an address that fdsm_alloc gave"),
    ("freed", 1, "fdsm: read of shared memory at 0x200000000000: in no allocation of fdsm_alloc"),
    ("function", 1, "fdsm_alloc: another process calls fdsm_reduce"),
    ("handler", 1, "fdsmx_node: within another call of this library, by a handler of a signal"),
    ("kinds", 1, "fdsm_reduce: another process gives another type or operation"),
    ("leaves", 1, "error: node 2: ended without awg_finalize, after its call"),
    ("lock number", 1, "fdsm_lock: argument `lock`: -1, expected 0 to 65534"),
    ("lock twice", 1, "fdsm_lock: argument `lock`: 1, expected a lock that this process does not hold"),
    ("locks crosswise", 1, "error: no call can end: node 0 waits, node 1 waits, node 2 waits"),
    ("loop or end", 1, "fdsm_finalize: another process calls fdsm_after_loop"),
    ("loop twice", 1, "fdsm_before_loop: within a loop: expected fdsm_after_loop before"),
    ("many", 1, "fdsm_reduce: argument `count`: 18446744073709551615, expected fewer"),
    ("no bytes", 1, "fdsm_alloc: argument `bytes`: 0, expected 1 or more"),
    ("null", 139, "error: node 2: signal 11 (segmentation fault)"),
    ("number before start", 1, "fdsmx_node: FDSM does not run: expected between fdsm_init and fdsm_finalize"),
    ("numbers", 1, "fdsm_reduce: argument `numbers`: null pointer"),
    ("op", 1, "fdsm_reduce: argument `op`: 3, expected FDSM_SUM, FDSM_MIN or FDSM_MAX"),
    ("race", 1, "fdsm_after_loop: a data race: this process has written 0x0"),
    ("read before", 1, "fdsm: read of shared memory at 0x200000066fff: in no allocation of fdsm_alloc"),
    ("read beyond", 1, "fdsm: read of shared memory at 0x200000064000: in no allocation of fdsm_alloc"),
    ("ready all", 1, "fdsmx_ready: argument `memory`: 18446744073709551615 bytes at 0x200000000000, expected bytes of one"),
    ("ready beyond", 1, "fdsmx_ready: argument `memory`: 409600 bytes at 0x200000001000, expected bytes of one allocation"),
    ("ready local", 1, "fdsmx_ready: argument `memory`: 8 bytes at 0x"),
    ("room", 1, "fdsm_alloc: argument `bytes`: 1099511627776 bytes, expected 622592 or fewer, which are free"),
    ("shared numbers", 1, "fdsm_reduce: argument `numbers`: 0x200000000000, expected memory of the process itself"),
    ("sizes", 1, "fdsm_alloc: argument `bytes`: 8, expected 16 as in process 1"),
    ("start again", 1, "fdsm_init: a second time"),
    ("start twice", 1, "fdsm_init: a second time"),
    ("type", 1, "fdsm_reduce: argument `type`: 3, expected FDSM_INT, FDSM_LONG or FDSM_DOUBLE"),
    ("unlock", 1, "fdsm_unlock: argument `lock`: 1, expected a lock that this process holds"),
    ("unlock number", 1, "fdsm_unlock: argument `lock`: 65535, expected 0 to 65534"),
    ("unlock twice", 1, "fdsm_unlock: argument `lock`: 1, expected a lock that this process holds"),
    ("write beyond", 1, "fdsm: write to shared memory at 0x200000064005: in no allocation of fdsm_alloc"),
];

#[test]
fn wrong_use_ends_the_run() {
    for protocol in PROTOCOLS {
        let on = ["--machine", "cluster", "--coherence", protocol];
        wrong_uses_on(&on, "fdsm/fdsm_wrong", "fdsm_init", &WRONG, |_| true);
    }
}

/// FDSM sends what was written under a lock to all; a process that has written another value there learns it with its
/// next fault.
#[test]
fn a_race_with_a_lock_is_named() {
    let on = ["-n", "3", "--machine", "cluster", "--coherence", "fdsm", "--", "@fdsm/fdsm_wrong"];
    let (code, out, err) = run(&[&on[..], &["unordered"]].concat());
    let expected = "a data race: this process has written 0x02 to the byte at 0x200000000000 and another process 0x01, \
                    with no lock and no barrier between";
    assert!(code == 1 && out.is_empty() && err.contains(expected), "{code} {out}{err}");
}

#[test]
fn a_machine_without_coherent_pages_is_refused() {
    for on in [&["-n", "2"][..], &["-n", "2", "--machine", "cluster"]] {
        let (code, out, err) = run(&[on, &["--", "@fdsm/fdsm_wrong"]].concat());
        let expected = "fdsm_init: this machine has no coherent pages: start the program with `awgstar run \
                        --coherence fdsm` or `scash`\n";
        assert!(code == 1 && out.is_empty() && err.starts_with(expected), "{on:?} {code} {err}");
    }
}

/// A process killed at any moment ends the run.
#[test]
fn a_killed_process_ends_the_run() {
    let machines = PROTOCOLS.map(|protocol| machine_of(protocol, "3"));
    killed_on(&machines, &["@fdsm/fdsm_wrong", "work"]);
}

/// The headers declare what the library has; C99 and C++ take them.
#[test]
fn the_headers_are_those_of_the_library() {
    program("fdsm/fdsm");
    let symbols = Command::new("nm")
        .args(["--defined-only", "--dynamic"])
        .arg(built().join("libawgstar_fdsm.so"))
        .output()
        .unwrap();
    let (_, symbols, _) = result(&symbols);
    let ours = symbols.lines().filter_map(|line| line.split(' ').next_back());
    let ours: BTreeSet<&str> = ours.collect();
    let expected = BTreeSet::from([
        "fdsm_init",
        "fdsm_finalize",
        "fdsm_alloc",
        "fdsm_free",
        "fdsm_before_loop",
        "fdsm_after_loop",
        "fdsm_lock",
        "fdsm_unlock",
        "fdsm_reduce",
        "fdsmx_node",
        "fdsmx_nodes",
        "fdsmx_ready",
        "fdsmx_wtime",
    ]);
    assert_eq!(ours, expected);
    let headers = ["fdsm", "fdsmx"].map(|name| {
        let file = root().join("model/fdsm/include").join(name).with_extension("h");
        fs::read_to_string(file).unwrap()
    });
    for name in expected {
        assert!(
            headers.iter().any(|header| header.contains(&format!(" {name}("))
                || header.contains(&format!("*{name}("))),
            "{name}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    for (compiler, name, standard) in [("cc", "a.c", "-std=c99"), ("c++", "a.cpp", "-std=c++11")] {
        for include in ["fdsm", "fdsmx"] {
            let file = folder.path().join(name);
            fs::write(
                &file,
                format!("#include <{include}.h>\nint main(void) {{ return FDSM_SUM; }}\n"),
            )
            .unwrap();
            let checked = Command::new(compiler)
                .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", standard, "-I"])
                .arg(root().join("model/fdsm/include"))
                .arg(&file)
                .status();
            assert!(checked.unwrap().success(), "{compiler} {include}");
        }
    }
}

/// The program of the page.
#[test]
fn the_program_of_the_page_runs() {
    program("fdsm/fdsm");
    let page = fs::read_to_string(root().join("docs/fdsm.md")).unwrap();
    let text = page.split_once("```c\n").unwrap().1.split_once("```").unwrap().0;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.c");
    let last = "    fdsm_finalize();\n";
    assert_eq!(text.matches(last).count(), 1);
    let prints = "    if (node == 0) printf(\"%.0f\\n\", a[999]), fflush(stdout);\n";
    let text = text.replace(last, &format!("{prints}{last}"));
    fs::write(&file, format!("#include <stdio.h>\n{text}")).unwrap();
    let program = link(&file, "fdsm", "awgstar_fdsm", &[], "fdsm");
    // Ten turns add 999 each to the last number.
    assert_eq!(prints_of(&program, "3"), "9990\n");
}

fn prints_of(program: &Path, nodes: &str) -> String {
    prints(&machine_of("fdsm", nodes), &[program.to_str().unwrap()])
}

fn source() -> impl AsRef<Path> {
    root().join("testbench/cli/tests/programs/fdsm.c")
}

/// Both libraries: the shared one, too.
#[test]
fn a_program_with_the_shared_library_finds_the_same() {
    program("fdsm/fdsm");
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("fdsm");
    let linked = Command::new("cc")
        .args(["-std=gnu99", "-O1", "-I"])
        .arg(root().join("model/fdsm/include"))
        .arg(source().as_ref())
        .arg("-L")
        .arg(built())
        .arg(format!("-Wl,-rpath,{}", built().display()))
        .args(["-lawgstar_fdsm", "-lpthread", "-lm", "-o"])
        .arg(&to)
        .status();
    assert!(linked.unwrap().success());
    let out = prints(&machine_of("fdsm", "2"), &[to.to_str().unwrap(), "2"]);
    assert_eq!(out, "2 processes, 0 failures\n");
}

/// All functions under the sanitizers of the C compiler for addresses and undefined behaviour; those find what is there.
#[test]
fn no_sanitizer_finds_anything() {
    let flags = ["-g", "-fsanitize=address", "-fsanitize=undefined", "-fno-sanitize-recover"];
    program("fdsm/fdsm");
    let program = link(source().as_ref(), "fdsm", "awgstar_fdsm", &flags, "address/fdsm");
    for protocol in PROTOCOLS {
        let out = prints(&machine_of(protocol, "3"), &[program.to_str().unwrap(), "3"]);
        assert_eq!(out, "3 processes, 0 failures\n", "{protocol}");
    }
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.c");
    fs::write(
        &bad,
        "#include <fdsm.h>\n#include <stdlib.h>\nint main(void) {\n  double *number = calloc(1, 4);\n  fdsm_init();\n  \
         fdsm_reduce(number, 1, FDSM_INT, FDSM_SUM);\n  int found = *number == 7;\n  fdsm_finalize();\n  return found;\n}\n",
    )
    .unwrap();
    let program = link(&bad, "fdsm", "awgstar_fdsm", &flags[..2], "address/fdsm");
    let (code, _, err) =
        run(&[&machine_of("fdsm", "1"), &[program.to_str().unwrap()][..]].concat());
    assert!(code != 0 && err.contains("heap-buffer-overflow"), "{code} {err}");
}

/// A tool that does not say what kind of access has failed. It must keep registers before each access.
#[test]
fn it_runs_under_valgrind() {
    let valgrind =
        ["valgrind", "-q", "--tool=none", "--vex-iropt-register-updates=allregs-at-mem-access"];
    for protocol in PROTOCOLS {
        let words = [&valgrind[..], &["@fdsm/fdsm", "2"]].concat();
        let (code, out, err) = run(&[machine_of(protocol, "2"), words].concat());
        assert_eq!((code, without_times(&out)), (0, "2 processes, 0 failures\n".into()), "{err}");
    }
}
