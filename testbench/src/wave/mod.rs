//! Waves of a run of the model: only the cycles asked for, every register by its Verilog name, and
//! what stands on each link as a frame's fields.

mod firmware;
mod names;
mod save;

pub use firmware::firmware;
pub use names::name_files;

use awgstar::{
    contract::limits::CLOCK_HZ,
    ring::{Ring, Scenario, ScenarioError},
    rtl::{
        RingNode,
        ring_node::{Inputs, Outputs},
        state::{Ports, State},
    },
};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};
use vcd::{IdCode, TimescaleUnit, Value, VarType, Writer};

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

/// The fields of the frame on a link, as its words pass.
struct Link {
    ids: [IdCode; 5],
    word: u32,
    values: [u128; 5],
}

/// Fields shown for each link, with their widths.
const FIELDS: [(&str, usize); 5] =
    [("token", 3), ("c_st", 5), ("node_id", 8), ("source", 8), ("packet_cnt", 8)];

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
    fs::create_dir_all(folder)?;
    let mut out = Writer::new(BufWriter::new(File::create(folder.join("wave.vcd"))?));
    let (clk, mut scopes) = declare(&mut out, window)?;
    let mut ring = Ring::new(scenario)?;
    ring.run_until(window.from);
    let mut failed = Ok(());
    while !ring.done() && ring.cycle() < window.to {
        let cycle = ring.cycle();
        out.timestamp(cycle * PERIOD_PS)?;
        out.change_scalar(clk, true)?;
        ring.step_observed(&mut |node, state, inputs, outputs| {
            if let Some(scope) = scopes.iter_mut().find(|s| s.node == node) {
                let done = scope.change(&mut out, state, inputs, outputs);
                if failed.is_ok() {
                    failed = done;
                }
            }
        });
        out.timestamp(cycle * PERIOD_PS + PERIOD_PS / 2)?;
        out.change_scalar(clk, false)?;
        if cycle % 4096 == 0 {
            progress(cycle);
        }
    }
    failed?;
    out.timestamp(ring.cycle() * PERIOD_PS)?;
    out.flush()?;
    fs::write(folder.join("wave.gtkw"), save::file(window))?;
    for (name, text) in name_files() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// Words of inputs, outputs and registers, one after another.
const IMAGE: usize = Inputs::WORDS + Outputs::WORDS + RingNode::WORDS;

fn declare<W: Write>(out: &mut Writer<W>, window: &Window) -> io::Result<(IdCode, Vec<Scope>)> {
    out.timescale(1, TimescaleUnit::PS)?;
    out.add_module("ring")?;
    let clk = out.add_wire(1, "clk")?;
    let layout = RingNode::layout();
    let mut scopes = Vec::new();
    for &node in &window.nodes {
        out.add_module(&format!("node{node}"))?;
        let mut wires = Vec::new();
        let mut at = 0;
        for signal in layout.inputs.iter().chain(layout.outputs) {
            wires.push(wire(out, signal.name, signal.bits, &mut at)?);
        }
        out.add_module("link_out")?;
        let mut ids = Vec::new();
        for (name, bits) in FIELDS {
            ids.push(out.add_var(VarType::Wire, u32::try_from(bits).unwrap_or(0), name, None)?);
        }
        out.upscope()?;
        let mut open = String::new();
        for (path, bits) in layout.flat_registers() {
            let (scope, leaf) = path.rsplit_once('.').unwrap_or(("", &path));
            if scope != open {
                if !open.is_empty() {
                    out.upscope()?;
                }
                out.add_module(scope)?;
                scope.clone_into(&mut open);
            }
            wires.push(wire(out, leaf, bits, &mut at)?);
        }
        if !open.is_empty() {
            out.upscope()?;
        }
        out.upscope()?;
        let ids = <[IdCode; 5]>::try_from(ids).unwrap_or([clk; 5]);
        let link = Link { ids, word: 0, values: [u128::MAX; 5] };
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
    fn change<W: Write>(
        &mut self,
        out: &mut Writer<W>,
        state: &RingNode,
        inputs: &Inputs,
        outputs: &Outputs,
    ) -> io::Result<()> {
        let mut image = vec![0; IMAGE];
        inputs.pack(&mut image);
        outputs.pack(&mut image[Inputs::WORDS..]);
        state.pack(&mut image[Inputs::WORDS + Outputs::WORDS..]);
        for wire in &self.wires {
            let words = wire.at..wire.at + wire.bits.div_ceil(32);
            if self.last.get(words.clone()) != Some(&image[words.clone()]) {
                let value = image[words].iter().rev().fold(0, |v, &w| v << 32 | u128::from(w));
                bits(out, wire.id, value, wire.bits)?;
            }
        }
        self.last = image;
        self.link.change(out, outputs)
    }
}

impl Link {
    /// A field shows from the word on that brings it.
    fn change<W: Write>(&mut self, out: &mut Writer<W>, o: &Outputs) -> io::Result<()> {
        if !o.m_axis_tvalid {
            self.word = 0;
            return Ok(());
        }
        let bytes = o.m_axis_tdata.to_le_bytes();
        let new: &[(usize, u8)] = match self.word {
            1 => &[(0, bytes[2] >> 5), (1, bytes[2] & 31), (2, bytes[3]), (3, bytes[1])],
            2 => &[(4, bytes[1])],
            _ => &[],
        };
        for &(field, value) in new {
            if self.values[field] != u128::from(value) {
                self.values[field] = value.into();
                bits(out, self.ids[field], value.into(), FIELDS[field].1)?;
            }
        }
        self.word = if o.m_axis_tlast { 0 } else { self.word + 1 };
        Ok(())
    }
}

fn bits<W: Write>(out: &mut Writer<W>, id: IdCode, value: u128, bits: usize) -> io::Result<()> {
    if bits == 1 {
        return out.change_scalar(id, value & 1 == 1);
    }
    out.change_vector(id, (0..bits).rev().map(|b| Value::from(value >> b & 1 == 1)))
}
