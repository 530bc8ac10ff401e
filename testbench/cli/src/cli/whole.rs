// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that are there when they are whole, and not before.

use super::{CliError, at};
use awgstar_simulator::Scratch;
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// A file that gets its name when it is whole. Until then it is in a folder beside, which is removed with it, also
/// when a signal ends this process.
struct WholeFile {
    path: PathBuf,
    /// Folder and name of the file until it is whole. None for a pipe or a device, which is written at once.
    beside: Option<(Scratch, PathBuf)>,
    out: Box<dyn Write + Send>,
}

impl WholeFile {
    fn new(path: &Path) -> Result<Self, CliError> {
        // A link stays; what it points to is written.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let there = fs::metadata(&path).ok();
        if there.is_some_and(|there| !there.is_file()) {
            let out = at(path.display(), File::options().write(true).open(&path))?;
            return Ok(WholeFile { path, beside: None, out: Box::new(out) });
        }
        let absolute = at(path.display(), std::path::absolute(&path))?;
        let folder = absolute.ancestors().skip(1).find(|folder| folder.is_dir());
        let scratch = Scratch::below(folder.unwrap_or(Path::new("/")))?;
        let part = scratch.path().join("part");
        let out = Box::new(BufWriter::new(at(part.display(), File::create(&part))?));
        Ok(WholeFile { path, beside: Some((scratch, part)), out })
    }

    fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        drop(self.out);
        let Some((_folder, part)) = self.beside else { return Ok(()) };
        if let Some(parent) = self.path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(part, &self.path)
    }
}

/// Writes a file in an existing folder. One who reads it meanwhile, and one who ends this process, finds the file as it
/// was before or as it is after.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), CliError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    at(path.display(), fs::metadata(parent.unwrap_or(Path::new("."))))?;
    let mut file = WholeFile::new(path)?;
    at(path.display(), file.out.write_all(bytes.as_ref()))?;
    at(path.display(), file.finish())
}

/// Files with the same content, each of which gets its name when it is whole. If the run fails, none is there.
pub(crate) struct WholeFiles(Vec<WholeFile>);

impl WholeFiles {
    /// Begins the files of these names. The folder of one that is not there is made at the end.
    ///
    /// # Errors
    /// If a file cannot be made.
    pub(crate) fn new<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<Self, CliError> {
        paths.into_iter().map(|path| WholeFile::new(path)).collect::<Result<_, _>>().map(WholeFiles)
    }

    /// Gives the files their names.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(crate) fn finish(self) -> Result<(), CliError> {
        self.0.into_iter().try_for_each(|file| at(file.path.display().to_string(), file.finish()))
    }
}

impl Write for WholeFiles {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for file in &mut self.0 {
            let named =
                |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", file.path.display()));
            file.out.write_all(bytes).map_err(named)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|file| file.out.flush())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// A page that was read while it was written again was empty.
    #[test]
    fn a_reader_finds_a_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let texts = [vec![b'a'; 1 << 20], vec![b'b'; 1 << 18]];
        write(&path, &texts[0]).unwrap();
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                (0..60).for_each(|i| write(&path, &texts[i % 2]).unwrap());
            });
            while !writer.is_finished() {
                let read = fs::read(&path).unwrap();
                assert!(texts.contains(&read), "{} bytes", read.len());
            }
        });
        let missing = write(&folder.path().join("missing/page.html"), "").unwrap_err();
        assert!(missing.to_string().contains("missing/page.html"), "{missing}");
        assert!(!folder.path().join("missing").exists());
    }
}
