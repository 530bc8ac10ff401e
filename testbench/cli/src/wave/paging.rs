//! Waves of the virtual shared memory: for each node its machine, the page table in its replica and what its
//! process does; the master's machine beside them.

use crate::wave::PERIOD_PS;
use awgstar::host::{Ask, Happened, Record, pager::Side};
use awgstar_draw::gtkw::{Save, Shown};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};
use vcd::{IdCode, TimescaleUnit, VarType, Writer};

/// The page table in a replica from a cycle on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Cycle.
    pub cycle: u64,
    /// Node.
    pub node: usize,
    /// Valid flags: bit p - 1 is page p's.
    pub valid: u64,
    /// Access flags of each page: bit i is process i's.
    pub flags: Vec<u64>,
}

/// What is written of a run.
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

/// Names of a node's strings: process, machine, sent, received.
const NAMES: [&str; 4] = ["process", "page_state", "sent", "received"];

struct Ids {
    names: [IdCode; 4],
    valid: IdCode,
    flags: Vec<IdCode>,
}

/// The signals of each node that is shown.
type AllIds = BTreeMap<usize, Ids>;

impl Pages<'_> {
    /// The waves as VCD.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn vcd(&self, out: impl Write) -> io::Result<()> {
        let mut vcd = Writer::new(out);
        vcd.timescale(1, TimescaleUnit::PS)?;
        vcd.add_module("ring")?;
        let master = vcd.add_var(VarType::String, 8, "master_state", None)?;
        let noted = !self.texts.is_empty();
        let note = if noted { Some(vcd.add_var(VarType::String, 8, "note", None)?) } else { None };
        let mut ids = BTreeMap::new();
        for &node in self.shown {
            vcd.add_module(&format!("node{node}"))?;
            let mut names = [master; 4];
            for (id, name) in names.iter_mut().zip(NAMES) {
                *id = vcd.add_var(VarType::String, 8, name, None)?;
            }
            let valid = vcd.add_var(VarType::Wire, width(self.pages), "valid", None)?;
            let flag = |page| format!("access_flags_{page}");
            let wide = width(self.nodes);
            let flags =
                (1..=self.pages).map(|page| vcd.add_var(VarType::Wire, wide, &flag(page), None));
            let flags = flags.collect::<io::Result<_>>()?;
            ids.insert(node, Ids { names, valid, flags });
            vcd.upscope()?;
        }
        vcd.upscope()?;
        vcd.enddefinitions()?;
        let mut at = self.window.0;
        vcd.timestamp(at * PERIOD_PS)?;
        self.start(&mut vcd, master, &ids)?;
        let (mut seen, mut records) = (self.seen.iter().peekable(), self.records.iter().peekable());
        let mut texts = self.texts.iter().peekable();
        loop {
            let next = [
                seen.peek().map(|s| s.cycle),
                records.peek().map(|r| r.cycle),
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
                vcd.timestamp(at * PERIOD_PS)?;
            }
            while let (Some(id), Some((_, text))) = (note, texts.next_if(|t| t.0 == cycle)) {
                vcd.change_string(id, &word(text))?;
            }
            while let Some(one) = seen.next_if(|s| s.cycle == cycle) {
                self.table(&mut vcd, &ids, one)?;
            }
            while let Some(one) = records.next_if(|r| r.cycle == cycle) {
                record(&mut vcd, master, &ids, one)?;
            }
        }
        vcd.timestamp(self.window.1 * PERIOD_PS)?;
        vcd.flush()
    }

    fn start<W: Write>(&self, vcd: &mut Writer<W>, master: IdCode, ids: &AllIds) -> io::Result<()> {
        vcd.change_string(master, "master_idle")?;
        for of in ids.values() {
            for (id, value) in of.names.iter().zip(["works", "idle", "-", "-"]) {
                vcd.change_string(*id, value)?;
            }
            vcd.change_vector(of.valid, bits(0, self.pages))?;
            for id in &of.flags {
                vcd.change_vector(*id, bits(0, self.nodes))?;
            }
        }
        Ok(())
    }

    fn table<W: Write>(&self, vcd: &mut Writer<W>, ids: &AllIds, one: &Seen) -> io::Result<()> {
        let Some(of) = ids.get(&one.node) else { return Ok(()) };
        vcd.change_vector(of.valid, bits(one.valid, self.pages))?;
        for (id, flags) in of.flags.iter().zip(&one.flags) {
            vcd.change_vector(*id, bits(*flags, self.nodes))?;
        }
        Ok(())
    }

    /// What `GTKWave` shows of them.
    #[must_use]
    pub fn save(&self, file: &str) -> String {
        let mut save = Save::new(file, self.window.0 * PERIOD_PS..self.window.1 * PERIOD_PS, 0);
        save.row(Shown::Binary, "ring.master_state");
        if !self.texts.is_empty() {
            save.row(Shown::Binary, "ring.note");
        }
        let range = |n: usize| if n > 1 { format!("[{}:0]", n - 1) } else { String::new() };
        for node in self.shown {
            save.group(&format!("node {node}"));
            let mut row = |name: &str| save.row(Shown::Binary, &format!("ring.node{node}.{name}"));
            for name in NAMES {
                row(name);
            }
            row(&format!("valid{}", range(self.pages)));
            for page in 1..=self.pages {
                row(&format!("access_flags_{page}{}", range(self.nodes)));
            }
        }
        save.text()
    }
}

fn width(bits: usize) -> u32 {
    u32::try_from(bits).unwrap_or(64)
}

fn bits(value: u64, width: usize) -> impl Iterator<Item = vcd::Value> {
    (0..width).rev().map(move |bit| (value >> bit & 1 == 1).into())
}

/// A value of a string must not hold blanks.
fn word(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("_")
}

fn record<W: Write>(
    vcd: &mut Writer<W>,
    master: IdCode,
    ids: &AllIds,
    Record { node, what, .. }: &Record,
) -> io::Result<()> {
    if let Happened::Pages(Side::Master, text) = what {
        return vcd.change_string(master, &word(text));
    }
    let Some(Ids { names: [process, state, sent, received], .. }) = ids.get(&node.index()) else {
        return Ok(());
    };
    match what {
        Happened::Asked(Ask::ReadVirtual(addr)) => {
            vcd.change_string(*process, &format!("reads_{addr:x}"))
        }
        Happened::Asked(Ask::WriteVirtual(addr, _)) => {
            vcd.change_string(*process, &format!("writes_{addr:x}"))
        }
        Happened::Asked(Ask::End) => vcd.change_string(*process, "ended"),
        Happened::Answered(Ask::ReadVirtual(_) | Ask::WriteVirtual(..)) => {
            vcd.change_string(*process, "works")
        }
        Happened::Pages(Side::Process, text) => vcd.change_string(*state, &word(text)),
        Happened::Sent(m) => vcd.change_string(*sent, m.signal.name()),
        Happened::Received(m) => {
            vcd.change_string(*received, &format!("{}_of_{}", m.signal.name(), m.source))
        }
        Happened::Returned(_) => vcd.change_string(*sent, "-"),
        _ => Ok(()),
    }
}
