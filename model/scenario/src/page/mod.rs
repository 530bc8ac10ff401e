// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a run: its data, made from the records that pictures are made of. `docs/html.md` describes the
//! page, `testbench/draw/src/page` has what is the same in all pages.

mod frames;
mod lanes;
mod limits;
mod registers;
mod style;

pub use limits::{CHANGES_MAX, DATA_MAX, FRAMES_MAX, LANES_MAX};
pub use registers::{BOARD, NODE, Probe, RegisterLog};

use crate::error::RunError;
use crate::spacetime::trains::{TrainFrame, trains};
use crate::spacetime::{Diagram, Picture};
use frames::Frames;
use lanes::{Lines, Notes, Spans};
use registers::Registers;
use serde::Serialize;

/// Most bytes of the report in a page.
const REPORT_MAX: usize = 200_000;

/// Unit of time of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Cycles of the link clock.
    Cycle,
    /// Nanoseconds.
    Ns,
}

/// Data of a page.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    /// Version of this format.
    format: u32,
    /// Kind of the run.
    kind: String,
    title: String,
    unit: Unit,
    /// Hz of the link clock, and the ps of a cycle in waves.
    clock_hz: u64,
    period_ps: u64,
    /// First moment of the page and the one after the last.
    window: (u64, u64),
    /// Names of the columns.
    nodes: Vec<String>,
    /// The column of each node.
    #[serde(skip)]
    columns: Vec<usize>,
    /// Delay of each link in the unit of time; empty without frames.
    fibre: Vec<u32>,
    frames: Option<Frames>,
    registers: Option<Registers>,
    spans: Spans,
    lines: Lines,
    notes: Notes,
    /// Parts of the run that are left out, each a sentence.
    left_out: Vec<String>,
    /// All checks of the run hold; `None` if it has none.
    holds: Option<bool>,
    /// The outcome in words; empty if `holds` says all.
    verdict: String,
    report: String,
}

impl Scene {
    /// A page without anything on it yet.
    #[must_use]
    pub fn new(kind: &str, title: &str, unit: Unit, nodes: usize, window: (u64, u64)) -> Scene {
        Scene {
            format: 1,
            kind: kind.into(),
            title: title.into(),
            unit,
            clock_hz: awgstar::contract::limits::CLOCK_HZ,
            period_ps: crate::wave::PERIOD_PS,
            window,
            nodes: (0..nodes).map(|node| format!("node {node}")).collect(),
            columns: (0..nodes).collect(),
            fibre: Vec::new(),
            frames: None,
            registers: None,
            spans: Spans::default(),
            lines: Lines::default(),
            notes: Notes::default(),
            left_out: Vec::new(),
            holds: None,
            verdict: String::new(),
            report: String::new(),
        }
    }

    /// Another kind and title.
    pub fn rename(&mut self, kind: &str, title: &str) {
        (self.kind, self.title) = (kind.into(), title.into());
    }

    /// The nodes in the order of their columns, and what their names begin with.
    pub(crate) fn order_columns(&mut self, kind: &str, order: &[usize]) {
        self.nodes = order.iter().map(|node| format!("{kind} {node}")).collect();
        self.columns = vec![0; order.len()];
        for (column, node) in order.iter().enumerate() {
            self.columns[*node] = column;
        }
    }

    /// The frames of a diagram that lie in the window, and their bytes.
    pub(crate) fn add_frames(&mut self, diagram: &Diagram, contents: &[Box<[u8]>]) {
        self.fibre.clone_from(&diagram.fibre);
        let (frames, left) = Frames::of(diagram, contents, self.window);
        self.left_out.extend(left);
        self.frames = Some(frames);
    }

    /// The trains of generation 1.
    pub fn add_gen1(&mut self, records: &[awgstar_thesis::gen1::record::Record]) {
        self.add_trains(&trains(records).collect::<Vec<_>>());
    }

    fn add_trains(&mut self, frames: &[TrainFrame]) {
        let (frames, left) = Frames::of_trains(frames, self.nodes.len(), self.window);
        self.left_out.extend(left);
        self.fibre = vec![0; self.nodes.len()];
        self.frames = Some(frames);
    }

    /// Frames after this moment were not recorded.
    pub(crate) fn frames_end(&mut self, at: u64) {
        if at < self.window.1 {
            if let Some(frames) = &mut self.frames {
                frames.until = Some(frames.until.map_or(at, |until| until.min(at)));
            }
            self.left_out.push(format!(
                "Frames from cycle {at} on: a page has {FRAMES_MAX} at most. --window selects a part of the run."
            ));
        }
    }

    /// What was recorded of registers.
    pub(crate) fn add_registers<S>(&mut self, log: RegisterLog<S>) {
        let registers = log.finish(self.window.1);
        if registers.until < self.window.1 {
            self.left_out.push(format!(
                "Registers from cycle {} on: a page has {CHANGES_MAX} changes at most.",
                registers.until
            ));
        }
        self.registers = Some(registers);
    }

