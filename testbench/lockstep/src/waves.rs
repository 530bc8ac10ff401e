//! A divergence as waves: both sides and their difference, around the cycle.

use crate::divergence::{Divergence, Kind};
use crate::run::{Lockstep, Snapshot};
use awgstar::contract::limits::CLOCK_HZ;
use awgstar::quantity::narrow;
use awgstar_draw::gtkw;
use awgstar_draw::gtkw::{Save, Shown};
use awgstar_simulator::SimError;
use awgstar_stimulus::machine::{Machine, Stimulus};
use awgstar_stimulus::shape::{Shape, value};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};
use vcd::{IdCode, TimescaleUnit, Value, VarType, Writer};

/// Cycles before the divergence.
pub const BEFORE: u64 = 64;
/// Cycles behind it.
pub const AFTER: u64 = 8;
/// Clock period in ps, even so that both halves are whole.
const PERIOD: u64 = 1_000_000_000_000 / CLOCK_HZ / 2 * 2;

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

/// The name of the filter for a signal.
fn filter(wire: &Wire) -> Option<String> {
    let name = wire.path.rsplit('.').next()?;
    Some(match name {
        "state_q" => format!("{}_state", wire.module),
        "kind_q" | "kind1_q" => "kind".into(),
        "class_q" | "m_sent_class" => "class".into(),
        "m_sent_error" | "status_error_q" => "tx_status".into(),
        "v_check_q" => "check".into(),
        _ if name.ends_with("token") || name.ends_with("token_q") => "token".into(),
        _ if name.ends_with("c_st") || name.ends_with("c_st_q") => "c_st".into(),
        _ => return None,
    })
}

/// Writes `divergence.vcd`, a save file for GTKWave with its filters, and the same names for
/// Surfer, to `folder`; gives the path of the first.
///
/// # Errors
/// When a run gives no answer or a file cannot be written.
pub fn write<M: Machine>(
    d: &Divergence<M::Case>,
    lockstep: &Lockstep<M>,
    folder: &Path,
) -> Result<PathBuf, SimError> {
    let wires = wires(lockstep.shape());
    let (from, end) = (d.cycle.saturating_sub(BEFORE).max(1), d.cycle + AFTER + 1);
    let mut shots: BTreeMap<u64, Vec<Snapshot>> = BTreeMap::new();
    lockstep.watch(&d.case.with_cycles(end), from, end, &mut |cycle, _, _, _, shot| {
        shots.entry(cycle).or_default().push(shot);
    })?;
    fs::create_dir_all(folder).map_err(SimError::io(folder))?;
    let path = folder.join("divergence.vcd");
    let mut text = Vec::new();
    let differ = vcd(&mut text, &wires, &shots).map_err(SimError::io(&path))?;
    fs::write(&path, text).map_err(SimError::io(&path))?;
    let save = save_file(d, &wires, &differ, from * PERIOD..end * PERIOD);
    let mut files = vec![("divergence.gtkw".to_owned(), save)];
    let mappings = gtkw::filters().into_iter().map(|(name, text)| {
        let stem = name.trim_end_matches(".filter").to_owned();
        let bits = text.split_whitespace().next().map_or(1, str::len);
        let lines = text.lines().fold(String::new(), |t, line| format!("{t}0b{line}\n"));
        let file = format!(".surfer/mappings/{stem}.mapping");
        (file, format!("Name = awgstar {stem}\nBits = {bits}\n{lines}"))
    });
    files.extend(mappings);
    files.extend(gtkw::filters());
    let mappings = folder.join(".surfer/mappings");
    fs::create_dir_all(&mappings).map_err(SimError::io(&mappings))?;
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(SimError::io(&path))?;
    }
    Ok(path)
}

fn bits(vcd: &mut Writer<&mut Vec<u8>>, id: IdCode, value: u128, bits: usize) -> io::Result<()> {
    if bits == 1 {
        return vcd.change_scalar(id, value & 1 == 1);
    }
    vcd.change_vector(id, (0..bits).rev().map(|b| Value::from(value >> b & 1 == 1)))
}

/// (node, index of the wire) that differ in the window.
type Differ = BTreeSet<(usize, usize)>;

