// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs on rings with gateways, as a file describes them.

use super::run;
use std::collections::BTreeSet;
use std::path::Path;

const RINGS: &str = "system = \"rings\"\nrings = 2\nnodes = 4\nfar_words = 16\n";

/// Runs processes on the rings of a file.
fn with(folder: &Path, text: &str, args: &[&str]) -> (i32, String, String) {
    let file = folder.join("rings.toml");
    std::fs::write(&file, text).unwrap();
    run(&[&["--ring", file.to_str().unwrap()], args].concat())
}

/// The lines of a run that succeeds, in any order: processes of different rings print at the same time.
fn lines(folder: &Path, text: &str, args: &[&str]) -> BTreeSet<String> {
    let (code, out, err) = with(folder, text, args);
    assert!(code == 0 && err.is_empty(), "{text}: {code} {out}{err}");
    out.lines().map(Into::into).collect()
}

/// The lines without their times.
fn untimed(lines: &BTreeSet<String>) -> Vec<&str> {
    lines.iter().map(|line| line.split_once(": ").unwrap().0).collect()
}

/// Each process finds what all others have written to all rings; times do not depend on threads.
#[test]
fn far_reads_and_writes() {
    let folder = tempfile::tempdir().unwrap();
    for (rings, nodes, processes) in [(2, 4, "6"), (3, 3, "6"), (4, 2, "4")] {
        let text =
            format!("system = \"rings\"\nrings = {rings}\nnodes = {nodes}\nfar_words = 16\n");
        let of = |threads: &str| {
            let args = ["-n", processes, "--threads", threads, "--", "@far", "wrong"];
            lines(folder.path(), &text, &args)
        };
        let one = of("1");
        let expected: Vec<String> = (0..rings)
            .flat_map(|ring| (0..nodes - 1).map(move |node| (ring, node)))
            .map(|(ring, node)| format!("ring {ring} of {rings}, node {node} of {}", nodes - 1))
            .collect();
        assert_eq!(untimed(&one), expected);
        if rings == 3 {
            assert_eq!(of("2"), one);
        }
    }
    // A ring alone is a machine of one ring, too.
    let (code, out, err) = run(&["-n", "2", "--", "@far"]);
    assert!(code == 0 && out.contains("ring 0 of 1, node 1 of 2: "), "{code} {out}{err}");
}

/// The same with every lock, with bit errors on the fibres, a slow network between the gateways, and gateways that
/// begin again.
#[test]
fn whatever_the_rings_are_like() {
    let folder = tempfile::tempdir().unwrap();
    let plain = lines(folder.path(), RINGS, &["-n", "6", "--", "@far"]);
    for more in [
        "noise = 1e-5\nseed = 3\n",
        "noise = 1e-5\nseed = 4\nprimitives = { lock = \"distributed\" }\n",
        "primitives = { lock = \"engine\" }\n",
        "primitives = { lock = \"master-worker\", order = \"sent\" }\n",
        "tokens = 1\nfibre_m = 1000\nmemory_bytes = 1048576\n",
        "between = { latency = 30000, word = 9 }\n",
    ] {
        let text = format!("{RINGS}{more}");
        let found = lines(folder.path(), &text, &["-n", "6", "--", "@far"]);
        assert_eq!(untimed(&found), untimed(&plain), "{more}");
        assert_ne!(found, plain, "{more}");
    }
    let restart = |n| format!("[[restart]]\nring = {}\nat = {}\n", n % 2, 17_500 + 1_300 * n);
    let restarts = (0..12).map(restart).collect::<Vec<_>>().concat();
    let text = format!("{RINGS}request_timeout = 3000\n{restarts}");
    let (code, out, err) = with(folder.path(), &text, &["-n", "6", "--json", "--", "@far"]);
    assert_eq!(code, 0, "{out}{err}");
    let report: serde_json::Value = serde_json::from_str(&err).unwrap();
    assert_eq!(report["outcome"], "all replicas of each ring are equal");
    let gateways = &report["gateways"];
    assert_eq!(gateways["restarts"], 12);
    assert!(
        gateways["recovered"].as_u64() > Some(0) && gateways["lost"].as_u64() > Some(0),
        "{err}"
    );
}

/// LU decomposition: each process compares its rows with those of a program without a ring, bit by bit.
#[test]
fn rows_of_a_matrix() {
    let folder = tempfile::tempdir().unwrap();
    for way in ["push", "pull"] {
        let found = lines(folder.path(), RINGS, &["-n", "6", "--", "@lu", "25", way]);
        let one = found.first().unwrap();
        assert!(
            found.len() == 1 && one.starts_with("25 rows on 2 rings of 3 nodes: 0.00"),
            "{one}"
        );
    }
    let (code, out, err) = run(&["-n", "3", "--", "@lu", "25"]);
    assert!(code == 0 && out.starts_with("25 rows on 1 rings of 3 nodes: 0.00"), "{out}{err}");
}

