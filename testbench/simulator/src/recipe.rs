// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a compiler gets and makes.

use crate::SimError;
use crate::process::Task;
use crate::scratch::Scratch;
use std::{path::PathBuf, process::Command, time::Duration};

/// Input of a compiler: files, flags and top module.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    /// For messages and for the folder of the result.
    pub module: &'static str,
    /// Name of the top module.
    pub top: String,
    /// Flags without a name of a file.
    pub flags: Vec<String>,
    /// A command file, for Icarus.
    /// File of arguments, if the compiler takes one.
    pub commands: Option<PathBuf>,
    /// Generated files, compiled before the others: name and text.
    pub texts: Vec<(&'static str, String)>,
    pub files: Vec<PathBuf>,
    /// Folders of included files.
    pub includes: Vec<PathBuf>,
    /// The design, if it is below a testbench and must not name anything of it.
    pub instance: Option<Instance>,
}

/// The design in its testbench.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// Name of its module.
    pub module: String,
    /// Parameters, each `NAME=VALUE`.
    pub settings: Vec<String>,
    /// Number of the recipe's files that are of the testbench: the first ones.
    pub benches: usize,
}

/// Names of a recipe as programs get them.
#[derive(Debug)]
pub struct Laid {
    /// Folder of links and outputs.
    pub scratch: Scratch,
    /// File of arguments, if the compiler takes one.
    pub commands: Option<PathBuf>,
    /// Generated ones first.
    pub files: Vec<PathBuf>,
    /// Links to the folders of included files.
    pub includes: Vec<PathBuf>,
}

/// Output of a compiler.
pub struct Compiled {
    /// The file to run or load.
    pub product: PathBuf,
    /// Files it read.
    pub read: Vec<PathBuf>,
}

/// A compiler that makes a result of a recipe.
pub trait Compiler {
    /// Name in messages, Debian package, and time for each step.
    fn about(&self) -> (&'static str, &'static str, Duration);

    /// Text that identifies everything besides the recipe that the result depends on: versions of
    /// the programs, texts.
    ///
    /// # Errors
    /// If a program is missing, one that runs the result included.
    fn identity(&self) -> Result<String, SimError>;

    /// The preprocessor's command, which prints to standard output.
    fn preprocess(&self, recipe: &Recipe, laid: &Laid) -> Command;

    /// The command that elaborates and makes nothing. Warnings do not make it fail.
    fn elaborate(&self, recipe: &Recipe, laid: &Laid) -> Command;

    /// Compiles in the scratch folder.
    ///
    /// # Errors
    /// If a program is missing or the Verilog does not compile.
    fn compile(&self, recipe: &Recipe, laid: &Laid) -> Result<Compiled, SimError>;

    /// Runs a step of it.
    ///
    /// # Errors
    /// [`SimError::Build`] when it fails.
    fn step(
        &self,
        command: &mut Command,
        recipe: &Recipe,
        laid: &Laid,
    ) -> Result<String, SimError> {
        let (simulator, package, limit) = self.about();
        let doing = format!("building {}", recipe.module);
        // What the preprocessor prints is needed as a whole.
        let done = Task::new(package, limit).doing(&doing).keep_all(64 << 20).run(command)?;
        if done.success {
            return Ok(done.text);
        }
        let log = laid.scratch.names().restore(&done.text);
        Err(SimError::build(simulator, recipe.module, log))
    }
}

impl Recipe {
    /// Makes a scratch folder with plain names of everything.
    ///
    /// # Errors
    /// If a name has a control character or the folder cannot be made.
    pub fn lay_out(&self) -> Result<Laid, SimError> {
        let mut scratch = Scratch::new()?;
        let mut files = Vec::new();
        for (name, text) in &self.texts {
            files.push(scratch.write(name, text)?);
        }
        for file in &self.files {
            files.push(scratch.link(file)?);
        }
        let includes = self.includes.iter().map(|i| scratch.link(i)).collect::<Result<_, _>>()?;
        let commands = self.commands.as_ref().map(|c| scratch.link(c)).transpose()?;
        Ok(Laid { scratch, commands, files, includes })
    }
}
