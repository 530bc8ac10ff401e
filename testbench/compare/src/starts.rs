// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a live model expects of a design of which nothing is known at the start (LCK-5).
//!
//! The model runs from every start of [`starts`]. A bit to which all give the same value is known.

use crate::cause;
use crate::comparison::{Comparison, Refused, Rules, Source, When, Words};
use crate::cycle::{Cycle, Expect, Sample, put};
use crate::difference::Difference;
use crate::word::{Expected, Seen};
use awgstar::quantity;
use awgstar::quantity::narrow;
use awgstar::random::SplitMix64;
use awgstar::rtl::state::{MemoryRef, Ports};
use awgstar_stimulus::deposit;
use awgstar_stimulus::known::{first_compared, starts};
use awgstar_stimulus::machine::{self, Machine, Track};
use awgstar_stimulus::shape::{Shape, image, ones, value};
use std::{collections::BTreeSet, sync::Arc};

/// Random starts of the model beside the special ones.
const RANDOM: u32 = 16;
/// Starts for inputs with unknown bits when one would do otherwise.
const SPLIT: usize = 8;
/// Random ones among the starts that have the state of a simulation.
const RANDOM_STATES: u32 = 2;

/// Registers that hold a word of a memory, read at an address that is unknown until the host's first
/// access. All words are equal by then, so the model knows the word; Verilog makes it X.
const READ_ANYWHERE: &[&str] = &["u_counters.data_q"];

