// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pages of `docs` as a site with a search: `target/site`, built by mdBook.
//!
//! The book has the pages that the index `docs/README.md` names, in its order. A link to a file that is no page and
//! no picture leads to the repository.

mod error;
mod html;
mod index;

pub use error::SiteError;
pub use index::summary;

use error::{read, write};
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Component, Path, PathBuf},
    process::Command,
};

/// Version of mdBook that is installed where none is.
const MDBOOK: &str = "0.5.4";
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Builds the site of the checkout at `root` and checks its links. Returns what is to be printed.
///
/// # Errors
/// If a page is not in the index, a file cannot be read or written, mdBook cannot be installed or fails, or a link of
/// the site leads nowhere.
pub fn run(root: &Path) -> Result<String, SiteError> {
    let root = &fs::canonicalize(root).map_err(|why| SiteError::file(root, why))?;
    let (source, site) = (root.join("target/site-source"), root.join("target/site"));
    for old in [&source, &site] {
        if old.exists() {
            fs::remove_dir_all(old).map_err(|why| SiteError::file(old, why))?;
        }
    }
    let index = summary(root)?;
    write(&source.join("book.toml"), include_str!("book.toml"))?;
    write(&source.join("src/SUMMARY.md"), &index)?;
    let pages: BTreeSet<PathBuf> = index::pages(&index).collect();
    for page in &pages {
        let text = links(root, page, &read(&root.join(page))?, &pages, &source.join("src"))?;
        write(&source.join("src").join(page), &text)?;
    }
    let mut build = Command::new(mdbook(root)?);
    succeed(build.args(["build", "--dest-dir"]).args([&site, &source]))?;
    let checked = html::check(&site)?;
    Ok(format!(
        "wrote target/site/index.html: {} pages, {checked} links lead somewhere\n",
        pages.len()
    ))
}

/// The program; installs it below `target/tools` if it is missing.
fn mdbook(root: &Path) -> Result<PathBuf, SiteError> {
    let tools = root.join("target/tools");
    let own = tools.join("bin/mdbook");
    let (major, _) = MDBOOK.rsplit_once('.').unwrap_or((MDBOOK, ""));
    for program in [PathBuf::from("mdbook"), own.clone()] {
        let version = Command::new(&program).arg("--version").output();
        if version.is_ok_and(|v| String::from_utf8_lossy(&v.stdout).contains(&format!("v{major}.")))
        {
            return Ok(program);
        }
    }
    println!("site: installing mdbook {MDBOOK} into target/tools with cargo");
    let mut install = Command::new("cargo");
    install.args(["install", "--quiet", "--locked", "--debug", "--version", MDBOOK]);
    install.args(["--no-default-features", "--features", "search", "mdbook", "--root"]);
    succeed(install.arg(&tools))?;
    Ok(own)
}

fn succeed(command: &mut Command) -> Result<(), SiteError> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(SiteError::Program { name, why: status.to_string() }),
        Err(why) => Err(SiteError::Program { name, why: why.to_string() }),
    }
}

/// Files beside the pages that a browser shows.
fn is_shown(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["svg", "png", "html"].iter().any(|one| end == *one))
}

/// The text of a page with its links as the book needs them; copies the pictures that it shows.
fn links(
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
fn resolve(page: &Path, target: &str) -> PathBuf {
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
