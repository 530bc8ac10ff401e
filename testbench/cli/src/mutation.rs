// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counts of `docs/mutation.md`, from the lists of mutants in `testbench/mutants`.

use awgstar_lockstep::mutants;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

/// The page, below the repository's root.
pub const PAGE: &str = "docs/mutation.md";

/// Lines around what is generated.
const BEGIN: &str = "<!-- begin: written by `cargo xtask contract generate` -->\n";
const END: &str = "<!-- end -->\n";

/// A row for each list: mutants, and how many are in each file.
fn table(root: &Path) -> io::Result<String> {
    let folder = root.join("testbench/mutants");
    let entries = fs::read_dir(&folder)?.map(|entry| entry.map(|e| e.path()));
    let mut lists: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    lists.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    lists.sort();
    let mut text = String::from("| list | mutants | in |\n|---|---:|---|\n");
    let mut all = 0;
    for path in lists {
        let mut files: BTreeMap<String, usize> = BTreeMap::new();
        for mutant in mutants::read(&path).map_err(io::Error::other)? {
            *files.entry(mutant.file).or_default() += 1;
        }
        let count: usize = files.values().sum();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let files: Vec<_> = files.iter().map(|(file, n)| format!("`{file}` {n}")).collect();
        let _ = writeln!(text, "| `{name}` | {count} | {} |", files.join(", "));
        all += count;
    }
    let _ = writeln!(text, "| all | {all} | |");
    Ok(text)
}

/// The page with the counts of the lists below `root`.
///
/// # Errors
/// If page or lists cannot be read, or the page has no place for them.
pub fn page(root: &Path) -> io::Result<String> {
    let path = root.join(PAGE);
    let text = fs::read_to_string(&path)?;
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.ok_or_else(|| {
        io::Error::other(format!(
            "{}: expected `{}` and `{}`",
            path.display(),
            BEGIN.trim(),
            END.trim()
        ))
    })?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(root)?))
}
