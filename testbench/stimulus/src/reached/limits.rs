// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens to a FIFO or a table at its limits: from a description of each one come all events that
//! are to be met, an operation or two in one cycle while it is full, empty, or next to that.

mod store;
mod stores;

use super::place::Place;
use awgstar::rtl::Parameters;
use store::{Edge, Event, Level, Limit, Store, Values};
use stores::STORES;

/// Group of these events.
pub const GROUP: &str = "at limits";

/// A store of a design, with the places of its registers, and what has happened to it.
pub(super) struct Watched {
    store: &'static Store,
    places: Vec<Place>,
    size: u128,
    events: Vec<Event>,
}

impl Watched {
    /// Those of an instance of this module in a design with this top, if it has any.
    pub(super) fn of<'a>(
        module: &'a str,
        top: &'a str,
        parameters: &'a Parameters,
        place: impl Fn(&str) -> Option<Place> + 'a,
    ) -> impl Iterator<Item = Watched> + 'a {
        STORES.iter().filter(move |store| store.module == module).map(move |store| Watched {
            store,
            places: store.registers.iter().filter_map(|name| place(name)).collect(),
            size: (store.size)(parameters) as u128,
            events: store.events(top),
        })
    }

    fn values(&self, image: &[u32]) -> Vec<u128> {
        self.places.iter().map(|place| place.of(image)).collect()
    }

    fn limit(&self, values: &Values<'_>) -> Option<Limit> {
        let bits = |name: &str| {
            let at = self.store.registers.iter().position(|n| *n == name);
            at.and_then(|at| self.places.get(at)).map_or(0, |place| place.bits)
        };
        let level = match self.store.level {
            Level::Apart(wr, rd) => {
                values.get(wr).wrapping_sub(values.get(rd)) & ((1 << bits(wr)) - 1)
            }
            Level::Register(name) => values.get(name),
            Level::While(flag, name) if values.get(flag) != 0 => values.get(name),
            Level::While(..) => 0,
        };
        Limit::of(level, self.size)
    }

    fn count(&mut self, limit: Limit, done: u32) {
        for event in self.events.iter_mut().filter(|event| event.limit == limit) {
            event.count += u64::from(event.bits & done == event.bits);
        }
    }

    /// One cycle, in which the registers were `was` and then `is`.
    pub(super) fn see(&mut self, was: &[u32], is: &[u32]) {
        if self.places.iter().all(|p| was[p.words()] == is[p.words()]) {
            return;
        }
        let (was, is) = (self.values(was), self.values(is));
        let of = |values| Values { names: self.store.registers, values };
        let edge = Edge { was: of(&was), is: of(&is) };
        let Some(limit) = self.limit(&edge.was) else { return };
        let count = self.store.operations.len();
        let mut done = self.store.done(&edge);
        for (i, operation) in self.store.operations.iter().enumerate() {
            if done & 1 << i != 0 && operation.pointer.is_some_and(|pointer| edge.falls(pointer)) {
                done |= 1 << (count + i);
            }
        }
        self.count(limit, done);
    }

    /// A reset begins in the cycle in which the registers are `now`.
    pub(super) fn reset(&mut self, now: &[u32]) {
        let now = self.values(now);
        let limit = self.limit(&Values { names: self.store.registers, values: &now });
        if let Some(limit) = limit {
            self.count(limit, 1 << (2 * self.store.operations.len()));
        }
    }

    /// Names and counts. An event that cannot be met is among them only if it was met.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&str, u64)> {
        let events = self.events.iter().filter(|e| e.why_never.is_none() || e.count > 0);
        events.map(|event| (event.name.as_str(), event.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{burst, directed, warm};
    use crate::case::Case;
    use crate::machine::Machine;
    use crate::node;
    use crate::reached::Watch;
    use crate::shape::{Shape, image};
    use awgstar::rtl::state::State;
    use awgstar::rtl::{RingNode, Smb, SmbAxi4};
    use std::collections::BTreeMap;

    /// Events that no case meets, and events with a reason why not that one meets.
    fn wrong<M: Machine>(
        cases: impl IntoIterator<Item = (String, Case<M>)>,
        parameters: &Parameters,
    ) -> String {
        let shape = Shape::of::<M>(parameters);
        let mut met: BTreeMap<String, (u64, Option<&'static str>, String)> = BTreeMap::new();
        for (name, case) in cases {
            let mut watch = Watch::new(&shape, case.nodes());
            let mut bench = case.bench_with(parameters).unwrap();
            let mut registers = vec![0; shape.words[2]];
            while !bench.done() {
                if !bench.deposit().is_empty() {
                    watch.jump();
                }
                bench.step(&mut |node, machine, i, o| {
                    machine.pack(&mut registers);
                    watch.see(node, (machine, i), [&image(i), &image(o), &registers]);
                });
            }
            let stores = watch.instances.iter().flat_map(|one| &one.stores);
            for event in stores.flat_map(|store| &store.events) {
                let entry = met.entry(event.name.clone()).or_default();
                entry.0 += event.count;
                entry.1 = event.why_never;
                if event.count > 0 && entry.2.is_empty() {
                    entry.2.clone_from(&name);
                }
            }
        }
        let mut lines = Vec::new();
        for (event, (count, why_never, case)) in met {
            match (count, why_never) {
                (0, None) => lines.push(format!("{event}: no case")),
                (1.., Some(why)) => lines.push(format!("{event}: met in {case}, but: {why}")),
                _ => {}
            }
        }
        lines.join("\n")
    }

    /// A description that names a register wrongly would see nothing.
    #[test]
    fn registers_of_the_descriptions_exist() {
        let mut layouts = Vec::new();
        RingNode::layout_of(&Parameters::DEFAULT).walk("", &mut |_, one| layouts.push(one.clone()));
        Smb::layout_of(&crate::board::engine::parameters())
            .walk("", &mut |_, one| layouts.push(one.clone()));
        for store in STORES {
            let found = layouts.iter().find(|one| one.module == store.module);
            let registers = &found.unwrap_or_else(|| panic!("no {}", store.module)).registers;
            let pointers = store.operations.iter().filter_map(|operation| operation.pointer);
            for name in store.registers.iter().copied().chain(pointers) {
                assert!(registers.iter().any(|r| r.name == name), "{}: {name}", store.module);
                assert!(store.registers.contains(&name), "{}: {name}", store.module);
            }
        }
    }

    #[test]
    fn every_event_is_met_or_cannot_be() {
        let usual = Parameters::DEFAULT;
        let node = wrong::<RingNode>(
            node::directed::cases().into_iter().map(|n| (n.name, n.case)),
            &usual,
        );
        assert!(node.is_empty(), "ring_node:\n{node}");
    }

    #[test]
    fn every_event_of_a_board_is_met_or_cannot_be() {
        let usual = Parameters::DEFAULT;
        let board = directed::named().into_iter().chain(warm::named());
        let board = wrong::<Smb>(board.map(|n| (n.name, n.case)), &usual);
        assert!(board.is_empty(), "smb:\n{board}");
    }

    #[test]
    fn every_event_of_a_board_with_axi4_is_met_or_cannot_be() {
        let usual = Parameters::DEFAULT;
        let burst = wrong::<SmbAxi4>(burst::named().into_iter().map(|n| (n.name, n.case)), &usual);
        assert!(burst.is_empty(), "smb_axi4:\n{burst}");
    }
}
