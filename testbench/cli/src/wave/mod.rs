//! Waves of cycles of the model: every register by its Verilog name, and what is on each link as a
//! frame's fields. The writers take states and records, not runs.

mod firmware;
mod link;
pub mod paging;
mod save;

pub use awgstar_draw::{Change, Changes, name_files};
pub use firmware::{firmware, firmware_save, firmware_vcd, firmware_with};
pub use link::Word;

use link::{Link, bits};

use awgstar::{
    contract::limits::CLOCK_HZ,
    rtl::state::{Layout, Ports, State},
};
use std::io::{self, Write};
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

/// Whose registers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Nodes of a ring.
    Node,
    /// Boards of a ring.
    Board,
}

impl Owner {
    /// The name of scopes, before the number.
    fn name(self) -> &'static str {
        match self {
            Owner::Node => "node",
            Owner::Board => "board",
        }
    }
}

/// Every register of some nodes, cycle by cycle.
pub struct Registers<'a> {
    out: Writer<Box<dyn Write + 'a>>,
    clk: IdCode,
    scopes: Vec<Scope>,
    /// The first error of the writer.
    failed: io::Result<()>,
}

impl<'a> Registers<'a> {
    /// Writes the declarations.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn new(
        out: Box<dyn Write + 'a>,
        window: &Window,
        owner: Owner,
        layout: &Layout,
    ) -> io::Result<Self> {
        let mut out = Writer::new(out);
        let (clk, scopes) = declare(&mut out, window, owner.name(), layout)?;
        Ok(Registers { out, clk, scopes, failed: Ok(()) })
    }

    fn clock(&mut self, time: u64, level: bool) {
        let done = self.out.timestamp(time).and_then(|()| self.out.change_scalar(self.clk, level));
        if self.failed.is_ok() {
            self.failed = done;
        }
    }

    /// The rising edge that begins a cycle.
    pub fn begin(&mut self, cycle: u64) {
        self.clock(cycle * PERIOD_PS, true);
    }

    /// The falling edge of a cycle.
    pub fn end(&mut self, cycle: u64) {
        self.clock(cycle * PERIOD_PS + PERIOD_PS / 2, false);
    }

    /// The state of a node and its ports in this cycle; `word` is on its output.
    pub fn change(
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

    /// Ends the file before `cycle`.
    ///
    /// # Errors
    /// The first error of writing since the declarations.
    pub fn finish(mut self, cycle: u64) -> io::Result<()> {
        self.failed?;
        self.out.timestamp(cycle * PERIOD_PS)?;
        self.out.flush()
    }
}

/// The save file of the waves `dump` for a window of a run whose waves end before cycle `end`.
#[must_use]
pub fn save_file(dump: &str, window: &Window, end: u64, owner: Owner) -> String {
    let rows = match owner {
        Owner::Node => save::NODE,
        Owner::Board => save::BOARD,
    };
    save::file(dump, window, end, owner.name(), rows)
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
