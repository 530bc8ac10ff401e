// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases of one node or board as files: `stimulus.hex`, `expect.hex`, `vector.toml`.
//!
//! A line of `stimulus.hex` is `CCCC_I`: the inputs I stay for C cycles. I is all inputs of the
//! module except its only clock, in the order of its page in `docs/blocks`, the first on top,
//! as one hexadecimal number that `$readmemh` reads. A line of `expect.hex` is `CCCC_V_M`: for C
//! cycles the outputs are V in the bits that are 1 in M. The other bits have no meaning then, or
//! are unknown.

use crate::StimulusError;
use crate::case::Case;
use crate::deposit::due;
use crate::known::{first_compared, starts};
use crate::machine::{Machine, Track, deposit};
use crate::meaning::Meaning;
use crate::runs::{lines, runs};
use crate::shape::{Shape, image, value};
use awgstar::quantity::Cycle;
use awgstar::rtl::{
    Parameters, RingNode,
    state::{Ports, Signal},
};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Random starts of the model: which of its bits are known is a sample.
const STARTS: u32 = 7;

/// Purpose and origin of a vector.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    #[serde(default = "ring_node")]
    pub module: String,
    /// Behaviour that the vector shows, or once showed.
    pub why: String,
    /// Requirements it belongs to.
    pub requirements: Vec<String>,
    /// The register or output that differed, of a case that the lockstep found.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// In this cycle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u64>,
    /// Answers that the host must get, written by hand: words read, and `slverr`; see
    /// `vectors/FORMAT.md`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// Signals that a board with an engine must send, written by hand; see `vectors/FORMAT.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signals: Option<Vec<String>>,
    /// Parameters of the module that are not the contract's, each `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// Values deposited in its registers and memories: cycle, path, value in hexadecimal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deposits: Vec<String>,
    /// The case it comes from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub case: String,
}

/// Module of a vector that does not name one.
fn ring_node() -> String {
    RingNode::shape().layout.module.to_owned()
}

/// The module that the vector in `folder` is for.
///
/// # Errors
/// If its `vector.toml` cannot be read or says nothing that could be one.
pub fn module(folder: &Path) -> Result<String, StimulusError> {
    Ok(about(folder)?.module)
}

fn about(folder: &Path) -> Result<About, StimulusError> {
    let path = folder.join("vector.toml");
    let text = fs::read_to_string(&path).map_err(StimulusError::io(&path))?;
    toml::from_str(&text).map_err(|e| StimulusError::format(path, e.to_string()))
}

#[derive(Clone, Debug)]
pub struct Vector<M: Machine = RingNode> {
    /// `vector.toml`.
    pub about: About,
    /// Sizes of the module.
    pub parameters: Parameters,
    /// Inputs of every cycle, and what is deposited.
    pub track: Track<M::Inputs>,
    /// Outputs of every cycle, as the lines of `expect.hex` but for their counts.
    pub expect: Vec<String>,
}

/// Bits of some ports, highest first, as hexadecimal digits, `x` where not all are known.
#[must_use]
pub fn digits(signals: &[Signal], image: &[u32], known: &[u32]) -> String {
    let mut bits = Vec::new();
    let mut at = 0;
    for s in signals {
        let [v, k] = [image, known].map(|words| value(words, at, s.bits));
        bits.extend((0..s.bits).rev().map(|b| (k >> b & 1 == 1).then_some(v >> b & 1)));
        at += s.words();
    }
    let pad = bits.len().next_multiple_of(4) - bits.len();
    bits.splice(0..0, std::iter::repeat_n(Some(0), pad));
    bits.chunks(4)
        .map(|c| {
            let digit = c.iter().try_fold(0, |d, b| b.map(|b| d << 1 | b));
            digit.and_then(|d| char::from_digit(u32::try_from(d).ok()?, 16)).unwrap_or('x')
        })
        .collect()
}

/// Inputs from a line of `stimulus.hex`.
fn inputs<I: Ports>(shape: &Shape, line: &str) -> Option<I> {
    let total: usize = shape.inputs.iter().map(|s| s.bits).sum();
    let mut bits = Vec::new();
    for c in line.trim().chars() {
        let digit = c.to_digit(16)?;
        bits.extend((0..4).rev().map(|b| digit >> b & 1));
    }
    let mut bits = bits.split_off(bits.len().checked_sub(total)?).into_iter();
    let mut words = Vec::new();
    for s in &shape.inputs {
        let v = bits.by_ref().take(s.bits).fold(0u128, |v, b| v << 1 | u128::from(b));
        words.extend((0..s.words()).map(|i| (v >> (32 * i) & 0xffff_ffff) as u32));
    }
    Some(I::unpack(&words))
}

