// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lockstep and conformance, as `awgstar` runs them, of every top with its parameters at the ends of their ranges.
//! The parameters are those of the model, whose names and ranges another test compares with the Verilog.

use assert_cmd::cargo::CommandCargoExt;
use awgstar::rtl::parameters::{Legal, Parameter, legal};
use awgstar_simulator::sources::list;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TOPS: [&str; 6] = ["ring_gateway", "ring_link", "ring_node", "smb", "smb_axi4", "smb_link"];

/// Both simulators and the model hold a memory of 2^18 words, twelve times. Its greatest, 2^29, are 2 GiB.
const MEMORY: u8 = 18;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Which of `count` parameters are at their greatest value, the others at their least: a list of sets in which every
/// two parameters have each of their four pairs of ends.
///
/// The first set has none, the last has all. In `rows` others, each parameter is in more than half, and no two are in
/// the same: so any two are together in one, and each is without the other in one.
fn sets(count: usize) -> Vec<Vec<bool>> {
    let half = |rows: u32| -> Vec<u32> {
        (0..1 << rows).filter(|choice: &u32| choice.count_ones() == rows / 2 + 1).collect()
    };
    let (rows, choices) = (1..=16)
        .map(|rows| (rows, half(rows)))
        .find(|(_, all)| all.len() >= count)
        .expect("enough");
    let between = (0..rows).map(|row| choices[..count].iter().map(|c| c >> row & 1 == 1).collect());
    let ends = [vec![false; count], vec![true; count]];
    let [none, all] = ends;
    let mut sets = vec![none];
    sets.extend(between.filter(|set: &Vec<bool>| set.contains(&true) && set.contains(&false)));
    sets.push(all);
    sets
}

/// `NAME=VALUE` of each parameter of a top.
fn settings(top: &str, set: &[bool]) -> Vec<String> {
    let value = |((parameter, range), most): (&Legal, &bool)| {
        let most = if *most { *range.end() } else { *range.start() };
        let most = if *parameter == Parameter::MemAddrW { most.min(MEMORY) } else { most };
        format!("{}={most}", parameter.name())
    };
    legal(top).iter().zip(set).map(value).collect()
}

fn run(arguments: &[&str], settings: &[String]) {
    let mut command = Command::cargo_bin("awgstar").expect("a program");
    command.current_dir(repository()).args(arguments);
    for setting in settings {
        command.args(["--param", setting]);
    }
    let output = command.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?} {settings:?}:\n{text}{errors}");
    println!(
        "{} {}: {}",
        arguments.join(" "),
        settings.join(" "),
        text.lines().next().unwrap_or("")
    );
}

fn conform(top: &str, settings: &[String], more: &[&str]) {
    let files = list(&repository().join("hdl"), "v").expect("files");
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let mut arguments = vec!["conform", "--dut"];
    arguments.extend(files.iter().map(String::as_str));
    arguments.extend(["--include", "hdl/include", "--top", top, "--module", top]);
    arguments.extend(["--sim", "icarus"]);
    arguments.extend(more);
    run(&arguments, settings);
}

fn lockstep(simulator: &str, top: &str, settings: &[String], more: &[&str]) {
    let mut arguments = vec!["cosim", "--sim", simulator, "--module", top];
    arguments.extend(more);
    run(&arguments, settings);
}

/// A top without its row here would not be tried.
#[test]
fn no_top_is_forgotten() {
    let folder = repository().join("hdl");
    let texts: Vec<(String, String)> = list(&folder, "v")
        .expect("files")
        .into_iter()
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("Verilog"))
        })
        .collect();
    let core = fs::read_to_string(folder.join("include/smb_core.vh")).expect("the board");
    let instantiated = |module: &str| {
        let mut all = texts.iter().map(|(_, text)| text).chain([&core]);
        all.any(|text| {
            let mut begins = text.lines().map(str::trim_start);
            begins.any(|line| {
                let rest = line.strip_prefix(module);
                rest.is_some_and(|rest| rest.starts_with(" u_") || rest.starts_with(" #("))
            })
        })
    };
    let roots: BTreeSet<&str> =
        texts.iter().map(|(name, _)| name.as_str()).filter(|name| !instantiated(name)).collect();
    assert!(roots.contains("smb_axi4") && roots.contains("smb_link"), "{roots:?}");
    let missing: Vec<_> = roots.iter().filter(|root| !TOPS.contains(root)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(TOPS.iter().all(|top| !legal(top).is_empty()));
}

/// Of any two parameters, all four pairs of ends.
#[test]
fn sets_have_every_pair_of_ends() {
    for top in TOPS {
        let count = legal(top).len();
        let sets = sets(count);
        assert!(sets.len() <= 8, "{top}: {}", sets.len());
        for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let pairs: BTreeSet<_> = sets.iter().map(|set| (set[a], set[b])).collect();
            assert_eq!(pairs.len(), 4, "{top}: {a} {b}");
        }
        for one in 0..count {
            let ends: BTreeSet<_> = sets.iter().map(|set| set[one]).collect();
            assert_eq!(ends.len(), 2, "{top}: {one}");
        }
    }
}

/// The least of all; those of `ring_node` and `smb` are tests of the lockstep.
#[test]
fn least_of_the_port_and_of_the_link() {
    let least = |top: &str| settings(top, &vec![false; legal(top).len()]);
    lockstep("icarus", "smb_axi4", &least("smb_axi4"), &["--cases", "3"]);
    lockstep("icarus", "smb_link", &least("smb_link"), &["--cases", "4", "--cycles", "1000"]);
    // A few cases in Icarus reach less than a judgement asks for; `conform` plays all of them in the long test.
    lockstep("verilator", "ring_gateway", &least("ring_gateway"), &["--cases", "16", "--fast"]);
    conform("smb_axi4", &least("smb_axi4"), &["--cases", "2", "--only", "random/"]);
}

/// In the files of a stimulus all ports that come after an ID begin elsewhere if it has 16 bits.
#[test]
fn widest_id_in_icarus() {
    let widest = ["AXI_ID_W=16".to_owned()];
    lockstep("icarus", "smb_axi4", &widest, &["--cases", "1", "--cycles", "600"]);
}

#[test]
#[ignore = "half an hour: a simulator is built for each of 41 sets, twice"]
fn every_top_at_every_pair_of_ends() {
    for top in TOPS {
        for set in sets(legal(top).len()) {
            let settings = settings(top, &set);
            lockstep("verilator", top, &settings, &["--cases", "40", "--fast"]);
            conform(top, &settings, &["--cases", "6"]);
        }
    }
}
