// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles a foreign module with its testbench and plays inputs to it (CNF-2 to CNF-4).

use crate::conform::case::{Failure, First, Verdict, Window};
use crate::conform::{Dut, Options};
use awgstar::quantity::narrow;
use awgstar::rtl::state::{Ports, Signal as Port};
use awgstar_compare::difference::differences;
use awgstar_compare::{Cycle, Expect, Seen, Signal, Signals};
use awgstar_simulator::bench::NAME;
use awgstar_simulator::process::Task;
use awgstar_simulator::recipe::{Compiler, Laid, Recipe};
use awgstar_simulator::verilator::strings;
use awgstar_simulator::{Icarus, Instance, SimError, Token, Verilator, outside};
use awgstar_stimulus::known::first_compared;
use awgstar_stimulus::machine::{Machine, Track};
use awgstar_stimulus::meaning::Meaning;
use awgstar_stimulus::shape::{Shape, image, value};
use awgstar_stimulus::vector::{digits, outputs, stimulus};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Cycles that are looked at after the first difference, to tell late from wrong.
pub const BEHIND: usize = 8;
/// Cycles before it that are shown.
const BEFORE: usize = 4;
/// Random starts of the model: which bits it knows is a sample.
const STARTS: u32 = 7;

const VERILATOR: &[&str] = &[
    "--binary",
    "--timing",
    "-O3",
    "-CFLAGS",
    "-O1",
    "--timescale",
    "1ns/1ns",
    "--x-initial",
    "unique",
    "--x-assign",
    "unique",
    "-Wno-lint",
    "-Wno-style",
    "-Wno-fatal",
    "-j",
    "2",
];

/// A testbench that can be run.
#[derive(Debug)]
pub struct Program {
    file: PathBuf,
    vvp: bool,
    /// Holds the file. Nothing that is made of a third-party design is kept.
    laid: Laid,
    token: Token,
}

/// Compiles the testbench, whose lines a token marks, for `module` with the design, which gets these parameters.
///
/// # Errors
/// If the simulator is missing or does not take the design.
pub fn build(
    module: &'static str,
    bench: &dyn Fn(&Token) -> String,
    dut: &Dut,
    settings: &[String],
    options: &Options<'_>,
) -> Result<Program, SimError> {
    let vvp = options.simulator.name() == "icarus";
    let token = Token::random();
    let recipe = Recipe {
        module,
        top: NAME.into(),
        flags: strings(if vvp { &["-g2012"] } else { VERILATOR }).collect(),
        commands: vvp.then(|| options.root.join("testbench/verilog/icarus.f")),
        texts: vec![("bench.v", bench(&token))],
        files: dut.files.clone(),
        includes: dut.includes.clone(),
        instance: Some(Instance {
            module: dut.top.clone(),
            settings: settings.to_vec(),
            benches: 0,
        }),
    };
    let laid = recipe.lay_out()?;
    let compiler: &dyn Compiler = if vvp { &Icarus } else { &Verilator };
    let file = outside::compile(compiler, &recipe, &laid)?.product;
    Ok(Program { file, vvp, laid, token })
}

/// A stimulus, and what the model says to it.
pub struct Lines<'a, M: Machine> {
    shape: &'a Shape,
    signals: Signals,
    inputs: Vec<M::Inputs>,
    outputs: Vec<Vec<u32>>,
    /// Bits that are compared.
    masks: Vec<Vec<u32>>,
}

impl<'a, M: Machine> Lines<'a, M> {
    /// The answer of the model of this shape to `inputs`. Nothing is expected before [`first_compared`].
    #[must_use]
    pub fn new(shape: &'a Shape, track: Track<M::Inputs>) -> Self {
        let meaning = Meaning::of(&shape.outputs);
        let (mut images, mut masks) = (Vec::new(), Vec::new());
        let first = first_compared(&track.inputs);
        for (cycle, (image, known)) in outputs::<M>(shape, &track, STARTS).into_iter().enumerate() {
            let mask = meaning.mask(&image, &known);
            masks.push(if cycle < first { vec![0; mask.len()] } else { mask });
            images.push(image);
        }
        let signals = Signals::outputs(shape);
        Lines { shape, signals, inputs: track.inputs, outputs: images, masks }
    }

    /// Plays the inputs and gives what is wrong.
    ///
    /// # Errors
    /// If the simulator gives no answer.
    pub fn play(
        &self,
        program: &Program,
        folder: &Path,
        options: &Options<'_>,
    ) -> Result<Option<Failure>, SimError> {
        fs::create_dir_all(folder).map_err(SimError::io(folder))?;
        let ones = vec![u32::MAX; M::Outputs::WORDS];
        let lines = |images: &[Vec<u32>]| -> String {
            images.iter().map(|i| digits(&self.shape.outputs, i, &ones) + "\n").collect()
        };
        for (name, text) in [
            ("stimulus.hex", stimulus(self.shape, &self.inputs)),
            ("expected.hex", lines(&self.outputs)),
            ("known.hex", lines(&self.masks)),
        ] {
            let path = folder.join(name);
            fs::write(&path, text).map_err(SimError::io(&path))?;
        }
        let mut command = Command::new(if program.vvp { Path::new("vvp") } else { &program.file });
        if program.vvp {
            command.arg("-n").arg(&program.file);
        } else {
            let seed = options.seed.max(1);
            command.arg("+verilator+rand+reset+2").arg(format!("+verilator+seed+{seed}"));
        }
        command.arg(format!("+dir={}", folder.display()));
        command.arg(format!("+cycles={}", self.inputs.len()));
        let package = if program.vvp { "iverilog" } else { "verilator" };
        let done = Task::new(package, options.limit).run(&mut command)?;
        let _ = fs::remove_dir_all(folder);
        let failure = self.read(&program.laid.scratch.names().restore(&done.text), &program.token);
        let ends_early = failure.as_ref().is_some_and(|f| f.verdict == Verdict::EndsEarly);
        if ends_early && SimError::is_of_the_machine(&done.text) {
            let program = options.simulator.name().into();
            return Err(SimError::Machine { program, tail: done.text });
        }
        Ok(failure)
    }

