// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same stimulus in Icarus Verilog, in four states (LCK-5).
//!
//! The model runs from every start of [`starts`]. A bit to which all give
//! the same value is known, and Icarus must not have the other value there. Where all bits of a
//! register, output or memory word are known, Icarus must not have an X. (An X in a single bit
//! proves nothing: Verilog makes a whole `case` X when one bit of its selector is.)

use crate::bench::{Bench, NAME};
use crate::build::Recipe;
use crate::library::sources;
use crate::process::Task;
use crate::{Icarus, Instance, Scratch, SimError, Token};
use awgstar::quantity::narrow;
use awgstar::rtl::state::{MemoryRef, MemoryShape, Signal};
use awgstar_stimulus::deposit;
use awgstar_stimulus::known::starts;
use awgstar_stimulus::machine::{Machine, Track};
use awgstar_stimulus::shape::{Shape, image, value};
use awgstar_stimulus::vector::stimulus;
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// Cycles of the longest run.
const ROOM: usize = 65_536;
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
    /// Ports of all instances, in the order of the instances, inputs before outputs; of the cycles asked for.
    pub ports: Vec<FourState>,
}

/// Paths of the ports of all instances below the top module, inputs before outputs.
pub fn instance_ports(shape: &Shape) -> Vec<String> {
    let mut all = Vec::new();
    shape.layout.walk("", &mut |prefix, module| {
        if !prefix.is_empty() {
            let ports = module.inputs.iter().chain(&module.outputs);
            all.extend(ports.map(|port| format!("{prefix}{}", port.name)));
        }
    });
    all
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
    /// Returns true if the difference is an X where a value must be, and no value is wrong.
    #[must_use]
    pub const fn is_x(&self) -> bool {
        (self.icarus.value ^ self.model) & self.known & !self.icarus.unknown == 0
    }
}

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
        let mut all = instance_ports(shape).into_iter().map(|path| format!("dut.{path}"));
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

fn compile(shape: &Shape, ports: bool, hdl: &Path, out: &Path) -> Result<PathBuf, SimError> {
    let recipe = Recipe {
        module: shape.layout.module,
        top: NAME.into(),
        flags: vec!["-g2012".into()],
        texts: vec![("tb.v", bench(shape, ports))],
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
    scratch.write("stimulus.hex", &stimulus(inputs))?;
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
        let there = |&(m, index, _): &(usize, usize, FourState)| {
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
        let values = |parts: std::str::Split<'_, char>| -> Option<Vec<FourState>> {
            parts.map(FourState::parse).collect()
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
                let value = FourState::parse(parts.next()?)?;
                changed.push((memory, index, value));
            }
            Some("END") => ended = true,
            _ => {}
        }
    }
    ended.then_some(cycles)
}

/// Random ones among the starts that have the state of a simulation.
const RANDOM_STATES: u32 = 2;

/// Registers that hold a word of a memory, read at an address that is unknown until the host's first
/// access. All words are equal by then, so the model knows the word; Verilog makes it X.
const READ_ANYWHERE: &[&str] = &["u_counters.data_q"];

fn reads_anywhere(path: &str) -> bool {
    READ_ANYWHERE.iter().any(|end| path.ends_with(end))
}

/// What the starts of the model agree on.
#[derive(Clone, Copy)]
struct Agreed {
    /// Value of the first start.
    value: u128,
    /// Bits in which another one differs.
    unknown: u128,
}

/// Images of the starts, word by word: the first one, and where another one differs.
fn agreed(images: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let first = images[0].clone();
    let mut differ = vec![0; first.len()];
    for image in &images[1..] {
        for ((differ, first), word) in differ.iter_mut().zip(&first).zip(image) {
            *differ |= first ^ word;
        }
    }
    (first, differ)
}

/// Indices of a memory whose word has changed in one of the starts.
fn changed_words(before: MemoryRef<'_>, now: MemoryRef<'_>, depth: usize) -> Vec<usize> {
    if before == now {
        return Vec::new();
    }
    (0..depth).filter(|&index| before.get(index) != now.get(index)).collect()
}

