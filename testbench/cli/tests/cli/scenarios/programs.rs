// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of boards whose hosts run locks and barriers (RING-1 to RING-3).

use super::root;
use assert_cmd::Command;
use awgstar_scenario::run::boards::{BoardsReport, BoardsRun};
use awgstar_scenario::scenario;
use serde_json::Value;
use std::fs;

/// What a file says came of it, and whether its programs' checks held.
fn play(text: &str) -> (Value, bool) {
    let plan = scenario::read_boards("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let run = BoardsRun::new(&plan, &mut |_| ()).unwrap();
    let summary = BoardsReport::new(&plan, &run);
    let holds = summary.programs().expect("programs").holds();
    (serde_json::to_value(&summary).unwrap(), holds)
}

fn example(name: &str) -> String {
    fs::read_to_string(root().join(format!("docs/scenarios/{name}.toml"))).unwrap()
}

fn word(run: &Value, addr: u64) -> &Value {
    let words = run["programs"]["words"].as_array().unwrap();
    &words.iter().find(|w| w["addr"] == addr).unwrap()["values"]
}

fn list<'a>(run: &'a Value, what: &str) -> &'a Vec<Value> {
    run["programs"][what].as_array().unwrap()
}

#[test]
fn a_lock_that_all_want() {
    let (run, holds) = play(&example("lock"));
    assert!(holds);
    assert_eq!(*word(&run, 0x40), serde_json::json!({"12": [0, 1, 2, 3]}));
    let holds = list(&run, "holds");
    assert_eq!(holds.len(), 12);
    // One after the other, each with 200 cycles of work inside.
    for pair in holds.windows(2) {
        let (gave, got) = (pair[0]["gave"].as_u64().unwrap(), pair[1]["got"].as_u64().unwrap());
        assert!(gave < got && gave >= pair[0]["got"].as_u64().unwrap() + 200, "{pair:?}");
    }
    let [episode] = &list(&run, "episodes")[..] else { panic!("one") };
    let last = episode["arrived"][3][1].as_u64().unwrap();
    assert!(episode["passed"].as_array().unwrap().iter().all(|p| p[1].as_u64() >= Some(last)));
    let reads = list(&run, "reads");
    assert!(reads.len() == 4 && reads.iter().all(|read| read["value"] == 12), "{reads:?}");
}

#[test]
fn every_protocol_gives_the_same_words() {
    let text = example("lock").replace("cycles = 100_000", "cycles = 1_000_000");
    let protocols =
        [("distributed", "master-worker"), ("master-worker", "distributed"), ("engine", "ring")];
    for (lock, barrier) in protocols {
        let text = text
            .replace("lock = \"queue\"", &format!("lock = \"{lock}\""))
            .replace("barrier = \"ring\"", &format!("barrier = \"{barrier}\""));
        let (run, holds) = play(&text);
        assert!(holds, "{run}");
        assert_eq!(run["programs"]["lock"], lock);
        assert_eq!(*word(&run, 0x40), serde_json::json!({"12": [0, 1, 2, 3]}));
    }
}

#[test]
fn barriers_while_frames_are_lost() {
    let (run, holds) = play(&example("halo"));
    assert!(holds);
    assert_eq!(list(&run, "episodes").len(), 8);
    for (addr, value) in [(0x40, "6"), (0x44, "600"), (0x400, "40"), (0x418, "40")] {
        assert_eq!(word(&run, addr)[value], serde_json::json!([0, 1, 2, 3]), "{addr:#x}");
    }
    // The faults met their frames.
    let struck = run["faults"].as_array().unwrap();
    assert!(struck.len() == 3 && struck.iter().all(|f| f["happened"] == true), "{struck:?}");
    assert!(run["noise_bits"].as_u64() > Some(0));
}

#[test]
fn a_stopped_node_is_reported() {
    let (run, holds) = play(&example("stopped_node"));
    assert!(!holds);
    let stuck = list(&run, "stuck");
    let of = |board: u64| stuck.iter().find(|s| s["board"] == board).unwrap();
    assert_eq!((&of(3)["dead"], &of(2)["what"]), (&Value::Bool(true), &"lock 5".into()));
    assert_eq!((&of(0)["what"], &of(1)["what"]), (&"the barrier".into(), &"the barrier".into()));
    let mut command = Command::cargo_bin("awgstar").unwrap();
    let done = command
        .current_dir(root())
        .args(["sim", "docs/scenarios/stopped_node.toml"])
        .assert()
        .code(1);
    let out = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    assert!(out.contains("TIMEOUT: board 2 waits for lock 5 since cycle"), "{out}");
    assert!(out.contains(": board 3 has it") && out.contains("board 3 DIED"), "{out}");
    assert!(out.contains(": boards [2, 3] have not arrived"), "{out}");
}

