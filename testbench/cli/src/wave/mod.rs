//! Waves of a run of the model: only the cycles asked for, every register by its Verilog name, and
//! what stands on each link as a frame's fields.

mod firmware;
mod link;
pub mod paging;
mod save;

pub use awgstar_draw::{Change, Changes, name_files};
pub use firmware::{firmware, firmware_with};

use link::{Link, Word, bits};

use crate::boards::{Plan, Run};
use awgstar::{
    contract::limits::CLOCK_HZ,
    ring::{Ring, Scenario, ScenarioError},
    rtl::{
        RingNode, Smb,
        ring_node::Outputs,
        smb,
        state::{Layout, Ports, State},
    },
};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};
use vcd::{IdCode, TimescaleUnit, VarType, Writer};

/// Clock period in ps, rounded to an even number so that both halves are whole.
pub const PERIOD_PS: u64 = 1_000_000_000_000 / CLOCK_HZ / 2 * 2;

/// What is written.
#[derive(Clone, Debug)]
pub struct Window {
    /// First cycle.
    pub from: u64,
    /// Cycle behind the last.
    pub to: u64,
    /// Nodes.
    pub nodes: Vec<usize>,
}

/// Waves that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// The scenario is none.
    #[error("{0}")]
    Scenario(#[from] ScenarioError),
    /// A file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A signal of a node: name, width in bits, first word in the image of its kind.
struct Wire {
    id: IdCode,
    bits: usize,
    at: usize,
}

/// One node's signals and their last values.
struct Scope {
    node: usize,
    wires: Vec<Wire>,
    last: Vec<u32>,
    link: Link,
}

/// Runs `scenario` and writes `wave.vcd`, `wave.gtkw`, filter files for GTKWave and mappings for
/// Surfer to `folder`.
///
/// # Errors
/// When the scenario is none or a file cannot be written.
pub fn write(
    scenario: &Scenario,
    window: &Window,
    folder: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), WaveError> {
    let mut ring = Ring::new(scenario)?;
    let mut waves = Waves::new(folder, window, "node", &RingNode::layout())?;
    ring.run_until(window.from);
    while !ring.done() && ring.cycle() < window.to {
        let cycle = ring.cycle();
        waves.begin(cycle);
        ring.step_observed(&mut |node, state, i, o| waves.change(node, state, i, o, word(o)));
        waves.end(cycle);
        if cycle % 4096 == 0 {
            progress(cycle);
        }
    }
    let end = ring.cycle();
    waves.finish(end, folder, &save::file(window, end, "node", save::NODE))
}

/// The same of a ring of boards. If they run programs, `firmware.vcd` and `firmware.gtkw` show
/// their states, signals, lock holders and episodes beside it.
///
/// # Errors
/// When the plan makes no sense or a file cannot be written.
pub fn write_boards(
    plan: &Plan,
    window: &Window,
    folder: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), WaveError> {
    let mut waves = Waves::new(folder, window, "board", &Smb::layout())?;
    let plan = Plan { cycles: plan.cycles.min(window.to), ..plan.clone() };
    let mut open = None;
    let mut look = |cycle, board, smb: &Smb, i: &smb::Inputs, o: &smb::Outputs| {
        if cycle < window.from {
            return;
        }
        if open != Some(cycle) {
            if let Some(before) = open {
                waves.end(before);
            }
            waves.begin(cycle);
            open = Some(cycle);
        }
        let word = (o.m_axis_tvalid, o.m_axis_tdata, o.m_axis_tlast);
        waves.change(board, smb, i, o, word);
    };
    let run = Run::observed(&plan, progress, Some(&mut look))?;
    if let Some(before) = open {
        waves.end(before);
    }
    let end = run.ring.cycle();
    if let Some(ran) = &run.programs {
        firmware(folder, plan.boards.len(), &ran.records, (window.from.min(end), end))?;
    }
    waves.finish(end, folder, &save::file(window, end, "board", save::BOARD))
}

fn word(o: &Outputs) -> Word {
    (o.m_axis_tvalid, o.m_axis_tdata, o.m_axis_tlast)
}

/// The file under way.
struct Waves {
    out: Writer<BufWriter<File>>,
    clk: IdCode,
    scopes: Vec<Scope>,
    /// The first thing that went wrong.
    failed: io::Result<()>,
}

impl Waves {
    fn new(folder: &Path, window: &Window, kind: &str, layout: &Layout) -> io::Result<Waves> {
        fs::create_dir_all(folder)?;
        let mut out = Writer::new(BufWriter::new(File::create(folder.join("wave.vcd"))?));
        let (clk, scopes) = declare(&mut out, window, kind, layout)?;
        Ok(Waves { out, clk, scopes, failed: Ok(()) })
    }

    fn clock(&mut self, time: u64, level: bool) {
        let done = self.out.timestamp(time).and_then(|()| self.out.change_scalar(self.clk, level));
        if self.failed.is_ok() {
            self.failed = done;
        }
    }

    fn begin(&mut self, cycle: u64) {
        self.clock(cycle * PERIOD_PS, true);
    }

    fn end(&mut self, cycle: u64) {
        self.clock(cycle * PERIOD_PS + PERIOD_PS / 2, false);
    }

    fn change(
        &mut self,
        node: usize,
        state: &impl State,
        inputs: &impl Ports,
        outputs: &impl Ports,
        word: Word,
    ) {
        if let Some(scope) = self.scopes.iter_mut().find(|s| s.node == node) {
            let done = scope.change(&mut self.out, state, inputs, outputs, word);
            if self.failed.is_ok() {
                self.failed = done;
            }
        }
    }

    fn finish(mut self, cycle: u64, folder: &Path, save: &str) -> Result<(), WaveError> {
        self.failed?;
        self.out.timestamp(cycle * PERIOD_PS)?;
        self.out.flush()?;
        fs::write(folder.join("wave.gtkw"), save)?;
        for (name, text) in name_files() {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, text)?;
        }
        Ok(())
    }
}

