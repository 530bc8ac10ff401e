// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requirement → code → Verilog → checks, read from the citations in the repository's files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

/// Relation of a file to a requirement that it cites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Rust that implements it.
    Rust,
    /// Verilog that implements it.
    Verilog,
    /// A class of golden vectors, a test or a Verilog testbench that checks it.
    Check,
}

/// Places in which citations are searched: folder, ending, role.
const PLACES: &[(&str, &str, Role)] = &[
    ("model/awgstar/src", "rs", Role::Rust),
    ("model/board/src", "rs", Role::Rust),
    ("model/frame/src", "rs", Role::Rust),
    ("model/host/src", "rs", Role::Rust),
    ("model/sync/src", "rs", Role::Rust),
    ("model/scenario/src", "rs", Role::Rust),
    ("model/thesis/src", "rs", Role::Rust),
    ("testbench/cli/src", "rs", Role::Rust),
    ("testbench/draw/src", "rs", Role::Rust),
    ("testbench/compare/src", "rs", Role::Rust),
    ("testbench/lockstep/src", "rs", Role::Rust),
    ("testbench/simulator/src", "rs", Role::Rust),
    ("testbench/stimulus/src", "rs", Role::Rust),
    ("hdl", "v", Role::Verilog),
    ("hdl", "vh", Role::Verilog),
    ("model/board/tests", "rs", Role::Check),
    ("model/frame/tests", "rs", Role::Check),
    ("model/host/tests", "rs", Role::Check),
    ("model/sync/tests", "rs", Role::Check),
    ("model/thesis/tests", "rs", Role::Check),
    ("testbench/cli/tests", "rs", Role::Check),
    ("testbench/lockstep/tests", "rs", Role::Check),
    ("testbench/assert", "sv", Role::Check),
    ("testbench/verilog", "v", Role::Check),
    ("testbench/verilog", "vh", Role::Check),
    ("testbench/stimulus/stories", "toml", Role::Check),
    ("vectors", "json", Role::Check),
];

/// Prefixes whose requirements the Verilog must cite, and those that Rust must cite.
const NEEDED: &[(&str, Role)] = &[
    ("FRM", Role::Rust),
    ("FCS", Role::Rust),
    ("SIG", Role::Rust),
    ("CTR", Role::Rust),
    ("VEC", Role::Rust),
    ("CLI", Role::Rust),
    ("CRC", Role::Verilog),
    ("TX", Role::Verilog),
    ("RX", Role::Verilog),
    ("NODE", Role::Rust),
    ("NODE", Role::Verilog),
    ("RING", Role::Rust),
    ("LCK", Role::Rust),
    ("CNF", Role::Rust),
    ("AWG", Role::Rust),
    ("LOCK", Role::Rust),
    ("BAR", Role::Rust),
    ("DRV", Role::Rust),
    ("EVA", Role::Rust),
    ("CUR", Role::Rust),
    ("MBX", Role::Rust),
    ("ALC", Role::Rust),
];

/// Files whose citations do not count: this module and its test have ids as examples, and the macros of the Verilog
/// are written from Rust that cites the same.
const LEFT_OUT: [&str; 2] = ["traceability.rs", "awgstar.vh"];

/// A requirement's id: prefix and number, in the order of the specification's text.
pub type Id = (String, u32);

/// The citations of every requirement.
#[derive(Debug, Default)]
pub struct Trace {
    /// Requirements of `docs/spec.md`, in its order.
    pub requirements: Vec<Id>,
    /// Files that cite an id.
    pub citations: BTreeMap<Id, BTreeSet<(Role, String)>>,
}

impl Trace {
    /// Reads the specification and every citing file below `root`.
    ///
    /// # Errors
    /// If a file or folder cannot be read.
    pub fn read(root: &Path) -> io::Result<Trace> {
        let spec = fs::read_to_string(root.join("docs/spec.md"))?;
        let requirements: Vec<Id> = spec
            .lines()
            .filter_map(|line| ids(line.strip_prefix("- **")?).into_iter().next())
            .collect();
        let mut trace = Trace { requirements, ..Trace::default() };
        let prefixes: BTreeSet<String> = trace.requirements.iter().map(|id| id.0.clone()).collect();
        for &(folder, ending, role) in PLACES {
            let mut files = Vec::new();
            files_below(&root.join(folder), ending, &mut files)?;
            for path in files {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                for id in ids(&fs::read_to_string(&path)?) {
                    if prefixes.contains(&id.0) {
                        trace.citations.entry(id).or_default().insert((role, name.clone()));
                    }
                }
            }
        }
        Ok(trace)
    }

