// SPDX-License-Identifier: MIT OR Apache-2.0
//! A divergence as waves: both sides and their difference, around the cycle.

use crate::run::{Lockstep, Snapshot};
use awgstar::quantity::Cycle;
use awgstar_compare::{Divergence, Kind};
use awgstar_draw::gtkw::Shown;
use awgstar_draw::waves::{PERIOD_PS, Signal, Unit, Waves, write_names};
use awgstar_simulator::SimError;
use awgstar_stimulus::Case;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::shape::{Shape, value};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
};

/// Cycles before the divergence.
pub const BEFORE: u64 = 64;
/// Cycles after it.
pub const AFTER: u64 = 8;

/// A signal of a node: which image, first word, bits; module and path.
#[derive(Clone, Debug)]
struct Wire {
    path: String,
    module: &'static str,
    image: usize,
    at: usize,
    bits: usize,
}

/// Inputs, outputs, registers, in this order of images.
fn wires(shape: &Shape) -> Vec<Wire> {
    let top = shape.layout.module;
    let ports =
        |image, words: &mut dyn Iterator<Item = (&'static str, usize, usize)>| -> Vec<Wire> {
            words
                .map(|(n, bits, at)| Wire { path: n.to_owned(), module: top, image, at, bits })
                .collect()
        };
    let mut all = ports(0, &mut shape.input_words());
    all.extend(ports(1, &mut shape.output_words()));
    let mut modules = Vec::new();
    shape.layout.walk("", &mut |_, m| modules.extend(m.registers.iter().map(|_| m.module)));
    all.extend(shape.register_words().zip(modules).map(|((path, bits, at), module)| Wire {
        path: path.to_owned(),
        module,
        image: 2,
        at,
        bits,
    }));
    all
}

fn read(wire: &Wire, shot: &Snapshot, rtl: bool) -> u128 {
    let side = if rtl { &shot.rtl } else { &shot.model };
    let image = match wire.image {
        0 => &shot.inputs,
        1 => &side[0],
        _ => &side[1],
    };
    value(image, wire.at, wire.bits)
}

/// Format in which a signal of model or Verilog is shown.
fn shown(wire: &Wire) -> Shown<'static> {
    let name = wire.path.rsplit('.').next().unwrap_or_default();
    match name {
        "state_q" => Shown::State(wire.module),
        "kind_q" | "kind1_q" => Shown::Names("kind"),
        "class_q" | "m_sent_class" => Shown::Names("class"),
        "m_sent_error" | "status_error_q" => Shown::Names("tx_status"),
        "v_check_q" => Shown::Names("check"),
        _ if name.ends_with("token") || name.ends_with("token_q") => Shown::Names("token"),
        _ if name.ends_with("c_st") || name.ends_with("c_st_q") => Shown::Names("c_st"),
        _ => number(wire),
    }
}

fn number(wire: &Wire) -> Shown<'static> {
    if wire.bits > 1 { Shown::Hex } else { Shown::Binary }
}

/// Writes `divergence.vcd`, a save file for GTKWave with its filters, and the same names for
/// Surfer, to `folder`; gives the path of the first.
///
/// # Errors
/// If a run gives no answer or a file cannot be written.
pub fn write<M: Machine>(
    d: &Divergence<Case<M>>,
    lockstep: &Lockstep<M>,
    folder: &Path,
) -> Result<PathBuf, SimError> {
    let wires = wires(lockstep.shape());
    let (from, end) = (d.cycle.saturating_sub(BEFORE).max(1), d.cycle + AFTER + 1);
    let mut shots: BTreeMap<u64, Vec<Snapshot>> = BTreeMap::new();
    lockstep.watch(&d.case.with_cycles(Cycle(end)), from, end, &mut |cycle, _, _, _, shot| {
        shots.entry(cycle).or_default().push(shot);
    })?;
    fs::create_dir_all(folder).map_err(SimError::io(folder))?;
    let path = folder.join("divergence.vcd");
    let mut text = Vec::new();
    let save = vcd(&mut text, d, &wires, &shots, from..end).map_err(SimError::io(&path))?;
    fs::write(&path, text).map_err(SimError::io(&path))?;
    let file = folder.join("divergence.gtkw");
    fs::write(&file, save).map_err(SimError::io(&file))?;
    write_names(folder).map_err(SimError::io(folder))?;
    Ok(path)
}

/// (node, index of the wire) that differ in the window.
type Differ = BTreeSet<(usize, usize)>;

