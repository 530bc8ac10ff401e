// SPDX-License-Identifier: MIT OR Apache-2.0
//! Texts kept in files and in the documents. `UPDATE=1` writes them again.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// One document is written at a time.
static WRITING: Mutex<()> = Mutex::new(());

/// `path` below the root of the workspace.
pub(crate) fn file(path: &str) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").exists());
    root.expect("a workspace").join(path)
}

fn update() -> bool {
    env::var_os("UPDATE").is_some_and(|value| value == "1")
}

pub(crate) fn check(path: &str, found: &str, text: &str) {
    let path = file(path);
    if update() {
        fs::write(&path, text).expect("the file can be written");
    } else {
        assert!(
            found == text,
            "{} differs; UPDATE=1 writes it again. Now it is:\n{text}",
            path.display()
        );
    }
}

/// Compares what stands between two marks in a document.
pub(crate) fn section(document: &str, name: &str, text: &str) {
    assert!(section_if_there(document, name, text), "docs/{document} has no section {name}");
}

/// As [`section`]; `false` when the document does not have it.
pub(crate) fn section_if_there(document: &str, name: &str, text: &str) -> bool {
    let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let path = format!("docs/{document}");
    let found = fs::read_to_string(file(&path)).expect("the document is there");
    let mark = |word| format!("<!-- {word} {name} -->\n");
    let Some((head, rest)) = found.split_once(&mark("begin")) else { return false };
    let (_, tail) = rest.split_once(&mark("end")).expect("a mark where it ends");
    check(&path, &found, &format!("{head}{}{text}{}{tail}", mark("begin"), mark("end")));
    true
}
