// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_link` and `smb_link` in lockstep: model and Verilog with the same inputs and the same edges of all clocks;
//! every output, register and memory word is compared in every step, as `awgstar cosim` does.

use super::{Tool, repository};
use awgstar::rtl::state::State as _;
use awgstar::rtl::{AxilCrossing, Code8b10b, Parameters, RingLink, SmbLink};
use awgstar_lockstep::{Lockstep, Verdict, text};
use awgstar_simulator::{SimError, elaborate, four_state};
use awgstar_stimulus::Case;
use awgstar_stimulus::link;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector::track_of;
use std::path::Path;

/// The first differences of the Verilog in `hdl` from the model, both with these parameters.
pub(crate) fn compared<M: Machine>(
    tool: Tool,
    parameters: &Parameters,
    (hdl, out): (&Path, &Path),
    cases: &[Case<M>],
) -> Result<Vec<String>, SimError> {
    let mut wrong = Vec::new();
    match tool {
        Tool::Icarus => {
            let shape = Shape::of::<M>(parameters);
            let program = four_state::build(&shape, hdl, out)?;
            for case in cases {
                let track = track_of::<M>(case, 0, parameters)?;
                let cycles = four_state::play::<M>(&shape, &program, &track)?;
                let found = awgstar_lockstep::check::<M>(&shape, &track, &cycles).unwrap();
                wrong.extend(found.iter().map(|wrong| format!("{wrong:?}")));
            }
        }
        Tool::Verilator => {
            let lockstep = Lockstep::<M>::with_parameters(hdl, out, parameters)?;
            for case in cases {
                if let Verdict::Diverged(found) = lockstep.run(case)? {
                    wrong.push(text::render(&found));
                }
            }
        }
    }
    Ok(wrong)
}

fn case(seed: u64, count: usize) -> Case<RingLink> {
    link::ring_link(seed, 0, count)
}

/// The first differences of `ring_link` in `hdl`.
pub(super) fn differences(
    tool: Tool,
    hdl: &Path,
    out: &Path,
    seed: u64,
    count: usize,
) -> Result<Vec<String>, SimError> {
    compared::<RingLink>(tool, &Parameters::DEFAULT, (hdl, out), &[case(seed, count)])
}

/// The first differences of `smb_link` in `hdl`, in the first `boards` directed cases.
pub(super) fn differences_of_board(
    tool: Tool,
    hdl: &Path,
    out: &Path,
    boards: usize,
) -> Result<Vec<String>, SimError> {
    let cases = link::directed_boards(&Parameters::DEFAULT)
        .into_iter()
        .take(boards)
        .map(|named| named.case);
    let cases: Vec<_> = cases.collect();
    compared::<SmbLink>(tool, &Parameters::DEFAULT, (hdl, out), &cases)
}

/// Directed cases of a board that find every injected bug in `smb_link.v`.
pub(super) const BOARDS: usize = 6;

fn holds(tool: Tool, seed: u64, count: usize) {
    let root = repository();
    let (hdl, out) = (root.join("hdl"), root.join("target/cosim"));
    let wrong = differences(tool, &hdl, &out, seed, count).unwrap();
    assert!(wrong.is_empty(), "{tool:?}, seed {seed}: {wrong:#?}");
    let reached = RingLink::reached(case(seed, count).inputs(), &Parameters::DEFAULT);
    println!("{tool:?}, seed {seed}: {reached:?}");
    assert!(reached.iter().all(|&(_, n)| n > 0), "{reached:?}");
}

// checks COD-4, COD-5, COD-6, COD-7, COD-8, COD-9, CDC-1, CDC-2, LNK-7
#[test]
fn link_is_its_model() {
    holds(Tool::Icarus, 1, 20_000);
    holds(Tool::Verilator, 2, 60_000);
}

// checks CDC-1, CDC-3, LNK-5
#[test]
fn board_with_a_link_is_its_model() {
    board_holds(Tool::Verilator, BOARDS);
}

#[test]
#[ignore = "100 s: six cases of a board with four clocks in Icarus"]
fn board_with_a_link_is_its_model_in_icarus() {
    board_holds(Tool::Icarus, BOARDS);
}

fn board_holds(tool: Tool, boards: usize) {
    let root = repository();
    let (hdl, out) = (root.join("hdl"), root.join("target/cosim"));
    let wrong = differences_of_board(tool, &hdl, &out, boards).unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

// checks LCK-2
#[test]
fn names_of_the_link_agree() {
    let usual = Parameters::DEFAULT;
    let elastic = |words: u64| usual.with("ring_link", "ELASTIC_ADDR_W", words).unwrap();
    let ends = [elastic(3), elastic(10)];
    let mut all = vec![
        ("ring_link", usual, RingLink::layout()),
        ("code_8b10b", usual, Code8b10b::layout()),
        ("axil_crossing", usual, AxilCrossing::layout()),
        ("smb_link", usual, SmbLink::layout()),
    ];
    all.extend(ends.map(|end| ("ring_link", end, RingLink::layout_of(&end))));
    for (top, parameters, layout) in all {
        let verilog = elaborate::elaborate(&repository().join("hdl"), top, &parameters)
            .unwrap_or_else(|error| panic!("{error}"));
        let found = elaborate::differences(&verilog, &layout);
        assert!(found.is_empty(), "{found:#?}");
    }
}
