//! `awgstar wave`: the waves of a run, only the window asked for.

use super::{
    CliError, CliResult, Outcome, at,
    number::Window,
    sim::{load, progress, watched},
};
use awgstar_cli::scenario::systems::Job;
use awgstar_cli::scenario::{Any, systems};
use awgstar_cli::wave;
use awgstar_cli::wave::WaveError;
use std::{
    io::Write,
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar wave docs/scenarios/first.toml --window 90:260 --nodes 1,2\n  cd target/wave && gtkwave wave.gtkw"
)]
pub(crate) struct Args {
    /// Scenario file
    scenario: PathBuf,
    /// Cycles, FROM:TO; ns, and all when left out, for files with the key `system`
    #[arg(long, value_name = "FROM:TO")]
    window: Option<Window>,
    /// Nodes or boards; all when left out
    #[arg(long, value_delimiter = ',', value_name = "N,...")]
    nodes: Vec<usize>,
    /// Folder for wave.vcd, wave.gtkw and the files with names
    #[arg(long, default_value = "target/wave")]
    out: PathBuf,
}

impl From<WaveError> for CliError {
    fn from(error: WaveError) -> Self {
        match error {
            WaveError::Scenario(e) => CliError::Usage(e.to_string()),
            WaveError::Io(source) => CliError::Io { what: "waves".into(), source },
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let loaded = load(&args.scenario)?;
    let (count, cycles) = match &loaded {
        Any::Nodes(loaded) => (loaded.scenario.nodes, loaded.scenario.cycles),
        Any::Boards(plan) => (plan.boards.len(), plan.cycles),
        Any::System(job) => return of_system(args, &**job, out),
    };
    let Some(Window { from, to }) = args.window else {
        return Err(CliError::Usage("--window FROM:TO is missing".into()));
    };
    if let Some(node) = args.nodes.iter().find(|n| **n >= count) {
        return Err(CliError::Usage(format!("--nodes: {node}: expected 0 to {}", count - 1)));
    }
    if from >= cycles {
        return Err(CliError::Usage(format!("--window: the run ends after {cycles} cycles")));
    }
    let to = to.min(cycles);
    let nodes = if args.nodes.is_empty() { (0..count).collect() } else { args.nodes.clone() };
    let window = wave::Window { from, to, nodes };
    let bar = progress(to, "cycles");
    let progress = &mut |cycle| bar.set_position(cycle);
    match &loaded {
        Any::Nodes(loaded) => wave::write(&loaded.scenario, &window, &args.out, progress)?,
        Any::Boards(plan) => wave::write_boards(plan, &window, &args.out, progress)?,
        Any::System(_) => {}
    }
    bar.finish_and_clear();
    writeln!(
        out,
        "cycles {from} to {} of {} in {folder}/wave.vcd\nlook: cd {folder} && gtkwave wave.gtkw, or surfer wave.vcd",
        to - 1,
        args.scenario.display(),
        folder = args.out.display()
    )?;
    if matches!(&loaded, Any::Boards(plan) if plan.programs.is_some()) {
        writeln!(out, "locks and barriers: gtkwave firmware.gtkw, or surfer firmware.vcd")?;
    }
    Ok(Outcome::Holds)
}

/// The waves of a system, whose time is ns.
fn of_system(args: &Args, job: &dyn Job, out: &mut dyn Write) -> CliResult {
    if !args.nodes.is_empty() {
        let what = "--nodes: rings of nodes and boards only; the waves of a system have all";
        return Err(CliError::Usage(what.into()));
    }
    let window = args.window.map(|w| (w.from, w.to));
    let files = watched(|progress| job.waves(window, progress))?;
    for path in at(args.out.display(), systems::write(&args.out, &files))? {
        writeln!(out, "{}", path.display())?;
    }
    let save =
        files.iter().find(|(name, _)| Path::new(name).extension().is_some_and(|e| e == "gtkw"));
    if let Some((save, _)) = save {
        writeln!(out, "look: cd {} && gtkwave {save}", args.out.display())?;
    }
    Ok(Outcome::Holds)
}
