// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs on rings with gateways, as a file describes them.

use super::{capture::data, root, run};
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
        "cut = [{ ring = 1, link = 2, from = 18000, until = 21000 }, { link = 0, from = 30000, until = 30500 }]\n",
        "slow = [{ ring = 0, nodes = [0, 2], cycles = 300 }]\n",
    ] {
        let text = format!("{RINGS}{more}");
        let found = lines(folder.path(), &text, &["-n", "6", "--", "@far"]);
        assert_eq!(untimed(&found), untimed(&plain), "{more}");
        assert_ne!(found, plain, "{more}");
    }
    // A fault of a frame is looked for on a copy of the ring: a small memory.
    let small = |fault: &str| {
        let text = format!("{RINGS}memory_bytes = 32768\n{fault}");
        lines(folder.path(), &text, &["-n", "6", "--", "@far"])
    };
    let fault = "fault = [{ ring = 1, link = 1, from = 17000, times = 30, lose = true }]\n";
    let (without, with_fault) = (small(""), small(fault));
    assert_eq!(untimed(&with_fault), untimed(&plain));
    assert_ne!(with_fault, without, "no frame was lost");
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
            "no call can end: node 0 waits at the barrier, node 1 waits for lock 5, node 2 waits at the barrier, \
             node 3 waits at the barrier, node 4 waits at the barrier, node 5 waits at the barrier",
        ),
    ] {
        // A gateway that waits for a lock asks again, and has done so twice before the run is over.
        let text = format!("{RINGS}request_timeout = 20000\n");
        let (code, out, err) = with(folder.path(), &text, &["-n", "6", "--", "@wrong", mode]);
        assert!(code != 0 && err.contains(expected), "{mode}: {code} {out}{err}");
    }
}

/// A board that is dead, and a ring that stays cut: the run ends, and says so.
#[test]
fn rings_that_break() {
    let folder = tempfile::tempdir().unwrap();
    for (fault, expected) in [
        (
            "dead = [{ ring = 1, nodes = 2, at = 16000 }]\n",
            "node 3 waits at the barrier, node 5 waits at the barrier, node 4 has a dead board",
        ),
        ("dead = [{ ring = 0, nodes = 0, at = 19000 }]\n", "node 0 writes to ring 1, "),
        ("cut = [{ ring = 1, link = 0, from = 18000 }]\n", "no call can end: "),
    ] {
        let text = format!("{RINGS}request_timeout = 100000\n{fault}");
        let (code, out, err) = with(folder.path(), &text, &["-n", "6", "--", "@far"]);
        assert!(code == 1 && err.contains(expected), "{fault}: {code} {out}{err}");
    }
    // A file of one ring names none.
    let text = "system = \"board-ring\"\nnodes = 3\ncut = [{ ring = 0, link = 0, from = 9 }]\n";
    let (code, _, err) = with(folder.path(), text, &["-n", "3", "--", "@far"]);
    assert!(code == 2 && err.contains("cut.ring: expected no ring: the file has one"), "{err}");
}

/// The gateways of both rings die while a program runs, and their standbys take over.
#[test]
fn gateways_with_a_standby() {
    let folder = tempfile::tempdir().unwrap();
    let rings = RINGS.replace("nodes = 4", "nodes = 5\nstandby = true\nrequest_timeout = 3000");
    let dead = |ring: usize, at: u64| format!("[[dead]]\nring = {ring}\nnodes = 0\nat = {at}\n");
    let text = format!("{rings}{}{}", dead(1, 30_000), dead(0, 45_000));
    for way in ["push", "pull"] {
        let args = ["-n", "6", "--json", "--", "@lu", "25", way];
        let (code, out, err) = with(folder.path(), &text, &args);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.starts_with("25 rows on 2 rings of 3 nodes: 0.00"), "{out}");
        let report: serde_json::Value = serde_json::from_str(&err).unwrap();
        let gateways = &report["gateways"];
        assert_eq!((&gateways["deaths"], &gateways["take_overs"]), (&2.into(), &2.into()));
    }
    // Locks, a cache, what may lose frames, and a window of the ring: the file is refused.
    for (more, expected) in [
        ("primitives = { locks = 1 }\n", "expected no locks of all rings"),
        ("cache = { lines = 1, words = 1 }\n", "expected no cache"),
        ("noise = 1e-7\n", "ring 0: its gateway dies, and frames may be lost"),
        (
            "window = [{ ring = 1, first = 64, bytes = 64, to = \"all\" }]\n",
            "ring 1: its gateway dies, and it writes a window",
        ),
    ] {
        let text = format!("{rings}{more}{}{}", dead(1, 30_000), dead(0, 45_000));
        let (code, _, err) = with(folder.path(), &text, &["-n", "6", "--", "@lu", "25"]);
        assert!(code == 2 && err.contains(expected), "{more}: {code} {err}");
    }
}

