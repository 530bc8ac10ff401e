// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `cosim` and `conform` do with a design of `ring_link` or `smb_link` in a file of any name: they find
//! injected bugs, and say what they reached. A missing simulator fails.

use super::{Tool, repository, step};
use awgstar::rtl::{Parameters, RingLink, SmbLink};
use awgstar_lockstep::campaign;
use awgstar_lockstep::conform::{self, Dut, Module, Report, text};
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{self, Mutant};
use awgstar_simulator::{Icarus, Shard};
use awgstar_stimulus::Case;
use awgstar_stimulus::link;
use proptest::strategy::ValueTree;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The module, and a bug in what it joins.
const BUGS: [(&str, &str); 7] = [
    ("ring_link", "aligner-los-while-searching"),
    ("ring_link", "aligner-quiet-forever"),
    ("ring_link", "rx-too-long"),
    ("ring_link", "rx-no-check"),
    ("smb_link", "crossing-late-pointer"),
    ("smb_link", "crossing-strobe-lost"),
    ("smb_link", "smb-link-no-irq"),
];

/// A folder with all modules in one file, and perhaps a bug.
fn one_file(folder: &Path, bug: Option<&Mutant>) -> PathBuf {
    let hdl = repository().join("hdl");
    let mut files: Vec<PathBuf> =
        fs::read_dir(&hdl).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "v"));
    files.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        match bug {
            Some(bug) if path.ends_with(&bug.file) => {
                assert_eq!(text.matches(&bug.find).count(), 1, "{}", bug.id);
                text.replace(&bug.find, &bug.replace)
            }
            _ => text,
        }
    };
    fs::create_dir_all(folder.join("include")).unwrap();
    for entry in fs::read_dir(hdl.join("include")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.join("include").join(path.file_name().unwrap())).unwrap();
    }
    let file = folder.join("mine.v");
    fs::write(&file, files.iter().map(read).collect::<String>()).unwrap();
    file
}

/// The directed cases and `cases` random ones of `conform`.
fn conformance(module: &str, file: &Path, cases: usize, only: &[&str]) -> Report {
    let include = file.parent().unwrap().join("include");
    let dut = Dut::new(&[file.to_owned()], &[include], module).unwrap();
    let options = conform::Options {
        root: repository(),
        simulator: &Icarus,
        seed: 1,
        cases: Some(cases),
        only: only.iter().map(|&name| name.to_owned()).collect(),
        parameters: Parameters::DEFAULT,
        shard: Shard::WHOLE,
        limit: Duration::from_secs(120),
        threads: 2,
        progress: &|_| (),
    };
    conform::run(&dut, Module::named(module).unwrap(), &options).unwrap()
}

fn random_boards(count: usize) -> Vec<Case<SmbLink>> {
    let case = |n| campaign::case(&link::board(Parameters::DEFAULT, 2000), 1, n).unwrap().current();
    (0..count).map(case).collect()
}

/// The first random cases of `cosim`.
fn lockstep(module: &str, hdl: &Path, out: &Path) -> Vec<String> {
    let found = if module == "ring_link" {
        let case = |n| campaign::case(&link::link(2000), 1, n).unwrap().current();
        let cases: Vec<_> = (0..20).map(case).collect();
        step::compared::<RingLink>(Tool::Icarus, &Parameters::DEFAULT, (hdl, out), &cases)
    } else {
        step::compared::<SmbLink>(Tool::Icarus, &Parameters::DEFAULT, (hdl, out), &random_boards(4))
    };
    found.unwrap_or_else(|error| panic!("{error}"))
}

// checks CNF-2, LCK-3
#[test]
fn both_commands_find_bugs_of_links() {
    let list = mutants::read(&mutants::list_of(&repository(), "link")).unwrap();
    let ids: Vec<&str> = BUGS.iter().map(|(_, id)| *id).collect();
    let chosen = Selection::from_env().sized(1).names(&ids);
    assert!(!chosen.is_empty());
    for (module, id) in BUGS.into_iter().filter(|(_, id)| chosen.contains(id)) {
        let folder = tempfile::tempdir().unwrap();
        let bug = list.iter().find(|mutant| mutant.id == id).expect("a mutant of the list");
        let file = one_file(folder.path(), Some(bug));
        let wrong = lockstep(module, folder.path(), &folder.path().join("out"));
        assert!(!wrong.is_empty(), "cosim does not find {id}");
        let only: &[&str] = match module {
            "ring_link" => &["directed/"],
            // A late pointer shows when the receive buffer is full.
            _ => &["random/", "directed/two_halves_of_the_memory"],
        };
        let report = conformance(module, &file, 4, only);
        assert!(report.failing().next().is_some(), "conform: {id}: {}", text::text(&report));
    }
}

// checks CNF-1, CNF-2
#[test]
fn an_end_of_a_link_in_another_file_passes() {
    let folder = tempfile::tempdir().unwrap();
    let file = one_file(folder.path(), None);
    let report = conformance("ring_link", &file, 2, &[]);
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    assert_eq!(report.reached().never("ring_link"), None);
    assert!(text::text(&report).contains("  ring_link: "), "{}", text::text(&report));
    assert!(report.reached().count("ring_link", "commas") > 0);
    assert!(!text::text(&report).contains("hdl/"), "{}", text::text(&report));
}

// checks CNF-1, CNF-2
#[test]
fn a_board_with_a_link_in_another_file_passes() {
    let folder = tempfile::tempdir().unwrap();
    let file = one_file(folder.path(), None);
    let report = conformance("smb_link", &file, 4, &["random/"]);
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    assert!(report.reached().count("smb_link", "interrupts") > 0);
}
