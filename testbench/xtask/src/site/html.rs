// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links of the built site.

use super::{
    error::{SiteError, read},
    link::resolve,
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Counts the links between pages of the site.
///
/// # Errors
/// With those that lead to no file, or to no place of a page.
pub(super) fn check(site: &Path) -> Result<usize, SiteError> {
    let mut pages = BTreeMap::new();
    collect(site, Path::new(""), &mut pages)?;
    let (mut wrong, mut checked) = (Vec::new(), 0);
    // Links of the page for a missing page are from the address of the site.
    for (page, text) in pages.iter().filter(|(page, _)| !page.ends_with("404.html")) {
        let targets = ["href=\"", "src=\""].into_iter().flat_map(|key| text.split(key).skip(1));
        for target in targets.filter_map(|part| Some(part.split_once('"')?.0)) {
            if target.contains(':') {
                continue;
            }
            checked += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let full = if path.is_empty() { page.clone() } else { resolve(page, path) };
            let there = match pages.get(&full) {
                Some(text) => anchor.is_empty() || text.contains(&format!("id=\"{anchor}\"")),
                None => site.join(&full).is_file(),
            };
            if !there {
                wrong.push(format!("  {}: {target}", page.display()));
            }
        }
    }
    wrong.dedup();
    if wrong.is_empty() { Ok(checked) } else { Err(SiteError::Links(wrong.join("\n"))) }
}

/// The pages of the book; those of the gallery are not the book's.
fn collect(
    site: &Path,
    folder: &Path,
    all: &mut BTreeMap<PathBuf, String>,
) -> Result<(), SiteError> {
    let full = site.join(folder);
    for entry in fs::read_dir(&full).map_err(|why| SiteError::file(&full, why))? {
        let entry = entry.map_err(|why| SiteError::file(&full, why))?;
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            if entry.file_name() != "gallery" {
                collect(site, &path, all)?;
            }
        } else if path.extension().is_some_and(|end| end == "html") {
            all.insert(path, read(&entry.path())?);
        }
    }
    Ok(())
}
