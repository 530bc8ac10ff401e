// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths between clocks in a flat module (CDC-4): where each begins, where it ends, and whether it may be there.

use super::netlist::{Driver, Name, Netlist, Part, Pin};
use super::report::{Crossing, End, Kind, Report};
use super::tops::{STORES, Top};
use std::collections::{BTreeMap, BTreeSet};

/// A set of clocks: bit n is clock n of the top level, the highest one is no clock.
type Clocks = u32;
const NONE: usize = 31;

/// Where a path begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Begin {
    /// A register, a port or a part: its net.
    Net(u64),
    /// A memory that is read without a clock: its cell.
    Memory(usize),
}

/// What is before a net.
struct Before {
    begin: Option<(Begin, Clocks)>,
    nets: Vec<u64>,
    /// The cell between, if it is logic.
    logic: Option<usize>,
}

/// Where a path ends.
#[derive(Clone, Copy)]
struct Sink<'a> {
    net: u64,
    clock: usize,
    /// A cell; an output of the top level has none.
    pin: Option<Pin<'a>>,
    port: &'a str,
}

/// A bit of a register of one clock, or a pin, at the first register of a synchronizer in another.
struct Crossed {
    from: u64,
    from_clock: usize,
    to: u64,
    to_clock: usize,
}

pub(super) struct Walk<'a> {
    top: &'a Top,
    list: &'a Netlist<'a>,
    clocks: BTreeMap<u64, usize>,
    /// Clocks that a register has.
    used: BTreeSet<usize>,
    seen: BTreeMap<u64, Clocks>,
    crossed: Vec<Crossed>,
    /// Memory, writer's clocks, reader's clock.
    words: BTreeSet<(usize, Clocks, usize)>,
    report: Report,
}

impl<'a> Walk<'a> {
    pub(super) fn new(top: &'a Top, list: &'a Netlist<'a>) -> Self {
        let report = Report { top: top.module, ..Report::default() };
        let (clocks, used, seen, words) = Default::default();
        Walk { top, list, clocks, used, seen, crossed: Vec::new(), words, report }
    }

    fn wrong(&mut self, what: &str) {
        self.report.wrong.push(format!("{}: {what}", self.top.module));
    }

