// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs kept beside the tests, and what the documents show of them.

#[path = "../../../test_support/document.rs"]
mod document;

pub(crate) use document::section;
use document::{check, file, section_if_there};
use std::fs;

/// Compares a run with `runs/NAME.txt`, and with the document if it shows the run.
pub(crate) fn run(document: &str, name: &str, text: &str) {
    let path = format!("model/sync/tests/protocols/runs/{name}.txt");
    check(&path, &fs::read_to_string(file(&path)).unwrap_or_default(), text);
    let _ = section_if_there(document, &format!("run {name}"), &format!("```text\n{text}```\n"));
}
