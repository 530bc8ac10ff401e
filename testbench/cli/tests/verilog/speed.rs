// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask speed` compares programs that are compiled alike.

use awgstar_cli::speed::FLAGS;
use std::{fs, process::Command};

/// Level of optimisation of each C++ compiler call: the last `-O` of the line counts.
fn levels(flags: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let design =
        "module t (input wire clk, output reg q);\n    always @(posedge clk) q <= ~q;\nendmodule\n";
    fs::write(folder.path().join("t.v"), design).expect("written");
    fs::write(folder.path().join("main.cpp"), "int main() {}\n").expect("written");
    // `make -n` prints the calls and runs none.
    let mut command = Command::new("verilator");
    command.current_dir(folder.path()).args(flags).args(["-MAKEFLAGS", "-n", "t.v", "main.cpp"]);
    let output = command.output().expect("verilator runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let calls = text.lines().filter(|line| line.contains("++ ") && line.contains(" -c "));
    let level = |line: &str| {
        line.split_whitespace().rfind(|word| word.starts_with("-O")).unwrap_or_default().to_owned()
    };
    let levels: Vec<String> = calls.map(level).collect();
    assert!(output.status.success() && levels.len() >= 3, "{output:?}");
    levels
}

/// A release build of the model has `opt-level` 3. Verilator's makefile has `-Os` after the flags of `-CFLAGS`.
#[test]
fn the_verilated_ring_is_compiled_as_the_model() {
    let levels = levels(FLAGS);
    assert!(levels.iter().all(|level| level == "-O3"), "{levels:?}");
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"));
    let manifest: toml::Table = manifest.expect("read").parse().expect("a manifest");
    let release = manifest["profile"]["release"].as_table().expect("a profile");
    assert!(!release.contains_key("opt-level"), "3 unless it is set: {release:?}");
}