/// The model from every start of [`starts`], beside a simulation in four states, a cycle at a time:
/// [`Checker::look`] before each edge, [`Checker::clock`] at it.
#[derive(Clone, Debug)]
pub struct Checker<M> {
    shape: Shape,
    nodes: Vec<M>,
    /// The starts in the cycle before: a word that has not changed since is not looked at again.
    before: Vec<M>,
    /// Words of the memories as the simulation had them last.
    seen: Vec<Vec<FourState>>,
    /// Words that the last edge has changed in one of the starts, if they have been asked for.
    changed: Option<Vec<BTreeSet<usize>>>,
    cycle: usize,
}

impl<M: Machine> Checker<M> {
    /// The special starts and so many random ones, before the first cycle.
    #[must_use]
    pub fn new(shape: &Shape, random: u32) -> Self {
        let unknown = |(_, memory): &(String, MemoryShape)| {
            vec![FourState { value: 0, unknown: u128::MAX >> (128 - memory.bits) }; memory.depth]
        };
        Checker {
            shape: shape.clone(),
            nodes: starts::<M>(shape, random),
            before: Vec::new(),
            seen: shape.memories.iter().map(unknown).collect(),
            changed: None,
            cycle: 0,
        }
    }

    /// Number of starts.
    #[must_use]
    pub fn starts(&self) -> usize {
        self.nodes.len()
    }

    /// The model, from the first start.
    #[must_use]
    pub fn model(&self) -> &M {
        &self.nodes[0]
    }

    /// Deposits values in the model.
    pub fn deposit(&mut self, due: &[deposit::Deposit]) {
        for node in &mut self.nodes {
            deposit::apply(node, due);
        }
        self.changed = None;
    }

    /// Indices of the words of each memory that the last edge, or a deposit, has changed in one of the
    /// starts; all before the first comparison.
    pub fn changed(&mut self) -> &[BTreeSet<usize>] {
        let Checker { shape, nodes, before, changed, .. } = self;
        changed.get_or_insert_with(|| {
            let all = |(_, memory): &(String, MemoryShape)| (0..memory.depth).collect();
            if before.is_empty() {
                return shape.memories.iter().map(all).collect();
            }
            let mut sets = vec![BTreeSet::new(); shape.memories.len()];
            for (before, now) in before.iter().zip(nodes.iter()) {
                let memories = before.memory_refs().into_iter().zip(now.memory_refs());
                for ((set, (_, memory)), (before, now)) in
                    sets.iter_mut().zip(&shape.memories).zip(memories)
                {
                    set.extend(changed_words(before, now, memory.depth));
                }
            }
            sets
        })
    }

    /// Gives bits that the model does not know the value that the simulation has, in all starts.
    ///
    /// # Panics
    /// If `cycle` has a memory word that the shape does not have; [`play`] gives none.
    pub fn adopt(&mut self, cycle: &Cycle) {
        let (first, differ) = agreed(&self.states());
        let mut value = first;
        let mut take = vec![0; differ.len()];
        for ((_, bits, at), found) in self.shape.register_words().zip(&cycle.registers) {
            for word in 0..bits.div_ceil(32) {
                let [unknown, found] =
                    [found.unknown, found.value].map(|v| (v >> (32 * word) & 0xffff_ffff) as u32);
                take[at + word] = differ[at + word] & !unknown;
                value[at + word] = found;
            }
        }
        let mut words = Vec::new();
        for &(m, index, found) in &cycle.memories {
            let all: Vec<u128> = self.nodes.iter().map(|n| n.memory_refs()[m].get(index)).collect();
            let unknown = all.iter().fold(0, |differ, word| differ | (word ^ all[0]));
            words.push((m, index, unknown & !found.unknown, found.value));
        }
        for node in &mut self.nodes {
            let mut image = vec![0; M::WORDS];
            node.pack(&mut image);
            for ((word, take), value) in image.iter_mut().zip(&take).zip(&value) {
                *word = *word & !take | value & take;
            }
            node.unpack(&image);
            let had: Vec<u128> =
                words.iter().map(|&(m, index, ..)| node.memory_refs()[m].get(index)).collect();
            let mut number = 0;
            node.memories_mut(&mut |mut memory| {
                for (&(m, index, take, value), had) in words.iter().zip(&had) {
                    if m == number {
                        memory.set(index, had & !take | value & take);
                    }
                }
                number += 1;
            });
        }
        self.changed = None;
    }

