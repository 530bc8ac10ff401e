//! Deliberate bugs in the firmware of locks, barriers and pages (`testbench/mutants/firmware-*.toml`),
//! which the tests on the machines themselves (`model/tests/protocols`) must find, and in the current
//! version (`current.toml`), which has tests of its own (`model/tests/current`).
//!
//! The firmware, the checker and the contract, or for the current version the whole model, are copied
//! to a scratch folder; each bug is put in there, and the tests run in stages, the quick ones first,
//! until one fails.

mod mirror;

use crate::sim::{
    SimError,
    mutants::{self, Mutant},
    process,
};
use mirror::{Mirror, write};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// Modules that the machines and their checker need.
const MODULES: [&str; 3] = ["check", "contract", "firmware"];
/// The one that the checker needs of the current version.
const MAILBOX: &str = "lambda/current/mailbox";
/// What they depend on.
const DEPENDENCIES: [&str; 4] = ["crc32fast", "deku", "rustc-hash", "thiserror"];
/// What the whole model and its tests depend on.
const ALL: [&str; 9] = [
    "bitvec",
    "crc",
    "crc32fast",
    "deku",
    "proptest",
    "rand_core",
    "rand_xorshift",
    "rustc-hash",
    "thiserror",
];
/// How long a stage may take.
const LIMIT: Duration = Duration::from_secs(1800);

/// A list of bugs, and the tests that look for them: names begin so, quick stages first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// Name of the file without `.toml`.
    pub name: &'static str,
    /// Where the files that have the bugs lie.
    pub source: &'static str,
    /// The test program.
    pub tests: &'static str,
    /// Filters of the tests of each stage.
    pub stages: &'static [&'static [&'static str]],
}

/// All lists.
pub const LISTS: [List; 4] = [
    List {
        name: "firmware-lock",
        source: FIRMWARE,
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
        tests: PROTOCOLS,
        stages: &[&["paging::units"], &["paging::printed"], &["paging"]],
    },
    List {
        name: "current",
        source: "model/src/lambda",
        tests: "current",
        stages: &[&["alloc", "frame", "machines", "ring"], &["hosts", "times", "work"], &["check"]],
    },
];
const FIRMWARE: &str = "model/src/firmware";
const PROTOCOLS: &str = "protocols";
const TESTS: &str = "model/tests";

/// What became of a mutant: the test that failed first.
pub type Fate = mutants::Fate<String>;

/// A copy of what a list needs, in which bugs are tried.
#[derive(Debug)]
pub struct Copy {
    folder: PathBuf,
    list: List,
}

impl Copy {
    /// Copies what `of` needs of the repository at `root` to `folder`, where a copy made before may lie.
    ///
    /// # Errors
    /// When a file cannot be read or written, or the workspace does not name a dependency.
    pub fn new(root: &Path, folder: &Path, of: &List) -> Result<Copy, SimError> {
        let mut mirror = Mirror::new(root, folder);
        mirror.tree(Path::new(TESTS).join(of.tests))?;
        mirror.tree(Path::new(TESTS).join("common"))?;
        mirror.files("docs")?;
        mirror.file("Cargo.lock")?;
        if of.tests == PROTOCOLS {
            for module in MODULES.into_iter().chain([MAILBOX]) {
                mirror.tree(Path::new("model/src").join(module))?;
            }
            mirror.write("model/src/lib.rs", library())?;
            mirror.write("model/Cargo.toml", manifest(root, &DEPENDENCIES)?)?;
        } else {
            mirror.tree("model/src")?;
            // They take the snapshots of the checker's runs from there.
            mirror.tree(Path::new(TESTS).join(PROTOCOLS))?;
            mirror.write("model/Cargo.toml", manifest(root, &ALL)?)?;
        }
        mirror.write(
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"model\"]\n\n[profile.test]\nopt-level = 1\ndebug = 0\n",
        )?;
        mirror.prune("docs")?;
        mirror.prune("model")?;
        Ok(Copy { folder: folder.into(), list: *of })
    }

    fn source(&self, mutant: &Mutant) -> PathBuf {
        self.folder.join(self.list.source).join(&mutant.file)
    }

    /// Runs the tests whose names have one of `filters` in them. The name of one that fails; none:
    /// all pass.
    fn test(&self, filters: &[&str]) -> Result<Result<Option<String>, String>, SimError> {
        let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
        command.current_dir(&self.folder).env("RUST_BACKTRACE", "0").env_remove("UPDATE");
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
        Ok(test.map(Some).ok_or(done.text))
    }

    /// Without a bug every stage passes.
    ///
    /// # Errors
    /// When cargo is missing or does not end; the message of a test that fails, of a compiler, or of
    /// a stage without tests.
    pub fn passes(&self) -> Result<Result<(), String>, SimError> {
        for stage in self.list.stages {
            match self.test(stage)? {
                Ok(None) => {}
                Ok(Some(test)) => return Ok(Err(format!("{test} fails without a bug"))),
                Err(text) => return Ok(Err(text)),
            }
        }
        Ok(Ok(()))
    }

    /// Puts a bug in, runs the tests until one fails, and takes it out again.
    ///
    /// # Errors
    /// When a file cannot be read or written, or cargo is missing.
    pub fn run(&self, mutant: &Mutant, stages: &[&[&str]]) -> Result<Fate, SimError> {
        let path = self.source(mutant);
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

/// The copy's modules, those inside others too.
fn library() -> String {
    let modules = MODULES.map(|module| format!("pub mod {module};\n"));
    let mailbox = MAILBOX.split('/').rev().fold(String::new(), |inner, module| {
        let body = if inner.is_empty() { ";".into() } else { format!(" {{ {inner} }}") };
        format!("pub mod {module}{body}")
    });
    modules.concat() + &mailbox + "\n"
}

/// The copy's manifest: dependencies as the workspace at `root` has them.
fn manifest(root: &Path, dependencies: &[&str]) -> Result<String, SimError> {
    let path = root.join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
    let workspace: toml::Table =
        text.parse().map_err(|e: toml::de::Error| SimError::format(&path, e.to_string()))?;
    let all = workspace.get("workspace").and_then(|w| w.get("dependencies"));
    let mut text = "[package]\nname = \"awgstar\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n"
        .to_owned();
    for name in dependencies {
        let value = all.and_then(|all| all.get(name)).ok_or_else(|| {
            SimError::format(&path, format!("workspace.dependencies has no {name}"))
        })?;
        let _ = writeln!(text, "{name} = {value}");
    }
    Ok(text)
}
