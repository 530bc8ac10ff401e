// SPDX-License-Identifier: MIT OR Apache-2.0
//! The design under test: files, the folders they include from, the name of its top module.

use awgstar_simulator::scratch::check_name;
use awgstar_simulator::{Foreign, SimError};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A design.
#[derive(Clone, Debug)]
pub struct Dut {
    /// Files of the design.
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
    /// If one is missing, a name has a control character, or that of the top is no identifier.
    pub fn new(files: &[PathBuf], includes: &[PathBuf], top: &str) -> Result<Self, SimError> {
        if files.is_empty() {
            return Err(SimError::format("--dut", "no file of the design is given"));
        }
        for name in files.iter().chain(includes) {
            check_name(name)?;
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
            return Err(SimError::format(
                "--top",
                format!("`{}` is no name of a module", top.escape_debug()),
            ));
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
        let Dut { files, includes, top } = self.clone();
        Foreign { files, includes, top }
    }
}
