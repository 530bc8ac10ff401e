// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards from files: what hosts do, every fault, and what came of it (RING-1 to RING-3).

use super::{gtkw, root, sim};
use awgstar::quantity::ByteAddress;
use awgstar_scenario::run::boards::{BoardsReport, BoardsRun};
use awgstar_scenario::scenario;
use serde_json::Value;
use std::fs;

/// What the example of the documentation came to.
fn example(name: &str) -> Value {
    let out = sim(&[&format!("docs/scenarios/{name}.toml"), "--json"]);
    serde_json::from_str(&out).unwrap()
}

/// A counter of a board; 0 when it is not listed.
fn count(run: &Value, board: usize, name: &str) -> u64 {
    run["states"][board]["counters"][name].as_u64().unwrap_or(0)
}

fn acts<'a>(run: &'a Value, board: u64, what: &str) -> Vec<&'a Value> {
    let all = run["acts"].as_array().unwrap();
    let of_this = |a: &&Value| a["board"] == board && a["what"].as_str().unwrap().starts_with(what);
    all.iter().filter(of_this).collect()
}

fn text(hex: &Value) -> String {
    let bytes = hex::decode(hex.as_str().unwrap()).unwrap();
    String::from_utf8(bytes).unwrap().trim_end_matches('\0').to_owned()
}

#[track_caller]
fn whole(run: &Value, bytes: u64) {
    assert_eq!(run["replicas_equal"], true);
    assert_eq!(run["written"]["wrong"], Value::Array(Vec::new()));
    assert_eq!(run["written"]["bytes"], bytes);
}

#[track_caller]
fn all_done(run: &Value) {
    for act in run["acts"].as_array().unwrap() {
        assert_eq!(act["ending"], "done", "{act}");
    }
}

// checks WRT-1, SND-2, SND-3, RCV-5, RCV-6, IRQ-1
#[test]
fn a_block_and_its_message() {
    let run = example("message");
    all_done(&run);
    whole(&run, 44);
    let message = &acts(&run, 3, "receive")[0]["messages"][0];
    assert_eq!((message["from"].as_u64(), text(&message["data"])), (Some(1), "it is there".into()));
    let block = "the block, in the memory of all four boards";
    assert_eq!(text(&acts(&run, 3, "read")[0]["read"]), block);
    assert_eq!(text(&acts(&run, 0, "read")[0]["read"]), "the block");
    assert_eq!(acts(&run, 0, "receive")[0]["messages"][0]["what"], "broadcast 11001");
}

// checks RING-3, ACK-3, ACK-5, RCV-2, RCV-3
#[test]
fn frames_are_spoilt_and_sent_again() {
    let run = example("frames");
    all_done(&run);
    whole(&run, 800);
    let faults = run["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 6);
    assert!(faults.iter().all(|f| f["happened"] == true), "{faults:#?}");
    let data = faults.iter().filter(|f| f["what"].as_str().unwrap().starts_with("data of 01"));
    assert_eq!(data.count(), 4);
    // The bit error and the frame cut short return bad; the lost one does not return.
    assert_eq!(count(&run, 1, "returned_bad"), 2);
    assert_eq!((count(&run, 1, "timeout"), count(&run, 1, "rewound")), (1, 3));
    assert_eq!(count(&run, 1, "signal_resend"), 2);
    for board in [0, 2, 3] {
        assert_eq!((count(&run, board, "data"), count(&run, board, "signal")), (4, 1));
        assert_eq!(run["states"][board]["mailbox"], 1);
    }
    // Board 2 had all of them the first time.
    assert_eq!(count(&run, 2, "data_again"), 3);
}

// checks RING-2, ACK-5
#[test]
fn noise() {
    let run = example("noise");
    all_done(&run);
    whole(&run, 3 * 3000 + 25);
    assert!(run["noise_bits"].as_u64().unwrap() > 50, "{}", run["noise_bits"]);
    let mut from: Vec<u64> = acts(&run, 3, "receive")[0]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["from"].as_u64().unwrap())
        .collect();
    from.sort_unstable();
    assert_eq!(from, [0, 1, 2]);
    assert_eq!(run.to_string(), example("noise").to_string());
}