/// Runs that the page prints take the times that it prints.
#[test]
fn the_page_has_the_times_of_its_runs() {
    let page = std::fs::read_to_string(root().join("docs/ring-of-rings.md")).unwrap();
    for (file, way) in
        [("two-rings", "push"), ("two-rings", "pull"), ("windows", "window"), ("cached", "pull")]
    {
        let ring = root().join(format!("docs/machines/{file}.toml"));
        let (code, out, err) =
            run(&["-n", "6", "--ring", ring.to_str().unwrap(), "--", "@lu", "120", way]);
        let line = out.lines().next().unwrap_or_default();
        let time = line.strip_prefix("120 rows on 2 rings of 3 nodes: ");
        assert!(
            code == 0 && time.is_some_and(|time| page.contains(time)),
            "{file} {way}: {out}{err}"
        );
    }
}

/// A capture file of each ring, with its frames alone: all that far writes bring, and nothing else at their places.
#[test]
fn each_ring_has_its_frames() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("far.pcapng");
    let args = ["-n", "6", "--pcapng", file.to_str().unwrap(), "--", "@far"];
    let (code, _, err) = with(folder.path(), RINGS, &args);
    let name = |ring: usize| folder.path().join(format!("far-ring{ring}.pcapng"));
    assert_eq!((code, err), (0, format!("{}\n{}\n", name(0).display(), name(1).display())));
    assert!(!file.exists());
    for ring in 0..2 {
        let all = data(&name(ring), "link 1");
        for process in 0..6_usize {
            // Words that came from another ring go out by its gateway, those of the own ring by their process.
            let first = format!("{:#010x}", 4096 + 160 * process);
            let words = hex::encode(u32::try_from(1000 * process).unwrap().to_le_bytes());
            let found = all.iter().filter(|one| one.0 == first && one.1.starts_with(&words));
            assert_eq!(found.count(), 1, "ring {ring}, process {process}");
        }
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
    // The same bytes on two threads.
    let again = folder.path().join("again.vcd");
    let args = ["-n", "6", "--threads", "2", "--vcd", again.to_str().unwrap(), "--", "@far"];
    let (code, out, err) = with(folder.path(), RINGS, &args);
    assert!(code == 0, "{out}{err}");
    assert!(std::fs::read_to_string(&again).unwrap() == text, "waves depend on threads");
    let text = std::fs::read_to_string(report.join("report.txt")).unwrap();
    for part in ["2 rings of 4 boards, lock queue in each", "far write", "gateways: "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("far read") && text.contains("a page has those of one ring alone"));
}

/// LU, whose rows come to the other ring by windows, finds what it finds without a ring, in less time than with far writes;
/// also when gateways begin again, and with bit errors.
#[test]
fn windows_are_in_the_other_ring() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("docs/machines/windows.toml")).unwrap();
    let lu = |more: &str, way: &str| {
        let windows = text.split_once("[[window]]").unwrap();
        let text = if way == "window" { &text } else { windows.0 };
        let text = format!("{more}{text}");
        let args = ["-n", "6", "--json", "--", "@lu", "40", way];
        let (code, out, err) = with(folder.path(), &text, &args);
        let time = out.trim_end().strip_prefix("40 rows on 2 rings of 3 nodes: ");
        let time: f64 = time
            .and_then(|time| time.strip_suffix(" s"))
            .and_then(|time| time.parse().ok())
            .unwrap_or_else(|| panic!("{more}: {code} {out}{err}"));
        let json: serde_json::Value = serde_json::from_str(&err).unwrap();
        (time, json["gateways"]["reflected"].as_u64().unwrap())
    };
    let (window, reflected) = lu("", "window");
    // All rows but the last, from the pivot on, two words each; and the windows once at the begin.
    assert_eq!(reflected, 2 * (2..=40).sum::<u64>() + 2 * 16_384);
    let (push, _) = lu("", "push");
    assert!(window < 0.9 * push, "{window} {push}");
    let restarts: Vec<String> =
        (0..6).map(|at| format!("{{ ring = {}, at = {} }}", at % 2, 80_000 + 8_000 * at)).collect();
    let restarts = format!("noise = 1e-6\nseed = 5\nrestart = [{}]\n", restarts.join(", "));
    let (slow, again) = lu(&restarts, "window");
    assert!(slow > window && again > reflected + 16_384, "{slow} {window}, {again}");
    for (from, to, expected) in [
        ("first = 65_536", "first = 65_532", "window 1: expected words of the memory"),
        ("first = 65_536", "first = 3", "window 1: expected words of the memory"),
        ("ring = 1", "ring = 2", "window.ring is 2: expected 0 to 1"),
        ("to = \"all\"", "to = 0", "window 0: expected words of the memory"),
        ("to = \"all\"", "to = [0, 2]", "window.to is 2: expected 0 to 1"),
        ("to = \"all\"\n", "", "missing key `window.to`"),
        ("whole = 131_076", "whole = 131_072", "window 1: expected words of the memory"),
        ("bytes = 65_536", "bytes = 2", "window.bytes is 2: expected 4 to"),
    ] {
        assert!(text.contains(from), "{from}");
        let args = ["-n", "6", "--", "@lu", "40", "window"];
        let (code, _, err) = with(folder.path(), &text.replacen(from, to, 1), &args);
        assert!(code == 2 && err.contains(expected), "{to}: {code} {err}");
    }
    // Rows that are pushed are written into windows of the other ring.
    let (code, _, err) = with(folder.path(), &text, &["-n", "6", "--", "@lu", "40", "push"]);
    let expected = "ring 1: a board has written at 0x18, in a window of ring 0";
    assert!(code != 0 && err.contains(expected), "{code} {err}");
}

