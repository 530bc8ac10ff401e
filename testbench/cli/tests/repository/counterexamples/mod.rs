// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs in which the printed protocols go wrong: as vectors, waves and pictures (SIG-1, SIG-2).

mod pages;
mod texts;

use crate::gtkw;
use assert_cmd::Command;
use awgstar_cli::counterexample::{CASES, Case, Example, FOLDER, Vector, check, paging};
use std::{collections::BTreeSet, fs, path::PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn committed(case: impl Into<Example>) -> Vector {
    let one = case.into();
    let path = root().join("vectors").join(one.folder()).join(format!("{}.json", one.name()));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let vector: Vector = serde_json::from_str(&text).unwrap();
    assert_eq!(vector.text(), text, "{}", one.name());
    vector
}

/// The machines of the printed protocols take the frames of each vector and do what it says; with pages replicas take
/// them, too, and it goes wrong.
#[test]
fn vectors_are_replayed() {
    assert_eq!(check(&root().join("vectors")), (20 + 15, Vec::new()));
    for (folder, cases) in [(FOLDER, CASES.len()), (paging::FOLDER, paging::CASES.len())] {
        let files = fs::read_dir(root().join("vectors").join(folder)).unwrap().count();
        assert_eq!(files, cases, "{folder}: a file for each case and no other");
    }
    assert_eq!((CASES.len(), paging::CASES.len()), (20, 15));
}

/// Node, what happens, states: of each step of the run which the model checker's tests keep.
fn kept(name: &str, nodes: usize) -> Vec<(usize, String)> {
    let path = root().join(format!("model/sync/tests/protocols/runs/{name}.txt"));
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().skip_while(|l| !l.starts_with("  #")).skip(1);
    let step = |line: &str| {
        // The column of the node is marked.
        let node = line[5..].chars().step_by(2).take(nodes).position(|mark| mark == '*');
        (node.unwrap(), line[5 + 2 * nodes + 1..].to_owned())
    };
    lines.take_while(|line| !line.is_empty()).map(step).collect()
}

/// Each step of a vector is that of the run which the model checker's tests keep.
#[test]
fn vectors_are_the_runs_in_the_documents() {
    for case in CASES {
        let vector = committed(case);
        let steps = vector.steps.iter().map(|s| (s.node, &*s.what, &*s.state));
        same(case.name, vector.nodes, &steps.collect::<Vec<_>>());
    }
}

/// These steps, by node, what happens and states, are those of the run of this name.
fn same(name: &str, nodes: usize, steps: &[(usize, &str, &str)]) {
    let kept = kept(name, nodes);
    assert_eq!(kept.len(), steps.len(), "{name}");
    for ((node, line), step) in kept.iter().zip(steps) {
        assert!(*node == step.0 && line.starts_with(step.1) && line.ends_with(step.2), "{line}");
    }
}

/// What is broken follows from the steps alone: two processes have the lock, or one passes while
/// another one has not arrived.
#[test]
fn what_is_broken_can_be_counted() {
    use awgstar::check::Property::{Exclusion, Together};
    let does = |vector: &Vector, step: usize, what: &str| {
        let actions = serde_json::to_value(&vector.steps[step].actions).unwrap();
        actions.as_array().unwrap().iter().any(|action| action["do"] == what)
    };
    let mut counted = 0;
    for case in CASES {
        let vector = committed(case);
        let told = |step: usize, what: &str| vector.steps[step].event.as_deref() == Some(what);
        let mut inside = BTreeSet::new();
        let (mut arrived, mut passed) = (vec![0; vector.nodes], vec![0; vector.nodes]);
        let mut early = false;
        for step in 0..vector.steps.len() {
            let node = vector.steps[step].node;
            if told(step, "release") {
                inside.remove(&node);
            }
            if does(&vector, step, "acquired") {
                inside.insert(node);
            }
            arrived[node] += i32::from(told(step, "arrive"));
            passed[node] += i32::from(does(&vector, step, "passed"));
            early |= arrived.iter().any(|count| *count < passed[node]);
        }
        assert_eq!(inside.len() > 1, case.breaks == Some(Exclusion), "{}", case.name);
        assert_eq!(early, case.breaks == Some(Together), "{}", case.name);
        counted += usize::from(inside.len() > 1 || early);
    }
    assert_eq!(counted, 8);
}

/// A file of one form is none of the other, and a field that only pages have must be there.
#[test]
fn a_vector_of_the_other_form_is_refused() {
    let lock = Case::named("lock_mw_printed_answer").unwrap();
    let page = &paging::CASES[1];
    let error = committed(lock).replay(page).unwrap_err();
    assert!(error.contains("step 1: `` "), "{error}");
    let error = committed(page).replay(lock).unwrap_err();
    assert!(error.contains("step 1: event None with timer None"), "{error}");
    let mut bad = committed(page);
    bad.circles = None;
    assert!(bad.replay(page).unwrap_err().contains("missing field `circles`"));
}

/// A vector that says something else is refused.
#[test]
fn a_wrong_vector_is_seen() {
    let case = Case::named("barrier-dist-printed-two-mains").unwrap();
    let good = committed(case);
    assert_eq!(good.replay(case), Ok(()));
    let mut bad = good.clone();
    bad.steps[2].actions.clear();
    assert!(bad.replay(case).unwrap_err().contains("step 3"));
    let mut bad = good.clone();
    bad.steps[1].state = "main".into();
    assert!(bad.replay(case).unwrap_err().contains("step 2"));
    let mut bad = good.clone();
    bad.frames[0].replace_range(0..2, "03");
    assert!(bad.replay(case).is_err(), "the FCS of a frame is looked at");
    let mut bad = good.clone();
    bad.steps[0].node = 9;
    assert!(bad.replay(case).unwrap_err().contains("step 1: node: expected 0 to"));
    let mut bad = good;
    bad.steps[1].frame = Some(9);
    assert!(bad.replay(case).unwrap_err().contains("no frame 9"));
}

/// The model checker finds the committed runs again.
#[test]
fn runs_are_found_again() {
    for case in CASES {
        assert_eq!(case.find().unwrap().vector().unwrap().0, committed(case), "{}", case.name);
    }
}

#[test]
fn a_run_as_waves_and_picture() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::cargo_bin("awgstar").unwrap();
        command.args(["study", "counterexample"]).args(args).assert()
    };
    let out = folder.path().to_str().unwrap();
    let done = run(&["lock_mw_printed_grant_again", "--out", out]).success();
    let text = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(text.contains("LOST before it") && text.contains("Then two processes have the lock."));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let waves = read("firmware.vcd");
    for part in ["lock_holder", "note", "LOST_before_it", "lock_mw_ack", "has_lock_0"] {
        assert!(waves.contains(part), "{part}");
    }
    gtkw::check(folder.path(), "firmware");
    assert!(read("run.svg").contains("lock_mw_request"));
    let vector: Vector = serde_json::from_str(&read("run.json")).unwrap();
    assert_eq!(vector, committed(Case::named("lock_mw_printed_grant_again").unwrap()));
    let done = run(&["nothing"]).code(2);
    let text = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
    assert!(text.contains("no counterexample `nothing`: expected one of lock_mw_printed_answer"));
    let done = run(&[]).success();
    let text = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert_eq!(text.lines().count(), 2 * (CASES.len() + paging::CASES.len()));
}
