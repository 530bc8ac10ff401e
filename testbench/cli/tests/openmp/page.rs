// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a run of an OpenMP program (`--html`).

use super::ring;
use crate::html::{data, is_alone};
use serde_json::Value;
use std::fs;

/// Runs with a page; returns the exit code, standard error and the data of the page.
fn paged(options: &str, threads: usize, program: &[&str]) -> (i32, String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let html = folder.path().join("page.html");
    let options = format!("--html {} {options}", html.display());
    let (code, _, err) = ring(&options, threads, program);
    let page = fs::read_to_string(html).unwrap();
    is_alone(&page, &[]);
    (code, err, data(&page))
}

#[test]
fn a_page_has_a_time_line_for_each_thread() {
    for machine in ["ring", "gen1"] {
        let options = format!("--machine {machine}");
        let (code, err, data) = paged(&options, 3, &["jacobi", "8", "2"]);
        assert_eq!(code, 0, "{err}");
        assert_eq!(
            (&data["holds"], &data["verdict"]),
            (&true.into(), &"all replicas are equal".into())
        );
        assert_eq!(data["nodes"].as_array().unwrap().len(), 3);
        let spans = &data["spans"];
        let kinds = spans["kinds"].as_array().unwrap();
        for node in 0..3 {
            for name in ["barrier", "write"] {
                let kind = kinds.iter().position(|kind| kind["name"] == name).unwrap();
                let mut all = (0..).map_while(|at| {
                    Some((spans["node"].get(at)?.as_u64()?, spans["kind"].get(at)?.as_u64()?))
                });
                assert!(all.any(|one| one == (node, kind as u64)), "{machine}: {node} {name}");
            }
        }
    }
}

#[test]
fn a_run_that_fails_does_not_look_good() {
    for (case, words) in [
        // The ring may find that the process has ended before all processes have.
        ("exit_code", &["exit code 9; ", "exit code 9, after its call"][..]),
        ("race_before_exit", &["exit code 1"]),
        ("crash_before_exit", &["signal 11"]),
    ] {
        let (code, err, data) = paged("", 2, &["pitfalls", case]);
        assert_ne!(code, 0, "{case}: {err}");
        assert_eq!(data["holds"], false, "{case}");
        let found = data["verdict"].as_str().unwrap();
        assert!(words.iter().any(|one| found.contains(one)), "{case}: {found}");
    }
}
