// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lockstep by the command line (LCK-3, LCK-4): bugs are found and replayed, and a missing simulator fails.

use awgstar::quantity::{ByteAddress, Cycle};
use awgstar::rtl::{RingNode, Smb};
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::{Lockstep, Verdict, blame, text};
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::Case;
use awgstar_stimulus::board::stimulus::HostAccess;
use awgstar_stimulus::board::{BoardStimulus, parts};
use awgstar_stimulus::machine::Machine;
use std::{
    fs,
    path::{Path, PathBuf},
};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A copy of our Verilog in `folder`, with `find` replaced in one place.
fn injected(folder: &Path, file: &str, find: &str, replace: &str) {
    fs::create_dir_all(folder.join("include")).unwrap();
    for part in ["", "include"] {
        for entry in fs::read_dir(repository().join("hdl").join(part)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), folder.join(part).join(entry.file_name())).unwrap();
            }
        }
    }
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(find).count(), 1, "{file}: `{find}`");
    fs::write(path, text.replace(find, replace)).unwrap();
}

/// Exit code and what is printed.
fn awgstar(args: &[&str]) -> (i32, String) {
    let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
    let output = command.current_dir(repository()).arg("cosim").args(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), text)
}

/// Two mistakes in one design, so that it is verilated once; which one shows depends on the case.
fn two_mistakes(hdl: &Path) {
    injected(hdl, "rx_sorter.v", "if (old) begin // RCV-3", "if (1'b0) begin");
    let path = hdl.join("data_window.v");
    let text = fs::read_to_string(&path).unwrap();
    let find = "2'd3:    m_axis_tkeep = 4'b0111;";
    assert_eq!(text.matches(find).count(), 1);
    fs::write(path, text.replace(find, "2'd3:    m_axis_tkeep = 4'b1111;")).unwrap();
}

/// `tkeep` of the data window is wrong: the first register that differs is one of `frame_tx`.
fn blames_the_data_window(hdl: &Path) {
    let mut host = parts::set_up(3000, 3, 400, 2, true);
    host.push(HostAccess { strobe: 0b0111, ..parts::write(ByteAddress(1 << 31), 0x0102_0304) });
    let stimulus =
        BoardStimulus { cycles: Cycle(6000), loopback: Some(5), host, ..BoardStimulus::default() };
    let out = repository().join("target/cosim");
    let lockstep = Lockstep::<Smb>::new(hdl, &out).unwrap();
    let Verdict::Diverged(d) = lockstep.run(&Case::alone(stimulus)).unwrap() else {
        panic!("not found")
    };
    assert_eq!(d.first().unwrap().signal.module, "frame_tx", "{}", text::render(&d));
    let program = icarus::build_with_ports(Smb::shape(), hdl, &out).unwrap();
    let blame = blame::blame(&d, &lockstep, &program).unwrap().expect("a cause");
    let wire = blame.wire.as_ref().expect("a wire");
    assert_eq!((blame.module, wire.path().as_str()), ("data_window", "u_data.m_axis_tkeep"));
    assert_eq!((wire.expected.value, wire.seen.value), (0b0111, 0b1111));
    assert!(blame.to_string().starts_with("output u_data.m_axis_tkeep"), "{blame}");
    assert!(blame.to_string().contains("its inputs agree"), "{blame}");
}

/// LCK-4: a bug in the board, found by the command line, with a vector that is played again on all
/// three, and waves.
#[test]
fn the_command_line_finds_and_replays() {
    let hdl = tempfile::tempdir().unwrap();
    two_mistakes(hdl.path());
    let folder = hdl.path().to_str().unwrap();
    let run = ["--sim", "verilator", "--module", "smb", "--cycles", "2500", "--hdl", folder];
    let (code, out) = awgstar(&[&run[..], &["--json"]].concat());
    assert_eq!(code, 1, "{out}");
    let found: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    let found = &found["divergence"];
    assert_eq!(found["module"], "rx_sorter", "{out}");
    assert_eq!(found["case"], "directed/signals_again_early_long", "{out}");
    let vote = found["vote"].as_str().unwrap();
    assert!(vote.contains("the simulators agree, so Verilog and model differ in value"), "{vote}");
    let wave = repository().join(found["wave"].as_str().unwrap());
    assert!(fs::read_to_string(wave).unwrap().contains("$scope module diff $end"));

    let vector = found["vector"].as_str().unwrap();
    let about = fs::read_to_string(repository().join(vector).join("vector.toml")).unwrap();
    assert!(about.contains("module = \"smb\""), "{about}");
    let (code, out) = awgstar(&["--replay", vector, "--hdl", folder]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("model      holds") && out.contains("model and Verilog differ"), "{out}");
    assert!(out.contains("icarus     Icarus has another value"), "{out}");
    let (code, out) = awgstar(&["--replay", vector]);
    assert_eq!(code, 0, "{out}");
    assert_eq!(out.matches(" holds, ").count(), 3, "{out}");
    blames_the_data_window(hdl.path());
}

