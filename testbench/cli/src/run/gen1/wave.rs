//! Waves of a run, in ns: token and train, each frame's presence, mailbox, threads, locks.

use awgstar::quantity::Nanoseconds;
use awgstar::thesis::{
    gen1::record::{Happened, Record},
    time::line_ns,
};
use awgstar_draw::gtkw::{Save, Shown};
use awgstar_draw::{Change, Changes};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};
use vcd::{IdCode, TimescaleUnit, VarType, Writer};

/// Signals of a node: name, bits or 0 for a word.
const NODE: [(&str, u32); 8] = [
    ("train_bytes", 32),
    // Bit i: the train that leaves this node has frames of node i.
    ("frames_of", 32),
    ("process", 0),
    ("thread", 0),
    ("main_thread", 0),
    ("signal_from", 0),
    ("area", 64),
    ("last_copied", 0),
];

struct Ids {
    token_at: IdCode,
    request_process: IdCode,
    holders: BTreeMap<u32, IdCode>,
    /// Of each node that is shown.
    nodes: BTreeMap<usize, BTreeMap<&'static str, IdCode>>,
}

/// The waves of these nodes from `window.0` to before `window.1` ns.
///
/// # Errors
/// None that a buffer in memory does not have.
pub fn vcd(nodes: &[usize], records: &[Record], window: (u64, u64)) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut out = Writer::new(&mut bytes);
    out.timescale(1, TimescaleUnit::NS)?;
    let ids = declare(&mut out, nodes, records)?;
    out.enddefinitions()?;
    let mut changes = Changes::default();
    for (id, bits) in ids.all() {
        let start = if bits == 0 { Change::Text("-".into()) } else { Change::Bits(0, bits) };
        changes.put(0, id, start);
    }
    for record in records {
        ids.changes(record, &mut changes);
    }
    changes.write(&mut out, window)?;
    Ok(bytes)
}

fn locks(records: &[Record]) -> BTreeSet<u32> {
    let lock = |record: &Record| match record.what {
        Happened::Index { lock, .. } => Some(lock),
        _ => None,
    };
    records.iter().filter_map(lock).collect()
}

fn declare<W: io::Write>(
    out: &mut Writer<W>,
    nodes: &[usize],
    records: &[Record],
) -> io::Result<Ids> {
    out.add_module("ring")?;
    let token_at = out.add_var(VarType::Wire, 8, "token_at", None)?;
    let request_process = out.add_var(VarType::String, 8, "RequestProcess", None)?;
    let mut holders = BTreeMap::new();
    for lock in locks(records) {
        let name = format!("lock_{lock}_holder");
        holders.insert(lock, out.add_var(VarType::String, 8, &name, None)?);
    }
    let mut all = BTreeMap::new();
    for &node in nodes {
        out.add_module(&format!("node{node}"))?;
        let mut of = BTreeMap::new();
        for (name, bits) in NODE {
            let kind = if bits == 0 { VarType::String } else { VarType::Wire };
            of.insert(name, out.add_var(kind, bits.max(8), name, None)?);
        }
        out.upscope()?;
        all.insert(node, of);
    }
    out.upscope()?;
    Ok(Ids { token_at, request_process, holders, nodes: all })
}

impl Ids {
    /// Every signal with its bits, 0 for a word.
    fn all(&self) -> Vec<(IdCode, u32)> {
        let mut all = vec![(self.token_at, 8), (self.request_process, 0)];
        all.extend(self.holders.values().map(|id| (*id, 0)));
        for of in self.nodes.values() {
            all.extend(NODE.iter().filter_map(|(name, bits)| Some((*of.get(name)?, *bits))));
        }
        all
    }

    fn changes(&self, record: &Record, changes: &mut Changes) {
        let Record { at, node, what } = record;
        let of = self.nodes.get(node);
        let mut put = |at: Nanoseconds, id, change| changes.put(at.0, id, change);
        let mut text = |name: &str, text: String| {
            if let Some(of) = of {
                put(*at, of[name], Change::Text(text));
            }
        };
        match what {
            Happened::Token { .. } => put(*at, self.token_at, Change::Bits(*node as u64, 8)),
            Happened::Leaves { bytes, frames } => {
                let Some(of) = of else { return };
                let bits =
                    frames.iter().fold(0, |bits, (source, _)| bits | 1_u64 << (source.0 % 32));
                let end = *at + line_ns(*bytes);
                put(*at, of["train_bytes"], Change::Bits(*bytes, 32));
                put(*at, of["frames_of"], Change::Bits(bits, 32));
                put(end, of["train_bytes"], Change::Bits(0, 32));
                put(end, of["frames_of"], Change::Bits(0, 32));
            }
            Happened::Copied(frame) => {
                text("last_copied", format!("{}_of_{}", frame.number, frame.source));
            }
            Happened::Asked(request) => text("process", format!("asks {}", request.text())),
            Happened::Answered(request) => text("process", format!("has {}", request.text())),
            Happened::Area { process, words: [first, second] } => {
                let value = u64::from(*first) << 32 | u64::from(*second);
                if let Some(of) = self.nodes.get(&usize::from(*process)) {
                    put(*at, of["area"], Change::Bits(value, 64));
                }
            }
            Happened::RequestProcess(list) => {
                let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                let list = if list.is_empty() { "-".into() } else { list.join(",") };
                put(*at, self.request_process, Change::Text(list));
            }
            Happened::Thread("main", state) => text("main_thread", state.clone()),
            Happened::Thread(_, state) => text("thread", state.clone()),
            Happened::Index { lock, holder } => {
                if let Some(id) = self.holders.get(lock) {
                    put(*at, *id, Change::Text(holder.to_string()));
                }
            }
            Happened::Signal(from) => text("signal_from", from.to_string()),
            _ => {}
        }
    }
}

/// The save file of the waves `dump`.
#[must_use]
pub fn save(dump: &str, nodes: &[usize], records: &[Record], window: (u64, u64)) -> String {
    let mut save = Save::new(dump, window.0..window.1, 0);
    save.row(Shown::Decimal, "ring.token_at[7:0]");
    save.row(Shown::Binary, "ring.RequestProcess");
    for lock in locks(records) {
        save.row(Shown::Binary, &format!("ring.lock_{lock}_holder"));
    }
    for node in nodes {
        save.group(&format!("node {node}"));
        for (name, bits) in NODE {
            let (shown, range) = match (name, bits) {
                (_, 0) => (Shown::Binary, String::new()),
                ("train_bytes", _) => (Shown::Decimal, "[31:0]".into()),
                ("frames_of", _) => (Shown::Binary, "[31:0]".into()),
                (_, bits) => (Shown::Hex, format!("[{}:0]", bits - 1)),
            };
            save.row(shown, &format!("ring.node{node}.{name}{range}"));
        }
    }
    save.text()
}