// checks MON-3, MON-5
#[test]
fn the_monitor_dies() {
    let run = example("monitor_dies");
    whole(&run, 51);
    assert_eq!(run["written"]["left_out"], 18);
    let states: Vec<_> =
        run["states"].as_array().unwrap().iter().map(|s| s["is"].clone()).collect();
    let expected: [&[&str]; 4] = [&["dead"], &["synced", "monitor"], &["dead"], &["synced"]];
    assert_eq!(states, expected.map(|s| serde_json::json!(s)));
    let endings: Vec<_> = acts(&run, 2, "write").iter().map(|a| a["ending"].clone()).collect();
    assert_eq!(endings, ["done", "broken"]);
    assert_eq!(count(&run, 3, "data"), 4);
}

// checks ACK-6, HST-6
#[test]
fn a_slow_board_and_a_cut_link() {
    let run = example("cut_and_slow");
    whole(&run, 64 + 4096 + 16);
    // The slow board costs a rotation of 900 cycles more at least.
    let back = acts(&run, 0, "until all data has returned");
    let time = |a: &Value| a["ended"].as_u64().unwrap() - a["began"].as_u64().unwrap();
    assert!(time(back[0]) > 900, "{}", back[0]);
    let last = acts(&run, 0, "write 16 B");
    assert_eq!(
        (last[0]["ending"].as_str(), last[0]["refused"].as_u64()),
        (Some("refused"), Some(4))
    );
    assert_eq!(last[1]["ending"], "done");
    assert_eq!(acts(&run, 0, "until interrupt stalled")[0]["ending"], "done");
    assert!(count(&run, 0, "timeout") >= 8);
}

// checks MON-5, NODE-23, NODE-24
#[test]
fn tokens() {
    let run = example("tokens");
    all_done(&run);
    whole(&run, 43);
    assert_eq!((count(&run, 0, "token_added"), count(&run, 0, "token_removed")), (3, 1));
    for fault in run["faults"].as_array().unwrap() {
        assert!(fault["what"].as_str().unwrap().starts_with("free token: "), "{fault}");
        assert_eq!(fault["happened"], true);
    }
}

// checks MON-6
#[test]
fn two_boards_with_one_id() {
    let run = example("same_id");
    all_done(&run);
    assert_eq!(run["states"][3]["node_id"], 1);
    assert_eq!(run["replicas_equal"], false);
    // Boards 0 and 2 took its frame for one of board 1 that they had.
    let missing = serde_json::json!([[0, 0x200, 12], [2, 0x200, 12]]);
    assert_eq!(run["written"]["wrong"], missing);
}

// checks RCV-5
#[test]
fn the_mailbox_runs_over() {
    let run = example("mailbox");
    assert_eq!((count(&run, 1, "signal"), count(&run, 1, "mail_full")), (16, 4));
    assert_eq!(count(&run, 0, "signal_resend"), 0);
    assert_eq!(acts(&run, 1, "read MAIL_COUNT")[0]["read"], "00000010");
    let taken = acts(&run, 1, "receive")[0];
    assert_eq!(taken["ending"], "expired");
    let texts: Vec<String> =
        taken["messages"].as_array().unwrap().iter().map(|m| text(&m["data"])).collect();
    let expected: Vec<&str> = std::iter::repeat_n(["odd", "even"], 8).flatten().collect();
    assert_eq!(texts, expected);
}

