// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards with the lock and barrier engine, model and Verilog in lockstep. Checks ENG-6 to ENG-8;
//! ENG-9: all other tests of boards run without it.
//! A missing simulator fails.

use crate::fates::survivors;
use crate::work::{WORKS, run};
use awgstar::contract::board as map;
use awgstar::host::{Choice, Setup};
use awgstar::quantity::NodeId;
use awgstar::ring::boards::Noise;
use awgstar::rtl::{EngineMux, Smb, engine_regs, state::State};
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{chosen, list_of, machines::Model, read, unmatched};
use awgstar_lockstep::{Lockstep, Memories, Verdict, campaign, text};
use awgstar_simulator::Sources;
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::Case;
use awgstar_stimulus::board::engine;
use awgstar_stimulus::engine::offers;
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector;
use proptest::strategy::ValueTree;
use std::path::PathBuf;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lockstep() -> Lockstep<Smb> {
    let (hdl, out) = (repository().join("hdl"), repository().join("target/cosim"));
    let mut lockstep = Lockstep::<Smb>::with_parameters(&hdl, &out, &engine::parameters())
        .unwrap_or_else(|error| panic!("{error}"));
    lockstep.memories = Memories::Fast;
    lockstep
}

/// Hosts that use the engine in any order, with signals that no engine would send, on links that err.
#[test]
fn rings_of_boards() {
    for (nodes, count) in [(2, 12), (3, 6), (4, 4)] {
        let strategy = engine::ring(nodes, 6000);
        let (seed, count) = (u64::from(nodes), crate::part(count));
        let outcome =
            campaign::campaign(&mut lockstep(), &strategy, seed, count, &|_, _| ()).unwrap();
        if let Some(failure) = outcome.failure {
            panic!("{}", failure);
        }
        assert_eq!(outcome.cases, count);
    }
}

/// Programs with locks and barriers: all nodes with the engine, some of them with firmware, bit errors. Without
/// `AWGSTAR_CASES` each program runs once.
#[test]
fn programs() {
    let lockstep = lockstep();
    for (row, (engines, rate)) in (1..).zip([(&[0, 1, 2][..], 0), (&[1], 0), (&[0, 2], 21_000)]) {
        for (seed, work) in (1..).zip(WORKS) {
            if seed != row && !crate::whole() {
                continue;
            }
            let mut setup = Setup::new(3, 4);
            setup.scenario.parameters = engine::parameters();
            setup.scenario.noise = Noise { rate, seed };
            let engines = engines.iter().map(|&node| NodeId(node)).collect();
            let run = run(setup, Choice { engines, ..Choice::new() }, work);
            let name = format!("{:?} {:?}", run.choice, run.work);
            if let Verdict::Diverged(d) = lockstep.run(&Case::ring(run.into())).unwrap() {
                panic!("{name}: {}", text::render(&d));
            }
        }
    }
}

/// LCK-5: no X where the model knows the bit, and no other value, in four states.
#[test]
fn icarus_replays() {
    let parameters = engine::parameters();
    let shape = Shape::of::<Smb>(&parameters);
    let (hdl, out) = (repository().join("hdl"), repository().join("target/cosim"));
    let program = icarus::build(&shape, &hdl, &out).unwrap_or_else(|error| panic!("{error}"));
    let case = campaign::case(&engine::ring(2, 2500), 7, 0).unwrap().current();
    for node in 0..2 {
        let inputs = vector::track_of::<Smb>(&case, node, &parameters).unwrap();
        let cycles = icarus::play::<Smb>(&shape, &program, &inputs)
            .unwrap_or_else(|error| panic!("{error}"));
        let wrong = awgstar_lockstep::check::<Smb>(&shape, &inputs, &cycles).unwrap();
        assert!(wrong.is_empty(), "{wrong:#x?}");
    }
}

/// What the boards of random rings are fed with.
fn stimuli() -> Vec<Case<Smb>> {
    let ring = engine::ring(2, 4000);
    let rings = (0..12).map(|k| campaign::case(&ring, 31, k).unwrap().current());
    let of = |(case, node): (Case<Smb>, usize)| {
        let track = vector::track_of::<Smb>(&case, node, &engine::parameters()).unwrap();
        Case::fed(track.inputs).on(engine::parameters())
    };
    let written = [engine::full_mailbox_and_clears()];
    written
        .into_iter()
        .chain(rings)
        .flat_map(|case| [(case.clone(), 0), (case, 1)])
        .map(of)
        .collect()
}

/// The written case meets what it is for: events in the cycle in which a program clears them, and messages of
/// the engine, good and bad ones, while the mailbox is full.
#[test]
fn the_written_case_meets_clears_and_a_full_mailbox() {
    let case = engine::full_mailbox_and_clears();
    let inputs = vector::track_of::<Smb>(&case, 1, &engine::parameters()).unwrap().inputs;
    let mut smb = Smb::new(&engine::parameters());
    let status = (map::ENGINE_IRQ_STATUS.offset.0 & 0x7ff) >> 2;
    let (mut kept, mut taken, mut refused) = (0, 0, 0);
    for i in &inputs {
        let was_idle = smb.u_engine.u_regs.state_q == engine_regs::IDLE;
        smb.clock(i);
        let (regs, router) = (&smb.u_engine.u_regs, &smb.u_engine.u_router);
        // Every access to this register in the case clears all its bits.
        let cleared =
            was_idle && regs.state_q == engine_regs::ANSWER && u32::from(regs.sel_q) == status;
        kept += u32::from(cleared && regs.status_q != 0);
        let no_room = router.mine_q && !router.room_q;
        taken += u32::from(no_room && router.taken_q);
        refused += u32::from(no_room && !router.good_q);
    }
    assert!(kept > 0 && taken > 0 && refused > 0, "{kept} {taken} {refused}");
}

/// Not a bug with `ENGINE_NODE_W` 2: both engines clear 64 words, and are ready in the same cycle.
const NOT_FOUND: [&str; 1] = ["engine-ready-early"];

/// Every deliberate bug in the wires and the registers of the engine is found (LCK-3), but for those named
/// above.
#[test]
#[ignore = "long: the stimuli of whole boards take a minute"]
fn no_mutant_of_the_engine_in_the_board_survives() {
    let list = chosen(&repository(), "engine", &Selection::long()).unwrap();
    let (mux, rest): (Vec<_>, Vec<_>) =
        list.iter().cloned().partition(|mutant| mutant.file == "engine_mux.v");
    let offers: Vec<_> = (0..4).map(|seed| offers(seed, 3000)).collect();
    let model = Model::new::<EngineMux>(Sources::of(&repository()), &offers).unwrap();
    let mut told = survivors(&mux, &model).unwrap();
    let model = Model::new::<Smb>(Sources::of(&repository()), &stimuli()).unwrap();
    told.extend(survivors(&rest, &model).unwrap());
    let named = |sentence: &String| {
        let id = sentence.split(' ').next().unwrap_or_default();
        NOT_FOUND.contains(&id) && sentence.ends_with("Survived")
    };
    let wrong: Vec<_> = told.iter().filter(|sentence| !named(sentence)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(told.len() == NOT_FOUND.len() || list.len() < 40, "found, and named: {told:#?}");
}

#[test]
fn the_list_of_mutants_fits_the_verilog() {
    let list = read(&list_of(&repository(), "engine")).unwrap();
    assert!(list.len() >= 30, "{} mutants", list.len());
    let wrong = unmatched(&list, &repository().join("hdl")).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
}
