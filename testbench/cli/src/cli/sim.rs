// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar sim`: a scenario of any kind on its model.

use super::whole::{self, WholeFiles};
use super::{CliError, CliResult, Outcome, at, failed, number, output, say, unfinished};
use awgstar_cli::carried;
use awgstar_scenario::page::{Scene, Waves, html, shell_words};
use awgstar_scenario::run::{
    Files, Folder, Report, Request, Run, RunError, Sink, WaveRequest, Window, capture,
};
use awgstar_scenario::scenario;
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fs,
    io::{ErrorKind, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar sim docs/scenarios/first.toml --svg target/first.svg\n  awgstar sim docs/scenarios/message.toml --svg target/message.svg --window 100us:120us\n  awgstar sim docs/scenarios/first.toml --vcd target/first.vcd --window 90:260 --nodes 1,2\n  awgstar sim docs/scenarios/frames.toml --pcapng target/frames.pcapng\n  awgstar sim docs/scenarios/generation1.toml --out target/generation1\n\ndocs/scenarios.md describes the file."
)]
pub(crate) struct Args {
    /// Scenario file
    scenario: PathBuf,
    /// Draw the picture of the run to this file
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    svg: Option<PathBuf>,
    /// Write waves to this file, with its save file beside it
    #[arg(long, value_name = "FILE.vcd", value_parser = output::vcd())]
    vcd: Option<PathBuf>,
    /// Write a page for a browser to this file: every frame, registers and time lines, with search (docs/html.md)
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    html: Option<PathBuf>,
    /// Write the frames on the links, as they arrive, to this file for Wireshark (docs/wireshark.md)
    #[arg(long, value_name = "FILE.pcapng", value_parser = output::file())]
    pcapng: Option<PathBuf>,
    /// Part of the run for pictures, pages, waves and frames: cycles, or times with ns or us
    #[arg(long, value_name = "FROM:TO")]
    window: Option<Window>,
    /// Nodes or boards of the waves; all when left out
    #[arg(long, value_delimiter = ',', value_name = "N,...", value_parser = number::within::<usize>(0..=255))]
    nodes: Vec<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Run again whenever the file changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Write every file of the run to this folder: report, picture, waves, frames, tables
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Invalid(what) => CliError::Usage(what),
            RunError::Io(source) => CliError::Io { what: "files of the run".into(), source },
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    if args.watch { watch(args, out) } else { once(args, out) }
}

/// Time between two looks at a watched file.
const LOOK: Duration = Duration::from_millis(100);

/// Runs the scenario now and after every change of its file. An error is printed; the next change may repair it.
fn watch(args: &Args, out: &mut dyn Write) -> CliResult {
    let content = || fs::read(&args.scenario).map_err(|e| e.kind());
    let mut last = None;
    loop {
        let now = content();
        if last.as_ref() == Some(&now) {
            thread::sleep(LOOK);
            continue;
        }
        // An editor may be in the middle of writing.
        if last.is_some() {
            thread::sleep(LOOK);
            if content() != now {
                continue;
            }
        }
        match once(args, out) {
            Err(CliError::Io { what, source }) if source.kind() == ErrorKind::BrokenPipe => {
                return Err(CliError::Io { what, source });
            }
            Err(error) => failed(&error, None, args.json, out)?,
            Ok(_) => {}
        }
        out.flush()?;
        say(format_args!("watching {}: Ctrl-C ends", args.scenario.display()));
        last = Some(now);
    }
}

fn once(args: &Args, out: &mut dyn Write) -> CliResult {
    let wanted = [&args.svg, &args.html, &args.vcd, &args.pcapng, &args.out];
    if args.window.is_some() && wanted.iter().all(|path| path.is_none()) {
        let what = "--window: expected --svg, --html, --vcd, --pcapng or --out with it";
        return Err(CliError::Usage(what.into()));
    }
    if !args.nodes.is_empty() && args.vcd.is_none() && args.out.is_none() {
        return Err(CliError::Usage("--nodes: expected --vcd or --out with it".into()));
    }
    let scenario = load(&args.scenario)?;
    let kind = scenario.kind();
    if args.pcapng.is_some() && !kind.has_frames() {
        let what = format!(
            "--pcapng: a run of the kind `{}` has no such frames: expected one of nodes, boards, paging",
            kind.name()
        );
        return Err(CliError::Usage(what));
    }
    let pages = pages(args);
    let name = args.scenario.display().to_string();
    unfinished::with_pages(&pages, &name, || simulate(args, &*scenario, out))
}

/// Paths of the pages that the options ask for. That of a folder that is still to be made is not there.
fn pages(args: &Args) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = args.html.clone().into_iter().collect();
    paths.extend(args.out.iter().filter(|out| out.is_dir()).map(|out| out.join("run.html")));
    paths
}

