//! Scenario files, and the commands that run them (RING-1 to RING-3).

mod board_errors;
mod boards;
mod current;
#[path = "../common/gtkw.rs"]
mod gtkw;
mod mandelbrot;
mod never;
mod options;
mod paging;
mod programs;

use assert_cmd::Command;
use awgstar_cli::run::{
    Artefact, Report, Request, Run, RunError, WaveRequest, Window, nodes::NodesPlan,
};
use awgstar_cli::scenario;
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

/// (line, message) of the error.
fn error(text: &str) -> (usize, String) {
    let error = scenario::read_nodes("test.toml", text).expect_err("no error");
    (error.line, error.what)
}

#[test]
fn fibre_is_rounded_up_to_cycles() {
    // RING-1: 5 ns/m at 67.25 MHz; 2.9739... m are one cycle.
    for (metres, cycles) in [(0.0, 0), (1.0, 1), (2.9, 1), (3.0, 2), (10.0, 4), (1000.0, 337)] {
        let loaded = read(&format!("nodes = 1\ncycles = 10\nfibre_m = {metres}"));
        assert_eq!(loaded.scenario.fibre, [cycles], "{metres} m");
    }
}

#[test]
fn errors_name_the_line_and_what_was_expected() {
    let head = "nodes = 4\ncycles = 100\n";
    for (text, line, what) in [
        ("[[write]]\nnode = 9\naddr = 0\nhex = \"00\"\n", 4, "write.node is 9: expected 0 to 3"),
        ("[[write]]\nnode = 1\naddr = 0\nhex = \"0g\"\n", 6, "write.hex is not hex"),
        ("[[write]]\nnode = 1\naddr = 0\n", 4, "exactly one of hex, text and bytes"),
        (
            "[[write]]\nnode = 1\naddr = 0\nbytes = 1025\n",
            6,
            "write.bytes is 1025: expected 1 to 1024",
        ),
        ("[[write]]\nnode = 1\naddr = 0\nbyte = 1\n", 6, "unknown field `byte`"),
        ("[[signal]]\nnode = 1\nname = \"lock\"\n", 5, "no signal `lock`"),
        ("[[signal]]\nnode = 1\ntoken = \"free\"\n", 5, "signal.token is `free`"),
        (
            "[[signal]]\nnode = 1\nname = \"swap_request\"\nlock_number = 1\n",
            6,
            "has no lock_number",
        ),
        ("[[signal]]\nnode = 1\n", 4, "either name or token"),
        ("[[fault]]\nlink = 1\nframe = 0\n", 4, "exactly one of bit, words, lose and twice"),
        ("[[fault]]\nlink = 1\nframe = 0\nwords = 0\n", 6, "fault.words is 0: expected 1 to 260"),
        ("[[fault]]\nlink = 1\nframe = 0\nbit = 8336\n", 6, "expected 0 to 8335"),
        ("[groups]\n16 = [0]\n", 4, "expected a number from 0 to 15"),
        ("[groups]\n3 = [4]\n", 4, "member of a group is 4"),
        ("fibre_m = [1, 2]\n", 3, "fibre_m has 2 values: expected one number or 4"),
        ("fibre_m = -1\n", 3, "fibre_m is -1"),
        ("tokens = 300\n", 3, "tokens is 300: expected 0 to 255"),
        ("tokens = \"two\"\n", 3, "invalid type"),
        ("[[random]]\nuntil = 50\nevery = 0\n", 5, "random.every is 0"),
        ("[[write]\n", 3, ""),
    ] {
        let (at, message) = error(&format!("{head}{text}"));
        assert!(at == line && message.contains(what), "{text}: line {at}: {message}");
    }
    assert_eq!(error("nodes = 4\n").1, "missing field `cycles`");
    assert_eq!(error("cycles = 4\nnodes = 0").0, 2);
}

/// Values of a signal stand where the contract says (SIG-1).
#[test]
fn values_of_a_signal() {
    let signal = |text: &str| {
        let head = "nodes = 2\ncycles = 10\n[[signal]]\nnode = 1\nto = 0\n";
        read(&format!("{head}{text}")).scenario.sends[0].frame.data.clone()
    };
    let pass = "name = \"lock_dist_pass\"\nsend_node = 1\ntag = 0x203\nlock_number = 0x4050607\n";
    assert_eq!(signal(pass), [1, 0, 2, 3, 4, 5, 6, 7, 0, 0]);
    assert_eq!(signal(&format!("{pass}epoch = 0x809")), [1, 0, 2, 3, 4, 5, 6, 7, 8, 9]);
    let request = "name = \"lock_mw_request\"\nsend_node = 1\nlock_number = 7\n";
    assert_eq!(signal(request), [1, 0, 0, 0, 0, 0, 0, 7]);
}

#[test]
fn random_traffic_follows_from_the_seed() {
    // RING-2
    let text = |seed: u32| {
        format!(
            "nodes = 5\ncycles = 9000\nseed = {seed}\n[[random]]\nuntil = 8000\nevery = 300\nsignals = 0.5\nbytes_max = 1024"
        )
    };
    let (one, again, other) = (read(&text(1)), read(&text(1)), read(&text(2)));
    assert_eq!(one.scenario, again.scenario);
    assert_ne!(one.scenario, other.scenario);
    let sends = &one.scenario.sends;
    assert!(sends.len() > 80 && sends.iter().all(|s| s.cycle < 8000));
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
        let text = fs::read_to_string(&path).unwrap();
        let ends = if text.contains("system = ") {
            "\n"
        } else if text.contains("boards = ") {
            "\nreplicas: "
        } else {
            "frames came back good"
        };
        // Of programs that do not end, or are wrong, the command says so: these show it.
        let failing = ["stopped_node.toml", "printed.toml", "current_printed.toml"];
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
    assert!(out.contains("3 frames came back good, 1 bad") && out.contains("NOT equal"), "{out}");
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
    fs::write(&path, "nodes = 4\ncycles = 100\n[[write]]\nnode = 9\naddr = 0\nhex = \"00\"\n")
        .unwrap();
    let mut command = Command::cargo_bin("awgstar").unwrap();
    let done = command.arg("sim").arg(&path).assert().code(2);
    let text = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    assert!(
        text.contains("bad.toml:4:8: write.node is 9") && text.contains("    4 | node = 9"),
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
    let period = awgstar_cli::wave::PERIOD_PS;
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
    assert!((line, column) == (2, 10) && what.starts_with("system is `none`"), "{what}");
    let (line, column, what) = error("\nsystem = 1\n");
    assert!((line, column) == (2, 10) && what.contains("expected a string"), "{what}");
}
