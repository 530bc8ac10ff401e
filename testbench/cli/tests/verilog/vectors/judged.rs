// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is not judged ends with 2 and says why: missing files, what a simulator lacks, vectors that cannot
//! be read, options that do not apply. The commands of `docs/commands.md` run as they are printed.

use super::forged::hdl;
use super::root;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Exit code and all that is printed, from the root of the repository.
fn awgstar(args: &[&str]) -> (i32, String) {
    let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
    let output = command.current_dir(root()).args(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), text)
}

fn conform(dut: &str, sim: &str) -> (i32, String) {
    let module = ["--top", "frame_tx", "--module", "frame_tx", "--only", "tokens"];
    awgstar(&[&["conform", "--dut", dut, "--sim", sim], &module[..]].concat())
}

// checks CNF-4, CLI-3
#[test]
fn what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tx.v");
    let good = fs::read_to_string(root().join("hdl/frame_tx.v")).unwrap();
    assert!(good.contains("`include \"awgstar.vh\""));
    fs::write(&file, good.replace("awgstar.vh", "not_there.vh")).unwrap();
    for sim in ["icarus", "verilator"] {
        let (code, text) = conform("hdl/frame_tx.v", sim);
        assert!(code == 2 && text.contains("module `crc32` is in no file of the design"), "{text}");
        assert!(text.contains("--dut") && !text.contains("is no frame_tx"), "{text}");
        let (code, text) = conform(file.to_str().unwrap(), sim);
        assert!(code == 2 && text.contains("included file `not_there.vh`"), "{text}");
        assert!(text.contains("--include") && !text.contains("is no frame_tx"), "{text}");
    }
}

// checks CNF-4, CLI-3
#[test]
fn what_a_simulator_lacks_is_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crc.sv");
    let text =
        "module crc32 (input [31:0] crc_in, tdata, input [3:0] tkeep, output [31:0] crc_out);
        assign crc_out = {<<{tdata}} ^ crc_in;
        endmodule\n";
    fs::write(&file, text).unwrap();
    let module = ["--top", "crc32", "--module", "crc32", "--sim", "icarus"];
    let (code, text) =
        awgstar(&[&["conform", "--dut", file.to_str().unwrap()], &module[..]].concat());
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("icarus cannot read crc32, so it is not judged"), "{text}");
    assert!(text.contains("sorry:") && !text.contains("is no crc32"), "{text}");
}

/// The verdict of `frame_tx` never comes, and the next frame has begun when it is due.
#[test]
fn a_missing_verdict_is_no_frame() {
    let folder = tempfile::tempdir().unwrap();
    hdl(folder.path());
    let file = folder.path().join("frame_tx.v");
    let good = fs::read_to_string(&file).unwrap();
    let assign = "assign status_valid  = status_valid_q;";
    assert_eq!(good.matches(assign).count(), 1);
    fs::write(&file, good.replace(assign, "assign status_valid  = 1'b0;")).unwrap();
    let (tx, crc) = (file.display().to_string(), folder.path().join("crc32.v"));
    let design = ["conform", "--dut", &tx, crc.to_str().unwrap(), "--top", "frame_tx"];
    let rest = ["--module", "frame_tx", "--sim", "icarus", "--only", "tokens"];
    let (code, text) = awgstar(&[&design[..], &rest].concat());
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("found frame:\n        no verdict\n"), "{text}");
    assert!(!text.contains("4 bytes, BAD"), "{text}");
}