    /// Name of a clock of the top level.
    fn clock(&self, clock: usize) -> &'static str {
        self.top.clocks.get(clock).map_or("no clock", |c| c.net)
    }

    fn clocks_of(&self, clocks: Clocks) -> String {
        let all = (0..=NONE).filter(|n| clocks & 1 << n != 0).map(|n| self.clock(n));
        all.collect::<Vec<_>>().join(", ")
    }

    /// The clock of a cell, by the net at one of its ports.
    fn known(&mut self, cell: usize, net: Option<u64>) -> usize {
        if let Some(&clock) = net.and_then(|n| self.clocks.get(&n)) {
            self.used.insert(clock);
            return clock;
        }
        let clock = net.map_or_else(|| "a constant".into(), |n| self.list.name(n).text);
        let what = self.cell_name(cell);
        self.wrong(&format!("`{what}` has the clock `{clock}`, which is none of the top level"));
        NONE
    }

    /// A register by its first bit, a memory or part by its own name.
    fn cell_name(&self, cell: usize) -> String {
        let first = self.list.at(cell, "Q").first().copied().flatten();
        first.map_or_else(|| self.list.cells[cell].0.to_owned(), |net| self.list.name(net).text)
    }

    fn begin_name(&self, begin: Begin) -> String {
        match begin {
            Begin::Net(net) => bit_name(&self.list.name(net)),
            Begin::Memory(cell) => self.list.cells[cell].0.to_owned(),
        }
    }

    fn before(&mut self, net: u64) -> Before {
        let nothing = Before { begin: None, nets: Vec::new(), logic: None };
        let begins = |clocks| Before {
            begin: Some((Begin::Net(net), clocks)),
            nets: Vec::new(),
            logic: None,
        };
        match self.list.driver(net) {
            None => nothing,
            Some(Driver::Port(port)) => {
                let clock = self.top.clock_of(port).and_then(|(_, name)| self.index(name));
                begins(1 << clock.unwrap_or(NONE))
            }
            Some(Driver::Cell(pin @ (cell, _, bit))) => match self.list.cells[cell].2 {
                Part::Register(clock) => {
                    let net = self.list.clock(cell, clock, 0);
                    begins(1 << net.and_then(|n| self.clocks.get(&n)).copied().unwrap_or(NONE))
                }
                Part::Memory => {
                    if let Some(clock) = self.list.read_clock(cell, bit) {
                        return begins(1 << self.clocks.get(&clock).copied().unwrap_or(NONE));
                    }
                    let writers = self.writers(cell);
                    let nets = self.list.made_of(pin);
                    Before { begin: Some((Begin::Memory(cell), writers)), nets, logic: Some(cell) }
                }
                Part::Pll => begins(1 << self.clocks.get(&net).copied().unwrap_or(NONE)),
                Part::Wire => Before { nets: self.list.made_of(pin), ..nothing },
                Part::Logic | Part::Other => {
                    Before { nets: self.list.made_of(pin), logic: Some(cell), ..nothing }
                }
            },
        }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.top.clocks.iter().position(|clock| clock.net == name)
    }

    fn writers(&self, cell: usize) -> Clocks {
        let all = self.list.at(cell, "WR_CLK").into_iter();
        all.map(|n| n.and_then(|n| self.clocks.get(&n)).map_or(1 << NONE, |c| 1 << c))
            .fold(0, |a, b: Clocks| a | b)
    }

    /// Clocks of all that a net is made of.
    fn clocks_before(&mut self, net: u64) -> Clocks {
        if let Some(&clocks) = self.seen.get(&net) {
            return clocks;
        }
        self.seen.insert(net, 0);
        let before = self.before(net);
        let mut clocks = before.begin.map_or(0, |(_, clocks)| clocks);
        for net in before.nets {
            clocks |= self.clocks_before(net);
        }
        self.seen.insert(net, clocks);
        clocks
    }

    /// Beginnings of other clocks, each with the cells between, from the sink on.
    fn begins(&mut self, sink: &Sink<'a>) -> BTreeMap<Begin, (Clocks, Vec<usize>)> {
        let own: Clocks = 1 << sink.clock;
        let mut found = BTreeMap::new();
        let mut visited = BTreeSet::new();
        let mut left = vec![(sink.net, Vec::new())];
        while let Some((net, path)) = left.pop() {
            if !visited.insert(net) || self.clocks_before(net) & !own == 0 {
                continue;
            }
            let before = self.before(net);
            if let Some((begin, clocks)) = before.begin.filter(|(_, clocks)| clocks & !own != 0) {
                found.entry(begin).or_insert_with(|| (clocks, path.clone()));
            }
            let mut path = path;
            path.extend(before.logic);
            left.extend(before.nets.into_iter().map(|net| (net, path.clone())));
        }
        found
    }

    /// The net of each clock, and the clock of each port.
    fn ports(&mut self) {
        for (at, clock) in self.top.clocks.iter().enumerate() {
            match self.list.named(clock.net).as_deref() {
                Some(&[Some(net)]) => drop(self.clocks.insert(net, at)),
                _ => self.wrong(&format!("no clock `{}`", clock.net)),
            }
        }
        let mut used = BTreeSet::new();
        for (name, _) in &self.list.module.ports.0 {
            match self.top.clock_of(name) {
                Some((pattern, clock)) => {
                    used.insert(*pattern);
                    if !clock.is_empty() && self.index(clock).is_none() {
                        self.wrong(&format!("`{name}` is of `{clock}`, which is no clock"));
                    }
                }
                None => self.wrong(&format!("nothing says which clock `{name}` belongs to")),
            }
        }
        for (pattern, _) in self.top.ports.iter().filter(|(pattern, _)| !used.contains(pattern)) {
            self.wrong(&format!("no port fits `{pattern}`"));
        }
    }

    /// Ends of paths: inputs of registers, of write ports and of outputs.
    fn sinks(&mut self) -> Vec<Sink<'a>> {
        let mut all = Vec::new();
        let list = self.list;
        for (cell, &(_, json, part)) in list.cells.iter().enumerate() {
            let mut take = |port: &'a str, skip: usize, count: usize, clock: usize| {
                let bits = list.at(cell, port).into_iter().enumerate().skip(skip).take(count);
                let nets = bits.filter_map(|(bit, net)| Some((bit, net?)));
                all.extend(nets.map(|(bit, net)| {
                    let pin = Some((cell, port, bit));
                    Sink { net, clock, pin, port: "" }
                }));
            };
            match part {
                Part::Register(port) => {
                    let clock = self.known(cell, list.clock(cell, port, 0));
                    self.report.bits += list.at(cell, "Q").len();
                    for (name, _) in json.connections.iter().filter(|(name, _)| {
                        json.port_directions.get(*name).is_none_or(|d| d == "input")
                    }) {
                        if name != port {
                            take(name, 0, usize::MAX, clock);
                        }
                    }
                }
                Part::Memory => {
                    self.report.memories += 1;
                    let ports = list.at(cell, "WR_CLK").len();
                    let share = |port| list.at(cell, port).len() / ports.max(1);
                    let (width, address) = (share("WR_DATA"), share("WR_ADDR"));
                    for at in 0..ports {
                        let clock = self.known(cell, list.clock(cell, "WR_CLK", at));
                        take("WR_EN", at * width, width, clock);
                        take("WR_DATA", at * width, width, clock);
                        take("WR_ADDR", at * address, address, clock);
                    }
                }
                Part::Other => {
                    let what = (list.cells[cell].0.to_owned(), json.kind.clone());
                    self.wrong(&format!(
                        "`{}` is a `{}`, which is no part with a clock",
                        what.0, what.1
                    ));
                }
                Part::Pll | Part::Wire | Part::Logic => {}
            }
        }
        for (name, port) in list.module.ports.0.iter().filter(|(_, p)| p.direction == "output") {
            let clock = self.top.clock_of(name).and_then(|(_, clock)| self.index(clock));
            let nets = port.bits.iter().filter_map(super::netlist::net);
            let sink = |net| Some(Sink { net, clock: clock?, pin: None, port: name });
            all.extend(nets.filter_map(sink));
        }
        all
    }

    pub(super) fn run(mut self) -> Report {
        self.ports();
        let sinks = self.sinks();
        for (at, clock) in self.top.clocks.iter().enumerate() {
            if !self.used.contains(&at) {
                self.wrong(&format!("no register has the clock `{}`", clock.net));
            }
        }
        for sink in &sinks {
            if self.clocks_before(sink.net) & !(1 << sink.clock) != 0 {
                for (begin, (clocks, path)) in self.begins(sink) {
                    self.path(sink, begin, clocks, &path);
                }
            }
        }
        self.synchronized();
        self.stored();
        if self.report.crossings.is_empty() {
            self.wrong("no crossing was found");
        }
        self.report.crossings.sort();
        self.report
    }

    /// A path from another clock: kept if it is one that may be, an error otherwise.
    fn path(&mut self, sink: &Sink<'a>, begin: Begin, clocks: Clocks, path: &[usize]) {
        let at_register = sink.pin.filter(|&(cell, port, _)| {
            port == "D" && self.list.cells[cell].2 == Part::Register("CLK")
        });
        match (begin, at_register) {
            (Begin::Memory(cell), _) if store(self.list.cells[cell].0).is_some() => {
                self.words.insert((cell, clocks, sink.clock));
                return;
            }
            (Begin::Net(from), Some((cell, _, bit))) if path.is_empty() => {
                let to = self.list.at(cell, "Q").get(bit).copied().flatten();
                if let Some(to) = to.filter(|&to| self.is_synchronizer(cell, to)) {
                    let from_clock = clocks.trailing_zeros() as usize;
                    self.crossed.push(Crossed { from, from_clock, to, to_clock: sink.clock });
                    return;
                }
            }
            _ => {}
        }
        let end = match sink.pin {
            None => format!("output `{}`", sink.port),
            Some((cell, port, bit)) => match (port, self.list.at(cell, "Q").get(bit).copied()) {
                ("D", Some(Some(q))) => format!("`{}`", bit_name(&self.list.name(q))),
                _ => format!("`{}`, port {port}", self.cell_name(cell)),
            },
        };
        let through = path.iter().rev().map(|&cell| {
            format!(
                "{} {}",
                self.list.cells[cell].1.kind.trim_start_matches('$'),
                self.list.source(cell)
            )
        });
        let through = through.collect::<Vec<_>>().join(", ");
        let why = match (begin, path.is_empty()) {
            (Begin::Memory(_), _) => "out of a memory that is no store".to_owned(),
            (_, true) => "without a synchronizer".to_owned(),
            (_, false) => format!("through logic: {through}"),
        };
        let (from, clocks) = (self.begin_name(begin), self.clocks_of(clocks));
        let to = self.clock(sink.clock);
        self.wrong(&format!("`{from}` ({clocks}) reaches {end} ({to}) {why}"));
    }

    /// Two registers in a row, both with the attribute, and nothing else reads the first.
    fn is_synchronizer(&self, cell: usize, first: u64) -> bool {
        let list = self.list;
        let &[(next, "D", bit)] = list.readers(first) else { return false };
        let clock = list.clock(cell, "CLK", 0);
        let second = list.at(next, "Q").get(bit).copied().flatten();
        list.cells[next].2 == Part::Register("CLK")
            && list.clock(next, "CLK", 0) == clock
            && !list.is_output(first)
            && list.marked.contains(&first)
            && second.is_some_and(|second| list.marked.contains(&second))
    }

    /// Synchronizers: one bit, or the bits of one register in Gray code.
    fn synchronized(&mut self) {
        let mut groups: BTreeMap<(String, usize), Vec<Crossed>> = BTreeMap::new();
        let mut twice = BTreeSet::new();
        for crossed in std::mem::take(&mut self.crossed) {
            if !twice.insert((crossed.from, crossed.to_clock)) {
                let from = bit_name(&self.list.name(crossed.from));
                let to = self.clock(crossed.to_clock);
                self.wrong(&format!("`{from}` reaches {to} twice, by two synchronizers"));
            }
            let name = self.list.name(crossed.to).text;
            groups.entry((name, crossed.to_clock)).or_default().push(crossed);
        }
        for ((to, to_clock), mut bits) in groups {
            bits.sort_by_key(|crossed| self.list.name(crossed.to).bit);
            let from_clock = bits[0].from_clock;
            let nets: Vec<u64> = bits.iter().map(|crossed| crossed.from).collect();
            let (from, width) = (self.list.name(nets[0]), self.list.name(bits[0].to).width);
            let kind = match (nets.len(), from_clock) {
                (1, NONE) => Kind::Pin,
                (1, _) => Kind::Bit,
                _ => Kind::Gray,
            };
            if kind == Kind::Gray && !self.is_gray(&nets) {
                let clock = self.clock(from_clock);
                self.wrong(&format!(
                    "`{}` ({clock}) reaches `{to}` ({}) with {} bits, and is no counter in Gray code",
                    from.text,
                    self.clock(to_clock),
                    nets.len()
                ));
            }
            let to_bit = self.list.name(bits[0].to).bit;
            let from = End {
                port: matches!(self.list.driver(nets[0]), Some(Driver::Port(_))),
                name: from.text.clone(),
                bits: if kind == Kind::Gray { None } else { bit_of(&from) },
                clock: self.clock(from_clock),
            };
            let bits = if kind == Kind::Gray || width == 1 { None } else { Some(to_bit) };
            let to = End { port: false, name: to, bits, clock: self.clock(to_clock) };
            self.report.crossings.push(Crossing { kind, from, to });
        }
    }

    /// A register that takes n ^ (n >> 1), where n is what a counter beside it takes: its value plus 0 or 1.
    fn is_gray(&self, bits: &[u64]) -> bool {
        let list = self.list;
        let Some(Driver::Cell((gray, "Q", 0))) = list.driver(bits[0]) else { return false };
        let same = |all: &[Option<u64>]| all.iter().copied().eq(bits.iter().map(|&n| Some(n)));
        let input = list.at(gray, "D");
        let Some(&Some(first)) = input.first() else { return false };
        let Some(Driver::Cell((xor, "Y", 0))) = list.driver(first) else { return false };
        let (next, shifted) = (list.at(xor, "A"), list.at(xor, "B"));
        if !same(&list.at(gray, "Q"))
            || list.cells[xor].1.kind != "$xor"
            || list.at(xor, "Y") != input
            || (next.len(), shifted.len()) != (input.len(), input.len())
            || next[1..] != shifted[..shifted.len() - 1]
            || shifted.last() != Some(&None)
        {
            return false;
        }
        let Some(&Some(lowest)) = next.first() else { return false };
        let Some(Driver::Cell((add, "Y", 0))) = list.driver(lowest) else { return false };
        let (value, step) = (list.at(add, "A"), list.at(add, "B"));
        let counter = list
            .readers(lowest)
            .iter()
            .find(|&&(cell, port, bit)| (port, bit) == ("D", 0) && list.at(cell, "Q") == value);
        let Some(&(counter, ..)) = counter else { return false };
        let ports = ["CLK", "SRST", "EN"];
        list.cells[add].1.kind == "$add"
            && list.at(add, "Y") == next
            && step.iter().skip(1).all(Option::is_none)
            && list.at(counter, "D") == next
            && ports.iter().all(|port| list.at(counter, port) == list.at(gray, port))
    }

    /// Memories between clocks: the pointers beside each of them cross, too.
    fn stored(&mut self) {
        for (cell, writers, reader) in std::mem::take(&mut self.words) {
            let path = self.list.cells[cell].0;
            let Some((store, beside)) = store(path) else { continue };
            let (from, to) = (self.clocks_of(writers), self.clock(reader));
            for ((pointer, synchronizer), (from, to)) in
                store.pointers.into_iter().zip([(&*from, to), (to, &*from)])
            {
                let crosses = self.report.crossings.iter().any(|crossing| {
                    crossing.kind == Kind::Gray
                        && crossing.from.name == format!("{beside}{pointer}")
                        && crossing.to.name == format!("{beside}{synchronizer}.first_q")
                        && (crossing.from.clock, crossing.to.clock) == (from, to)
                });
                if !crosses {
                    self.wrong(&format!(
                        "`{path}` is read, but `{beside}{pointer}` does not go from {from} to {to}"
                    ));
                }
            }
            let end = |name: &str, clock| End { port: false, name: name.into(), bits: None, clock };
            self.report.crossings.push(Crossing {
                kind: Kind::Words,
                from: end(path, self.clock(writers.trailing_zeros() as usize)),
                to: end("", to),
            });
        }
    }
}

/// The store that a memory is, and its path without the name.
fn store(path: &str) -> Option<(&'static super::tops::Store, &str)> {
    STORES.iter().find_map(|store| {
        let beside = path.strip_suffix(store.memory)?;
        (beside.is_empty() || beside.ends_with('.')).then_some((store, beside))
    })
}

fn bit_of(name: &Name) -> Option<usize> {
    (name.width > 1).then_some(name.bit)
}

fn bit_name(name: &Name) -> String {
    bit_of(name).map_or_else(|| name.text.clone(), |bit| format!("{}[{bit}]", name.text))
}
