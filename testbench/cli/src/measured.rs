// SPDX-License-Identifier: MIT OR Apache-2.0
//! Marks in pages that say which command made the figures next to them, and from which files.
//!
//! A mark is one line of a page:
//!
//! ```text
//! <!-- made by `COMMAND` from sha256 of FILE:HASH FILE:HASH -->
//! <!-- made by `COMMAND` with sha256 of FILE:HASH FILE:HASH -->
//! ```
//!
//! `HASH` is the first 16 digits of the SHA-256 of the file, as `sha256sum FILE | cut -c1-16` prints it at the root
//! of the repository.
//! In the last part of a path `*` may begin or end a name (`hdl/*.v`): the hash is that of these files one after
//! another, in the order of their names.
//!
//! `from` names what decides whether the figures are right, such as the recipe of a measurement: a test
//! fails when one of these files has changed.
//! `with` names what the figures are figures of, such as the model: `cargo xtask contract check` says that it has changed, and
//! that is no failure, because each change of a source file would ask for a new measurement.

use crate::traceability::files_below;
use awgstar_stimulus::vectors::tree::sha256;
use std::{fmt, fs, io, path::Path};

/// Whether a change of the files makes the figures wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// `from`: the figures must be made again.
    Fails,
    /// `with`: the change is only shown.
    IsShown,
}

/// A mark in a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Command that makes the figures.
    pub command: String,
    /// Whether a change of the files is a failure.
    pub change: Change,
    /// Files below the root of the repository, with `*`.
    pub files: Vec<Hashed>,
}

/// A file, or those that a path with `*` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashed {
    pub path: String,
    /// Hash when the figures were made.
    pub hash: String,
}

const BEGIN: &str = "<!-- made by `";

impl Mark {
    /// The mark of figures that `command` makes now.
    ///
    /// # Errors
    /// If a file cannot be read, or a `*` has no file.
    pub fn of(root: &Path, command: &str, change: Change, files: &[&str]) -> io::Result<Mark> {
        let hashed = |&path: &&str| -> io::Result<Hashed> {
            Ok(Hashed { path: path.to_owned(), hash: hash(root, path)? })
        };
        let files = files.iter().map(hashed).collect::<io::Result<_>>()?;
        Ok(Mark { command: command.to_owned(), change, files })
    }

    /// Reads a line; `None` if it is no mark.
    #[must_use]
    pub fn read(line: &str) -> Option<Mark> {
        let (command, rest) = line.strip_prefix(BEGIN)?.split_once("` ")?;
        let mut words = rest.strip_suffix(" -->")?.split(' ');
        let change = match words.next()? {
            "from" => Change::Fails,
            "with" => Change::IsShown,
            _ => return None,
        };
        let (kind, of) = (words.next()?, words.next()?);
        let hashed = |word: &str| {
            let (path, hash) = word.rsplit_once(':')?;
            Some(Hashed { path: path.to_owned(), hash: hash.to_owned() })
        };
        let files = words.map(hashed).collect::<Option<Vec<_>>>()?;
        let good = kind == "sha256" && of == "of" && !files.is_empty();
        good.then(|| Mark { command: command.to_owned(), change, files })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mark { command, change, files } = self;
        let word = match change {
            Change::Fails => "from",
            Change::IsShown => "with",
        };
        write!(f, "{BEGIN}{command}` {word} sha256 of")?;
        for Hashed { path, hash } in files {
            write!(f, " {path}:{hash}")?;
        }
        f.write_str(" -->")
    }
}

/// A mark whose files have changed, or that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{page}:{line}: {problem}")]
pub struct Stale {
    /// Page, below the root of the repository.
    pub page: String,
    /// Line of the mark.
    pub line: usize,
    /// What is wrong with it, and which command repairs it.
    pub problem: String,
    /// Whether it is a failure.
    pub change: Change,
}

/// Marks of the pages in `docs`, and of `README.md` if it is there, that are not up to date.
///
/// # Errors
/// If a page cannot be read.
pub fn stale(root: &Path) -> io::Result<Vec<Stale>> {
    let mut pages = vec![root.join("README.md")];
    pages.retain(|page| page.is_file());
    files_below(&root.join("docs"), "md", &mut pages)?;
    let mut all = Vec::new();
    for path in pages {
        let text = fs::read_to_string(&path)?;
        let page = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        for (line, mark) in (1..).zip(text.lines()).filter(|(_, l)| l.starts_with("<!-- made by")) {
            let found = match Mark::read(mark) {
                Some(mark) => outdated(root, &mark).map(|problem| (problem, mark.change)),
                None => Some(("expected `COMMAND` from sha256 of FILE:HASH".into(), Change::Fails)),
            };
            let page = page.clone();
            all.extend(found.map(|(problem, change)| Stale { page, line, problem, change }));
        }
    }
    Ok(all)
}

