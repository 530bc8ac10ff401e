// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of a testbench and of the design in it.

use crate::{Instance, Module, SimError};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Folders of the Verilog.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Folder of the testbenches.
    pub bench: PathBuf,
    /// Folder of the design, with `include/`.
    pub hdl: PathBuf,
    /// Third-party design that replaces `hdl`.
    pub foreign: Option<Foreign>,
}

/// Third-party design: its files as they are given.
#[derive(Clone, Debug, Default)]
pub struct Foreign {
    /// Files of the design, in the order in which they are compiled.
    pub files: Vec<PathBuf>,
    /// Folders of what they include.
    pub includes: Vec<PathBuf>,
    /// Name of its top module.
    pub top: String,
}

impl Sources {
    /// The design of the repository at `root`.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        Sources { bench: root.join("testbench/verilog"), hdl: root.join("hdl"), foreign: None }
    }

    /// Folders of included files.
    #[must_use]
    pub fn includes(&self) -> Vec<PathBuf> {
        let ours = || vec![self.hdl.join("include")];
        self.foreign.as_ref().map_or_else(ours, |f| f.includes.clone())
    }

    /// Testbench of `module` and the files of the design.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn files(&self, module: Module) -> Result<Vec<PathBuf>, SimError> {
        let mut files = self.design()?;
        files.insert(0, self.bench.join(format!("tb_{module}.v")));
        Ok(files)
    }

    /// The design in the testbench of `module`, the first of its files.
    #[must_use]
    pub fn instance(&self, module: Module) -> Instance {
        let ours = || module.name().to_owned();
        let module = self.foreign.as_ref().map_or_else(ours, |f| f.top.clone());
        Instance { module, benches: 1, ..Instance::default() }
    }

    /// Every `.v` file of the design, in order of their names; those of a foreign one as given.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn design(&self) -> Result<Vec<PathBuf>, SimError> {
        self.foreign.as_ref().map_or_else(|| list(&self.hdl, "v"), |f| Ok(f.files.clone()))
    }
}

/// Files of a folder with this extension, sorted.
///
/// # Errors
/// If the folder cannot be read.
pub fn list(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, SimError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(SimError::io(folder))? {
        let path = entry.map_err(SimError::io(folder))?.path();
        if path.extension().is_some_and(|e| e == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
