// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of scenarios: one interface for every kind of scenario file.
//!
//! A scenario file becomes a [`Run`] ([`scenario::read`](crate::scenario::read)). The commands `sim` and
//! `wave` use this trait only, so an option means the same for every kind.
//!
//! ```
//! use awgstar_scenario::{run::Request, scenario};
//!
//! let text = "system = \"node-ring\"\nnodes = 3\ncycles = 900\n\
//!             [[program]]\nnodes = 1\ndo = [{ write = 0x100, hex = \"00\" }]\n";
//! let run = scenario::read("example.toml", text)?;
//! let report = run.run(&Request { picture: true, ..Request::default() }, &mut |_, _| ())?;
//! assert!(report.holds && report.text.contains("write 1 B at 0x100"));
//! assert!(report.picture.is_some_and(|(name, _)| name == "spacetime.svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod boards;
pub mod capture;
pub mod cluster;
mod fault;
mod files;
pub mod gen1;
mod lost;
pub mod mandelbrot;
pub mod nodes;
pub mod paging;
pub mod rings;
pub mod script;
mod window;

pub use crate::error::RunError;
use awgstar::quantity::Cycle;
pub use capture::Sink;
pub use files::{Artefact, Files, Folder, write_waves};
pub use window::Window;

use crate::page::Scene;
use crate::place::FileError;
use awgstar::contract::limits::CLOCK_HZ;
use serde_json::{Map, Value};
use std::fmt;

/// Called with how much of how much is done.
pub type Progress<'a> = dyn FnMut(u64, u64) + 'a;

/// A scenario that can be run. The same scenario gives the same run each time.
pub trait Run: fmt::Debug {
    /// Kind of the run, as reports name it.
    fn kind(&self) -> Kind;

    /// One line that says what it shows.
    fn title(&self) -> &str;

    /// Nodes of the ring.
    fn nodes(&self) -> usize;

    /// Runs it to its end.
    ///
    /// # Errors
    /// If the scenario is invalid in a way that only a run shows, or the window is after its end.
    fn run(&self, request: &Request<'_>, progress: &mut Progress<'_>) -> Result<Report, RunError>;

    /// Runs it as far as needed and writes its waves: VCD, a save file for `GTKWave` with the same name, and
    /// what both need.
    ///
    /// # Errors
    /// As [`Run::run`], and when a file cannot be written.
    fn waves(
        &self,
        request: &WaveRequest,
        files: &mut dyn Files,
        progress: &mut Progress<'_>,
    ) -> Result<(), RunError>;
}

/// Kinds of scenario files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A ring of nodes and the frames on it.
    Nodes,
    /// A ring of boards with their hosts.
    Boards,
    /// Generation 1 of the system.
    Generation1,
    /// The thesis' program.
    Mandelbrot,
    /// Virtual shared memory.
    Paging,
}

impl Kind {
    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Nodes => "nodes",
            Kind::Boards => "boards",
            Kind::Generation1 => "generation1",
            Kind::Mandelbrot => "mandelbrot",
            Kind::Paging => "paging",
        }
    }

    /// The run has frames of the contract on its links.
    #[must_use]
    pub const fn has_frames(self) -> bool {
        matches!(self, Kind::Nodes | Kind::Boards | Kind::Paging)
    }

    /// The usual name of its waves, without extension.
    #[must_use]
    pub const fn waves(self) -> &'static str {
        match self {
            Kind::Nodes | Kind::Boards | Kind::Generation1 => "wave",
            Kind::Mandelbrot => "mandelbrot",
            Kind::Paging => "paging",
        }
    }
}

/// Parts of a run that are wanted besides its report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    pub picture: bool,
    /// The data of a page.
    pub page: bool,
    /// Where the frames on the links go while the run goes on, of a kind of run that has them
    /// ([`Kind::has_frames`]): a capture file, which is not whole if the run fails.
    pub capture: Option<Sink<'a>>,
    /// The part of the run that they show; by default what the kind of run takes for the most telling.
    pub window: Option<Window>,
}