fn simulate(args: &Args, scenario: &dyn Run, out: &mut dyn Write) -> CliResult {
    let picture = args.svg.is_some() || args.out.is_some();
    let page = args.html.is_some() || args.out.is_some();
    let folder = args.out.as_ref().filter(|_| scenario.kind().has_frames());
    let folder = folder.map(|folder| folder.join(capture::FILE));
    let frames = WholeFiles::new(args.pcapng.iter().chain(&folder))?;
    let frames = Mutex::new(frames);
    let wanted = args.pcapng.is_some() || folder.is_some();
    let capture = wanted.then_some(Sink(&frames));
    let request = Request { picture, page, capture, window: args.window };
    let mut report = watched(|progress| scenario.run(&request, progress))?;
    frames.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
    for warning in &report.warnings {
        say(format_args!("warning: {warning}"));
    }
    if args.json {
        writeln!(out, "{}", report.json)?;
    } else {
        writeln!(out, "{}", report.text)?;
    }
    let page = report.page.take();
    let mut written = write_files(args, scenario, &report)?;
    if let Some(scene) = page {
        written.extend(write_page(args, scenario, &scene)?);
    }
    // JSON is one object and nothing else.
    for path in written.iter().filter(|_| !args.json) {
        writeln!(out, "{}", path.display())?;
    }
    Ok(if report.holds { Outcome::Holds } else { Outcome::Failed })
}

/// Writes what the options ask for, and says which files there are now.
fn write_files(args: &Args, scenario: &dyn Run, report: &Report) -> Result<Vec<PathBuf>, CliError> {
    let mut written = Vec::new();
    if let (Some(path), Some((_, svg))) = (&args.svg, &report.picture) {
        whole::write(path, svg)?;
        written.push(path.clone());
    }
    written.extend(args.pcapng.clone());
    let waves = WaveRequest { window: args.window, nodes: args.nodes.clone(), stem: None };
    if let Some(path) = &args.vcd {
        let folder = path.parent().unwrap_or(Path::new(""));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
        let mut folder = Folder::new(folder);
        let waves = WaveRequest { stem, ..waves.clone() };
        watched(|progress| scenario.waves(&waves, &mut folder, progress))?;
        written.extend(viewed(&folder));
    }
    if let Some(path) = &args.out {
        let mut folder = Folder::new(path);
        let json = report.json.to_string();
        let own = [("report.txt", report.text.as_bytes()), ("report.json", json.as_bytes())];
        let others = report.files.iter().chain(&report.picture);
        let others = others.map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        for (name, bytes) in own.into_iter().chain(others) {
            folder.write(name, bytes).map_err(RunError::Io)?;
        }
        if scenario.kind().has_frames() {
            folder.add(capture::FILE);
        }
        watched(|progress| scenario.waves(&waves, &mut folder, progress))?;
        written.extend(viewed(&folder));
    }
    Ok(written)
}

/// Writes the page; returns where.
fn write_page(args: &Args, scenario: &dyn Run, scene: &Scene) -> Result<Vec<PathBuf>, CliError> {
    // The folder is there by now.
    let paths = pages(args);
    for path in &paths {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let name = args.scenario.display().to_string();
        let waves = match (&args.out, &args.vcd) {
            // Beside the page are the waves of the kind.
            (Some(folder), _) if path.parent() == Some(folder) => {
                Waves { make: None, vcd: Some(format!("{}.vcd", scenario.kind().waves())) }
            }
            (_, Some(vcd)) => Waves { make: None, vcd: Some(vcd.display().to_string()) },
            _ => {
                let vcd = format!("{}.vcd", stem.unwrap_or("run"));
                let make = ["awgstar", "sim", &name, "--vcd", &vcd, "--window"];
                Waves { make: Some(shell_words(&make)), vcd: Some(vcd) }
            }
        };
        let text = html(scene, &waves)?;
        whole::write(path, text)?;
    }
    Ok(paths)
}

/// The files of a folder that the user opens.
pub(crate) fn viewed(folder: &Folder) -> impl Iterator<Item = PathBuf> {
    folder.top().map(Path::to_owned)
}

/// Does something of a run with a progress bar.
pub(crate) fn watched<T>(
    work: impl FnOnce(&mut dyn FnMut(u64, u64)) -> Result<T, RunError>,
) -> Result<T, CliError> {
    let bar = progress(0, "");
    let done = work(&mut |position, length| {
        bar.set_length(length);
        bar.set_position(position);
    });
    bar.finish_and_clear();
    Ok(done?)
}

/// Reads a scenario file.
pub(crate) fn load(path: &Path) -> Result<Box<dyn Run>, CliError> {
    let name = path.display().to_string();
    // A scenario of the documentation is carried.
    let carried = match path.to_str().filter(|_| !path.exists()) {
        Some(path) => at(path, carried::file(path))?,
        None => None,
    };
    let text = match carried.map(String::from_utf8) {
        Some(Ok(text)) => text,
        _ => at(&name, fs::read_to_string(path))?,
    };
    scenario::read(&name, &text).map_err(|e| CliError::Usage(e.to_string()))
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
