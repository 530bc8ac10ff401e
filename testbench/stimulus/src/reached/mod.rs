// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events that a run has reached, counted in the model while it runs: frames of each kind, buffers that
//! were full, numbers that wrapped, locks, barriers, retransmissions.
//!
//! A comparison says nothing about a part of the design that never acted in it. So a report names these
//! counts, and [`Reached::idle`] names a part that a parameter has enabled and that never acted.

#[cfg(test)]
mod coincidences;
mod counts;
mod golden;
pub mod limits;
mod lists;
mod memories;
mod place;
mod table;

pub use counts::Reached;

use crate::StimulusError;
use crate::deposit::due;
use crate::machine::{Machine, Track, deposit};
use crate::shape::{Shape, image};
use awgstar::contract::Token;
use awgstar::quantity::Cycle;
use lists::Lists;
use memories::Memories;
use place::{Place, code};
use std::collections::BTreeMap;
use std::ops::Range;
use table::{EVENTS, Event, Kind};

/// An event of one instance, with the places of its registers.
struct Watched {
    event: &'static Event,
    places: Vec<Place>,
    count: u64,
}

/// An instance: in a cycle in which none of its registers changes there is nothing to see.
struct Instance {
    words: Range<usize>,
    watched: Vec<Watched>,
    stores: Vec<limits::Watched>,
}

/// A port of the link: places of valid, last and data in an image of ports.
struct Link {
    group: &'static str,
    places: [Place; 3],
    /// Words of the frame under way, for each node; the kind is in the second.
    words: Vec<u8>,
    kinds: [u64; 8],
}

/// Counts the events of one case, from the states of the model before each clock edge.
pub struct Watch {
    rst: Option<Place>,
    instances: Vec<Instance>,
    links: Vec<Link>,
    memories: Option<Memories>,
    lists: Option<Lists>,
    /// Registers of each node one cycle before; none after a reset or a deposit.
    before: Vec<Option<Vec<u32>>>,
}

impl Watch {
    /// Before the first cycle of a case with this many nodes.
    #[must_use]
    pub fn new(shape: &Shape, nodes: usize) -> Self {
        let engine = shape.parameters.engine_node_w() != 0;
        let joins = shape.parameters.join() != 0;
        let mut instances = Vec::new();
        let mut at = 0;
        let top = shape.layout.module;
        let alone = top == "ring_node";
        shape.layout.walk("", &mut |prefix, layout| {
            let (first, mut places) = (at, BTreeMap::new());
            let (mut watched, mut stores) = (Vec::new(), Vec::new());
            for register in &layout.registers {
                places.insert(register.name, Place { at, bits: register.bits });
                at += register.words();
            }
            let own = EVENTS.iter().filter(|e| e.module == layout.module);
            // A board has counters beside those of its node.
            let own = own.filter(|e| e.group != "node" || alone || prefix.contains("u_node."));
            for event in own.filter(|e| match e.group {
                "engine" => engine,
                "join" => joins,
                _ => true,
            }) {
                let names = event.kind.registers();
                let places = names.iter().filter_map(|name| places.get(name).copied());
                watched.push(Watched { event, places: places.collect(), count: 0 });
            }
            if engine || layout.module != "engine_router" {
                let place = |name: &str| places.get(name).copied();
                stores.extend(limits::Watched::of(layout.module, top, &shape.parameters, place));
            }
            if !watched.is_empty() || !stores.is_empty() {
                instances.push(Instance { words: first..at, watched, stores });
            }
        });
        let place = |(_, bits, at): (&str, usize, usize)| Place { at, bits };
        let input = |name: &str| shape.input_words().find(|(n, ..)| *n == name).map(place);
        let output = |name: &str| shape.output_words().find(|(n, ..)| *n == name).map(place);
        let link = |group, places: [Option<Place>; 3]| {
            let [Some(valid), Some(last), Some(data)] = places else { return None };
            Some(Link { group, places: [valid, last, data], words: vec![0; nodes], kinds: [0; 8] })
        };
        let s = ["s_axis_tvalid", "s_axis_tlast", "s_axis_tdata"].map(input);
        let m = ["m_axis_tvalid", "m_axis_tlast", "m_axis_tdata"].map(output);
        let links = [link("frames in", s), link("frames out", m)];
        Watch {
            // Of more clocks than one, the resets are high together.
            rst: input("rst").or_else(|| input("a_rst")),
            instances,
            links: links.into_iter().flatten().collect(),
            memories: Memories::new(shape, nodes),
            lists: Lists::new(shape, nodes),
            before: vec![None; nodes],
        }
    }