/// Selection of waveforms.
#[derive(Clone, Debug, Default)]
pub struct WaveRequest {
    /// The part of the run; by default what the kind of run takes for the most telling.
    pub window: Option<Window>,
    /// Nodes; none: all.
    pub nodes: Vec<usize>,
    /// Name of the files without extension; by default that of the kind.
    pub stem: Option<String>,
}

impl WaveRequest {
    /// The nodes of a ring of `count` that are shown.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn shown(&self, count: usize) -> Result<Vec<usize>, RunError> {
        if let Some(node) = self.nodes.iter().find(|node| **node >= count) {
            let most = count.saturating_sub(1);
            return Err(RunError::Invalid(format!("--nodes: {node}: expected 0 to {most}")));
        }
        let all = || (0..count).collect();
        Ok(if self.nodes.is_empty() { all() } else { self.nodes.clone() })
    }

    /// The name of the files: `usual` if the request has none.
    #[must_use]
    pub fn stem<'a>(&'a self, usual: &'a str) -> &'a str {
        self.stem.as_deref().unwrap_or(usual)
    }
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// For readers.
    pub text: String,
    /// The report for programs: an object with the keys of [`Common`] and those of the kind.
    pub json: Value,
    /// All checks of the run hold.
    pub holds: bool,
    /// Faults and events of the file that did not happen.
    pub warnings: Vec<FileError>,
    /// The picture as SVG, if it was asked for.
    pub picture: Option<Artefact>,
    /// The data of the page, if it was asked for.
    pub page: Option<Scene>,
    /// Tables, pictures and lists that only this kind of run has.
    pub files: Vec<Artefact>,
}

/// Common keys of the JSON of every kind of run.
#[derive(Debug, serde::Serialize)]
pub struct Common<'a> {
    /// [`Kind::name`].
    pub kind: &'static str,
    /// Title of the file.
    pub title: &'a str,
    /// Nodes or boards.
    pub nodes: usize,
    /// Length of the run in cycles.
    pub cycles: Cycle,
    /// Length of the run in µs.
    pub microseconds: f64,
    /// All checks of the run hold; if not, the exit code is 1.
    pub holds: bool,
    /// Faults and events of the file that did not happen.
    pub warnings: &'a [FileError],
}

impl Common<'_> {
    /// The object of these keys and of those of `report`.
    ///
    /// # Errors
    /// If `report` is no object.
    pub fn with(&self, report: &impl serde::Serialize) -> Result<Value, RunError> {
        let invalid = |e: serde_json::Error| RunError::Invalid(e.to_string());
        let mut all: Map<String, Value> = match serde_json::to_value(report).map_err(invalid)? {
            Value::Object(keys) => keys,
            other => return Err(RunError::Invalid(format!("a report is {other}"))),
        };
        if let Value::Object(keys) = serde_json::to_value(self).map_err(invalid)? {
            all.extend(keys);
        }
        Ok(Value::Object(all))
    }
}

/// The part of a window that is within a run of `end` cycles or ns, as `unit` says.
///
/// # Errors
/// If none does.
pub(crate) fn within(window: (u64, u64), end: u64, unit: &str) -> Result<(u64, u64), RunError> {
    let (from, to) = window;
    if from >= end {
        return Err(RunError::Invalid(format!("--window: the run ends after {end} {unit}")));
    }
    Ok((from, to.min(end)))
}

/// Cycles of waves when the request does not say which.
const WAVES: u64 = 2_000;

/// Cycles of a first word through a node with nothing in its way (NODE-2).
pub const HOP_CYCLES: Cycle = Cycle(4);

/// Cycles in ns.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "cycles of a run are far below 2^53")]
pub fn ns(cycles: Cycle) -> f64 {
    cycles.0 as f64 * 1e9 / CLOCK_HZ as f64
}
