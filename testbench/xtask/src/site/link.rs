// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links of the pages.

use super::error::SiteError;
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Component, Path, PathBuf},
};

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Files beside the pages that a browser shows.
fn is_shown(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["svg", "png", "html"].iter().any(|one| end == *one))
}

/// The text of a page with its links as the book needs them; copies the pictures that it shows.
pub(super) fn for_book(
    root: &Path,
    page: &Path,
    text: &str,
    pages: &BTreeSet<PathBuf>,
    book: &Path,
) -> Result<String, SiteError> {
    let (mut out, mut fence) = (String::with_capacity(text.len()), false);
    for line in text.split_inclusive('\n') {
        fence ^= line.trim_start().starts_with("```");
        let mut rest = line;
        while let Some((head, tail)) = rest.split_once("](").filter(|_| !fence)
            && let Some((target, after)) = tail.split_once(')')
        {
            out.extend([head, "]("]);
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let full = resolve(page, path);
            if pages.contains(&full) {
                // The book has `index.html` for it.
                out.push_str(&target.replacen("README.md", "index.md", 1));
            } else if path.is_empty() || path.contains(':') {
                out.push_str(target);
            } else if is_shown(&full) {
                let to = book.join(&full);
                let folder = to.parent().unwrap_or(book);
                fs::create_dir_all(folder).map_err(|why| SiteError::file(folder, why))?;
                fs::copy(root.join(&full), &to)
                    .map_err(|why| SiteError::file(&root.join(&full), why))?;
                out.push_str(target);
            } else {
                let mark = if anchor.is_empty() { "" } else { "#" };
                let _ = write!(out, "{REPOSITORY}/blob/main/{}{mark}{anchor}", full.display());
            }
            out.push(')');
            rest = after;
        }
        out.push_str(rest);
    }
    Ok(out)
}

/// Where a link of `page` leads, from the root.
pub(super) fn resolve(page: &Path, target: &str) -> PathBuf {
    let mut full = PathBuf::new();
    for part in page.parent().unwrap_or(Path::new("")).join(target).components() {
        match part {
            Component::ParentDir => drop(full.pop()),
            Component::Normal(name) => full.push(name),
            _ => {}
        }
    }
    full
}
