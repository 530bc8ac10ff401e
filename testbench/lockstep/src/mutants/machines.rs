// SPDX-License-Identifier: MIT OR Apache-2.0
//! Injected bugs in the ring node and the board (`testbench/mutants/{node,board}.toml`), which the
//! stimuli of the lockstep must find.
//!
//! Verilating each would take minutes, so Icarus plays the stimuli and compares itself: every
//! output and register of the node, every cycle, and every memory word after the last one, with what the model
//! says. All starts from zeros on both sides.

use crate::mutants;
use crate::mutants::{Mutant, Oracle, injected};
use awgstar::quantity::Cycle;
use awgstar::rtl::state::{Ports, Signal as Port};
use awgstar_compare::cause::QUALIFIED;
use awgstar_compare::{Difference, Expected, Kind, Seen, Signal, Signals};
use awgstar_simulator::bench::{Bench, NAME, read};
use awgstar_simulator::recipe::{Compiler, Recipe};
use awgstar_simulator::{Icarus, Scratch, SimError, Sources, Token, process};
use awgstar_stimulus::Case;
use awgstar_stimulus::deposit;
use awgstar_stimulus::deposit::Deposit;
use awgstar_stimulus::machine::{self, Machine, Track, memories};
use awgstar_stimulus::shape::{Shape, image};
use awgstar_stimulus::vector::digits;
use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Cycles of a part, at least: most bugs show in the first ones, and parts are quick to read.
const PART: usize = 1500;

/// The part of the stimuli with the first difference, and that: of outputs, registers and memories in the order of the
/// images the first. A memory differs in the cycle after the last.
pub type First = (usize, Difference);

impl mutants::Found for First {
    fn place(&self) -> [String; 3] {
        let (part, Difference { cycle, signal, .. }) = self;
        [part.to_string(), cycle.to_string(), signal.path.clone()]
    }
}

/// Result of a mutant.
pub type Fate = mutants::Fate<First>;

/// Inputs of a case; those of a ring's nodes are concatenated.
pub(super) fn track<M: Machine>(case: &Case<M>) -> Result<Track<M::Inputs>, SimError> {
    let mut per_node: Vec<Vec<M::Inputs>> = vec![Vec::new(); case.nodes()];
    let mut deposits = Vec::new();
    let mut bench = case.bench()?;
    while !bench.done() {
        deposits.extend(bench.deposit());
        bench.step(&mut |node, _, inputs, _| per_node[node].push(*inputs));
    }
    Ok(Track { inputs: per_node.into_iter().flatten().collect(), deposits })
}

/// Stimuli, what the model says to each, and the testbench that compares.
#[derive(Debug)]
pub struct Check {
    pub(super) shape: Arc<Shape>,
    pub(super) folder: PathBuf,
    /// Length of each stimulus, in cycles.
    pub(super) parts: Vec<usize>,
    /// Values deposited in each of them.
    pub(super) deposited: Vec<usize>,
    testbench: String,
    token: Token,
    clean: Mutex<Option<Clean>>,
}

/// The design without a bug, and the parts that it passed.
#[derive(Debug)]
struct Clean {
    program: Program,
    passed: BTreeSet<usize>,
}

/// A compiled design.
#[derive(Debug)]
struct Program {
    path: PathBuf,
    /// Link to the stimuli.
    parts: PathBuf,
    /// All of it is there.
    _scratch: Scratch,
}

impl Check {
    /// Writes the files below `folder`: the cases in parts, each of which starts from zeros.
    ///
    /// # Errors
    /// If a scenario is not valid or a file cannot be written.
    pub fn write<M: Machine>(folder: &Path, cases: &[Case<M>]) -> Result<Self, SimError> {
        let parts = parts_of::<M>(cases)?;
        let shape = shape_of(cases)?;
        for (i, part) in parts.iter().enumerate() {
            write_part::<M>(&shape, &folder.join(i.to_string()), part)?;
        }
        Ok(Check::with_bench(shape, folder, &parts))
    }

