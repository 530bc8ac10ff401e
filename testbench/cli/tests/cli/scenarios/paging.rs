// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "paging"`: what the run says, its waves, and what a file may not say (PAG-1, PAG-9).

use super::{gtkw, report, waves};
use awgstar_scenario::run::Window;
use awgstar_scenario::scenario::read;
use std::{fs, path::PathBuf};

fn example() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios/paging.toml");
    fs::read_to_string(path).unwrap()
}

fn text(name: &str, files: &[(String, Vec<u8>)]) -> String {
    let (_, bytes) = files.iter().find(|file| file.0 == name).unwrap();
    String::from_utf8(bytes.clone()).unwrap()
}

#[test]
fn the_example_swaps_and_meets_the_overlap() {
    let run = read("paging.toml", &example()).unwrap();
    let report = report(&*run);
    assert_eq!(report.json["wrong"], serde_json::Value::Null);
    assert!(report.holds);
    let files = waves(&*run, None).unwrap();
    assert!(report.json["swaps"].as_u64().unwrap() >= 4, "{}", report.text);
    assert!(report.json["shown_again"].as_u64().unwrap() >= 1, "{}", report.text);
    assert!(report.text.ends_with("every word is what its process wrote last, on every board"));
    let vcd = text("paging.vcd", &files);
    for name in ["master_looking_again", "marking,_wants", "swap_request_of_1", "access_flags_4"] {
        assert!(vcd.contains(name), "no {name}");
    }
    assert!(text("paging.gtkw", &files).contains("ring.node2.valid[3:0]"));
    gtkw::check_text(&text("paging.gtkw", &files), &vcd, &|_| false);
    // The same again, bit for bit (RING-2); and a window of it.
    assert_eq!(waves(&*run, None).unwrap(), files);
    let part = waves(&*run, Window::of_ns(100_000, 120_000)).unwrap();
    assert!(text("paging.vcd", &part).len() * 2 < vcd.len());
}

/// A run that is given up has not shown that its words are right.
#[test]
fn a_run_that_does_not_end_is_wrong() {
    let text = "system = \"paging\"\ntitle = \"\"\nnodes = 2\npage_bytes = 64\npages = 1\nroom = 1\n\
                [[program]]\nnodes = 1\ntimes = 5\ndo = [{ access = 1 }, { compute = 1_000_000 }]\n";
    let report = report(&*read("paging.toml", text).unwrap());
    assert!(!report.holds && report.json["holds"] == false, "{}", report.text);
    let says = "WRONG: not at its end after 4000000 cycles: node 1 waits for the end of 1000000 cycles of work since ";
    assert!(report.text.contains(says), "{}", report.text);
}

#[test]
fn errors_have_their_place() {
    let cases = [
        ("nodes = 3", "nodes = 1", "nodes is 1: expected 2 to 16"),
        (
            "page_bytes = 64",
            "page_bytes = 8",
            "page_bytes is 8: expected a multiple of 4 from 12 on",
        ),
        ("room = 2", "room = 5", "room is 5: expected 1 to 4"),
        ("page_bytes = 64", "page_bytes = 8192", "pages that end within the shared memory"),
        ("{ access = 3 }", "{ access = 5 }", "do.access is 5: expected 1 to 4"),
        ("nodes = 2", "nodes = 3", "program.nodes is 3: expected 0 to 2"),
        ("nodes = 2", "at = 2", "program: system \"paging\" has no key `at`"),
        ("{ compute = 100 }", "{ at = 100, access = 1 }", "do: at does not go with access"),
        (
            "{ compute = 100 }",
            "{ lock = 1 }",
            "does not support the act `lock`: expected one of compute",
        ),
        ("times = 4", "times = 0", "program.times is 0: expected 1 to 1000000"),
        ("times = 4", "often = 4", "unknown key `often`"),
    ];
    for (from, to, what) in cases {
        let error = read("a.toml", &example().replacen(from, to, 1)).expect_err(what);
        let text = error.to_string();
        assert!(text.starts_with("a.toml:") && text.contains(what), "{text}");
    }
}
