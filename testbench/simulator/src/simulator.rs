// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interface of a simulator, for the runners.

use crate::build::Product;
use crate::process::Task;
use crate::{Instance, Module, RunOutput, Scratch, SimError, Token, classes, output};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
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

/// A compiled testbench.
#[derive(Clone, Debug)]
pub struct Built {
    /// Module under test.
    pub module: Module,
    /// Program to run.
    pub program: Product,
}

/// One run of one class.
#[derive(Clone, Debug)]
pub struct RunArgs {
    /// Folder of the class; any folder in the format of `vectors/FORMAT.md` will do.
    pub dir: PathBuf,
    /// 0 back to back, 1 pseudo-random gaps, 2 long idle.
    pub mode: u32,
    /// Seed of the gaps, of don't-care inputs and of initial values.
    pub seed: u32,
    /// Run only this vector.
    pub only: Option<usize>,
    /// Failing vectors after which the run ends.
    pub stop: u32,
    /// Dump waves to this file.
    pub vcd: Option<PathBuf>,
    /// Dump the resets before the vectors too.
    pub vcd_all: bool,
    /// Time after which the run is ended.
    pub limit: Duration,
}

impl RunArgs {
    /// All vectors of `dir`, no waves.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>, mode: u32) -> Self {
        RunArgs {
            dir: dir.into(),
            mode,
            seed: 1,
            only: None,
            stop: 10,
            vcd: None,
            vcd_all: false,
            limit: Duration::from_secs(120),
        }
    }

    /// Adds the plusargs of the testbench to `command`.
    pub fn plusargs<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let mut arg = format!("+dir={}", self.dir.display());
        command.arg(&arg);
        for (name, value) in [("mode", self.mode), ("seed", self.seed), ("stop", self.stop)] {
            arg.clear();
            let _ = write!(arg, "+{name}={value}");
            command.arg(&arg);
        }
        if let Some(only) = self.only {
            command.arg(format!("+only={only}"));
        }
        if let Some(vcd) = &self.vcd {
            command.arg(format!("+vcd={}", vcd.display()));
        }
        if self.vcd_all {
            command.arg("+vcd_all");
        }
        command
    }
}

/// A Verilog simulator.
pub trait Simulator: Sync {
    /// Name on the command line and in reports.
    fn name(&self) -> &'static str;

    /// Version of what is installed: also the probe for `doctor`.
    ///
    /// # Errors
    /// [`SimError::Missing`] when it is not installed.
    fn version(&self) -> Result<String, SimError>;

    /// Compiles the testbench of `module` below `out`, unless the same sources are there already.
    ///
    /// # Errors
    /// If the simulator is missing or the Verilog does not compile.
    fn build(&self, module: Module, sources: &Sources, out: &Path) -> Result<Built, SimError>;

    /// Runs a compiled testbench.
    ///
    /// # Errors
    /// If it cannot be run, hangs, or prints something else than its grammar.
    fn run(&self, built: &Built, args: &RunArgs) -> Result<RunOutput, SimError>;
}

/// Every simulator.
#[must_use]
pub fn all() -> [&'static dyn Simulator; 2] {
    [&crate::Icarus, &crate::Verilator]
}

/// The simulator of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Simulator> {
    all().into_iter().find(|s| s.name() == name)
}

/// The first line that is not empty.
#[must_use]
pub fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

/// Runs `command` and parses what it printed.
///
/// # Errors
/// If the program is missing, does not end, or gives no verdict.
pub fn run_and_parse(
    simulator: &'static str,
    package: &'static str,
    built: &Built,
    args: &RunArgs,
    command: &mut Command,
) -> Result<RunOutput, SimError> {
    let mut scratch = Scratch::new()?;
    let mut plain = RunArgs { dir: scratch.link(&args.dir)?, ..args.clone() };
    if let Some(vcd) = &args.vcd {
        plain.vcd = Some(scratch.link(vcd)?);
    }
    let doing = format!("running {}", built.module);
    let task = Task::new(package, args.limit).doing(&doing);
    let finished = task.run(plain.plusargs(command))?;
    let text = scratch.names().restore(&built.program.names.restore(&finished.text));
    let applying = classes::applying(&args.dir, built.module, args.only)?;
    let token = Token::load(built.program.file.parent().unwrap_or(&built.program.file))?;
    output::parse(&text, &token)
        .and_then(|output| output.complete(applying, args.stop as usize))
        .map_err(|source| {
            if SimError::is_of_the_machine(&text) {
                return SimError::Machine { program: simulator.into(), tail: text };
            }
            let (module, class) = (built.module.name(), args.dir.display().to_string());
            SimError::Output { simulator, module, class, source }
        })
}