// checks CLI-3
#[test]
fn options_that_do_not_apply_are_refused() {
    let replay = ["--replay", "vectors/node/turn_after_free_token"];
    let of = |module: &'static str| ["--sim", "verilator", "--module", module];
    for (command, start, options) in [
        (
            "cosim",
            &of("ring_node")[..],
            &[&["--nodes", "4"][..], &["--class", "tokens"], &["--mode", "1"]][..],
        ),
        ("cosim", &of("smb"), &[&["--nodes", "2"], &["--vector", "tokens/0"]]),
        ("cosim", &of("crc32"), &[&["--nodes", "2"], &["--cycles", "9"], &["--fast"]]),
        ("cosim", &["--sim", "icarus", "--module", "ring"], &[&["--fast"], &["--no-waves"]]),
        (
            "cosim",
            &replay,
            &[
                &["--nodes", "2"],
                &["--cases", "1"],
                &["--seed", "1"],
                &["--json"],
                &["--fast"],
                &["--mode", "0"],
            ],
        ),
        (
            "conform",
            &["--dut", "hdl/crc32.v", "--top", "crc32", "--module", "crc32", "--sim", "icarus"],
            &[&["--cases", "3"]],
        ),
        ("campaign", &["--case", "1"], &[&["--frames", "5"]]),
    ] {
        for option in options {
            let (code, text) = awgstar(&[&[command][..], start, option].concat());
            assert_eq!(code, 2, "{command} {start:?} {option:?}: {text}");
            let told = text.contains(&format!("{} does not apply", option[0]))
                || text.contains("cannot be used with");
            assert!(told && text.contains(option[0]), "{text}");
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() { copy(&path, &to) } else { fs::copy(&path, &to).map(drop).unwrap() }
    }
}

// checks CLI-3
#[test]
fn vectors_that_cannot_be_read_end_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let (root_arg, vectors) = (folder.path().to_str().unwrap(), folder.path().join("vectors"));
    copy(&root().join("vectors"), &vectors);
    for part in ["hdl", "testbench/verilog"] {
        copy(&root().join(part), &folder.path().join(part));
    }
    let check = ["vectors", "check", "--vectors", vectors.to_str().unwrap()];
    let run = ["cosim", "--sim", "icarus", "--class", "tokens", "--root", root_arg];
    for (name, digit, commands) in [
        ("frame/tokens/wire.hex", "g", &[&run[..], &check][..]),
        ("board/after_reset/stimulus.hex", "g", &[&check]),
        ("firmware/lock_dist_printed_stuck.json", "}", &[&check]),
    ] {
        let path: PathBuf = vectors.join(name);
        let good = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{digit}{}", &good[1..])).unwrap();
        for command in commands {
            let (code, text) = awgstar(command);
            assert_eq!(code, 2, "{name}: {command:?}: {text}");
            let file = Path::new(name).file_name().unwrap().to_str().unwrap();
            let place = Path::new(name).parent().unwrap().file_name().unwrap().to_str().unwrap();
            assert!(text.contains(file) || text.contains(place), "{text}");
        }
        fs::write(&path, good).unwrap();
    }
}

/// The commands of the page with the command for each task.
fn printed() -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let spans: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    let ours = |span: &&&str| span.starts_with("cargo run") || span.starts_with("vectors/run");
    let commands = spans.iter().filter(ours).map(|span| span.replace('\n', " "));
    commands.collect()
}

/// No name stands for a file that the reader does not have.
#[test]
fn the_commands_of_the_page_name_what_is_there() {
    let commands = printed();
    assert!(commands.len() > 20, "{commands:?}");
    for command in &commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        for (before, word) in words.iter().zip(&words[1..]) {
            let placeholder =
                word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            assert!(!placeholder, "{word} in {command}");
            let path = word.contains('/');
            let written =
                ["--svg", "--html", "--pcapng", "--vcd", "--out", "--shard"].contains(before);
            assert!(!path || written || root().join(word).exists(), "{word} in {command}");
        }
    }
}

// checks CNF-1, CNF-5
#[test]
fn conform_runs_as_the_page_prints_it() {
    let command = printed().into_iter().find(|c| c.contains("-- conform ")).unwrap();
    let words: Vec<&str> = command.split_once("-- ").unwrap().1.split_whitespace().collect();
    let (code, text) = awgstar(&[&words[..], &["--only", "tokens"]].concat());
    assert_eq!(code, 0, "{command}: {text}");
    assert!(text.contains("ports: 25 as they should be, 0 not"), "{text}");
    assert!(text.contains("PASS: frame_tx is a frame_tx"), "{text}");
}