    /// Values were deposited before the cycle that comes.
    pub fn jump(&mut self) {
        self.before.fill(None);
        self.lists.iter_mut().for_each(Lists::jump);
    }

    /// One cycle of a node: the machine and its inputs, then images of inputs, outputs and registers before the
    /// edge.
    pub fn see<M: Machine>(
        &mut self,
        node: usize,
        machine: (&M, &M::Inputs),
        [inputs, outputs, registers]: [&[u32]; 3],
    ) {
        if let Some(memories) = &mut self.memories {
            memories.see(node, machine, inputs, registers);
        }
        if let Some(lists) = &mut self.lists {
            lists.see(node, inputs, registers);
        }
        let rst = self.rst.is_some_and(|rst| rst.of(inputs) != 0);
        for link in &mut self.links {
            let ports = if link.group == "frames in" { inputs } else { outputs };
            link.see(node, ports, rst);
        }
        if let Some(before) = &self.before[node] {
            for one in &mut self.instances {
                if before[one.words.clone()] != registers[one.words.clone()] {
                    one.watched.iter_mut().for_each(|event| event.see(before, registers));
                    one.stores.iter_mut().for_each(|store| store.see(before, registers));
                }
                if rst {
                    one.stores.iter_mut().for_each(|store| store.reset(registers));
                }
            }
        }
        match &mut self.before[node] {
            before if rst => *before = None,
            Some(before) => before.copy_from_slice(registers),
            first => *first = Some(registers.to_vec()),
        }
    }

    /// The counts.
    #[must_use]
    pub fn reached(&self) -> Reached {
        let mut all = Reached::default();
        for w in self.instances.iter().flat_map(|one| &one.watched) {
            all.add(w.event.group, w.event.name, w.count);
        }
        if let Some(memories) = &self.memories {
            memories.add_to(&mut all);
        }
        if let Some(lists) = &self.lists {
            lists.add_to(&mut all);
        }
        for store in self.instances.iter().flat_map(|one| &one.stores) {
            store.counts().for_each(|(name, count)| all.add(limits::GROUP, name, count));
        }
        for link in &self.links {
            for (code, count) in (0u8..).zip(link.kinds) {
                let name = Token::from_code(code).map_or("reserved", |token| token.name());
                all.add(link.group, name, count);
            }
        }
        all
    }
}

impl Watched {
    /// One cycle, in which the registers were `before` and then `now`.
    fn see(&mut self, before: &[u32], now: &[u32]) {
        let moved = |p: &Place| before[p.words()] != now[p.words()];
        if self.places.iter().any(moved) {
            let of = |image: &[u32]| self.places.iter().map(|p| p.of(image)).collect::<Vec<_>>();
            let bits = self.places.first().map_or(0, |p| p.bits);
            let Event { module, kind, .. } = self.event;
            self.count += kind.count(module, bits, &of(before), &of(now));
        }
    }
}

impl Link {
    fn see(&mut self, node: usize, ports: &[u32], rst: bool) {
        let [valid, last, data] = self.places.map(|place| place.of(ports));
        let words = &mut self.words[node];
        if rst {
            *words = 0;
        } else if valid != 0 {
            *words = words.saturating_add(1);
            if *words == 2 {
                // Byte 6 of the frame: TOKEN in the upper three bits.
                self.kinds[(data >> 21 & 7) as usize] += 1;
            }
            if last != 0 {
                *words = 0;
            }
        }
    }
}

