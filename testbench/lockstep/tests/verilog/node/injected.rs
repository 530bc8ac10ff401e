// SPDX-License-Identifier: MIT OR Apache-2.0
//! LCK-4: a bug in the Verilog ends as a divergence that names its module, shrunk, with a vote,
//! waves and a vector that fails again.

use super::{gtkw, lockstep, out, repository};
use awgstar::rtl::RingNode;
use awgstar_compare::Kind;
use awgstar_lockstep::blame::blame;
use awgstar_lockstep::campaign::Failure;
use awgstar_lockstep::vote::{Oddity, Voter, vote};
use awgstar_lockstep::{Verdict, campaign, waves};
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::strategy;
use awgstar_stimulus::vector::Vector;
use std::{fs, path::Path};

/// A bug: file, text, what stands there instead.
pub(crate) type Bug<'a> = (&'a str, &'a str, &'a str);

/// The header that is written is not the frame's, in a bit nobody reads for a while.
pub(crate) const MEMORY: Bug<'_> = (
    "rx_buffer.v",
    "if (accept) hdr_mem[hdr_wr_addr] <= hdr;",
    "if (accept) hdr_mem[hdr_wr_addr] <= hdr ^ 123'd1;",
);

/// Copies the Verilog to `folder`, with the bug.
pub(crate) fn copy(folder: &Path, (file, find, replace): &Bug<'_>) {
    let from = repository().join("hdl");
    fs::create_dir_all(folder.join("include")).unwrap();
    for part in ["", "include"] {
        for entry in fs::read_dir(from.join(part)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), folder.join(part).join(entry.file_name())).unwrap();
            }
        }
    }
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(find).count(), 1, "{file}: `{find}`");
    fs::write(path, text.replace(find, replace)).unwrap();
}

/// Finds the bug; the failing case, the vote on it, and a folder with vector and waves.
fn hunt(bug: &Bug<'_>) -> (Failure, Voter, Oddity) {
    let hdl = tempfile::tempdir().unwrap();
    copy(hdl.path(), bug);
    let mut lockstep = lockstep(hdl.path());
    let outcome = campaign::campaign(&mut lockstep, &strategy::node(600), 3, 200, &|_, _| ());
    let failure = outcome.unwrap().failure.expect("the bug is found");
    let d = &failure.divergence;
    let program = icarus::build(RingNode::shape(), hdl.path(), &out())
        .unwrap_or_else(|error| panic!("{error}"));
    let vote = vote(d, &lockstep, &program).unwrap().expect("a vote");

    let folder = tempfile::tempdir().unwrap();
    let vcd = fs::read_to_string(waves::write(d, &lockstep, folder.path()).unwrap()).unwrap();
    for scope in ["model", "rtl", "diff"] {
        assert!(vcd.contains(&format!("$scope module {scope} $end")), "{scope}");
    }
    let save = fs::read_to_string(folder.path().join("divergence.gtkw")).unwrap();
    let path = d.first().unwrap().path();
    assert!(save.contains(&format!("diff.node0.{path}")), "{path} is not in\n{save}");
    gtkw::check(folder.path(), "divergence");
    assert!(folder.path().join(".surfer/mappings/token.mapping").exists());

    awgstar_lockstep::failing::vector::<RingNode>(d, lockstep.shape(), "injected")
        .unwrap()
        .save(folder.path())
        .unwrap();
    let vector = Vector::<RingNode>::load(folder.path()).unwrap();
    assert_eq!(vector.drift(), None);
    match lockstep.run(&vector.case()).unwrap() {
        Verdict::Diverged(again) => assert_eq!(again.cycle, d.cycle),
        Verdict::Equal(_) => panic!("the vector does not fail"),
    }
    (failure, vote.odd, vote.how)
}

#[track_caller]
fn named(failure: &Failure, module: &str, path: &str) {
    let first = failure.divergence.first().unwrap();
    assert_eq!((first.signal.module, first.path().as_str()), (module, path));
    assert!(failure.minimal);
}