/// The signal of a side (model, Verilog, difference), node and wire.
type Signals = BTreeMap<(usize, usize, usize), Signal>;

/// Writes the waves; gives the save file.
fn vcd<C>(
    text: &mut Vec<u8>,
    d: &Divergence<C>,
    wires: &[Wire],
    shots: &BTreeMap<u64, Vec<Snapshot>>,
    cycles: Range<u64>,
) -> io::Result<String> {
    let mut differ = Differ::new();
    for (node, shot) in shots.values().flat_map(|cycle| cycle.iter().enumerate()) {
        let changed = wires.iter().enumerate();
        let changed = changed.filter(|(_, w)| read(w, shot, false) != read(w, shot, true));
        differ.extend(changed.map(|(i, _)| (node, i)));
    }
    let nodes = shots.values().next().map_or(0, Vec::len);
    let mut out = Waves::new(text, Unit::PS)?;
    out.scope("diff")?;
    let clk = out.number("clk", 1, Shown::Binary)?;
    let any = out.number("differs", 1, Shown::Binary)?;
    out.end_scope()?;
    let mut signals = Signals::new();
    for (side, name) in ["model", "rtl", "diff"].into_iter().enumerate() {
        out.scope(name)?;
        for node in 0..nodes {
            out.scope(&format!("node{node}"))?;
            let mut open = "";
            for (i, wire) in wires.iter().enumerate() {
                if side == 2 && !differ.contains(&(node, i)) {
                    continue;
                }
                let (scope, leaf) = wire.path.rsplit_once('.').unwrap_or(("", &wire.path));
                if scope != open {
                    if !open.is_empty() {
                        out.end_scope()?;
                    }
                    if !scope.is_empty() {
                        out.scope(scope)?;
                    }
                    open = scope;
                }
                let shown = if side == 2 { number(wire) } else { shown(wire) };
                signals.insert((side, node, i), out.number(leaf, wire.bits, shown)?);
            }
            if !open.is_empty() {
                out.end_scope()?;
            }
            out.end_scope()?;
        }
        out.end_scope()?;
    }
    out.begin()?;
    out.show_all([clk, any]);
    rows(&mut out, d, wires, &signals);
    let mut last: BTreeMap<Signal, u128> = BTreeMap::new();
    for (cycle, nodes) in shots {
        out.at(cycle * PERIOD_PS)?;
        out.set(clk, 1)?;
        let mut differs = false;
        for (&(side, node, i), &signal) in &signals {
            let (wire, Some(shot)) = (&wires[i], nodes.get(node)) else { continue };
            let value = match side {
                0 => read(wire, shot, false),
                1 => read(wire, shot, true),
                _ => read(wire, shot, false) ^ read(wire, shot, true),
            };
            differs |= side == 2 && value != 0;
            if last.insert(signal, value) != Some(value) {
                out.set(signal, value)?;
            }
        }
        out.set(any, differs.into())?;
        out.at(cycle * PERIOD_PS + PERIOD_PS / 2)?;
        out.set(clk, 0)?;
    }
    let times = cycles.start * PERIOD_PS..cycles.end * PERIOD_PS;
    Ok(out.save("divergence.vcd", times, d.cycle * PERIOD_PS))
}

/// Rows of the node that differs: what differs, its links, its states.
fn rows<C>(waves: &mut Waves<&mut Vec<u8>>, d: &Divergence<C>, wires: &[Wire], signals: &Signals) {
    let mut show = |group: &str, side: usize, test: &dyn Fn(usize, &str) -> bool| {
        waves.group(group);
        let wanted = wires.iter().enumerate().filter(|(i, wire)| test(*i, &wire.path));
        waves.show_all(wanted.filter_map(|(i, _)| signals.get(&(side, d.node, i)).copied()));
    };
    let differs = |i, _: &str| signals.contains_key(&(2, d.node, i));
    show("differ: diff", 2, &differs);
    show("differ: model", 0, &differs);
    show("differ: rtl", 1, &differs);
    show("link in", 0, &|_, path| path.starts_with("s_axis_"));
    show("link out: model", 0, &|_, path| path.starts_with("m_axis_"));
    show("link out: rtl", 1, &|_, path| path.starts_with("m_axis_"));
    show("states: model", 0, &|_, path| path.ends_with("state_q"));
    show("states: rtl", 1, &|_, path| path.ends_with("state_q"));
    if let Some(first) = d.first().filter(|s| s.signal.kind == Kind::Memory) {
        waves.group(&format!("{} differs (memories are not in the waves)", first.path()));
    }
}
