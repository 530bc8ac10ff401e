// SPDX-License-Identifier: MIT OR Apache-2.0
//! Icarus Verilog.

use crate::build::build;
use crate::recipe::{Compiled, Compiler, Laid, Recipe};
use crate::simulator::{first_line, run_and_parse};
use crate::{Built, Module, RunArgs, RunOutput, SimError, Simulator, Sources, Token, process};
use std::{fs, path::Path, process::Command, time::Duration};

/// `iverilog` and `vvp`.
#[derive(Clone, Copy, Debug)]
pub struct Icarus;

const PACKAGE: &str = "iverilog";

/// The command with everything but what is to come out.
fn iverilog(recipe: &Recipe, laid: &Laid) -> Command {
    let mut command = Command::new("iverilog");
    command.args(&recipe.flags).args(["-s", &recipe.top]);
    if let Some(file) = &laid.commands {
        command.arg("-c").arg(file);
    }
    for include in &laid.includes {
        command.arg("-I").arg(include);
    }
    command.args(&laid.files);
    command
}

impl Compiler for Icarus {
    fn about(&self) -> (&'static str, &'static str, Duration) {
        ("icarus", PACKAGE, Duration::from_secs(300))
    }

    fn identity(&self) -> Result<String, SimError> {
        self.version()
    }

    fn preprocess(&self, recipe: &Recipe, laid: &Laid) -> Command {
        let mut command = iverilog(recipe, laid);
        command.args(["-E", "-o", "-"]);
        command
    }

    fn elaborate(&self, recipe: &Recipe, laid: &Laid) -> Command {
        let mut command = iverilog(recipe, laid);
        command.args(["-t", "null", "-o", "/dev/null"]);
        command
    }

    fn compile(&self, recipe: &Recipe, laid: &Laid) -> Result<Compiled, SimError> {
        let folder = laid.scratch.path();
        let (product, list) = (folder.join("tb.vvp"), folder.join("read"));
        let mut command = iverilog(recipe, laid);
        command.arg(format!("-Mall={}", list.display())).arg("-o").arg(&product);
        self.step(&mut command, recipe, laid)?;
        let read = fs::read_to_string(&list).map_err(SimError::io(&list))?;
        Ok(Compiled { product, read: read.lines().map(Into::into).collect() })
    }
}

impl Simulator for Icarus {
    fn name(&self) -> &'static str {
        "icarus"
    }

    fn version(&self) -> Result<String, SimError> {
        let limit = Duration::from_secs(10);
        process::run(Command::new("vvp").arg("-V"), PACKAGE, limit)?;
        let found = process::run(Command::new("iverilog").arg("-V"), PACKAGE, limit)?;
        Ok(first_line(&found.text))
    }

    fn build(&self, module: Module, sources: &Sources, out: &Path) -> Result<Built, SimError> {
        let mut includes = sources.includes();
        includes.insert(0, sources.bench.clone());
        let recipe = Recipe {
            module: module.name(),
            top: format!("tb_{module}"),
            flags: vec!["-g2012".into(), "-Wall".into(), Token::define_place()],
            commands: Some(sources.bench.join("icarus.f")),
            files: sources.files(module)?,
            includes,
            instance: Some(sources.instance(module)),
            ..Recipe::default()
        };
        Ok(Built { module, program: build(self, &recipe, out)? })
    }

    fn run(&self, built: &Built, args: &RunArgs) -> Result<RunOutput, SimError> {
        let mut command = Command::new("vvp");
        command.arg("-n").arg(&built.program.file);
        run_and_parse(self.name(), PACKAGE, built, args, &mut command)
    }
}
