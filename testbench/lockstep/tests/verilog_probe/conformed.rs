// SPDX-License-Identifier: MIT OR Apache-2.0
//! The judgement of the conformance suite: ports only, and why a design fails.

use crate::node::{CYCLES, Node, case, verilog};
use awgstar::quantity::narrow;
use awgstar::rtl::Parameters;
use awgstar_lockstep::conform::case::Failure;
use awgstar_lockstep::conform::play::{Lines, build};
use awgstar_lockstep::conform::{Dut, Options, Verdict, bench};
use awgstar_simulator::{Icarus, Shard, Token};
use awgstar_stimulus::machine::Machine;
use std::time::Duration;

fn fail(played: &[(u64, u64)], folder: &std::path::Path) -> Option<Failure> {
    let (shape, root) = (Node::shape(), verilog("conformed"));
    let options = Options {
        root: root.clone(),
        simulator: &Icarus,
        seed: 1,
        cases: None,
        only: Vec::new(),
        shard: Shard::WHOLE,
        limit: Duration::from_secs(60),
        parameters: Parameters::DEFAULT,
        threads: 1,
        progress: &|_| (),
    };
    let dut = Dut::new(&[root.join("probe.v")], &[], "probe").unwrap();
    let text = |token: &Token| bench::text(shape, "probe", &[], narrow(CYCLES), token);
    let program = build("probe", &text, &dut, &[], &options).unwrap();
    let track = case(played).0.remove(0);
    Lines::<Node>::new(shape, track).play(&program, folder, &options).unwrap()
}

#[test]
fn each_fault_is_found_in_its_cycle_with_its_verdict() {
    let folder = verilog("conformed").join("run");
    // Nothing sets `wide_q`, so `sum` may have any value; in cycle 40 `m_axis_tvalid` is 0.
    for faults in [&[] as &[_], &[(41, 8)], &[(41, 3)], &[(40, 9)], &[(0, 9)]] {
        assert_eq!(fail(faults, &folder), None, "{faults:?}");
    }
    let faults = [
        ((41, 9), Verdict::WrongValue, "cycle 41: m_axis_tdata, bit 0: expected "),
        ((146, 9), Verdict::WrongValue, "cycle 146: m_axis_tdata, bit 0: expected "),
        ((149, 9), Verdict::WrongValue, "cycle 149: m_axis_tdata, bit 0: expected "),
        ((41, 1), Verdict::WrongValue, "cycle 42: m_axis_tvalid: expected 0, found 1"),
        ((41, 10), Verdict::DrivesX, "cycle 41: m_axis_tkeep, bit 0: expected 7, found x"),
        ((40, 64), Verdict::Late, "cycle 42: m_axis_tdata, bit "),
        ((40, 66), Verdict::Late, "cycle 42: m_axis_tvalid: expected 1, found 0"),
        ((40, 65), Verdict::WrongValue, "cycle 41: m_axis_tvalid: expected "),
    ];
    for (fault, verdict, first) in faults {
        let failure = fail(&[fault], &folder).unwrap();
        let told = failure.first.as_ref().unwrap().to_string();
        assert!(failure.verdict == verdict && told.starts_with(first), "{fault:?}: {failure:?}");
    }
    let ended = fail(&[(40, 12)], &folder).unwrap();
    assert_eq!((ended.verdict, ended.first), (Verdict::EndsEarly, None));
}
