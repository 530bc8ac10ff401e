// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs in which the virtual shared memory goes wrong, as published and without one of its repairs
//! (PAG-2 to PAG-8).

use super::{committed, gtkw, same};
use assert_cmd::Command;
use awgstar::check::paging::Property::{InUse, OneRequest};
use awgstar_cli::counterexample::{Vector, paging};
use std::fs;

fn paging_case(name: &str) -> &'static paging::Case {
    paging::CASES.iter().find(|case| case.name == name).unwrap()
}

/// Each step of a vector is that of the run which the model checker's tests keep.
#[test]
fn vectors_are_the_runs_in_the_documents() {
    for case in paging::CASES {
        let vector = committed(case);
        let steps = vector.steps.iter().map(|s| (s.node, &*s.what, &*s.state));
        same(case.name, vector.nodes, &steps.collect::<Vec<_>>());
    }
}

/// The model checker finds them again, and nothing on the same rings when all is repaired.
#[test]
fn runs_of_paging_are_found_again_and_not_when_repaired() {
    for case in paging::CASES {
        let (vector, _) = case.find().unwrap().vector().unwrap();
        assert_eq!(vector, committed(case), "{}", case.name);
        assert!(case.repaired().holds(), "{}", case.name);
    }
}

/// What can be counted in the files alone: a page is copied out of which another node's machine says that
/// it uses it; two requests for one access; who waits at the end.
#[test]
fn what_is_broken_in_paging_can_be_counted() {
    for case in paging::CASES {
        let vector = committed(case);
        let mut state = vec![String::new(); vector.nodes];
        let mut requests = vec![0; vector.nodes];
        let (mut in_use, mut again) = (false, false);
        for step in vector.steps.iter().chain(vector.goes_on.iter().flatten()) {
            if step.does == "copies_out" {
                let using = format!("using page {}", step.page.unwrap());
                in_use |= (1..vector.nodes).any(|node| state[node] == using);
            }
            // What a timer retransmits counts no more.
            if step.does == "wants" || step.does == "timer" {
                requests[step.node] = 0;
            }
            let actions = serde_json::to_value(&step.actions).unwrap();
            let asks =
                |action: &&serde_json::Value| action["do"] == "send" || action["do"] == "ask";
            requests[step.node] += actions.as_array().unwrap().iter().filter(asks).count();
            again |= requests[step.node] > 1;
            state[step.node].clone_from(&step.state);
        }
        let name = case.name;
        assert!(case.breaks != Some(InUse) || in_use, "{name}");
        assert!(case.breaks != Some(OneRequest) || again, "{name}");
        let waits = state.iter().filter(|state| state.contains(", wants ")).count();
        assert!(case.breaks.is_some() || waits > 0, "{name}: {state:?}");
        assert!(!again || case.breaks == Some(OneRequest), "{name}");
    }
}

/// A vector of paging that says something else is refused.
#[test]
fn a_wrong_vector_of_paging_is_seen() {
    let case = paging_case("paging_printed_in_use");
    let good = committed(case);
    let error = |change: &dyn Fn(&mut Vector)| {
        let mut bad = good.clone();
        change(&mut bad);
        bad.replay(case).err().unwrap()
    };
    assert!(good.replay(case).is_ok());
    assert!(error(&|v| v.steps[1].actions.clear()).contains("step 2: expected []"));
    assert!(
        error(&|v| v.steps[3].state = "idle".into()).contains("step 4: the machine is `looking")
    );
    assert!(
        error(&|v| v.steps[2].value = Some("00000001".into()))
            .contains("step 3: expected a read of 8")
    );
    assert!(error(&|v| v.steps[6].frame = Some(7)).contains("step 7: there is no frame 7"));
    assert!(
        error(&|v| drop(v.steps.remove(7))).contains("it is confirmed"),
        "its flag is not back"
    );
    // A write that its board was not given: byte 0 instead of byte 1 of the flags.
    assert!(error(&|v| v.steps[4].actions.reverse()).contains("step 5"));
    assert!(error(&|v| drop(v.steps.pop())).contains("expected that InUse breaks, found None"));
    let frame = good.frames[0].clone();
    assert!(error(&|v| v.frames[0] = frame.replacen("02", "03", 1)).contains("fcs"));
    // The end of what goes on for ever is seen too.
    let held = paging_case("paging_printed_nobody");
    let mut bad = committed(held);
    bad.goes_on.as_mut().unwrap().truncate(1);
    assert!(bad.replay(held).err().unwrap().contains("expected a ring at rest"));
    // Repaired machines do not do what the printed ones did.
    assert!(good.replay(paging_case("paging_without_keep")).is_err());
}

/// The values of a signal in the order of their times.
fn wave(text: &str, path: &[&str]) -> Vec<String> {
    let mut parser = vcd::Parser::new(text.as_bytes());
    let header = parser.parse_header().unwrap();
    let id = header.find_var(path).unwrap_or_else(|| panic!("{path:?}")).code;
    let value = |command: vcd::Command| match command {
        vcd::Command::ChangeString(of, text) if of == id => Some(text),
        vcd::Command::ChangeVector(of, bits) if of == id => Some(bits.to_string()),
        _ => None,
    };
    parser.filter_map(|command| value(command.unwrap())).collect()
}

/// The master hides the page in its own replica, process 1 still finds it valid, and its flag is there when
/// the page is copied out.
#[test]
fn a_run_of_paging_as_waves_and_picture() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let mut command = Command::cargo_bin("awgstar").unwrap();
    let args = ["study", "counterexample", "paging_printed_in_use", "--out", out];
    let done = command.args(args).assert().success();
    let text = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(text.contains("COPIES page 1 out: 0 0"), "{text}");
    assert!(text.contains("Then a page that a process accesses is swapped out."), "{text}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let waves = read("paging.vcd");
    let last = |path: &[&str]| wave(&waves, path).pop().unwrap();
    assert_eq!(wave(&waves, &["ring", "node0", "valid"]), ["00", "01", "00", "00"]);
    assert_eq!(last(&["ring", "node1", "valid"]), "01");
    assert_eq!(last(&["ring", "node0", "access_flags_1"]), "10");
    assert_eq!(last(&["ring", "node1", "page_state"]), "using_page_1");
    assert_eq!(last(&["ring", "note"]), "node_0:_COPIES_page_1_out:_0_0");
    assert!(last(&["ring", "master_state"]).starts_with("master_copying_in_1_for_2"));
    gtkw::check(folder.path(), "paging");
    let picture = read("run.svg");
    for part in ["accesses its page", "data 1 of 1", "using page 1"] {
        assert!(picture.contains(part), "{part}");
    }
    assert!(!picture.contains("has the lock"));
    let vector: Vector = serde_json::from_str(&read("run.json")).unwrap();
    assert_eq!(vector, committed(paging_case("paging_printed_in_use")));
}
