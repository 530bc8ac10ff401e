//! Waves of a run, in ns: token and train, each frame's presence, mailbox, threads, locks.

use awgstar::lambda::{
    current::record::{Happened, Record},
    time::{Ns, line_ns},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    io,
};
use vcd::{IdCode, TimescaleUnit, Value, VarType, Writer};

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
    nodes: Vec<BTreeMap<&'static str, IdCode>>,
}

/// A change of a signal.
enum Change {
    Bits(IdCode, u64, u32),
    Text(IdCode, String),
}

/// The waves from `window.0` to before `window.1` ns.
///
/// # Errors
/// None that a buffer in memory does not have.
pub fn vcd(nodes: usize, records: &[Record], window: (Ns, Ns)) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut out = Writer::new(&mut bytes);
    out.timescale(1, TimescaleUnit::NS)?;
    let ids = declare(&mut out, nodes, records)?;
    out.enddefinitions()?;
    let mut changes: BTreeMap<Ns, Vec<Change>> = BTreeMap::new();
    for (id, bits) in ids.all() {
        let start =
            if bits == 0 { Change::Text(id, "-".into()) } else { Change::Bits(id, 0, bits) };
        changes.entry(0).or_default().push(start);
    }
    for record in records {
        ids.changes(record, &mut changes);
    }
    // What stands when the window opens was set before.
    let later = changes.split_off(&window.0);
    let mut standing: BTreeMap<IdCode, Change> = BTreeMap::new();
    for change in changes.into_values().flatten() {
        let id = match change {
            Change::Bits(id, ..) | Change::Text(id, _) => id,
        };
        standing.insert(id, change);
    }
    out.timestamp(window.0)?;
    for change in standing.into_values() {
        write(&mut out, change)?;
    }
    for (at, changes) in later.into_iter().take_while(|(at, _)| *at < window.1) {
        out.timestamp(at)?;
        for change in changes {
            write(&mut out, change)?;
        }
    }
    out.timestamp(window.1)?;
    Ok(bytes)
}

fn write<W: io::Write>(out: &mut Writer<W>, change: Change) -> io::Result<()> {
    match change {
        Change::Bits(id, value, bits) => {
            let bit = |bit: u32| Value::from(value >> bit & 1 == 1);
            out.change_vector(id, (0..bits).rev().map(bit))
        }
        // A value of a string must not hold blanks.
        Change::Text(id, text) => out.change_string(id, &text.replace(' ', "_")),
    }
}

fn locks(records: &[Record]) -> BTreeSet<u32> {
    let lock = |record: &Record| match record.what {
        Happened::Index { lock, .. } => Some(lock),
        _ => None,
    };
    records.iter().filter_map(lock).collect()
}

fn declare<W: io::Write>(out: &mut Writer<W>, nodes: usize, records: &[Record]) -> io::Result<Ids> {
    out.add_module("ring")?;
    let token_at = out.add_var(VarType::Wire, 8, "token_at", None)?;
    let request_process = out.add_var(VarType::String, 8, "RequestProcess", None)?;
    let mut holders = BTreeMap::new();
    for lock in locks(records) {
        let name = format!("lock_{lock}_holder");
        holders.insert(lock, out.add_var(VarType::String, 8, &name, None)?);
    }
    let mut all = Vec::new();
    for node in 0..nodes {
        out.add_module(&format!("node{node}"))?;
        let mut of = BTreeMap::new();
        for (name, bits) in NODE {
            let kind = if bits == 0 { VarType::String } else { VarType::Wire };
            of.insert(name, out.add_var(kind, bits.max(8), name, None)?);
        }
        out.upscope()?;
        all.push(of);
    }
    out.upscope()?;
    Ok(Ids { token_at, request_process, holders, nodes: all })
}

impl Ids {
    /// Every signal with its bits, 0 for a word.
    fn all(&self) -> Vec<(IdCode, u32)> {
        let mut all = vec![(self.token_at, 8), (self.request_process, 0)];
        all.extend(self.holders.values().map(|id| (*id, 0)));
        for of in &self.nodes {
            all.extend(NODE.iter().filter_map(|(name, bits)| Some((*of.get(name)?, *bits))));
        }
        all
    }

    fn changes(&self, record: &Record, changes: &mut BTreeMap<Ns, Vec<Change>>) {
        let Record { at, node, what } = record;
        let Some(of) = self.nodes.get(*node) else { return };
        let mut put = |at: Ns, change| changes.entry(at).or_default().push(change);
        let mut text = |name: &str, text: String| put(*at, Change::Text(of[name], text));
        match what {
            Happened::Token { .. } => put(*at, Change::Bits(self.token_at, *node as u64, 8)),
            Happened::Leaves { bytes, frames } => {
                let bits = frames.iter().fold(0, |bits, (source, _)| bits | 1_u64 << (source % 32));
                let end = at + line_ns(*bytes);
                put(*at, Change::Bits(of["train_bytes"], *bytes, 32));
                put(*at, Change::Bits(of["frames_of"], bits, 32));
                put(end, Change::Bits(of["train_bytes"], 0, 32));
                put(end, Change::Bits(of["frames_of"], 0, 32));
            }
            Happened::Copied(frame) => {
                text("last_copied", format!("{}_of_{}", frame.number, frame.source));
            }
            Happened::Asked(request) => text("process", format!("asks {}", request.text())),
            Happened::Answered(request) => text("process", format!("has {}", request.text())),
            Happened::Area { process, words: [first, second] } => {
                let value = u64::from(*first) << 32 | u64::from(*second);
                if let Some(of) = self.nodes.get(usize::from(*process)) {
                    put(*at, Change::Bits(of["area"], value, 64));
                }
            }
            Happened::RequestProcess(list) => {
                let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                let list = if list.is_empty() { "-".into() } else { list.join(",") };
                put(*at, Change::Text(self.request_process, list));
            }
            Happened::Thread("main", state) => text("main_thread", state.clone()),
            Happened::Thread(_, state) => text("thread", state.clone()),
            Happened::Index { lock, holder } => {
                if let Some(id) = self.holders.get(lock) {
                    put(*at, Change::Text(*id, holder.to_string()));
                }
            }
            Happened::Signal(from) => text("signal_from", from.to_string()),
            _ => {}
        }
    }
}

/// The save file of `wave.vcd`.
#[must_use]
pub fn save(nodes: usize, records: &[Record], window: (Ns, Ns)) -> String {
    let mut text = format!(
        "[dumpfile] \"wave.vcd\"\n[timestart] {}\n[sst_expanded] 1\n@24\nring.token_at[7:0]\n@28\nring.RequestProcess\n",
        window.0
    );
    for lock in locks(records) {
        let _ = writeln!(text, "ring.lock_{lock}_holder");
    }
    for node in 0..nodes {
        let _ = writeln!(text, "@200\n-node {node}");
        for (name, bits) in NODE {
            let (flags, range) = match (name, bits) {
                (_, 0) => ("@28", String::new()),
                ("train_bytes", _) => ("@24", "[31:0]".into()),
                ("frames_of", _) => ("@28", "[31:0]".into()),
                (_, bits) => ("@22", format!("[{}:0]", bits - 1)),
            };
            let _ = writeln!(text, "{flags}\nring.node{node}.{name}{range}");
        }
    }
    text
}
