// SPDX-License-Identifier: MIT OR Apache-2.0
//! The conformance suite passes our board and finds what is wrong with three others (CNF-2, CNF-3,
//! CNF-5, CNF-6). A missing simulator fails, never skips.

use awgstar::rtl::Parameters;
use awgstar_lockstep::conform;
use awgstar_lockstep::conform::requirements::Standing;
use awgstar_lockstep::conform::{Dut, Module, Report, Verdict, text};
use awgstar_simulator::Icarus;
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Golden vectors of every defence that is taken out below, and of others.
const ONLY: &[&str] = &[
    "vectors/after_reset",
    "vectors/a_frame_and_back",
    "vectors/comes_back_bad",
    "vectors/does_not_come_back",
    "vectors/commit_after_fcs",
    "vectors/data_again",
    "vectors/data_in_order",
    "vectors/signal_again",
];

/// The suite on our Verilog in which `from` is `to`, in exactly one place of `file`.
fn run(file: &str, from: &str, to: &str) -> Report {
    run_on("smb", ONLY, file, from, to)
}

/// The same of this module.
fn run_on(module: &str, only: &[&str], file: &str, from: &str, to: &str) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join("hdl")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "v") {
            let name = path.file_name().unwrap().to_owned();
            let mut text = fs::read_to_string(&path).unwrap();
            if name == file {
                assert_eq!(text.matches(from).count(), 1, "{file}: {from}");
                text = text.replace(from, to);
            }
            files.push(folder.path().join(name));
            fs::write(files.last().unwrap(), text).unwrap();
        }
    }
    files.sort();
    let dut = Dut::new(&files, &[root().join("hdl/include")], module).unwrap();
    let options = conform::Options {
        root: root(),
        simulator: &Icarus,
        seed: 3,
        cases: Some(usize::from(module != "smb")),
        only: only.iter().map(|s| (*s).to_owned()).collect(),
        parameters: Parameters::DEFAULT,
        limit: Duration::from_secs(120),
        threads: 2,
        progress: &|_| (),
    };
    conform::run(&dut, Module::named(module).unwrap(), &options).unwrap()
}

/// A board with the memory of one write port is a board: also when the ring writes in nearly every cycle
/// while the host writes and reads as fast as it can.
#[test]
fn one_write_port() {
    let mut files: Vec<_> = fs::read_dir(root().join("hdl"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "v") && !p.ends_with("shared_memory.v"))
        .collect();
    files.push(root().join("hdl/one_write/shared_memory.v"));
    files.sort();
    let dut = Dut::new(&files, &[root().join("hdl/include")], "smb").unwrap();
    let only = ["sized/host_at_line_rate", "sized/memory_ends", "directed/one_word"];
    let options = conform::Options {
        root: root(),
        simulator: &Icarus,
        seed: 3,
        cases: Some(0),
        only: only.iter().map(|s| (*s).to_owned()).collect(),
        parameters: Parameters::DEFAULT.parse("smb", ["MEM_ADDR_W=8"]).unwrap(),
        limit: Duration::from_secs(120),
        threads: 2,
        progress: &|_| (),
    };
    let report = conform::run(&dut, Module::named("smb").unwrap(), &options).unwrap();
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    assert_eq!(report.ran(), 3);
}

/// Names of the cases that fail.
fn failing(report: &Report) -> Vec<&str> {
    report.failing().map(|(_, case, _)| case.name.as_str()).collect()
}

#[track_caller]
fn standings(report: &Report, fail: &[&str], pass: &[&str]) {
    for (ids, expected) in [(fail, Standing::Fail), (pass, Standing::Pass)] {
        for id in ids {
            let found = report.requirements.iter().find(|r| r.id == *id).map(|r| r.standing);
            assert_eq!(found, Some(expected), "{id}\n{}", text::text(report));
        }
    }
}

// checks CNF-2, CNF-5
#[test]
fn our_board_passes() {
    let report = run("smb.v", "`default_nettype none", "`default_nettype none");
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    standings(&report, &[], &["HST-3", "ACK-3", "RCV-2", "RCV-3", "RCV-4"]);
    assert!(text::text(&report).contains("PASS: "));
}

// What returns bad, or not at all, is not retransmitted. checks CNF-5, CNF-6
#[test]
fn a_board_that_does_not_send_again() {
    let report = run("data_window.v", "rewind_q  <= rewind_d;", "rewind_q  <= 1'b0;");
    assert_eq!(report.verdict(), Some(Verdict::WrongValue), "{}", text::text(&report));
    assert_eq!(failing(&report), ["vectors/comes_back_bad", "vectors/does_not_come_back"]);
    standings(&report, &["ACK-3", "ACK-5"], &["ACK-1", "ACK-2", "RCV-2", "RCV-3"]);
}

// Data with a wrong FCS gets into the memory. checks CNF-5, CNF-6
#[test]
fn a_board_that_takes_bad_data() {
    let good = "assign deliver          = other && hdr_good && for_us;";
    let report = run("rx_filter.v", good, "assign deliver          = other && for_us;");
    assert_eq!(report.verdict(), Some(Verdict::WrongValue), "{}", text::text(&report));
    assert_eq!(failing(&report), ["vectors/commit_after_fcs"]);
    let failure = report.failing().next().unwrap().2;
    assert_eq!(failure.first.as_ref().unwrap().port, "s_axi_rdata");
    standings(&report, &["RCV-4"], &["ACK-3", "RCV-3"]);
}

// Data that comes again is written again. checks CNF-5, CNF-6
#[test]
fn a_board_that_takes_data_twice() {
    let report = run("rx_sorter.v", "end else if (again) begin", "end else if (1'b0) begin");
    assert_eq!(report.verdict(), Some(Verdict::WrongValue), "{}", text::text(&report));
    assert_eq!(failing(&report), ["vectors/data_again"]);
    standings(&report, &["RCV-2"], &["RCV-3", "ACK-3", "RCV-4"]);
}

// TOKENS is not reset. checks CNF-3
#[test]
fn a_board_with_an_x() {
    let report = run("host_regs.v", "            tokens_q  <= TOKENS[7:0];\n", "");
    assert_eq!(report.verdict(), Some(Verdict::DrivesX), "{}", text::text(&report));
    assert_eq!(failing(&report), ["vectors/after_reset"]);
    standings(&report, &["HST-3"], &["ACK-3", "RCV-2"]);
}

const BURSTS: &[&str] = &["vectors/", "directed/both_ways", "directed/slow_r", "random/0000"];

// checks CNF-2, CNF-5
#[test]
fn our_board_with_bursts_passes() {
    let report =
        run_on("smb_axi4", BURSTS, "smb_axi4.v", "`default_nettype none", "`default_nettype none");
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    standings(&report, &[], &["AXI-1", "AXI-2", "AXI-3", "AXI-4", "AXI-5", "AXI-6"]);
}

// A burst over 4 KiB wraps. checks CNF-5, CNF-6
#[test]
fn a_board_that_takes_bursts_over_pages() {
    let (good, bad) = ("((burst == 2'b01 && !over)", "((burst == 2'b01)");
    let report = run_on("smb_axi4", &["vectors/"], "axi4_port.v", good, bad);
    assert_eq!(report.verdict(), Some(Verdict::WrongValue), "{}", text::text(&report));
    assert_eq!(failing(&report), ["vectors/edge_of_4096"]);
    standings(&report, &["AXI-3"], &["AXI-2", "AXI-4", "AXI-5"]);
}
