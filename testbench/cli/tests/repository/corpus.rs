// SPDX-License-Identifier: MIT OR Apache-2.0
//! The corpus of the fuzz targets on a stable compiler: no input makes a parser panic. Checks FRM-12.
//!
//! The functions are those that `cargo fuzz` runs (`testbench/fuzz`).

#[expect(unreachable_pub, reason = "the file is a library too")]
#[path = "../../../fuzz/src/entries.rs"]
mod entries;

use entries::{ENTRIES, Entry};
use std::{
    collections::BTreeSet,
    fs,
    panic::catch_unwind,
    path::{Path, PathBuf},
};

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Names of the entries of a folder, without their endings.
fn names(path: &str) -> BTreeSet<String> {
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    fs::read_dir(folder(path)).unwrap().map(|entry| stem(entry.unwrap().path())).collect()
}

/// Files in a folder, in order.
fn files(path: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
    all.retain(|path| path.is_file());
    all.sort();
    all
}

/// Gives an entry a file's bytes, the bytes cut short, and the bytes with one of them changed.
fn feed(entry: Entry, path: &Path) -> Result<usize, String> {
    let data = fs::read(path).unwrap();
    let step = (data.len() / 32).max(1);
    let mut inputs = vec![data.clone()];
    for at in (0..data.len()).step_by(step) {
        inputs.push(data[..at].to_vec());
        for value in [b'9', b'"', 0xff] {
            let mut changed = data.clone();
            changed[at] = value;
            inputs.push(changed);
        }
    }
    for input in &inputs {
        let panics = || format!("{}: {:?}", path.display(), String::from_utf8_lossy(input));
        catch_unwind(|| entry(input)).map_err(|_| panics())?;
    }
    Ok(inputs.len())
}

#[test]
fn no_file_of_the_corpus_makes_a_parser_panic() {
    for (name, entry) in ENTRIES {
        let all = files(&folder("fuzz/corpus").join(name));
        assert!(all.len() >= 3, "{name}: only {} files", all.len());
        for path in all {
            if let Err(input) = feed(*entry, &path) {
                panic!("{name} panics: {input}");
            }
        }
    }
}

/// The files that the repository has for users are in the corpus too.
#[test]
fn no_file_of_the_repository_makes_a_parser_panic() {
    let kinds: [(&str, Entry); 4] = [
        ("../docs/scenarios", entries::scenario),
        ("../vectors/firmware", entries::counterexample),
        ("../vectors/paging", entries::counterexample),
        ("mutants", entries::mutants),
    ];
    for (path, entry) in kinds {
        for path in files(&folder(path)) {
            entry(&fs::read(&path).unwrap());
        }
    }
}

#[test]
fn every_target_has_its_function_and_its_corpus() {
    let expected: BTreeSet<String> = ENTRIES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names("fuzz/fuzz_targets"), expected);
    assert_eq!(names("fuzz/corpus"), expected);
    let manifest = fs::read_to_string(folder("fuzz/Cargo.toml")).unwrap();
    for name in &expected {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}: not in Cargo.toml");
    }
}

/// A panic is seen.
#[test]
fn a_panic_is_reported() {
    let path = folder("fuzz/corpus/frame");
    let all = files(&path);
    let input = feed(|data| assert!(data.len() < 10), all.last().unwrap());
    assert!(input.is_err());
}

#[test]
fn a_module_inside_itself_is_an_error() {
    let text = fs::read_to_string(folder("fuzz/corpus/yosys/inside_itself.json")).unwrap();
    let error = awgstar_simulator::elaborate::from_json(&text, "top").unwrap_err();
    assert_eq!(error, "module top is an instance inside itself");
}