fn reads_anywhere(path: &str) -> bool {
    READ_ANYWHERE.iter().any(|end| path.ends_with(end))
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

/// The inputs of each start in a cycle.
struct Inputs<I> {
    value: Vec<u32>,
    x: Vec<u32>,
    known: Option<I>,
    cycle: u64,
}

impl<I: Ports> Inputs<I> {
    fn of(shape: &Shape, sample: &Sample, cycle: u64) -> Self {
        let [value, x] = sample.inputs(shape);
        let known = x.iter().all(|word| *word == 0).then(|| I::unpack(&value));
        Inputs { value, x, known, cycle }
    }

    /// Bits that are X are 0 in the first start, 1 in the second, and random in the others.
    fn of_start(&self, start: usize) -> I {
        if let Some(known) = self.known {
            return known;
        }
        let mut random = SplitMix64::new(start as u64 ^ self.cycle << 8);
        let fill = |(value, x): (&u32, &u32)| {
            let noise = match start {
                0 => 0,
                1 => u32::MAX,
                _ => random.next_u32(),
            };
            value | noise & x
        };
        let words: Vec<u32> = self.value.iter().zip(&self.x).map(fill).collect();
        I::unpack(&words)
    }
}

/// The first start one cycle before, and its inputs then: for the cause of a difference.
#[derive(Clone, Debug)]
struct Trail<M: Machine> {
    before: M,
    last: M::Inputs,
}

/// The model from several start states.
#[derive(Clone, Debug)]
pub struct Starts<M: Machine> {
    shape: Arc<Shape>,
    nodes: Vec<M>,
    /// The starts in the cycle before: a word that has not changed since is not looked at again.
    before: Vec<M>,
    /// Words that the last edge has changed in one of the starts, if they have been asked for.
    changed: Option<Vec<(usize, usize)>>,
    /// They are asked for.
    watched: bool,
    /// The state of the design is taken over in the first two cycles.
    takes_over: bool,
    trail: Option<Trail<M>>,
    now: Option<M::Inputs>,
    cycle: u64,
}

impl<M: Machine> Starts<M> {
    /// Before the first cycle; what the model does not know stays unknown.
    #[must_use]
    pub fn new(shape: &Arc<Shape>) -> Self {
        Starts {
            shape: shape.clone(),
            nodes: starts::<M>(shape, RANDOM),
            before: Vec::new(),
            changed: None,
            watched: false,
            takes_over: false,
            trail: None,
            now: None,
            cycle: 0,
        }
    }

    /// Takes over, in the second cycle, what the reset does not set and the design knows. In a simulation of two states
    /// every bit is known from then on, and one start is left.
    #[must_use]
    pub fn taking_over(shape: &Arc<Shape>) -> Self {
        Starts { takes_over: true, ..Starts::new(shape) }
    }

    /// Number of starts: 1 when all that the model knows is known.
    #[must_use]
    pub fn count(&self) -> usize {
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
            machine::deposit(node, due);
        }
        self.changed = None;
    }

    fn states(&self) -> Vec<Vec<u32>> {
        self.nodes.iter().map(state).collect()
    }

    /// Changes memory words of the starts from number `first` on: memory, index, the bits that change, their value.
    fn set_words(&mut self, first: usize, words: &[(usize, usize, u128, u128)]) {
        for node in &mut self.nodes[first..] {
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
    }

    /// The registers that the design shows, as images: value, and 1 where they are known.
    fn shown(&self, sample: &Sample) -> [Vec<u32>; 2] {
        let mut images = [vec![0; M::WORDS], vec![0; M::WORDS]];
        for ((_, bits, at), seen) in self.shape.register_words().zip(&sample.registers) {
            let Seen { value, x } = seen.unwrap_or(Seen::unknown(bits));
            put(&mut images[0][at..], bits, value);
            put(&mut images[1][at..], bits, !x & ones(bits));
        }
        images
    }

    /// Gives bits that the model does not know the value that the design has, in all starts.
    fn adopt(&mut self, sample: &Sample) {
        let (_, differ) = agreed(&self.states());
        let [value, known] = self.shown(sample);
        for node in &mut self.nodes {
            let mut image = state(node);
            for (i, word) in image.iter_mut().enumerate() {
                let take = differ[i] & known[i];
                *word = *word & !take | value[i] & take;
            }
            node.unpack(&image);
        }
        let contents = self.contents();
        let word = |&(m, index, seen): &(usize, usize, Seen)| {
            (m, index, agreed_word(&contents, m, index).1 & !seen.x, seen.value)
        };
        let words: Vec<_> = sample.words.iter().map(word).collect();
        self.set_words(0, &words);
        self.changed = None;
    }

    /// The memories of each start.
    fn contents(&self) -> Vec<Vec<MemoryRef<'_>>> {
        self.nodes.iter().map(Machine::memory_refs).collect()
    }

    /// Adds starts that have the state of the design before the first edge: bits that are unknown there are 0 in one,
    /// 1 in the next and random in the others. What looks known by the choice of the other starts only is unknown then.
    fn add_state(&mut self, sample: &Sample) {
        let random = starts::<M>(&self.shape, RANDOM_STATES);
        let special = random.len() - narrow::<usize>(RANDOM_STATES);
        let [value, known] = self.shown(sample);
        let first = self.nodes.len();
        for (i, mut node) in random.into_iter().enumerate() {
            if i < 2 || i >= special {
                let mut image = state(&node);
                for ((word, known), value) in image.iter_mut().zip(&known).zip(&value) {
                    *word = *word & !known | value;
                }
                node.unpack(&image);
                self.nodes.push(node);
            }
        }
        let words: Vec<_> =
            sample.words.iter().map(|&(m, index, seen)| (m, index, !seen.x, seen.value)).collect();
        self.set_words(first, &words);
        self.before.clear();
        self.changed = None;
    }

    /// Makes several starts of the only one, for inputs of which bits are unknown.
    fn split(&mut self) {
        if let [only] = &self.nodes[..] {
            self.nodes = vec![only.clone(); SPLIT];
            if let [before] = &self.before[..] {
                self.before = vec![before.clone(); SPLIT];
            }
        }
    }

    /// Keeps one of the starts if all are equal.
    fn join(&mut self) {
        if self.nodes.iter().all(|node| *node == self.nodes[0]) {
            self.nodes.truncate(1);
            self.before.truncate(1);
        }
    }

    fn inputs(&mut self, sample: &Sample) -> Inputs<M::Inputs> {
        let inputs = Inputs::of(&self.shape, sample, self.cycle);
        if inputs.known.is_none() {
            self.split();
        }
        inputs
    }
}

