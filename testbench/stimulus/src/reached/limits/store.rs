// SPDX-License-Identifier: MIT OR Apache-2.0
//! Description of a FIFO or a table, and the events at its limits.

use awgstar::rtl::Parameters;

/// How much is in it before the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Empty,
    One,
    Last,
    Full,
}

use Limit::{Empty, Full, Last, One};

impl Limit {
    const ALL: [Limit; 4] = [Empty, One, Last, Full];

    pub(super) fn of(level: u128, size: u128) -> Option<Limit> {
        match level {
            0 => Some(Empty),
            n if n == size => Some(Full),
            1 => Some(One),
            n if n + 1 == size => Some(Last),
            _ => None,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Empty => "empty",
            One => "with one inside",
            Last => "with one place left",
            Full => "full",
        }
    }
}

/// What an operation does to the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    In,
    Out,
    Other,
}

/// Registers of an instance by name.
pub(super) struct Values<'a> {
    pub(super) names: &'static [&'static str],
    pub(super) values: &'a [u128],
}

impl Values<'_> {
    pub(super) fn get(&self, name: &str) -> u128 {
        let at = self.names.iter().position(|n| *n == name);
        debug_assert!(at.is_some(), "the description has no register {name}");
        at.and_then(|at| self.values.get(at)).copied().unwrap_or(0)
    }
}

/// A cycle: registers before and after the edge.
pub(super) struct Edge<'a> {
    pub(super) was: Values<'a>,
    pub(super) is: Values<'a>,
}

impl Edge<'_> {
    pub(super) fn moves(&self, name: &str) -> bool {
        self.was.get(name) != self.is.get(name)
    }

    pub(super) fn rises(&self, name: &str) -> bool {
        self.was.get(name) < self.is.get(name)
    }

    pub(super) fn falls(&self, name: &str) -> bool {
        self.was.get(name) > self.is.get(name)
    }
}

/// An operation, read from what the registers do in its cycle.
pub(super) struct Operation {
    pub(super) name: &'static str,
    pub(super) effect: Effect,
    pub(super) told: fn(&Edge<'_>) -> bool,
    /// The pointer that it moves on, and that begins anew some time.
    pub(super) pointer: Option<&'static str>,
}

/// The level, from registers.
pub(super) enum Level {
    /// Pointers that are so far apart, modulo their width.
    Apart(&'static str, &'static str),
    Register(&'static str),
    /// The second register while the first is set, else 0.
    While(&'static str, &'static str),
}

/// Reason why something cannot be met with the contract's parameters.
pub(super) struct Never {
    /// At these limits.
    pub(super) at: &'static [Limit],
    /// All of these operations in one cycle, with or without others.
    pub(super) all: &'static [&'static str],
    /// In these top modules only; in all, if there is none.
    pub(super) tops: &'static [&'static str],
    pub(super) why: &'static str,
}

/// A FIFO or a table with a bound.
pub(super) struct Store {
    pub(super) module: &'static str,
    pub(super) name: &'static str,
    /// Those that the level and the operations are read from.
    pub(super) registers: &'static [&'static str],
    pub(super) level: Level,
    pub(super) size: fn(&Parameters) -> usize,
    pub(super) operations: &'static [Operation],
    pub(super) never: &'static [Never],
}

const RESET: &str = "reset";

/// An event at a limit: bits of operations, and of the wraps of their pointers above those.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) limit: Limit,
    pub(super) bits: u32,
    pub(super) name: String,
    pub(super) why_never: Option<&'static str>,
    pub(super) count: u64,
}

impl Store {
    pub(super) fn why_never(
        &self,
        top: &str,
        limit: Limit,
        names: &[&str],
    ) -> Option<&'static str> {
        let applies = |never: &&Never| {
            never.at.contains(&limit)
                && never.all.iter().all(|name| names.contains(name))
                && (never.tops.is_empty() || never.tops.contains(&top))
        };
        self.never.iter().find(applies).map(|never| never.why)
    }

    /// Bits of the operations of a cycle.
    pub(super) fn done(&self, edge: &Edge<'_>) -> u32 {
        let told = self.operations.iter().enumerate().filter(|(_, one)| (one.told)(edge));
        told.map(|(i, _)| 1 << i).sum()
    }

    /// All that is to be met: at the limits each operation, each with the wrap of its pointer, each two of
    /// them, and the reset; next to the limits what brings in beside what takes out.
    pub(super) fn events(&self, top: &str) -> Vec<Event> {
        let count = self.operations.len();
        let mut all = Vec::new();
        for limit in Limit::ALL {
            let mut add = |bits: u32, names: &[&str], text: String| {
                let name = format!("{} {}, {text}", self.name, limit.name());
                let why_never = self.why_never(top, limit, names);
                all.push(Event { limit, bits, name, why_never, count: 0 });
            };
            let at = limit == Full || limit == Empty;
            for (i, a) in self.operations.iter().enumerate() {
                if at {
                    add(1 << i, &[a.name], a.name.to_owned());
                }
                if at && a.pointer.is_some() {
                    add(1 << i | 1 << (count + i), &[a.name], format!("{} at the wrap", a.name));
                }
                for (j, b) in self.operations.iter().enumerate().skip(i + 1) {
                    let both = [a.effect, b.effect];
                    if at || both.contains(&Effect::In) && both.contains(&Effect::Out) {
                        let text = format!("{} and {}", a.name, b.name);
                        add(1 << i | 1 << j, &[a.name, b.name], text);
                    }
                }
            }
            if at {
                add(1 << (2 * count), &[RESET], RESET.to_owned());
            }
        }
        all
    }
}