pub(super) fn run(text: &str) -> (BoardsRun, BoardsReport) {
    let plan = scenario::read_boards("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let run = BoardsRun::new(&plan, &mut |_| ()).unwrap();
    let summary = BoardsReport::new(&plan, &run);
    (run, summary)
}

/// A board that is reset is set up again and goes on; its replica is what it was. checks MON-2
#[test]
fn a_reset() {
    let (run, summary) = run("system = \"board-ring\"
        nodes = 3
        cycles = 40_000
        period = 900
        [[reset]]
        nodes = 2
        at = 16_000
        cycles = 10
        [[program]]
        nodes = 2
        do = [{ at = 9_000, write = 0x10, hex = \"aa\" }, { at = 15_999, compute = 500 },
              { until = \"synced\" }, { at = 20_000, write = 0x20, hex = \"bb\" }]
        [[program]]
        nodes = 0
        do = [{ at = 25_000, write = 0x30, hex = \"cc\" }]");
    let report = summary.to_string();
    assert!(report.contains("wait 500") && report.contains("BROKEN OFF"), "{report}");
    for board in 0..3 {
        for (addr, byte) in [(0x10, 0xaa), (0x20, 0xbb), (0x30, 0xcc)] {
            assert_eq!(
                awgstar::ring::boards::bytes(run.ring.board(board), ByteAddress(addr), 1),
                [byte]
            );
        }
    }
    assert!(!summary.holds(), "an act was broken off");
}

/// What `awgstar sim` says to a file, with this exit code.
#[track_caller]
fn said(text: &str, code: i32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.toml");
    fs::write(&path, text).unwrap();
    let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
    let done = command.arg("sim").arg(&path).assert().code(code);
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

/// RING-2: replicas that differ when all data has come to rest fail, unless the file says that they may.
#[test]
fn replicas_that_differ_are_an_exit_code() {
    // Boards 1 and 3 have one Node_ID: each takes what the other wrote for its own.
    let file = root().join("docs/scenarios/same_id.toml");
    let allowed = fs::read_to_string(file).unwrap();
    let wrong = allowed.replace("may_differ = true\n", "");
    assert_ne!(wrong, allowed);
    let differ = "12 bytes differ, the first at 0x200: 00 on [0, 2], 66 on [1, 3]";
    let out = said(&wrong, 1);
    assert!(out.contains(&format!("{differ} (WRONG: no data is on its way)")), "{out}");
    let out = said(&allowed, 0);
    assert!(out.contains(&format!("{differ} (the file says that they may)")), "{out}");
    let out = said(&wrong.replace("node_id = 1\n", ""), 0);
    assert!(out.contains("replicas: equal on all live boards"), "{out}");

    let may = "system = \"board-ring\"\nnodes = 2\ncycles = 9000\nmay_differ = true\n[primitives]\n\
        [[program]]\nnodes = 0\ndo = [{ compute = 1 }]\n";
    let (line, what) = match scenario::read("may.toml", may) {
        Err(error) => (error.line, error.what),
        Ok(_) => panic!("no error"),
    };
    assert!(line == 4 && what.contains("may_differ: not with [primitives]"), "{line}: {what}");
}

/// As long as data is on its way, replicas differ; so do those of boards that died, or what they wrote.
#[test]
fn replicas_that_may_differ_are_none() {
    // What board 0 writes does not get behind board 1, again and again.
    let lost = "system = \"board-ring\"\nnodes = 4\ncycles = 20_000\nperiod = 800\nfibre_m = 62\n\
        [[program]]\nnodes = 0\ndo = [{ at = 12_000, write = 0x40, hex = \"a5\" }]\n\
        [[fault]]\nlink = 1\nfrom = 12_000\nkind = \"data\"\ntimes = 1_000\nlose = true\n";
    let out = said(lost, 0);
    let line = "1 bytes differ, the first at 0x40: 00 on [2, 3], a5 on [0, 1]";
    assert!(out.contains(&format!("{line} (data of boards [0] is on its way)")), "{out}");
    // It dies then: board 1 alone has what it wrote.
    let dead = format!("{lost}[[dead]]\nnodes = 0\nat = 15_000\n");
    let out = said(&dead, 0);
    assert!(
        out.contains("replicas: NOT equal\n  (only on boards that were reset or lost, or in bytes"),
        "{out}"
    );
}

/// A fault by number that never comes is told, and so is one that is looked for in vain.
#[test]
fn faults_that_do_not_come() {
    let (_, summary) = run("system = \"board-ring\"
        nodes = 2
        cycles = 3_000
        [[fault]]
        link = 0
        frame = 100_000
        lose = true
        [[fault]]
        link = 1
        from = 0
        kind = \"data\"
        lose = true");
    let report = summary.to_string();
    assert_eq!(
        report.matches("(did NOT happen: no such frame, or it ended before)").count(),
        2,
        "{report}"
    );
}

#[test]
fn waves_of_boards() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
    let args = ["wave", "docs/scenarios/message.toml", "--window", "7000:7010", "--nodes", "1"];
    command.current_dir(root()).args(args).arg("--out").arg(folder.path()).assert().success();
    let vcd = fs::read_to_string(folder.path().join("wave.vcd")).unwrap();
    let times: Vec<u64> = vcd.lines().filter_map(|l| l.strip_prefix('#')?.parse().ok()).collect();
    let period = awgstar_scenario::wave::PERIOD_PS;
    assert_eq!((times[0], *times.last().unwrap()), (7000 * period, 7010 * period));
    assert_eq!(times.len(), 21, "two edges a cycle, and the end");
    assert!(vcd.contains("module board1 ") && !vcd.contains("module board0 "));
    gtkw::check(folder.path(), "wave");
}

// checks AWG-3, AWG-5, AWG-7, AWG-8
#[test]
fn the_light_is_led_round_a_board() {
    let run = example("bypass");
    all_done(&run);
    let events = run["router"].as_array().unwrap();
    let what: Vec<&str> = events.iter().map(|e| e["what"].as_str().unwrap()).collect();
    assert_eq!(
        what,
        [
            "board 3 has no light",
            "laser of board 1 is tuned to 64, to board 3",
            "the ring goes without board 2",
            "laser of board 1 is tuned to 62, to board 2",
            "laser of board 2 is tuned to 66, to board 3",
            "the ring goes through board 2 again",
        ]
    );
    // A microsecond, ten and a hundred, and the fibre: a cycle, 21 to board 3 and what the check waits.
    let cycle = |i: usize| events[i]["cycle"].as_u64().unwrap();
    assert_eq!((cycle(1) - cycle(0), cycle(2) - cycle(1)), (673, 6_725 + 23));
    assert_eq!(run["replicas_equal"], true);
    let late = acts(&run, 1, "until all data")[0];
    assert!(late["ended"].as_u64().unwrap() > cycle(2), "{late}");
}

/// The ring goes through the boards as the wavelengths say: here from each to the one before it.
#[test]
fn wavelengths_make_the_order() {
    let text = "system = \"board-ring\"\nnodes = 3\ncycles = 30_000\ntokens = 1\nperiod = 800\nfibre_m = 100\n\
        [router]\nwavelengths = [60, 58, 62]\n\
        [[program]]\nnodes = 1\ndo = [{ at = 20_000, write = 0, text = \"x\" }]\n";
    let plan = scenario::read_boards("back.toml", text).unwrap();
    assert_eq!(plan.router.as_ref().unwrap().order, [0, 2, 1]);
    let mut came = [0_u64; 3];
    let mut look = |cycle: u64, i: usize, smb: &awgstar::rtl::Smb, _: &_, _: &_| {
        if came[i] == 0 && smb.u_memory.mem[0] != 0 {
            came[i] = cycle;
        }
    };
    let run = BoardsRun::observed(&plan, &mut |_| (), Some(&mut look)).unwrap();
    assert!(BoardsReport::new(&plan, &run).holds());
    // From board 1 to board 0, from there to board 2.
    assert!(came[1] < came[0] && came[0] < came[2], "{came:?}");
}

/// A memory that is larger than the contract's: what is written near its end is everywhere.
#[test]
fn a_large_memory() {
    let text = "system = \"board-ring\"\nnodes = 2\ncycles = 20_000\nmemory_bytes = 1_048_576\n\
        [[program]]\nnodes = 0\ndo = [\n{ until = \"synced\" },\n\
        { write = 1_048_568, text = \"the end!\" },\n{ until = \"acknowledged\" },\n]\n";
    let plan = scenario::read_boards("large", text).unwrap();
    let run = BoardsRun::new(&plan, &mut |_| {}).unwrap();
    let report = BoardsReport::new(&plan, &run);
    assert!(report.replicas_hold(), "{report}");
    for board in 0..2 {
        let memory = &run.ring.board(board).u_memory.mem;
        assert_eq!(memory.len(), 1 << 18);
        let end: Vec<u8> = memory[(1 << 18) - 2..].iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(end, b"the end!", "board {board}");
    }
}
