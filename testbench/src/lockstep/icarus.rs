//! The same stimulus in Icarus Verilog, in four states (LCK-5).
//!
//! The model runs from every start of [`starts`]. A bit to which all give
//! the same value is known, and Icarus must not have the other value there. Where all bits of a
//! register, output or memory word are known, Icarus must not have an X. (An X in a single bit
//! proves nothing: Verilog makes a whole `case` X when one bit of its selector is.)

use super::{
    adopt::starts,
    build::sources,
    divergence::memories,
    machine::Machine,
    shape::{Shape, image, value},
    vector::stimulus,
};
use crate::sim::{
    SimError, Token, process,
    simulator::{build_once, fnv, list},
};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(300);

/// A value in four states: bits, and which of them are X or Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FourState {
    /// Value; 0 where unknown.
    pub value: u128,
    /// 1 where X or Z.
    pub unknown: u128,
}

impl FourState {
    fn parse(text: &str) -> Option<Self> {
        text.chars().try_fold(FourState::default(), |v, c| {
            let (value, unknown) = match c {
                '0' => (0, 0),
                '1' => (1, 0),
                'x' | 'z' | 'X' | 'Z' => (0, 1),
                _ => return None,
            };
            Some(FourState { value: v.value << 1 | value, unknown: v.unknown << 1 | unknown })
        })
    }
}

/// One cycle of a node.
#[derive(Clone, Debug, Default)]
pub struct Cycle {
    /// Outputs, in the order of the shape.
    pub outputs: Vec<FourState>,
    /// Registers.
    pub registers: Vec<FourState>,
    /// Memory words that changed: (memory, index, value).
    pub memories: Vec<(usize, usize, FourState)>,
}

/// Something Icarus has otherwise than the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// In this cycle.
    pub cycle: usize,
    /// Register, memory word or output.
    pub path: String,
    /// In the model; 0 where unknown.
    pub model: u128,
    /// Bits the model knows.
    pub known: u128,
    /// In Icarus.
    pub icarus: FourState,
}

impl Wrong {
    /// It is an X where a value must be, and no value is wrong.
    #[must_use]
    pub const fn is_x(&self) -> bool {
        (self.icarus.value ^ self.model) & self.known & !self.icarus.unknown == 0
    }
}

/// The testbench; `token` marks what it prints.
fn bench(shape: &Shape, token: &str) -> String {
    let top = shape.layout.module;
    let mut out = String::from("`timescale 1ns/1ns\nmodule tb_lockstep;\n    reg clk;\n");
    let range = |bits: usize| if bits == 1 { String::new() } else { format!("[{}:0] ", bits - 1) };
    let mut ports = String::from(".clk(clk)");
    for (kind, signals) in [("reg", shape.inputs), ("wire", shape.outputs)] {
        for s in signals {
            let _ = writeln!(out, "    {kind} {}{};", range(s.bits), s.name);
            let _ = write!(ports, ", .{0}({0})", s.name);
        }
    }
    let names: Vec<_> = shape.inputs.iter().map(|s| s.name).collect();
    let width: usize = shape.inputs.iter().map(|s| s.bits).sum();
    let _ = writeln!(
        out,
        "    {top} dut({ports});\n    reg [{}:0] stimulus [0:65535];\n    reg [8191:0] file;\n    integer cycle, cycles;",
        width - 1
    );
    // A look at every word in every cycle would take most of the time.
    for (m, (path, memory)) in shape.memories.iter().enumerate() {
        let _ = writeln!(
            out,
            "    genvar g{m};\n    generate for (g{m} = 0; g{m} < {}; g{m} = g{m} + 1) begin : watch{m}\n        always @(dut.{path}[g{m}]) $display(\"{token} M {m} %0d %b\", g{m}, dut.{path}[g{m}]);\n    end endgenerate",
            memory.depth
        );
    }
    let _ = writeln!(
        out,
        "    initial begin\n        clk = 0;\n        if (!$value$plusargs(\"stimulus=%s\", file)) $finish;\n        if (!$value$plusargs(\"cycles=%d\", cycles)) $finish;\n        $readmemh(file, stimulus, 0, cycles - 1);\n        for (cycle = 0; cycle < cycles; cycle = cycle + 1) begin\n            {{{}}} = stimulus[cycle];\n            #4;",
        names.join(", ")
    );
    let print = |letter: char, paths: &mut dyn Iterator<Item = String>| {
        let paths: Vec<_> = paths.collect();
        format!(
            "            $display(\"{token} {letter}{}\", {});\n",
            " %b".repeat(paths.len()),
            paths.join(", ")
        )
    };
    out.push_str(&print('O', &mut shape.outputs.iter().map(|s| s.name.to_owned())));
    out.push_str(&print('R', &mut shape.registers.iter().map(|(p, _)| format!("dut.{p}"))));
    let _ = write!(
        out,
        "            #1 clk = 1;\n            #5 clk = 0;\n        end\n        $display(\"{token} END\");\n        $finish;\n    end\nendmodule\n"
    );
    out
}