    /// Stimuli that are written already, and the testbench for them.
    pub(super) fn with_bench<I>(shape: Arc<Shape>, folder: &Path, tracks: &[Track<I>]) -> Self {
        let parts: Vec<usize> = tracks.iter().map(|t| t.inputs.len()).collect();
        let deposited = tracks.iter().map(|t| t.deposits.len()).collect();
        let token = Token::random();
        let testbench = testbench(&shape, parts.iter().copied().max().unwrap_or(1), &token);
        let clean = Mutex::new(None);
        Check { shape, folder: folder.into(), parts, deposited, testbench, token, clean }
    }

    /// Plays the parts to the design of `sources` until one finds something. That part must pass with the design
    /// of `clean`, or everything would count as found.
    ///
    /// # Errors
    /// If Icarus is missing, or the design without the bug fails.
    pub(super) fn judge(&self, clean: &Sources, sources: &Sources) -> Result<Fate, SimError> {
        let program = match self.compile(sources)? {
            Ok(program) => program,
            Err(log) => return Ok(Fate::DoesNotCompile(log)),
        };
        for part in 0..self.parts.len() {
            let fate = self.run_part(&program, part)?;
            if fate != Fate::Survived {
                self.control(clean, part)?;
                return Ok(fate);
            }
        }
        Ok(Fate::Survived)
    }

    fn control(&self, sources: &Sources, part: usize) -> Result<(), SimError> {
        let fails = |why: String| SimError::format(&sources.hdl, format!("without a bug: {why}"));
        // Who needs the same part waits for the first.
        let mut clean = self.clean.lock().unwrap_or_else(PoisonError::into_inner);
        if clean.is_none() {
            let program = self.compile(sources)?.map_err(fails)?;
            *clean = Some(Clean { program, passed: BTreeSet::new() });
        }
        let Some(Clean { program, passed }) = clean.as_mut() else {
            return Ok(());
        };
        if passed.contains(&part) {
            return Ok(());
        }
        let fate = self.run_part(program, part)?;
        if fate != Fate::Survived {
            return Err(fails(format!("the Verilog differs: {fate:?}")));
        }
        passed.insert(part);
        Ok(())
    }

    /// `Err` is what the compiler says to a design that it does not take.
    fn compile(&self, sources: &Sources) -> Result<Result<Program, String>, SimError> {
        let recipe = Recipe {
            module: self.shape.layout.module,
            top: NAME.into(),
            flags: vec!["-g2012".into()],
            commands: Some(sources.bench.join("icarus.f")),
            texts: vec![("bench.v", self.testbench.clone())],
            files: sources.design()?,
            includes: vec![sources.hdl.join("include")],
            instance: None,
        };
        let mut laid = recipe.lay_out()?;
        let path = match Icarus.compile(&recipe, &laid) {
            Ok(compiled) => compiled.product,
            Err(SimError::Build { log, .. }) => return Ok(Err(log)),
            Err(error) => return Err(error),
        };
        let parts = laid.scratch.link(&self.folder)?;
        Ok(Ok(Program { path, parts, _scratch: laid.scratch }))
    }

    fn run_part(&self, program: &Program, part: usize) -> Result<Fate, SimError> {
        let cycles = self.parts[part];
        let folder = program.parts.join(part.to_string());
        let mut command = Command::new("vvp");
        command
            .arg("-n")
            .arg(&program.path)
            .arg(format!("+dir={}", folder.display()))
            .arg(format!("+cycles={cycles}"))
            .arg(format!("+deposited={}", self.deposited[part]));
        let run = match process::run(&mut command, "iverilog", Duration::from_secs(300)) {
            Err(e @ (SimError::Timeout { .. } | SimError::Flood { .. })) => {
                return Ok(Fate::Hung(e.to_string()));
            }
            other => other?,
        };
        self.fate(part, run.text)
    }

