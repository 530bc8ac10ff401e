// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every requirement has a check, every citation a requirement.

use awgstar_cli::mutation;
use awgstar_cli::traceability::{Trace, ids};
use std::path::{Path, PathBuf};

#[test]
fn every_requirement_is_checked_and_every_citation_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let trace = Trace::read(&root).expect("repository is readable");
    assert!(trace.requirements.len() > 40, "found only {:?}", trace.requirements);
    let problems = trace.problems();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let page = std::fs::read_to_string(root.join("docs/traceability.md")).unwrap_or_default();
    assert!(
        page == trace.page(),
        "docs/traceability.md is old: run `cargo xtask contract generate`"
    );
}

/// The counts of the page were typed, and wrong.
#[test]
fn the_counts_of_mutants_are_those_of_the_lists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join(mutation::PAGE)).expect("page");
    let expected = mutation::page(&root).expect("lists");
    assert!(page == expected, "{} is old: run `cargo xtask contract generate`", mutation::PAGE);
    let lists = std::fs::read_dir(root.join("testbench/mutants")).expect("folder").count();
    let table = expected.split("<!-- end -->").next().expect("table");
    assert_eq!(table.matches(".toml` | ").count(), lists);
    let folder = tempfile::tempdir().expect("folder");
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("folder")).expect("folder");
        std::fs::write(path, text).expect("file");
    };
    let mutant = |id, file| {
        format!(
            "[[mutant]]\nid = \"{id}\"\nfile = \"{file}\"\nfind = \"\"\nreplace = \"\"\nstory = \"\"\n"
        )
    };
    put(
        "testbench/mutants/a.toml",
        &[mutant("x", "b.v"), mutant("y", "a.v"), mutant("z", "b.v")].concat(),
    );
    put(mutation::PAGE, "no place");
    assert!(mutation::page(folder.path()).is_err());
    put(
        mutation::PAGE,
        "# Page\n\n<!-- begin: written by `cargo xtask contract generate` -->\nold\n<!-- end -->\nrest\n",
    );
    let page = mutation::page(folder.path()).expect("page");
    assert!(
        page.contains("| `a.toml` | 3 | `a.v` 1, `b.v` 2 |\n| all | 3 | |\n<!-- end -->\nrest\n"),
        "{page}"
    );
    assert!(!page.contains("old"), "{page}");
}

#[test]
fn a_missing_check_and_an_unknown_id_are_problems() {
    let mut trace = Trace { requirements: ids("FRM-1 LNK-1"), ..Trace::default() };
    trace.citations.entry(ids("TX-99")[0].clone()).or_default();
    let problems = trace.problems();
    assert_eq!(problems.len(), 4, "{problems:?}");
}

#[test]
fn ranges_name_all_in_between() {
    let named = |text| ids(text).into_iter().map(|(p, n)| format!("{p}-{n}")).collect::<Vec<_>>();
    assert_eq!(named("see (TX-1 to TX-3), RX-2"), ["TX-1", "TX-2", "TX-3", "RX-2"]);
    assert_eq!(named("CRC-32 and CRC-1, AXI-Stream, 8-bit"), ["CRC-1"]);
    assert_eq!(
        named("FRM-1 to FRM-2, SIG-1\n//! to SIG-3"),
        ["FRM-1", "FRM-2", "SIG-1", "SIG-2", "SIG-3"]
    );
}

/// Every source file names its licence among its first lines.
#[test]
fn licences() {
    fn files(folder: &Path, all: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                files(&path, all);
            } else if path.extension().is_some_and(|e| {
                ["rs", "v", "vh", "sv", "svh", "sh", "py", "c", "h", "cpp"].iter().any(|s| *s == e)
            }) {
                all.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    for folder in ["model", "hdl", "testbench", "vectors"] {
        files(&root.join(folder), &mut all);
    }
    assert!(all.len() > 500, "{}", all.len());
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        let named =
            text.lines().take(20).any(|l| l.contains("SPDX-License-Identifier: MIT OR Apache-2.0"));
        assert!(named, "{}", path.display());
    }
}
