// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lists of deliberate bugs in the firmware and in the comparison, and the command that tries them.

use awgstar_lockstep::mutants::firmware::{Copy, Fate, LISTS};
use awgstar_lockstep::mutants::{Mutant, read, unmatched};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn list(name: &str) -> Vec<Mutant> {
    read(&root().join(format!("testbench/mutants/{name}.toml"))).unwrap()
}

#[test]
fn every_bug_fits_its_file_and_the_lists_are_long() {
    for of in LISTS {
        let mutants = list(of.name);
        let least = match of.name {
            "request" | "cluster" | "firmware-coherence" => 30,
            "current" | "compare-runs" | "firmware-onesided" | "firmware-rings" => 40,
            _ => 60,
        };
        assert!(mutants.len() >= least, "{}: {}", of.name, mutants.len());
        let wrong = unmatched(&mutants, &root().join(of.source)).unwrap();
        assert!(wrong.is_empty(), "{wrong:?}");
        for mutant in &mutants {
            assert!(mutant.find != mutant.replace && mutant.story.len() > 15, "{}", mutant.id);
        }
    }
}

/// What a crate of a list depends on is copied, too.
#[test]
fn lists_have_the_crates_that_theirs_depend_on() {
    let table = |path: &str| -> toml::Table {
        std::fs::read_to_string(root().join(path)).unwrap().parse().unwrap()
    };
    let all = table("Cargo.toml");
    for of in LISTS {
        for folder in of.crates {
            let of_crate = table(&format!("{folder}/Cargo.toml"));
            for kind in ["dependencies", "dev-dependencies"] {
                let names = of_crate.get(kind).and_then(|all| all.as_table()).into_iter().flatten();
                for (name, _) in names {
                    let known = all["workspace"]["dependencies"].get(name);
                    let path = known.and_then(|known| known.get("path")).and_then(|p| p.as_str());
                    let copied = path.is_none_or(|path| of.crates.contains(&path));
                    assert!(copied, "{}: {folder} depends on {name}", of.name);
                }
            }
        }
    }
}

/// A bug of the cluster, whose tests compile in the least time, and what is wrong with a list: the command can fail.
#[test]
#[ignore = "long: compiles the model once more"]
fn bugs_are_found() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("firmware-mutants");
    let stale =
        ["model/cluster/tests/stale.rs", "model/cluster/src/stale/more.rs", "docs/stale.md"];
    for name in stale {
        std::fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        std::fs::write(folder.join(name), "gone from the repository").unwrap();
    }
    let of = LISTS.iter().find(|of| of.name == "cluster").unwrap();
    let copy = Copy::new(&root(), &folder, of).unwrap();
    assert!(stale.iter().all(|name| !folder.join(name).exists()));
    let all = list(of.name);
    let quick: &[&[&str]] = &[&["machine::puts", "machine::words"]];
    let mutant = all.iter().find(|mutant| mutant.id == "network-no-bytes").unwrap();
    let fate = copy.run(mutant, quick).unwrap();
    let by = "machine::puts_are_posted";
    assert!(matches!(&fate, Fate::Killed(test) if test.starts_with(by)), "{fate:?}");
    let wrong = Mutant { find: "no such text".into(), ..all[0].clone() };
    assert_eq!(copy.run(&wrong, quick).unwrap(), Fate::NoMatch(0));
    let wrong = Mutant { replace: "}".into(), ..all[0].clone() };
    assert!(matches!(copy.run(&wrong, quick).unwrap(), Fate::DoesNotCompile(_)));
    let same = Mutant { replace: all[0].find.clone(), ..all[0].clone() };
    assert_eq!(copy.run(&same, quick).unwrap(), Fate::Survived, "every bug was taken out again");
    let none: &[&[&str]] = &[&["no_such_test"]];
    assert!(
        matches!(copy.run(&same, none).unwrap(), Fate::DoesNotCompile(text) if text.contains("no test"))
    );
}

/// A bug in the formula and one in the masks of the comparison: its tests find them.
#[test]
#[ignore = "compiles the model once more"]
fn bugs_in_the_comparison_are_found() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compare-mutants");
    let of = LISTS.iter().find(|of| of.name == "compare").unwrap();
    let copy = Copy::new(&root(), &folder, of).unwrap();
    for (id, by) in [("formula-no-x", "formula::"), ("look-no-meaning", "pushed::")] {
        let mutant = list("compare").into_iter().find(|mutant| mutant.id == id).unwrap();
        let fate = copy.run(&mutant, of.stages).unwrap();
        assert!(matches!(&fate, Fate::Killed(test) if test.starts_with(by)), "{id}: {fate:?}");
    }
}