    /// The fate that the output of a run tells.
    fn fate(&self, part: usize, text: String) -> Result<Fate, SimError> {
        let said =
            |word: &str| self.token.lines(&text).find_map(|l| l.strip_prefix(word)).map(str::trim);
        if let Some(rest) = said("differs") {
            let first = difference(&self.shape, rest).ok_or_else(|| {
                let (module, tail) = (self.shape.layout.module, format!("differs {rest}"));
                SimError::Ended { simulator: "icarus", module, tail }
            })?;
            return Ok(Fate::Killed((part, first)));
        }
        match said("same") {
            Some(count) if count == self.parts[part].to_string() => Ok(Fate::Survived),
            _ => Ok(Fate::Hung(text)),
        }
    }
}

/// The inputs of all cases in parts, each of which starts from zeros.
pub(super) fn parts_of<M: Machine>(cases: &[Case<M>]) -> Result<Vec<Track<M::Inputs>>, SimError> {
    let (mut parts, mut part) = (Vec::new(), Track::from(Vec::new()));
    for case in cases {
        let at = part.inputs.len() as u64;
        let Track { inputs, deposits } = track::<M>(case)?;
        part.inputs.extend(inputs);
        part.deposits
            .extend(deposits.into_iter().map(|d| Deposit { cycle: Cycle(at) + d.cycle, ..d }));
        if part.inputs.len() >= PART {
            parts.push(std::mem::replace(&mut part, Track::from(Vec::new())));
        }
    }
    parts.extend((!part.inputs.is_empty()).then_some(part));
    Ok(parts)
}

/// The shape of the machines of all cases, which are parts of one run.
fn shape_of<M: Machine>(cases: &[Case<M>]) -> Result<Arc<Shape>, SimError> {
    let parameters = cases.first().map_or(M::shape().parameters, |case| case.parameters);
    if cases.iter().any(|case| case.parameters != parameters) {
        return Err(SimError::format("cases", "expected the same parameters in each"));
    }
    Ok(Shape::of::<M>(&parameters))
}

/// A stimulus and what the model of this shape says to it.
fn write_part<M: Machine>(
    shape: &Shape,
    folder: &Path,
    part: &Track<M::Inputs>,
) -> Result<(), SimError> {
    let (mut stimulus, mut expected) = (String::new(), String::new());
    let mut node = M::new(&shape.parameters);
    let width = M::Outputs::WORDS;
    for (cycle, i) in (0..).zip(&part.inputs) {
        machine::deposit(&mut node, &deposit::due(&part.deposits, Cycle(cycle)));
        stimulus_line(&mut stimulus, M::Inputs::PORTS, &image(i));
        let mut image = vec![0; width + M::WORDS];
        node.outputs(i).pack(&mut image[..width]);
        node.pack(&mut image[width..]);
        line(&mut expected, &image);
        node.clock(i);
    }
    let deposits = deposit::file(shape, &part.deposits);
    write_files(folder, [stimulus, expected, deposits], memories(&node).iter())
}

/// The files of a part: stimulus, what is expected, what is deposited, and each memory after the last cycle.
pub(super) fn write_files<'m>(
    folder: &Path,
    texts: [String; 3],
    memories: impl Iterator<Item = &'m Vec<u128>>,
) -> Result<(), SimError> {
    fs::create_dir_all(folder).map_err(SimError::io(folder))?;
    let names = ["stimulus.hex", "expected.hex", "deposits.hex"].map(str::to_owned);
    let words = |memory: &Vec<u128>| {
        memory.iter().fold(String::new(), |mut text, word| {
            let _ = writeln!(text, "{word:x}");
            text
        })
    };
    let memories =
        memories.enumerate().map(|(n, memory)| (format!("memory_{n}.hex"), words(memory)));
    for (name, text) in names.into_iter().zip(texts).chain(memories) {
        let path = folder.join(name);
        fs::write(&path, text).map_err(SimError::io(&path))?;
    }
    Ok(())
}

/// A line of `stimulus.hex` for these inputs.
pub(super) fn stimulus_line(out: &mut String, inputs: &[Port], image: &[u32]) {
    out.push_str(&digits(inputs, image, &vec![u32::MAX; image.len()]));
    out.push('\n');
}

