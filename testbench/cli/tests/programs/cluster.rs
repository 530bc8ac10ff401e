// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs on a cluster: its file, and the measurements of paper 001.

use super::{document::section, root, run};
use std::{fmt::Write as _, fs};

/// The times that a program prints, in us: the numbers of its last line.
fn times(nodes: &str, machine: &[&str], words: &[&str]) -> Vec<f64> {
    let nodes = ["-n", nodes, "--memory", "4M"];
    let (code, out, err) = run(&[&nodes, machine, &["--"], words].concat());
    assert!(code == 0 && err.is_empty(), "{machine:?} {words:?}: {code} {out}{err}");
    let line = out.lines().last().unwrap().strip_prefix("time: ").unwrap();
    line.split(' ').filter_map(|word| word.parse().ok()).collect()
}

const OLD: [&str; 6] = ["--machine", "cluster", "--lock", "hybrid", "--barrier", "all-fence"];
const NEW: [&str; 6] = ["--machine", "cluster", "--lock", "queue", "--barrier", "combined"];
const RING: [&str; 2] = ["--machine", "ring"];

const HEAD: &str = "| processes | way | `ga_sync` | the study | `lock`: get, give back | the study |\n|---:|---|---:|---:|---:|---:|\n";

/// Rows of what the C programs take, beside the study, which asks the machines without ARMCI: what differs is the library
/// and how the processes meet before. Every run takes the same time.
fn rows(nodes: &str) -> String {
    let file = fs::read_to_string(root().join("docs/study/armci.csv")).unwrap();
    let study = |way: &str| -> Vec<f64> {
        let row = file.lines().find_map(|line| line.strip_prefix(&format!("{way},{nodes},")));
        row.unwrap().split(',').map(|cell| cell.parse().unwrap()).collect()
    };
    let mut table = String::new();
    for (way, machine) in [("old", &OLD[..]), ("new", &NEW), ("ring", &RING)] {
        // A turn on the ring takes longer to simulate.
        let turns = if way == "ring" { "100" } else { "1000" };
        let sync = times(nodes, machine, &["@ga_sync", "10"])[0];
        let [get, give] = times(nodes, machine, &["@lock", turns])[..] else { panic!() };
        let [study_sync, study_get, study_give] = study(way)[..] else { panic!() };
        writeln!(
            table,
            "| {nodes} | {way} | {sync:.1} | {study_sync:.1} | {get:.1}, {give:.1} | {study_get:.1}, {study_give:.1} |"
        )
        .unwrap();
        let near = |found: f64, study: f64| (found / study - 1.0).abs() < 0.02;
        let lock = near(get + give, study_get + study_give);
        assert!(way == "ring" || (near(sync, study_sync) && lock), "{table}");
    }
    table
}

#[test]
fn four_processes_have_the_times_of_the_study() {
    let page = fs::read_to_string(root().join("docs/cluster.md")).unwrap();
    let table = rows("4");
    assert!(page.contains(&format!("{HEAD}{table}")), "{table}");
}

#[test]
#[ignore = "a minute: 16 processes"]
fn the_programs_have_the_times_of_the_study() {
    section("cluster.md", "programs", &(HEAD.to_owned() + &rows("4") + &rows("16")));
}