impl Kind {
    /// How often the event came in a cycle in which the registers were `was` and then `is`.
    fn count(self, module: &str, bits: usize, was: &[u128], is: &[u128]) -> u64 {
        let once = |yes: bool| u64::from(yes);
        match (self, was, is) {
            (Kind::Rises(_), [was], [is]) => (is & !was).count_ones().into(),
            (Kind::Falls(_), [was], [is]) => (was & !is).count_ones().into(),
            (Kind::FallsIn(_, name), [was, state], [is, _])
                if code(module, name) == Some(*state) =>
            {
                (was & !is).count_ones().into()
            }
            (Kind::Turns(from, to), [was], [is]) => {
                once(code(module, from) == Some(*was) && code(module, to) == Some(*is))
            }
            // Back by more than half of its range.
            (Kind::Wraps(_), [was], [is]) => once(was > is && was - is > 1 << (bits - 1)),
            (Kind::Fills(_), [was], [is]) => {
                let full = 1 << (bits - 1);
                once(*was != full && *is == full)
            }
            (Kind::Apart(..), [wr, rd], [new_wr, new_rd]) => {
                let full = 1 << (bits - 1);
                once(wr ^ rd != full && new_wr ^ new_rd == full)
            }
            (Kind::Counter(k), [pending, scan, clear], [now, ..]) => {
                let of = |all: &u128| all >> (5 * k) & 31;
                let added = *scan == u128::from(k) && *clear == 0;
                let (was, is) = (if added { 0 } else { of(pending) }, of(now));
                once(is > was)
            }
            _ => 0,
        }
    }
}

/// The events of one case of one machine, whose inputs are `track`.
///
/// # Errors
/// If the stimulus is invalid.
pub fn of<M: Machine>(shape: &Shape, track: &Track<M::Inputs>) -> Result<Reached, StimulusError> {
    let mut watch = Watch::new(shape, 1);
    let mut machine = M::new(&shape.parameters);
    let mut registers = vec![0; shape.words[2]];
    for (cycle, inputs) in (0..).zip(&track.inputs) {
        let due = due(&track.deposits, Cycle(cycle));
        if !due.is_empty() {
            watch.jump();
            deposit(&mut machine, &due);
        }
        machine.pack(&mut registers);
        let ports = [image(inputs), image(&machine.outputs(inputs))];
        watch.see(0, (&machine, inputs), [&ports[0], &ports[1], &registers]);
        machine.clock(inputs);
    }
    let mut reached = watch.reached();
    reached.add_inputs::<M>(shape.layout.module, &track.inputs, &shape.parameters);
    Ok(reached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::directed;
    use crate::board::engine::parameters;
    use crate::case::Case;
    use crate::vector::track_of;
    use crate::vectors::board::with_engine;
    use awgstar::rtl::{Parameters, Smb};

    fn reached(case: &Case<Smb>, parameters: &Parameters) -> Reached {
        let track = track_of::<Smb>(case, 0, parameters).unwrap();
        of::<Smb>(&Shape::of::<Smb>(parameters), &track).unwrap()
    }

    #[test]
    fn an_engine_that_never_acts_is_named() {
        let plain = &directed::cases()[0];
        assert_eq!(reached(plain, &Parameters::DEFAULT).idle(&Parameters::DEFAULT), None);
        let with = reached(plain, &parameters());
        let why = with.idle(&parameters()).unwrap();
        assert!(why.contains("no locks taken, no barriers passed, no signals sent"), "{why}");
        assert!(with.count("frames out", "data") > 0, "{:?}", with.lines());

        let mut all = with;
        for story in with_engine().unwrap() {
            all.merge(&reached(&Case::alone(story.stimulus.clone()), &parameters()));
        }
        assert_eq!(all.idle(&parameters()), None, "{:?}", all.lines());
    }
}
