//! The design under test: files, the folders they include from, the name of its top module.

use crate::sim::{Foreign, SimError};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// A design.
#[derive(Clone, Debug)]
pub struct Dut {
    /// Its files.
    pub files: Vec<PathBuf>,
    /// Folders of what they include.
    pub includes: Vec<PathBuf>,
    /// Name of its top module.
    pub top: String,
}

impl Dut {
    /// A design whose files and folders are there and whose top has a plain name.
    ///
    /// # Errors
    /// When one is missing, or a name is none.
    pub fn new(files: &[PathBuf], includes: &[PathBuf], top: &str) -> Result<Self, SimError> {
        if files.is_empty() {
            return Err(SimError::format("--dut", "no file of the design is given"));
        }
        for file in files {
            fs::File::open(file).map_err(SimError::io(file))?;
            if !file.is_file() {
                return Err(SimError::format(file, "a file is needed"));
            }
        }
        for folder in includes {
            fs::read_dir(folder).map_err(SimError::io(folder))?;
        }
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        let plain = |c: char| letter(c) || c.is_ascii_digit() || c == '$';
        if !top.starts_with(letter) || !top.chars().all(plain) {
            return Err(SimError::format("--top", format!("`{top}` is no name of a module")));
        }
        let (files, includes) = (files.to_vec(), includes.to_vec());
        Ok(Dut { files, includes, top: top.to_owned() })
    }

    /// The same with the folder of the contract's definitions below `root` as the last to include from.
    #[must_use]
    pub fn with_contract(&self, root: &Path) -> Self {
        let mut dut = self.clone();
        let ours = root.join("hdl/include");
        if ours.is_dir() && !dut.includes.contains(&ours) {
            dut.includes.push(ours);
        }
        dut
    }

    /// As the runner of the golden vectors takes it.
    #[must_use]
    pub fn foreign(&self) -> Foreign {
        Foreign { files: self.files.clone(), includes: self.includes.clone() }
    }
}

/// A folder of this run alone, gone when it is over. What a design includes cannot be known, so
/// nothing that was compiled is kept.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder below `out`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn below(out: &Path) -> Result<Self, SimError> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = out.join(format!("{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(SimError::io(&folder))?;
        Ok(Scratch(folder))
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