/// What goes wrong on one ring ends the run of all, with the number of the process among all.
#[test]
fn processes_that_go_wrong() {
    let folder = tempfile::tempdir().unwrap();
    for (mode, expected) in [
        ("crash", "signal 11 (segmentation fault), after its call `init`"),
        ("hold", "ended while it holds lock 5"),
        ("leave", "ended without awg_finalize, after its call `init`"),
        (
            "skip",
            "no call can end: node 0 waits at the barrier, node 1 waits at the barrier, \
             node 3 waits at the barrier, node 4 waits at the barrier, node 2 has ended, node 5 has ended",
        ),
        (
            "keep",
            "no call can end: node 0 waits for lock 5, node 1 waits at the barrier, node 2 waits for lock 5, \
             node 3 waits for lock 5, node 4 waits at the barrier, node 5 waits for lock 5",
        ),
    ] {
        let (code, out, err) = with(folder.path(), RINGS, &["-n", "6", "--", "@wrong", mode]);
        assert!(code != 0 && err.contains(expected), "{mode}: {code} {out}{err}");
    }
}

#[test]
fn waves_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    let [waves, report, page] =
        ["far.vcd", "report", "far.html"].map(|name| folder.path().join(name));
    let args = ["-n", "6", "--vcd", waves.to_str().unwrap(), "--report", report.to_str().unwrap()];
    let args = [&args[..], &["--html", page.to_str().unwrap(), "--", "@far"]].concat();
    let (code, out, err) = with(folder.path(), RINGS, &args);
    assert!(code == 0, "{out}{err}");
    let text = std::fs::read_to_string(&waves).unwrap();
    for scope in ["ring0", "ring1", "node0", "node3"] {
        assert!(text.contains(&format!("$scope module {scope} $end")), "{scope}");
    }
    assert!(!text.contains("ring2") && text.contains("has_lock_3"));
    let text = std::fs::read_to_string(report.join("report.txt")).unwrap();
    for part in ["2 rings of 4 boards, lock queue in each", "far write", "gateways: "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(std::fs::read_to_string(&page).unwrap().contains("far read"));
}

#[test]
fn what_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    for (text, args, expected) in [
        (
            "rings = 1\nnodes = 4\n",
            &["-n", "3"][..],
            "rings.toml:2:9: rings is 1: expected 2 to 128",
        ),
        ("nodes = 4\n", &["-n", "3"], "missing key `rings`"),
        ("rings = 2\n", &["-n", "3"], "missing key `nodes`"),
        ("rings = 2\nnodes = 1\n", &["-n", "2"], "boards of a ring: 1; expected 2 to 256"),
        ("rings = 2\nnodes = 200\n", &["-n", "2"], "2 rings with 199 processes each: expected 256"),
        ("rings = 2\nnodes = 4\n", &["-n", "8"], "--ring has 6 processes on all rings: expected 8"),
        (
            "rings = 2\nnodes = 4\nfar_words = 0\n",
            &["-n", "6"],
            "far_words is 0: expected 1 to 4095",
        ),
        (
            "rings = 2\nnodes = 4\nmemory_bytes = 4096\n",
            &["-n", "6"],
            "rings.toml:4:16: channels of 6372 bytes; expected 2048, half of the memory, or less",
        ),
        (
            "rings = 2\nnodes = 4\nbetween = { latency = 0 }\n",
            &["-n", "6"],
            "between.latency is 0: expected 1 to",
        ),
        (
            "rings = 2\nnodes = 4\nrestart = [{ ring = 2, at = 3 }]\n",
            &["-n", "6"],
            "restart.ring is 2: expected 0 to 1",
        ),
        (
            "rings = 2\nnodes = 4\nrestart = [{ ring = 1 }]\n",
            &["-n", "6"],
            "missing key `restart.at`",
        ),
        (
            "rings = 2\nnodes = 4\ncombine = 3\n",
            &["-n", "6"],
            "system \"rings\" has no key `combine`",
        ),
        (
            "rings = 2\nnodes = 4\nprimitives = { barrier = \"ring\" }\n",
            &["-n", "6"],
            "primitives.barrier: rings have the barrier of their gateways",
        ),
        (
            "rings = 2\nnodes = 4\n",
            &["-n", "6", "--barrier", "ring"],
            "--barrier: rings have the barrier",
        ),
        ("rings = 2\nnodes = 4\n", &["-n", "6", "--openmp"], "rings share no memory"),
        ("rings = 2\nnodes = 4\n", &["-n", "6", "--port", "axi4"], "expected --machine ring"),
        ("rings = 2\nnodes = 4\n", &["-n", "6", "--pcapng", "x.pcapng"], "expected --machine ring"),
        (
            "rings = 2\nnodes = 4\n",
            &["-n", "6", "--machine", "ring"],
            "but --ring describes `rings`",
        ),
    ] {
        let text = format!("system = \"rings\"\n{text}");
        let args = [args, &["--", "@far"]].concat();
        let (code, _, err) = with(folder.path(), &text, &args);
        assert!(code == 2 && err.contains(expected), "{text}: {code} {err}");
    }
    let (code, _, err) = run(&["-n", "6", "--machine", "rings", "--", "@far"]);
    assert!(code == 2 && err.contains("expected --ring FILE.toml"), "{code} {err}");
    let (code, _, err) = run(&["-n", "6", "--threads", "2", "--", "@far"]);
    assert!(code == 2 && err.contains("--threads: only rings"), "{code} {err}");
    let file = folder.path().join("rings.toml");
    std::fs::write(&file, RINGS).unwrap();
    let sim =
        std::process::Command::new(env!("CARGO_BIN_EXE_awgstar")).arg("sim").arg(&file).output();
    let err = String::from_utf8(sim.unwrap().stderr).unwrap();
    assert!(err.contains("system `rings` has no hosts with acts"), "{err}");
}