#[test]
fn the_command_line_runs_rings() {
    let rings = ["--module", "boards", "--nodes", "3", "--cases", "3", "--cycles", "900"];
    let (code, out) = awgstar(&[&["--sim", "verilator"], &rings[..]].concat());
    assert_eq!(code, 0, "{out}");
    assert!(
        out.contains("boards, 3 nodes: 9 directed cases, 3 random cases, 269100 node cycles")
            && out.contains("compared, no difference"),
        "{out}"
    );
    let few = ["--sim", "icarus", "--module", "boards", "--nodes", "2", "--cases", "1"];
    let (code, out) = awgstar(&[&few[..], &["--cycles", "400"]].concat());
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("800 node cycles compared, no difference, no X"), "{out}");
    let (code, out) = awgstar(&["--sim", "verilator", "--module", "boards", "--nodes", "256"]);
    assert_eq!(code, 2);
    assert!(out.contains("--nodes is 256: expected 1 to 255 boards"), "{out}");
}

/// The cases made by hand come first: the random one is too short to find anything.
#[test]
fn directed_cases_come_first() {
    let bug = ("ring_ingress.v", "kind1_q    <= kind_q", "kind1_q    <= kind_d");
    let hdl = tempfile::tempdir().unwrap();
    injected(hdl.path(), bug.0, bug.1, bug.2);
    let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
    command.current_dir(repository()).args([
        "cosim",
        "--sim",
        "verilator",
        "--module",
        "ring_node",
    ]);
    command.args(["--no-waves", "--json", "--cases", "1", "--cycles", "8", "--hdl"]);
    let output = command.arg(hdl.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(found["divergence"]["case"], "directed/shapes", "{text}");
    assert_eq!(found["divergence"]["module"], "ring_ingress", "{text}");
}

/// The library is there, but the programs it was made by are not: nothing is compared.
#[test]
fn without_simulators_there_is_no_verdict() {
    let out = repository().join("target/cosim");
    Lockstep::<RingNode>::new(&repository().join("hdl"), &out).unwrap();
    assert!(out.join("builds").exists());
    let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
    command.current_dir(repository()).env("PATH", "/nowhere");
    command.args(["cosim", "--sim", "verilator", "--module", "ring_node", "--cases", "1"]);
    let found = command.output().unwrap();
    let text = String::from_utf8(found.stderr).unwrap();
    assert_eq!(found.status.code(), Some(2), "{text}");
    assert!(found.stdout.is_empty() && text.contains("apt-get install verilator"), "{text}");
}

/// With an engine, cases use it: a bug of a part is found, of each part with `AWGSTAR_MUTANTS=all`, and a run in which it
/// never acts is no pass.
#[test]
fn an_engine_that_is_enabled_acts() {
    let smb = ["--sim", "icarus", "--module", "smb", "--param", "ENGINE_NODE_W=2"];
    let run = |more: &[&str]| awgstar(&[&smb[..], more].concat());
    let bugs = [
        ("lock_engine.v", "tag + 16'd1;", "tag + 16'd2;"),
        ("barrier_engine.v", "= waits ? episode : episode - 16'd1;", "= episode;"),
    ];
    let chosen = Selection::from_env().sized(1).names(&bugs.map(|(file, ..)| file));
    assert!(!chosen.is_empty());
    for (file, find, replace) in bugs.into_iter().filter(|(file, ..)| chosen.contains(file)) {
        let hdl = tempfile::tempdir().unwrap();
        injected(hdl.path(), file, find, replace);
        let hdl = hdl.path().to_str().unwrap();
        let (code, out) = run(&["--cases", "8", "--hdl", hdl]);
        assert_eq!(code, 1, "{file}: {out}");
    }
    let (code, out) = run(&["--cases", "1", "--cycles", "40", "--json"]);
    assert_eq!(code, 2, "{out}");
    let found: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert!(found["idle"].as_str().unwrap().contains("the engine never acted"), "{out}");
    assert_eq!(found["reached"]["engine"]["locks taken"], 0, "{out}");
}
