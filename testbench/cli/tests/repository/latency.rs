// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of `docs/performance.md` that `awgstar study latency` prints. The default run compares the rows of two
//! boards; `UPDATE=1` measures and writes all, in minutes.

use crate::document;
use assert_cmd::Command;
use std::{env, fs};

/// Sections of the page, in the order of the command's tables.
const SECTIONS: [&str; 3] = ["latency", "bandwidth", "one host"];

/// The tables that the command prints, with their heads.
fn tables(arguments: &[&str]) -> Vec<String> {
    let mut command = Command::cargo_bin("awgstar").unwrap();
    let done = command.args(["study", "latency"]).args(arguments).assert().success();
    let out = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    let parts = out.split("\n\n").filter(|part| part.starts_with('|'));
    parts.map(|part| format!("{}\n", part.trim_end())).collect()
}

#[test]
fn latencies_of_the_page_are_those_of_the_command() {
    if env::var_os("UPDATE").is_some_and(|value| value == "1") {
        for (name, table) in SECTIONS.iter().zip(tables(&[])) {
            document::section("performance.md", name, &table);
        }
    }
    let page = fs::read_to_string(document::file("docs/performance.md")).unwrap();
    let found = tables(&["--nodes", "2"]);
    assert_eq!(found.len(), SECTIONS.len(), "{found:?}");
    for (name, table) in SECTIONS.iter().zip(found) {
        let (_, rest) = page.split_once(&format!("<!-- begin {name} -->\n")).expect("a section");
        let (section, _) = rest.split_once("<!-- end ").expect("its end");
        for line in table.lines() {
            assert!(section.lines().any(|l| l == line), "{name}: UPDATE=1 writes it: {line}");
        }
    }
}