    /// Adds starts that have the state of the simulation before the first edge, of which `cycle` has all words: bits
    /// that are unknown there are 0 in one, 1 in the next and random in the others. What looks known by the choice of
    /// the other starts only is unknown then.
    ///
    /// # Panics
    /// If `cycle` has a memory word that the shape does not have; [`play`] gives none.
    pub fn add_state(&mut self, cycle: &Cycle) {
        let random = starts::<M>(&self.shape, RANDOM_STATES);
        let special = random.len() - narrow::<usize>(RANDOM_STATES);
        let fill = random.into_iter().enumerate().filter(|(i, _)| *i < 2 || *i >= special);
        for (_, mut node) in fill {
            let mut image = vec![0; M::WORDS];
            node.pack(&mut image);
            for ((_, bits, at), found) in self.shape.register_words().zip(&cycle.registers) {
                for word in 0..bits.div_ceil(32) {
                    let [unknown, found] = [found.unknown, found.value]
                        .map(|v| (v >> (32 * word) & 0xffff_ffff) as u32);
                    image[at + word] = image[at + word] & unknown | found;
                }
            }
            node.unpack(&image);
            let had: Vec<u128> = cycle
                .memories
                .iter()
                .map(|&(m, index, _)| node.memory_refs()[m].get(index))
                .collect();
            let mut number = 0;
            node.memories_mut(&mut |mut memory| {
                for (&(m, index, found), had) in cycle.memories.iter().zip(&had) {
                    if m == number {
                        memory.set(index, had & found.unknown | found.value);
                    }
                }
                number += 1;
            });
            self.nodes.push(node);
        }
        self.before.clear();
        self.changed = None;
    }

    /// Makes `count` starts of the only one, for inputs of which bits are unknown.
    pub fn split(&mut self, count: usize) {
        if let [only] = &self.nodes[..] {
            self.nodes = vec![only.clone(); count];
            if let [before] = &self.before[..] {
                self.before = vec![before.clone(); count];
            }
        }
    }

    /// Keeps one of the starts if all are equal.
    pub fn join(&mut self) {
        if self.nodes.iter().all(|node| *node == self.nodes[0]) {
            self.nodes.truncate(1);
            self.before.truncate(1);
        }
    }

    fn states(&self) -> Vec<Vec<u32>> {
        let state = |node: &M| {
            let mut words = vec![0; M::WORDS];
            node.pack(&mut words);
            words
        };
        self.nodes.iter().map(state).collect()
    }

    /// Takes over the words of a cycle that is not compared.
    ///
    /// # Panics
    /// As [`Checker::look`].
    pub fn note(&mut self, cycle: &Cycle) {
        for &(m, index, value) in &cycle.memories {
            self.seen[m][index] = value;
        }
    }

