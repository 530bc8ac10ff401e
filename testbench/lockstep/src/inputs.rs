// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes of the files that a run reads: what its result is about.

use awgstar_simulator::SimError;
use awgstar_stimulus::vectors::tree::sha256;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// SHA-256 in hexadecimal, by the name of the file.
pub type Inputs = BTreeMap<String, String>;

/// The hash of a file, under this name.
///
/// # Errors
/// If it cannot be read.
pub fn add(inputs: &mut Inputs, name: impl Into<String>, path: &Path) -> Result<(), SimError> {
    let bytes = fs::read(path).map_err(SimError::io(path))?;
    inputs.insert(name.into(), sha256(&bytes));
    Ok(())
}

/// The hashes of all files in a folder and below it that are `wanted`, under names that begin with this one.
///
/// # Errors
/// If one cannot be read.
pub fn add_folder(
    inputs: &mut Inputs,
    name: &str,
    folder: &Path,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<(), SimError> {
    let entries = fs::read_dir(folder).map_err(SimError::io(folder))?;
    let paths = entries.map(|entry| entry.map(|e| e.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(SimError::io(folder))?;
    paths.sort();
    for path in paths {
        let last = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{name}/{last}");
        if path.is_dir() {
            // Builds and hidden folders are no sources.
            if last != "target" && !last.starts_with('.') {
                add_folder(inputs, &name, &path, wanted)?;
            }
        } else if wanted(&path) {
            add(inputs, name, &path)?;
        }
    }
    Ok(())
}

/// One hash of all: of the lines that `sha256sum` prints of them.
#[must_use]
pub fn together(inputs: &Inputs) -> String {
    let lines = inputs.iter().map(|(name, hash)| format!("{hash}  {name}\n"));
    sha256(lines.collect::<String>().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_the_files_below_it_that_are_wanted() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("a.v", "x"), ("in/b.vh", "y"), ("target/c.v", "z"), ("d.o", "w")] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut inputs = Inputs::new();
        let wanted = |path: &Path| path.extension().is_some_and(|e| e != "o");
        add_folder(&mut inputs, "rtl", folder.path(), &wanted).unwrap();
        assert_eq!(inputs.keys().collect::<Vec<_>>(), ["rtl/a.v", "rtl/in/b.vh"]);
        let before = together(&inputs);
        fs::write(folder.path().join("in/b.vh"), "Y").unwrap();
        add_folder(&mut inputs, "rtl", folder.path(), &wanted).unwrap();
        assert_ne!(together(&inputs), before);
        let error = add(&mut inputs, "x", &folder.path().join("x.v")).unwrap_err();
        assert!(error.to_string().contains("x.v"));
    }
}
