// SPDX-License-Identifier: MIT OR Apache-2.0
//! Divergence: signal, node and cycle of the first difference (LCK-4).

use awgstar_stimulus::node::case::Case;
use awgstar_stimulus::shape::{Shape, value};

/// Kind of signal that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A register.
    Register,
    /// A word of a memory.
    Memory,
    /// An output of the node.
    Output,
}

impl Kind {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Register => "register",
            Kind::Memory => "memory word",
            Kind::Output => "output",
        }
    }
}

/// A signal with two values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// Kind of the signal.
    pub kind: Kind,
    /// Path below the node, `u_ingress.state_q`; a memory word with its index.
    pub path: String,
    /// Module that declares the signal.
    pub module: &'static str,
    /// Width in bits.
    pub bits: usize,
    /// In the model.
    pub model: u128,
    /// In the Verilog; bits that are X are 0.
    pub rtl: u128,
    /// Bits that are X in the Verilog, of which the model knows the value.
    pub unknown: u128,
}

impl Differs {
    /// The lowest bit that differs.
    #[must_use]
    pub const fn bit(&self) -> u32 {
        (self.model ^ self.rtl | self.unknown).trailing_zeros()
    }
}

/// A frame on a link in the cycle of the divergence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// The node.
    pub node: usize,
    /// `link in` or `link out`.
    pub place: &'static str,
    /// Bytes of the frame so far.
    pub bytes: Vec<u8>,
    /// The frame has ended.
    pub whole: bool,
}

/// The first cycle in which model and Verilog differ.
#[derive(Clone, Debug)]
pub struct Divergence<C = Case> {
    /// The cycle.
    pub cycle: u64,
    /// The node; of several the one whose registers differ, else the lowest.
    pub node: usize,
    /// All that differs in that node, upstream first: instances in the order of `docs/node.md`,
    /// outputs of the node last.
    pub signals: Vec<Differs>,
    /// Other nodes that differ in the same cycle.
    pub others: Vec<usize>,
    /// Inputs of the cycle before: name, bits, value.
    pub inputs: Vec<(&'static str, usize, u128)>,
    /// Frames in flight.
    pub frames: Vec<InFlight>,
    /// The case that was run.
    pub case: C,
}

impl<C> Divergence<C> {
    /// The signal furthest upstream.
    #[must_use]
    pub fn first(&self) -> Option<&Differs> {
        self.signals.first()
    }
}

/// State of a node on both sides.
pub struct Sides<'a> {
    /// Model.
    pub model: Side<'a>,
    /// Verilog.
    pub rtl: Side<'a>,
}

/// State of a node on one side.
pub struct Side<'a> {
    /// Image of the registers.
    pub registers: &'a [u32],
    /// Image of the outputs.
    pub outputs: &'a [u32],
    /// Words of each memory.
    pub memories: &'a [Vec<u128>],
}

/// All that differs, upstream first.
#[must_use]
pub fn compare(shape: &Shape, sides: &Sides<'_>) -> Vec<Differs> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut memory = 0;
    shape.layout.walk("", &mut |prefix, module| {
        for r in &module.registers {
            let [model, rtl] =
                [&sides.model, &sides.rtl].map(|side| value(side.registers, at, r.bits));
            at += r.words();
            if model != rtl {
                found.push(Differs {
                    kind: Kind::Register,
                    path: format!("{prefix}{}", r.name),
                    module: module.module,
                    bits: r.bits,
                    model,
                    rtl,
                    unknown: 0,
                });
            }
        }
        for m in &module.memories {
            let (model, rtl) = (&sides.model.memories[memory], &sides.rtl.memories[memory]);
            memory += 1;
            for (index, (&model, &rtl)) in model.iter().zip(rtl).enumerate() {
                if model != rtl {
                    found.push(Differs {
                        kind: Kind::Memory,
                        path: format!("{prefix}{}[{index}]", m.name),
                        module: module.module,
                        bits: m.bits,
                        model,
                        rtl,
                        unknown: 0,
                    });
                }
            }
        }
    });
    for (name, bits, at) in shape.output_words() {
        let [model, rtl] = [&sides.model, &sides.rtl].map(|side| value(side.outputs, at, bits));
        if model != rtl {
            found.push(Differs {
                kind: Kind::Output,
                path: name.to_owned(),
                module: shape.layout.module,
                bits,
                model,
                rtl,
                unknown: 0,
            });
        }
    }
    found
}