#[test]
fn the_printed_lock_answers_nobody() {
    let (run, holds) = play(&example("as_published"));
    assert!(!holds && list(&run, "stuck").len() == 4, "{run}");
    let text = example("as_published").replace("\"as-published\"", "\"repaired\"");
    let (run, holds) = play(&text);
    assert!(holds);
    assert_eq!(*word(&run, 0x40), serde_json::json!({"4": [0, 1, 2, 3]}));
}

const HEAD: &str = "system = \"board-ring\"\nnodes = 3\ncycles = 400_000\nperiod = 800\n[primitives]\nretry_timeout = 4_000\n";

/// DRV-3: the master of lock 3 computes, and answers all the same.
#[test]
fn who_computes_serves_others() {
    let text = HEAD.replace("retry_timeout", "lock = \"master-worker\"\nretry_timeout")
        + "[[program]]\nnodes = 0\ndo = [{ compute = 60_000 }]\n\
           [[program]]\nnodes = 1\ndo = [{ lock = 3 }, { unlock = 3 }]\n";
    let (run, holds) = play(&text);
    assert!(holds);
    let hold = &list(&run, "holds")[0];
    let wait = hold["got"].as_u64().unwrap() - hold["asked"].as_u64().unwrap();
    assert!(wait > 0 && wait < 1_000, "{wait}");
}

/// DRV-5
#[test]
fn a_board_that_is_reset_goes_on() {
    // Board 1 is reset while it works without the lock, again while it waits at the barrier, and
    // has to be told by the others what it missed.
    let text = format!(
        "{HEAD}[[program]]\nnodes = \"all\"\ndo = [{{ compute = 3000 }}, {{ lock = 4 }}, {{ compute = 50 }}, {{ unlock = 4 }}, {{ barrier = true }}]\n\
         [[program]]\nnodes = 1\nat = 60_000\ndo = [{{ add = 8, by = 7 }}, {{ barrier = true }}]\n\
         [[program]]\nnodes = [0, 2]\nat = 30_000\ndo = [{{ barrier = true }}, {{ read = 8, expect = 7 }}]\n\
         [[reset]]\nnodes = 1\nat = 7_500\n[[reset]]\nnodes = 0\nat = 40_000\ncycles = 9\n"
    );
    let (run, holds) = play(&text);
    assert!(holds, "{}", run["programs"]);
    assert_eq!(list(&run, "episodes").len(), 2);
    assert_eq!(word(&run, 8)["7"], serde_json::json!([0, 1, 2]));
}

#[test]
fn what_a_program_expects_can_fail() {
    let text = format!("{HEAD}[[program]]\nnodes = 0\ndo = [{{ read = 0, expect = 5 }}]\n");
    let (run, holds) = play(&text);
    assert!(!holds);
    let read = &list(&run, "reads")[0];
    assert_eq!((&read["value"], &read["expected"]), (&0.into(), &5.into()));
}

#[test]
fn a_run_that_is_too_short_says_so() {
    let text = "system = \"board-ring\"\nnodes = 3\ncycles = 500\n[primitives]\n[[program]]\nnodes = 0\ndo = [{ lock = 1 }, { unlock = 1 }]\n";
    let (run, holds) = play(text);
    assert!(!holds && run["programs"]["up"] == false);
}

#[test]
fn the_same_again_with_waves_and_picture() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("lock.svg");
    let sim = |args: &[&str]| {
        let mut command = Command::cargo_bin("awgstar").unwrap();
        let done = command.current_dir(root()).args(args).assert().success();
        String::from_utf8(done.get_output().stdout.clone()).unwrap()
    };
    let file = "docs/scenarios/lock.toml";
    let once = sim(&["sim", file, "--svg", svg.to_str().unwrap()]);
    let listed = format!("{}\n", svg.display());
    assert_eq!(once.strip_suffix(&listed), Some(sim(&["sim", file]).as_str()));
    let picture = fs::read_to_string(svg).unwrap();
    assert!(picture.contains("lock_queue_pass") && picture.contains("waits for the lock"));
    let out = folder.path().to_str().unwrap();
    sim(&["wave", file, "--window", "6600:8000", "--nodes", "1", "--out", out]);
    let waves = fs::read_to_string(folder.path().join("firmware.vcd")).unwrap();
    for part in ["lock_holder", "node3", "slock_queue_request", "shas_lock_1"] {
        assert!(waves.contains(part), "{part}");
    }
    assert!(fs::read_to_string(folder.path().join("wave.vcd")).unwrap().contains("board1"));
}

