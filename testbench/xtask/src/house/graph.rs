// SPDX-License-Identifier: MIT OR Apache-2.0
//! Imports between the files of a crate, and their circles.
//!
//! An import counts for the file that defines what is imported: a name that a module re-exports leads on.

use super::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// A module of a crate: the parts of its path, none for the root.
pub(super) type Module = Vec<String>;

/// The module that a file of `src` is.
pub(super) fn module(file: &str) -> Module {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let mut parts: Module = path.split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod") || ["lib", "main"].contains(&path) {
        parts.pop();
    }
    parts
}

/// Who imports whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    edges: BTreeMap<Module, BTreeSet<Module>>,
}

impl Graph {
    /// The imports between the modules of a crate.
    #[must_use]
    pub(super) fn new(modules: &BTreeMap<Module, Source>) -> Self {
        let mut graph = Self::default();
        for (from, source) in modules {
            for import in &source.imports {
                let base = start(modules, from, &import.path, import.depth);
                let Some((base, rest)) = base else { continue };
                let to = follow(modules, base, rest, 8);
                if to != *from {
                    graph.edges.entry(from.clone()).or_default().insert(to);
                }
            }
        }
        graph
    }

    /// Files that import each other, directly or through others.
    #[must_use]
    pub(super) fn circles(&self) -> Vec<BTreeSet<Module>> {
        circles(&self.edges)
    }

    /// Circles between the files and folders that are next to each other in a folder: all below one counts as it.
    #[must_use]
    pub(super) fn neighbours(&self) -> Vec<BTreeSet<Module>> {
        let mut folders: BTreeMap<Module, BTreeMap<Module, BTreeSet<Module>>> = BTreeMap::new();
        for (from, all) in &self.edges {
            for to in all {
                let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
                // One is the module of the folder in which the other is.
                if shared == from.len() || shared == to.len() {
                    continue;
                }
                let folder = folders.entry(from[..shared].to_vec()).or_default();
                folder.entry(from[..=shared].to_vec()).or_default().insert(to[..=shared].to_vec());
            }
        }
        folders.values().flat_map(circles).collect()
    }
}

/// Where a path begins, and what is left of it. `None`: in another crate, or a name that an import made known.
fn start<'a>(
    modules: &BTreeMap<Module, Source>,
    from: &Module,
    path: &'a [String],
    depth: usize,
) -> Option<(Module, &'a [String])> {
    let first = path.first()?.as_str();
    if first == "crate" {
        return Some((Module::new(), &path[1..]));
    }
    let up = path.iter().take_while(|part| *part == "super").count();
    if up > depth {
        let keep = from.len().checked_sub(up - depth)?;
        return Some((from[..keep].to_vec(), &path[up..]));
    }
    if first == "self" {
        return Some((from.clone(), &path[1..]));
    }
    let child: Module = from.iter().cloned().chain([first.to_owned()]).collect();
    modules.contains_key(&child).then(|| (child, &path[1..]))
}

/// The module that defines what a path from `base` names.
fn follow(
    modules: &BTreeMap<Module, Source>,
    mut base: Module,
    mut path: &[String],
    again: usize,
) -> Module {
    while let Some(first) = path.first() {
        let child: Module = base.iter().cloned().chain([first.clone()]).collect();
        if !modules.contains_key(&child) {
            break;
        }
        (base, path) = (child, &path[1..]);
    }
    let (Some(first), Some(source)) = (path.first(), modules.get(&base)) else { return base };
    if again == 0 || source.definitions.iter().any(|found| found.name == *first) {
        return base;
    }
    if let Some(target) = source.names.get(first) {
        return match start(modules, &base, target, 0) {
            Some((next, rest)) => follow(modules, next, rest, again - 1),
            None => base,
        };
    }
    for glob in &source.globs {
        let Some((next, rest)) = start(modules, &base, glob, 0) else { continue };
        let next = follow(modules, next, rest, again - 1);
        let defined = |found: &Source| found.definitions.iter().any(|d| d.name == *first);
        if modules.get(&next).is_some_and(defined) {
            return next;
        }
    }
    base
}

/// Nodes that reach each other; those of one node alone are none.
fn circles(edges: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<BTreeSet<Module>> {
    let reach: BTreeMap<&Module, BTreeSet<&Module>> =
        edges.keys().map(|from| (from, reached(edges, from))).collect();
    let mut left: BTreeSet<&Module> = edges.keys().collect();
    let mut found = Vec::new();
    while let Some(one) = left.pop_first() {
        let mut circle: BTreeSet<&Module> = reach[one]
            .iter()
            .copied()
            .filter(|other| reach.get(other).is_some_and(|back| back.contains(one)))
            .collect();
        circle.insert(one);
        left.retain(|other| !circle.contains(other));
        if circle.len() > 1 {
            found.push(circle.into_iter().cloned().collect());
        }
    }
    found
}

fn reached<'a>(
    edges: &'a BTreeMap<Module, BTreeSet<Module>>,
    from: &'a Module,
) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        for to in edges.get(next).into_iter().flatten() {
            if found.insert(to) {
                open.push(to);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: &[(&str, &str)]) -> Graph {
        let parsed =
            files.iter().map(|(file, text)| (module(file), Source::parse(text).expect("tokens")));
        Graph::new(&parsed.collect())
    }

    #[test]
    fn two_files_that_import_each_other_are_a_circle() {
        let graph = graph(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "pub struct B; fn f() { super::a::A; }"),
        ]);
        assert_eq!(graph.circles().len(), 1);
        assert_eq!(graph.neighbours().len(), 1);
    }

    #[test]
    fn a_name_that_is_exported_again_leads_to_its_file() {
        let graph = graph(&[
            ("lib.rs", "mod x;"),
            ("x/mod.rs", "mod a; mod b; pub use a::*; pub use b::B;"),
            ("x/a.rs", "use super::B; pub struct A;"),
            ("x/b.rs", "pub struct B;"),
        ]);
        assert!(graph.circles().is_empty());
        assert_eq!(graph.edges[&module("x/a.rs")].first(), Some(&module("x/b.rs")));
    }

    #[test]
    fn folders_are_in_a_circle_through_different_files() {
        let graph = graph(&[
            ("lib.rs", "mod x; mod y;"),
            ("x/mod.rs", "mod a; mod b;"),
            ("x/a.rs", "use crate::y::Y;"),
            ("x/b.rs", "pub struct B;"),
            ("y/mod.rs", "mod c; pub use c::Y;"),
            ("y/c.rs", "pub struct Y; use crate::x::b::B;"),
        ]);
        assert!(graph.circles().is_empty());
        assert_eq!(graph.neighbours().len(), 1);
    }

    #[test]
    fn a_child_may_use_its_parent() {
        let graph = graph(&[
            ("lib.rs", "mod x;"),
            ("x.rs", "mod a; pub struct P;"),
            ("x/a.rs", "use super::P;"),
        ]);
        assert!(graph.circles().is_empty());
    }
}