fn vcd(
    text: &mut Vec<u8>,
    wires: &[Wire],
    shots: &BTreeMap<u64, Vec<Snapshot>>,
) -> io::Result<Differ> {
    let mut differ = Differ::new();
    for (node, shot) in shots.values().flat_map(|cycle| cycle.iter().enumerate()) {
        let changed = wires.iter().enumerate();
        let changed = changed.filter(|(_, w)| read(w, shot, false) != read(w, shot, true));
        differ.extend(changed.map(|(i, _)| (node, i)));
    }
    let nodes = shots.values().next().map_or(0, Vec::len);
    let mut out = Writer::new(text);
    out.timescale(1, TimescaleUnit::PS)?;
    out.add_module("diff")?;
    let clk = out.add_wire(1, "clk")?;
    let any = out.add_wire(1, "differs")?;
    out.upscope()?;
    // (side, node, wire) to code; side 2 is the difference.
    let mut codes: BTreeMap<(usize, usize, usize), IdCode> = BTreeMap::new();
    for (side, name) in ["model", "rtl", "diff"].into_iter().enumerate() {
        out.add_module(name)?;
        for node in 0..nodes {
            out.add_module(&format!("node{node}"))?;
            let mut open = "";
            for (i, wire) in wires.iter().enumerate() {
                if side == 2 && !differ.contains(&(node, i)) {
                    continue;
                }
                let (scope, leaf) = wire.path.rsplit_once('.').unwrap_or(("", &wire.path));
                if scope != open {
                    if !open.is_empty() {
                        out.upscope()?;
                    }
                    if !scope.is_empty() {
                        out.add_module(scope)?;
                    }
                    open = scope;
                }
                let width = narrow::<u32>(wire.bits);
                codes.insert((side, node, i), out.add_var(VarType::Wire, width, leaf, None)?);
            }
            if !open.is_empty() {
                out.upscope()?;
            }
            out.upscope()?;
        }
        out.upscope()?;
    }
    out.enddefinitions()?;
    let mut last: BTreeMap<IdCode, u128> = BTreeMap::new();
    for (cycle, nodes) in shots {
        out.timestamp(cycle * PERIOD)?;
        out.change_scalar(clk, true)?;
        let mut differs = false;
        for (&(side, node, i), &id) in &codes {
            let (wire, Some(shot)) = (&wires[i], nodes.get(node)) else { continue };
            let value = match side {
                0 => read(wire, shot, false),
                1 => read(wire, shot, true),
                _ => read(wire, shot, false) ^ read(wire, shot, true),
            };
            differs |= side == 2 && value != 0;
            if last.insert(id, value) != Some(value) {
                bits(&mut out, id, value, wire.bits)?;
            }
        }
        out.change_scalar(any, differs)?;
        out.timestamp(cycle * PERIOD + PERIOD / 2)?;
        out.change_scalar(clk, false)?;
    }
    Ok(differ)
}

fn save_file<C>(
    d: &Divergence<C>,
    wires: &[Wire],
    differ: &Differ,
    times: std::ops::Range<u64>,
) -> String {
    let mut save = Save::new("divergence.vcd", times, d.cycle * PERIOD);
    save.row(Shown::Binary, "diff.clk");
    save.row(Shown::Binary, "diff.differs");
    let mut show = |group: &str, side: &str, list: &[&Wire]| {
        save.group(group);
        for wire in list {
            let range =
                if wire.bits > 1 { format!("[{}:0]", wire.bits - 1) } else { String::new() };
            let names = (side != "diff").then(|| filter(wire)).flatten();
            let shown = match &names {
                Some(filter) => Shown::Names(filter),
                None if wire.bits > 1 => Shown::Hex,
                None => Shown::Binary,
            };
            save.row(shown, &format!("{side}.node{}.{}{range}", d.node, wire.path));
        }
    };
    let of_node: Vec<&Wire> =
        differ.iter().filter(|(node, _)| *node == d.node).map(|(_, i)| &wires[*i]).collect();
    for side in ["diff", "model", "rtl"] {
        show(&format!("differ: {side}"), side, &of_node);
    }
    let named = |test: &dyn Fn(&str) -> bool| -> Vec<&Wire> {
        wires.iter().filter(|w| test(&w.path)).collect()
    };
    show("link in", "model", &named(&|p| p.starts_with("s_axis_")));
    show("link out: model", "model", &named(&|p| p.starts_with("m_axis_")));
    show("link out: rtl", "rtl", &named(&|p| p.starts_with("m_axis_")));
    show("states: model", "model", &named(&|p| p.ends_with("state_q")));
    show("states: rtl", "rtl", &named(&|p| p.ends_with("state_q")));
    if let Some(first) = d.first().filter(|s| s.kind == Kind::Memory) {
        save.group(&format!("{} differs (memories are not in the waves)", first.path));
    }
    save.text()
}
