// SPDX-License-Identifier: MIT OR Apache-2.0
//! The inputs of one machine in every cycle; a block of the board alone, for what no board of the default size can
//! be brought to.

use crate::StimulusError;
use crate::deposit::Deposit;
use crate::machine::{Fed, Machine, Running, Stimulus, Track};
use crate::shape::Shape;
use awgstar::quantity::Cycle;
use awgstar::{
    contract::limits::DATA_MAX,
    ring::RESET_CYCLES,
    rtl::{
        Parameters, WriteCombiner,
        write_combiner::{Inputs, Outputs},
    },
};
use std::{
    fmt,
    sync::{Arc, LazyLock},
};

/// The inputs of one machine in every cycle, and its sizes.
#[derive(Clone, PartialEq, Eq)]
pub struct Straight<I> {
    /// Sizes that the stimulus was made for.
    pub parameters: Parameters,
    /// Inputs of every cycle.
    pub inputs: Vec<I>,
    /// Values deposited in it.
    pub deposits: Vec<Deposit>,
}

impl<I> fmt::Debug for Straight<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the inputs of {} cycles (stimulus.hex)", self.inputs.len())
    }
}

/// With the contract's parameters.
impl<I> From<Track<I>> for Straight<I> {
    fn from(Track { inputs, deposits }: Track<I>) -> Self {
        Straight { parameters: Parameters::DEFAULT, inputs, deposits }
    }
}

/// With the contract's parameters.
impl<I> From<Vec<I>> for Straight<I> {
    fn from(inputs: Vec<I>) -> Self {
        Track::from(inputs).into()
    }
}

impl<I: Clone> Straight<I> {
    fn track(&self) -> Track<I> {
        Track { inputs: self.inputs.clone(), deposits: self.deposits.clone() }
    }
}

impl<M: Machine> Stimulus<M> for Straight<M::Inputs> {
    fn nodes(&self) -> usize {
        1
    }

    fn cycles(&self) -> Cycle {
        Cycle(self.inputs.len() as u64)
    }

    fn with_cycles(&self, cycles: Cycle) -> Self {
        Straight { parameters: self.parameters, ..self.track().with_cycles(cycles).into() }
    }

    fn bench(&self) -> Result<Box<dyn Running<M>>, StimulusError> {
        let mut fed = Fed::<M>::new(self.track());
        *fed.node_mut(0) = M::new(&self.parameters);
        Ok(Box::new(fed))
    }

    /// Not shrunk: each cycle follows from the one before.
    fn candidates(&self) -> Vec<Self> {
        Vec::new()
    }
}

impl Machine for WriteCombiner {
    type Inputs = Inputs;
    type Outputs = Outputs;
    type Case = Straight<Inputs>;

    fn shape() -> &'static Arc<Shape> {
        static SHAPE: LazyLock<Arc<Shape>> =
            LazyLock::new(|| Shape::of::<WriteCombiner>(&Parameters::DEFAULT));
        &SHAPE
    }

    fn outputs(&self, inputs: &Inputs) -> Outputs {
        WriteCombiner::outputs(self, inputs)
    }

    fn clock(&mut self, inputs: &Inputs) {
        WriteCombiner::clock(self, inputs);
    }

    fn replay(track: Track<Inputs>) -> Self::Case {
        track.into()
    }
}

/// Words of a full frame.
const FRAME: u32 = 256;

/// Inputs with a word of the host.
fn piece(inputs: &Inputs, word: u32) -> Inputs {
    Inputs { put_valid: true, put_addr: 4 * word, put_len: 4, put_data: word, ..*inputs }
}

/// One block of 17 full frames: Act_Seq goes beyond 15 and begins anew (WRT-4). 16 KB, the memory of the
/// default size, are over with frame 16. Then words one a cycle with COMBINE 0, each a frame (WRT-3): a
/// board with AXI4-Lite has none so near.
#[must_use]
pub fn long_block() -> Straight<Inputs> {
    let mut inputs = Vec::new();
    for _ in 0..RESET_CYCLES.0 {
        inputs.push(Inputs { rst: true, ..Inputs::default() });
    }
    let block = 17 * DATA_MAX / 4;
    let words = block + 4;
    let mut combiner = WriteCombiner::default();
    let mut word = 0u32;
    while (word as usize) < words {
        let now = Inputs {
            cfg_combine: if (word as usize) < block { 9 } else { 0 },
            put_valid: true,
            put_addr: 4 * word,
            put_len: 4,
            put_data: word,
            word_room: true,
            frame_room: true,
            ..Inputs::default()
        };
        word += u32::from(combiner.outputs(&now).put_ready);
        combiner.clock(&now);
        inputs.push(now);
    }
    // Full frames that an order closes in their first cycle without a piece, and a word that finds no room in
    // an open frame: the block goes on behind each.
    combiner.clock(&Inputs::default());
    inputs.push(Inputs::default());
    let quiet = Inputs { cfg_combine: 9, frame_room: true, ..Inputs::default() };
    for (flush, e_flush) in [(true, false), (false, true)] {
        let end = word + FRAME;
        while word < end {
            let put = Inputs { word_room: true, ..piece(&quiet, word) };
            word += u32::from(combiner.outputs(&put).put_ready);
            combiner.clock(&put);
            inputs.push(put);
        }
        for next in [Inputs { flush, e_flush, ..quiet }, piece(&quiet, word), piece(&quiet, word)] {
            combiner.clock(&next);
            inputs.push(next);
        }
    }
    for word_room in [true, false, true] {
        let next = Inputs { word_room, ..piece(&quiet, word) };
        word += u32::from(combiner.outputs(&next).put_ready);
        combiner.clock(&next);
        inputs.push(next);
    }
    inputs.into()
}
