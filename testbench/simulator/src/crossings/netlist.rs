// SPDX-License-Identifier: MIT OR Apache-2.0
//! A flat module of Yosys as a graph: what drives a net, and what reads it.

use crate::yosys::{Bit, JsonCell, JsonModule};
use std::collections::{BTreeMap, BTreeSet};

/// Of a net: a cell, its port, and the bit of the port.
pub(super) type Pin<'a> = (usize, &'a str, usize);

/// What a cell does with clocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A register with a clock at this port.
    Register(&'static str),
    /// A memory that is written.
    Memory,
    /// Gives clocks, and a bit of no clock.
    Pll,
    /// A delay.
    Wire,
    Logic,
    /// A latch, or a part that is not known here.
    Other,
}

/// A part by its type.
fn part(cell: &JsonCell) -> Part {
    match cell.kind.as_str() {
        "IDDRX1F" | "ODDRX1F" => Part::Register("SCLK"),
        "EHXPLLL" => Part::Pll,
        "DELAYG" => Part::Wire,
        "$mem_v2" if number(cell, "WR_PORTS") == 0 => Part::Logic,
        "$mem_v2" => Part::Memory,
        kind if kind.starts_with("$dlatch") || kind.starts_with("$mem") || kind == "$sr" => {
            Part::Other
        }
        kind if kind.starts_with('$') && kind.contains("dff") => Part::Register("CLK"),
        kind if kind.starts_with('$') => Part::Logic,
        _ => Part::Other,
    }
}

/// A parameter; 0 if there is none.
pub(super) fn number(cell: &JsonCell, name: &str) -> usize {
    let text = cell.parameters.get(name).map_or("", String::as_str);
    usize::from_str_radix(text, 2).unwrap_or(0)
}

/// Whether bit `at` of a mask among the parameters is set.
fn flag(cell: &JsonCell, name: &str, at: usize) -> bool {
    cell.parameters.get(name).is_some_and(|t| t.as_bytes().iter().rev().nth(at) == Some(&b'1'))
}

/// The net of a bit that is no constant.
pub(super) fn net(bit: &Bit) -> Option<u64> {
    match bit {
        Bit::Net(net) => Some(*net),
        Bit::Constant(_) => None,
    }
}

/// A name of a net: of a register if it has one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) bit: usize,
    pub(super) width: usize,
}

impl Name {
    /// Which of two names says more: that of a register, then that of the innermost module.
    fn worth(&self) -> (bool, usize) {
        (self.text.ends_with("_q"), self.text.matches('.').count())
    }
}

/// What drives a net.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Driver<'a> {
    Port(&'a str),
    Cell(Pin<'a>),
}

/// The graph.
pub(super) struct Netlist<'a> {
    pub(super) module: &'a JsonModule,
    pub(super) cells: Vec<(&'a str, &'a JsonCell, Part)>,
    drivers: BTreeMap<u64, Driver<'a>>,
    readers: BTreeMap<u64, Vec<Pin<'a>>>,
    names: BTreeMap<u64, Name>,
    /// Nets of registers with the attribute `async_reg`.
    pub(super) marked: BTreeSet<u64>,
}

impl<'a> Netlist<'a> {
    pub(super) fn new(module: &'a JsonModule) -> Self {
        let cells: Vec<_> =
            module.cells.iter().map(|(name, cell)| (name.as_str(), cell, part(cell))).collect();
        let mut drivers = BTreeMap::new();
        let mut readers: BTreeMap<u64, Vec<Pin>> = BTreeMap::new();
        let mut names: BTreeMap<u64, Name> = BTreeMap::new();
        for (name, port) in &module.ports.0 {
            let width = port.bits.len();
            for (bit, net) in port.bits.iter().enumerate().filter_map(|(i, b)| Some((i, net(b)?))) {
                if port.direction == "input" {
                    drivers.insert(net, Driver::Port(name));
                    names.insert(net, Name { text: name.clone(), bit, width });
                } else {
                    readers.entry(net).or_default();
                }
            }
        }
        for (at, (_, cell, _)) in cells.iter().enumerate() {
            for (port, bits) in &cell.connections {
                let output = cell.port_directions.get(port).is_some_and(|d| d == "output");
                for (bit, net) in bits.iter().enumerate().filter_map(|(i, b)| Some((i, net(b)?))) {
                    let pin = (at, port.as_str(), bit);
                    if output {
                        drivers.insert(net, Driver::Cell(pin));
                    } else {
                        readers.entry(net).or_default().push(pin);
                    }
                }
            }
        }
        let mut marked = BTreeSet::new();
        for (name, entry) in &module.netnames {
            if entry.hide_name != 0 || name.contains('$') {
                continue;
            }
            let width = entry.bits.len();
            for (bit, net) in entry.bits.iter().enumerate().filter_map(|(i, b)| Some((i, net(b)?)))
            {
                let new = Name { text: name.clone(), bit, width };
                let port = matches!(drivers.get(&net), Some(Driver::Port(_)));
                if !port && names.get(&net).is_none_or(|old| old.worth() < new.worth()) {
                    names.insert(net, new);
                }
                if entry.attributes.contains_key("async_reg") {
                    marked.insert(net);
                }
            }
        }
        Netlist { module, cells, drivers, readers, names, marked }
    }