/// One line for `$readmemh`, word 0 lowest.
pub(super) fn line(out: &mut String, image: &[u32]) {
    for word in image.iter().rev() {
        let _ = write!(out, "{word:08x}");
    }
    out.push('\n');
}

/// All that is compared, in the order of the images: outputs, registers, memories.
fn signals(shape: &Shape) -> Vec<Arc<Signal>> {
    let mut all: Vec<_> = Signals::of(shape).iter().cloned().collect();
    all.sort_by_key(|signal| {
        (signal.kind != Kind::Output, signal.kind != Kind::Register, signal.number)
    });
    all
}

/// The difference that a line of the testbench tells: cycle, number of the signal, index of the word, what was
/// expected and what was found. `None` if it cannot be read, or what was found is right.
fn difference(shape: &Shape, line: &str) -> Option<Difference> {
    let mut parts = line.split(' ');
    let cycle = parts.next()?.parse().ok()?;
    let signal = signals(shape).into_iter().nth(parts.next()?.parse().ok()?)?;
    let word = parts.next()?.parse().ok()?;
    let word = (signal.kind == Kind::Memory).then_some(word);
    let expected = Seen::parse(parts.next()?).filter(|value| value.x == 0)?;
    let expected = Expected::exactly(expected.value, signal.bits);
    let seen = Seen::parse(parts.next()?)?;
    let wrong = expected.wrong(seen) != 0;
    wrong.then_some(Difference { signal, word, cycle, expected, seen, cause: None })
}

/// A testbench that compares every output and register every cycle (LCK-1), signal by signal: one wide
/// vector of all would be put together anew at each change. Memories are compared at the end, as a wrong word
/// stays if nothing reads it. It tells the first difference only, which [`difference`] judges again.
fn testbench(shape: &Shape, cycles: usize, token: &Token) -> String {
    let module = shape.layout.module;
    let mut items = format!(
        "    reg [{0}:0] expected [0:{1}];\n    reg [{0}:0] e;\n    integer bad = -1;\n    \
         integer at;\n    integer word;\n    reg [127:0] wanted;\n    reg [127:0] found;\n",
        32 * (shape.words[1] + shape.words[2]) - 1,
        cycles.max(1) - 1
    );
    items.push_str(&deposit::verilog(shape));
    let mut begin = [read("expected"), deposit::READ.to_owned()].concat();
    for (name, ..) in shape.register_words() {
        let _ = writeln!(begin, "        dut.{name} = 0;");
    }
    let tell =
        format!("$display(\"{token} differs %0d %0d %0d %b %b\", k, bad, at, wanted, found);");
    let differs = |condition: &str, (name, at): (&str, &str), wanted: &str, number: usize| {
        format!(
            "            if ({condition}{name} !== {wanted}) begin bad = {number}; \
             at = {at}; wanted = {wanted}; found = {name}; end\n"
        )
    };
    // The writes of the last edge are there a unit later.
    let mut end = String::from("        #1 if (bad < 0) begin\n");
    let first = shape.outputs.len() + shape.registers.len();
    for (n, (name, memory)) in shape.memories.iter().enumerate() {
        let all = format!("for (word = 0; word < {}; word = word + 1)", memory.depth);
        let _ =
            writeln!(items, "    reg [{}:0] memory_{n} [0:{}];", memory.bits - 1, memory.depth - 1);
        let _ = writeln!(begin, "        {all} dut.{name}[word] = 0;");
        let _ = writeln!(begin, "        $readmemh({{dir, \"/memory_{n}.hex\"}}, memory_{n});");
        let (found, wanted) = (format!("dut.{name}[word]"), format!("memory_{n}[word]"));
        let look = differs("bad < 0 && ", (&found, "word"), &wanted, first + n);
        let _ = write!(end, "            {all}\n{look}");
    }
    let _ = writeln!(
        end,
        "            if (bad < 0) $display(\"{token} same %0d\", k);\n            else {tell}\n        end"
    );
    let condition = |output: &str| {
        let by = QUALIFIED.iter().find(|(m, o, _)| (*m, *o) == (module, output))?.2;
        let by = shape.output_words().filter(|(name, ..)| by.contains(name));
        let bits: Vec<String> = by.map(|(.., at)| format!("e[{}]", 32 * at)).collect();
        Some(format!("({}) && ", bits.join(" || ")))
    };
    let outputs = shape
        .output_words()
        .map(|(n, bits, at)| (condition(n).unwrap_or_default(), n.to_owned(), bits, at));
    let registers = shape
        .register_words()
        .map(|(n, bits, at)| (String::new(), format!("dut.{n}"), bits, at + shape.words[1]));
    let mut all: Vec<_> = outputs.chain(registers).enumerate().collect();
    // The last assignment stays, so the first signal of the image comes last.
    all.reverse();
    let mut sample = String::from("            e = expected[k];\n");
    for (number, (condition, name, bits, at)) in all {
        sample += &differs(&condition, (&name, "0"), &format!("e[{} +: {bits}]", 32 * at), number);
    }
    let _ = writeln!(sample, "            if (bad >= 0) {tell}");
    Bench {
        shape,
        top: module,
        settings: &shape.parameters.changed(module),
        room: cycles,
        items,
        begin,
        go_on: "k < cycles && bad < 0".into(),
        before: deposit::DUE,
        sample,
        end,
    }
    .text()
}

