//! Frames on a link as a VCD, with GTKWave save and filter files.

use awgstar::contract::{LAYOUT, limits::CLOCK_HZ};
use awgstar::quantity::narrow;
use awgstar_draw::gtkw;
use awgstar_draw::gtkw::{Save, Shown};
use std::{fs, io, path::Path};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, Value, VarType, Writer};

/// Clock period in ps, rounded to an even number so that both halves are whole.
const PERIOD_PS: u64 = 1_000_000_000_000 / CLOCK_HZ / 2 * 2;

/// Words of one frame as the link carries them, and the header fields behind them.
struct Signals {
    clk: IdCode,
    tvalid: IdCode,
    tdata: IdCode,
    tkeep: IdCode,
    tlast: IdCode,
    fields: Vec<(IdCode, usize)>,
}

/// Writes `frames` one after another, with one idle word between them, to `folder/frames.vcd`, and
/// a GTKWave save file that opens it with names for TOKEN beside it.
pub(crate) fn write(folder: &Path, frames: &[Vec<u8>]) -> io::Result<()> {
    let mut text = Vec::new();
    let mut vcd = Writer::new(&mut text);
    let signals = declare(&mut vcd)?;
    let mut cycle = 0;
    idle(&mut vcd, &signals, &mut cycle)?;
    for frame in frames {
        for (i, word) in frame.chunks(4).enumerate() {
            clock(&mut vcd, &signals, cycle)?;
            let lanes = word.iter().rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
            change(&mut vcd, signals.tvalid, 1, 1)?;
            change(&mut vcd, signals.tdata, lanes, 32)?;
            change(&mut vcd, signals.tkeep, (1 << word.len()) - 1, 4)?;
            change(&mut vcd, signals.tlast, u64::from(frame.len() <= (i + 1) * 4), 1)?;
            // Each field shows from the word on that completes it, as a receiver learns it.
            for (layout, (id, bits)) in LAYOUT.iter().zip(&signals.fields) {
                let end = (layout.bit + layout.bits).div_ceil(8);
                if end.div_ceil(4) == i + 1 && end <= frame.len() {
                    change(&mut vcd, *id, field(frame, layout.bit, layout.bits), *bits)?;
                }
            }
            cycle += 1;
        }
        idle(&mut vcd, &signals, &mut cycle)?;
    }
    vcd.timestamp(cycle * PERIOD_PS)?;
    fs::write(folder.join("frames.vcd"), text)?;
    fs::write(folder.join("frames.gtkw"), save_file(cycle * PERIOD_PS))?;
    for (name, text) in gtkw::filters() {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn declare(vcd: &mut Writer<&mut Vec<u8>>) -> io::Result<Signals> {
    vcd.timescale(1, TimescaleUnit::PS)?;
    vcd.add_module("link")?;
    let mut wire = |bits: u32, name: &str| vcd.add_var(VarType::Wire, bits, name, None);
    let (clk, tvalid) = (wire(1, "clk")?, wire(1, "tvalid")?);
    let (tdata, tkeep, tlast) = (wire(32, "tdata")?, wire(4, "tkeep")?, wire(1, "tlast")?);
    let fields = LAYOUT
        .iter()
        .map(|l| Ok((wire(narrow(l.bits), l.field.name())?, l.bits)))
        .collect::<io::Result<Vec<_>>>()?;
    vcd.upscope()?;
    vcd.enddefinitions()?;
    vcd.begin(SimulationCommand::Dumpvars)?;
    for (id, bits) in fields.iter().copied().chain([(tdata, 32), (tkeep, 4)]) {
        vcd.change_vector(id, std::iter::repeat_n(Value::X, bits))?;
    }
    for id in [clk, tvalid, tlast] {
        vcd.change_scalar(id, Value::V0)?;
    }
    vcd.end()?;
    Ok(Signals { clk, tvalid, tdata, tkeep, tlast, fields })
}

fn idle(vcd: &mut Writer<&mut Vec<u8>>, signals: &Signals, cycle: &mut u64) -> io::Result<()> {
    clock(vcd, signals, *cycle)?;
    change(vcd, signals.tvalid, 0, 1)?;
    change(vcd, signals.tlast, 0, 1)?;
    *cycle += 1;
    Ok(())
}

fn clock(vcd: &mut Writer<&mut Vec<u8>>, signals: &Signals, cycle: u64) -> io::Result<()> {
    if cycle > 0 {
        vcd.timestamp(cycle * PERIOD_PS - PERIOD_PS / 2)?;
        change(vcd, signals.clk, 0, 1)?;
    }
    vcd.timestamp(cycle * PERIOD_PS)?;
    change(vcd, signals.clk, 1, 1)
}

fn change(vcd: &mut Writer<&mut Vec<u8>>, id: IdCode, value: u64, bits: usize) -> io::Result<()> {
    if bits == 1 {
        return vcd.change_scalar(id, value & 1 == 1);
    }
    vcd.change_vector(id, (0..bits).rev().map(|bit| Value::from(value >> bit & 1 == 1)))
}

fn field(frame: &[u8], bit: usize, bits: usize) -> u64 {
    use bitvec::prelude::*;
    frame.view_bits::<Msb0>()[bit..bit + bits].load_be()
}

fn save_file(length_ps: u64) -> String {
    let mut save = Save::new("frames.vcd", 0..length_ps, 0);
    for name in ["clk", "tvalid"] {
        save.row(Shown::Binary, &format!("link.{name}"));
    }
    save.row(Shown::Hex, "link.tdata[31:0]");
    for name in ["tkeep[3:0]", "tlast"] {
        save.row(Shown::Binary, &format!("link.{name}"));
    }
    for layout in &LAYOUT {
        let name = layout.field.name();
        let shown = match name {
            "token" | "c_st" => Shown::Names(name),
            "mac" | "addr" => Shown::Hex,
            _ => Shown::Decimal,
        };
        save.row(shown, &format!("link.{name}[{}:0]", layout.bits - 1));
    }
    save.text()
}
