// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files, and the commands that run them (RING-1 to RING-3).

mod board_errors;
mod boards;
mod current;
mod mandelbrot;
mod never;
mod options;
mod page;
mod paging;
mod programs;

use crate::gtkw;
use assert_cmd::Command;
use awgstar::quantity::Cycle;
use awgstar_scenario::run::{
    Artefact, Report, Request, Run, RunError, WaveRequest, Window, nodes::NodesPlan,
};
use awgstar_scenario::scenario;
use std::{fs, path::PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The report of a run without files.
fn report(run: &dyn Run) -> Report {
    run.run(&Request::default(), &mut |_, _| {}).unwrap_or_else(|e| panic!("{e}"))
}

/// The waves of a run.
fn waves(run: &dyn Run, window: Option<Window>) -> Result<Vec<Artefact>, RunError> {
    let mut files = Vec::new();
    let request = WaveRequest { window, ..WaveRequest::default() };
    run.waves(&request, &mut files, &mut |_, _| {}).map(|()| files)
}

fn read(text: &str) -> NodesPlan {
    scenario::read_nodes("test.toml", text).unwrap_or_else(|e| panic!("{e}"))
}

const NODES: &str = "system = \"node-ring\"\n";

/// (line, message) of the error.
fn error(text: &str) -> (usize, String) {
    let error = scenario::read("test.toml", &format!("{NODES}{text}")).expect_err("no error");
    (error.line, error.what)
}

#[test]
fn fibre_is_rounded_up_to_cycles() {
    // RING-1: 5 ns/m at 67.25 MHz; 2.9739... m are one cycle.
    for (metres, cycles) in [(0.0, 0), (1.0, 1), (2.9, 1), (3.0, 2), (10.0, 4), (1000.0, 337)] {
        let loaded = read(&format!("{NODES}nodes = 1\ncycles = 10\nfibre_m = {metres}"));
        assert_eq!(loaded.scenario.fibre, [cycles], "{metres} m");
    }
}

#[test]
fn errors_name_the_line_and_what_was_expected() {
    let head = "nodes = 4\ncycles = 100\n";
    let act = |act: &str| format!("[[program]]\nnodes = 1\ndo = [\n{act}\n]\n");
    for (text, line, what) in [
        ("[[program]]\nnodes = 9\ndo = []\n".into(), 5, "program.nodes is 9: expected 0 to 3"),
        ("[[program]]\nnodes = 1\n".into(), 4, "missing key `program.do`"),
        ("[[program]]\nslow = 1\ndo = []\n".into(), 5, "has no key `slow`: expected one of nodes"),
        (act("{ write = 0, hex = \"0g\" }"), 7, "do.hex is not hex"),
        (act("{ write = 0 }"), 7, "exactly one of hex, text, bytes, value"),
        (act("{ write = 0, bytes = 1025 }"), 7, "do.bytes is 1025: expected 1 to 1024"),
        (act("{ write = 0, byte = 1 }"), 7, "unknown key `byte`"),
        (act("{ signal = \"lock\" }"), 7, "do.signal is `lock`: expected p2p, multicast"),
        (act("{ signal = \"free\" }"), 7, "do.signal is `free`"),
        (act("{ signal = \"swap_request\", lock_number = 1 }"), 7, "has no lock_number"),
        (act("{ at = 1 }"), 7, "do: expected exactly one of write, signal, repeat"),
        (
            act("{ lock = 1 }"),
            7,
            "do: system \"node-ring\" does not support the act `lock`: expected one of write, signal",
        ),
        ("[[fault]]\nlink = 1\nframe = 0\n".into(), 5, "exactly one of bit, words, lose, twice"),
        (
            "[[fault]]\nlink = 1\nframe = 0\nwords = 0\n".into(),
            7,
            "fault.words is 0: expected 1 to 260",
        ),
        ("[[fault]]\nlink = 1\nframe = 0\nbit = 8336\n".into(), 7, "expected 0 to 8335"),
        (
            "[[fault]]\nlink = 1\nfrom = 0\nlose = true\n".into(),
            6,
            "fault: system \"node-ring\" has no key `from`: expected one of link, frame, bit",
        ),
        ("[groups]\n16 = [0]\n".to_owned(), 5, "expected a number from 0 to 15"),
        ("[groups]\n3 = [4]\n".into(), 5, "member of a group is 4"),
        ("fibre_m = [1, 2]\n".into(), 4, "fibre_m has 2 values: expected one number or 4"),
        ("fibre_m = -1\n".into(), 4, "fibre_m is -1"),
        ("fibre_m = \"far\"\n".into(), 4, "expected a number or a list of numbers"),
        ("tokens = 300\n".into(), 4, "tokens is 300: expected 0 to 255"),
        ("tokens = \"two\"\n".into(), 4, "invalid type"),
        ("[[random]]\nuntil = 50\nevery = 0\n".into(), 6, "random.every is 0"),
        ("[[write]\n".into(), 4, ""),
    ] {
        let (at, message) = error(&format!("{head}{text}"));
        assert!(at == line && message.contains(what), "{text}: line {at}: {message}");
    }
    assert_eq!(error("nodes = 4\n").1, "missing key `cycles`");
    assert_eq!(error("cycles = 4\nnodes = 0").0, 3);
}

/// Values of a signal stand where the contract says (SIG-1).
#[test]
fn values_of_a_signal() {
    let signal = |keys: &str| {
        let act = format!("[[program]]\nnodes = 1\ndo = [{{ {keys}, to = 0 }}]\n");
        let plan = read(&format!("{NODES}nodes = 2\ncycles = 10\n{act}"));
        plan.scenario.sends[0].frame.data.clone()
    };
    let pass = "signal = \"lock_dist_pass\", send_node = 1, tag = 0x203, lock_number = 0x4050607";
    assert_eq!(signal(pass), [1, 0, 2, 3, 4, 5, 6, 7, 0, 0]);
    assert_eq!(signal(&format!("{pass}, epoch = 0x809")), [1, 0, 2, 3, 4, 5, 6, 7, 8, 9]);
    let request = "signal = \"lock_mw_request\", send_node = 1, lock_number = 7";
    assert_eq!(signal(request), [1, 0, 0, 0, 0, 0, 0, 7]);
}

#[test]
fn random_traffic_follows_from_the_seed() {
    // RING-2
    let text = |seed: u32| {
        format!(
            "{NODES}nodes = 5\ncycles = 9000\nseed = {seed}\n[[random]]\nuntil = 8000\nevery = 300\nsignals = 0.5\nbytes_max = 1024"
        )
    };
    let (one, again, other) = (read(&text(1)), read(&text(1)), read(&text(2)));
    assert_eq!(one.scenario, again.scenario);
    assert_ne!(one.scenario, other.scenario);
    let sends = &one.scenario.sends;
    assert!(sends.len() > 80 && sends.iter().all(|s| s.cycle < Cycle(8000)));
    assert!(sends.is_sorted_by_key(|s| s.cycle));
    assert!(sends.iter().any(|s| s.frame.token == awgstar::contract::Token::Data));
    assert!(sends.iter().any(|s| s.frame.token == awgstar::contract::Token::P2p));
}

fn sim(args: &[&str]) -> String {
    sim_ends(args, 0)
}

/// The same of a run that ends with this exit code.
fn sim_ends(args: &[&str], code: i32) -> String {
    let mut command = Command::cargo_bin("awgstar").unwrap();
    let done = command.current_dir(root()).arg("sim").args(args).assert().code(code);
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

#[test]
fn every_scenario_of_the_documentation_runs() {
    let mut seen = 0;
    for entry in fs::read_dir(root().join("docs/scenarios")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let ends = if text.contains("\"board-ring\"") {
            "\nreplicas: "
        } else if text.contains("\"node-ring\"") {
            "frames returned good"
        } else {
            "\n"
        };
        // Of programs that do not end, or are wrong, the command says so: these show it.
        let failing = ["stopped_node.toml", "as_published.toml", "generation1_as_published.toml"];
        let fails = failing.iter().any(|name| path.ends_with(name));
        let mut command = Command::cargo_bin("awgstar").unwrap();
        let done = command.current_dir(root()).arg("sim").arg(&path).assert();
        let done = done.code(i32::from(fails));
        let out = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
        assert!(out.contains(ends), "{path:?}");
        seen += 1;
    }
    assert!(seen >= 10);
    let page = fs::read_to_string(root().join("docs/scenarios.md")).unwrap();
    let example = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(read(example).scenario.sends.len(), 2);
    let example = page.split("```toml\n").nth(2).unwrap().split("```").next().unwrap();
    assert!(boards::run(example).1.holds());
    let example = page.split("```toml\n").nth(3).unwrap().split("```").next().unwrap();
    assert!(boards::run(example).1.programs().unwrap().holds());
}

#[test]
fn a_bit_error_is_told() {
    // RING-3: the nodes behind the fault do not get the write, and its source knows.
    let out = sim(&["docs/scenarios/first.toml"]);
    let line = out.lines().find(|l| l.contains("write 44 B")).unwrap();
    assert!(line.contains("at 2 nodes") && line.contains("back BAD"), "{line}");
    assert!(out.contains("3 frames returned good, 1 bad") && out.contains("NOT equal"), "{out}");
    let why = "\n  the write of node 0 in cycle 420 did not arrive at node 3: a ring of nodes retransmits nothing\n";
    assert!(out.contains(why) && out.contains(", 1 free token, "), "{out}");
}

#[test]
fn json_is_one_object() {
    let out = sim(&["docs/scenarios/demo.toml", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["acknowledged"], 2);
    assert_eq!(value["replicas_equal"], true);
    assert_eq!(value["rotation"], 32);
}

#[test]
fn a_bad_file_exits_with_2_and_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    fs::write(&path, format!("{NODES}nodes = 4\ncycles = 100\n[[program]]\nnodes = 9\ndo = []\n"))
        .unwrap();
    let mut command = Command::cargo_bin("awgstar").unwrap();
    let done = command.arg("sim").arg(&path).assert().code(2);
    let text = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    assert!(
        text.contains("bad.toml:5:9: program.nodes is 9") && text.contains("    5 | nodes = 9"),
        "{text}"
    );
}

#[test]
fn a_wave_has_the_window_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("awgstar").unwrap();
    command
        .current_dir(root())
        .args([
            "wave",
            "docs/scenarios/first.toml",
            "--window",
            "100:120",
            "--nodes",
            "1,3",
            "--out",
        ])
        .arg(folder.path())
        .assert()
        .success();
    let vcd = fs::read_to_string(folder.path().join("wave.vcd")).unwrap();
    let times: Vec<u64> = vcd.lines().filter_map(|l| l.strip_prefix('#')?.parse().ok()).collect();
    let period = awgstar_scenario::wave::PERIOD_PS;
    assert_eq!((times[0], *times.last().unwrap()), (100 * period, 120 * period));
    assert_eq!(times.len(), 41, "two edges a cycle, and the end");
    for (there, scope) in [(true, "node1"), (true, "node3"), (false, "node0"), (false, "node2")] {
        assert_eq!(vcd.contains(&format!("module {scope} ")), there, "{scope}");
    }
    gtkw::check(folder.path(), "wave");
}

#[test]
fn systems_are_known_by_name() {
    let error = |text: &str| {
        let error = scenario::read("test.toml", text).expect_err("no error");
        (error.line, error.column, error.what)
    };
    let (line, column, what) = error("title = \"\"\nsystem = \"none\"\n");
    assert!(
        (line, column) == (2, 10)
            && what.starts_with("system is `none`: expected one of node-ring, board-ring, gen"),
        "{what}"
    );
    // The nearest name is offered, of many names the first only, and a message is one line.
    for (text, what) in [
        (
            "system = \"nod-ring\"\n",
            "system is `nod-ring`: expected one of node-ring, board-ring, generation-1, cluster, rings, clusters, mandelbrot, paging; the nearest is `node-ring`",
        ),
        (
            "sytem = \"node-ring\"\n",
            "unknown key `sytem`: expected one of system, title, forwarding, processing, ... (60 in all); the nearest is `system`",
        ),
        (
            "xyz = 1\n",
            "unknown key `xyz`: expected one of system, title, forwarding, processing, ... (60 in all)",
        ),
        ("system = ", "the value of a key is missing"),
        ("system = \n", "invalid string, expected `\"`, `'`"),
    ] {
        assert_eq!(error(text).2, what, "{text:?}");
    }
    // A cluster is a machine for processes, and its keys are checked all the same.
    let (line, column, what) = error("nodes = 2\nsystem = \"cluster\"\n");
    assert!((line, column) == (2, 10) && what.contains("`awgstar run --ring`"), "{what}");
    let rings = "rings = 2\nnodes = 3\nsystem = \"rings\"\n";
    let (line, column, what) = error(rings);
    assert!((line, column) == (3, 10) && what.contains("`awgstar run --ring`"), "{what}");
    let (_, _, what) = error("system = \"rings\"\nrings = 2\nnodes = 1\n");
    assert_eq!(what, "nodes is 1: expected 2 to 256");
    let (line, column, what) = error("clusters = 2\nnodes = 3\nsystem = \"clusters\"\n");
    assert!((line, column) == (3, 10) && what.contains("`awgstar run --ring`"), "{what}");
    let (_, _, what) = error("system = \"cluster\"\nnodes = 0\n");
    assert_eq!(what, "nodes is 0: expected 1 to 256");
    let (line, column, what) = error("\nsystem = 1\n");
    assert!((line, column) == (2, 10) && what.contains("expected a string"), "{what}");
    let (line, _, what) = error("nodes = 4\n");
    assert!(
        line == 1 && what.starts_with("missing key `system`: expected one of `node-ring`"),
        "{what}"
    );
}

/// A former key is an error that names its place and the new key.
#[test]
fn renamed_keys_are_named() {
    let nodes = "system = \"node-ring\"\nnodes = 2\ncycles = 9\n";
    let boards = "system = \"board-ring\"\nnodes = 2\ncycles = 9\n";
    let first = "system = \"generation-1\"\nnodes = 2\n";
    let act =
        |head: &str, act: &str| format!("{head}[primitives]\n[[program]]\ndo = [{{ {act} }}]\n");
    for (text, line, what) in [
        (
            "boards = 4\n".to_owned(),
            1,
            "unknown key `boards`: it is now `system = \"board-ring\"` with `nodes`",
        ),
        ("system = \"current\"\n".into(), 1, "it is now `generation-1`"),
        (
            format!("{nodes}[[write]]\nnode = 1\n"),
            4,
            "unknown key `write`: it is now `write`, an act of [[program]]",
        ),
        (
            format!("{nodes}[[signal]]\nnode = 1\n"),
            4,
            "unknown key `signal`: it is now `signal`, an act of",
        ),
        (
            format!("{boards}[[host]]\nboard = 1\n"),
            4,
            "unknown key `host`: it is now [[program]] for what hosts do",
        ),
        (format!("{boards}[[program]]\nboard = 1\n"), 5, "unknown key `board`: it is now `nodes`"),
        (format!("{boards}[[dead]]\nboard = 1\n"), 5, "unknown key `board`: it is now `nodes`"),
        (
            format!("{boards}[primitives]\npatience = 9\n"),
            5,
            "unknown key `patience`: it is now `retry_timeout`",
        ),
        (act(boards, "work = 9"), 6, "unknown key `work`: it is now `compute`"),
        (act(boards, "wait = 9"), 6, "unknown key `wait`: it is now `compute`"),
        (act(boards, "add = 0, value = 9"), 6, "it is now `by`"),
        (act(first, "sync = true"), 5, "unknown key `sync`: it is now `until = \"acknowledged\"`"),
        (act(first, "dma_wait = true"), 5, "unknown key `dma_wait`: it is now `until = \"dma\"`"),
        (
            format!("{first}primitives = \"printed\"\n"),
            3,
            "`primitives` is a table now, with the key `variant`",
        ),
        (
            format!("{first}order = \"sent\"\n"),
            3,
            "unknown key `order`: it is now `order` in [primitives]",
        ),
        (format!("{first}[primitives]\nvariant = \"printed\"\n"), 4, "it is now `as-published`"),
        (
            format!("{first}[[fault]]\nlink = 1\nat = 9\n"),
            5,
            "unknown key `at`: it is now `from` in [[fault]]",
        ),
        (
            "system = \"paging\"\nfibre = 4\n".into(),
            2,
            "unknown key `fibre`: it is now `fibre_m`, in metres",
        ),
        (
            "system = \"paging\"\n[[process]]\n".into(),
            2,
            "it is now [[program]] with the act `access`",
        ),
    ] {
        let error = scenario::read("test.toml", &text).expect_err(&text);
        assert!(error.line == line && error.what.contains(what), "{text}: {error}");
    }
}

/// Lists of acts are repeated and given to several nodes on every system.
#[test]
fn programs_are_repeated_on_every_system() {
    let program = |act: &str| {
        format!(
            "[[program]]\nnodes = [0, 1]\nat = 5\ntimes = 3\ndo = [{{ repeat = 2, do = [{{ {act} }}] }}]\n"
        )
    };
    let write = program("write = 0, each = 8, value = 0x1020304");
    let plan = read(&format!("{NODES}nodes = 3\ncycles = 9\n{write}"));
    let of = |node: u32| plan.scenario.sends.iter().filter(move |s| s.node == node as usize);
    for node in [0, 1] {
        assert!(of(node).all(|s| (s.cycle, s.frame.addr) == (Cycle(5), 8 * node)));
        assert!(of(node).all(|s| s.frame.data == [4, 3, 2, 1]));
        assert_eq!(of(node).count(), 6);
    }
    assert_eq!(of(2).count(), 0);
    let boards = "system = \"board-ring\"\nnodes = 3\ncycles = 9\n";
    let plan = scenario::read_boards("test.toml", &format!("{boards}{write}")).unwrap();
    assert_eq!(plan.acts.iter().map(Vec::len).collect::<Vec<_>>(), [6, 6, 0]);
    let text = format!("{boards}[primitives]\n{write}");
    let programs = scenario::read_boards("test.toml", &text).unwrap().programs.unwrap();
    assert_eq!(programs.scripts[1].as_ref().map(Vec::len), Some(6));
    // Each of the six waits for 100 ns, after the first 5.
    let text = format!("system = \"generation-1\"\nnodes = 3\n{}", program("compute = 100"));
    assert_eq!(report(&*scenario::read("test.toml", &text).unwrap()).json["end_ns"], 605);
}

/// The table of acts in the documentation has those that each system supports, and no others.
#[test]
fn the_page_has_the_acts_of_every_system() {
    let page = fs::read_to_string(root().join("docs/scenarios.md")).unwrap();
    let table = page.split("\n| act | does |").nth(1).unwrap().split("\n\n").next().unwrap();
    let rows: Vec<Vec<&str>> =
        table.lines().skip(2).map(|row| row.split(" | ").collect()).collect();
    let ring = "nodes = 2\ncycles = 9\n";
    let pages = "system = \"paging\"\nnodes = 2\npage_bytes = 64\npages = 1\nroom = 1\n";
    for (column, head) in [
        (2, format!("{NODES}{ring}")),
        (3, format!("system = \"board-ring\"\n{ring}")),
        (4, format!("system = \"board-ring\"\n{ring}[primitives]\n")),
        (5, "system = \"generation-1\"\nnodes = 2\n".into()),
        (6, pages.into()),
    ] {
        let text = format!("{head}[[program]]\ndo = [{{}}]\n");
        let error = scenario::read("test.toml", &text).expect_err(&text).what;
        let supported: Vec<&str> =
            error.strip_prefix("do: expected exactly one of ").unwrap().split(", ").collect();
        let of_row = |row: &Vec<&str>| {
            let names = row[0].split('`').filter_map(|part| part.split_once(" = "));
            let names = names.map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
            if names.contains(&"lock".into()) { names } else { names[..1].to_vec() }
        };
        let there = rows.iter().filter(|row| !row[column].starts_with('–'));
        let listed: Vec<String> = there.flat_map(of_row).collect();
        assert_eq!(listed, supported, "{head}");
    }
}