    /// Time lines of processes on firmware, the signals between them, and the states of the firmware.
    pub(crate) fn add_firmware(&mut self, picture: &Picture<'_>) {
        for (from, to, node, style, text) in lanes::activities_of(picture) {
            self.add_span(node, (from, to), style, text);
        }
        self.add_signals(picture);
    }

    /// The signals between hosts and the states of the firmware.
    pub(crate) fn add_signals(&mut self, picture: &Picture<'_>) {
        let window = self.window;
        self.lines = Lines::of(picture, window, &self.columns);
        for record in picture.records {
            if let Some(state) = crate::spacetime::state(&record.what) {
                self.add_note(record.node.index(), record.cycle.0, state);
            }
        }
    }

    /// An activity of a node from one moment to before another.
    pub fn add_span(
        &mut self,
        node: usize,
        (from, to): (u64, u64),
        (name, colour): (&str, &str),
        text: String,
    ) {
        if to > self.window.0 && from < self.window.1 && to > from {
            self.spans.add(self.columns[node], from, to, name, colour, text);
        }
    }

    /// Something that the page does not have, as a sentence.
    pub fn leave_out(&mut self, what: &str) {
        self.left_out.push(what.into());
    }

    /// First moment and the one after the last.
    #[must_use]
    pub fn window(&self) -> (u64, u64) {
        self.window
    }

    /// Unit of its moments.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// A line from a node at a moment to a node at a later one.
    pub fn add_line(&mut self, from: (usize, u64), to: (usize, u64), text: String) {
        if to.1 > self.window.0 && from.1 < self.window.1 {
            let column = |end: (usize, u64)| (self.columns[end.0], end.1);
            self.lines.add(column(from), column(to), text, false);
        }
    }

    /// A text beside a node at a moment.
    pub(crate) fn add_note(&mut self, node: usize, at: u64, text: &str) {
        if (self.window.0..self.window.1).contains(&at) && !text.is_empty() {
            self.notes.add(self.columns[node], at, text);
        }
    }

    /// The report of the run, and whether its checks hold; `None` if it has none.
    pub fn add_report(&mut self, text: &str, holds: Option<bool>) {
        let mut end = text.len().min(REPORT_MAX);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.report = text[..end].trim_end().into();
        if end < text.len() {
            self.report.push_str("\n...");
        }
        self.holds = holds;
    }

    /// The outcome in words, beside whether the checks hold.
    pub fn set_verdict(&mut self, text: &str) {
        self.verdict = text.into();
    }

    /// The whole data: lanes in the order of time, no more than there is room for.
    fn finished(mut self) -> Scene {
        let lanes = [
            ("Time lines", self.spans.finish(LANES_MAX)),
            ("Signals", self.lines.finish(LANES_MAX)),
            ("Notes", self.notes.finish(LANES_MAX)),
        ];
        for (name, end) in lanes {
            self.left_out.extend(end.map(|at| {
                let unit = if self.unit == Unit::Cycle { "cycle" } else { "ns" };
                format!("{name} from {unit} {at} on: a page has {LANES_MAX} of each at most.")
            }));
        }
        self
    }
}

/// Where the waves of a run are, for the same moment in a viewer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Waves {
    /// Command that writes them; none if they are written already.
    pub make: Option<String>,
    /// Name of the VCD; the save file of `GTKWave` has the same stem. None: the run has no waves.
    pub vcd: Option<String>,
}

/// Words of a command line for a POSIX shell.
#[must_use]
pub fn shell_words(words: &[&str]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    let quoted = |word: &&str| {
        if !word.is_empty() && word.chars().all(plain) {
            (*word).to_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// The page of a run.
///
/// # Errors
/// If the data cannot be written as JSON.
pub fn html(scene: &Scene, waves: &Waves) -> Result<String, RunError> {
    #[derive(Serialize)]
    struct Data<'a> {
        #[serde(flatten)]
        scene: Scene,
        waves: &'a Waves,
    }
    let scene = scene.clone().finished();
    let title = if scene.title.is_empty() { scene.kind.clone() } else { scene.title.clone() };
    let json = serde_json::to_string(&Data { scene, waves })
        .map_err(|e| RunError::Invalid(e.to_string()))?;
    Ok(awgstar_draw::page::run(&title, &json))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_a_shell_is_one_word() {
        assert_eq!(shell_words(&["sim", "a b.toml", "it's", ""]), "sim 'a b.toml' 'it'\\''s' ''");
        assert_eq!(shell_words(&["$(rm x)", "docs/a.toml"]), "'$(rm x)' docs/a.toml");
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let mut scene = Scene::new("nodes", "", Unit::Ns, 1, (0, 10_000_000));
        for at in 0..LANES_MAX as u64 + 2 {
            scene.add_note(0, 100 * at, "x");
        }
        scene.add_note(0, 10_000_000, "outside");
        scene.add_report(&"ä".repeat(REPORT_MAX), Some(false));
        let scene = scene.finished();
        assert_eq!(scene.left_out, ["Notes from ns 5000000 on: a page has 50000 of each at most."]);
        assert!(scene.report.len() <= REPORT_MAX + 4 && scene.report.ends_with("\n..."));
    }
}
