// SPDX-License-Identifier: MIT OR Apache-2.0
//! Modules × classes × modes on one simulator.

use crate::{Built, Class, Module, Report, RunArgs, SimError, Simulator, Sources, classes, report};
use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Settings of a co-simulation.
pub struct Options<'a> {
    /// Simulator that runs the testbenches.
    pub simulator: &'a dyn Simulator,
    /// The Verilog.
    pub sources: Sources,
    /// Classes to run; see [`classes::list`].
    pub classes: Vec<Class>,
    /// Modules to run.
    pub modules: Vec<Module>,
    /// Modes of the stimulus; `crc32` runs in the first only.
    pub modes: Vec<u32>,
    /// Seed of mode 1 and of don't-care inputs.
    pub seed: u32,
    /// Run only this vector of each class.
    pub only: Option<usize>,
    /// Folder of compiled testbenches and waves.
    pub out: PathBuf,
    /// Runs at a time.
    pub threads: usize,
    /// Write a wave of every failing vector (a second run each).
    pub waves: bool,
}

impl<'a> Options<'a> {
    /// Every class of the repository at `root`, on every module, in the modes 0 and 1.
    ///
    /// # Errors
    /// If `vectors/classes.txt` cannot be read.
    pub fn all(root: &Path, simulator: &'a dyn Simulator) -> Result<Self, SimError> {
        Ok(Options {
            simulator,
            sources: Sources::of(root),
            classes: classes::list(&root.join("vectors"))?,
            modules: Module::ALL.to_vec(),
            modes: vec![0, 1],
            seed: 1,
            only: None,
            out: root.join("target/cosim"),
            threads: thread::available_parallelism().map_or(2, usize::from),
            waves: true,
        })
    }
}

/// One run that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Module under test.
    pub module: Module,
    pub class: String,
    pub mode: u32,
    /// Vectors run.
    pub vectors: usize,
    /// Vectors that fail.
    pub failed: usize,
}

/// Result of a co-simulation.
#[derive(Debug)]
pub struct Summary {
    /// Every run with at least one vector, in order of module, class and mode.
    pub runs: Vec<Progress>,
    /// One report for each failing vector of each run.
    pub reports: Vec<Report>,
    /// Time it took, without compiling.
    pub elapsed: Duration,
}

impl Summary {
    /// Vectors run, over all modules and modes.
    #[must_use]
    pub fn vectors(&self) -> usize {
        self.runs.iter().map(|r| r.vectors).sum()
    }

    /// Vectors that fail.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.runs.iter().map(|r| r.failed).sum()
    }
}

struct Job<'a> {
    built: &'a Built,
    class: &'a Class,
    mode: u32,
}

/// Runs what `options` says; `progress` hears of every run that is over.
///
/// # Errors
/// If a simulator is missing, the Verilog does not compile, a run gives no result, or nothing
/// was run at all.
pub fn cosim(
    options: &Options<'_>,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Summary, SimError> {
    options.simulator.version()?;
    let built = parallel(options.threads, &options.modules, &|module| {
        let sim = options.simulator;
        sim.build(*module, &options.sources, &options.out)
    })?;
    let mut jobs = Vec::new();
    for built in &built {
        for class in options.classes.iter().filter(|c| c.kind == built.module.kind()) {
            let modes = match built.module {
                Module::Crc32 => options.modes.get(..1).unwrap_or_default(),
                Module::FrameTx | Module::FrameRx => options.modes.as_slice(),
            };
            jobs.extend(modes.iter().map(|&mode| Job { built, class, mode }));
        }
    }
    let start = Instant::now();
    let results = parallel(options.threads, &jobs, &|job| run_job(options, job, progress))?;
    let (runs, reports): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    let summary = Summary {
        runs: runs.into_iter().filter(|r| r.vectors > 0).collect(),
        reports: reports.into_iter().flatten().collect(),
        elapsed: start.elapsed(),
    };
    if summary.vectors() == 0 {
        return Err(SimError::NothingRun(format!(
            "{} classes, {} modules, {} modes",
            options.classes.len(),
            options.modules.len(),
            options.modes.len()
        )));
    }
    Ok(summary)
}

fn run_job(
    options: &Options<'_>,
    job: &Job<'_>,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<(Progress, Vec<Report>), SimError> {
    let args = RunArgs {
        seed: options.seed,
        only: options.only,
        ..RunArgs::new(&job.class.dir, job.mode)
    };
    let output = options.simulator.run(job.built, &args)?;
    let done = Progress {
        module: job.built.module,
        class: job.class.name.clone(),
        mode: job.mode,
        vectors: output.vectors,
        failed: output.failed,
    };
    progress(&done);
    let mut reports = Vec::new();
    for index in output.failing() {
        let mut report = Report::new(options.simulator.name(), job.class, &output, index)?;
        if options.waves {
            let folder = options.out.join("wave");
            report::wave(&mut report, options.simulator, job.built, &args, &folder)?;
        }
        reports.push(report);
    }
    Ok((done, reports))
}

/// Maps `items` with `work` on some threads; results in order, or the first error.
///
/// # Errors
/// The first error of `work`.
pub fn parallel<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: &(dyn Fn(&T) -> Result<R, SimError> + Sync),
) -> Result<Vec<R>, SimError> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R, SimError>)>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                while let Some((i, item)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    items.get(i).map(|item| (i, item))
                } {
                    let result = work(item);
                    if let Ok(mut done) = done.lock() {
                        done.push((i, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