    /// All that the simulation does not have as the model knows it before the edge, registers first.
    /// `inputs` are those of each start: a bit that is unknown in the simulation differs among them.
    ///
    /// # Panics
    /// If `cycle` has a memory word that the shape does not have; [`play`] gives none.
    pub fn look(&mut self, inputs: &dyn Fn(usize) -> M::Inputs, cycle: &Cycle) -> Vec<Wrong> {
        self.note(cycle);
        self.changed();
        let mut changed = self.changed.take().unwrap_or_default();
        for &(m, index, _) in &cycle.memories {
            changed[m].insert(index);
        }
        let mut wrong = Vec::new();
        let number = self.cycle;
        let mut look =
            |path: &dyn Fn() -> String, bits: usize, model: Agreed, icarus: FourState| {
                let known = !model.unknown & u128::MAX >> (128 - bits);
                let value = model.value & known;
                let x = model.unknown == 0 && icarus.unknown != 0 && !reads_anywhere(&path());
                if x || (icarus.value ^ value) & known & !icarus.unknown != 0 {
                    wrong.push(Wrong { cycle: number, path: path(), model: value, known, icarus });
                }
            };
        let at_place = |(first, differ): &(Vec<u32>, Vec<u32>), at: usize, bits: usize| Agreed {
            value: value(first, at, bits),
            unknown: value(differ, at, bits),
        };
        let states = agreed(&self.states());
        for ((path, bits, at), icarus) in self.shape.register_words().zip(&cycle.registers) {
            look(&|| path.to_owned(), bits, at_place(&states, at, bits), *icarus);
        }
        let outputs = self.outputs(inputs);
        for ((path, bits, at), icarus) in self.shape.output_words().zip(&cycle.outputs) {
            look(&|| path.to_owned(), bits, at_place(&outputs, at, bits), *icarus);
        }
        let contents: Vec<_> = self.nodes.iter().map(Machine::memory_refs).collect();
        for (m, (path, memory)) in self.shape.memories.iter().enumerate() {
            for &index in &changed[m] {
                let words = contents.iter().map(|c| c[m].get(index));
                let first = contents[0][m].get(index);
                let unknown = words.fold(0, |differ, word| differ | (word ^ first));
                let model = Agreed { value: first, unknown };
                look(&|| format!("{path}[{index}]"), memory.bits, model, self.seen[m][index]);
            }
        }
        wrong
    }

    /// [`Checker::look`] that compares the memory words of `cycle` only, not those that the model has changed too.
    ///
    /// # Panics
    /// As [`Checker::look`].
    pub fn look_at(&mut self, inputs: &dyn Fn(usize) -> M::Inputs, cycle: &Cycle) -> Vec<Wrong> {
        self.changed = Some(vec![BTreeSet::new(); self.shape.memories.len()]);
        self.look(inputs, cycle)
    }

    /// Image of the outputs of the first start, and the bits in which another start differs.
    #[must_use]
    pub fn outputs(&self, inputs: &dyn Fn(usize) -> M::Inputs) -> (Vec<u32>, Vec<u32>) {
        let starts = self.nodes.iter().enumerate();
        let outputs: Vec<_> = starts.map(|(s, node)| image(&node.outputs(&inputs(s)))).collect();
        agreed(&outputs)
    }

    /// The edge. After a cycle that was not compared (`compared` is false) every word counts as changed.
    pub fn clock(&mut self, inputs: &dyn Fn(usize) -> M::Inputs, compared: bool) {
        if !compared {
            self.before.clear();
        } else if self.before.is_empty() {
            self.before.clone_from(&self.nodes);
        }
        for (start, node) in self.nodes.iter_mut().enumerate() {
            if let Some(before) = self.before.get_mut(start)
                && before.memory_refs() != node.memory_refs()
            {
                before.clone_from(node);
            }
            node.clock(&inputs(start));
        }
        self.changed = None;
        self.cycle += 1;
    }
}

/// The first cycle in which Icarus does not have what the model knows, and all that is wrong there,
/// registers first.
///
/// # Panics
/// If a cycle has a memory word that the shape does not have; [`play`] gives none.
#[must_use]
pub fn check<M: Machine>(shape: &Shape, track: &Track<M::Inputs>, cycles: &[Cycle]) -> Vec<Wrong> {
    let mut checker = Checker::<M>::new(shape, 16);
    for (number, (i, cycle)) in track.inputs.iter().zip(cycles).enumerate() {
        checker.deposit(&deposit::due(&track.deposits, awgstar::quantity::Cycle(number as u64)));
        // Before the first edge nothing is set: what looks known is so by the choice of starts.
        let compared = number > 0;
        if compared {
            let wrong = checker.look(&|_| *i, cycle);
            if !wrong.is_empty() {
                return wrong;
            }
        } else {
            checker.note(cycle);
        }
        checker.clock(&|_| *i, compared);
    }
    Vec::new()
}
