//! Waves of firmware: for each node what its process does, its machines' states and the signals that
//! pass its host; for the ring, who holds the lock and how often the barrier was passed.

use crate::wave::PERIOD_PS;
use awgstar::host::{Ask, Happened, Record};
use awgstar_draw::gtkw::{Save, Shown};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};
use vcd::{IdCode, TimescaleUnit, VarType, Writer};

/// Signals of a node: process, lock's machine, barrier's machine, sent, received.
const NAMES: [&str; 5] = ["process", "lock_state", "barrier_state", "sent", "received"];

/// Writes `firmware.vcd` and `firmware.gtkw` to `folder`.
///
/// # Errors
/// When a file cannot be written.
pub fn firmware(
    folder: &Path,
    nodes: usize,
    records: &[Record],
    window: (u64, u64),
) -> io::Result<()> {
    firmware_with(folder, nodes, records, window, &[])
}

/// The same, with a line of text from each of these cycles on, such as a fault.
///
/// # Errors
/// When a file cannot be written.
pub fn firmware_with(
    folder: &Path,
    nodes: usize,
    records: &[Record],
    window: (u64, u64),
    texts: &[(u64, String)],
) -> io::Result<()> {
    let file = File::create(folder.join("firmware.vcd"))?;
    firmware_vcd(BufWriter::new(file), nodes, records, window, texts)?;
    let mut save = save("firmware.vcd", nodes, records, window);
    if !texts.is_empty() {
        save.group("what happens");
        save.row(Shown::Binary, "ring.note");
    }
    fs::write(folder.join("firmware.gtkw"), save.text())
}

/// The save file of the waves `dump`.
#[must_use]
pub fn firmware_save(dump: &str, nodes: usize, records: &[Record], window: (u64, u64)) -> String {
    save(dump, nodes, records, window).text()
}

/// The waves of these records as VCD.
///
/// # Errors
/// When they cannot be written.
pub fn firmware_vcd(
    out: impl Write,
    nodes: usize,
    records: &[Record],
    window: (u64, u64),
    texts: &[(u64, String)],
) -> io::Result<()> {
    let mut vcd = Writer::new(out);
    vcd.timescale(1, TimescaleUnit::PS)?;
    vcd.add_module("ring")?;
    let mut holders = BTreeMap::new();
    for (lock, name) in holders_of(records) {
        holders.insert(lock, vcd.add_var(VarType::String, 8, &name, None)?);
    }
    let episode = vcd.add_var(VarType::Wire, 16, "episode", None)?;
    let note = vcd.add_var(VarType::String, 8, "note", None)?;
    let mut texts = texts.iter().peekable();
    let mut ids: Vec<[IdCode; 5]> = Vec::new();
    for node in 0..nodes {
        vcd.add_module(&format!("node{node}"))?;
        let mut of = [episode; 5];
        for (id, name) in of.iter_mut().zip(NAMES) {
            *id = vcd.add_var(VarType::String, 8, name, None)?;
        }
        ids.push(of);
        vcd.upscope()?;
    }
    vcd.upscope()?;
    vcd.enddefinitions()?;
    vcd.timestamp(window.0 * PERIOD_PS)?;
    for holder in holders.values() {
        vcd.change_string(*holder, "nobody")?;
    }
    vcd.change_vector(episode, bits(0))?;
    for of in &ids {
        for (id, value) in of.iter().zip(["works", "-", "-", "-", "-"]) {
            vcd.change_string(*id, value)?;
        }
    }
    let (mut now, mut passed) = (window.0, 0_usize);
    for Record { cycle, node, what } in records {
        if *cycle < window.0 || *cycle >= window.1 {
            continue;
        }
        while let Some((at, text)) = texts.next_if(|(at, _)| at <= cycle) {
            if *at != now {
                now = *at;
                vcd.timestamp(now * PERIOD_PS)?;
            }
            vcd.change_string(note, &word(text))?;
        }
        if *cycle != now {
            now = *cycle;
            vcd.timestamp(now * PERIOD_PS)?;
        }
        let Some([process, lock, barrier, sent, received]) = ids.get(node.index()) else {
            continue;
        };
        match what {
            Happened::Asked(ask) => vcd.change_string(*process, &asked(*ask))?,
            Happened::Answered(Ask::Lock(n)) => {
                vcd.change_string(*process, &format!("has_lock_{n}"))?;
                if let Some(holder) = holders.get(n) {
                    vcd.change_string(*holder, &format!("node{node}"))?;
                }
            }
            Happened::Answered(ask) => {
                vcd.change_string(*process, "works")?;
                if *ask == Ask::Barrier {
                    passed += 1;
                    vcd.change_vector(episode, bits(passed.div_ceil(nodes.max(1))))?;
                }
            }
            Happened::State(Some(_), state) => vcd.change_string(*lock, &word(state))?,
            Happened::State(None, state) => vcd.change_string(*barrier, &word(state))?,
            // They have waves of their own.
            Happened::Pages(..) => {}
            Happened::Sent(m) => vcd.change_string(*sent, m.signal.name())?,
            Happened::Received(m) => {
                vcd.change_string(*received, &format!("{}_of_{}", m.signal.name(), m.source))?;
            }
            Happened::Returned(_) => vcd.change_string(*sent, "-")?,
        }
        if let Happened::Asked(Ask::Unlock(n)) = what
            && let Some(holder) = holders.get(n)
        {
            vcd.change_string(*holder, "nobody")?;
        }
    }
    for (at, text) in texts {
        vcd.timestamp(at * PERIOD_PS)?;
        vcd.change_string(note, &word(text))?;
    }
    vcd.timestamp(window.1 * PERIOD_PS)?;
    vcd.flush()
}

