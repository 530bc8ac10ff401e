// SPDX-License-Identifier: MIT OR Apache-2.0
//! Injected bugs in the firmware of locks, barriers and pages
//! (`testbench/mutants/firmware-*.toml`), which the tests of the state machines
//! (`model/sync/tests/protocols`, `model/sync/tests/onesided`, `model/coherence/tests/small`,
//! `model/rings/tests/small`) must find, in the current version (`current.toml`), which has
//! separate tests (`model/thesis/tests/gen1`), in what machines do with requests (`request.toml`), in the cluster
//! (`cluster.toml`: `model/cluster/tests/cluster`), in the comparison (`compare.toml`), which has its own (`testbench/compare/tests/compare`), and in what brings model and
//! design to it (`compare-runs.toml`: `testbench/lockstep/tests/verilog_probe`).
//!
//! The crates with them and those that they depend on are copied
//! to a scratch folder; each bug is put in there, and the tests run in stages, the quick ones first,
//! until one fails.

use super::mirror::{Mirror, write};
use crate::inputs::{self, Inputs};
use crate::mutants;
use crate::mutants::{Mutant, Oracle};
use awgstar_simulator::{SimError, process};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// Time limit of a stage.
const LIMIT: Duration = Duration::from_secs(1800);

/// A list of bugs, and the tests that look for them: names begin so, quick stages first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// Name of the file without `.toml`.
    pub name: &'static str,
    /// Folder of the files that have the bugs.
    pub source: &'static str,
    /// Folders of the crates that are copied, the one with the tests first.
    pub crates: &'static [&'static str],
    /// The test program.
    pub tests: &'static str,
    /// Filters of the tests of each stage.
    pub stages: &'static [&'static [&'static str]],
}

pub const LISTS: [List; 11] = [
    List {
        name: "firmware-lock",
        source: FIRMWARE,
        crates: SYNC,
        tests: PROTOCOLS,
        stages: &[
            &[
                "lock::machines::a_right",
                "lock::machines::d",
                "lock::machines::h",
                "lock::machines::m",
                "lock::machines::n",
                "lock::machines::w",
            ],
            &[
                "lock::data",
                "lock::without",
                "lock::printed::m",
                "lock::printed::d",
                "lock::machines",
            ],
            &["lock::holds", "lock::printed", "lock::documents"],
        ],
    },
    List {
        name: "firmware-barrier",
        source: FIRMWARE,
        crates: SYNC,
        tests: PROTOCOLS,
        stages: &[
            &["barrier::units", "barrier::latency", "message"],
            &["barrier::breaks"],
            &["barrier"],
        ],
    },
    List {
        name: "firmware-paging",
        source: FIRMWARE,
        crates: SYNC,
        tests: PROTOCOLS,
        stages: &[&["paging::units"], &["paging::printed"], &["paging"]],
    },
    List {
        name: "firmware-onesided",
        source: FIRMWARE,
        crates: SYNC,
        tests: "onesided",
        stages: &[&["misuse"], &["holds"], &["holes"]],
    },
    List {
        name: "firmware-coherence",
        source: "model/coherence/src",
        crates: &["model/coherence", "model/request", "model/sync", "model/frame"],
        tests: "small",
        stages: &[&["units", "ring"], &["holes"], &["repaired", "every_program_of_two_blocks"]],
    },
    List {
        name: "firmware-rings",
        source: "model/rings/src",
        crates: &[
            "model/rings",
            "model/host",
            "model/board",
            "model/request",
            "model/sync",
            "model/frame",
        ],
        tests: "small",
        stages: &[
            &["units"],
            &["holes"],
            &["repaired", "levels", "reflected", "take_over", "standby::windows", "machine"],
        ],
    },
    List {
        name: "current",
        source: "model/thesis/src",
        crates: MACHINES,
        tests: "gen1",
        stages: &[
            &["alloc", "frame", "machines", "ring"],
            &["hosts", "requests", "times", "work"],
            &["check"],
        ],
    },
    List {
        name: "request",
        source: "model",
        crates: MACHINES,
        tests: "gen1",
        stages: &[&["requests"]],
    },
    List {
        name: "cluster",
        source: "model/cluster/src",
        crates: &["model/cluster", "model/coherence", "model/request", "model/sync", "model/frame"],
        tests: "cluster",
        stages: &[&["machine"], &["paper"]],
    },
    List {
        name: "compare",
        source: "testbench/compare/src",
        crates: &[
            "testbench/compare",
            "testbench/stimulus",
            "model/awgstar",
            "model/host",
            "model/board",
            "model/request",
            "model/sync",
            "model/frame",
        ],
        tests: "compare",
        stages: &[&["formula"], &["pushed", "replayed"]],
    },
    List {
        name: "compare-runs",
        source: "testbench",
        crates: &[
            "testbench/lockstep",
            "testbench/simulator",
            "testbench/draw",
            "testbench/compare",
            "testbench/stimulus",
            "model/awgstar",
            "model/host",
            "model/board",
            "model/request",
            "model/sync",
            "model/frame",
        ],
        tests: "verilog_probe",
        stages: &[&["judged", "conformed", "icarus"], &["library"]],
    },
];
const FIRMWARE: &str = "model/sync/src/firmware";
const SYNC: &[&str] = &["model/sync", "model/frame"];
const MACHINES: &[&str] =
    &["model/thesis", "model/host", "model/board", "model/request", "model/sync", "model/frame"];
