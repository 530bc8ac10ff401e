// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs on boards with an AXI4 port: blocks go as bursts, and nothing else changes.

use super::{document, prints, run};
use std::fmt::Write as _;
use std::fs;

const LITE: &str = "axi4-lite";
const AXI4: &str = "axi4";

/// A ring of one token and the longest pause between heartbeats: a host that writes alone has the line.
fn alone(nodes: usize) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.toml");
    let keys = "fibre_m = 10\nmemory_bytes = 2097152\ntokens = 1\nperiod = 16384\n";
    fs::write(&file, format!("system = \"board-ring\"\nnodes = {nodes}\n{keys}")).unwrap();
    let file = file.to_str().unwrap().to_owned();
    (folder, file)
}

/// What `bandwidth` prints: MB/s written and read.
fn rates(out: &str) -> (f64, f64) {
    let (write, read) =
        out.trim_end().split_once(" MB/s, read ").unwrap_or_else(|| panic!("{out}"));
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{out}"));
    (number(write.strip_prefix("write ").unwrap()), number(read.strip_suffix(" MB/s").unwrap()))
}

/// HST-1, AXI-1: one program fills the line, which carries 264.35 MB/s of payload (RING-4); through AXI4-Lite it writes
/// a word in three cycles and reads one in four.
#[test]
fn one_program_fills_the_line() {
    let mut table =
        "| nodes | port | tokens | written MB/s | read MB/s |\n|---:|---|---:|---:|---:|\n"
            .to_owned();
    for (nodes, count) in [("2", 2), ("4", 4)] {
        let (_folder, file) = alone(count);
        for port in [LITE, AXI4] {
            let usual = ["-n", nodes, "--memory", "2M", "--port", port, "--"];
            let one = ["-n", nodes, "--ring", &file, "--port", port, "--"];
            for (tokens, machine) in [("as `awgstar run` has", &usual), ("1", &one)] {
                let (written, read) = rates(&prints(machine, &["@bandwidth"]));
                let alone = tokens == "1";
                let (low, high) = match port {
                    LITE => ((89.0, 67.0), (89.7, 67.3)),
                    _ if alone => ((258.0, 268.0), (264.4, 269.0)),
                    // A host that writes alone passes the tokens that it does not need on between its frames.
                    _ => ((200.0, 268.0), (264.4, 269.0)),
                };
                assert!(written >= low.0 && written <= high.0, "{nodes} {port}: {written}");
                assert!(read >= low.1 && read <= high.1, "{nodes} {port}: {read}");
                let _ = writeln!(table, "| {nodes} | {port} | {tokens} | {written} | {read} |");
            }
        }
    }
    document::section("programs.md", "port", &table);
}

/// Blocks that begin and end anywhere, and are longer than bursts: every node reads what was written.
#[test]
fn blocks_begin_and_end_anywhere() {
    for (bytes, addr) in [
        (1, 5),
        (2, 7),
        (3, 9),
        (5, 3),
        (8, 4),
        (4093, 1001),
        (4096, 4094),
        (4097, 4095),
        (70_001, 3),
    ] {
        let (bytes, addr) = (bytes.to_string(), addr.to_string());
        let out = prints(
            &["-n", "3", "--memory", "128K", "--port", AXI4, "--"],
            &["@bandwidth", &bytes, &addr],
        );
        assert!(rates(&out).1 > 0.0, "{bytes} {addr}");
    }
    // Beyond the memory: refused, with the function.
    let machine = ["-n", "2", "--memory", "1K", "--port", AXI4, "--"];
    let (code, out, err) = run(&[&machine[..], &["@bandwidth", "100", "1000"]].concat());
    assert!(code == 1 && out.is_empty() && err.contains("awg_write: "), "{code} {out}{err}");
}

/// Programs print the same on boards of either kind.
#[test]
fn programs_print_the_same() {
    let programs: [&[&str]; 5] = [
        &["@lock", "5"],
        &["@matmul", "16", "4"],
        &["@block", "4", "3"],
        &["@shmem/gups", "64"],
        &["@shmem/sort", "64"],
    ];
    for words in programs {
        let on = |port| prints(&["-n", "3", "--memory", "2M", "--port", port, "--"], words);
        assert_eq!(on(AXI4), on(LITE), "{words:?}");
    }
}

/// A machine that has no boards has no such port.
#[test]
fn only_boards_have_the_port() {
    for machine in ["gen1", "cluster"] {
        let (code, _, err) =
            run(&["-n", "2", "--machine", machine, "--port", AXI4, "--", "@counter"]);
        let expected = "--port: only a ring has boards with AXI4: expected --machine ring";
        assert!(code == 2 && err.contains(expected), "{code} {err}");
    }
}