/// A signal for the holder of each lock; it has no number when there is one lock only.
fn holders_of(records: &[Record]) -> Vec<(u32, String)> {
    let lock = |record: &Record| match record.what {
        Happened::Asked(Ask::Lock(lock)) => Some(lock),
        _ => None,
    };
    let locks: BTreeSet<u32> = records.iter().filter_map(lock).collect();
    let one = locks.len() == 1;
    let name = |lock| if one { "lock_holder".into() } else { format!("lock{lock}_holder") };
    locks.into_iter().map(|lock| (lock, name(lock))).collect()
}

fn bits(value: usize) -> impl Iterator<Item = vcd::Value> {
    (0..16).rev().map(move |bit| (value >> bit & 1 == 1).into())
}

fn asked(ask: Ask) -> String {
    match ask {
        Ask::Lock(n) => format!("wants_lock_{n}"),
        Ask::Unlock(n) => format!("gives_lock_{n}"),
        Ask::Barrier => "at_barrier".into(),
        Ask::Read(addr) => format!("reads_{addr:x}"),
        Ask::Write(addr, _) => format!("writes_{addr:x}"),
        Ask::ReadVirtual(addr) => format!("reads_virtual_{addr:x}"),
        Ask::WriteVirtual(addr, _) => format!("writes_virtual_{addr:x}"),
        Ask::Wait(_) => "works".into(),
        Ask::End => "ended".into(),
    }
}

/// A value of a string must not hold blanks.
fn word(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("_")
}

fn save(dump: &str, nodes: usize, records: &[Record], window: (u64, u64)) -> Save {
    let mut save = Save::new(dump, window.0 * PERIOD_PS..window.1 * PERIOD_PS, 0);
    for (_, holder) in holders_of(records) {
        save.row(Shown::Binary, &format!("ring.{holder}"));
    }
    save.row(Shown::Decimal, "ring.episode[15:0]");
    for node in 0..nodes {
        save.group(&format!("node {node}"));
        for name in NAMES {
            save.row(Shown::Binary, &format!("ring.node{node}.{name}"));
        }
    }
    save
}
