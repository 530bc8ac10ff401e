//! `awgstar sim`: a ring from a scenario file on the cycle-accurate model.

use super::{CliError, CliResult, Outcome, at, number::Window, say};
use awgstar_cli::boards::programs::Report;
use awgstar_cli::scenario::systems::Job;
use awgstar_cli::scenario::{Any, FileError, Loaded, systems};
use awgstar_cli::spacetime::{Diagram, Picture, firmware, svg};
use awgstar_cli::summary::{Run, Summary};
use awgstar_cli::{boards, scenario};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fs,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar sim docs/scenarios/first.toml --svg target/first.svg\n  awgstar sim docs/scenarios/message.toml\n  awgstar sim docs/scenarios/current.toml --out target/current\n\ndocs/scenarios.md describes the file."
)]
pub(crate) struct Args {
    /// Scenario file
    scenario: PathBuf,
    /// Draw the space-time diagram to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Cycles to draw, FROM:TO
    #[arg(long, value_name = "FROM:TO", requires = "svg")]
    window: Option<Window>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Write the files of a run of a system to this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "svg")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let loaded = match load(&args.scenario)? {
        Any::Nodes(loaded) => loaded,
        Any::Boards(plan) => return run_boards(args, &plan, out),
        Any::System(job) => return run_system(args, &*job, out),
    };
    no_folder(args)?;
    let run = simulate(&loaded, args.svg.is_some())?;
    if let Some(path) = &args.svg {
        draw(path, &loaded, &run, args.window)?;
    }
    let summary = Summary::new(&loaded, &run);
    warn(summary.warnings());
    if args.json {
        let text = serde_json::to_string(&summary).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        writeln!(out, "{summary}")?;
        if let Some(path) = &args.svg {
            writeln!(out, "\nspace-time diagram: {}", path.display())?;
        }
    }
    Ok(Outcome::Holds)
}

/// A ring of boards.
fn run_boards(args: &Args, plan: &boards::Plan, out: &mut dyn Write) -> CliResult {
    no_folder(args)?;
    if args.svg.is_some() && plan.programs.is_none() {
        let what = "--svg: rings of nodes only, or boards with programs; `awgstar wave` shows what boards do";
        return Err(CliError::Usage(what.into()));
    }
    let bar = progress(plan.cycles, "cycles");
    let run = boards::Run::new(plan, &mut |cycle| bar.set_position(cycle))
        .map_err(|e| CliError::Usage(e.to_string()))?;
    bar.finish_and_clear();
    if let (Some(path), Some(ran)) = (&args.svg, &run.programs) {
        let window = args.window.map_or_else(|| ran.window(), |w| (w.from, w.to));
        let picture = firmware(&Picture {
            nodes: plan.boards.len(),
            records: &ran.records,
            hops: &[],
            window,
            title: &plan.title,
        });
        at(path.display(), fs::write(path, picture))?;
    }
    let summary = boards::Summary::new(plan, &run);
    warn(summary.warnings());
    if args.json {
        let text = serde_json::to_string(&summary).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        writeln!(out, "{summary}")?;
    }
    // What programs rely on is a check that the file asks for.
    let holds = summary.programs().map_or_else(|| summary.replicas_hold(), Report::holds);
    Ok(if holds { Outcome::Holds } else { Outcome::Failed })
}

/// A system above the ring.
fn run_system(args: &Args, job: &dyn Job, out: &mut dyn Write) -> CliResult {
    if args.svg.is_some() {
        let what = "--svg: rings of nodes only; --out FOLDER writes what a system draws";
        return Err(CliError::Usage(what.into()));
    }
    let mut report = watched(|progress| job.run(progress))?;
    warn(&report.warnings);
    if args.json {
        let warnings = serde_json::to_value(&report.warnings);
        report.json["warnings"] = warnings.map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{}", report.json)?;
    } else {
        writeln!(out, "{}", report.text)?;
    }
    if let Some(folder) = &args.out {
        let written = at(folder.display(), systems::write(folder, &report.files))?;
        // JSON is one object and nothing else.
        for path in written.iter().filter(|_| !args.json) {
            writeln!(out, "{}", path.display())?;
        }
    }
    Ok(if job.holds(&report) { Outcome::Holds } else { Outcome::Failed })
}

/// Warnings do not change the exit code.
fn warn(warnings: &[FileError]) {
    for warning in warnings {
        say(format_args!("warning: {warning}"));
    }
}

/// Runs something of a system with a progress bar.
pub(crate) fn watched<T>(
    run: impl FnOnce(&mut dyn FnMut(u64, u64)) -> Result<T, String>,
) -> Result<T, CliError> {
    let bar = progress(0, "");
    let done = run(&mut |position, length| {
        bar.set_length(length);
        bar.set_position(position);
    });
    bar.finish_and_clear();
    done.map_err(CliError::Usage)
}

fn no_folder(args: &Args) -> Result<(), CliError> {
    let what = || CliError::Usage("--out: files with the key `system` only".into());
    args.out.as_ref().map_or(Ok(()), |_| Err(what()))
}

/// Reads a scenario file.
pub(crate) fn load(path: &Path) -> Result<Any, CliError> {
    let name = path.display().to_string();
    if !path.exists() && path.starts_with("docs") {
        let what = format!(
            "{name}: not found: the scenarios of the documentation are in a checkout of the project: run the command in one, or give the path to a file"
        );
        return Err(CliError::Usage(what));
    }
    let text = at(&name, fs::read_to_string(path))?;
    scenario::read_any(&name, &text).map_err(|e| CliError::Usage(e.to_string()))
}

/// Runs it, with a progress bar on a terminal when it takes long.
pub(crate) fn simulate(loaded: &Loaded, record: bool) -> Result<Run, CliError> {
    let bar = progress(loaded.scenario.cycles, "cycles");
    let run = Run::new(&loaded.scenario, record, &mut |cycle| bar.set_position(cycle))
        .map_err(|e| CliError::Usage(e.to_string()))?;
    bar.finish_and_clear();
    Ok(run)
}

/// A progress bar on standard error, hidden when that is no terminal.
pub(crate) fn progress(length: u64, unit: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{bar:40}} {{pos}}/{{len}} {unit} {{eta}}");
    let style = ProgressStyle::with_template(&template);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

pub(crate) fn draw(
    path: &Path,
    loaded: &Loaded,
    run: &Run,
    window: Option<Window>,
) -> Result<(), CliError> {
    let window = window.map_or((0, loaded.scenario.cycles), |w| (w.from, w.to));
    let diagram = Diagram {
        fibre: loaded.scenario.fibre.clone(),
        bars: run.bars.clone(),
        window,
        title: loaded.title.clone(),
    };
    at(path.display(), fs::write(path, svg(&diagram)))
}