const SUPPORT: &str = "model/test_support";
const PROTOCOLS: &str = "protocols";

/// Hashes of a list and of the files that its tests are made of, in the repository at `root`.
///
/// # Errors
/// If one cannot be read.
pub fn inputs(root: &Path, of: &List) -> Result<Inputs, SimError> {
    let mut all = Inputs::new();
    inputs::add(&mut all, format!("{}.toml", of.name), &mutants::list_of(root, of.name))?;
    for folder in of.crates.iter().chain(&[SUPPORT]) {
        inputs::add_folder(&mut all, folder, &root.join(folder), &|_| true)?;
    }
    for name in ["Cargo.toml", "Cargo.lock"] {
        inputs::add(&mut all, name, &root.join(name))?;
    }
    Ok(all)
}

/// Result of a mutant: the test that failed first.
pub type Fate = mutants::Fate<String>;

/// A copy of what a list needs, in which bugs are tried.
#[derive(Debug)]
pub struct Copy {
    folder: PathBuf,
    sources: PathBuf,
    list: List,
}

impl Copy {
    /// Copies what `of` needs of the repository at `root` to `folder`, where a copy made before may lie.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the workspace does not name a dependency.
    pub fn new(root: &Path, folder: &Path, of: &List) -> Result<Copy, SimError> {
        let mut mirror = Mirror::new(root, folder);
        for folder in of.crates.iter().chain(&[SUPPORT]) {
            mirror.tree(folder)?;
        }
        mirror.files("docs")?;
        mirror.file("Cargo.lock")?;
        mirror.write("Cargo.toml", workspace(root, of.crates)?)?;
        let folders = of.crates.iter().chain(&[SUPPORT]).filter_map(|f| f.split('/').next());
        for folder in folders.chain(["docs"]).collect::<BTreeSet<_>>() {
            mirror.prune(folder)?;
        }
        Ok(Copy { folder: folder.into(), sources: folder.join(of.source), list: *of })
    }

