// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of the model that a design is compared with.

use crate::StimulusError;
use crate::machine::{Bench, Machine, Played, Running, Stimulus, Track};
use awgstar::quantity::Cycle;
use awgstar::rtl::Parameters;
use std::fmt;

/// Machines with their parameters, and what drives them.
#[derive(Clone, PartialEq)]
pub struct Case<M: Machine> {
    pub parameters: Parameters,
    /// What drives them.
    pub source: Source<M>,
}

/// What drives the machines of a case.
#[derive(Clone, PartialEq)]
pub enum Source<M: Machine> {
    /// One machine in an environment that reacts.
    Alone(M::Stimulus),
    /// Machines that drive each other.
    Ring(M::Ring),
    /// One machine, and its inputs in every cycle.
    Inputs(Track<M::Inputs>),
}

/// What drives the machines, in words; inputs are in files.
impl<M: Machine> fmt::Debug for Case<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Alone(stimulus) => stimulus.fmt(f),
            Source::Ring(ring) => ring.fmt(f),
            Source::Inputs(track) => {
                write!(f, "the inputs of {} cycles (stimulus.hex)", track.inputs.len())
            }
        }
    }
}

impl<M: Machine> Case<M> {
    /// One machine with the parameters of its [`Machine::shape`].
    #[must_use]
    pub fn alone(stimulus: M::Stimulus) -> Self {
        Case { parameters: M::shape().parameters, source: Source::Alone(stimulus) }
    }

    /// Machines that drive each other.
    #[must_use]
    pub fn ring(ring: M::Ring) -> Self {
        Case { parameters: ring.parameters(), source: Source::Ring(ring) }
    }

    /// One machine with the parameters of its [`Machine::shape`] that is fed.
    #[must_use]
    pub fn fed(track: impl Into<Track<M::Inputs>>) -> Self {
        Case { parameters: M::shape().parameters, source: Source::Inputs(track.into()) }
    }

    /// The case on machines with these parameters.
    #[must_use]
    pub fn on(self, parameters: Parameters) -> Self {
        Case { parameters, ..self }
    }

    /// Inputs in every cycle, of a machine that is fed; otherwise none.
    #[must_use]
    pub fn inputs(&self) -> &[M::Inputs] {
        if let Source::Inputs(track) = &self.source { &track.inputs } else { &[] }
    }

    /// Number of machines.
    #[must_use]
    pub fn nodes(&self) -> usize {
        if let Source::Ring(ring) = &self.source { ring.nodes() } else { 1 }
    }

    /// Length of the run.
    #[must_use]
    pub fn cycles(&self) -> Cycle {
        match &self.source {
            Source::Alone(stimulus) => stimulus.cycles(),
            Source::Ring(ring) => ring.cycles(),
            Source::Inputs(track) => Cycle(track.inputs.len() as u64),
        }
    }

    /// The case with this length.
    #[must_use]
    pub fn with_cycles(&self, cycles: Cycle) -> Self {
        let mut case = self.clone();
        match &mut case.source {
            Source::Alone(stimulus) => stimulus.set_cycles(cycles),
            Source::Ring(ring) => ring.set_cycles(cycles),
            Source::Inputs(track) => track.set_cycles(cycles),
        }
        case
    }

    /// The model before the first cycle.
    ///
    /// # Errors
    /// If the case is invalid.
    pub fn bench(&self) -> Result<Box<dyn Running<M>>, StimulusError> {
        self.bench_with(&self.parameters)
    }

    /// The model before the first cycle, with these parameters in place of those of the case.
    ///
    /// # Errors
    /// As [`Case::bench`].
    pub fn bench_with(
        &self,
        parameters: &Parameters,
    ) -> Result<Box<dyn Running<M>>, StimulusError> {
        let machine = M::new(parameters);
        Ok(match &self.source {
            Source::Alone(s) => Box::new(Played::new(machine, s.player(parameters), s.cycles())),
            Source::Inputs(track) => Box::new(Played::new(machine, track.clone(), self.cycles())),
            Source::Ring(ring) => {
                let mut bench = ring.running()?;
                if *parameters != ring.parameters() {
                    (0..ring.nodes()).for_each(|node| *bench.node_mut(node) = machine.clone());
                }
                bench
            }
        })
    }

    /// Cases a step smaller, the largest steps first. Inputs are not made smaller: each cycle follows from the one
    /// before.
    #[must_use]
    pub fn candidates(&self) -> Vec<Self> {
        let of = |source| Case { parameters: self.parameters, source };
        match &self.source {
            Source::Alone(s) => s.candidates().into_iter().map(Source::Alone).map(of).collect(),
            Source::Ring(r) => r.candidates().into_iter().map(Source::Ring).map(of).collect(),
            Source::Inputs(_) => Vec::new(),
        }
    }
}
