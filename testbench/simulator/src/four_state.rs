// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same stimulus in Icarus Verilog, in four states (LCK-5).
//!
//! This gives what Icarus shows in each cycle; [`awgstar_compare::starts::check`] compares it with the model.

use crate::bench::{Bench, NAME};
use crate::library::sources;
use crate::process::Task;
use crate::recipe::Recipe;
use crate::{Icarus, Instance, Scratch, SimError, Token};
use awgstar::rtl::state::{MemoryShape, Signal};
use awgstar_compare::cause::ports;
use awgstar_compare::{Cycle, Seen};
use awgstar_stimulus::deposit;
use awgstar_stimulus::machine::{Machine, Track};
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector::stimulus;
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// Cycles of the longest run.
const ROOM: usize = 65_536;
const LIMIT: Duration = Duration::from_secs(300);

/// The testbench; with `inner` it can show the ports of instances. A [`Token`] marks what it prints.
fn bench(shape: &Shape, inner: bool) -> String {
    let token = Token::PLACE;
    let mut items = String::from("    integer from;\n");
    items.push_str(&deposit::verilog(shape));
    // A look at every word in every cycle would take most of the time.
    for (m, (path, memory)) in shape.memories.iter().enumerate() {
        let _ = writeln!(
            items,
            "    genvar g{m};\n    generate for (g{m} = 0; g{m} < {}; g{m} = g{m} + 1) begin : watch{m}\n        always @(dut.{path}[g{m}]) $display(\"{token} M {m} %0d %b\", g{m}, dut.{path}[g{m}]);\n    end endgenerate",
            memory.depth
        );
    }
    let print = |letter: char, paths: &mut dyn Iterator<Item = String>| {
        let paths: Vec<_> = paths.collect();
        let (values, paths) = (" %b".repeat(paths.len()), paths.join(", "));
        format!("            $display(\"{token} {letter}{values}\", {paths});\n")
    };
    let mut sample = print('O', &mut shape.outputs.iter().map(|s| s.name.to_owned()));
    if inner {
        let mut all = ports(shape).into_iter().map(|(path, _)| format!("dut.{path}"));
        sample.push_str("            if (k >= from)\n    ");
        sample.push_str(&print('P', &mut all));
    }
    sample.push_str(&print('R', &mut shape.registers.iter().map(|(p, _)| format!("dut.{p}"))));
    Bench {
        shape,
        top: shape.layout.module,
        settings: &shape.parameters.changed(shape.layout.module),
        room: ROOM,
        items,
        begin: format!(
            "        if ($value$plusargs(\"ports=%d\", from) == 0) from = cycles;\n{}",
            deposit::READ
        ),
        go_on: "k < cycles".into(),
        before: deposit::DUE,
        sample,
        end: format!("        $display(\"{token} END\");\n"),
    }
    .text()
}

/// Compiles the module of this shape in `hdl` with the testbench, below `out`.
///
/// # Errors
/// If Icarus is missing or does not take the Verilog.
pub fn build(shape: &Shape, hdl: &Path, out: &Path) -> Result<PathBuf, SimError> {
    compile(shape, false, hdl, out)
}

/// [`build`] with a testbench that can show the ports of instances.
///
/// # Errors
/// If Icarus is missing or does not take the Verilog, or an instance lacks a port.
pub fn build_with_ports(shape: &Shape, hdl: &Path, out: &Path) -> Result<PathBuf, SimError> {
    compile(shape, true, hdl, out)
}

fn compile(shape: &Shape, inner: bool, hdl: &Path, out: &Path) -> Result<PathBuf, SimError> {
    let recipe = Recipe {
        module: shape.layout.module,
        top: NAME.into(),
        flags: vec!["-g2012".into()],
        texts: vec![("tb.v", bench(shape, inner))],
        files: sources(hdl)?,
        includes: vec![hdl.join("include")],
        instance: Some(Instance {
            module: shape.layout.module.into(),
            settings: shape.parameters.changed(shape.layout.module),
            benches: 0,
        }),
        ..Recipe::default()
    };
    Ok(crate::build::build(&Icarus, &recipe, out)?.file)
}