    /// Runs the tests whose names have one of `filters` in them. The name of one that fails; none:
    /// all pass.
    fn test(&self, filters: &[&str]) -> Result<Result<Option<String>, String>, SimError> {
        let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
        command.current_dir(&self.folder).env("RUST_BACKTRACE", "0").env_remove("UPDATE");
        // A bug need not please a lint.
        command.env_remove("RUSTC_WORKSPACE_WRAPPER");
        // A case that found one bug must not look for the next one.
        command.env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1");
        command.env("CARGO_TARGET_DIR", self.folder.join("target")).args(["test", "--offline"]);
        command.args(["--test", self.list.tests, "--"]).args(filters);
        let done = process::run(&mut command, "cargo", LIMIT)?;
        if done.success {
            let ran = done.text.contains("running ") && !done.text.contains("running 0 tests");
            return Ok(if ran { Ok(None) } else { Err(format!("no test is named {filters:?}")) });
        }
        let failed =
            |line: &str| line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_owned);
        // A machine that recurses for ever ends the whole program.
        let died = done.text.contains("has overflowed its stack");
        let test = done.text.lines().find_map(failed).or(died.then(|| "stack overflow".to_owned()));
        if test.is_none() && !does_not_compile(&done.text) {
            return Err(SimError::Machine { program: "cargo".into(), tail: done.text });
        }
        Ok(test.map(Some).ok_or(done.text))
    }

    /// Puts a bug in, runs the tests until one fails, and takes it out again.
    ///
    /// # Errors
    /// If a file cannot be read or written, or cargo is missing.
    pub fn run(&self, mutant: &Mutant, stages: &[&[&str]]) -> Result<Fate, SimError> {
        let path = self.sources.join(&mutant.file);
        let good = fs::read_to_string(&path).map_err(SimError::io(&path))?;
        match mutant.put_into(&good) {
            Ok(bad) => write(&path, bad.as_bytes())?,
            Err(count) => return Ok(Fate::NoMatch(count)),
        }
        let fate = self.stages(stages);
        write(&path, good.as_bytes())?;
        fate
    }

    fn stages(&self, stages: &[&[&str]]) -> Result<Fate, SimError> {
        for stage in stages {
            match self.test(stage) {
                Ok(Ok(None)) => {}
                Ok(Ok(Some(test))) => return Ok(Fate::Killed(test)),
                Ok(Err(text)) => return Ok(Fate::DoesNotCompile(text)),
                Err(e @ (SimError::Timeout { .. } | SimError::Flood { .. })) => {
                    return Ok(Fate::Hung(e.to_string()));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Fate::Survived)
    }
}

/// Whether cargo ended because of the code: not because a signal ended the tests or the compiler, and not because the
/// disk is full.
fn does_not_compile(text: &str) -> bool {
    let signal = text.contains("(signal: ") || SimError::is_of_the_machine(text);
    text.contains("could not compile") && !signal
}

impl Oracle for Copy {
    type By = String;
    /// There is one copy.
    const THREADS: usize = 1;

    fn sources(&self) -> &Path {
        &self.sources
    }

    /// The first stage in which a test fails, that does not compile, or that has no test.
    fn baseline(&self) -> Result<Result<(), String>, SimError> {
        for stage in self.list.stages {
            match self.test(stage)? {
                Ok(None) => {}
                Ok(Some(test)) => return Ok(Err(format!("{test} fails"))),
                Err(text) => return Ok(Err(text)),
            }
        }
        Ok(Ok(()))
    }

    fn judge(&self, mutant: &Mutant) -> Result<Fate, SimError> {
        self.run(mutant, self.list.stages)
    }
}

/// The workspace of the copy: as at `root`, with these crates only.
fn workspace(root: &Path, crates: &[&str]) -> Result<String, SimError> {
    let path = root.join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
    let mut table: toml::Table =
        text.parse().map_err(|e: toml::de::Error| SimError::format(&path, e.to_string()))?;
    let workspace = table.get_mut("workspace").and_then(toml::Value::as_table_mut);
    let workspace = workspace.ok_or_else(|| SimError::format(&path, "no table [workspace]"))?;
    workspace.remove("default-members");
    let members = crates.iter().map(|folder| (*folder).into()).collect();
    workspace.insert("members".into(), toml::Value::Array(members));
    let profile = toml::toml! { test = { opt-level = 1, debug = 0 } };
    table.insert("profile".into(), toml::Value::Table(profile));
    toml::to_string(&table).map_err(|e| SimError::format(&path, e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::does_not_compile;

    #[test]
    fn what_ends_cargo_from_outside_is_no_fault_of_a_mutant() {
        assert!(does_not_compile("error[E0308]\nerror: could not compile `awgstar-sync` (lib)"));
        for text in [
            "process didn't exit successfully: `protocols` (signal: 9, SIGKILL: kill)",
            "error: could not compile `awgstar-sync` (lib)\n(signal: 9, SIGKILL: kill)",
            "error: failed to write: No space left on device\nerror: could not compile `x`",
            "error: no such command: `test`",
        ] {
            assert!(!does_not_compile(text), "{text}");
        }
    }
}
