// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a study (`--html`) against the rows and tables of the same study.

use crate::html::{between, is_alone};
use crate::tables::{Cells, plain, tables};
use assert_cmd::Command;
use serde_json::Value;
use std::{fs, path::Path};

/// Standard output of `awgstar` in a folder.
fn awgstar(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::cargo_bin("awgstar").unwrap();
    let assert = command.current_dir(folder).args(words).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// Tables in Markdown with the line before each.
fn markdown(text: &str) -> Vec<Cells> {
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim_start_matches('|').trim_end_matches('|');
        inner.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let lines: Vec<&str> = text.lines().collect();
    let tables = lines.split(|line| !line.starts_with('|')).filter(|table| !table.is_empty());
    let rows = |table: &[&str]| table[2..].iter().map(|line| cells(line)).collect();
    tables.map(|table| (cells(table[0]), rows(table))).collect()
}

/// A table of the page has the rows of JSON: the names of its columns are `key` or `key, unit`.
fn same_as_json((heads, rows): &Cells, json: &str) {
    let Value::Array(values) = serde_json::from_str(json).unwrap() else { panic!("{json}") };
    assert_eq!(rows.len(), values.len());
    for (row, value) in rows.iter().zip(values) {
        assert_eq!(heads.len(), value.as_object().unwrap().len());
        for (head, cell) in heads.iter().zip(row) {
            let value = &value[head.replace(", ", "_")];
            let expected = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            assert_eq!(*cell, expected, "{head}");
        }
    }
}

#[test]
fn a_page_of_a_study_has_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let study = ["study", "paging", "--nodes", "2", "--seed", "5"];
    let run = |more: &[&str]| awgstar(folder.path(), &[&study, more].concat());
    let json = run(&["--json", "--html", "page.html", "--out", "files"]);
    let page = read("page.html");
    is_alone(&page, &[]);
    let found = tables(&page);
    assert_eq!(found.len(), 2, "the printed one and all rows");
    same_as_json(&found[1], &json);
    // The command of the page prints its first table.
    let command = plain(between(&page, "<pre>", "</pre>")[0]);
    assert_eq!(command, "awgstar study paging --nodes 2 --seed 5");
    let printed = awgstar(folder.path(), &command.split(' ').skip(1).collect::<Vec<_>>());
    assert_eq!(found[..1], markdown(&printed)[..]);
    // Every plot is in it, with all its texts and lines.
    let plots: Vec<String> = ["sequential", "strided", "random", "costs"]
        .iter()
        .map(|name| read(&format!("files/paging-{name}.svg")))
        .collect();
    let shown = between(&page, "<svg", "</svg>");
    assert_eq!(shown.len(), plots.len());
    for (shown, plot) in shown.iter().zip(&plots) {
        let inside = |svg: &str| svg.split_once('>').unwrap().1.replace("</svg>", "");
        let plot = plot.split_once("<svg").unwrap().1;
        assert_eq!(inside(shown).trim(), inside(plot).trim());
        assert!(shown.matches("<polyline").count() >= 2, "lines");
    }
    // Parts that are merged give the same bytes.
    for part in ["1/2", "2/2"] {
        let text = run(&["--shard", part]);
        fs::write(folder.path().join(part.replace('/', "-")), text).unwrap();
    }
    let words = ["merge", "1-2", "2-2", "--html", "merged.html"];
    assert_eq!(awgstar(folder.path(), &words), printed);
    assert!(read("merged.html") == page);
}

/// `--from` draws what the study drew, and writes no rows.
#[test]
fn plots_are_drawn_again_from_a_file_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    let study = ["study", "paging", "--nodes", "2", "--out", "first"];
    awgstar(folder.path(), &study);
    let from = ["study", "paging", "--from", "first/paging.csv"];
    let printed =
        awgstar(folder.path(), &[&from[..], &["--out", "again", "--html", "p.html"]].concat());
    assert_eq!(printed, "");
    let page = fs::read_to_string(folder.path().join("p.html")).unwrap();
    let command = plain(between(&page, "<pre>", "</pre>")[0]);
    assert_eq!(command, "awgstar study paging --from first/paging.csv");
    let again: Vec<_> = fs::read_dir(folder.path().join("again")).unwrap().collect();
    assert_eq!(again.len(), 4, "plots alone");
    for entry in again.into_iter().map(Result::unwrap) {
        let first = fs::read(folder.path().join("first").join(entry.file_name())).unwrap();
        assert!(fs::read(entry.path()).unwrap() == first, "{entry:?}");
    }
    fs::write(folder.path().join("cut.csv"), "pattern,nodes\nrandom,2\n").unwrap();
    for (more, error) in [
        (&from[..], "expected --out or --html with it"),
        (&[&from[..], &["--shard", "1/2"]].concat(), "--shard does not apply"),
        (&[&from[..], &["--html", "p.html", "--seed", "2"]].concat(), "--seed"),
        (&[&from[..], &["--html", "p.html", "--json"]].concat(), "--json"),
        (
            &["study", "lock", "--from", "first/paging.csv", "--out", "x"],
            "paging.csv: line 1: expected",
        ),
        (&["study", "paging", "--from", "cut.csv", "--out", "x"], "cut.csv: line 1: expected"),
        (&["study", "paging", "--from", "no.csv", "--out", "x"], "no.csv"),
    ] {
        let mut command = Command::cargo_bin("awgstar").unwrap();
        let assert = command.current_dir(folder.path()).args(more).assert().code(2);
        let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(said.contains(error), "{more:?}: {said}");
    }
}

#[test]
fn studies_with_one_table_and_no_plot() {
    let folder = tempfile::tempdir().unwrap();
    let printed = awgstar(folder.path(), &["study", "engine", "--nodes", "2", "--html", "e.html"]);
    let page = fs::read_to_string(folder.path().join("e.html")).unwrap();
    is_alone(&page, &[]);
    let tables = tables(&page);
    assert_eq!(tables[..1], markdown(&printed)[..]);
    assert_eq!(tables[1], tables[0], "all rows");
    assert!(!page.contains("Plots") && tables[0].1.len() == 1);
}