/// Bytes that the testbench prints at most in that many cycles: a line of all outputs, one of all
/// registers and in some cycles one of the ports of instances, with a blank after each value, and for each
/// memory all words once and two in every cycle.
fn output_limit(shape: &Shape, cycles: usize) -> usize {
    let line = |signals: &[Signal]| signals.iter().map(|s| s.bits + 1).sum::<usize>();
    let registers: usize = shape.registers.iter().map(|(_, bits)| bits + 1).sum();
    let mut ports = 0;
    shape.layout.walk("", &mut |_, layout| ports += line(&layout.inputs) + line(&layout.outputs));
    let word = |m: &MemoryShape| m.bits + 32;
    let all: usize = shape.memories.iter().map(|(_, m)| m.depth * word(m)).sum();
    // A deposit changes all words of a memory at once.
    let deposited = 2 * all;
    let each: usize = shape.memories.iter().map(|(_, m)| 2 * word(m)).sum();
    all + deposited + (line(&shape.outputs) + registers + ports + each + 6) * (cycles + 1)
}

/// Plays a track and gives every cycle.
///
/// # Errors
/// If Icarus is missing or prints something else than it should.
pub fn play<M: Machine>(
    shape: &Shape,
    program: &Path,
    track: &Track<M::Inputs>,
) -> Result<Vec<Cycle>, SimError> {
    play_from::<M>(shape, program, track, track.inputs.len() as u64)
}

/// [`play`], with the ports of instances from cycle `from` on; the program is one of
/// [`build_with_ports`].
///
/// # Errors
/// As of [`play`].
pub fn play_from<M: Machine>(
    shape: &Shape,
    program: &Path,
    track: &Track<M::Inputs>,
    from: u64,
) -> Result<Vec<Cycle>, SimError> {
    let inputs = &track.inputs;
    if inputs.len() > ROOM {
        return Err(SimError::format(program, "the testbench has room for 65,536 cycles"));
    }
    let scratch = Scratch::new()?;
    scratch.write("stimulus.hex", &stimulus(shape, inputs))?;
    scratch.write("deposits.hex", &deposit::file(shape, &track.deposits))?;
    let mut command = Command::new("vvp");
    command.arg("-n").arg(program).arg(format!("+dir={}", scratch.path().display()));
    command.arg(format!("+cycles={}", inputs.len()));
    command.arg(format!("+deposited={}", track.deposits.len())).arg(format!("+ports={from}"));
    // Half as much again for what the design prints itself.
    let most = output_limit(shape, inputs.len()) / 2 * 3 + (1 << 20);
    let done = Task::new("iverilog", LIMIT).keep_all(most).run(&mut command)?;
    let token = Token::load(program.parent().unwrap_or(program))?;
    let words = |cycle: &Cycle| {
        let there = |&(m, index, _): &(usize, usize, Seen)| {
            shape.memories.get(m).is_some_and(|(_, memory)| index < memory.depth)
        };
        cycle.memories.iter().all(there)
    };
    // A word that the model does not have cannot be compared.
    let cycles = parse(&done.text, &token).filter(|cycles| cycles.iter().all(words));
    match cycles {
        Some(cycles) if cycles.len() == inputs.len() && done.success => Ok(cycles),
        _ => {
            let end: Vec<_> = done.text.lines().rev().take(3).collect();
            let tail = end.into_iter().rev().collect::<Vec<_>>().join(" | ");
            Err(SimError::Ended { simulator: "icarus", module: M::shape().layout.module, tail })
        }
    }
}

fn parse(text: &str, token: &Token) -> Option<Vec<Cycle>> {
    let mut cycles: Vec<Cycle> = Vec::new();
    // A word that changes at an edge is printed before the following cycle.
    let mut changed = Vec::new();
    let mut ended = false;
    for line in token.lines(text) {
        let mut parts = line.split(' ');
        let kind = parts.next();
        let values = |parts: std::str::Split<'_, char>| -> Option<Vec<Seen>> {
            parts.map(Seen::parse).collect()
        };
        match kind {
            Some("O") => {
                let memories = std::mem::take(&mut changed);
                cycles.push(Cycle { outputs: values(parts)?, memories, ..Cycle::default() });
            }
            Some("P") => cycles.last_mut()?.ports = values(parts)?,
            Some("R") => cycles.last_mut()?.registers = values(parts)?,
            Some("M") => {
                let memory = parts.next()?.parse().ok()?;
                let index = parts.next()?.parse().ok()?;
                let value = Seen::parse(parts.next()?)?;
                changed.push((memory, index, value));
            }
            Some("END") => ended = true,
            _ => {}
        }
    }
    ended.then_some(cycles)
}
