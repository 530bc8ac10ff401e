// SPDX-License-Identifier: MIT OR Apache-2.0
//! Injected bugs in the Verilog of the frames, which the golden vectors must find
//! (`testbench/mutants/hdl.toml`).

use crate::mutants;
use crate::mutants::{Mutant, Oracle, injected};
use awgstar_simulator::cosim::parallel;
use awgstar_simulator::{
    Class, Icarus, Kind, Module, RunArgs, Scratch, SimError, Simulator, Sources, classes,
};
use std::{fs, path::Path, time::Duration};

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

/// The golden vectors, on Icarus.
#[derive(Clone, Debug)]
pub struct Vectors {
    sources: Sources,
    classes: Vec<Class>,
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
        Ok(Vectors { sources: Sources::of(root), classes })
    }
}

impl Oracle for Vectors {
    type By = Failed;

    fn sources(&self) -> &Path {
        &self.sources.hdl
    }

    fn baseline(&self) -> Result<Result<(), String>, SimError> {
        let scratch = Scratch::new()?;
        let fates = parallel(Self::THREADS, &Module::ALL, &|&module| {
            try_vectors(&[module], &self.sources, scratch.path(), &self.classes)
        })?;
        let failed = fates.into_iter().find(|fate| *fate != Fate::Survived);
        Ok(failed.map_or(Ok(()), |fate| Err(format!("{fate:?}"))))
    }

    fn judge(&self, mutant: &Mutant) -> Result<Fate, SimError> {
        injected(mutant, &self.sources, |sources, out| {
            try_vectors(modules(&mutant.file), sources, out, &self.classes)
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

fn try_vectors(
    modules: &[Module],
    sources: &Sources,
    out: &Path,
    classes: &[Class],
) -> Result<Fate, SimError> {
    for &module in modules {
        let built = match Icarus.build(module, sources, out) {
            Err(SimError::Build { log, .. }) => return Ok(Fate::DoesNotCompile(log)),
            other => other?,
        };
        let modes: &[u32] = match module.kind() {
            Kind::Crc32 => &[0],
            Kind::Frame => &[0, 1],
        };
        for &mode in modes {
            for class in classes.iter().filter(|c| c.kind == module.kind()) {
                let args = RunArgs {
                    stop: 1,
                    limit: Duration::from_secs(60),
                    ..RunArgs::new(&class.dir, mode)
                };
                match Icarus.run(&built, &args) {
                    Ok(output) => {
                        if let Some(first) = output.failures.first() {
                            return Ok(Fate::Killed(Failed {
                                vector: class.id(first.index),
                                module,
                                mode,
                                kind: first.kind.clone(),
                            }));
                        }
                    }
                    Err(
                        e @ (SimError::Timeout { .. }
                        | SimError::Flood { .. }
                        | SimError::Output { .. }),
                    ) => return Ok(Fate::Hung(e.to_string())),
                    Err(e) => return Err(e),
                }
            }
        }
    }
    Ok(Fate::Survived)
}
