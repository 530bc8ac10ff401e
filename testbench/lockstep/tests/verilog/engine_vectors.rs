// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of a board with the lock and barrier engine (VEC-1 to VEC-4): answers of the host and
//! signals of the board were written by hand. Checks ENG-1 to ENG-8.
//! A missing simulator fails.

use awgstar::rtl::{Smb, state::State as _};
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::{Lockstep, Verdict, text};
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::board::engine::parameters;
use awgstar_stimulus::known::starts;
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector::{self, Vector};
use awgstar_stimulus::vectors::board::{
    self, ENGINE_FOLDER, Golden, host_answers, sent_signals, with_engine,
};
use std::{collections::BTreeSet, fs, path::PathBuf, sync::LazyLock};

static ALL: LazyLock<Vec<(&Golden, Vector<Smb>)>> = LazyLock::new(|| {
    let all = with_engine().expect("no mistakes").iter();
    all.map(|g| (g, g.vector().expect("a good one"))).collect()
});

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Answers and signals of a board that starts like this.
fn played(mut board: Smb, vector: &Vector<Smb>) -> [Vec<String>; 2] {
    let cycles: Vec<_> = vector
        .track
        .inputs
        .iter()
        .map(|i| {
            let outputs = board.outputs(i);
            board.clock(i);
            (i, outputs)
        })
        .collect();
    [host_answers(cycles.iter().copied()), sent_signals(cycles.iter().copied())]
}

/// The model gives what was written by hand, whatever was in registers and memories before the reset.
#[test]
fn answers_and_signals_are_those_written_by_hand() {
    let mut wrong = Vec::new();
    for (golden, vector) in ALL.iter() {
        let expected = [golden.answers.clone(), golden.signals.clone().unwrap_or_default()];
        let mut boards = starts::<Smb>(&Shape::of::<Smb>(&parameters()), 1);
        boards.push(Smb::new(&parameters()));
        for board in boards {
            let found = played(board, vector);
            if found != expected {
                wrong.push(format!(
                    "{}\n  expected {expected:?}\n  found    {found:?}",
                    golden.name
                ));
            }
        }
        assert!(golden.signals.is_some() && !golden.answers.is_empty(), "{}", golden.name);
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_requirement_of_the_engine_has_one() {
    let spec = fs::read_to_string(root().join("docs/spec.md")).unwrap();
    let (mut names, mut ids) = (BTreeSet::new(), BTreeSet::new());
    for (golden, vector) in ALL.iter() {
        assert!(names.insert(&golden.name), "{} is there twice", golden.name);
        for id in &golden.requirements {
            assert!(spec.contains(&format!("**{id}**")), "{}: {id}", golden.name);
            ids.insert(id.as_str());
        }
        for text in [&golden.shows, &golden.catches, &golden.effect] {
            assert!(text.len() > 15, "{}", golden.name);
        }
        assert_eq!(vector.about.parameters, ["ENGINE_NODE_W=2"], "{}", golden.name);
    }
    // ENG-9 is about boards without an engine.
    for n in 1..=8 {
        assert!(ids.contains(format!("ENG-{n}").as_str()), "ENG-{n}");
    }
    let size =
        |v: &Vector<Smb>| v.files().unwrap().iter().map(|(_, text)| text.len()).sum::<usize>();
    assert!(ALL.iter().map(|(_, v)| size(v)).sum::<usize>() < 400_000);
}

/// The committed ones hold on the model and in Verilator, and a sample of them, in `long` all, in Icarus (LCK-3, LCK-5).
#[test]
fn committed_vectors_hold() {
    let (hdl, out) = (root().join("hdl"), root().join("target/cosim"));
    let committed = root().join("vectors").join(ENGINE_FOLDER);
    assert_eq!(board::check(&committed), (ALL.len(), Vec::new()));
    let shape = Shape::of::<Smb>(&parameters());
    let lockstep = Lockstep::<Smb>::with_parameters(&hdl, &out, &parameters())
        .unwrap_or_else(|error| panic!("{error}"));
    let program = icarus::build(&shape, &hdl, &out).unwrap_or_else(|error| panic!("{error}"));
    let folders = vector::list(&committed);
    let names: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let in_icarus = Selection::from_env().sized(2).names(&all);
    for (folder, name) in folders.iter().zip(&names) {
        let vector = Vector::<Smb>::load(folder).unwrap_or_else(|error| panic!("{error}"));
        if let Verdict::Diverged(d) = lockstep.run(&vector.case()).unwrap() {
            panic!("{name}: {}", text::render(&d));
        }
        if !in_icarus.contains(name.as_str()) {
            continue;
        }
        let cycles = icarus::play::<Smb>(&shape, &program, &vector.track).unwrap();
        let wrong = awgstar_lockstep::check::<Smb>(&shape, &vector.track, &cycles).unwrap();
        assert!(wrong.is_empty(), "{name}: {wrong:#x?}");
    }
}

/// A vector whose list of signals is another is refused, with the first one that differs.
#[test]
fn wrong_signals_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one");
    let (_, vector) = ALL.iter().find(|(g, _)| g.name == "lock_release_to_the_next").unwrap();
    let wrong = |from: &str, to: &str| {
        vector.save(&one).unwrap();
        let path = one.join("vector.toml");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
        let (count, wrong) = board::check(folder.path());
        assert_eq!((count, wrong.len()), (1, 1), "{wrong:?}");
        wrong[0].clone()
    };
    let signal = "101 00101 03 00000001000000000001";
    let found = wrong(signal, "101 00101 01 00000001000000000001");
    let expected = format!("signal 0: expected 101 00101 01 00000001000000000001, found {signal}");
    assert!(found.contains(&expected), "{found}");
    let found = wrong(&format!("[\"{signal}\"]"), "[]");
    assert!(found.contains(&format!("signal 0: expected none, found {signal}")), "{found}");
}
