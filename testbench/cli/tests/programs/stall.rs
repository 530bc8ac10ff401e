// SPDX-License-Identifier: MIT OR Apache-2.0
//! When a run ends because no call can end: its state decides, never a time.

use super::run;
use std::path::Path;

const RING: &str = "system = \"board-ring\"\nnodes = 3\nfibre_m = 10\n";

/// Runs the nodes of a ring from a file.
fn with(folder: &Path, text: &str, args: &[&str]) -> (i32, String, String) {
    let file = folder.join("ring.toml");
    std::fs::write(&file, text).unwrap();
    run(&[&["--ring", file.to_str().unwrap()], args].concat())
}

/// Locks and barriers that no process can end any more are named, with every protocol.
#[test]
fn what_never_ends_is_named() {
    let cross = "node 0 waits for lock 1, node 1 waits for lock 2, node 2 waits for lock 0";
    let keep = "node 0 waits for lock 5, node 1 waits at the barrier, node 2 waits for lock 5";
    let skip = "node 0 waits at the barrier, node 1 waits at the barrier, node 2 has ended";
    let machines: [&[&str]; 7] = [
        &["--machine", "cluster"],
        &["--machine", "cluster", "--lock", "hybrid", "--barrier", "all-fence"],
        &["--lock", "queue", "--barrier", "ring"],
        &["--lock", "engine"],
        &["--lock", "distributed", "--barrier", "distributed"],
        &["--lock", "master-worker", "--barrier", "master-worker"],
        &["--machine", "gen1"],
    ];
    for machine in machines {
        for (mode, expected) in [("cross", cross), ("keep", keep), ("skip", skip)] {
            let (code, _, err) = run(&[&["-n", "3"], machine, &["--", "@wrong", mode]].concat());
            let line = format!("error: no call can end: {expected}\n");
            assert!(code != 0 && err == line, "{machine:?} {mode}: {code} {err}");
        }
    }
}

/// Protocols as published poll without end; that is no reason to run without end.
#[test]
fn threads_that_poll_do_not_hide_a_stall() {
    let folder = tempfile::tempdir().unwrap();
    let text = "system = \"generation-1\"\nnodes = 3\nfibre_m = 10\n[primitives]\nvariant = \"as-published\"\n";
    let (code, _, err) = with(folder.path(), text, &["-n", "3", "--", "@wrong", "keep"]);
    assert!(code != 0 && err.contains("no call can end: node 0 waits for lock 5"), "{code} {err}");
}

/// Rings on which nothing returns any more, and boards that die with a lock.
#[test]
fn stalls_of_broken_rings() {
    let folder = tempfile::tempdir().unwrap();
    let dead = format!("{RING}[[dead]]\nnodes = 1\nat = 60_000\n");
    let cut = format!("{RING}[[cut]]\nlink = 1\nfrom = 30_000\n");
    let never = format!("{RING}[[cut]]\nlink = 1\nfrom = 10\n");
    let waits = "no call can end: node 0 waits for lock 65535, node 1 waits for lock 65535";
    let engine = format!("{dead}[primitives]\nlock = \"engine\"\n");
    for (text, mode, expected) in [
        (&engine, "keep", "no call can end: node 0 waits for lock 5, node 2 waits for lock 5"),
        (
            &dead,
            "keep",
            "no call can end: node 0 waits for lock 5, node 2 waits for lock 5, node 1 has a dead board",
        ),
        (&cut, "work", waits),
        (&never, "work", "the boards do not come to know each other"),
    ] {
        let (code, _, err) = with(folder.path(), text, &["-n", "3", "--", "@wrong", mode]);
        assert!(code != 0 && err.contains(expected), "{text} {code} {err}");
    }
}

/// A computation of any length on one node while the others wait.
#[test]
fn a_long_computation_is_no_stall() {
    for (machine, ns) in [("gen1", "1500000000"), ("gen1", "3600000000000"), ("ring", "45000000")] {
        let result = run(&["-n", "2", "--machine", machine, "--", "@wrong", "compute", ns]);
        assert_eq!(result, (0, String::new(), String::new()), "{machine} {ns}");
    }
}

/// What waits for the end of a cut, or of a reset, goes on then.
#[test]
fn a_cut_that_ends_is_no_stall() {
    let folder = tempfile::tempdir().unwrap();
    let cut = format!("{RING}[[cut]]\nlink = 1\nfrom = 30_000\nuntil = 2_500_000\n");
    let args = ["-n", "3", "--", "@wrong", "compute", "1000"];
    assert_eq!(with(folder.path(), &cut, &args), (0, String::new(), String::new()));
}

/// A rotation of 8 boards with 1,000 km of fibre between them takes 2.7 million cycles.
#[test]
#[ignore = "half a minute"]
fn the_longest_fibres_are_no_stall() {
    let folder = tempfile::tempdir().unwrap();
    let far = "system = \"board-ring\"\nnodes = 8\nfibre_m = 1_000_000\n";
    let args = ["-n", "8", "--", "@wrong", "compute", "1000"];
    assert_eq!(with(folder.path(), far, &args), (0, String::new(), String::new()));
}