/// A wrong wire is told of the module that drives it, not of the register that takes it in.
#[test]
fn a_wrong_wire() {
    let bug = (
        "tx_mux.v",
        "from_data ? s_data_axis_tkeep : s_signal_axis_tkeep;",
        "from_data ? s_data_axis_tkeep : 4'b1111;",
    );
    let hdl = tempfile::tempdir().unwrap();
    copy(hdl.path(), &bug);
    let mut lockstep = lockstep(hdl.path());
    let outcome = campaign::campaign(&mut lockstep, &strategy::node(600), 3, 200, &|_, _| ());
    let failure = outcome.unwrap().failure.expect("the bug is found");
    assert_eq!(failure.divergence.first().unwrap().signal.module, "frame_tx");
    let program = icarus::build_with_ports(RingNode::shape(), hdl.path(), &out()).unwrap();
    let blame = blame(&failure.divergence, &lockstep, &program).unwrap().expect("a cause");
    let wire = blame.wire.as_ref().expect("a wire");
    assert_eq!((blame.module, wire.path().as_str()), ("tx_mux", "u_mux.m_axis_tkeep"));
    assert_eq!(wire.signal.kind, Kind::Wire { output: true }, "{blame}");
    assert_eq!((wire.seen.value, wire.cycle + 1), (0b1111, failure.divergence.cycle), "{blame}");
}

#[test]
#[ignore = "long: a build and a hunt for each bug; a late one, one without a reset and one of a wire are in every run"]
fn a_turn_that_is_not_given_back() {
    let bug = ("tx_arbiter.v", "if (spent)        turn_d", "if (grant_data)   turn_d");
    let (failure, odd, how) = hunt(&bug);
    named(&failure, "tx_arbiter", "u_arbiter.turn_q");
    assert_eq!((odd, how), (Voter::Model, Oddity::Value));
    assert!(failure.divergence.cycle < 40, "cycle {}", failure.divergence.cycle);
}

#[test]
fn a_kind_that_comes_early() {
    let (failure, odd, how) =
        hunt(&("ring_ingress.v", "kind1_q    <= kind_q", "kind1_q    <= kind_d"));
    named(&failure, "ring_ingress", "u_ingress.kind1_q");
    assert_eq!((odd, how), (Voter::Model, Oddity::Late));
}

#[test]
#[ignore = "long: a build and a hunt for each bug; a late one, one without a reset and one of a wire are in every run"]
fn a_pointer_that_does_not_go_back() {
    let bug = ("rx_buffer.v", "else if (verdict) wr_ptr_d", "else if (1'b0)    wr_ptr_d");
    let (failure, odd, how) = hunt(&bug);
    named(&failure, "rx_buffer", "u_rx_buffer.wr_ptr_q");
    assert_eq!((odd, how), (Voter::Model, Oddity::Value));
}

#[test]
fn a_register_without_its_reset() {
    let reset = "state_q   <= `AWG_RING_EGRESS_READY;\n            ending_q  <= 1'b0;";
    let bug = ("ring_egress.v", reset, "ending_q  <= 1'b0;");
    let hdl = tempfile::tempdir().unwrap();
    copy(hdl.path(), &bug);
    let mut lockstep = lockstep(hdl.path());
    let outcome = campaign::campaign(&mut lockstep, &strategy::node(600), 3, 50, &|_, _| ());
    let failure = outcome.unwrap().failure.expect("the bug is found");
    assert_eq!(failure.divergence.first().unwrap().signal.module, "ring_egress");
    let program = icarus::build(RingNode::shape(), hdl.path(), &out()).unwrap();
    let vote = vote(&failure.divergence, &lockstep, &program).unwrap().expect("a vote");
    assert_eq!(vote.how, Oddity::X, "{vote}");
}

/// LCK-2: encodings differ, so the first cycle in one of the two states does.
#[test]
#[ignore = "long: a build and a hunt for each bug; a late one, one without a reset and one of a wire are in every run"]
fn two_states_swapped() {
    let define = |pass, skip| {
        format!(
            "`define AWG_{:<32} 2'd{pass}\n`define AWG_{:<32} 2'd{skip}",
            "RING_INGRESS_PASS", "RING_INGRESS_SKIP"
        )
    };
    let hdl = tempfile::tempdir().unwrap();
    copy(hdl.path(), &("include/awgstar.vh", &define(2, 3), &define(3, 2)));
    let mut lockstep = lockstep(hdl.path());
    let outcome = campaign::campaign(&mut lockstep, &strategy::node(600), 3, 50, &|_, _| ());
    let failure = outcome.unwrap().failure.expect("the bug is found");
    named(&failure, "ring_ingress", "u_ingress.state_q");
}
