// SPDX-License-Identifier: MIT OR Apache-2.0
//! Injected bugs in the Verilog of the frames, which the golden vectors must find
//! (`testbench/mutants/hdl.toml`).

use crate::mutants;
use crate::mutants::{Mutant, Oracle, injected};
use awgstar_simulator::{
    Built, Class, Icarus, Kind, Module, RunArgs, Scratch, SimError, Simulator, Sources, classes,
};
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// Result of a mutant.
pub type Fate = mutants::Fate<Failed>;

/// The vector that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Id of the vector.
    pub vector: String,
    /// Module whose testbench found it.
    pub module: Module,
    /// Mode of the run.
    pub mode: u32,
    /// Kind of the first failure.
    pub kind: String,
}

impl mutants::Found for Failed {
    fn place(&self) -> [String; 3] {
        let Failed { vector, module, mode, kind } = self;
        [vector.clone(), format!("mode {mode}"), format!("{module} {kind}")]
    }
}

/// One run of a testbench: module, mode, class.
type Played = (Module, u32, String);

/// The golden vectors, on Icarus.
#[derive(Debug)]
pub struct Vectors {
    sources: Sources,
    classes: Vec<Class>,
    /// Runs that have found a bug, which the Verilog without bugs has passed.
    passed: Mutex<BTreeSet<Played>>,
}

impl Vectors {
    /// Those of the checkout at `root`.
    ///
    /// # Errors
    /// If Icarus is missing or a folder cannot be read.
    pub fn of(root: &Path) -> Result<Self, SimError> {
        Icarus.version()?;
        let mut classes = classes::list(&root.join("vectors"))?;
        // Short classes first: most bugs show at once.
        classes.sort_by_key(|c| {
            let size = |name| fs::metadata(c.dir.join(name)).map_or(0, |m| m.len());
            size("wire.hex") + size("tx_payload.hex")
        });
        Ok(Vectors { sources: Sources::of(root), classes, passed: Mutex::default() })
    }

    /// A run that found a bug must pass without it.
    fn control(&self, (module, mode, class): &Played) -> Result<(), SimError> {
        let played = (*module, *mode, class.clone());
        // Who needs the same waits for the first.
        let mut passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        if passed.contains(&played) {
            return Ok(());
        }
        let scratch = Scratch::new()?;
        let built = Icarus.build(*module, &self.sources, scratch.path())?;
        let killer = self.classes.iter().find(|c| c.name == *class && c.kind == module.kind());
        let fate = match killer {
            Some(class) => play(*module, &built, *mode, class)?,
            None => Some(Fate::Hung(format!("no class {class}"))),
        };
        if let Some(fate) = fate {
            let why = format!("without a bug: {fate:?}");
            return Err(SimError::format(&self.sources.hdl, why));
        }
        passed.insert(played);
        Ok(())
    }
}

impl Oracle for Vectors {
    type By = Failed;

    fn sources(&self) -> &Path {
        &self.sources.hdl
    }

    fn judge(&self, mutant: &Mutant) -> Result<Fate, SimError> {
        injected(mutant, &self.sources, |sources, out| {
            let (fate, by) = try_vectors(modules(&mutant.file), sources, out, &self.classes)?;
            by.map_or(Ok(()), |played| self.control(&played))?;
            Ok(fate)
        })
    }
}

/// The testbenches that see a file: its own, or all for what all use.
fn modules(file: &str) -> &'static [Module] {
    match file {
        "frame_tx.v" => &[Module::FrameTx],
        "frame_rx.v" => &[Module::FrameRx],
        "crc32.v" => &[Module::Crc32],
        _ => &Module::ALL,
    }
}

/// Plays all vectors until one fails; its run.
fn try_vectors(
    modules: &[Module],
    sources: &Sources,
    out: &Path,
    classes: &[Class],
) -> Result<(Fate, Option<Played>), SimError> {
    for &module in modules {
        let built = match Icarus.build(module, sources, out) {
            Err(SimError::Build { log, .. }) => return Ok((Fate::DoesNotCompile(log), None)),
            other => other?,
        };
        let modes: &[u32] = match module.kind() {
            Kind::Crc32 => &[0],
            Kind::Frame => &[0, 1],
        };
        for &mode in modes {
            for class in classes.iter().filter(|c| c.kind == module.kind()) {
                if let Some(fate) = play(module, &built, mode, class)? {
                    return Ok((fate, Some((module, mode, class.name.clone()))));
                }
            }
        }
    }
    Ok((Fate::Survived, None))
}

/// How a class fails; `None` if it passes.
fn play(module: Module, built: &Built, mode: u32, class: &Class) -> Result<Option<Fate>, SimError> {
    let args =
        RunArgs { stop: 1, limit: Duration::from_secs(60), ..RunArgs::new(&class.dir, mode) };
    match Icarus.run(built, &args) {
        Ok(output) => Ok(output.failures.first().map(|first| {
            Fate::Killed(Failed {
                vector: class.id(first.index),
                module,
                mode,
                kind: first.kind.clone(),
            })
        })),
        Err(e @ (SimError::Timeout { .. } | SimError::Flood { .. } | SimError::Output { .. })) => {
            Ok(Some(Fate::Hung(e.to_string())))
        }
        Err(e) => Err(e),
    }
}