    pub(super) fn driver(&self, net: u64) -> Option<Driver<'a>> {
        self.drivers.get(&net).copied()
    }

    pub(super) fn readers(&self, net: u64) -> &[Pin<'a>] {
        self.readers.get(&net).map_or(&[], Vec::as_slice)
    }

    /// Whether an output of the module is this net.
    pub(super) fn is_output(&self, net: u64) -> bool {
        let mut outputs = self.module.ports.0.iter().filter(|(_, port)| port.direction == "output");
        outputs.any(|(_, port)| port.bits.contains(&Bit::Net(net)))
    }

    pub(super) fn name(&self, net: u64) -> Name {
        let unknown = || Name { text: format!("net {net}"), bit: 0, width: 1 };
        self.names.get(&net).cloned().unwrap_or_else(unknown)
    }

    /// All nets with this name, by bit.
    pub(super) fn named(&self, name: &str) -> Option<Vec<Option<u64>>> {
        Some(self.module.netnames.get(name)?.bits.iter().map(net).collect())
    }

    /// The nets at an input of a cell.
    pub(super) fn at(&self, cell: usize, port: &str) -> Vec<Option<u64>> {
        self.cells[cell].1.connections.get(port).into_iter().flatten().map(net).collect()
    }

    /// The net of the clock of port `number` of a memory, or of a register.
    pub(super) fn clock(&self, cell: usize, port: &str, number: usize) -> Option<u64> {
        self.at(cell, port).get(number).copied().flatten()
    }

    /// Nets of which this bit of an output is made, without a register between.
    pub(super) fn made_of(&self, (cell, _, bit): Pin) -> Vec<u64> {
        let (_, json, kind) = self.cells[cell];
        let bitwise = match json.kind.as_str() {
            "$not" | "$pos" => &["A"][..],
            "$and" | "$or" | "$xor" | "$xnor" | "$mux" => &["A", "B"],
            _ => &[],
        };
        let inputs = json.connections.iter().filter(|(p, _)| {
            json.port_directions.get(*p).is_none_or(|direction| direction != "output")
        });
        let mut all = Vec::new();
        for (name, bits) in inputs {
            let own = |from: usize, count: usize| bits.iter().skip(from).take(count);
            let chosen = if bitwise.contains(&name.as_str()) {
                // A narrower input is extended by zeros or by its highest bit.
                own(bit.min(bits.len().saturating_sub(1)), 1)
            } else if kind == Part::Memory {
                let read = bit / number(json, "WIDTH").max(1);
                match name.as_str() {
                    "RD_ADDR" => {
                        own(read.saturating_mul(number(json, "ABITS")), number(json, "ABITS"))
                    }
                    "RD_EN" => own(read, 1),
                    _ => own(0, 0),
                }
            } else {
                own(0, bits.len())
            };
            all.extend(chosen.filter_map(net));
        }
        all
    }

    /// The clock of a read port of a memory, if it has one.
    pub(super) fn read_clock(&self, cell: usize, bit: usize) -> Option<u64> {
        let json = self.cells[cell].1;
        let read = bit / number(json, "WIDTH").max(1);
        flag(json, "RD_CLK_ENABLE", read).then(|| self.clock(cell, "RD_CLK", read)).flatten()
    }

    /// Where in the Verilog a cell comes from, by the name that Yosys gave it: `word_aligner.v:79`.
    pub(super) fn source(&self, cell: usize) -> &'a str {
        let mut parts = self.cells[cell].0.split(['$', '/']);
        parts.rfind(|part| part.contains(".v")).unwrap_or_default()
    }
}
