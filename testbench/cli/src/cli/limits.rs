// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every option with a number, at the ends of its range and beyond, and every option with the name of a file.

use super::{Cli, command_line, execute};
use clap::{Arg, FromArgMatches};
use std::{any::TypeId, collections::BTreeSet, path::PathBuf};

const BITS_32: u64 = u32::MAX as u64;
const BITS_64: u64 = u64::MAX;

/// Command, option, least and greatest number, what makes a run with them short (`None`: it has no short one).
type Row = (&'static str, &'static str, u64, u64, Option<&'static [&'static str]>);

const ONE: Option<&[&str]> = Some(&["--nodes", "2", "--case", "1"]);
const FRAME: Option<&[&str]> = Some(&[]);

const RANGES: [Row; 45] = [
    ("campaign", "frames", 1, BITS_64, None),
    ("campaign", "seed", 0, BITS_64, ONE),
    ("campaign", "nodes", 2, 16, None),
    ("campaign", "rings", 2, 8, None),
    ("campaign", "cases", 1, 1_000_000, None),
    ("campaign", "case", 0, BITS_64, Some(&["--nodes", "2"])),
    ("conform", "seed", 0, BITS_32, None),
    ("conform", "cases", 0, 100_000, None),
    ("conform", "limit", 1, 86_400, None),
    ("cosim", "nodes", 1, 256, None),
    ("cosim", "cases", 1, 10_000_000, None),
    ("cosim", "cycles", 8, 60_000, None),
    ("cosim", "mode", 0, 2, None),
    ("cosim", "seed", 0, BITS_32, None),
    ("frame encode", "c-st", 0, 31, FRAME),
    ("frame encode", "node-id", 0, 255, FRAME),
    ("frame encode", "multi-g", 0, 15, FRAME),
    ("frame encode", "act-seq", 0, 15, FRAME),
    ("frame encode", "packet-cnt", 0, 255, FRAME),
    ("frame encode", "addr", 0, BITS_32, FRAME),
    ("run", "nodes", 1, 256, None),
    ("run", "fibre-m", 0, 10_000, None),
    ("run", "memory", 16, 1 << 31, None),
    ("run", "threads", 1, 256, None),
    ("sim", "nodes", 0, 255, None),
    ("study armci", "nodes", 1, 16, None),
    ("study fdsm", "nodes", 2, 16, None),
    ("study sharing", "nodes", 2, 16, None),
    ("study rings", "processes", 4, 4_096, None),
    ("study clusters", "rows", 16, 2_000, None),
    ("study latency", "nodes", 2, 256, None),
    ("study lock", "nodes", 2, 256, None),
    ("study barrier", "nodes", 2, 256, None),
    ("study engine", "nodes", 2, 256, None),
    ("study bypass", "nodes", 2, 32, None),
    ("study openmp", "nodes", 1, 64, None),
    ("study paging", "nodes", 1, 64, None),
    ("study paging", "seed", 0, BITS_64, None),
    ("study mandelbrot", "sizes", 1, 10_000, None),
    ("study mandelbrot", "nodes", 1, 32, Some(&["--sizes", "33", "--iterations", "2"])),
    ("study mandelbrot", "iterations", 1, 1_000_000, Some(&["--sizes", "3", "--nodes", "2"])),
    ("wave", "nodes", 0, 255, None),
    ("xtask speed", "nodes", 2, 256, None),
    ("xtask speed", "node-cycles", 100_000, 1_000_000_000_000, None),
    ("xtask speed", "repeat", 1, 1000, None),
];

/// What a command needs besides its options.
const NEEDED: [(&str, &[&str]); 6] = [
    ("conform", &["--dut", "x.v", "--top", "x", "--module", "smb", "--sim", "icarus"]),
    ("cosim", &["--sim", "icarus"]),
    ("frame encode", &["--token", "p2p", "--mac", "02:53:4d:42:00:01"]),
    ("run", &["--", "true"]),
    ("sim", &["x.toml"]),
    ("wave", &["x.toml"]),
];

/// Options with a value, each with the words of its command.
fn options() -> Vec<(String, Arg)> {
    fn below(command: &clap::Command, words: &str, all: &mut Vec<(String, Arg)>) {
        for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
            all.push((words.to_owned(), arg.clone()));
        }
        for one in command.get_subcommands() {
            below(one, format!("{words} {}", one.get_name()).trim_start(), all);
        }
    }
    let mut all = Vec::new();
    below(&command_line(), "", &mut all);
    all
}

/// The kind of an option's value.
fn is<T: 'static>(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == TypeId::of::<T>()
}

