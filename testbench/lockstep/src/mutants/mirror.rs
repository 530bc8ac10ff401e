// SPDX-License-Identifier: MIT OR Apache-2.0
//! A folder that has what another one has, and nothing that was there before.

use awgstar_simulator::SimError;
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

/// Files are written only where their content is another one: what cargo has built of them stays good.
pub(super) struct Mirror<'a> {
    root: &'a Path,
    folder: &'a Path,
    /// Paths that belong there, relative to `folder`.
    kept: BTreeSet<PathBuf>,
}

impl<'a> Mirror<'a> {
    /// Of files below `root` to `folder`.
    pub(super) fn new(root: &'a Path, folder: &'a Path) -> Self {
        Mirror { root, folder, kept: BTreeSet::new() }
    }

    /// Copies the folder `name` with all that is in it.
    pub(super) fn tree(&mut self, name: impl AsRef<Path>) -> Result<(), SimError> {
        for path in list(&self.root.join(&name))? {
            let below = name.as_ref().join(path.file_name().unwrap_or_default());
            if path.is_dir() { self.tree(below)? } else { self.file(below)? }
        }
        Ok(())
    }

    /// Copies the files in the folder `name`, not the folders.
    pub(super) fn files(&mut self, name: &str) -> Result<(), SimError> {
        for path in list(&self.root.join(name))?.into_iter().filter(|path| path.is_file()) {
            self.file(Path::new(name).join(path.file_name().unwrap_or_default()))?;
        }
        Ok(())
    }

    /// Copies one file.
    pub(super) fn file(&mut self, name: impl AsRef<Path>) -> Result<(), SimError> {
        let from = self.root.join(&name);
        let bytes = fs::read(&from).map_err(SimError::io(&from))?;
        self.write(name, &bytes)
    }

    /// A file that `root` does not have.
    pub(super) fn write(
        &mut self,
        name: impl AsRef<Path>,
        bytes: impl AsRef<[u8]>,
    ) -> Result<(), SimError> {
        let path = self.folder.join(&name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(SimError::io(folder))?;
        }
        self.kept.insert(name.as_ref().into());
        write(&path, bytes.as_ref())
    }

    /// Deletes every other file in the folder `name`.
    pub(super) fn prune(&self, name: impl AsRef<Path>) -> Result<(), SimError> {
        for path in list(&self.folder.join(&name))? {
            let below = name.as_ref().join(path.file_name().unwrap_or_default());
            if path.is_dir() {
                self.prune(below)?;
            } else if !self.kept.contains(&below) {
                fs::remove_file(&path).map_err(SimError::io(&path))?;
            }
        }
        Ok(())
    }
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, SimError> {
    let read = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect()
    };
    read().map_err(SimError::io(folder))
}

/// Writes what is not there yet.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), SimError> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).map_err(SimError::io(path))
}
