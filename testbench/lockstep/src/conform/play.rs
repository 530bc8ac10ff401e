// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles a foreign module with its testbench and plays inputs to it (CNF-2 to CNF-4).

use crate::conform::case::{Failure, First, Verdict, Window};
use crate::conform::{Dut, Options};
use awgstar::rtl::state::{Ports, Signal};
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

/// Expected outputs of the model for some inputs.
pub struct Expected<M: Machine> {
    inputs: Vec<M::Inputs>,
    outputs: Vec<Vec<u32>>,
    /// Bits that are compared.
    masks: Vec<Vec<u32>>,
    meaning: Meaning,
}

impl<M: Machine> Expected<M> {
    /// The answer of the model of this shape to `inputs`. Nothing is expected before [`first_compared`].
    #[must_use]
    pub fn new(shape: &Shape, track: Track<M::Inputs>) -> Self {
        let meaning = Meaning::of(M::Outputs::PORTS);
        let (mut images, mut masks) = (Vec::new(), Vec::new());
        let first = first_compared(&track.inputs);
        for (cycle, (image, known)) in outputs::<M>(shape, &track, STARTS).into_iter().enumerate() {
            let mask = meaning.mask(&image, &known);
            masks.push(if cycle < first { vec![0; mask.len()] } else { mask });
            images.push(image);
        }
        Expected { inputs: track.inputs, outputs: images, masks, meaning }
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
        let signals = M::Outputs::PORTS;
        let ones = vec![u32::MAX; M::Outputs::WORDS];
        let lines = |images: &[Vec<u32>]| -> String {
            images.iter().map(|i| digits(signals, i, &ones) + "\n").collect()
        };
        for (name, text) in [
            ("stimulus.hex", stimulus(&self.inputs)),
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

    /// The first port that differs in `cycle`, from what was found in it and after.
    fn failure(&self, cycle: usize, found: &[&str]) -> Failure {
        let places = places(M::Outputs::PORTS);
        let differing = |place: &Place, cycle: usize, text: &str| -> Vec<usize> {
            let bits = place.cut(text);
            let [v, m] = [&self.outputs[cycle], &self.masks[cycle]].map(|w| place.value(w));
            let wrong = |i: &usize| {
                let bit = bits.as_bytes().get(place.bits - 1 - i).copied().unwrap_or(b'x');
                m >> i & 1 == 1 && bit != if v >> i & 1 == 1 { b'1' } else { b'0' }
            };
            (0..place.bits).filter(wrong).collect()
        };
        let order = self.meaning.causes_first();
        let all = order.iter().map(|&i| (&places[i], differing(&places[i], cycle, found[0])));
        let Some((place, bits)) = all.into_iter().find(|(_, bits)| !bits.is_empty()) else {
            return Failure::without_difference(
                Verdict::EndsEarly,
                "a difference without a bit that differs",
            );
        };
        let text = place.cut(found[0]);
        let unknown = |i: &usize| b"xXzZ".contains(&text.as_bytes()[place.bits - 1 - i]);
        // What was to be in the cycle before, now, and so on.
        let behind = found.len().min(self.outputs.len() - cycle);
        let shifted = (0..behind).all(|i| differing(place, cycle + i - 1, found[i]).is_empty());
        let verdict = if bits.iter().any(unknown) {
            Verdict::DrivesX
        } else if behind > 1 && shifted {
            Verdict::Late
        } else {
            Verdict::WrongValue
        };
        let now = place.value(&self.outputs[cycle]);
        let bit = if place.bits > 1 { bits.first().copied() } else { None };
        Failure {
            verdict,
            first: Some(First {
                at: format!("cycle {cycle}"),
                port: place.name.to_owned(),
                bit,
                expected: format!("{now:0w$x}", w = place.bits.div_ceil(4)),
                found: hex(text),
            }),
            detail: String::new(),
            window: Some(self.window(cycle, place, found)),
        }
    }

    /// Inputs that change around `cycle`, and the output that differs.
    fn window(&self, cycle: usize, place: &Place, found: &[&str]) -> Window {
        let from = cycle.saturating_sub(BEFORE);
        let to = self.inputs.len().min(cycle + 3).min(cycle + found.len());
        let digits =
            |p: &Place, words: &[u32]| format!("{:0w$x}", p.value(words), w = p.bits.div_ceil(4));
        let images: Vec<Vec<u32>> = self.inputs[from..to].iter().map(image).collect();
        let guards = Meaning::of(M::Inputs::PORTS);
        let ones = vec![u32::MAX; M::Inputs::WORDS];
        let means: Vec<Vec<u32>> = images.iter().map(|i| guards.mask(i, &ones)).collect();
        let mut rows = Vec::new();
        for p in places(M::Inputs::PORTS) {
            // The values beside a `valid` that is low are noise.
            let cycles = images.iter().zip(&means);
            let value = |(words, mask): (&Vec<u32>, &Vec<u32>)| {
                if p.value(mask) == 0 { "-".to_owned() } else { digits(&p, words) }
            };
            let values: Vec<String> = cycles.map(value).collect();
            if values.iter().any(|v| *v != values[0]) || p.name == "rst" {
                rows.push((p.name.to_owned(), values));
            }
        }
        let expected = (from..to).map(|c| {
            let free = place.value(&self.masks[c]) == 0;
            if free { "-".to_owned() } else { digits(place, &self.outputs[c]) }
        });
        rows.push((format!("{} expected", place.name), expected.collect()));
        let seen = |c: usize| {
            if c < cycle { "=".into() } else { hex(place.cut(found[c - cycle])) }
        };
        rows.push((format!("{} found", place.name), (from..to).map(seen).collect()));
        let columns = (from..to).map(|c| c.to_string()).collect();
        Window { columns, rows, mark: cycle - from }
    }
}

/// Position of a signal in images and in the output of the testbench.
struct Place {
    name: &'static str,
    bits: usize,
    /// First word of the image.
    word: usize,
    /// First character, the highest bit.
    character: usize,
}

impl Place {
    fn value(&self, words: &[u32]) -> u128 {
        value(words, self.word, self.bits)
    }

    fn cut<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.character..self.character + self.bits).unwrap_or_default()
    }
}

fn places(signals: &[Signal]) -> Vec<Place> {
    let (mut word, mut character) = (0, 0);
    let mut all = Vec::new();
    for s in signals {
        all.push(Place { name: s.name, bits: s.bits, word, character });
        word += s.words();
        character += s.bits;
    }
    all
}

/// Bits as hexadecimal digits, `x` for one in which not all bits are known.
fn hex(bits: &str) -> String {
    let bits: Vec<u8> = bits.bytes().collect();
    let digit = |c: &[u8]| {
        let value = c.iter().try_fold(0, |v, b| match b {
            b'0' => Some(v << 1),
            b'1' => Some(v << 1 | 1),
            _ => None,
        });
        value.and_then(|v| char::from_digit(v, 16)).unwrap_or('x')
    };
    let digits: Vec<char> = bits.rchunks(4).map(digit).collect();
    digits.into_iter().rev().collect()
}
