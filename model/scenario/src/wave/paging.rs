// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves of the virtual shared memory: for each node its state machine, the page table in its replica and what its
//! process does; the master's state machine beside them.

use crate::wave::PERIOD_PS;
use awgstar::host::{Happened, Record, pager::Side};
use awgstar::quantity::Cycle;
use awgstar::request::{Place, Request, Space};
use awgstar_draw::gtkw::Shown;
use awgstar_draw::waves::{Signal, Unit, Waves};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// The page table in a replica from a cycle on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub cycle: Cycle,
    pub node: usize,
    /// Valid flags: bit p - 1 is page p's.
    pub valid: u64,
    /// Access flags of each page: bit i is process i's.
    pub flags: Vec<u64>,
}

/// Paging events of a run that are written.
#[derive(Clone, Copy, Debug)]
pub struct Pages<'a> {
    /// Nodes of the ring.
    pub nodes: usize,
    /// Those that are shown.
    pub shown: &'a [usize],
    /// Pages, at most 64.
    pub pages: usize,
    /// Records of the run, by cycle.
    pub records: &'a [Record],
    /// Tables of the run, by cycle.
    pub seen: &'a [Seen],
    /// A line of text from each of these cycles on, such as a fault; may be empty.
    pub texts: &'a [(u64, String)],
    /// Cycles from the first to before the second.
    pub window: (u64, u64),
}

/// Names of a node's strings: process, state machine, sent, received.
const NAMES: [&str; 4] = ["process", "page_state", "sent", "received"];

struct Ids {
    master: Signal,
    note: Option<Signal>,
    /// Of each node that is shown.
    nodes: BTreeMap<usize, NodeIds>,
}

struct NodeIds {
    names: [Signal; 4],
    valid: Signal,
    flags: Vec<Signal>,
}

impl Pages<'_> {
    /// Declares all signals and their rows.
    fn declare<W: Write>(&self, vcd: &mut Waves<W>) -> io::Result<Ids> {
        vcd.scope("ring")?;
        let master = vcd.text("master_state")?;
        let noted = !self.texts.is_empty();
        let note = if noted { Some(vcd.text("note")?) } else { None };
        vcd.show_all([master].into_iter().chain(note));
        let mut nodes = BTreeMap::new();
        for &node in self.shown {
            vcd.scope(&format!("node{node}"))?;
            vcd.group(&format!("node {node}"));
            let mut names = [master; 4];
            for (signal, name) in names.iter_mut().zip(NAMES) {
                *signal = vcd.text(name)?;
            }
            let valid = vcd.number("valid", self.pages, Shown::Binary)?;
            let flag =
                |page| vcd.number(&format!("access_flags_{page}"), self.nodes, Shown::Binary);
            let flags: Vec<_> = (1..=self.pages).map(flag).collect::<io::Result<_>>()?;
            vcd.show_all(names.into_iter().chain([valid]).chain(flags.iter().copied()));
            nodes.insert(node, NodeIds { names, valid, flags });
            vcd.end_scope()?;
        }
        vcd.end_scope()?;
        vcd.begin()?;
        Ok(Ids { master, note, nodes })
    }

    /// Writes the waves. Returns the save file of the VCD `dump`.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, out: impl Write, dump: &str) -> io::Result<String> {
        let mut vcd = Waves::new(out, Unit::PS)?;
        let ids = self.declare(&mut vcd)?;
        let mut at = self.window.0;
        vcd.at(at * PERIOD_PS)?;
        start(&mut vcd, &ids)?;
        let (mut seen, mut records) = (self.seen.iter().peekable(), self.records.iter().peekable());
        let mut texts = self.texts.iter().peekable();
        loop {
            let next = [
                seen.peek().map(|s| s.cycle.0),
                records.peek().map(|r| r.cycle.0),
                texts.peek().map(|text| text.0),
            ];
            let Some(cycle) = next.into_iter().flatten().min() else { break };
            if cycle >= self.window.1 {
                break;
            }
            // What was before the window holds at its beginning.
            let now = cycle.max(self.window.0);
            if now != at {
                at = now;
                vcd.at(at * PERIOD_PS)?;
            }
            while let (Some(id), Some((_, text))) = (ids.note, texts.next_if(|t| t.0 == cycle)) {
                vcd.say(id, text)?;
            }
            while let Some(one) = seen.next_if(|s| s.cycle.0 == cycle) {
                table(&mut vcd, &ids, one)?;
            }
            while let Some(one) = records.next_if(|r| r.cycle == Cycle(cycle)) {
                record(&mut vcd, &ids, one)?;
            }
        }
        let end = self.window.1 * PERIOD_PS;
        vcd.end(end)?;
        Ok(vcd.save(dump, self.window.0 * PERIOD_PS..end, 0))
    }
}

/// The values before the first record.
fn start<W: Write>(vcd: &mut Waves<W>, ids: &Ids) -> io::Result<()> {
    vcd.say(ids.master, "master_idle")?;
    for of in ids.nodes.values() {
        for (signal, value) in of.names.iter().zip(["works", "idle", "-", "-"]) {
            vcd.say(*signal, value)?;
        }
        vcd.set_vector(of.valid, 0)?;
        for signal in &of.flags {
            vcd.set_vector(*signal, 0)?;
        }
    }
    Ok(())
}

fn table<W: Write>(vcd: &mut Waves<W>, ids: &Ids, one: &Seen) -> io::Result<()> {
    let Some(of) = ids.nodes.get(&one.node) else { return Ok(()) };
    vcd.set_vector(of.valid, one.valid.into())?;
    for (signal, flags) in of.flags.iter().zip(&one.flags) {
        vcd.set_vector(*signal, (*flags).into())?;
    }
    Ok(())
}

fn record<W: Write>(
    vcd: &mut Waves<W>,
    ids: &Ids,
    Record { node, what, .. }: &Record,
) -> io::Result<()> {
    if let Happened::Pages(Side::Master, text) = what {
        return vcd.say(ids.master, text);
    }
    let Some(NodeIds { names: [process, state, sent, received], .. }) =
        ids.nodes.get(&node.index())
    else {
        return Ok(());
    };
    match what {
        Happened::Asked(Request::Read(Place { space: Space::Virtual, addr, .. }, _)) => {
            vcd.say(*process, &format!("reads_{addr:x}"))
        }
        Happened::Asked(Request::Write(Place { space: Space::Virtual, addr, .. }, _)) => {
            vcd.say(*process, &format!("writes_{addr:x}"))
        }
        Happened::Asked(Request::End) => vcd.say(*process, "ended"),
        Happened::Answered(
            Request::Read(Place { space: Space::Virtual, .. }, _)
            | Request::Write(Place { space: Space::Virtual, .. }, _),
        ) => vcd.say(*process, "works"),
        Happened::Pages(Side::Process, text) => vcd.say(*state, text),
        Happened::Sent(m) => vcd.say(*sent, m.signal.name()),
        Happened::Received(m) => {
            vcd.say(*received, &format!("{}_of_{}", m.signal.name(), m.source))
        }
        Happened::Returned(_) => vcd.say(*sent, "-"),
        _ => Ok(()),
    }
}
