//! Verilator.

use super::{
    Built, Module, RunArgs, RunOutput, SimError, Simulator, Sources, Token, process,
    simulator::{build_once, first_line, run_and_parse},
};
use std::{path::Path, process::Command, time::Duration};

/// `verilator --binary`; initial values are random.
#[derive(Clone, Copy, Debug)]
pub struct Verilator;

const PACKAGE: &str = "verilator";
const BUILD_LIMIT: Duration = Duration::from_secs(600);
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

/// Whether somebody else's design is neat is not for us to say.
const LENIENT: &[&str] = &["-Wno-lint", "-Wno-style", "-Wno-fatal"];

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
        let hash = sources.hash(module, &FLAGS.join(" "))?;
        let folder = out.join("verilator").join(format!("{module}-{hash:016x}"));
        let program = folder.join(format!("Vtb_{module}"));
        let files = sources.files(module)?;
        let lenient = sources.foreign.is_some();
        build_once(&folder, |scratch| {
            let token = Token::random();
            token.save(scratch)?;
            let finished = process::run(
                Command::new("verilator")
                    .args(FLAGS)
                    .arg(token.define())
                    .arg(format!("-I{}", sources.bench.display()))
                    .args(sources.includes().iter().map(|i| format!("-I{}", i.display())))
                    .arg("--Mdir")
                    .arg(scratch)
                    .arg("--top-module")
                    .arg(format!("tb_{module}"))
                    .args(if lenient { LENIENT } else { &[] })
                    .args(if lenient { files.iter().collect() } else { needed(&files, module) }),
                PACKAGE,
                BUILD_LIMIT,
            )?;
            if finished.success {
                return Ok(());
            }
            Err(SimError::build("verilator", module.name(), finished.text))
        })?;
        Ok(Built { module, program, token: Token::load(&folder)? })
    }

    fn run(&self, built: &Built, args: &RunArgs) -> Result<RunOutput, SimError> {
        let mut command = Command::new(&built.program);
        command.arg("+verilator+rand+reset+2").arg(format!("+verilator+seed+{}", args.seed.max(1)));
        run_and_parse(self.name(), PACKAGE, built, args, &mut command)
    }
}

/// The sources without the other modules under test: with them there would be several tops.
fn needed(files: &[std::path::PathBuf], module: Module) -> Vec<&std::path::PathBuf> {
    let other = |file: &Path| {
        let name = file.file_stem().unwrap_or_default();
        [Module::FrameTx, Module::FrameRx].into_iter().any(|m| m != module && name == m.name())
    };
    files.iter().filter(|f| !other(f)).collect()
}