/// What is wrong with a mark.
fn outdated(root: &Path, mark: &Mark) -> Option<String> {
    let Mark { command, files, .. } = mark;
    let changed = |file: &Hashed| match hash(root, &file.path) {
        Ok(now) if now == file.hash => None,
        Ok(_) => Some(file.path.clone()),
        Err(error) => Some(error.to_string()),
    };
    let changed: Vec<String> = files.iter().filter_map(changed).collect();
    (!changed.is_empty()).then(|| {
        let changed = changed.join(", ");
        format!("older than these files: {changed}; `{command}` makes these figures again")
    })
}

/// The text with what is between `<!-- begin NAME -->` and `<!-- end NAME -->` replaced; `None` without them.
#[must_use]
pub fn replaced(page: &str, name: &str, text: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->\n"));
    let (head, rest) = page.split_once(&begin)?;
    let (_, tail) = rest.split_once(&end)?;
    Some(format!("{head}{begin}{text}{end}{tail}"))
}

fn hash(root: &Path, path: &str) -> io::Result<String> {
    let mut bytes = Vec::new();
    for path in expanded(root, path)? {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{path}: {e}"));
        bytes.extend(fs::read(root.join(&path)).map_err(named)?);
    }
    Ok(sha256(&bytes)[..16].to_owned())
}

/// The files that a path with `*` names, in the order of their names.
fn expanded(root: &Path, path: &str) -> io::Result<Vec<String>> {
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    let Some((head, tail)) = name.split_once('*') else { return Ok(vec![path.to_owned()]) };
    let mut all = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let fits = name.len() >= head.len() + tail.len();
        if fits && name.starts_with(head) && name.ends_with(tail) {
            all.push(format!("{folder}/{name}"));
        }
    }
    all.sort();
    if all.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("{path}: no such file")));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 2] = ["recipe.txt", "hdl/*.v"];

    /// A repository with a recipe, two modules and a page that has `mark`.
    fn repository(mark: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect(name);
        for name in ["docs", "hdl"] {
            fs::create_dir(folder.path().join(name)).expect(name);
        }
        write("recipe.txt", "r\n");
        write("hdl/b.v", "b\n");
        write("hdl/a.v", "a\n");
        write("hdl/README.md", "not counted\n");
        write("README.md", "# A\n");
        write("docs/p.md", &format!("# P\n{mark}\n"));
        folder
    }

    fn marked(change: Change) -> (tempfile::TempDir, Mark) {
        let empty = repository("");
        let mark = Mark::of(empty.path(), "run it", change, &FILES).expect("the files are there");
        (repository(&mark.to_string()), mark)
    }

    /// The hashes are those of `printf 'r\n' | sha256sum` and `printf 'a\nb\n' | sha256sum`.
    #[test]
    fn a_mark_is_a_line() {
        let (_, mark) = marked(Change::Fails);
        let line = "<!-- made by `run it` from sha256 of recipe.txt:8e54b0ca18020275 hdl/*.v:911169ddaaf146af -->";
        assert_eq!(mark.to_string(), line);
        assert_eq!(Mark::read(&mark.to_string()), Some(mark));
    }

    #[test]
    fn a_changed_file_makes_a_mark_stale() {
        for change in [Change::Fails, Change::IsShown] {
            let (folder, _) = marked(change);
            assert_eq!(stale(folder.path()).expect("readable"), []);
            fs::write(folder.path().join("hdl/c.v"), "c\n").expect("written");
            let found = stale(folder.path()).expect("readable");
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(
                (found[0].page.as_str(), found[0].line, found[0].change),
                ("docs/p.md", 2, change)
            );
            let problem = "older than these files: hdl/*.v; `run it` makes these figures again";
            assert_eq!(found[0].problem, problem);
        }
    }

    #[test]
    fn a_missing_file_and_a_damaged_mark_are_stale() {
        let (folder, _) = marked(Change::Fails);
        fs::remove_file(folder.path().join("recipe.txt")).expect("removed");
        let found = stale(folder.path()).expect("readable");
        let problem = &found[0].problem;
        assert!(problem.starts_with("older than these files: recipe.txt: "), "{problem}");
        for line in [
            "<!-- made by `x` from sha256 of -->",
            "<!-- made by `x` after sha256 of a:00 -->",
            "<!-- made by x from sha256 of a:00 -->",
            "<!-- made by `x` from sha256 of a -->",
        ] {
            let found = stale(repository(line).path()).expect("readable");
            assert_eq!(found.len(), 1, "{line}: {found:?}");
            assert_eq!(found[0].change, Change::Fails, "{line}");
        }
    }

    #[test]
    fn a_section_is_replaced() {
        let page = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n";
        let new = "a\n<!-- begin x -->\nnew\n<!-- end x -->\nb\n";
        assert_eq!(replaced(page, "x", "new\n").as_deref(), Some(new));
        assert_eq!(replaced(page, "y", "new\n"), None);
    }
}
