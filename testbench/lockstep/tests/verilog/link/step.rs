// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_link` step by step: model and Verilog with the same inputs and the same edges of both clocks;
//! every output and register is compared in every step.

use super::{Tool, play, repository};
use awgstar::rtl::state::{Layout, Ports, Signal, State};
use awgstar::rtl::{
    AxilCrossing, Code8b10b, Enc8b10b, LinkTx, Parameters, RingLink, enc_8b10b, link_tx, ring_link,
};
use awgstar_simulator::{Token, elaborate};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// splitmix64
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// Frames for a link: mostly good ones, some without an idle word, with holes, too long, or with
/// a `tkeep` that is none.
#[derive(Default)]
struct Source {
    left: u64,
    idle: u64,
    first: bool,
}

impl Source {
    #[expect(clippy::cast_possible_truncation, reason = "random bits, and numbers below 16")]
    fn word(&mut self, random: &mut Random, hostile: bool) -> link_tx::Inputs {
        let mut word = link_tx::Inputs {
            s_axis_tdata: random.next() as u32,
            s_axis_tkeep: 0b1111,
            ..link_tx::Inputs::default()
        };
        if self.left == 0 {
            if self.idle > 0 {
                self.idle -= 1;
                return word;
            }
            self.left = match random.below(20) {
                0 => 1,
                1 | 4 if hostile => 261 + random.below(4),
                1 => 261,
                2 => 2,
                _ => 3 + random.below(30),
            };
            self.first = true;
            self.idle = if random.below(4) == 0 { random.below(12) } else { 1 };
            if hostile && random.below(40) == 0 {
                self.idle = 0;
            }
        }
        if hostile && random.below(1500) == 0 {
            return word; // a hole
        }
        self.left -= 1;
        word.s_axis_tvalid = true;
        word.s_axis_tlast = self.left == 0;
        word.s_axis_tuser = if self.first || self.left == 0 { random.below(3) == 0 } else { false };
        if self.left == 0 {
            word.s_axis_tkeep = [1, 3, 7, 15][random.below(4) as usize];
            if hostile && random.below(30) == 0 {
                word.s_axis_tkeep = random.below(16) as u8;
            }
        }
        self.first = false;
        word
    }
}

/// One step: the edges of the clocks, and the inputs.
struct Step {
    clk: bool,
    inputs: ring_link::Inputs,
}

/// The line is fed by ends of a link of the model, in the clock of the receiver.
#[expect(clippy::cast_possible_truncation, reason = "40 bits of the line")]
fn steps(seed: u64, count: usize) -> Vec<Step> {
    let mut random = Random(seed);
    let (mut near, mut far) = (Source::default(), Source::default());
    let (mut tx, mut enc) = (LinkTx::default(), Enc8b10b::default());
    let mut line: u128 = 0;
    let mut skew = random.below(40);
    let mut code = 0;
    let (mut word, mut dark, mut los) = (link_tx::Inputs::default(), 0, 0);
    let mut steps = Vec::new();
    let mut ratio = 0;
    for number in 0..count {
        let rst = number < 40 || (number > 3000 && number % 11_000 < 40);
        // Which clock rises: alternately, with one of them now and then faster, or both.
        if number % 1000 == 0 {
            ratio = random.below(4);
        }
        let (clk, rx_clk) = match (ratio, random.below(12)) {
            (0, 0) | (_, 1) => (true, true),
            (1, 0..4) => (true, false), // the line is slow: underrun
            (2, 0..4) => (false, true), // it is fast: overflow
            _ => (number % 2 == 0, number % 2 == 1),
        };
        let quiet = (7000..10_400).contains(&(number % 12_000));
        let hostile = number % 3000 > 1600;
        let mut inputs = ring_link::Inputs { rst, rx_clk, ..ring_link::Inputs::default() };
        let mine = if clk { near.word(&mut random, hostile) } else { link_tx::Inputs::default() };
        inputs.s_axis_tdata = mine.s_axis_tdata;
        inputs.s_axis_tkeep = mine.s_axis_tkeep;
        inputs.s_axis_tvalid = mine.s_axis_tvalid;
        inputs.s_axis_tlast = mine.s_axis_tlast;
        inputs.s_axis_tuser = mine.s_axis_tuser;
        if rx_clk {
            let next = far.word(&mut random, hostile);
            let mut bytes = tx.outputs(&word);
            // A set that is none, in good codes.
            if hostile && bytes.m_k != 0 && random.below(12) == 0 {
                bytes.m_data ^= 1 << (8 + random.below(24));
            }
            enc.clock(&enc_8b10b::Inputs { rst: false, s_data: bytes.m_data, s_k: bytes.m_k });
            tx.clock(&word);
            word = next;
            line = line >> 40 | u128::from(enc.outputs().m_code) << 40;
            code = (line >> (40 - skew)) as u64 & 0xFF_FFFF_FFFF;
            let rate = if number % 6000 > 5600 { 60 } else { 600 };
            if !quiet && random.below(rate) == 0 {
                code ^= 1 << random.below(40);
            }
            if number % 6000 > 5900 && random.below(3) == 0 {
                code ^= random.next() & random.next() & 0xFF_FFFF_FFFF;
            }
            if dark == 0 && !quiet && random.below(4000) == 0 {
                dark = 1 + random.below(60);
                skew = random.below(40);
            }
            // A dark receiver is quiet, or hears noise, or something that is a code, once for long.
            if dark > 0 {
                dark -= 1;
                code = if dark % 2 == 0 { 0 } else { random.next() & 0xFF_FFFF_FFFF };
            }
            if quiet {
                code = 0x55_5555_5555; // D21.5 without end
            }
        }
        // Loss of signal, now and then with a line that can be read.
        los = if !quiet && random.below(2500) == 0 { random.below(80) } else { los.max(1) - 1 };
        inputs.rx_los = dark > 20 || los > 0;
        inputs.rx_code = code;
        steps.push(Step { clk, inputs });
    }
    steps
}