fn declare<W: Write>(
    out: &mut Writer<W>,
    window: &Window,
    kind: &str,
    layout: &Layout,
) -> io::Result<(IdCode, Vec<Scope>)> {
    out.timescale(1, TimescaleUnit::PS)?;
    out.add_module("ring")?;
    let clk = out.add_wire(1, "clk")?;
    let mut scopes = Vec::new();
    for &node in &window.nodes {
        out.add_module(&format!("{kind}{node}"))?;
        let mut wires = Vec::new();
        let mut at = 0;
        for signal in layout.inputs.iter().chain(&layout.outputs) {
            wires.push(wire(out, signal.name, signal.bits, &mut at)?);
        }
        let link = Link::declare(out, clk)?;
        let mut open: Vec<String> = Vec::new();
        for (path, bits) in layout.flat_registers() {
            let mut scope: Vec<String> = path.split('.').map(str::to_owned).collect();
            let leaf = scope.pop().unwrap_or_default();
            let same = open.iter().zip(&scope).take_while(|(a, b)| a == b).count();
            for _ in same..open.len() {
                out.upscope()?;
            }
            for name in &scope[same..] {
                out.add_module(name)?;
            }
            open = scope;
            wires.push(wire(out, &leaf, bits, &mut at)?);
        }
        for _ in open {
            out.upscope()?;
        }
        out.upscope()?;
        scopes.push(Scope { node, wires, last: Vec::new(), link });
    }
    out.upscope()?;
    out.enddefinitions()?;
    Ok((clk, scopes))
}

fn wire<W: Write>(
    out: &mut Writer<W>,
    name: &str,
    bits: usize,
    at: &mut usize,
) -> io::Result<Wire> {
    let id = out.add_var(VarType::Wire, u32::try_from(bits).unwrap_or(0), name, None)?;
    let wire = Wire { id, bits, at: *at };
    *at += bits.div_ceil(32);
    Ok(wire)
}

impl Scope {
    fn change<W: Write, I: Ports, O: Ports>(
        &mut self,
        out: &mut Writer<W>,
        state: &impl State,
        inputs: &I,
        outputs: &O,
        word: Word,
    ) -> io::Result<()> {
        let words: usize = self.wires.iter().map(|w| w.bits.div_ceil(32)).sum();
        let mut image = vec![0; words];
        inputs.pack(&mut image);
        outputs.pack(&mut image[I::WORDS..]);
        state.pack(&mut image[I::WORDS + O::WORDS..]);
        for wire in &self.wires {
            let words = wire.at..wire.at + wire.bits.div_ceil(32);
            if self.last.get(words.clone()) != Some(&image[words.clone()]) {
                let value = image[words].iter().rev().fold(0, |v, &w| v << 32 | u128::from(w));
                bits(out, wire.id, value, wire.bits)?;
            }
        }
        self.last = image;
        self.link.change(out, word)
    }
}
