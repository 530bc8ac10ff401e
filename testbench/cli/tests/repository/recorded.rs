// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the scenarios of the documents give, byte by byte.

use assert_cmd::cargo::CommandCargoExt;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread,
};

#[path = "../common/recorded.rs"]
mod table;
use table::Recorded;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file of every run, but for pages and pictures, whose style is theirs, and the save files of viewers.
#[test]
fn the_scenarios_of_the_documents_give_what_they_gave() {
    let folder = root().join("docs/scenarios");
    let mut scenarios: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    scenarios.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    assert!(scenarios.len() >= 22, "{scenarios:?}");
    let (left, recorded) = (Mutex::new(scenarios), Mutex::new(Recorded::default()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(scenario) = left.lock().unwrap().pop() else { break };
                    files_of(&scenario, &recorded);
                }
            });
        }
    });
    recorded.into_inner().unwrap().check(&root().join("testbench/fixtures/scenarios.csv"));
}

fn files_of(scenario: &Path, recorded: &Mutex<Recorded>) {
    let out = tempfile::tempdir().unwrap();
    let name = scenario.file_stem().unwrap().to_str().unwrap();
    let run = Command::cargo_bin("awgstar")
        .unwrap()
        .current_dir(root())
        .args(["sim", &format!("docs/scenarios/{name}.toml"), "--out"])
        .arg(out.path())
        .output()
        .unwrap();
    // A scenario of a protocol as published fails, as its page says.
    assert!(matches!(run.status.code(), Some(0 | 1)), "{name}: {run:?}");
    let kept = ["json", "txt", "vcd", "pcapng", "csv", "png"];
    for entry in fs::read_dir(out.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().and_then(|e| e.to_str()).is_some_and(|e| kept.contains(&e)) {
            let file = path.file_name().unwrap().to_str().unwrap();
            let bytes = fs::read(&path).unwrap();
            recorded.lock().unwrap().add(format!("{name}/{file}"), &bytes);
        }
    }
}

/// Latency and throughput of hosts.
#[test]
fn the_latencies_are_what_they_were() {
    let mut run = Command::cargo_bin("awgstar").unwrap();
    let run = run.args(["study", "latency", "--json", "--nodes", "2"]).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let mut recorded = Recorded::default();
    recorded.add("latency-2.json", &run.stdout);
    recorded.check(&root().join("testbench/fixtures/latency.csv"));
}