/// Compiles the node in `hdl` with the testbench, below `out`.
///
/// # Errors
/// When Icarus is missing or does not take the Verilog.
pub fn build<M: Machine>(hdl: &Path, out: &Path) -> Result<PathBuf, SimError> {
    let top = M::shape().layout.module;
    // Without a token, so that the same sources are found again.
    let text = bench(M::shape(), "");
    let files = sources(hdl)?;
    let mut hash = fnv(0xcbf2_9ce4_8422_2325, text.as_bytes());
    for file in files.iter().chain(&list(&hdl.join("include"), "vh")?) {
        hash = fnv(hash, &fs::read(file).map_err(SimError::io(file))?);
    }
    let folder = out.join("lockstep").join(format!("icarus-{top}-{hash:016x}"));
    build_once(&folder, |scratch| {
        let tb = scratch.join("tb.v");
        let token = Token::random();
        token.save(scratch)?;
        fs::write(&tb, bench(M::shape(), &token.to_string())).map_err(SimError::io(&tb))?;
        let mut command = Command::new("iverilog");
        command.args(["-g2012", "-s", "tb_lockstep", "-I"]).arg(hdl.join("include"));
        command.arg("-o").arg(scratch.join("tb.vvp")).args(&files).arg(&tb);
        let done = process::run(&mut command, "iverilog", LIMIT)?;
        if done.success {
            return Ok(());
        }
        Err(SimError::build("icarus", top, done.text))
    })?;
    Ok(folder.join("tb.vvp"))
}

/// Plays `inputs` and gives every cycle.
///
/// # Errors
/// When Icarus is missing or prints something else than it should.
pub fn play<M: Machine>(program: &Path, inputs: &[M::Inputs]) -> Result<Vec<Cycle>, SimError> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    if inputs.len() > 65_536 {
        return Err(SimError::format(program, "the testbench has room for 65,536 cycles"));
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let file = program.with_file_name(format!("stimulus-{}-{number}.hex", std::process::id()));
    fs::write(&file, stimulus(inputs)).map_err(SimError::io(&file))?;
    let mut command = Command::new("vvp");
    command.arg("-n").arg(program).arg(format!("+stimulus={}", file.display()));
    command.arg(format!("+cycles={}", inputs.len()));
    let done = process::run(&mut command, "iverilog", LIMIT);
    let _ = fs::remove_file(&file);
    let done = done?;
    let token = Token::load(program.parent().unwrap_or(program))?;
    let cycles = parse(&done.text, &token);
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
    // A word that changes at an edge is told before the cycle behind it.
    let mut changed = Vec::new();
    let mut ended = false;
    for line in token.lines(text) {
        let mut parts = line.split(' ');
        let kind = parts.next();
        let values = |parts: std::str::Split<'_, char>| -> Option<Vec<FourState>> {
            parts.map(FourState::parse).collect()
        };
        match kind {
            Some("O") => {
                let memories = std::mem::take(&mut changed);
                cycles.push(Cycle { outputs: values(parts)?, memories, ..Cycle::default() });
            }
            Some("R") => cycles.last_mut()?.registers = values(parts)?,
            Some("M") => {
                let memory = parts.next()?.parse().ok()?;
                let index = parts.next()?.parse().ok()?;
                let value = FourState::parse(parts.next()?)?;
                changed.push((memory, index, value));
            }
            Some("END") => ended = true,
            _ => {}
        }
    }
    ended.then_some(cycles)
}

/// The first cycle in which Icarus does not have what the model knows, and all that is wrong there,
/// registers first.
#[must_use]
pub fn check<M: Machine>(inputs: &[M::Inputs], cycles: &[Cycle]) -> Vec<Wrong> {
    let shape = M::shape();
    let mut nodes = starts::<M>(shape, 16);
    let mut seen: BTreeMap<(usize, usize), FourState> = BTreeMap::new();
    for (number, (i, cycle)) in inputs.iter().zip(cycles).enumerate() {
        seen.extend(cycle.memories.iter().map(|&(m, index, v)| ((m, index), v)));
        // Before the first edge nothing is set: what looks known is so by the choice of starts.
        if number == 0 {
            for node in &mut nodes {
                node.clock(i);
            }
            continue;
        }
        let mut wrong = Vec::new();
        let mut look =
            |path: &dyn Fn() -> String, bits: usize, values: &[u128], icarus: FourState| {
                let unknown = values.iter().fold(0, |d, v| d | (v ^ values[0]));
                let known = !unknown & u128::MAX >> (128 - bits);
                let model = values[0] & known;
                let x = unknown == 0 && icarus.unknown != 0;
                if x || (icarus.value ^ model) & known & !icarus.unknown != 0 {
                    wrong.push(Wrong { cycle: number, path: path(), model, known, icarus });
                }
            };
        let states: Vec<Vec<u32>> = nodes
            .iter()
            .map(|n| {
                let mut words = vec![0; M::WORDS];
                n.pack(&mut words);
                words
            })
            .collect();
        for ((path, bits, at), icarus) in shape.register_words().zip(&cycle.registers) {
            let values: Vec<_> = states.iter().map(|s| value(s, at, bits)).collect();
            look(&|| path.to_owned(), bits, &values, *icarus);
        }
        let outputs: Vec<_> = nodes.iter().map(|n| image(&n.outputs(i))).collect();
        for ((path, bits, at), icarus) in shape.output_words().zip(&cycle.outputs) {
            let values: Vec<_> = outputs.iter().map(|s| value(s, at, bits)).collect();
            look(&|| path.to_owned(), bits, &values, *icarus);
        }
        let contents: Vec<_> = nodes.iter().map(memories).collect();
        for (m, (path, memory)) in shape.memories.iter().enumerate() {
            for index in 0..memory.depth {
                let values: Vec<_> = contents.iter().map(|c| c[m][index]).collect();
                let all = FourState { value: 0, unknown: u128::MAX >> (128 - memory.bits) };
                let icarus = seen.get(&(m, index)).copied().unwrap_or(all);
                look(&|| format!("{path}[{index}]"), memory.bits, &values, icarus);
            }
        }
        if !wrong.is_empty() {
            return wrong;
        }
        for node in &mut nodes {
            node.clock(i);
        }
    }
    Vec::new()
}
