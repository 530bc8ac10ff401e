// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves of a run, in ns: token and train, each frame's presence, mailbox, threads, locks.

use awgstar::quantity::Nanoseconds;
use awgstar_draw::gtkw::Shown;
use awgstar_draw::waves::{Signal, Unit, Waves};
use awgstar_draw::{Change, Changes};
use awgstar_thesis::{
    gen1::record::{Happened, Record},
    time::line_ns,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

/// Signals of a node: name, bits or 0 for a word, format.
const NODE: [(&str, usize, Shown<'static>); 8] = [
    ("train_bytes", 32, Shown::Decimal),
    // Bit i: the train that leaves this node has frames of node i.
    ("frames_of", 32, Shown::Binary),
    ("process", 0, Shown::Binary),
    ("thread", 0, Shown::Binary),
    ("main_thread", 0, Shown::Binary),
    ("signal_from", 0, Shown::Binary),
    ("area", 64, Shown::Hex),
    ("last_copied", 0, Shown::Binary),
];

struct Ids {
    token_at: Signal,
    request_process: Signal,
    holders: BTreeMap<u32, Signal>,
    /// Of each node that is shown.
    nodes: BTreeMap<usize, BTreeMap<&'static str, Signal>>,
}

/// Writes the waves of these nodes from `window.0` to before `window.1` ns. Returns the save file of the VCD
/// `dump`.
///
/// # Errors
/// If they cannot be written.
pub fn waves(
    out: impl Write,
    dump: &str,
    nodes: &[usize],
    records: &[Record],
    window: (u64, u64),
) -> io::Result<String> {
    let mut out = Waves::new(out, Unit::NS)?;
    let ids = declare(&mut out, nodes, records)?;
    out.begin()?;
    let mut changes = Changes::from_idle(&out);
    for record in records {
        ids.changes(record, &mut changes);
    }
    changes.write(&mut out, window)?;
    Ok(out.save(dump, window.0..window.1, 0))
}

fn locks(records: &[Record]) -> BTreeSet<u32> {
    let lock = |record: &Record| match record.what {
        Happened::Index { lock, .. } => Some(lock),
        _ => None,
    };
    records.iter().filter_map(lock).collect()
}

fn declare<W: Write>(out: &mut Waves<W>, nodes: &[usize], records: &[Record]) -> io::Result<Ids> {
    out.scope("ring")?;
    let token_at = out.number("token_at", 8, Shown::Decimal)?;
    let request_process = out.text("RequestProcess")?;
    let mut holders = BTreeMap::new();
    for lock in locks(records) {
        holders.insert(lock, out.text(&format!("lock_{lock}_holder"))?);
    }
    out.show_all([token_at, request_process].into_iter().chain(holders.values().copied()));
    let mut all = BTreeMap::new();
    for &node in nodes {
        out.scope(&format!("node{node}"))?;
        out.group(&format!("node {node}"));
        let mut of = BTreeMap::new();
        for (name, bits, shown) in NODE {
            let signal = if bits == 0 { out.text(name)? } else { out.number(name, bits, shown)? };
            out.show(signal);
            of.insert(name, signal);
        }
        out.end_scope()?;
        all.insert(node, of);
    }
    out.end_scope()?;
    Ok(Ids { token_at, request_process, holders, nodes: all })
}

impl Ids {
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
            Happened::Token { .. } => put(*at, self.token_at, Change::Bits(*node as u64)),
            Happened::Leaves { bytes, frames } => {
                let Some(of) = of else { return };
                let bits =
                    frames.iter().fold(0, |bits, (source, _)| bits | 1_u64 << (source.0 % 32));
                let end = *at + line_ns(*bytes);
                put(*at, of["train_bytes"], Change::Bits(*bytes));
                put(*at, of["frames_of"], Change::Bits(bits));
                put(end, of["train_bytes"], Change::Bits(0));
                put(end, of["frames_of"], Change::Bits(0));
            }
            Happened::Copied(frame) => {
                text("last_copied", format!("{}_of_{}", frame.number, frame.source));
            }
            Happened::Asked(request) => text("process", format!("asks {}", request.text())),
            Happened::Answered(request) => text("process", format!("has {}", request.text())),
            Happened::Area { process, words: [first, second] } => {
                let value = u64::from(*first) << 32 | u64::from(*second);
                if let Some(of) = self.nodes.get(&usize::from(*process)) {
                    put(*at, of["area"], Change::Bits(value));
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