/// A module that is fed step by step: in each its inputs, then the edges of those clocks that rise.
pub(super) struct Bench {
    pub layout: Layout,
    /// Clock ports, in the order of their bits in the stimulus.
    pub clocks: [&'static str; 2],
}

impl Bench {
    /// Input ports but the clocks.
    pub(super) fn driven(&self) -> impl Iterator<Item = &Signal> {
        self.layout.inputs.iter().filter(|s| !self.clocks.contains(&s.name))
    }

    /// Outputs and registers, with their widths: what is compared.
    pub(super) fn names(&self) -> Vec<(String, usize)> {
        let outputs = self.layout.outputs.iter().map(|s| (s.name.to_owned(), s.bits));
        outputs.chain(self.layout.flat_registers()).collect()
    }

    /// A line of the stimulus.
    pub(super) fn line<I: Ports>(&self, ticks: [bool; 2], inputs: &I) -> String {
        let mut image = vec![0; I::WORDS];
        inputs.pack(&mut image);
        let all = values(self.layout.inputs.iter().map(|s| s.bits), &image);
        let all = self.layout.inputs.iter().zip(all);
        let rest = all.filter(|(s, _)| !self.clocks.contains(&s.name));
        let clocks = ticks.into_iter().map(|tick| (tick.into(), 1));
        hex(clocks.chain(rest.map(|(s, value)| (value, s.bits))))
    }

    /// Values of what is compared.
    pub(super) fn row<O: Ports, S: State>(&self, outputs: &O, state: &S) -> Vec<u64> {
        let mut image = vec![0; O::WORDS];
        outputs.pack(&mut image);
        let mut row = values(self.layout.outputs.iter().map(|s| s.bits), &image);
        let mut image = vec![0; S::WORDS];
        state.pack(&mut image);
        row.extend(values(self.layout.flat_registers().into_iter().map(|(_, bits)| bits), &image));
        row
    }