/// The file of the paper's machine is what runs without a file; another file changes the time.
#[test]
fn the_file_is_the_usual_machine() {
    let file = root().join("docs/machines/myrinet2000-gm.toml");
    let text = fs::read_to_string(&file).unwrap();
    let usual = run(&["-n", "16", "--machine", "cluster", "--", "@ga_sync", "2"]);
    assert_eq!(run(&["-n", "16", "--ring", file.to_str().unwrap(), "--", "@ga_sync", "2"]), usual);
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other machine.toml");
    let run_with = |text: &str| {
        fs::write(&other, text).unwrap();
        run(&["-n", "16", "--ring", other.to_str().unwrap(), "--", "@ga_sync", "2"])
    };
    for (from, to) in [
        ("send_ns = 1_000", "send_ns = 2_000"),
        ("latency_ns = 22_788", "latency_ns = 30_000"),
        ("receive_ns = 0", "receive_ns = 500"),
        ("barrier = \"combined\"", "barrier = \"all-fence\""),
        ("nodes = 16", "nodes = 16\nper_computer = 4"),
    ] {
        let (code, out, err) = run_with(&text.replacen(from, to, 1));
        assert!(code == 0 && out.contains("0 wrong values"), "{to}: {out}{err}");
        assert_ne!(out, usual.1, "{to}");
    }
    for (from, to, expected) in [
        (
            "bytes_per_us = 250",
            "bytes_per_us = 0",
            "costs.bytes_per_us is 0: expected 1 to 1000000",
        ),
        ("access_ns = 100", "access_ns = 0", "costs.access_ns is 0: expected 1 to "),
        ("wake_ns", "awake_ns", "`awake_ns`"),
        (
            "lock = \"queue\"",
            "lock = \"distributed\"",
            "primitives.lock is `distributed`: expected",
        ),
        (
            "fences = \"in-turn\"",
            "order = \"sent\"",
            "primitives: system \"cluster\" has no key `order`",
        ),
        ("nodes = 16", "nodes = 16\nfibre_m = 3", "system \"cluster\" has no key `fibre_m`"),
        ("nodes = 16", "nodes = 4", "--ring has 4 nodes: expected 16"),
    ] {
        let (code, _, err) = run_with(&text.replacen(from, to, 1));
        assert!(code == 2 && err.contains(expected), "{to}: {code} {err}");
    }
}

/// Waves and page have what is sent, what servers do, and who holds a lock.
#[test]
fn messages_are_in_waves_and_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (vcd, html) = (at("run.vcd"), at("run.html"));
    let files = ["--vcd", &vcd, "--html", &html];
    let args = ["-n", "3", "--memory", "1M", "--machine", "cluster"];
    let (code, _, err) = run(&[&args[..], &files, &["--", "@lock", "2"]].concat());
    assert_eq!(code, 0, "{err}");
    let waves = fs::read_to_string(vcd).unwrap();
    for text in ["put_of_8_bytes", "request_1_of_process", "wakes", "_holder", "server_message"] {
        assert!(waves.contains(text), "{text}");
    }
    let page = fs::read_to_string(html).unwrap();
    let data = super::html::data(&page);
    let rows = data["lines"]["rows"].as_array().unwrap();
    // From a process to another one or to its server, later.
    let later = |row: &serde_json::Value| row[3].as_u64() > row[1].as_u64();
    assert!(rows.len() > 50 && rows.iter().all(later), "{}", rows.len());
    let texts = data["notes"]["texts"].as_array().unwrap();
    assert!(texts.iter().any(|text| text == "server wakes"), "{texts:?}");
}

/// A limit ends a run; what needs copies of the memory is refused by name.
#[test]
fn what_a_cluster_does_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("machine.toml");
    fs::write(&file, "system = \"cluster\"\nnodes = 2\nlimit_ns = 100000\n").unwrap();
    let (code, _, err) = run(&["-n", "2", "--ring", file.to_str().unwrap(), "--", "@halo", "9"]);
    assert!(code == 1 && err.contains("error: limit_ns is reached"), "{code} {err}");
    let (code, _, err) = run(&["-n", "2", "--machine", "cluster", "--", "@halo", "4", "mapped"]);
    let expected = "the call `replica`, which this machine does not offer";
    assert!(code != 0 && err.contains(expected), "{code} {err}");
    // A signal is an error of its call, as on generation 1.
    let signal = ["-n", "2", "--machine", "cluster", "--", "@wrong", "signals", "none"];
    assert_eq!(run(&signal), (0, String::new(), String::new()));
}
