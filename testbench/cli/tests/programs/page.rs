// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a run of programs (`--html`): its time lines against the report of the same run, and the verdict of
//! a run that fails, is killed or is broken off.

use super::{command, run};
use crate::html::{between, data, is_alone};
use crate::started::Started;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

const EVIL: &str = "</script><script>alert(1)</script><img src=x>\u{1b}[31m<!--&\"'";

/// Name of a file in a folder, as an argument.
fn file(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// Runs with a page; returns the exit code, standard error and the page.
fn paged(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let html = file(folder, "page.html");
    let (code, _, err) = run(&[&["--html", &html], args].concat());
    (code, err, fs::read_to_string(html).unwrap())
}

/// Whether the page calls the run good, and its words.
fn verdict(data: &Value) -> (bool, &str) {
    (data["holds"].as_bool().unwrap(), data["verdict"].as_str().unwrap())
}

/// Time of each node by kind of call.
fn times(data: &Value) -> BTreeMap<(u64, String), u64> {
    let spans = &data["spans"];
    let numbers = |name: &str| -> Vec<u64> {
        spans[name].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect()
    };
    let (node, kind, length) = (numbers("node"), numbers("kind"), numbers("length"));
    let mut all = BTreeMap::new();
    for ((node, kind), length) in node.into_iter().zip(kind).zip(length) {
        let name = spans["kinds"][usize::try_from(kind).unwrap()]["name"].as_str().unwrap();
        *all.entry((node, name.to_owned())).or_default() += length;
    }
    all
}

/// On generation 1 the unit of the page is that of the report: ns.
#[test]
fn time_lines_are_those_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["-n", "3", "--machine", "gen1", "--report", "--", "@halo", "4"];
    let (code, err, page) = paged(folder.path(), &args);
    assert_eq!(code, 0, "{err}");
    is_alone(&page, &[]);
    let data = data(&page);
    assert_eq!(verdict(&data), (true, "all replicas are equal"));
    assert_eq!(data["unit"], "ns");
    let times = times(&data);
    let mut lines = 0;
    let mut heads: Vec<&str> = Vec::new();
    for line in err.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Ok(node) = cells[0].parse::<u64>() else {
            heads = cells;
            continue;
        };
        for (head, cell) in heads.iter().zip(&cells) {
            let Some(kind) = head.strip_suffix(" µs").filter(|kind| *kind != "end") else {
                continue;
            };
            let found = times.get(&(node, kind.to_owned())).copied().unwrap_or(0);
            assert_eq!(format!("{}.{:03}", found / 1000, found % 1000), *cell, "{node} {kind}");
            lines += u32::from(found > 0);
        }
    }
    assert!(lines >= 9, "reads, writes and barriers of three nodes: {times:?}");
    // The report is in the page.
    let report = data["report"].as_str().unwrap();
    for line in err.lines().filter(|line| line.starts_with('|')) {
        assert!(report.contains(line), "{line}");
    }
}

#[test]
fn a_window_has_frames_and_registers() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["-n", "2", "--window", "0:20000", "--", "@pi", "100"];
    let (code, err, page) = paged(folder.path(), &args);
    assert_eq!(code, 0, "{err}");
    let data = data(&page);
    assert_eq!(verdict(&data), (true, "all replicas are equal"));
    assert!(data["frames"]["link"].as_array().unwrap().len() > 50);
    assert_eq!(data["registers"]["changes"].as_array().unwrap().len(), 2);
    assert!(times(&data).contains_key(&(1, "barrier".to_owned())), "{:?}", times(&data));
    assert!(data["title"].as_str().unwrap().ends_with("pi 100"));
}

#[test]
fn a_run_that_fails_does_not_look_good() {
    let folder = tempfile::tempdir().unwrap();
    for machine in ["ring", "gen1", "cluster"] {
        for (mode, expected, words) in [
            ("exit", 3, "stopped: node 1: exit code 3, after its call `init`"),
            (
                "crash",
                139,
                "stopped: node 1: signal 11 (segmentation fault), after its call `init`",
            ),
            // It has left the ring before, and the memory is good.
            ("late", 3, "failed: node 1: exit code 3; all replicas are equal"),
        ] {
            let args = ["-n", "2", "--machine", machine, "--report", "--", "@wrong", mode];
            let (code, err, page) = paged(folder.path(), &args);
            assert_eq!(code, expected, "{machine} {mode}: {err}");
            let data = data(&page);
            let own = words.replace("all replicas are equal", "each node has its own memory");
            let words = if machine == "cluster" { &own } else { words };
            assert_eq!(verdict(&data), (false, words), "{machine} {mode}");
            assert!(err.contains(words), "the report says the same: {err}");
            assert!(data["report"].as_str().unwrap().contains(words));
        }
    }
}

/// What the user calls it is text.
#[test]
fn arguments_are_texts() {
    let folder = tempfile::tempdir().unwrap();
    let (code, err, page) = paged(folder.path(), &["-n", "2", "--", "@wrong", "nothing", EVIL]);
    assert_eq!(code, 0, "{err}");
    let found = data(&page);
    assert!(found["title"].as_str().unwrap().ends_with(EVIL));
    assert!(found["report"].as_str().unwrap().contains(EVIL));
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    for bad in ["<img", "<!--", "\u{1b}"] {
        assert!(!page.contains(bad), "{bad:?}");
    }
    // So it is in the report of `--report`.
    let report = file(folder.path(), "report");
    let args = ["-n", "1", "--report", &report, "--", "@wrong", "nothing", EVIL];
    assert_eq!(run(&args).0, 0);
    let page = fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    assert!(between(&page, "<pre>", "</pre>")[0].contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains('\u{1b}'));
}

/// Words of a page that is not that of a run.
fn words(page: &str) -> &str {
    is_alone(page, &[]);
    assert!(!page.contains("class=\"verdict pass\""));
    between(page, "<p class=\"verdict fail\">", "</p>")[0]
}

/// Neither a run that was broken off nor one that did not begin leaves the page of an earlier one.
#[test]
fn a_page_of_an_earlier_run_does_not_stay() {
    let folder = tempfile::tempdir().unwrap();
    let html = PathBuf::from(file(folder.path(), "page.html"));
    let args = ["--html", html.to_str().unwrap(), "-n", "2", "--", "@wrong"];
    let read = || fs::read_to_string(&html).unwrap();
    for signal in ["-INT", "-TERM"] {
        assert_eq!(run(&[&args[..], &["nothing"]].concat()).0, 0);
        assert_eq!(verdict(&data(&read())), (true, "all replicas are equal"));
        let mut child = Started::with_signals(&command(&[&args[..], &["sleep"]].concat()));
        let mut line = String::new();
        BufReader::new(child.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("pid "), "{line}");
        assert_eq!(words(&read()), "This run has not ended, or was broken off.");
        super::processes::kill(signal, &child.0.id().to_string());
        assert!(!child.wait().success(), "{signal}");
        let page = read();
        // The command may still write the page of the run that it ends, or be gone before.
        if page.contains("id=\"data\"") {
            assert!(!verdict(&data(&page)).0, "{signal}: {:?}", verdict(&data(&page)));
        } else {
            words(&page);
        }
    }
    // A program that does not start.
    assert_eq!(run(&[&args[..], &["nothing"]].concat()).0, 0);
    let (code, _, err) = run(&["--html", html.to_str().unwrap(), "-n", "2", "--", "/no/program"]);
    assert_eq!(code, 2, "{err}");
    assert!(words(&read()).starts_with("This run failed: program `/no/program`: "), "{err}");
}
