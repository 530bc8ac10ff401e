// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lockstep: model and verilated nodes side by side (LCK-1, LCK-3).
//!
//! Each verilated node gets the inputs of its counterpart in the model, so a ring of verilated
//! nodes is not closed. It need not be: the outputs of a node are compared every cycle, so up to
//! the first difference the verilated nodes get exactly the words that they would have sent each
//! other.

use crate::start::{self, after_reset, known};
use awgstar::quantity::narrow;
use awgstar::rtl::{Parameters, RingNode, state::Ports};
use awgstar_compare::difference::differences;
use awgstar_compare::flight::Flights;
use awgstar_compare::{Cycle, Difference, Divergence, Expect, Expected, Kind, Seen, Signals};
use awgstar_simulator::SimError;
use awgstar_simulator::verilated::{Dut, Stored, Verilated};
use awgstar_stimulus::Case;
use awgstar_stimulus::known::starts;
use awgstar_stimulus::machine::{Machine, Running, memories};
use awgstar_stimulus::reached::{Reached, Watch};
use awgstar_stimulus::shape::{Shape, image, value};
use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

/// Cycles between two looks at the memories in fast mode.
pub const FAST: u64 = 64;

/// When memories are compared. Registers and outputs always are, every cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memories {
    /// Every cycle (LCK-3).
    Strict,
    /// Every [`FAST`] cycles and in the last; a difference is then looked for in a strict run.
    Fast,
}

/// A verilated node, ready to run cases.
pub struct Lockstep<M = RingNode> {
    verilated: Arc<Verilated>,
    /// When memories are compared.
    pub memories: Memories,
    /// Seed of what is not reset.
    pub seed: u32,
    /// Starts of the model that stand for an unknown state.
    starts: Vec<M>,
    /// Events of the cases that were equal.
    reached: Mutex<Reached>,
}

/// Result of a case.
#[derive(Clone, Debug)]
pub enum Verdict<C = Case<RingNode>> {
    /// Equal in that many cycles.
    Equal(u64),
    /// Not.
    Diverged(Box<Divergence<C>>),
}

/// State of one node in one cycle, both sides.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Image of the inputs.
    pub inputs: Vec<u32>,
    /// Images of outputs and registers of the model.
    pub model: [Vec<u32>; 2],
    /// Those of the Verilog.
    pub rtl: [Vec<u32>; 2],
}

/// A node, its number and the cycle, in a closer look.
type Visit<'a, M> = dyn FnMut(u64, usize, &M, &Dut, Snapshot) + 'a;

/// Model and Verilog after the first edge, and whether something differs there already.
type Started<M> = (Box<dyn Running<M>>, Vec<Dut>, bool);

impl<M: Machine> Lockstep<M> {
    /// The node in folder `hdl`, compiled below `out`.
    ///
    /// # Errors
    /// If a program is missing or the Verilog does not compile.
    pub fn new(hdl: &Path, out: &Path) -> Result<Self, SimError> {
        Self::with_parameters(hdl, out, &Parameters::DEFAULT)
    }

    /// Like [`Lockstep::new`], with these parameters on both sides.
    ///
    /// # Errors
    /// As [`Lockstep::new`].
    pub fn with_parameters(
        hdl: &Path,
        out: &Path,
        parameters: &Parameters,
    ) -> Result<Self, SimError> {
        let verilated = Verilated::load(&Shape::of::<M>(parameters), hdl, out)?;
        let starts = starts::<M>(verilated.shape(), start::RANDOM);
        Ok(Lockstep {
            verilated,
            memories: Memories::Strict,
            seed: 1,
            starts,
            reached: Mutex::default(),
        })
    }

