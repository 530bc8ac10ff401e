// SPDX-License-Identifier: MIT OR Apache-2.0
//! Result of the checks for each requirement, with its text (CNF-5).

use crate::conform::case::{Group, Outcome};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// `docs/spec.md`, as it was when this was built.
const SPEC: &str = include_str!("../../../../docs/spec.md");

/// Result for a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Every check that is about it was run and holds.
    Pass,
    /// A check that is about it fails.
    Fail,
    /// There is no check, or one was not run.
    NotCovered,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Standing::Pass => "pass",
            Standing::Fail => "fail",
            Standing::NotCovered => "not covered",
        })
    }
}

/// A requirement and its checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    pub id: String,
    pub text: String,
    /// Result of its checks.
    pub standing: Standing,
    /// Checks that are about it.
    pub checks: usize,
    /// Of these, how many were run.
    pub run: usize,
    /// Of these, how many fail.
    pub failed: usize,
}

/// Id and text of every requirement, in the order of the specification.
#[must_use]
pub fn texts() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in SPEC.lines() {
        if let Some((id, text)) = line.strip_prefix("- **").and_then(|l| l.split_once("**")) {
            all.push((id.to_owned(), text.trim().to_owned()));
            inside = true;
        } else if line.trim().is_empty() || line.starts_with('#') {
            inside = false;
        } else if let Some((_, text)) = all.last_mut().filter(|_| inside) {
            text.push(' ');
            text.push_str(line.trim());
        }
    }
    for (_, text) in &mut all {
        if let Some(at) = text.find("*Source:") {
            text.truncate(at);
        }
        *text = plain(text);
    }
    all
}

/// Markdown without anchors, and links as their text.
fn plain(markdown: &str) -> String {
    let mut out = String::new();
    let mut rest = markdown;
    while let Some(at) = rest.find(['[', '<']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let link = after[1..].split_once("](").and_then(|(name, more)| {
            let (_, tail) = more.split_once(')')?;
            (!name.contains([' ', ']'])).then_some((name, tail))
        });
        let tag = after.strip_prefix("<a id=\"").and_then(|more| more.split_once("\"></a>"));
        rest = match (link.filter(|_| after.starts_with('[')), tag) {
            (Some((name, tail)), _) => {
                out.push_str(name);
                tail
            }
            (None, Some((_, tail))) => tail,
            (None, None) => {
                out.push_str(&after[..1]);
                &after[1..]
            }
        };
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// Letters of an id.
fn family(id: &str) -> &str {
    id.split('-').next().unwrap_or(id)
}

/// Gathers the checks by requirement. Those of the module's own families are all listed, with or
/// without a check; of others, those that a check is about.
#[must_use]
pub fn gather(groups: &[Group], own: &[&str]) -> Vec<Requirement> {
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for case in groups.iter().flat_map(|g| &g.cases) {
        let ids: BTreeSet<&str> = case.requirements.iter().map(String::as_str).collect();
        for id in ids {
            let [checks, run, failed] = counts.entry(id).or_default();
            *checks += 1;
            *run += usize::from(!matches!(case.outcome, Outcome::NotRun(_)));
            *failed += usize::from(case.failure().is_some());
        }
    }
    let mut all = Vec::new();
    for (id, text) in texts() {
        let found = counts.remove(id.as_str());
        if found.is_none() && !own.contains(&family(&id)) {
            continue;
        }
        all.push(requirement(id, text, found.unwrap_or_default()));
    }
    // Ids that the specification does not have are listed, not dropped.
    all.extend(counts.into_iter().map(|(id, n)| requirement(id.to_owned(), String::new(), n)));
    all
}

fn requirement(id: String, text: String, [checks, run, failed]: [usize; 3]) -> Requirement {
    let standing = match (failed, run) {
        (1.., _) => Standing::Fail,
        (0, run) if run > 0 && run == checks => Standing::Pass,
        _ => Standing::NotCovered,
    };
    Requirement { id, text, standing, checks, run, failed }
}

/// The ids of a check that a design of this module can fulfil: not those of the other modules.
#[must_use]
pub fn of_module(ids: &[String], own: &[&str]) -> Vec<String> {
    const MODULES: &[&str] =
        &["CRC", "TX", "RX", "NODE", "HST", "AXI", "WRT", "ACK", "SND", "RCV", "MON", "IRQ", "ENG"];
    let mine = |id: &&String| own.contains(&family(id)) || !MODULES.contains(&family(id));
    ids.iter().filter(mine).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::{super::case::Case, *};
    use awgstar_stimulus::reached::Reached;

    #[test]
    fn the_specification_has_texts() {
        let all = texts();
        let tx1 = all.iter().find(|(id, _)| id == "TX-1").map(|(_, text)| text.as_str());
        let text = tx1.unwrap_or_default();
        assert!(
            text.starts_with("A header is taken") && text.ends_with("(LNK-2, LNK-3)."),
            "{text}"
        );
        assert!(all.iter().all(|(_, text)| !text.is_empty() && !text.contains("](#")));
    }

    #[test]
    fn texts_have_no_markup() {
        let text =
            "<a id=\"x-1\"></a>Port `a[10:0]` is < 5 ([TX-1](#tx-1), [LNK-2](spec.md#lnk-2)).";
        assert_eq!(plain(text), "Port `a[10:0]` is < 5 (TX-1, LNK-2).");
    }

    #[test]
    fn what_was_not_run_is_not_covered() {
        let case = |outcome, id: &str| Case {
            name: String::new(),
            requirements: vec![id.to_owned(), id.to_owned()],
            outcome,
        };
        let cases = vec![
            case(Outcome::Pass, "TX-1"),
            case(Outcome::Pass, "TX-2"),
            case(Outcome::NotRun("stopped".into()), "TX-2"),
        ];
        let group = Group { name: "a".into(), cases, reached: Reached::default() };
        let all = gather(&[group], &["TX"]);
        let standing = |id: &str| all.iter().find(|r| r.id == id).map(|r| (r.standing, r.checks));
        assert_eq!(standing("TX-1"), Some((Standing::Pass, 1)));
        assert_eq!(standing("TX-2"), Some((Standing::NotCovered, 2)));
        assert_eq!(standing("TX-3"), Some((Standing::NotCovered, 0)));
        assert_eq!(standing("RX-1"), None);
    }
}
