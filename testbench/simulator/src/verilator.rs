// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilator.

use crate::build::{build, rules_in};
use crate::recipe::{Compiled, Compiler, Laid, Recipe};
use crate::simulator::{first_line, run_and_parse};
use crate::{Built, Module, RunArgs, RunOutput, SimError, Simulator, Sources, Token, process};
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// `verilator --binary`; initial values are random.
#[derive(Clone, Copy, Debug)]
pub struct Verilator;

const PACKAGE: &str = "verilator";
const BUILD_LIMIT: Duration = Duration::from_secs(1800);
/// Folder below the scratch folder.
const OBJECTS: &str = "obj";
const FLAGS: &[&str] = &[
    "--binary",
    "--timing",
    "--trace",
    "-Wall",
    "-O3",
    "-CFLAGS",
    "-O1",
    "--timescale",
    "1ns/1ns",
    "--x-initial",
    "unique",
    "--x-assign",
    "unique",
    "-j",
    "2",
];

/// Flags for third-party designs: style warnings are not errors.
const LENIENT: &[&str] = &["-Wno-lint", "-Wno-style", "-Wno-fatal"];

/// A command with what both the preprocessor and the compiler need.
fn verilator<'a>(flags: impl Iterator<Item = &'a str>, recipe: &Recipe, laid: &Laid) -> Command {
    let mut command = Command::new("verilator");
    command.args(flags).args(["--top-module", &recipe.top]);
    command.args(laid.includes.iter().map(|i| format!("-I{}", i.display())));
    command.arg("--Mdir").arg(laid.scratch.path().join(OBJECTS)).args(&laid.files);
    command
}

/// Runs Verilator, and gives the folder of what it makes.
///
/// # Errors
/// If it is missing or the Verilog does not compile.
pub fn verilate(
    compiler: &dyn Compiler,
    recipe: &Recipe,
    laid: &Laid,
) -> Result<PathBuf, SimError> {
    let mut command = verilator(recipe.flags.iter().map(String::as_str), recipe, laid);
    compiler.step(&mut command, recipe, laid)?;
    Ok(laid.scratch.path().join(OBJECTS))
}

/// The preprocessor alone, with the macros that the flags set.
pub fn preprocessor(recipe: &Recipe, laid: &Laid) -> Command {
    let flags = recipe.flags.iter().filter_map(|flag| match flag.as_str() {
        "--build" | "--exe" => None,
        "--binary" => Some("--timing"),
        flag => Some(flag),
    });
    verilator(flags.chain(["-E"]), recipe, laid)
}

/// Versions of Verilator and of the compiler behind it.
///
/// # Errors
/// If one is missing.
pub fn versions() -> Result<String, SimError> {
    let limit = Duration::from_secs(10);
    let compiler = process::run(Command::new("g++").arg("--version"), "g++", limit)?;
    Ok(Verilator.version()? + "; " + &first_line(&compiler.text))
}

/// Elaboration alone, in which no warning is an error.
pub fn elaborator(recipe: &Recipe, laid: &Laid) -> Command {
    let flags = recipe.flags.iter().filter_map(|flag| match flag.as_str() {
        "--build" | "--exe" => None,
        "--binary" => Some("--timing"),
        flag => Some(flag),
    });
    verilator(flags.chain(["--lint-only"]).chain(LENIENT.iter().copied()), recipe, laid)
}

impl Compiler for Verilator {
    fn about(&self) -> (&'static str, &'static str, Duration) {
        ("verilator", PACKAGE, BUILD_LIMIT)
    }

    fn identity(&self) -> Result<String, SimError> {
        versions()
    }

    fn preprocess(&self, recipe: &Recipe, laid: &Laid) -> Command {
        preprocessor(recipe, laid)
    }

    fn elaborate(&self, recipe: &Recipe, laid: &Laid) -> Command {
        elaborator(recipe, laid)
    }

    fn compile(&self, recipe: &Recipe, laid: &Laid) -> Result<Compiled, SimError> {
        let folder = verilate(self, recipe, laid)?;
        let read = rules_in(&folder)?;
        Ok(Compiled { product: folder.join(format!("V{}", recipe.top)), read })
    }
}

impl Simulator for Verilator {
    fn name(&self) -> &'static str {
        "verilator"
    }

    fn version(&self) -> Result<String, SimError> {
        let limit = Duration::from_secs(10);
        let found = process::run(Command::new("verilator").arg("--version"), PACKAGE, limit)?;
        Ok(first_line(&found.text))
    }

    fn build(&self, module: Module, sources: &Sources, out: &Path) -> Result<Built, SimError> {
        let files = sources.files(module)?;
        let lenient = sources.foreign.is_some();
        let mut includes = sources.includes();
        includes.insert(0, sources.bench.clone());
        let flags = strings(FLAGS).chain(strings(if lenient { LENIENT } else { &[] }));
        let recipe = Recipe {
            module: module.name(),
            top: format!("tb_{module}"),
            flags: flags.chain([Token::define_place()]).collect(),
            files: if lenient { files } else { needed(files, module) },
            includes,
            instance: Some(sources.instance(module)),
            ..Recipe::default()
        };
        Ok(Built { module, program: build(self, &recipe, out)? })
    }

    fn run(&self, built: &Built, args: &RunArgs) -> Result<RunOutput, SimError> {
        let mut command = Command::new(&built.program.file);
        command.arg("+verilator+rand+reset+2").arg(format!("+verilator+seed+{}", args.seed.max(1)));
        run_and_parse(self.name(), PACKAGE, built, args, &mut command)
    }
}

/// Flags as a recipe has them.
pub fn strings(flags: &[&str]) -> impl Iterator<Item = String> {
    flags.iter().map(|&f| f.to_owned())
}

/// The sources without the other modules under test: with them there would be several tops.
fn needed(mut files: Vec<PathBuf>, module: Module) -> Vec<PathBuf> {
    files.retain(|file| {
        let name = file.file_stem().unwrap_or_default();
        ![Module::FrameTx, Module::FrameRx].into_iter().any(|m| m != module && name == m.name())
    });
    files
}