    fn read(&self, text: &str, token: &Token) -> Option<Failure> {
        let said = |word: &str| token.lines(text).find_map(|l| l.strip_prefix(word));
        let differs: Option<usize> = said("DIFFERS ").and_then(|n| n.parse().ok());
        let end: Option<usize> = said("END ").and_then(|n| n.parse().ok());
        let found: Vec<&str> = token.lines(text).filter_map(|l| l.strip_prefix("FOUND ")).collect();
        match (differs, end) {
            (None, Some(cycles)) if cycles == self.inputs.len() => None,
            (Some(cycle), Some(_)) if cycle < self.inputs.len() && !found.is_empty() => {
                Some(self.failure(cycle, &found))
            }
            _ => {
                let tail: Vec<&str> = text.lines().rev().take(5).collect();
                let settles = !text.contains("converge");
                let verdict = if settles { Verdict::EndsEarly } else { Verdict::Hangs };
                let tail: Vec<&str> = tail.into_iter().rev().collect();
                Some(Failure::without_difference(
                    verdict,
                    format!("no result:\n{}", tail.join("\n")),
                ))
            }
        }
    }

    /// What is expected in a cycle.
    fn expect(&self, cycle: usize) -> Expect {
        Expect::of_outputs(self.shape, &self.outputs[cycle], &self.masks[cycle])
    }

    /// The first port that differs in `cycle`, from what was found in it and after.
    fn failure(&self, cycle: usize, found: &[&str]) -> Failure {
        let shown: Vec<_> = found.iter().map(|line| shown(&self.shape.outputs, line)).collect();
        let wrong = differences(&self.signals, &self.expect(cycle), &shown[0], cycle as u64);
        let Some(first) = wrong.first() else {
            return Failure::without_difference(
                Verdict::EndsEarly,
                "a difference without a bit that differs",
            );
        };
        let (number, bits) = (first.signal.number, first.signal.bits);
        let found: Vec<Seen> = shown.iter().map(|cycle| cycle.outputs[number]).collect();
        // What was to be in the cycle before, now, and so on.
        let behind = found.len().min(self.outputs.len() - cycle);
        let mut shifted = (cycle.saturating_sub(1)..).zip(&found[..behind]);
        let mut late =
            || shifted.all(|(at, seen)| self.expect(at).outputs[number].wrong(*seen) == 0);
        let verdict = if first.expected.wrong(first.seen) & first.seen.x != 0 {
            Verdict::DrivesX
        } else if behind > 1 && late() {
            Verdict::Late
        } else {
            Verdict::WrongValue
        };
        Failure {
            verdict,
            first: Some(First {
                at: format!("cycle {cycle}"),
                port: first.path(),
                bit: (bits > 1).then(|| narrow(first.bit())),
                expected: Seen::known(first.expected.value).hex(bits),
                found: first.seen.hex(bits),
            }),
            detail: String::new(),
            window: Some(self.window(cycle, &first.signal, &found)),
        }
    }

    /// Inputs that change around `cycle`, and the output that differs.
    fn window(&self, cycle: usize, port: &Signal, found: &[Seen]) -> Window {
        let from = cycle.saturating_sub(BEFORE);
        let to = self.inputs.len().min(cycle + 3).min(cycle + found.len());
        let images: Vec<Vec<u32>> = self.inputs[from..to].iter().map(image).collect();
        let guards = Meaning::of(&self.shape.inputs);
        let ones = vec![u32::MAX; M::Inputs::WORDS];
        let means: Vec<Vec<u32>> = images.iter().map(|i| guards.mask(i, &ones)).collect();
        let mut rows = Vec::new();
        for (name, bits, at) in self.shape.input_words() {
            // The values beside a `valid` that is low are noise.
            let cycles = images.iter().zip(&means);
            let digits = |(words, mask): (&Vec<u32>, &Vec<u32>)| {
                let free = value(mask, at, bits) == 0;
                if free { "-".into() } else { Seen::known(value(words, at, bits)).hex(bits) }
            };
            let values: Vec<String> = cycles.map(digits).collect();
            if values.iter().any(|v| *v != values[0]) || name == "rst" {
                rows.push((name.to_owned(), values));
            }
        }
        let expected = (from..to).map(|c| {
            let expected = self.expect(c).outputs[port.number];
            let free = expected.care == 0;
            if free { "-".to_owned() } else { Seen::known(expected.value).hex(port.bits) }
        });
        rows.push((format!("{} expected", port.path), expected.collect()));
        let seen = |c: usize| {
            if c < cycle { "=".into() } else { found[c - cycle].hex(port.bits) }
        };
        rows.push((format!("{} found", port.path), (from..to).map(seen).collect()));
        let columns = (from..to).map(|c| c.to_string()).collect();
        Window { columns, rows, mark: cycle - from }
    }
}

/// What a line of the testbench shows: the outputs, each with its highest bit first. One that cannot be read is X.
fn shown(outputs: &[Port], line: &str) -> Cycle {
    let mut rest = line;
    let read = |port: &Port| {
        let cut = rest.split_at_checked(port.bits);
        let seen = cut.and_then(|(digits, after)| {
            rest = after;
            Seen::parse(digits)
        });
        seen.unwrap_or(Seen::unknown(port.bits))
    };
    Cycle { outputs: outputs.iter().map(read).collect(), ..Cycle::default() }
}
