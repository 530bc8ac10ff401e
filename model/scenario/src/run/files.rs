// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output files of a run.

use awgstar_draw::name_files;
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// A file in memory: its name, and its bytes.
pub type Artefact = (String, Vec<u8>);

/// A place for files. Names may have folders, separated by `/`.
pub trait Files {
    /// A new file, written until the writer is dropped; the caller flushes it.
    ///
    /// # Errors
    /// If it cannot be made.
    fn create(&mut self, name: &str) -> io::Result<Box<dyn Write + '_>>;

    /// A whole file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.create(name)?;
        file.write_all(bytes)?;
        file.flush()
    }
}

/// Writes `stem.vcd` with `write`, which returns the save file for `GTKWave`, and that as `stem.gtkw`. `write`
/// receives the writer and the name of the VCD.
///
/// # Errors
/// The errors of `write`, and if a file cannot be written.
pub fn write_waves<E: From<io::Error>>(
    files: &mut dyn Files,
    stem: &str,
    write: impl FnOnce(&mut dyn Write, &str) -> Result<String, E>,
) -> Result<(), E> {
    let dump = format!("{stem}.vcd");
    let mut file = files.create(&dump)?;
    let save = write(&mut file, &dump)?;
    file.flush()?;
    drop(file);
    Ok(files.write(&format!("{stem}.gtkw"), save.as_bytes())?)
}

/// Writes the names of codes for `GTKWave` and Surfer.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write_names(files: &mut dyn Files) -> io::Result<()> {
    name_files().iter().try_for_each(|(name, text)| files.write(name, text.as_bytes()))
}

impl Files for Vec<Artefact> {
    fn create(&mut self, name: &str) -> io::Result<Box<dyn Write + '_>> {
        self.push((name.to_owned(), Vec::new()));
        let Some((_, bytes)) = self.last_mut() else {
            return Err(io::ErrorKind::OutOfMemory.into());
        };
        Ok(Box::new(bytes))
    }
}

/// A folder on disk, made with its first file.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    written: Vec<PathBuf>,
}

impl Folder {
    /// The folder of this path.
    #[must_use]
    pub fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned(), written: Vec::new() }
    }

    /// A file of the folder that something else has written.
    pub fn add(&mut self, name: &str) {
        self.written.push(self.path.join(name));
    }

    /// The files written so far, in their order, but for those that only others read: filters of `GTKWave`
    /// and what is in folders below.
    pub fn top(&self) -> impl Iterator<Item = &Path> {
        let here = |path: &&PathBuf| {
            let filter = path.extension().is_some_and(|extension| extension == "filter");
            path.parent() == Some(&*self.path) && !filter
        };
        self.written.iter().filter(here).map(PathBuf::as_path)
    }
}

impl Files for Folder {
    fn create(&mut self, name: &str) -> io::Result<Box<dyn Write + '_>> {
        let path = self.path.join(name);
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
        fs::create_dir_all(path.parent().unwrap_or(&self.path)).map_err(named)?;
        let file = File::create(&path).map_err(named)?;
        if !self.written.contains(&path) {
            self.written.push(path);
        }
        Ok(Box::new(BufWriter::new(file)))
    }
}
