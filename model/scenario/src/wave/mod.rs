// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves of cycles of the model: every register by its Verilog name, and what is on each link as a
//! frame's fields. The writers take states and records, not runs.

mod firmware;
mod link;
pub mod paging;
mod save;

pub use awgstar_draw::waves::PERIOD_PS;
pub use firmware::firmware;
pub use link::Word;

use awgstar::rtl::state::{Layout, Ports, State};
use awgstar_draw::gtkw::Shown;
use awgstar_draw::waves::{Signal, Unit, Waves};
use link::Link;
use save::Row;
use std::io::{self, Write};

/// Part of a run that is written.
#[derive(Clone, Debug)]
pub struct Window {
    /// First cycle.
    pub from: u64,
    /// Cycle after the last.
    pub to: u64,
    pub nodes: Vec<usize>,
}

/// A signal of a node: name, width in bits, first word in the image of its kind.
struct Wire {
    signal: Signal,
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

    pub(crate) fn rows(self) -> &'static [Row] {
        match self {
            Owner::Node => save::NODE,
            Owner::Board => save::BOARD,
        }
    }
}

/// Every register of some nodes, cycle by cycle.
pub struct Registers<W: Write> {
    out: Waves<W>,
    from: u64,
    clk: Signal,
    scopes: Vec<Scope>,
    /// The first error of the writer.
    failed: io::Result<()>,
}

impl<W: Write> Registers<W> {
    /// Writes the declarations.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn new(out: W, window: &Window, owner: Owner, layout: &Layout) -> io::Result<Self> {
        let mut out = Waves::new(out, Unit::PS)?;
        let (clk, scopes) = declare(&mut out, window, owner, layout)?;
        Ok(Registers { out, from: window.from, clk, scopes, failed: Ok(()) })
    }

    fn clock(&mut self, time: u64, level: bool) {
        let done = self.out.at(time).and_then(|()| self.out.set(self.clk, level.into()));
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

    /// Ends the file before `cycle`. Returns the save file of the VCD `dump`.
    ///
    /// # Errors
    /// The first error of writing since the declarations.
    pub fn finish(mut self, cycle: u64, dump: &str) -> io::Result<String> {
        self.failed?;
        let end = cycle * PERIOD_PS;
        self.out.end(end)?;
        Ok(self.out.save(dump, self.from * PERIOD_PS..end, 0))
    }
}

fn declare<W: Write>(
    out: &mut Waves<W>,
    window: &Window,
    owner: Owner,
    layout: &Layout,
) -> io::Result<(Signal, Vec<Scope>)> {
    let kind = owner.name();
    out.scope("ring")?;
    let clk = out.number("clk", 1, Shown::Binary)?;
    out.show(clk);
    let mut scopes = Vec::new();
    for &node in &window.nodes {
        out.scope(&format!("{kind}{node}"))?;
        out.group(&format!("{kind} {node}"));
        let mut wires = Vec::new();
        let mut at = 0;
        for signal in layout.inputs.iter().chain(&layout.outputs) {
            wires.push(wire(out, signal.name, signal.bits, &mut at)?);
        }
        let link = Link::declare(out)?;
        let mut open: Vec<String> = Vec::new();
        for (path, bits) in layout.flat_registers() {
            let mut scope: Vec<String> = path.split('.').map(str::to_owned).collect();
            let leaf = scope.pop().unwrap_or_default();
            let same = open.iter().zip(&scope).take_while(|(a, b)| a == b).count();
            for _ in same..open.len() {
                out.end_scope()?;
            }
            for name in &scope[same..] {
                out.scope(name)?;
            }
            open = scope;
            wires.push(wire(out, &leaf, bits, &mut at)?);
        }
        for _ in open {
            out.end_scope()?;
        }
        out.end_scope()?;
        for (path, shown) in owner.rows() {
            let path = format!("ring.{kind}{node}.{path}");
            let signal = out.find(&path).ok_or_else(|| io::Error::other(path))?;
            out.show_as(signal, *shown);
        }
        scopes.push(Scope { node, wires, last: Vec::new(), link });
    }
    out.end_scope()?;
    out.begin()?;
    Ok((clk, scopes))
}

fn wire<W: Write>(out: &mut Waves<W>, name: &str, bits: usize, at: &mut usize) -> io::Result<Wire> {
    let shown = if bits == 1 { Shown::Binary } else { Shown::Hex };
    let wire = Wire { signal: out.number(name, bits, shown)?, bits, at: *at };
    *at += bits.div_ceil(32);
    Ok(wire)
}

impl Scope {
    fn change<W: Write, I: Ports, O: Ports>(
        &mut self,
        out: &mut Waves<W>,
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
                out.set(wire.signal, value)?;
            }
        }
        self.last = image;
        self.link.change(out, word)
    }
}