/// LU, whose rows are read by each node of the other ring: with a cache a line comes once for all of them.
#[test]
fn lines_are_in_the_other_ring() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("docs/machines/cached.toml")).unwrap();
    let lu = |more: &str, cached: bool| {
        let plain = text.split_once("[cache]").unwrap().0;
        let text = format!("{more}{}", if cached { &text } else { plain });
        let args = ["-n", "6", "--json", "--", "@lu", "40", "pull"];
        let (code, out, err) = with(folder.path(), &text, &args);
        assert!(
            code == 0 && out.starts_with("40 rows on 2 rings of 3 nodes: "),
            "{code} {out}{err}"
        );
        let json: serde_json::Value = serde_json::from_str(&err).unwrap();
        let count = |key: &str| json["gateways"][key].as_u64().unwrap();
        ["hits", "misses", "lines", "drops", "words"].map(count)
    };
    let [hits, misses, lines, drops, words] = lu("", true);
    // Each row but the last, by three nodes.
    assert_eq!(hits + misses, 3 * 39);
    assert!(lines > 0 && lines < misses && drops > 0, "{hits} {misses} {lines} {drops}");
    let [none, .., more] = lu("", false);
    assert!(none == 0 && words < more, "{words} {more}");
    let restarts: Vec<String> =
        (0..6).map(|at| format!("{{ ring = {}, at = {} }}", at % 2, 80_000 + 8_000 * at)).collect();
    let restarts = format!("noise = 1e-6\nseed = 5\nrestart = [{}]\n", restarts.join(", "));
    let [hits, misses, ..] = lu(&restarts, true);
    assert_eq!(hits + misses, 3 * 39);
    for (from, to, expected) in [
        ("lines = 64", "lines = 0", "cache.lines is 0: expected 1 to 65535"),
        ("words = 64", "words = 4_096", "cache.words is 4096: expected 1 to 4095"),
        ("lines = 64\n", "", "missing key `cache.lines`"),
        ("lines = 64", "lines = 60_000", "half of the memory, or less"),
    ] {
        assert!(text.contains(from), "{from}");
        let args = ["-n", "6", "--", "@lu", "40", "pull"];
        let (code, _, err) = with(folder.path(), &text.replacen(from, to, 1), &args);
        assert!(code == 2 && err.contains(expected), "{to}: {code} {err}");
    }
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
        ("rings = 2\nnodes = 1\n", &["-n", "2"], "rings.toml:3:9: nodes is 1: expected 2 to 256"),
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
            "rings.toml:4:16: channels of 6820 bytes; expected 2048, half of the memory, or less",
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
            "rings = 2\nnodes = 4\nreset = [{ nodes = 1, at = 9 }]\n",
            &["-n", "6"],
            "system \"rings\" has no key `reset`",
        ),
        (
            "rings = 2\nnodes = 4\ncut = [{ ring = 2, link = 0, from = 9 }]\n",
            &["-n", "6"],
            "rings.toml:4:17: cut.ring is 2: expected 0 to 1",
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
        ("rings = 2\nnodes = 4\n", &["-n", "6", "--openmp"], "gateways share no memory"),
        ("rings = 2\nnodes = 4\n", &["-n", "6", "--port", "axi4"], "expected --machine ring"),
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
