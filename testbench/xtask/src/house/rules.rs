// SPDX-License-Identifier: MIT OR Apache-2.0
//! `testbench/xtask/house.toml`: what is counted, and the ceiling of each count.

use super::source::Definition;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rules {
    /// Groups of crates.
    pub(super) groups: BTreeMap<String, Group>,
    /// Ideas that should have one form.
    pub(super) idea: Vec<Idea>,
    /// Other measures.
    pub(super) ceilings: Ceilings,
}

/// Crates that may depend on each other, and on those of the groups that they use.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    /// Names of the crates' folders.
    pub(super) crates: Vec<String>,
    /// Names of groups.
    pub(super) uses: Vec<String>,
}

/// The group that depends on no other one.
pub(super) const CORE: &str = "core";

/// The package of the crate in a folder.
pub(super) fn package(folder: &str) -> String {
    if folder == "awgstar" { folder.to_owned() } else { format!("awgstar-{folder}") }
}

/// How the forms of an idea are recognised. A definition is a form if one of the lists says so.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Idea {
    /// What the page calls it.
    pub(super) name: String,
    /// Keywords of the definitions that `begins` and `ends` look at; all types if there is none.
    #[serde(default)]
    kinds: Vec<String>,
    /// An enum with at least two of these variants.
    #[serde(default)]
    variants: Vec<String>,
    /// Ends of paths and names: `ring/burst.rs: Burst`.
    #[serde(default)]
    types: Vec<String>,
    /// Ends of paths and names that are no forms, although the other lists say so.
    #[serde(default)]
    not: Vec<String>,
    /// Beginnings of names.
    #[serde(default)]
    begins: Vec<String>,
    /// Ends of names.
    #[serde(default)]
    ends: Vec<String>,
    /// Texts in the body of a function; one list of which each text is there.
    #[serde(default)]
    bodies: Vec<Vec<String>>,
    /// How many forms there may be.
    pub(super) ceiling: usize,
}

const TYPES: &[&str] = &["struct", "enum", "union", "trait"];

impl Idea {
    /// Whether a definition is a form of the idea.
    #[must_use]
    pub(super) fn has(&self, file: &str, found: &Definition) -> bool {
        let kind = found.kind.as_str();
        let of_kind = match self.kinds.as_slice() {
            [] => TYPES.contains(&kind),
            kinds => kinds.iter().any(|one| one == kind),
        };
        let any = |list: &[String], holds: &dyn Fn(&str) -> bool| list.iter().any(|one| holds(one));
        let place = format!("{file}: {}", found.name);
        if any(&self.not, &|one| place.ends_with(one)) {
            return false;
        }
        let named = of_kind
            && (any(&self.begins, &|one| found.name.starts_with(one))
                || any(&self.ends, &|one| found.name.ends_with(one)));
        let listed = TYPES.contains(&kind) && any(&self.types, &|one| place.ends_with(one));
        let verbs = found.variants.iter().filter(|&one| self.variants.contains(one)).count();
        let body = |all: &Vec<String>| all.iter().all(|one| found.body.contains(one.as_str()));
        named || listed || verbs >= 2 || (kind == "fn" && self.bodies.iter().any(body))
    }

    /// An entry of `types` or `not` that is the end of no definition's place.
    pub(super) fn stale(&self, places: &BTreeSet<String>) -> Option<&str> {
        let known = |one: &str| places.iter().any(|place| place.ends_with(one));
        self.types.iter().chain(&self.not).map(String::as_str).find(|one| !known(one))
    }
}

/// Ceilings of the measures that are no ideas, and what two of them look for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ceilings {
    /// Conversions with a default in place of an error.
    pub(super) narrowings: usize,
    /// Circles of imports between files.
    pub(super) circles_of_files: usize,
    /// Circles of imports between neighbours in a folder.
    pub(super) circles_of_neighbours: usize,
    /// Dependencies between crates against the direction of the groups.
    pub(super) imports_against_the_direction: usize,
    /// Files that a new header field changes.
    pub(super) files_of_a_header_field: usize,
    /// Words with a better one.
    pub(super) words: usize,
    /// Fields that a list of all fields names.
    pub(super) header_fields: Vec<String>,
    /// Beginnings of the paths of generated files.
    pub(super) generated: Vec<String>,
    /// The words.
    #[serde(rename = "words_to_replace")]
    pub(super) list: Vec<String>,
}
