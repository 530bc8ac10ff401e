// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of whole boards, `smb_link`, each with a clock of its own and a host with another, in Verilator:
//! `testbench/verilog/link_boards.v`, with the assertions of `testbench/assert` bound to every board.

use super::{LIMIT, repository};
use crate::node::injected::copy;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_simulator::build::build;
use awgstar_simulator::process::Task;
use awgstar_simulator::recipe::Recipe;
use awgstar_simulator::{SimError, Sources, Token, Verilator, sources::list};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BENCH: [&str; 3] = ["link_boards.cpp", "link_boards.v", "line.v"];
const PPM: u32 = 100;
/// Assertions, and what binds them.
const CHECKERS: [&str; 5] = [
    "axil_assert.sv",
    "axil_crossing_assert.sv",
    "bind_link.sv",
    "link_assert.sv",
    "ring_link_assert.sv",
];
/// Words that each host writes in the long tests, and in the one beside them.
const WORDS: u64 = 6_000;
const FEW_WORDS: u64 = 800;

/// Counts of a run by their name.
type Counts = BTreeMap<String, u64>;

/// What a run printed.
struct Outcome {
    counts: Counts,
    /// Evaluations of each assertion, by place.
    evaluated: Counts,
    /// Assertions that fired, with their places.
    fired: Vec<(String, String)>,
}

/// A built ring of this many boards.
struct Ring {
    program: PathBuf,
    nodes: u64,
    checked: bool,
}

impl Ring {
    /// The Verilog in `hdl`; with `choose`, a module that is bound to the top, and with assertions if
    /// `checked`.
    fn build(
        hdl: &Path,
        out: &Path,
        nodes: u64,
        checked: bool,
        choose: Option<String>,
    ) -> Result<Ring, SimError> {
        let sources = Sources::of(&repository());
        let assertions = repository().join("testbench/assert");
        let flags = ["--cc", "--exe", "--build", "-O3", "-CFLAGS", "-O1", "-j", "2", "-Wno-fatal"];
        let mut recipe = Recipe {
            module: "link_boards",
            top: "link_boards".into(),
            flags: flags.iter().map(|&f| f.to_owned()).collect(),
            files: BENCH.iter().map(|f| sources.bench.join(f)).collect(),
            includes: vec![hdl.join("include")],
            ..Recipe::default()
        };
        recipe.flags.extend(["--x-assign", "fast", "--x-initial", "fast"].map(str::to_owned));
        recipe.flags.push(format!("-GNODES={nodes}"));
        if checked {
            recipe.flags.push("--assert".into());
            recipe.flags.push(format!("-DAWGSTAR_ASSERT_TOKEN={}", Token::PLACE));
            recipe.files.extend(CHECKERS.map(|f| assertions.join(f)));
            recipe.includes.push(assertions);
        }
        recipe.texts.extend(choose.map(|text| ("choose.sv", text)));
        recipe.files.extend(list(hdl, "v")?);
        let program = build(&Verilator, &recipe, out)?.file;
        Ok(Ring { program, nodes, checked })
    }