    /// The testbench.
    pub(super) fn text(&self, count: usize) -> String {
        let (mut signals, mut ports) = (String::new(), Vec::new());
        for (kind, list) in [("reg", &self.layout.inputs), ("wire", &self.layout.outputs)] {
            for s in list.iter().filter(|s| !self.clocks.contains(&s.name)) {
                let _ = writeln!(signals, "    {kind} [{}:0] {};", s.bits - 1, s.name);
                ports.push(format!(".{0}({0})", s.name));
            }
        }
        let [one, two] = self.clocks;
        ports.extend(self.clocks.map(|name| format!(".{name}({name})")));
        let bits: usize = self.driven().map(|s| s.bits).sum::<usize>() + 2;
        let inputs: Vec<_> = self.driven().map(|s| s.name).collect();
        let outputs = self.layout.outputs.iter().map(|s| s.name.to_owned());
        let registers = self.layout.flat_registers().into_iter();
        let shown: Vec<String> =
            outputs.chain(registers.map(|(path, _)| format!("dut.{path}"))).collect();
        format!(
            r#"`default_nettype none
module steps;
    reg {one}, {two}, tick_one, tick_two;
{signals}
    {module} dut ({ports});
    reg [{left}:0] stimulus [0:{last}];
    string dir;
    integer k;
    initial begin
        {one} = 1'b0;
        {two} = 1'b0;
        if ($value$plusargs("dir=%s", dir) == 0) $finish;
        $readmemh({{dir, "/stimulus.hex"}}, stimulus, 0, {last});
        for (k = 0; k < {count}; k = k + 1) begin
            #1 {{tick_one, tick_two, {inputs}}} = stimulus[k];
            #1 $display("{token}{formats}", {shown});
            #1 {one} = tick_one; {two} = tick_two;
            #1 {one} = 1'b0; {two} = 1'b0;
        end
        $finish;
    end
endmodule
"#,
            module = self.layout.module,
            ports = ports.join(", "),
            left = bits - 1,
            last = count - 1,
            inputs = inputs.join(", "),
            token = Token::PLACE,
            formats = " %h".repeat(shown.len()),
            shown = shown.join(", "),
        )
    }

    /// Runs the Verilog: the first differences from the rows of the model, `from` that step on. `free` says
    /// which value of a row does not count.
    pub(super) fn compare(
        &self,
        (tool, hdl, out): (Tool, &Path, &Path),
        stimulus: &str,
        rows: &[Vec<u64>],
        from: usize,
        free: impl Fn(usize, &str) -> bool,
    ) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("stimulus.hex"), stimulus).unwrap();
        let lines = play(tool, hdl, out, "steps", self.text(rows.len()), folder.path())
            .unwrap_or_else(|error| panic!("{error}"));
        let mut wrong = Vec::new();
        if lines.len() != rows.len() {
            wrong.push(format!("{} lines of {}", lines.len(), rows.len()));
        }
        let names = self.names();
        for (number, (line, row)) in lines.iter().zip(rows).enumerate().skip(from) {
            let found: Vec<_> = line.split(' ').collect();
            if found.len() != row.len() {
                wrong.push(format!("step {number}: {} values of {}", found.len(), row.len()));
            }
            for ((name, _), (found, model)) in names.iter().zip(found.into_iter().zip(row)) {
                if !free(number, name) && u64::from_str_radix(found, 16) != Ok(*model) {
                    wrong.push(format!("step {number}: {name} is {found}, model {model:x}"));
                }
            }
            if wrong.len() > 10 {
                break;
            }
        }
        wrong
    }
}

pub(crate) fn hex(bits: impl IntoIterator<Item = (u64, usize)>) -> String {
    let text = bits.into_iter().fold(String::new(), |mut text, (value, n)| {
        let _ = write!(text, "{value:0n$b}");
        text
    });
    let padded = format!("{}{text}", "0".repeat(text.len().next_multiple_of(4) - text.len()));
    let digit = |chunk: &[u8]| {
        let value = chunk.iter().fold(0, |v, &b| v << 1 | u32::from(b == b'1'));
        char::from_digit(value, 16).unwrap()
    };
    padded.as_bytes().chunks(4).map(digit).collect()
}

/// Values of an image in the order of its signals.
fn values(signals: impl IntoIterator<Item = usize>, image: &[u32]) -> Vec<u64> {
    let mut at = 0;
    signals
        .into_iter()
        .map(|bits| {
            let low = u64::from(image[at]);
            let value = if bits > 32 { low | u64::from(image[at + 1]) << 32 } else { low };
            at += bits.div_ceil(32);
            value
        })
        .collect()
}

/// What counts: all registers that are not reset have been loaded by then.
const FROM: usize = 1200;