/// Outputs of the model of this shape for these inputs: value and mask.
#[must_use]
pub fn expect<M: Machine>(shape: &Shape, track: &Track<M::Inputs>) -> Vec<String> {
    let signals = &shape.outputs;
    let meaning = Meaning::of(signals);
    let line = |(image, known): &(Vec<u32>, Vec<u32>)| {
        let mask = meaning.mask(image, known);
        let ones = vec![u32::MAX; mask.len()];
        let value: Vec<u32> = image.iter().zip(&mask).map(|(v, m)| v & m).collect();
        format!("{}_{}", digits(signals, &value, &ones), digits(signals, &mask, &ones))
    };
    let mut lines: Vec<String> = outputs::<M>(shape, track, STARTS).iter().map(line).collect();
    for line in lines.iter_mut().take(first_compared(&track.inputs)) {
        *line = line.chars().map(|c| if c == '_' { c } else { '0' }).collect();
    }
    lines
}

/// Image of the model's outputs in every cycle, and of the bits on which the model agrees from
/// every start: those special ones of [`starts`], and so many random ones.
#[must_use]
pub fn outputs<M: Machine>(
    shape: &Shape,
    track: &Track<M::Inputs>,
    random: u32,
) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut nodes = starts::<M>(shape, random);
    (0u64..)
        .zip(&track.inputs)
        .map(|(cycle, i)| {
            let due = due(&track.deposits, Cycle(cycle));
            for node in &mut nodes {
                deposit(node, &due);
            }
            let mut all: Vec<_> = nodes.iter().map(|n| image(&n.outputs(i))).collect();
            let known: Vec<u32> = (0..all[0].len())
                .map(|w| !all.iter().fold(0, |d, o| d | (o[w] ^ all[0][w])))
                .collect();
            for node in &mut nodes {
                node.clock(i);
            }
            (all.swap_remove(0), known)
        })
        .collect()
}

/// The lines of `stimulus.hex` of a module of this shape.
#[must_use]
pub fn stimulus<I: Ports>(shape: &Shape, inputs: &[I]) -> String {
    let ones = vec![u32::MAX; I::WORDS];
    inputs.iter().map(|i| digits(&shape.inputs, &image(i), &ones) + "\n").collect()
}

impl<M: Machine> Vector<M> {
    /// The vector of a run in which model and Verilog differed in the signal `path`, `cycle`.
    #[must_use]
    pub fn failing(
        shape: &Shape,
        track: Track<M::Inputs>,
        why: &str,
        (path, cycle): (&str, u64),
    ) -> Self {
        let about = About {
            module: shape.layout.module.to_owned(),
            why: why.to_owned(),
            requirements: vec!["LCK-3".to_owned()],
            path: path.to_owned(),
            cycle: Some(cycle),
            parameters: shape.parameters.changed(shape.layout.module),
            deposits: track.deposits.iter().map(ToString::to_string).collect(),
            ..About::default()
        };
        let expect = expect::<M>(shape, &track);
        Vector { about, parameters: shape.parameters, expect, track }
    }

