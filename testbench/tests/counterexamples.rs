//! Runs in which the printed protocols, and paging without a repair, go wrong: as vectors, waves and
//! pictures (SIG-1, SIG-2, PAG-2 to PAG-8).

use assert_cmd::Command;
use awgstar_testbench::counterexample::{CASES, Case, FOLDER, Vector, check, paging};
use std::{collections::BTreeSet, fs, path::PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn committed(case: &Case) -> Vector {
    let path = root().join("vectors").join(FOLDER).join(format!("{}.json", case.name));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let vector: Vector = serde_json::from_str(&text).unwrap();
    assert_eq!(vector.text(), text, "{}", case.name);
    vector
}

/// The machines of the printed protocol, told the frames of each vector, do what it says.
#[test]
fn vectors_are_replayed() {
    let (count, wrong) = check(&root().join("vectors").join(FOLDER));
    assert_eq!((count, wrong), (20, Vec::new()));
    let files = fs::read_dir(root().join("vectors").join(FOLDER)).unwrap().count();
    assert_eq!(files, CASES.len(), "a file for each case and no other");
}

/// Node, what happens, states: of each step of the run which the model checker's tests keep.
fn kept(name: &str, nodes: usize) -> Vec<(usize, String)> {
    let path = root().join(format!("model/tests/protocols/runs/{name}.txt"));
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
    let same = |kept: &[(usize, String)], steps: &[(usize, &String, &String)], name: &str| {
        assert_eq!(kept.len(), steps.len(), "{name}");
        for ((node, line), step) in kept.iter().zip(steps) {
            assert!(
                *node == step.0 && line.starts_with(step.1) && line.ends_with(step.2),
                "{line}"
            );
        }
    };
    for case in CASES {
        let vector = committed(case);
        let steps: Vec<_> = vector.steps.iter().map(|s| (s.node, &s.what, &s.state)).collect();
        same(&kept(case.name, vector.nodes), &steps, case.name);
    }
    for case in paging::CASES {
        let vector = committed_paging(case);
        let steps: Vec<_> = vector.steps.iter().map(|s| (s.node, &s.what, &s.state)).collect();
        same(&kept(case.name, vector.nodes), &steps, case.name);
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
    let mut bad = good;
    bad.steps[1].frame = Some(9);
    assert!(bad.replay(case).unwrap_err().contains("no frame 9"));
}

/// The model checker finds the committed runs again.
#[test]
fn runs_are_found_again() {
    for case in CASES {
        assert_eq!(case.find().unwrap().vector(), committed(case), "{}", case.name);
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
    for name in read("firmware.gtkw").lines().filter_map(|line| line.strip_prefix("ring.")) {
        let leaf = name.rsplit('.').next().unwrap().split('[').next().unwrap();
        assert!(waves.contains(&format!(" {leaf} ")), "{name} is not in the waves");
    }
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

fn committed_paging(case: &paging::Case) -> paging::Vector {
    let path = root().join("vectors").join(paging::FOLDER).join(format!("{}.json", case.name));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let vector: paging::Vector = serde_json::from_str(&text).unwrap();
    assert_eq!(vector.text(), text, "{}", case.name);
    vector
}

fn paging_case(name: &str) -> &'static paging::Case {
    paging::CASES.iter().find(|case| case.name == name).unwrap()
}

/// Machines and replicas that take the frames of each vector do what it says, and it goes wrong.
#[test]
fn vectors_of_paging_are_replayed() {
    let folder = root().join("vectors").join(paging::FOLDER);
    assert_eq!(paging::check(&folder), (15, Vec::new()));
    assert_eq!(fs::read_dir(folder).unwrap().count(), 15, "a file for each case and no other");
}

/// The model checker finds them again, and nothing on the same rings when all is repaired.
#[test]
fn runs_of_paging_are_found_again_and_not_when_repaired() {
    for case in paging::CASES {
        let (vector, _) = case.find().unwrap().vector().unwrap();
        assert_eq!(vector, committed_paging(case), "{}", case.name);
        assert!(case.repaired().holds(), "{}", case.name);
    }
}

/// What can be counted in the files alone: a page is copied out of which another node's machine says that
/// it uses it; two requests for one access; who waits at the end.
#[test]
fn what_is_broken_in_paging_can_be_counted() {
    use awgstar::check::paging::Property::{InUse, OneRequest};
    for case in paging::CASES {
        let vector = committed_paging(case);
        let mut state = vec![String::new(); vector.nodes];
        let mut requests = vec![0; vector.nodes];
        let (mut in_use, mut again) = (false, false);
        for step in vector.steps.iter().chain(&vector.goes_on) {
            if step.does == "copies_out" {
                let using = format!("using page {}", step.page.unwrap());
                in_use |= (1..vector.nodes).any(|node| state[node] == using);
            }
            // What a timer sends again counts no more.
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
    let good = committed_paging(case);
    let error = |change: &dyn Fn(&mut paging::Vector)| {
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
    let mut bad = committed_paging(held);
    bad.goes_on.truncate(1);
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
    for name in read("paging.gtkw").lines().filter_map(|line| line.strip_prefix("ring.")) {
        let leaf = name.rsplit('.').next().unwrap().split('[').next().unwrap();
        assert!(waves.contains(&format!(" {leaf} ")), "{name} is not in the waves");
    }
    let picture = read("run.svg");
    for part in ["accesses its page", "data 1 of 1", "using page 1"] {
        assert!(picture.contains(part), "{part}");
    }
    assert!(!picture.contains("has the lock"));
    let vector: paging::Vector = serde_json::from_str(&read("run.json")).unwrap();
    assert_eq!(vector, committed_paging(paging_case("paging_printed_in_use")));
}