#[test]
fn errors_name_the_field_and_what_was_expected() {
    let head = "system = \"board-ring\"\nnodes = 4\ncycles = 100\n";
    let program =
        |steps: &str| format!("[primitives]\n[[program]]\nnodes = 0\ndo = [\n{steps}\n]\n");
    let firmware = |key: &str| {
        format!("[primitives]\n{key}\n[[program]]\nnodes = 0\ndo = [{{ compute = 1 }}]\n")
    };
    for (text, line, what) in [
        (
            format!("[router]\n{}", program("{ compute = 1 }")),
            4,
            "router: a file with [primitives] has none",
        ),
        ("[primitives]\n".to_owned(), 4, "primitives: expected a [[program]]"),
        (
            firmware("lock = \"spin\""),
            5,
            "primitives.lock is `spin`: expected one of master-worker, d",
        ),
        (
            firmware("barrier = \"tree\""),
            5,
            "primitives.barrier is `tree`: expected one of master-worker",
        ),
        (
            firmware("barrier = \"distributed\"\nlock = \"engine\""),
            6,
            "primitives.lock is `engine`, primitives.barrier `distributed`: expected `ring`",
        ),
        (firmware("order = \"late\""), 5, "primitives.order is `late`: expected one of none, sent"),
        (
            firmware("variant = \"old\""),
            5,
            "primitives.variant is `old`: expected one of as-published, repaired",
        ),
        (firmware("variant = \"as-published\""), 5, "expected a lock or barrier of the thesis"),
        (firmware("retry_timeout = 0"), 5, "primitives.retry_timeout is 0"),
        (firmware("timeout = 1"), 5, "unknown key `timeout`"),
        (
            "[primitives]\n[[program]]\nnodes = 4\ndo = []\n".into(),
            6,
            "program.nodes is 4: expected 0 to 3",
        ),
        (
            "[primitives]\n[[program]]\nnodes = [1, 1]\ndo = []\n".into(),
            6,
            "one number or more, each once",
        ),
        (
            "[primitives]\n[[program]]\nnodes = \"some\"\ndo = []\n".into(),
            6,
            "`some`: expected \"all\"",
        ),
        (
            "[primitives]\n[[program]]\nnodes = 0\ntimes = 0\ndo = []\n".into(),
            7,
            "program.times is 0",
        ),
        (
            "[primitives]\n[[program]]\nnodes = 0\nslow = -1\ndo = []\n".into(),
            7,
            "program.slow is -1",
        ),
        (program("{}"), 8, "do: expected exactly one of write, read, add, lock"),
        (program("{ lock = 1, compute = 1 }"), 8, "do: expected exactly one of write"),
        (program("{ lock = 4294967296 }"), 8, "do.lock is 4294967296"),
        (program("{ lock = 1 }"), 5, "node 0 ends with lock 1: expected an unlock"),
        (program("{ unlock = 2 }"), 8, "do.unlock: lock 2 is not held"),
        (program("{ lock = 1 },\n{ lock = 1 }"), 9, "do.lock: lock 1 is held already"),
        (program("{ repeat = 2, do = [\n{ lock = 1 }] }"), 9, "do.lock: lock 1 is held already"),
        (program("{ repeat = 2 }"), 8, "do.repeat: expected do = [...]"),
        (program("{ repeat = 0, do = [{ compute = 1 }] }"), 8, "do.repeat is 0"),
        (
            program("{ repeat = 1000000, do = [{ compute = 1 }, { compute = 1 }] }"),
            8,
            "more than 1000000 acts",
        ),
        (program("{ barrier = false }"), 8, "do.barrier is false: expected true"),
        (program("{ compute = 0 }"), 8, "do.compute is 0"),
        (program("{ write = 4 }"), 8, "do: expected exactly one of hex, text, bytes, value"),
        (
            program("{ write = 2, value = 1 }"),
            8,
            "do.write is 2 on node 0: expected a multiple of 4",
        ),
        (program("{ write = 4, value = -1 }"), 8, "do.value is -1"),
        (program("{ read = 16384 }"), 8, "do.read is 16384: expected 0 to 16380"),
        (program("{ read = 0, value = 1 }"), 8, "value does not go with read"),
        (program("{ read = 0, expect = -1 }"), 8, "do.expect is -1"),
        (program("{ add = 0, each = 16388 }"), 8, "do.each is 16388"),
        (
            "[primitives]\n[[program]]\nnodes = \"all\"\ndo = [{ add = 16372, each = 4 }]\n".into(),
            7,
            "do.add is 16384: expected 0 to 16380 on node 3",
        ),
        (
            program("{ register = \"ID\" }"),
            8,
            "do: system \"board-ring\" with [primitives] does not support the act `register`",
        ),
        (
            "[[program]]\nnodes = 0\ndo = [{ lock = 1 }]\n".into(),
            6,
            "system \"board-ring\" without [primitives] does not support the act `lock`: expected one",
        ),
        (program("{ write = 4, hex = \"00\" }"), 8, "do.write: 1 bytes: expected whole words"),
        (
            format!("[[board]]\nnodes = 2\nnode_id = 7\n{}", program("{ compute = 1 }")),
            6,
            "board: firmware finds nodes by their numbers",
        ),
    ] {
        let error = scenario::read("test.toml", &format!("{head}{text}")).expect_err("no error");
        let right = error.line == line && error.what.contains(what);
        assert!(right, "{text}: line {}: {}", error.line, error.what);
    }
}
