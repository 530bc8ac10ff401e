// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machine under the programs: time, memory, rings from files.

use super::run;
use std::collections::BTreeSet;

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
    for wrong in ["measured:", "measured:0", "measured:x", "counted:0", "told:1", "measured:1e9"] {
        let (code, _, err) = run(&["-n", "2", "--compute", wrong, "--", "@wrong", "none"]);
        assert!(
            code == 2 && err.contains("expected told, counted, counted:K or"),
            "{wrong}: {err}"
        );
    }
}

/// The time of a computation after posted writes was lost when they left less than three words of room.
#[test]
fn computing_after_writes_is_measured() {
    let times = |how: &str| -> Vec<(String, u64)> {
        let args = ["-n", "1", "--machine", "gen1", "--compute", how, "--"];
        let (code, out, err) = run(&[&args[..], &["@wrong", "spin after writes"]].concat());
        assert_eq!(code, 0, "{err}");
        let lines = out.lines().map(|line| line.split_once(' ').unwrap());
        lines.map(|(words, ns)| (words.to_owned(), ns.parse().unwrap())).collect()
    };
    let (told, measured) = (times("told"), times("measured:1"));
    assert_eq!((told.len(), measured.len()), (20, 20));
    for (told, measured) in told.iter().zip(&measured) {
        // A million multiplications one after the other take more than 0.5 ms.
        assert!(
            measured.1 > told.1 + 500_000,
            "{} words: {} and {} ns",
            told.0,
            told.1,
            measured.1
        );
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
