// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mutant, and the list it is in.

use awgstar_simulator::{SimError, Sources};
use serde::Deserialize;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// One injected bug.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Name of its list.
    #[serde(skip)]
    pub list: String,
    /// Name of the mutant.
    pub id: String,
    /// File below the folder of its list's sources, `hdl/` for Verilog.
    pub file: String,
    /// Text that occurs exactly once in the file.
    pub find: String,
    /// Text that replaces it.
    pub replace: String,
    /// The mistake a person would make.
    pub story: String,
    /// Part of the stimuli that is played first, because it found the bug before.
    #[serde(skip)]
    pub first: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutant: Vec<Mutant>,
}

impl Mutant {
    /// `good` with the bug in it.
    ///
    /// # Errors
    /// The number of occurrences of `find`, if it is not 1.
    pub fn put_into(&self, good: &str) -> Result<String, usize> {
        match good.matches(&self.find).count() {
            1 => Ok(good.replacen(&self.find, &self.replace, 1)),
            count => Err(count),
        }
    }

    /// A copy of the Verilog in `folder`, with the bug in it.
    pub(super) fn plant(
        &self,
        sources: &Sources,
        folder: &Path,
    ) -> Result<Result<Sources, usize>, SimError> {
        let hdl = folder.join("hdl");
        copy(&sources.hdl, &hdl)?;
        let file = hdl.join(&self.file);
        let text = fs::read_to_string(&file).map_err(SimError::io(&file))?;
        match self.put_into(&text) {
            Ok(text) => fs::write(&file, text).map_err(SimError::io(&file))?,
            Err(count) => return Ok(Err(count)),
        }
        Ok(Ok(Sources { bench: sources.bench.clone(), hdl, foreign: None }))
    }
}

/// The file of a list in the checkout at `root`.
#[must_use]
pub fn list_of(root: &Path, list: &str) -> PathBuf {
    root.join("testbench/mutants").join(format!("{list}.toml"))
}

/// Reads a list of mutants.
///
/// # Errors
/// If the file cannot be read, or an id occurs twice.
pub fn read(path: &Path) -> Result<Vec<Mutant>, SimError> {
    let text = fs::read_to_string(path).map_err(SimError::io(path))?;
    let mut list: List =
        toml::from_str(&text).map_err(|e| SimError::format(path, e.to_string()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    list.mutant.iter_mut().for_each(|mutant| mutant.list = name.clone().into_owned());
    for (i, m) in list.mutant.iter().enumerate() {
        if list.mutant[..i].iter().any(|o| o.id == m.id) {
            return Err(SimError::format(path, format!("`{}` occurs twice", m.id)));
        }
    }
    Ok(list.mutant)
}

/// Number of occurrences of the `find` of each mutant in its file below `folder`, where it is not
/// 1.
///
/// # Errors
/// If a file cannot be read.
pub fn unmatched<'a>(
    mutants: &'a [Mutant],
    folder: &Path,
) -> Result<Vec<(&'a Mutant, usize)>, SimError> {
    let mut out = Vec::new();
    for mutant in mutants {
        let path = folder.join(&mutant.file);
        let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
        if let Err(count) = mutant.put_into(&text) {
            out.push((mutant, count));
        }
    }
    Ok(out)
}

/// Copies a folder with all below it.
fn copy(from: &Path, to: &Path) -> Result<(), SimError> {
    fs::create_dir_all(to).map_err(SimError::io(to))?;
    for entry in fs::read_dir(from).map_err(SimError::io(from))? {
        let path = entry.map_err(SimError::io(from))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(SimError::io(&path))?;
        }
    }
    Ok(())
}