/// The model beside the machine `M`, on Icarus.
#[derive(Debug)]
pub struct Model {
    sources: Sources,
    check: Check,
    /// The stimuli are there.
    _folder: Scratch,
}

impl Model {
    /// The Verilog of `sources`, fed with `cases`.
    ///
    /// # Errors
    /// If a scenario is not valid or a file cannot be written.
    pub fn new<M: Machine>(sources: Sources, cases: &[Case<M>]) -> Result<Self, SimError> {
        let folder = Scratch::new()?;
        let check = Check::write::<M>(folder.path(), cases)?;
        Ok(Model { sources, check, _folder: folder })
    }
}

impl Oracle for Model {
    type By = First;

    fn sources(&self) -> &Path {
        &self.sources.hdl
    }

    fn judge(&self, mutant: &Mutant) -> Result<Fate, SimError> {
        injected(mutant, &self.sources, |sources, _| self.check.judge(&self.sources, sources))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use awgstar::rtl::{Parameters, RingNode};

    /// A line that could not be read counted as a difference in cycle 0.
    #[test]
    fn a_line_that_cannot_be_read_finds_no_mutant() {
        let shape = Shape::of::<RingNode>(&Parameters::DEFAULT);
        let parts = [3, 4].map(|cycles| Track::from(vec![(); cycles]));
        let check = Check::with_bench(shape, Path::new(""), &parts);
        let fate = |line: &str| check.fate(1, format!("{} {line}\n", check.token));
        let Fate::Killed((part, first)) = fate("differs 2 0 0 1 0").unwrap() else { panic!() };
        assert_eq!((part, first.cycle, first.word), (1, 2, None));
        assert_eq!(first.path(), check.shape.output_words().next().unwrap().0);
        let memory = check.shape.outputs.len() + check.shape.registers.len();
        let killed = fate(&format!("differs 4 {memory} 3 0 x"));
        let Fate::Killed((_, word)) = killed.unwrap() else { panic!() };
        assert_eq!(word.path(), format!("{}[3]", check.shape.memories[0].0));
        assert_eq!(fate("same 4").unwrap(), Fate::Survived);
        let lines = [
            "differs x 0 0 1 0",
            "differs 2",
            "differs 2 y 0 1 0",
            "differs 2 0 0 1",
            "differs 2 0 0 x 0",
            "differs 2 999 0 1 0",
            "differs 2 0 0 1 1",
            "differs ",
        ];
        for line in lines {
            let error = fate(line).unwrap_err().to_string();
            assert!(error.contains(line.trim()), "{line}: {error}");
        }
    }
}
