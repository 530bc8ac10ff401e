// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of the book: that of the index of `docs`.

use super::{
    error::{SiteError, read},
    link::resolve,
};
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

const INDEX: &str = "docs/README.md";

/// `SUMMARY.md` of the book: the sections of the index, in them its pages. A row of its table is a chapter without a
/// page, above those that it names.
///
/// # Errors
/// If the index or the folder cannot be read, or a page below `docs` is not in the index.
pub fn summary(root: &Path) -> Result<String, SiteError> {
    let mut out = format!("# Summary\n\n[awgstar](README.md)\n[All pages]({INDEX})\n");
    for line in read(&root.join(INDEX))?.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            let _ = writeln!(out, "\n# {title}\n");
        } else if line.starts_with("- [") {
            for (title, page) in named(line).into_iter().take(1) {
                let _ = writeln!(out, "- [{title}]({})", page.display());
            }
        } else if let Some((part, row)) =
            line.strip_prefix("| ").and_then(|row| row.split_once(" | "))
        {
            let blocks = named(row);
            if !blocks.is_empty() {
                let _ = writeln!(out, "- [{part}]()");
            }
            for (title, page) in blocks {
                let _ = writeln!(out, "  - [{title}]({})", page.display());
            }
        }
    }
    let mut there = BTreeSet::new();
    below(root, Path::new("docs"), &mut there)?;
    let book: BTreeSet<PathBuf> = pages(&out).collect();
    let forgotten: Vec<String> =
        there.difference(&book).map(|page| page.display().to_string()).collect();
    if forgotten.is_empty() { Ok(out) } else { Err(SiteError::Forgotten(forgotten.join(", "))) }
}

/// Titles and pages of the links to Markdown in a line of the index.
fn named(line: &str) -> Vec<(&str, PathBuf)> {
    let links = line.split('[').skip(1).filter_map(|part| part.split_once(')')?.0.split_once("]("));
    let pages = links.map(|(title, target)| (title, resolve(Path::new(INDEX), target)));
    pages.filter(|(_, page)| page.extension().is_some_and(|end| end == "md")).collect()
}

pub(super) fn pages(summary: &str) -> impl Iterator<Item = PathBuf> {
    let links = summary.lines().filter_map(|line| line.rsplit_once("](")?.1.strip_suffix(')'));
    links.filter(|page| !page.is_empty()).map(PathBuf::from)
}

fn below(root: &Path, folder: &Path, all: &mut BTreeSet<PathBuf>) -> Result<(), SiteError> {
    let full = root.join(folder);
    for entry in fs::read_dir(&full).map_err(|why| SiteError::file(&full, why))? {
        let entry = entry.map_err(|why| SiteError::file(&full, why))?;
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            below(root, &path, all)?;
        } else if path.extension().is_some_and(|end| end == "md") {
            all.insert(path);
        }
    }
    Ok(())
}
