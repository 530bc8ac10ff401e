// SPDX-License-Identifier: MIT OR Apache-2.0
//! Far ends: states in which a number wraps, a counter or timer is full, the pointers of a buffer
//! begin anew. Random runs would need hours to reach them.
//!
//! A warm run begins near some of them. Each [`End`] says which registers are moved together, from
//! the state just after reset, so that every relation between registers holds. Later in the run,
//! time may leap: all timers that run come close to the end of the first of them.

mod registers;
mod table;

pub use table::{ACT_SEQ, BLOCK, End, OWN, PEERS};

use crate::deposit::Deposit;
use crate::machine::Machine;
use awgstar::quantity::Cycle;
use awgstar::ring::RESET_CYCLES;
use proptest::{prelude::*, sample::select};
use registers::Registers;
use table::{
    BOARD,
    Edit::{Add, Fill, Put, Set},
    NODE, TIMERS, Timer,
};

/// The ends of a module, each with what comes before its paths.
pub fn table(module: &str) -> impl Iterator<Item = (&'static str, &'static End)> + use<> {
    let (own, node): (&[End], Option<&str>) = match module {
        "smb" => (BOARD, Some("u_node.")),
        "ring_node" => (&[], Some("")),
        _ => (&[], None),
    };
    let node = node.into_iter().flat_map(|prefix| NODE.iter().map(move |end| (prefix, end)));
    own.iter().map(|end| ("", end)).chain(node)
}

/// Some of the ends of a module, with amounts shortly before them.
pub fn near(module: &str) -> impl Strategy<Value = Vec<(&'static str, i64)>> + use<> {
    let end = |(_, end): (&str, &'static End)| {
        let before = prop_oneof![4 => 1i64..4, 1 => 4i64..16];
        let amount = (select(end.near), before).prop_map(|(near, before)| near - before);
        // Most others need these, or tokens.
        let weight = match end.name {
            PEERS | "synced" => 0.95,
            "monitor" => 0.75,
            "quiet" => 0.15,
            _ => 0.6,
        };
        prop::option::weighted(weight, amount.prop_map(|amount| (end.name, amount))).boxed()
    };
    let all: Vec<_> = table(module).map(end).collect();
    all.prop_map(|ends| ends.into_iter().flatten().collect())
}

/// The ends near which a run begins, and when time leaps in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warm {
    /// Names and amounts, for the first cycle out of reset.
    pub ends: Vec<(&'static str, i64)>,
    /// When time leaps: the cycle, and how many cycles before the end of the first timer it stops.
    pub leaps: Vec<(Cycle, u8)>,
}

impl Warm {
    /// The amount of an end.
    #[must_use]
    pub fn amount(&self, name: &str) -> Option<i64> {
        self.ends.iter().find(|(end, _)| *end == name).map(|(_, amount)| *amount)
    }

    /// Removes the deposits that are due in `cycle` or before.
    pub(super) fn done(&mut self, cycle: Cycle) {
        if cycle >= RESET_CYCLES {
            self.ends.clear();
        }
        self.leaps.retain(|(at, _)| *at > cycle);
    }

    /// Deposits in a machine before `cycle`.
    #[must_use]
    pub fn deposits<M: Machine>(&self, cycle: Cycle, machine: &M) -> Vec<Deposit> {
        let begins = cycle == RESET_CYCLES && !self.ends.is_empty();
        let leap = self.leaps.iter().find(|(at, _)| *at == cycle).map(|(_, before)| *before);
        if !begins && leap.is_none() {
            return Vec::new();
        }
        let mut registers = Registers::of(machine);
        let mut all = Vec::new();
        let mut push = |path: String, value| all.push(Deposit { cycle, path, value });
        if begins {
            for (prefix, end) in table(M::shape().layout.module) {
                let there = end.needs.is_none_or(|name| self.amount(name).is_some());
                let Some(amount) = self.amount(end.name).filter(|_| there) else { continue };
                let amount = amount.cast_unsigned();
                for edit in end.edits {
                    let (path, value) = match *edit {
                        Add(path) => {
                            let now = registers.get(&format!("{prefix}{path}"));
                            (path, now + u128::from(amount))
                        }
                        Put(path) => (path, amount.into()),
                        Set(path, value) => (path, value),
                        Fill(path, of) => {
                            push(format!("{prefix}{path}"), of(amount));
                            continue;
                        }
                    };
                    let path = format!("{prefix}{path}");
                    let value = registers.set(&path, value);
                    push(path, value);
                }
            }
        }
        if let Some(before) = leap {
            let running = || TIMERS.iter().filter(|t| (t.runs)(&registers));
            let left = |t: &Timer| registers.get(t.limit).saturating_sub(registers.get(t.register));
            let cycles = running().map(left).min().unwrap_or(0).saturating_sub(before.into());
            for t in running().filter(|_| cycles > 0) {
                let value = registers.get(t.register) + cycles;
                push(t.register.to_owned(), value);
                if let Some(reached) = t.reached {
                    push(reached.to_owned(), u128::from(value >= registers.get(t.limit)));
                }
            }
        }
        all
    }
}
