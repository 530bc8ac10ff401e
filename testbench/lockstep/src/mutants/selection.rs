// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the mutants that a run tries: all, some by name, or a sample.
//!
//! The sample depends on the version of the project and on nothing else: two runs of one version try
//! the same mutants, the next version tries others. All of them run in the long tests.

use crate::mutants::list::Mutant;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Environment variable that replaces the sample: `all`, or parts of ids with commas between.
pub const VARIABLE: &str = "AWGSTAR_MUTANTS";

/// Mutants in a sample of one list.
pub const SAMPLE: usize = 4;

/// Selection of mutants of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The whole list.
    All,
    /// At most this many, drawn with the version as the seed.
    Sample(usize),
    /// Those whose ids contain one of these texts.
    Named(Vec<String>),
}

impl Selection {
    /// The selection that the environment asks for: [`SAMPLE`] mutants unless [`VARIABLE`] is set.
    #[must_use]
    pub fn from_env() -> Self {
        match std::env::var(VARIABLE).as_deref() {
            Err(_) | Ok("") => Selection::Sample(SAMPLE),
            Ok("all") => Selection::All,
            Ok(parts) => Selection::Named(parts.split(',').map(str::to_owned).collect()),
        }
    }

    /// The selection of a long test: the whole list, unless the environment names some.
    #[must_use]
    pub fn long() -> Self {
        match Selection::from_env() {
            Selection::Sample(_) => Selection::All,
            asked => asked,
        }
    }

    /// The same with another size, if it is a sample.
    #[must_use]
    pub fn sized(self, size: usize) -> Self {
        match self {
            Selection::Sample(_) => Selection::Sample(size),
            other => other,
        }
    }

    /// The selected mutants of a list, in the order of the list.
    #[must_use]
    pub fn of(&self, list: &[Mutant]) -> Vec<Mutant> {
        let ids: Vec<&str> = list.iter().map(|m| m.id.as_str()).collect();
        let keep = self.names(&ids);
        list.iter().filter(|m| keep.contains(m.id.as_str())).cloned().collect()
    }

    /// The selected ones of a list of names.
    #[must_use]
    pub fn names<'a>(&self, list: &[&'a str]) -> BTreeSet<&'a str> {
        let mut all = list.to_vec();
        match self {
            Selection::All => {}
            Selection::Named(parts) => {
                all.retain(|name| parts.iter().any(|part| name.contains(part.as_str())));
            }
            Selection::Sample(size) => {
                all.sort_by_cached_key(|name| draw(name));
                all.truncate(*size);
            }
        }
        all.into_iter().collect()
    }
}

/// A random number for a name in this version.
fn draw(id: &str) -> [u8; 32] {
    Sha256::new()
        .chain_update(env!("CARGO_PKG_VERSION"))
        .chain_update(" ")
        .chain_update(id)
        .finalize()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(ids: impl Iterator<Item = usize>) -> Vec<Mutant> {
        let mutant = |id| Mutant {
            list: String::new(),
            id: format!("mutant-{id}"),
            file: String::new(),
            find: String::new(),
            replace: String::new(),
            story: String::new(),
            first: 0,
        };
        ids.map(mutant).collect()
    }

    #[test]
    fn a_sample_has_its_size_and_depends_on_no_order() {
        let sample = Selection::Sample(7).of(&list(0..100));
        assert_eq!(sample.len(), 7);
        let mut backwards = Selection::Sample(7).of(&list((0..100).rev()));
        backwards.reverse();
        assert_eq!(sample, backwards);
        assert_eq!(Selection::Sample(7).of(&list(0..3)).len(), 3);
        assert!(Selection::Sample(0).of(&list(0..3)).is_empty());
    }

    #[test]
    fn names_and_all() {
        let named = Selection::Named(vec!["-3".into(), "-12".into()]).of(&list(0..30));
        assert_eq!(
            named.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(),
            ["mutant-3", "mutant-12"]
        );
        assert_eq!(Selection::All.of(&list(0..30)).len(), 30);
    }
}
