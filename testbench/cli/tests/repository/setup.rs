// SPDX-License-Identifier: MIT OR Apache-2.0
//! `testbench/setup.sh` installs what a mode of the test command uses, and nothing else.

use crate::blocks::pages::repository;
use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

/// Programs that need no package manager: what the tests of `quick` run.
const QUICK: [&str; 6] = ["iverilog", "verilator", "yosys", "make", "g++", "python3"];
/// The others.
const MORE: [&str; 6] = ["yosys-smtbmc", "z3", "valgrind", "gfortran", "tshark", "ccache"];

/// Runs the script where only these tools are there; `apt-get` and `cargo` write down how they are called, and install nothing.
fn setup(mode: &[&str], there: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let (bin, log) = (folder.path().join("bin"), folder.path().join("log"));
    fs::create_dir(&bin).unwrap();
    fs::write(&log, "").unwrap();
    let recorder = folder.path().join("recorder");
    fs::write(&recorder, format!("#!/bin/sh\necho \"${{0##*/}} $*\" >> '{}'\n", log.display()))
        .unwrap();
    assert!(Command::new("chmod").arg("+x").arg(&recorder).status().unwrap().success());
    for name in there.iter().chain(&["apt-get", "cargo"]) {
        symlink(&recorder, bin.join(name)).unwrap();
    }
    for name in ["env", "grep", "id"] {
        symlink(Path::new("/usr/bin").join(name), bin.join(name)).unwrap();
    }
    symlink(bin.join("env"), bin.join("sudo")).unwrap();
    let mut command = Command::new("/bin/sh");
    command.arg(repository().join("testbench/setup.sh")).args(mode);
    let status =
        command.env("PATH", &bin).env("CARGO_HOME", folder.path()).output().unwrap().status;
    let calls = fs::read_to_string(log).unwrap();
    let asked =
        calls.lines().filter(|l| !there.iter().any(|tool| l.starts_with(&format!("{tool} "))));
    (status.code(), asked.map(|line| format!("{line}\n")).collect::<Vec<_>>().concat())
}

#[test]
fn a_mode_installs_what_it_uses() {
    assert_eq!(setup(&["quick"], &QUICK), (Some(0), String::new()));
    let all: Vec<&str> = QUICK.into_iter().chain(MORE).collect();
    let (code, calls) = setup(&[], &all);
    assert_eq!(code, Some(0), "{calls}");
    for name in ["cargo-deny", "gungraun-runner"] {
        assert!(calls.contains(name), "{calls}");
    }
    assert!(!calls.contains("apt-get"), "{calls}");
    // What is missing is installed, and what is then still missing is an error.
    let (code, calls) = setup(&["quick"], &QUICK[1..]);
    assert_eq!(code, Some(2), "{calls}");
    assert!(calls.contains("iverilog") && !calls.contains("valgrind"), "{calls}");
    let (code, calls) = setup(&["long"], &QUICK);
    assert_eq!(code, Some(2), "{calls}");
    assert!(MORE[1..].iter().all(|tool| calls.contains(tool)), "{calls}");
}
