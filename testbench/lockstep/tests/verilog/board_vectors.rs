// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of the board (VEC-1 to VEC-4): what their hosts are told was written by hand.
//! A missing simulator fails, never skips.

use awgstar::rtl::Smb;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::{Lockstep, Verdict, text};
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::known::starts;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::vector;
use awgstar_stimulus::vector::Vector;
use awgstar_stimulus::vectors::board;
use awgstar_stimulus::vectors::board::{FOLDER, Golden, host_answers};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

static ALL: LazyLock<Vec<(&Golden, Vector<Smb>)>> = LazyLock::new(|| {
    let all = board::plain().expect("no mistakes").iter();
    all.map(|g| (g, g.vector().expect("a good one"))).collect()
});

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn committed() -> PathBuf {
    root().join("vectors").join(FOLDER)
}

/// What the host is told by a board that starts like this.
fn answers(mut board: Smb, vector: &Vector<Smb>) -> Vec<String> {
    host_answers(vector.track.inputs.iter().map(|i| {
        let outputs = Machine::outputs(&board, i);
        Machine::clock(&mut board, i);
        (i, outputs)
    }))
}

/// The model gives what was written by hand, and every access was answered.
#[test]
fn hosts_are_told_what_was_written_by_hand() {
    for (golden, vector) in ALL.iter() {
        assert_eq!(answers(Smb::default(), vector), golden.answers, "{}", golden.name);
        assert!(!golden.answers.is_empty(), "{}", golden.name);
    }
}

/// What it is told does not hang on what stood in registers and memories before the reset.
#[test]
fn answers_do_not_depend_on_the_start() {
    for (golden, vector) in ALL.iter() {
        for board in starts::<Smb>(Smb::shape(), 2) {
            assert_eq!(answers(board, vector), golden.answers, "{}", golden.name);
        }
    }
}

#[test]
fn each_is_about_something() {
    let spec = fs::read_to_string(root().join("docs/spec.md")).unwrap();
    let mut names = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for (golden, _) in ALL.iter() {
        assert!(names.insert(&golden.name), "{} is there twice", golden.name);
        assert!(!golden.requirements.is_empty(), "{}", golden.name);
        for id in &golden.requirements {
            assert!(spec.contains(&format!("**{id}**")), "{}: {id}", golden.name);
            ids.insert(id.as_str());
        }
        for text in [&golden.shows, &golden.catches, &golden.effect] {
            assert!(text.len() > 15, "{}", golden.name);
        }
    }
    // Every requirement of the board that one board alone can show.
    for (family, last) in [("HST", 6), ("WRT", 3), ("ACK", 6), ("SND", 4), ("RCV", 6), ("MON", 6)] {
        for n in 1..=last {
            assert!(ids.contains(format!("{family}-{n}").as_str()), "{family}-{n}");
        }
    }
    assert!(ids.contains("IRQ-1"));
}

/// Few bytes: what repeats stands in the files once.
#[test]
fn they_are_small() {
    let size =
        |v: &Vector<Smb>| v.files().unwrap().iter().map(|(_, text)| text.len()).sum::<usize>();
    assert!(ALL.iter().map(|(_, v)| size(v)).sum::<usize>() < 400_000);
}

/// The committed ones hold on the model and in Verilator, and a sample of them, in `long` all, in Icarus (LCK-3, LCK-5).
#[test]
fn committed_vectors_hold() {
    let hdl = root().join("hdl");
    let out = root().join("target/cosim");
    assert_eq!(board::check(&committed()), (ALL.len(), Vec::new()));
    let lockstep = Lockstep::<Smb>::new(&hdl, &out).unwrap_or_else(|error| panic!("{error}"));
    let program = icarus::build(Smb::shape(), &hdl, &out).unwrap_or_else(|error| panic!("{error}"));
    let folders = vector::list(&committed());
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
        let cycles = icarus::play::<Smb>(Smb::shape(), &program, &vector.track).unwrap();
        let wrong = awgstar_lockstep::check::<Smb>(Smb::shape(), &vector.track, &cycles).unwrap();
        assert!(wrong.is_empty(), "{name}: {wrong:#x?}");
    }
}

/// A vector that says something else is refused, and what is wrong is told.
#[test]
fn wrong_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one");
    let (_, vector) = &ALL[0];
    let wrong = |file: &str, from: &str, to: &str| {
        vector.save(&one).unwrap();
        let path = one.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
        let (count, wrong) = board::check(folder.path());
        assert_eq!((count, wrong.len()), (1, 1), "{wrong:?}");
        wrong[0].clone()
    };
    let told = wrong("vector.toml", "41574753", "41574754");
    assert!(told.contains("answer 0: expected 41574754, found 41574753"), "{told}");
    let told = wrong("vector.toml", "\"41574753\", ", "");
    assert!(told.contains("answer 0: expected 00000001, found 41574753"), "{told}");
    let told = wrong("vector.toml", "\"smb\"", "\"ring_node\"");
    assert!(told.contains("module is `ring_node`: expected `smb`"), "{told}");
    let told = wrong("stimulus.hex", "_", " ");
    assert!(told.contains("cycle 0: not the inputs of smb"), "{told}");
    let told = wrong("stimulus.hex", "0004_", "0000_");
    assert!(told.contains("cycle 0: not the inputs of smb"), "{told}");
    let told = wrong("expect.hex", "_", "x");
    assert!(told.contains("cycle 0: not the outputs of smb"), "{told}");
    let told = wrong("expect.hex", "_0", "_1");
    assert!(told.contains("the model does not give expect.hex"), "{told}");
}

/// The testbench that needs no Rust finds a signal that is taken twice (RCV-3).
#[test]
fn the_plain_testbench_can_fail() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = vec![root().join("testbench/verilog/tb_smb.v")];
    for entry in fs::read_dir(root().join("hdl")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "v") {
            let text = fs::read_to_string(&path).unwrap();
            let copy = folder.path().join(path.file_name().unwrap());
            fs::write(&copy, text.replace("if (old) begin", "if (1'b0) begin")).unwrap();
            files.push(copy);
        }
    }
    let program = folder.path().join("tb.vvp");
    let mut compile = Command::new("iverilog");
    compile.args(["-g2012", "-s", "tb_smb", "-I"]).arg(root().join("hdl/include"));
    let done = compile.arg("-o").arg(&program).args(&files).output().expect("iverilog");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for (name, fails) in [("signal_again", true), ("data_again", false)] {
        let mut play = Command::new("vvp");
        play.arg("-n").arg(&program).arg(format!("+dir={}", committed().join(name).display()));
        let text = String::from_utf8(play.output().expect("vvp").stdout).unwrap();
        assert_eq!(!text.contains(" failed=0"), fails, "{name}: {text}");
        assert!(text.contains("RESULT module=smb cycles="), "{text}");
    }
}
