// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interface of a simulator, for the runners.

use crate::build::Product;
use crate::process::Task;
use crate::{Module, RunOutput, Scratch, SimError, Sources, Token, classes, output};
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

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