    /// Names and widths of both sides.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        self.verilated.shape()
    }

    /// Events that the cases without a difference have reached.
    #[must_use]
    pub fn reached(&self) -> Reached {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs a case to its end or to the first difference.
    ///
    /// # Errors
    /// If the scenario is invalid.
    pub fn run(&self, case: &Case<M>) -> Result<Verdict<Case<M>>, SimError> {
        match self.race(case, self.memories)? {
            None => Ok(Verdict::Equal(case.cycles().0)),
            Some(_) if self.memories == Memories::Fast => {
                match self.race(case, Memories::Strict)? {
                    Some(cycle) => Ok(Verdict::Diverged(Box::new(self.look_at(case, cycle)?))),
                    None => {
                        Err(SimError::format("lockstep", "a difference that does not come again"))
                    }
                }
            }
            Some(cycle) => Ok(Verdict::Diverged(Box::new(self.look_at(case, cycle)?))),
        }
    }

    /// Seed of what is not reset in a node.
    fn seed_of(&self, node: usize) -> u32 {
        self.seed.wrapping_mul(0x0100_0193) ^ narrow::<u32>(node) << 1
    }

    /// Model and Verilog after the first edge, and what differs there already.
    fn start(&self, case: &Case<M>) -> Result<Started<M>, SimError> {
        let mut bench = case.bench_with(&self.shape().parameters)?;
        let mut duts: Vec<Dut> =
            (0..case.nodes()).map(|node| self.verilated.instance(self.seed_of(node))).collect();
        let origins: Vec<Stored> = duts.iter().map(Dut::stored).collect();
        let mut first = Vec::new();
        bench.step(&mut |node, _, inputs, _| {
            duts[node].settle(&image(inputs));
            duts[node].edge();
            first.push(*inputs);
        });
        let known = known(&self.starts, &first);
        let mut wrong = false;
        for (i, dut) in duts.iter_mut().enumerate() {
            let model = bench.node_mut(i);
            *model = after_reset(self.shape(), self.seed_of(i), &first[i]);
            let states = [&origins[i], &dut.stored()];
            let (start, differs) = start::start(model, states, self.shape(), &first[i], &known[i]);
            dut.load(&start);
            wrong |= differs;
        }
        Ok((bench, duts, wrong))
    }

    /// The first cycle with a difference.
    fn race(&self, case: &Case<M>, mode: Memories) -> Result<Option<u64>, SimError> {
        let (mut bench, mut duts, wrong) = self.start(case)?;
        let ended = |cycle: u64| {
            let module = M::shape().layout.module;
            let tail =
                format!("$finish, $stop or a fatal error of the simulation in cycle {cycle}");
            SimError::Ended { simulator: "verilator", module, tail }
        };
        // A simulation that ends in its first edge leaves registers as they were.
        if wrong && duts.iter().any(Dut::ended) {
            return Err(ended(0));
        }
        if wrong {
            return Ok(Some(1));
        }
        let cycles = case.cycles().0;
        let mut inputs = vec![0; self.shape().words[0]];
        let mut outputs = vec![0; self.shape().words[1]];
        let mut registers = vec![0; self.shape().words[2]];
        let mut differs = false;
        let mut watch = Watch::new(self.shape(), case.nodes());
        for cycle in 1..cycles {
            let deposits = bench.deposit();
            duts[0].deposit(&deposits);
            if !deposits.is_empty() {
                watch.jump();
            }
            let look =
                mode == Memories::Strict || cycle.is_multiple_of(FAST) || cycle + 1 == cycles;
            bench.step(&mut |node, state, i, o| {
                i.pack(&mut inputs);
                o.pack(&mut outputs);
                state.pack(&mut registers);
                watch.see(node, (state, i), [&inputs, &outputs, &registers]);
                let mut memories = Vec::new();
                if look {
                    memories = state.memory_refs();
                }
                differs |= !duts[node].cycle(&inputs, &outputs, &registers, &memories);
            });
            if differs && duts.iter().any(Dut::ended) {
                return Err(ended(cycle));
            }
            if differs {
                return Ok(Some(cycle));
            }
        }
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).merge(&watch.reached());
        Ok(None)
    }

    /// Runs `case` slowly up to `end` and shows every cycle from `from` on. Both sides go on
    /// after a difference, with the model's inputs.
    ///
    /// # Errors
    /// If the scenario is invalid.
    pub fn watch(
        &self,
        case: &Case<M>,
        from: u64,
        end: u64,
        visit: &mut Visit<'_, M>,
    ) -> Result<(), SimError> {
        let (mut bench, mut duts, _) = self.start(case)?;
        let mut cycle = 1;
        while !bench.done() && cycle < end {
            let deposits = bench.deposit();
            duts[0].deposit(&deposits);
            bench.step(&mut |node, state, i, o| {
                let dut = &mut duts[node];
                let inputs = image(i);
                dut.settle(&inputs);
                if cycle >= from {
                    let mut registers = vec![0; M::WORDS];
                    state.pack(&mut registers);
                    let model = [image(o), registers];
                    let rtl = [dut.outputs(), dut.registers()];
                    visit(cycle, node, state, dut, Snapshot { inputs, model, rtl });
                }
                dut.edge();
            });
            cycle += 1;
        }
        Ok(())
    }

    /// Everything about the difference of `cycle`.
    fn look_at(&self, case: &Case<M>, cycle: u64) -> Result<Divergence<Case<M>>, SimError> {
        let mut flights = Flights::new(self.shape(), case.nodes());
        let mut before = vec![Vec::new(); case.nodes()];
        let signals = Signals::of(self.shape());
        let mut found: Vec<(usize, Vec<Difference>)> = Vec::new();
        self.watch(case, 1, cycle + 1, &mut |now, node, state, dut, shot| {
            flights.see(node, [&shot.inputs, &shot.model[0]]);
            if now < cycle {
                before[node].clone_from(&shot.inputs);
                return;
            }
            let [outputs, registers] = &shot.model;
            let mut expect = Expect::of_images(self.shape(), outputs, registers);
            let [outputs, registers] = &shot.rtl;
            let mut seen = Cycle::of_images(self.shape(), outputs, registers);
            for (m, words) in memories(state).iter().enumerate() {
                let bits = self.shape().memories[m].1.bits;
                expect.words.extend(words.iter().map(|word| Expected::exactly(*word, bits)));
                let words = dut.memory(m).into_iter().enumerate();
                seen.memories.extend(words.map(|(index, word)| (m, index, Seen::known(word))));
            }
            let signals = differences(&signals, &expect, &seen, now);
            if !signals.is_empty() {
                found.push((node, signals));
            }
        })?;
        let best = found.iter().position(|(_, s)| s[0].signal.kind != Kind::Output).unwrap_or(0);
        if found.is_empty() {
            return Err(SimError::format("lockstep", "a difference that does not come again"));
        }
        let (node, signals) = found.swap_remove(best);
        let inputs = match before[node].as_slice() {
            [] => Vec::new(),
            words => self
                .shape()
                .input_words()
                .map(|(n, bits, at)| (n, bits, value(words, at, bits)))
                .collect(),
        };
        Ok(Divergence {
            cycle,
            node,
            signals,
            others: found.into_iter().map(|(node, _)| node).collect(),
            inputs,
            frames: flights.list(),
            case: case.clone(),
        })
    }
}
