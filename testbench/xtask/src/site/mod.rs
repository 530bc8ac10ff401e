// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pages of `docs` as a site with a search: `target/site`, built by mdBook.
//!
//! The book has the pages that the index `docs/README.md` names, in its order. A link to a file that is no page and
//! no picture leads to the repository.

mod error;
mod html;
mod index;
mod link;

pub use error::SiteError;
pub use index::summary;

use error::{read, write};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Version of mdBook that is installed where none is.
const MDBOOK: &str = "0.5.4";

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
        let text =
            link::for_book(root, page, &read(&root.join(page))?, &pages, &source.join("src"))?;
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