/// The command line of an option with a value.
fn words(command: &str, option: &str, value: &str, more: &[&str]) -> Vec<String> {
    let needed = NEEDED.iter().find(|one| one.0 == command).map_or(&[][..], |one| one.1);
    let option = [&format!("--{option}"), value];
    let all = ["awgstar"].into_iter().chain(command.split(' ')).chain(option);
    all.chain(more.iter().copied()).chain(needed.iter().copied()).map(str::to_owned).collect()
}

fn parsed(words: &[String]) -> Result<(clap::ArgMatches, Cli), String> {
    let matches = command_line().try_get_matches_from(words).map_err(|e| e.to_string())?;
    let cli = Cli::from_arg_matches(&matches).map_err(|e| e.to_string())?;
    Ok((matches, cli))
}

/// The value is refused with a message that has option, value and expectation.
fn refused(command: &str, option: &str, value: &str, expected: &str) {
    let words = words(command, option, value, &[]);
    let error = parsed(&words).err().unwrap_or_else(|| panic!("{words:?} is accepted"));
    for part in [format!("--{option}"), format!("'{value}'"), expected.to_owned()] {
        assert!(error.contains(&part), "{words:?}: no {part:?} in: {error}");
    }
}

#[test]
fn every_number_has_a_range() {
    let numbers: BTreeSet<(String, String)> = options()
        .into_iter()
        .filter(|(_, arg)| {
            is::<u8>(arg) || is::<u16>(arg) || is::<u32>(arg) || is::<u64>(arg) || is::<usize>(arg)
        })
        .map(|(command, arg)| (command, arg.get_long().expect("an option").to_owned()))
        .collect();
    let rows = RANGES.iter().map(|row| (row.0.to_owned(), row.1.to_owned())).collect();
    assert_eq!(numbers, rows);
    for (command, option, least, most, _) in RANGES {
        for value in [least, most] {
            let words = words(command, option, &value.to_string(), &[]);
            if let Err(error) = parsed(&words) {
                panic!("{words:?}: {error}");
            }
        }
        let bounds = if option == "memory" {
            "expected a power of two, 16 to 2G".to_owned()
        } else {
            format!("expected {least} to {most}")
        };
        let beyond = [i128::from(least) - 1, i128::from(most) + 1].map(|value| value.to_string());
        let wrong = ["-1", "x", "1.5", "1e3", "0x", " 1", "1_0", "99999999999999999999999"];
        for value in beyond.iter().map(String::as_str).chain(wrong) {
            refused(command, option, value, &bounds);
        }
    }
}

/// A run at the ends of a range prints a result, or ends with a message.
#[test]
fn the_ends_of_ranges_run() {
    for (command, option, least, most, more) in RANGES {
        let Some(more) = more else { continue };
        for value in [least, most] {
            let words = words(command, option, &value.to_string(), more);
            let (matches, cli) = parsed(&words).expect("in range");
            let mut printed = Vec::new();
            match execute(&matches, cli, &mut printed) {
                Ok(_) => assert!(!printed.is_empty(), "{words:?} prints nothing"),
                Err(error) => panic!("{words:?}: {error}"),
            }
        }
    }
}

/// Values of numbers and other characters.
#[test]
fn wrong_parts_of_values_are_refused() {
    let huge = "99999999999999999999999";
    for value in ["0/2", "3/2", "1/0", "1", "/", "1/2/3", &format!("1/{huge}")] {
        for command in ["campaign", "conform", "xtask mutants"] {
            refused(command, "shard", value, "expected ");
        }
    }
    for value in ["0:0", "2:1", "1", ":", "x:y", &format!("1:{huge}0000000000000000000")] {
        for command in ["run", "sim", "wave"] {
            refused(command, "window", value, "expected FROM:TO");
        }
    }
    for value in ["counted:0", "measured:-1", "counted:x", "measured", "counted:1000001", "0"] {
        refused("run", "compute", value, "expected told, counted");
    }
}

/// Options of a file that is read or changed in place, or of a folder.
const READ: [&str; 5] = ["ring", "dut", "from", "replay", "page"];
const FOLDERS: [&str; 7] = ["out", "root", "scratch", "vectors", "hdl", "include", "report"];

/// Only `--out` makes folders: the name of another file in a missing folder is refused before the run.
#[test]
fn a_file_in_a_missing_folder_is_refused() {
    let mut written = BTreeSet::new();
    for (command, arg) in options() {
        let name = arg.get_long().unwrap_or_default();
        if !is::<PathBuf>(&arg) {
            continue;
        }
        if name.is_empty() || READ.contains(&name) || FOLDERS.contains(&name) {
            continue;
        }
        let value = if name == "vcd" { "/no/folder/x.vcd" } else { "/no/folder/x" };
        refused(&command, name, value, "no folder `/no/folder`");
        written.insert(name.to_owned());
    }
    assert_eq!(written, ["html", "junit", "pcapng", "svg", "vcd"].map(str::to_owned).into());
}