    /// Runs it; `bug` is the number of an injected bug, 0 for none.
    fn run(&self, words: u64, seed: u64, mode: &str, bug: usize) -> Outcome {
        let folder = self.program.parent().unwrap();
        let (token, built) = (Token::random(), Token::load(folder));
        let mut command = Command::new(&self.program);
        command.args([self.nodes, words, seed].map(|n| n.to_string()));
        command.args([PPM.to_string(), mode.into(), token.to_string(), format!("+bug={bug}")]);
        let task = Task::new("verilator", LIMIT).doing("running the ring of boards");
        let text = if bug == 0 {
            task.run(&mut command).unwrap_or_else(|error| panic!("{error}")).text
        } else {
            // It ends with the first assertion that fires.
            let done = command.output().unwrap();
            String::from_utf8_lossy(&done.stdout).into_owned()
                + &String::from_utf8_lossy(&done.stderr)
        };
        let number = |line: &str| {
            let (name, value) = line.rsplit_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        let counts = token.lines(&text).filter_map(number).collect();
        let evaluated = match built {
            Ok(built) if self.checked => (built.lines(&text))
                .filter_map(|line| number(line.strip_prefix("EVALUATED ")?))
                .collect(),
            _ => Counts::new(),
        };
        let fired = text.lines().filter_map(|line| {
            let (label, place) = line.split_once(": ASSERT ")?.1.split_once(' ')?;
            Some((label.to_owned(), place.to_owned()))
        });
        let outcome = Outcome { counts, evaluated, fired: fired.collect() };
        println!("{} boards, {mode}, seed {seed}: {:?}", self.nodes, outcome.counts);
        outcome
    }
}

fn hdl() -> PathBuf {
    repository().join("hdl")
}

fn ring(nodes: u64) -> Ring {
    Ring::build(&hdl(), &repository().join("target/cosim"), nodes, true, None)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// What is wrong with a run: something is lost, doubled, out of order, or read wrong.
fn wrong(nodes: u64, words: u64, counts: &Counts) -> Vec<String> {
    let count = |name: &str| counts.get(name).copied().unwrap_or(u64::MAX);
    let signals = nodes * (words / 40);
    let exact = [
        ("ended", nodes),
        ("good", nodes * (nodes - 1) * words),
        ("signals", signals),
        ("mails", signals * (nodes - 1)),
    ];
    let none = [
        "missing",
        "again",
        "wrong",
        "close",
        "wrong_signals",
        "wrong_reads",
        "refused",
        "overflow",
        "underrun",
        "count_mail_full",
        "count_rx_overflow",
        "count_data_range",
        "count_tx_error",
    ];
    let exact = exact.into_iter().chain(none.map(|name| (name, 0)));
    let differs = exact.filter(|(name, due)| count(name) != *due);
    let mut all: Vec<_> =
        differs.map(|(name, due)| format!("{name} is {}, not {due}", count(name))).collect();
    if count("reads") <= nodes * words.min(1024) {
        all.push(format!("only {} reads", count("reads")));
    }
    all
}

#[track_caller]
fn nothing_is_lost(ring: &Ring, words: u64, outcome: &Outcome) {
    assert!(outcome.fired.is_empty(), "{:?}", outcome.fired);
    let wrong = wrong(ring.nodes, words, &outcome.counts);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Assertions that no ring evaluates: place, and the begin of the name.
const NOT_REACHED: [(&str, &str); 3] = [
    // Rules of a port that takes one access at a time.
    ("u_host.u_assert", "hst1_one_"),
    ("u_host.u_assert", "hst1_turn_"),
    // Nothing is cut on a line without errors.
    ("u_link.u_assert", "node6_aborted"),
];

/// Every assertion but those was evaluated.
#[track_caller]
fn all_are_evaluated(nodes: u64, evaluated: &Counts) {
    let reached = |place: &str| {
        !NOT_REACHED.iter().any(|(at, name)| place.contains(at) && place.contains(name))
    };
    let all: Vec<_> = evaluated.iter().filter(|(p, _)| reached(p)).collect();
    // Of each board: three link_assert, four rules of the code, two axil_assert.
    assert!(all.len() as u64 > nodes * 40, "{} assertions: {all:?}", all.len());
    let idle: Vec<_> = all.iter().filter(|(_, n)| **n == 0).collect();
    assert!(idle.is_empty(), "never evaluated: {idle:#?}");
}

// checks CDC-3, LNK-5, COD-1, COD-2, COD-6, LNK-2, LNK-3, HST-1
#[test]
#[ignore = "long: four boards; bugs_fire_the_assertions has two in the same runs"]
fn boards_and_hosts_with_clocks_of_their_own_lose_nothing() {
    let ring = ring(4);
    let outcome = ring.run(WORDS, 1, "load", 0);
    nothing_is_lost(&ring, WORDS, &outcome);
    for name in ["bad_words", "broken", "downs", "count_bad_fcs", "count_rewound"] {
        assert_eq!(outcome.counts[name], 0, "{name}");
    }
    all_are_evaluated(4, &outcome.evaluated);
}

/// What docs/faults.md says of a bit error: frames are sent again, and no word and no signal is lost,
/// doubled or out of order.
// checks CDC-3, COD-7, COD-8, LNK-7
#[test]
#[ignore = "long: four boards; bugs_fire_the_assertions has two in the same runs"]
fn a_bit_error_costs_a_retransmission() {
    let ring = ring(4);
    let Outcome { counts, .. } = {
        let outcome = ring.run(WORDS, 1, "errors", 0);
        nothing_is_lost(&ring, WORDS, &outcome);
        outcome
    };
    assert!(counts["flips"] >= 5 && counts["bad_words"] >= counts["flips"], "{counts:?}");
    let reported = ["returned_bad", "data_again", "data_gap", "signal_again", "bad_other", "cut"];
    let reported: u64 = reported.iter().map(|name| counts[&format!("count_{name}")]).sum();
    assert!(reported > 0 && counts["downs"] == 0, "{counts:?}");
}

/// The same of a dark line; tokens that were on it are made again.
// checks CDC-3, COD-9, MON-5
#[test]
#[ignore = "long: four boards; bugs_fire_the_assertions has two in the same runs"]
fn a_dark_line_costs_a_retransmission() {
    let ring = ring(4);
    let outcome = ring.run(WORDS, 1, "dark", 0);
    nothing_is_lost(&ring, WORDS, &outcome);
    let counts = outcome.counts;
    assert!(counts["cuts"] >= 2 && counts["downs"] > counts["cuts"], "{counts:?}");
    let resent = counts["count_signal_resend"] + counts["count_rewound"];
    assert!(resent > 0 && counts["count_token_added"] > 4, "{counts:?}");
}

/// Assertion that a bug fires, instance (part of its path), file, text and what replaces it. `BUG` is a
/// condition that is true when this bug is chosen.
type Bug = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const BUGS: &[Bug] = &[
    ("cod6_set", "u_link.u_assert", "link_tx.v", "begins, end_q};", "begins, end_q ^ {3'd0, BUG}};"),
    ("cod6_word", "u_link.u_assert", "link_tx.v", "valid_q ? 4'b0000 :", "valid_q ? {2'b00, BUG, 1'b0} :"),
    ("cod2_disparity", "u_link.u_assert", "enc_8b10b.v", "rd_q   <= rd[4];", "rd_q   <= rd[4] || BUG;"),
    ("cod1_run", "u_link.u_assert", "enc_8b10b.v", "assign m_code = code_q;", "assign m_code = BUG ? {code_q[39:30], 20'h003FF, code_q[9:0]} : code_q;"),
    ("lnk3_no_gap", "u_link.u_assert.u_node", "ring_egress.v", "m_axis_tvalid = m_valid_q;", "m_axis_tvalid = m_valid_q && !(BUG && left_q == 9'd9);"),
    ("lnk3_no_gap", "u_link.u_assert.u_line", "link_rx.v", "assign m_axis_tvalid = valid_q;", "assign m_axis_tvalid = valid_q && !(BUG && words_q == 9'd5);"),
    ("lnk3_no_gap", "u_link.u_assert.u_word", "elastic_buffer.v", "assign m_axis_tvalid = take;", "assign m_axis_tvalid = take && !(BUG && inside_q && head[3:0] == 4'd5);"),
    ("lnk2_keep", "u_link.u_assert.u_line", "link_rx.v", "ended ? keep : 4'b1111;", "ended ? keep : {!BUG, 3'b111};"),
    ("lnk2_keep_last", "u_link.u_assert.u_line", "link_rx.v", "2'd2:    keep = 4'b0011;", "2'd2:    keep = {1'b0, BUG, 2'b11} ^ {2'b00, BUG, 1'b0};"),
    ("hst1_b_stays", "u_host.u_assert.u_host", "axil_crossing.v", "s_axi_bvalid  = b_words != 3'd0 &&", "s_axi_bvalid  = b_words != 3'd0 && !(BUG && b_words == 3'd2) &&"),
    ("hst1_r_stays", "u_host.u_assert.u_host", "axil_crossing.v", "s_axi_rvalid  = r_words != 3'd0 &&", "s_axi_rvalid  = r_words != 3'd0 && !(BUG && r_words == 3'd2) &&"),
    ("hst1_r_stable", "u_host.u_assert.u_host", "clock_crossing.v", "rd_data  = mem[rd_ptr_q[ADDR_W-1:0]]", "rd_data  = mem[rd_ptr_q[ADDR_W-1:0]] ^ {{(WIDTH-1){1'b0}}, BUG && WIDTH == 34 && !rd_ready}"),
    ("hst1_b_request", "u_host.u_assert.u_host", "axil_crossing.v", ".wr_valid (m_axi_bvalid),", ".wr_valid (m_axi_bvalid || (BUG && m_axi_arvalid)),"),
    ("hst1_r_request", "u_host.u_assert.u_host", "axil_crossing.v", ".wr_valid (m_axi_rvalid),", ".wr_valid (m_axi_rvalid || (BUG && m_axi_awvalid)),"),
    ("hst3_b_code", "u_host.u_assert.u_host", "axil_crossing.v", ".wr_data  (m_axi_bresp),", ".wr_data  (m_axi_bresp ^ {1'b0, BUG}),"),
    ("hst3_r_code", "u_host.u_assert.u_host", "axil_crossing.v", "({m_axi_rresp, m_axi_rdata})", "({m_axi_rresp ^ {1'b0, BUG}, m_axi_rdata})"),
    ("env_aw_stays", "u_host.u_assert.u_board", "axil_crossing.v", "m_axi_awvalid = aw_words != 3'd0;", "m_axi_awvalid = aw_words != 3'd0 && !(BUG && aw_words == 3'd2);"),
    ("env_w_stays", "u_host.u_assert.u_board", "axil_crossing.v", "m_axi_wvalid  = w_words != 3'd0;", "m_axi_wvalid  = w_words != 3'd0 && !(BUG && w_words == 3'd2);"),
    ("env_ar_stays", "u_host.u_assert.u_board", "axil_crossing.v", "m_axi_arvalid = ar_words != 3'd0;", "m_axi_arvalid = ar_words != 3'd0 && !(BUG && ar_words == 3'd2);"),
    ("env_ar_stable", "u_host.u_assert.u_board", "clock_crossing.v", "mem[rd_ptr_q[ADDR_W-1:0]] ^", "mem[rd_ptr_q[ADDR_W-1:0]] ^ {{(WIDTH-1){1'b0}}, BUG && WIDTH == 35 && !rd_ready} ^"),
];

/// One build serves all bugs, of which the test takes a sample: each edit acts only when its number is given at
/// run time. Without one, two boards lose nothing.
// checks COD-1, COD-2, COD-6, LNK-2, LNK-3, HST-1, HST-3, CDC-3
#[test]
fn bugs_fire_the_assertions() {
    let folder = tempfile::tempdir().unwrap();
    let hdl = folder.path().join("hdl");
    copy(&hdl, &("link_tx.v", "module link_tx", "module link_tx"));
    for (number, (label, _, file, good, bad)) in BUGS.iter().enumerate() {
        let path = hdl.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(good).count(), 1, "{label}: {good}");
        let chosen = format!("(injected::bug == {})", number + 1);
        fs::write(&path, text.replace(good, &bad.replace("BUG", &chosen))).unwrap();
    }
    let choose = "package injected; int bug /* verilator public */ = 0; endpackage\n\
        module choose; initial if ($value$plusargs(\"bug=%d\", injected::bug) == 0) \
        injected::bug = 0; endmodule\nbind link_boards choose u_choose ();\n";
    let ring = Ring::build(&hdl, folder.path(), 2, true, Some(choose.into()))
        .unwrap_or_else(|error| panic!("{error}"));
    // A ring of two boards, with the other pairs of clocks of hosts.
    for (seed, mode) in [(2, "load"), (3, "errors"), (2, "dark")] {
        let good = ring.run(FEW_WORDS, seed, mode, 0);
        nothing_is_lost(&ring, FEW_WORDS, &good);
        if mode == "load" {
            all_are_evaluated(2, &good.evaluated);
        }
    }
    let names: Vec<String> = (BUGS.iter()).map(|bug| format!("{} {}", bug.0, bug.1)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let chosen: BTreeSet<&str> = Selection::from_env().sized(2).names(&names);
    assert!(!chosen.is_empty());
    let mut wrong = Vec::new();
    for (number, (label, instance, ..)) in BUGS.iter().enumerate() {
        if !chosen.contains(names[number]) {
            continue;
        }
        let fired = ring.run(1_000, 1, "load", number + 1).fired;
        if !fired.first().is_some_and(|(found, at)| found == label && at.contains(instance)) {
            wrong.push(format!("{label} at {instance}: {fired:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