/// A memory word of the first start, and the bits in which another one differs.
fn agreed_word(contents: &[Vec<MemoryRef<'_>>], memory: usize, index: usize) -> (u128, u128) {
    let first = contents[0][memory].get(index);
    let words = contents.iter().map(|memories| memories[memory].get(index));
    (first, words.fold(0, |differ, word| differ | (word ^ first)))
}

/// Image of the registers.
fn state<M: Machine>(node: &M) -> Vec<u32> {
    let mut words = vec![0; M::WORDS];
    node.pack(&mut words);
    words
}

impl<M: Machine> Source for Starts<M> {
    fn expect(&mut self, sample: &Sample, words: &[(usize, usize)]) -> Expect {
        let inputs = self.inputs(sample);
        self.now = Some(inputs.of_start(0));
        let (first, differ) = agreed(&self.states());
        let at_place = |first: &[u32], differ: &[u32], at: usize, bits: usize| {
            Expected::agreed(value(first, at, bits), value(differ, at, bits), bits)
        };
        let register = |(path, bits, at): (&str, usize, usize)| {
            let expected = at_place(&first, &differ, at, bits);
            if reads_anywhere(path) { Expected { care_x: 0, ..expected } } else { expected }
        };
        let registers = self.shape.register_words().map(register).collect();
        let nodes = self.nodes.iter().enumerate();
        let images: Vec<_> =
            nodes.map(|(start, node)| image(&node.outputs(&inputs.of_start(start)))).collect();
        let (first, differ) = agreed(&images);
        let output = |(_, bits, at): (&str, usize, usize)| at_place(&first, &differ, at, bits);
        let outputs = self.shape.output_words().map(output).collect();
        let contents = self.contents();
        let word = |&(m, index): &(usize, usize)| {
            let (first, differ) = agreed_word(&contents, m, index);
            Expected::agreed(first, differ, self.shape.memories[m].1.bits)
        };
        Expect { outputs, registers, words: words.iter().map(word).collect() }
    }

    fn edge(&mut self, sample: &Sample) {
        let inputs = self.inputs(sample);
        if self.takes_over && self.cycle == 0 {
            self.add_state(sample);
        } else if self.takes_over {
            if self.cycle == 1 {
                self.adopt(sample);
                self.join();
            }
            let last = inputs.of_start(0);
            match &mut self.trail {
                Some(trail) => {
                    trail.before.clock(&trail.last);
                    trail.last = last;
                }
                None => self.trail = Some(Trail { before: self.nodes[0].clone(), last }),
            }
        }
        // Before anything was compared every word counts as changed.
        if !self.watched || self.cycle == 0 {
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
            node.clock(&inputs.of_start(start));
        }
        self.changed = None;
        self.cycle += 1;
    }

    fn changed(&mut self) -> Vec<(usize, usize)> {
        self.watched = true;
        let Starts { shape, nodes, before, changed, .. } = self;
        let find = || {
            let shapes = shape.memories.iter().map(|(_, m)| m.depth).enumerate();
            if before.is_empty() {
                return shapes.flat_map(|(m, depth)| (0..depth).map(move |i| (m, i))).collect();
            }
            let mut all = BTreeSet::new();
            for (before, now) in before.iter().zip(nodes.iter()) {
                let memories = before.memory_refs().into_iter().zip(now.memory_refs());
                for ((m, depth), (before, now)) in shapes.clone().zip(memories) {
                    all.extend(changed_words(before, now, depth).into_iter().map(|i| (m, i)));
                }
            }
            all.into_iter().collect()
        };
        changed.get_or_insert_with(find).clone()
    }

    fn wires(&self, when: When, seen: &[Seen]) -> Option<Vec<Difference>> {
        let (model, inputs, cycle) = match when {
            When::Now => (self.model(), self.now.as_ref()?, self.cycle),
            When::Before => {
                let trail = self.trail.as_ref()?;
                (&trail.before, &trail.last, self.cycle - 1)
            }
        };
        Some(cause::wires(&self.shape, model, inputs, seen, cycle))
    }
}

/// The first cycle in which a simulation in four states does not have what the model knows, and all that is wrong
/// there. The simulation has shown each memory word once, and again whenever it has changed.
///
/// # Errors
/// If a cycle has a memory word that the shape does not have.
pub fn check<M: Machine>(
    shape: &Arc<Shape>,
    track: &Track<M::Inputs>,
    cycles: &[Cycle],
) -> Result<Vec<Difference>, Refused> {
    let first = first_compared(&track.inputs) as u64;
    let rules = Rules { first, reset: false, words: Words::Changed };
    let mut comparison = Comparison::new(shape, Starts::<M>::new(shape), rules);
    for (number, (inputs, cycle)) in (0..).zip(track.inputs.iter().zip(cycles)) {
        let due = deposit::due(&track.deposits, quantity::Cycle(number));
        comparison.source_mut().deposit(&due);
        if !comparison.push(&cycle.sample(shape, &image(inputs)))? {
            break;
        }
    }
    Ok(comparison.found().map(|found| found.signals.clone()).unwrap_or_default())
}