    /// Lists the errors: requirements without a check or without the code that must cite them, and
    /// citations of ids that are not requirements. Empty if there are none.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for id in &self.requirements {
            let name = format!("{}-{}", id.0, id.1);
            let roles: BTreeSet<Role> =
                self.citations.get(id).into_iter().flatten().map(|(role, _)| *role).collect();
            if !roles.contains(&Role::Check) {
                problems.push(format!("{name}: no test, testbench or vector cites it"));
            }
            for (prefix, role) in NEEDED {
                if id.0 == *prefix && !roles.contains(role) {
                    problems.push(format!("{name}: no {role:?} that implements it cites it"));
                }
            }
        }
        for (id, files) in &self.citations {
            if !self.requirements.contains(id) {
                let files: Vec<&str> = files.iter().map(|(_, f)| f.as_str()).collect();
                problems.push(format!(
                    "{}-{}: no such requirement, cited in {}",
                    id.0,
                    id.1,
                    files.join(", ")
                ));
            }
        }
        problems
    }

    /// The text of `docs/traceability.md`.
    #[must_use]
    pub fn page(&self) -> String {
        let mut out = String::from(
            "<!-- Generated by `cargo xtask contract generate`. Do not edit. -->\n\n# Traceability\n\n\
             Which files cite which requirement of [the specification](spec.md).\n\n\
             | requirement | Rust | Verilog | checked by |\n|---|---|---|---|\n",
        );
        for id in &self.requirements {
            let of = |role: Role| {
                let files = self.citations.get(id).into_iter().flatten();
                let names: Vec<String> = files
                    .filter(|(r, _)| *r == role)
                    .map(|(_, file)| {
                        let short = file.trim_end_matches("/vectors.json").rsplit('/').next();
                        format!("[{}](../{file})", short.unwrap_or(file))
                    })
                    .collect();
                names.join(" ")
            };
            let _ = writeln!(
                out,
                "| {}-{} | {} | {} | {} |",
                id.0,
                id.1,
                of(Role::Rust),
                of(Role::Verilog),
                of(Role::Check)
            );
        }
        out
    }
}

/// Adds the files below `folder` with this ending, in the order of their names.
pub(crate) fn files_below(folder: &Path, ending: &str, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(&path, ending, files)?;
        } else if path.extension().is_some_and(|e| e == ending)
            && !LEFT_OUT.iter().any(|name| path.ends_with(name))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Ids in a text, such as `TX-3`; `TX-1 to TX-3` names all three.
#[must_use]
pub fn ids(text: &str) -> Vec<Id> {
    let mut found: Vec<Id> = Vec::new();
    let mut range_from: Option<Id> = None;
    for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
        if word.is_empty() {
            continue;
        }
        let Some(id) = id(word) else {
            if word != "to" {
                range_from = None;
            }
            continue;
        };
        if let Some(from) = range_from.take().filter(|from| from.0 == id.0) {
            found.extend((from.1 + 1..id.1).map(|n| (id.0.clone(), n)));
        }
        range_from = Some(id.clone()).filter(|_| text_continues_with_to(text, word));
        found.push(id);
    }
    found
}

/// Returns true if `word`, which is part of `text`, is followed by the word "to".
fn text_continues_with_to(text: &str, word: &str) -> bool {
    let end = word.as_ptr() as usize - text.as_ptr() as usize + word.len();
    text[end..]
        .trim_start_matches(|c: char| c.is_whitespace() || c == '/' || c == '!')
        .starts_with("to ")
}

/// An id: 2 to 4 capital letters, `-`, a number. `CRC-32` is the checksum, not a requirement.
fn id(word: &str) -> Option<Id> {
    let (prefix, number) = word.split_once('-')?;
    let capitals =
        (2..=4).contains(&prefix.len()) && prefix.bytes().all(|c| c.is_ascii_uppercase());
    let number: u32 = number.parse().ok()?;
    (capitals && word != "CRC-32").then(|| (prefix.into(), number))
}
