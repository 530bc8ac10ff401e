// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames on a link as a VCD, with a save file for GTKWave.

use awgstar::{
    Tap,
    contract::{FieldLayout, LAYOUT},
};
use awgstar_draw::gtkw::Shown;
use awgstar_draw::waves::{PERIOD_PS, Signal, Unit, Waves};
use awgstar_scenario::run::{Files, write_waves};
use std::io::{self, Write};

/// Words of one frame as the link carries them, and the header fields after them.
struct Signals {
    clk: Signal,
    tvalid: Signal,
    tdata: Signal,
    tkeep: Signal,
    tlast: Signal,
    fields: Vec<Signal>,
}

/// Writes `frames` one after another, with one idle word between them, to `frames.vcd`, and a save file
/// beside it.
pub(crate) fn write(files: &mut dyn Files, frames: &[Vec<u8>]) -> io::Result<()> {
    write_waves(files, "frames", |file, dump| vcd(file, dump, frames))
}

fn vcd(out: impl Write, dump: &str, frames: &[Vec<u8>]) -> io::Result<String> {
    let mut vcd = Waves::new(out, Unit::PS)?;
    let signals = declare(&mut vcd)?;
    let mut cycle = 0;
    idle(&mut vcd, &signals, &mut cycle)?;
    for frame in frames {
        let mut tap = Tap::default();
        for (i, word) in frame.chunks(4).enumerate() {
            clock(&mut vcd, &signals, cycle)?;
            let lanes = word.iter().rev().fold(0u128, |v, b| v << 8 | u128::from(*b));
            vcd.set(signals.tvalid, 1)?;
            vcd.set(signals.tdata, lanes)?;
            vcd.set(signals.tkeep, (1 << word.len()) - 1)?;
            vcd.set(signals.tlast, u128::from(frame.len() <= (i + 1) * 4))?;
            // Each field shows from the word on that completes it, as a receiver learns it.
            tap.word(u32::try_from(lanes).map_err(io::Error::other)?, frame.len() <= (i + 1) * 4);
            for (layout, value) in tap.new_fields() {
                let place = LAYOUT.iter().position(|other| other.field == layout.field);
                if let Some(signal) = place.and_then(|at| signals.fields.get(at)) {
                    vcd.set(*signal, value.into())?;
                }
            }
            cycle += 1;
        }
        idle(&mut vcd, &signals, &mut cycle)?;
    }
    vcd.end(cycle * PERIOD_PS)?;
    Ok(vcd.save(dump, 0..cycle * PERIOD_PS, 0))
}

/// Declares the signals with their rows; nothing is known before the first word.
fn declare<W: Write>(waves: &mut Waves<W>) -> io::Result<Signals> {
    waves.scope("link")?;
    let mut wire = |name, bits, shown| {
        let signal = waves.number(name, bits, shown)?;
        waves.show(signal);
        io::Result::Ok(signal)
    };
    let (clk, tvalid) = (wire("clk", 1, Shown::Binary)?, wire("tvalid", 1, Shown::Binary)?);
    let tdata = wire("tdata", 32, Shown::Hex)?;
    let (tkeep, tlast) = (wire("tkeep", 4, Shown::Binary)?, wire("tlast", 1, Shown::Binary)?);
    let field = |layout: &FieldLayout| {
        let name = layout.field.name();
        let shown = match name {
            "token" | "c_st" => Shown::Names(name),
            "mac" | "addr" => Shown::Hex,
            _ => Shown::Decimal,
        };
        wire(name, layout.bits, shown)
    };
    let fields: Vec<Signal> = LAYOUT.iter().map(field).collect::<io::Result<_>>()?;
    waves.end_scope()?;
    waves.begin()?;
    let unknown = fields.iter().copied().chain([tdata, tkeep]).map(|signal| (signal, None));
    let low = [clk, tvalid, tlast].map(|signal| (signal, Some(0)));
    waves.start(&unknown.chain(low).collect::<Vec<_>>())?;
    Ok(Signals { clk, tvalid, tdata, tkeep, tlast, fields })
}

fn idle<W: Write>(vcd: &mut Waves<W>, signals: &Signals, cycle: &mut u64) -> io::Result<()> {
    clock(vcd, signals, *cycle)?;
    vcd.set(signals.tvalid, 0)?;
    vcd.set(signals.tlast, 0)?;
    *cycle += 1;
    Ok(())
}

fn clock<W: Write>(vcd: &mut Waves<W>, signals: &Signals, cycle: u64) -> io::Result<()> {
    if cycle > 0 {
        vcd.at(cycle * PERIOD_PS - PERIOD_PS / 2)?;
        vcd.set(signals.clk, 0)?;
    }
    vcd.at(cycle * PERIOD_PS)?;
    vcd.set(signals.clk, 1)
}