/// How often the model did what the steps are there for.
#[derive(Debug, Default)]
pub(super) struct Reached {
    frames: u64,
    overflows: u64,
    underruns: u64,
    broken: u64,
    bad: u64,
    downs: u64,
    long: u64,
    quiet: u64,
}

/// The first differences of the Verilog in `hdl` from the model.
pub(super) fn differences(
    tool: Tool,
    hdl: &Path,
    out: &Path,
    seed: u64,
    count: usize,
) -> (Vec<String>, Reached) {
    let bench = Bench { layout: RingLink::layout(), clocks: ["clk", "rx_clk"] };
    let (mut stimulus, mut rows, mut valid) = (String::new(), Vec::new(), Vec::new());
    let mut model = RingLink::default();
    let mut reached = Reached::default();
    let mut up = false;
    for step in &steps(seed, count) {
        let _ = writeln!(stimulus, "{}", bench.line([step.clk, step.inputs.rx_clk], &step.inputs));
        let outputs = model.outputs(&step.inputs);
        rows.push(bench.row(&outputs, &model));
        valid.push(outputs.m_axis_tvalid);

        reached.frames += u64::from(step.clk && outputs.m_axis_tvalid && outputs.m_axis_tlast);
        reached.underruns += u64::from(step.clk && outputs.ev_underrun);
        reached.overflows += u64::from(step.inputs.rx_clk && outputs.rx_ev_overflow);
        reached.broken += u64::from(step.inputs.rx_clk && outputs.rx_ev_broken);
        reached.bad += u64::from(step.inputs.rx_clk && outputs.rx_ev_bad);
        reached.downs += u64::from(up && !outputs.up);
        let rx = &model.u_rx;
        let too_long = rx.valid_q && rx.words_q == 261 && outputs.rx_ev_broken;
        reached.long += u64::from(step.inputs.rx_clk && too_long && !outputs.rx_ev_bad);
        reached.quiet += u64::from(step.inputs.rx_clk && model.u_aligner.quiet_q == 1023);
        up = outputs.up;
        model.clock(step.clk, &step.inputs);
    }
    // What is not valid is what the memory holds, which is unknown before the first write.
    let free = |step: usize, name: &str| {
        name.starts_with("m_axis_t") && name != "m_axis_tvalid" && !valid[step]
    };
    (bench.compare((tool, hdl, out), &stimulus, &rows, FROM, free), reached)
}

fn holds(tool: Tool, seed: u64, count: usize) {
    let root = repository();
    let (hdl, out) = (root.join("hdl"), root.join("target/cosim"));
    let (wrong, reached) = differences(tool, &hdl, &out, seed, count);
    println!("{tool:?}, seed {seed}: {reached:?}");
    assert!(wrong.is_empty(), "{tool:?}, seed {seed}: {wrong:#?}");
    let Reached { frames, overflows, underruns, broken, bad, downs, long, quiet } = reached;
    let least = [frames / 50, overflows, underruns, broken, bad, downs];
    assert!(least.iter().all(|&n| n >= 3) && long > 0 && quiet > 0, "{reached:?}");
}

// checks COD-4, COD-5, COD-6, COD-7, COD-8, COD-9, CDC-1, CDC-2, LNK-7
#[test]
fn link_is_its_model() {
    holds(Tool::Icarus, 1, 20_000);
    holds(Tool::Verilator, 2, 60_000);
}

// checks LCK-2
#[test]
fn names_of_the_link_agree() {
    for (top, layout) in [
        ("ring_link", RingLink::layout()),
        ("code_8b10b", Code8b10b::layout()),
        ("axil_crossing", AxilCrossing::layout()),
    ] {
        let verilog = elaborate::elaborate(&repository().join("hdl"), top, &Parameters::DEFAULT)
            .unwrap_or_else(|error| panic!("{error}"));
        let found = elaborate::differences(&verilog, &layout);
        let clocks = |text: &String| {
            !["`clk`", "rx_clk", "s_clk", "m_clk"].iter().any(|clock| text.contains(clock))
        };
        let found: Vec<_> = found.into_iter().filter(clocks).collect();
        assert!(found.is_empty(), "{found:#?}");
    }
}
