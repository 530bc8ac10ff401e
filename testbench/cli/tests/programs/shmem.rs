// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with `OpenSHMEM`: their results on every machine, and those of Debian's library.

use super::{program, result, root, run};
use crate::libraries::built;
use std::{collections::BTreeSet, fs, path::PathBuf, process::Command};

pub(super) const EXAMPLES: [&str; 3] = ["gups", "halo", "sort"];

/// What a program prints on a machine of so many nodes.
fn prints(machine: &str, nodes: &str, words: &[&str]) -> String {
    let memory: &[&str] = if machine == "gen1" { &[] } else { &["--memory", "4M"] };
    let (code, out, err) =
        run(&[&["-n", nodes, "--machine", machine], memory, &["--"], words].concat());
    assert!(code == 0 && err.is_empty(), "{machine} {nodes} {words:?}: {code} {out}{err}");
    out
}

/// What Debian's library printed: `testbench/fixtures`.
fn printed(nodes: &str) -> String {
    fs::read_to_string(root().join(format!("testbench/fixtures/shmem-{nodes}.txt"))).unwrap()
}

/// Every family of functions of version 1.4 leaves the same memory as it did with Debian's library.
#[test]
fn every_family_prints_what_it_did_with_debians_library() {
    for (machine, nodes) in [("ring", "2"), ("gen1", "3"), ("cluster", "3")] {
        assert_eq!(prints(machine, nodes, &["@shmem/shmem"]), printed(nodes), "{machine}");
    }
}

/// What version 1.5 has besides: the program knows its results.
#[test]
fn functions_of_the_newest_version_do_what_they_say() {
    for (machine, nodes) in [("ring", "3"), ("gen1", "2"), ("cluster", "3")] {
        assert_eq!(prints(machine, nodes, &["@shmem/shmem_new"]), "0 failures\n", "{machine}");
    }
}

#[test]
fn the_examples_find_their_results() {
    for machine in ["ring", "gen1", "cluster"] {
        for nodes in ["1", "3"] {
            let pes: u32 = nodes.parse().unwrap();
            let out = prints(machine, nodes, &["@shmem/gups", "16", "20"]);
            let words = format!("{} words, {} updates on {nodes} PEs: ", 16 * pes, 20 * pes);
            assert!(out.starts_with(&words) && out.contains(", 0 wrong\n"), "{machine}: {out}");
            let out = prints(machine, nodes, &["@shmem/halo", "4", "9"]);
            assert!(out.contains(" after 9 steps on ") && out.contains(", 0 wrong\n"), "{out}");
            let out = prints(machine, nodes, &["@shmem/sort", "32"]);
            let words = format!("{} keys on {nodes} PEs: sum ", 32 * pes);
            assert!(out.starts_with(&words) && out.contains(", in order\n"), "{machine}: {out}");
        }
    }
}

/// The library has the functions that its headers have, and no other.
#[test]
fn the_library_has_the_functions_of_its_headers() {
    let library = built().join("libawgstar_shmem.so");
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(&library).output().unwrap();
    let (code, out, err) = result(&output);
    assert_eq!(code, 0, "{err}");
    let names = out.lines().filter_map(|line| line.split_once(" T ")).map(|(_, name)| name);
    let names: BTreeSet<&str> = names
        .filter(|name| {
            ["shmem", "start_pes", "num_pes", "my_pe", "_"].iter().any(|one| name.starts_with(one))
        })
        .filter(|name| !name.starts_with("__"))
        .collect();
    // 1,507 of the specification, those that it calls deprecated, and one for the time.
    let of = |part: &str| names.iter().filter(|name| name.contains(part)).count();
    assert_eq!(of("pshmem"), 0);
    let folder = root().join("model/shmem/include");
    let mut declared = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            declared += &fs::read_to_string(path).unwrap();
        }
    }
    assert!(names.len() > 1_600, "{}", names.len());
    let plain = ["shmem_init", "shmem_team_split_2d", "shmem_wait", "start_pes"];
    for name in plain {
        assert!(names.contains(name) && declared.contains(name), "{name}");
    }
}

/// A program with Debian's library.
fn with_debians(name: &str) -> PathBuf {
    let to = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("programs/debian");
    fs::create_dir_all(&to).unwrap();
    let to = to.join(name);
    let compiled = Command::new("oshcc")
        .args(["-std=gnu11", "-O1", "-ffp-contract=off", "-w"])
        .arg(root().join("testbench/cli/tests/programs").join(name).with_extension("c"))
        .arg("-o")
        .arg(&to)
        .status()
        .expect("oshcc: testbench/setup.sh long installs it");
    assert!(compiled.success(), "{name}");
    to
}

#[test]
#[ignore = "needs Debian's OpenSHMEM"]
fn what_debians_library_printed_is_what_it_prints() {
    let debians = with_debians("shmem");
    for nodes in ["2", "3"] {
        let output = Command::new("oshrun")
            .args(["--allow-run-as-root", "--oversubscribe", "-n", nodes])
            .arg(&debians)
            .output()
            .expect("oshrun: testbench/setup.sh long installs it");
        let (code, out, err) = result(&output);
        assert_eq!((code, out), (0, printed(nodes)), "{nodes}: {err}");
    }
}

/// Without a run a program says how it is started.
#[test]
fn a_program_alone_says_how_it_is_started() {
    let alone = Command::new(program("shmem/gups")).output().unwrap();
    let (code, _, err) = result(&alone);
    assert!(
        code == 1 && err.starts_with("shmem_init: not on a ring: start the program with"),
        "{code} {err}"
    );
}
