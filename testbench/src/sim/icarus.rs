//! Icarus Verilog.

use super::{
    Built, Module, RunArgs, RunOutput, SimError, Simulator, Sources, Token, process,
    simulator::{build_once, first_line, run_and_parse},
};
use std::{path::Path, process::Command, time::Duration};

/// `iverilog` and `vvp`.
#[derive(Clone, Copy, Debug)]
pub struct Icarus;

const PACKAGE: &str = "iverilog";
const BUILD_LIMIT: Duration = Duration::from_secs(60);

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
        let hash = sources.hash(module, "icarus-1")?;
        let folder = out.join("icarus").join(format!("{module}-{hash:016x}"));
        let program = folder.join("tb.vvp");
        let files = sources.files(module)?;
        build_once(&folder, |scratch| {
            let token = Token::random();
            token.save(scratch)?;
            let finished = process::run(
                Command::new("iverilog")
                    .args(["-g2012", "-Wall", &token.define(), "-c"])
                    .arg(sources.bench.join("icarus.f"))
                    .arg("-I")
                    .arg(&sources.bench)
                    .args(sources.includes().iter().flat_map(|i| ["-I".as_ref(), i.as_os_str()]))
                    .arg("-s")
                    .arg(format!("tb_{module}"))
                    .arg("-o")
                    .arg(scratch.join("tb.vvp"))
                    .args(&files),
                PACKAGE,
                BUILD_LIMIT,
            )?;
            if finished.success {
                return Ok(());
            }
            Err(SimError::build("icarus", module.name(), finished.text))
        })?;
        Ok(Built { module, program, token: Token::load(&folder)? })
    }

    fn run(&self, built: &Built, args: &RunArgs) -> Result<RunOutput, SimError> {
        let mut command = Command::new("vvp");
        command.arg("-n").arg(&built.program);
        run_and_parse(self.name(), PACKAGE, built, args, &mut command)
    }
}