    /// Writes the three files.
    ///
    /// # Errors
    /// If one cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), StimulusError> {
        fs::create_dir_all(folder).map_err(StimulusError::io(folder))?;
        for (name, text) in self.files().map_err(|e| StimulusError::format(folder, e))? {
            let path = folder.join(name);
            fs::write(&path, text).map_err(StimulusError::io(&path))?;
        }
        Ok(())
    }

    /// Names and texts of the three files.
    ///
    /// # Errors
    /// If what it is about cannot be written as TOML.
    pub fn files(&self) -> Result<[(&'static str, String); 3], String> {
        let shape = Shape::of::<M>(&self.parameters);
        let stimulus = stimulus(&shape, &self.track.inputs);
        Ok([
            ("vector.toml", toml::to_string(&self.about).map_err(|e| e.to_string())?),
            ("stimulus.hex", runs(stimulus.lines())),
            ("expect.hex", runs(&self.expect)),
        ])
    }

    /// Reads them.
    ///
    /// # Errors
    /// If one cannot be read or does not say what it should.
    pub fn load(folder: &Path) -> Result<Self, StimulusError> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read_to_string(&path).map_err(StimulusError::io(&path))
        };
        let about = about(folder)?;
        let module = M::shape().layout.module;
        if about.module != module {
            let what = format!("module is `{}`: expected `{module}`", about.module);
            return Err(StimulusError::format(folder.join("vector.toml"), what));
        }
        let parameters = Parameters::DEFAULT.parse(module, &about.parameters);
        let parameters = parameters
            .map_err(|e| StimulusError::format(folder.join("vector.toml"), e.to_string()))?;
        let wrong = |name: &str, cycle: usize, what: &str| {
            StimulusError::format(
                folder.join(name),
                format!("cycle {cycle}: not {what} of {module}"),
            )
        };
        let shape = Shape::of::<M>(&parameters);
        let text = read("stimulus.hex")?;
        let all = lines(&text).enumerate().map(|(cycle, line)| {
            let line = line.and_then(|line| inputs(&shape, line));
            line.ok_or_else(|| wrong("stimulus.hex", cycle, "the inputs"))
        });
        let inputs = all.collect::<Result<_, _>>()?;
        let text = read("expect.hex")?;
        let all = lines(&text).enumerate().map(|(cycle, line)| {
            let line = line.map(str::to_owned);
            line.ok_or_else(|| wrong("expect.hex", cycle, "the outputs"))
        });
        let refused = |e| StimulusError::format(folder.join("vector.toml"), e);
        let deposits = about.deposits.iter().map(|text| text.parse());
        let deposits = deposits.collect::<Result<Vec<_>, String>>().map_err(refused)?;
        if !deposits.is_empty() && parameters != Parameters::DEFAULT {
            return Err(refused("deposits: expected none beside parameters".into()));
        }
        Ok(Vector {
            about,
            parameters,
            track: Track { inputs, deposits },
            expect: all.collect::<Result<_, _>>()?,
        })
    }

    /// The first cycle in which the model does not give what `expect.hex` says.
    #[must_use]
    pub fn drift(&self) -> Option<usize> {
        let now = expect::<M>(&Shape::of::<M>(&self.parameters), &self.track);
        let cycles = now.len().max(self.expect.len());
        (0..cycles).find(|&c| now.get(c) != self.expect.get(c))
    }

    #[must_use]
    pub fn case(&self) -> Case<M> {
        Case::fed(self.track.clone()).on(self.parameters)
    }
}

/// Inputs of a node of the model with these parameters in every cycle, and what is deposited in it.
///
/// # Errors
/// If the scenario is invalid.
pub fn track_of<M: Machine>(
    case: &Case<M>,
    node: usize,
    parameters: &Parameters,
) -> Result<Track<M::Inputs>, StimulusError> {
    let mut bench = case.bench_with(parameters)?;
    let (mut inputs, mut deposits) = (Vec::new(), Vec::new());
    while !bench.done() {
        deposits.extend(bench.deposit());
        bench.step(&mut |n, _: &M, i, _| {
            if n == node {
                inputs.push(*i);
            }
        });
    }
    Ok(Track { inputs, deposits })
}

/// Folders of vectors below `folder`, in order; none if it does not exist.
#[must_use]
pub fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<_> =
        entries.map(|e| e.path()).filter(|p| p.join("stimulus.hex").exists()).collect();
    all.sort();
    all
}

/// A case in words: one field a line, addresses in hexadecimal.
#[must_use]
pub fn case_text<C: std::fmt::Debug>(case: &C) -> String {
    let line = |line: &str| {
        let hex = line.split_once("addr: ").and_then(|(before, number)| {
            let number: u32 = number.strip_suffix(',')?.parse().ok()?;
            Some(format!("{before}addr: {number:#010x},"))
        });
        hex.unwrap_or_else(|| line.to_owned()) + "\n"
    };
    format!("{case:#?}").lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::stimulus::HostAccess;
    use awgstar::quantity::ByteAddress;

    #[test]
    fn addresses_are_hexadecimal() {
        let access =
            HostAccess { addr: ByteAddress(0x8000_1554), data: 17, ..HostAccess::default() };
        let text = case_text(&vec![access]);
        assert!(text.contains("        addr: 0x80001554,\n        data: 17,\n"), "{text}");
    }
}
