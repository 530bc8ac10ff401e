// SPDX-License-Identifier: MIT OR Apache-2.0
//! The conformance suite passes our board and finds what is wrong with three others (CNF-2, CNF-3,
//! CNF-5, CNF-6). A missing simulator fails, never skips.

use crate::node::injected::copy;
use awgstar::rtl::Parameters;
use awgstar_lockstep::conform;
use awgstar_lockstep::conform::requirements::Standing;
use awgstar_lockstep::conform::{Dut, Module, Report, Verdict, text};
use awgstar_lockstep::mutants::{Mutant, list_of, read};
use awgstar_simulator::{Icarus, Shard, sources::list};
use awgstar_stimulus::vectors::board as golden;
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
    run_with(module, (&[], usize::from(module != "smb")), only, file, from, to)
}

/// The same of a board with an engine, with so many random cases.
fn run_engine(
    module: &str,
    cases: usize,
    only: &[&str],
    file: &str,
    from: &str,
    to: &str,
) -> Report {
    run_with(module, (ENGINE, cases), only, file, from, to)
}

/// The same with these parameters and so many random cases.
fn run_with(
    module: &str,
    (parameters, cases): (&[&str], usize),
    only: &[&str],
    file: &str,
    from: &str,
    to: &str,
) -> Report {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), &(file, from, to));
    let files = list(folder.path(), "v").unwrap();
    let dut = Dut::new(&files, &[folder.path().join("include")], module).unwrap();
    let options = conform::Options {
        root: root(),
        simulator: &Icarus,
        seed: 3,
        cases: Some(cases),
        only: only.iter().map(|s| (*s).to_owned()).collect(),
        parameters: Parameters::DEFAULT.parse(module, parameters.iter().copied()).unwrap(),
        shard: Shard::WHOLE,
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
        shard: Shard::WHOLE,
        limit: Duration::from_secs(120),
        threads: 2,
        progress: &|_| (),
    };
    let report = conform::run(&dut, Module::named("smb").unwrap(), &options).unwrap();
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    // One, one, and the 16 whose names begin with `one_word`.
    assert_eq!(report.ran(), 18);
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
    // Without the parameter nothing is said about the engine.
    assert!(report.requirements.iter().all(|r| !r.id.starts_with("ENG")));
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

/// A gateway that adds no offset. checks CNF-5, GWY-5
#[test]
fn a_gateway_that_writes_at_a_wrong_place() {
    let (good, bad) = ("far    = place + offset;", "far    = place;");
    let only = ["vectors/word_comes_over", "vectors/own_writes_stay"];
    let report = run_on("ring_gateway", &only, "window_tap.v", good, bad);
    assert_eq!(report.verdict(), Some(Verdict::WrongValue), "{}", text::text(&report));
    assert_eq!(failing(&report), ["vectors/word_comes_over"]);
    standings(&report, &["GWY-5", "GWY-6"], &[]);
}

// ---- Boards with the lock and barrier engine ----

const ENGINE: &[&str] = &["ENGINE_NODE_W=2"];

/// All requirements of the engine that a board with one can meet.
const ENG: [&str; 8] = ["ENG-1", "ENG-2", "ENG-3", "ENG-4", "ENG-5", "ENG-6", "ENG-7", "ENG-8"];

const NOTHING: [&str; 3] = ["smb.v", "`default_nettype none", "`default_nettype none"];

// checks ENG-1 to ENG-8, CNF-5
#[test]
#[ignore = "long: the test of a bug below runs the same cases, and names each that fails"]
fn our_engine_passes() {
    let only = ["vectors/", "engine/random/0000", "engine/random/0001"];
    let [file, from, to] = NOTHING;
    // Half as many random cases of the engine as of the rest.
    let report = run_engine("smb", 4, &only, file, from, to);
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    assert_eq!(report.ran(), golden::with_engine().unwrap().len() + 2);
    standings(&report, &[], &ENG);
    let eng9 = report.requirements.iter().find(|r| r.id == "ENG-9").map(|r| r.standing);
    assert_eq!(eng9, Some(Standing::NotCovered), "of boards without an engine");
}

// checks ENG-1 to ENG-8, AXI-1
#[test]
#[ignore = "long: all stories of the engine on a board with an AXI4 port"]
fn our_engine_with_bursts_passes() {
    let [_, from, to] = NOTHING;
    let report = run_engine("smb_axi4", 6, &["engine/"], "smb_axi4.v", from, to);
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    assert_eq!(
        report.ran(),
        golden::with_engine().unwrap().len() + golden::lists().unwrap().len() + 3
    );
    standings(&report, &[], &ENG);
}

/// Bugs of the lists of mutants, with a requirement that must fail for each.
const BUGS: [(&str, &str, &str); 19] = [
    ("engine", "regs-engine-irq-race", "ENG-7"),
    ("engine", "regs-engine-strobe", "ENG-7"),
    ("engine", "regs-engine-barrier-8", "ENG-7"),
    ("engine", "mux-engine-no-flush", "ENG-8"),
    ("engine", "smb-engine-full", "ENG-6"),
    ("engine-lock", "newer-equal", "ENG-1"),
    ("engine-lock", "give-keeps-right", "ENG-1"),
    ("engine-barrier", "barrier-counts-twice", "ENG-4"),
    ("engine-barrier", "barrier-jump-old", "ENG-4"),
    ("engine-barrier", "barrier-asks-heard", "ENG-4"),
    ("engine-barrier", "router-epoch", "ENG-6"),
    ("engine-barrier", "router-writes-full", "ENG-6"),
    ("engine-lock", "list-empty-by-the-last", "ENG-1"),
    ("engine-lock", "anew-keeps-number", "ENG-1"),
    ("engine-lock", "served-first-stays", "ENG-1"),
    ("engine-lock", "give-epoch-half", "ENG-1"),
    ("engine-lock", "newer-half", "ENG-1"),
    ("engine-barrier", "barrier-last-not-sent", "ENG-4"),
    ("engine-barrier", "barrier-eighth-lost", "ENG-4"),
];

fn bug((list, id, requirement): (&str, &str, &str)) -> Report {
    let mutants = read(&list_of(&root(), list)).unwrap();
    let mutant = mutants.iter().find(|m| m.id == id).unwrap_or_else(|| panic!("{list}: no {id}"));
    let Mutant { file, find, replace, .. } = mutant;
    let report = run_engine("smb", 0, &["vectors/", "engine/list_"], file, find, replace);
    assert!(report.verdict().is_some(), "{id} passes: {}", text::text(&report));
    standings(&report, &[requirement], &[]);
    println!("{id}: {:?}", failing(&report));
    report
}

// checks CNF-5, CNF-6
#[test]
fn an_engine_that_takes_old_passes() {
    let found = [
        "engine/list_served_elsewhere",
        "engine/list_asks_anew",
        "vectors/lock_old_pass_is_ignored",
    ];
    assert_eq!(failing(&bug(BUGS[5])), found);
}

#[test]
#[ignore = "long: a build in Icarus for each bug"]
fn engines_with_bugs() {
    BUGS.into_iter().map(bug).for_each(drop);
}
