//! Deliberate bugs in the Verilog, which the golden vectors must find (`testbench/mutants/hdl.toml`).

pub mod blocks;
pub mod firmware;
pub mod machines;
mod mirror;
pub mod selection;

use awgstar_simulator::cosim::parallel;
use awgstar_simulator::{
    Class, Icarus, Kind, Module, RunArgs, Scratch, SimError, Simulator, Sources, classes,
};
use serde::Deserialize;
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// One deliberate bug.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Its name.
    pub id: String,
    /// File below `hdl/`.
    pub file: String,
    /// Text that occurs exactly once in the file.
    pub find: String,
    /// What stands there instead.
    pub replace: String,
    /// The mistake a person would make.
    pub story: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutant: Vec<Mutant>,
}

impl Mutant {
    /// `good` with the bug in it.
    ///
    /// # Errors
    /// How often `find` occurs, when that is not once.
    pub fn put_into(&self, good: &str) -> Result<String, usize> {
        match good.matches(&self.find).count() {
            1 => Ok(good.replacen(&self.find, &self.replace, 1)),
            count => Err(count),
        }
    }

    /// A copy of the Verilog in `folder`, with the bug in it.
    pub(crate) fn plant(
        &self,
        sources: &Sources,
        folder: &Path,
    ) -> Result<Result<Sources, usize>, SimError> {
        let hdl = folder.join("hdl");
        copy(&sources.hdl, &hdl)?;
        let file = hdl.join(&self.file);
        let text = fs::read_to_string(&file).map_err(SimError::io(&file))?;
        match self.put_into(&text) {
            Ok(text) => fs::write(&file, text).map_err(SimError::io(&file))?,
            Err(count) => return Ok(Err(count)),
        }
        Ok(Ok(Sources { bench: sources.bench.clone(), hdl, foreign: None }))
    }
}

/// What became of a mutant; `By` is what found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate<By> {
    /// Found.
    Killed(By),
    /// Found as well: a run did not end, or ended without a result.
    Hung(String),
    /// Nothing found it: the checks have a hole.
    Survived,
    /// It does not compile: a mistake in the list.
    DoesNotCompile(String),
    /// `find` does not occur exactly once (how often it does): a mistake in the list.
    NoMatch(usize),
}

impl<By> Fate<By> {
    /// Found.
    #[must_use]
    pub fn killed(&self) -> bool {
        matches!(self, Fate::Killed(_) | Fate::Hung(_))
    }
}

/// A sentence for each that is not found.
#[must_use]
pub fn told<By: std::fmt::Debug>(mutants: &[Mutant], fates: &[Fate<By>]) -> Vec<String> {
    let missed = mutants.iter().zip(fates).filter(|(_, fate)| !fate.killed());
    missed
        .map(|(mutant, fate)| {
            let why = match fate {
                Fate::DoesNotCompile(log) => format!("does not compile: {log}"),
                other => format!("{other:?}"),
            };
            format!("{} ({}): {why}", mutant.id, mutant.story)
        })
        .collect()
}

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

/// Reads a list of mutants.
///
/// # Errors
/// When the file cannot be read, or an id occurs twice.
pub fn read(path: &Path) -> Result<Vec<Mutant>, SimError> {
    let text = fs::read_to_string(path).map_err(SimError::io(path))?;
    let list: List = toml::from_str(&text).map_err(|e| SimError::format(path, e.to_string()))?;
    for (i, m) in list.mutant.iter().enumerate() {
        if list.mutant[..i].iter().any(|o| o.id == m.id) {
            return Err(SimError::format(path, format!("`{}` occurs twice", m.id)));
        }
    }
    Ok(list.mutant)
}

/// How often the `find` of each mutant occurs in its file below `hdl`, where that is not once.
///
/// # Errors
/// When a file cannot be read.
pub fn unmatched<'a>(
    mutants: &'a [Mutant],
    hdl: &Path,
) -> Result<Vec<(&'a Mutant, usize)>, SimError> {
    let mut out = Vec::new();
    for mutant in mutants {
        let path = hdl.join(&mutant.file);
        let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
        if let Err(count) = mutant.put_into(&text) {
            out.push((mutant, count));
        }
    }
    Ok(out)
}

/// Where to find things and where to work.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The Verilog without bugs.
    pub sources: Sources,
    /// Folder of all vectors.
    pub vectors: PathBuf,
    /// Scratch folder.
    pub out: PathBuf,
    /// Mutants at a time.
    pub threads: usize,
}

impl Setting {
    /// The repository at `root`.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        Setting {
            sources: Sources::of(root),
            vectors: root.join("vectors"),
            out: root.join("target/cosim/mutants"),
            threads: 2,
        }
    }
}

/// Runs every mutant with Icarus until a vector fails. Fates come in the order of the mutants.
///
/// # Errors
/// When Icarus is missing, a file cannot be read or written, or the Verilog without bugs fails.
pub fn run(
    mutants: &[Mutant],
    setting: &Setting,
    progress: &(dyn Fn(&Mutant, &Fate<Failed>) + Sync),
) -> Result<Vec<Fate<Failed>>, SimError> {
    Icarus.version()?;
    let mut classes = classes::list(&setting.vectors)?;
    // Short classes first: most bugs show at once.
    classes.sort_by_key(|c| {
        let size = |name| fs::metadata(c.dir.join(name)).map_or(0, |m| m.len());
        size("wire.hex") + size("tx_payload.hex")
    });
    baseline(setting, &classes)?;
    parallel(setting.threads, mutants, &|mutant| {
        let fate = run_one(mutant, setting, &classes)?;
        progress(mutant, &fate);
        Ok(fate)
    })
}

/// The Verilog without bugs must pass, or else every mutant would count as found.
fn baseline(setting: &Setting, classes: &[Class]) -> Result<(), SimError> {
    let out = setting.out.join("baseline");
    let fates = parallel(setting.threads, &Module::ALL, &|&module| {
        try_vectors(&[module], &setting.sources, &out, classes)
    })?;
    match fates.into_iter().find(|fate| *fate != Fate::Survived) {
        None => Ok(()),
        Some(fate) => Err(SimError::format(
            &setting.sources.hdl,
            format!("the Verilog without bugs fails: {fate:?}"),
        )),
    }
}

fn run_one(
    mutant: &Mutant,
    setting: &Setting,
    classes: &[Class],
) -> Result<Fate<Failed>, SimError> {
    let scratch = Scratch::new()?;
    match mutant.plant(&setting.sources, scratch.path())? {
        Ok(sources) => try_vectors(modules(&mutant.file), &sources, scratch.path(), classes),
        Err(count) => Ok(Fate::NoMatch(count)),
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
) -> Result<Fate<Failed>, SimError> {
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

/// Copies a folder with all below it.
fn copy(from: &Path, to: &Path) -> Result<(), SimError> {
    fs::create_dir_all(to).map_err(SimError::io(to))?;
    for entry in fs::read_dir(from).map_err(SimError::io(from))? {
        let path = entry.map_err(SimError::io(from))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(SimError::io(&path))?;
        }
    }
    Ok(())
}
