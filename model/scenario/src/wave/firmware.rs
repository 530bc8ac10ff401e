// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves of firmware: for each node what its process does, its state machines' states and the signals that
//! pass its host; for the ring, who holds the lock and how often the barrier was passed.

use crate::wave::PERIOD_PS;
use awgstar::host::{Happened, Record};
use awgstar::request::{Place, Request, Space};
use awgstar_draw::gtkw::Shown;
use awgstar_draw::waves::{Signal, Unit, Waves};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

/// Signals of a node: process, lock's state machine, barrier's state machine, sent, received.
const NAMES: [&str; 5] = ["process", "lock_state", "barrier_state", "sent", "received"];

/// What waves have of a ring.
struct Declared {
    holders: BTreeMap<u32, Signal>,
    episode: Signal,
    note: Signal,
    nodes: Vec<[Signal; 5]>,
    passed: usize,
}

impl Declared {
    /// Declares them in the scope of the ring, for groups whose names begin so.
    fn declare(
        vcd: &mut Waves<impl Write>,
        nodes: usize,
        records: &[Record],
        group: &str,
    ) -> io::Result<Declared> {
        let mut holders = BTreeMap::new();
        for (lock, name) in holders_of(records) {
            holders.insert(lock, vcd.text(&name)?);
        }
        let episode = vcd.number("episode", 16, Shown::Decimal)?;
        vcd.show_all(holders.values().copied().chain([episode]));
        let note = vcd.text("note")?;
        let mut all = Vec::new();
        for node in 0..nodes {
            vcd.scope(&format!("node{node}"))?;
            vcd.group(&format!("{group}node {node}"));
            let mut of = [episode; 5];
            for (signal, name) in of.iter_mut().zip(NAMES) {
                *signal = vcd.text(name)?;
            }
            vcd.show_all(of);
            all.push(of);
            vcd.end_scope()?;
        }
        Ok(Declared { holders, episode, note, nodes: all, passed: 0 })
    }

    fn begin(&self, vcd: &mut Waves<impl Write>) -> io::Result<()> {
        for holder in self.holders.values() {
            vcd.say(*holder, "nobody")?;
        }
        vcd.set(self.episode, 0)?;
        for of in &self.nodes {
            for (id, value) in of.iter().zip(["works", "-", "-", "-", "-"]) {
                vcd.say(*id, value)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, vcd: &mut Waves<impl Write>, record: &Record) -> io::Result<()> {
        let Record { node, what, .. } = record;
        let Some([process, lock, barrier, sent, received]) = self.nodes.get(node.index()) else {
            return Ok(());
        };
        match what {
            Happened::Asked(request) => vcd.say(*process, &asked(request))?,
            Happened::Answered(Request::Lock(n)) => {
                vcd.say(*process, &format!("has_lock_{n}"))?;
                if let Some(holder) = self.holders.get(n) {
                    vcd.say(*holder, &format!("node{node}"))?;
                }
            }
            Happened::Answered(ask) => {
                vcd.say(*process, "works")?;
                if matches!(ask, Request::Barrier(_)) {
                    self.passed += 1;
                    let nodes = self.nodes.len().max(1);
                    vcd.set(self.episode, self.passed.div_ceil(nodes) as u128)?;
                }
            }
            Happened::State(Some(_), state) => vcd.say(*lock, state)?,
            Happened::State(None, state) => vcd.say(*barrier, state)?,
            // They have waves of their own.
            Happened::Pages(..) => {}
            Happened::Sent(m) => vcd.say(*sent, m.signal.name())?,
            Happened::Received(m) => {
                vcd.say(*received, &format!("{}_of_{}", m.signal.name(), m.source))?;
            }
            Happened::Returned(_) | Happened::ReturnedOfProcess(_) => vcd.say(*sent, "-")?,
            Happened::SentOfProcess(signal) => {
                vcd.say(*sent, &format!("process_signal_{}", signal.number))?;
            }
            Happened::ReceivedOfProcess(signal) => {
                let text = format!("process_signal_{}_of_{}", signal.number, signal.source);
                vcd.say(*received, &text)?;
            }
        }
        if let Happened::Asked(Request::Unlock(n)) = what
            && let Some(holder) = self.holders.get(n)
        {
            vcd.say(*holder, "nobody")?;
        }
        Ok(())
    }
}

/// Writes the waves of the records of rings of so many nodes each in a window of cycles, with a line of text from each
/// of these cycles on, such as a fault. Returns the save file of the VCD `dump`.
///
/// # Errors
/// If they cannot be written.
pub fn firmware(
    out: impl Write,
    dump: &str,
    nodes: usize,
    rings: &[&[Record]],
    window: (u64, u64),
    texts: &[(u64, String)],
) -> io::Result<String> {
    let mut vcd = Waves::new(out, Unit::PS)?;
    let mut all = Vec::new();
    for (ring, records) in rings.iter().enumerate() {
        let (scope, group) = match rings.len() {
            1 => ("ring".into(), String::new()),
            _ => (format!("ring{ring}"), format!("ring {ring}, ")),
        };
        vcd.scope(&scope)?;
        all.push(Declared::declare(&mut vcd, nodes, records, &group)?);
        vcd.end_scope()?;
    }
    // Texts are of all rings.
    let note = all.first().map(|ring| ring.note);
    if let Some(note) = note.filter(|_| !texts.is_empty()) {
        vcd.group("what happens");
        vcd.show(note);
    }
    vcd.begin()?;
    vcd.at(window.0 * PERIOD_PS)?;
    for ring in &all {
        ring.begin(&mut vcd)?;
    }
    let records = rings.iter().enumerate();
    let records = records.flat_map(|(ring, records)| records.iter().map(move |one| (ring, one)));
    let mut records: Vec<(usize, &Record)> =
        records.filter(|(_, one)| (window.0..window.1).contains(&one.cycle.0)).collect();
    records.sort_by_key(|(_, record)| record.cycle);
    let mut texts = texts.iter().peekable();
    let mut now = window.0;
    for (ring, record) in records {
        while let (Some((at, text)), Some(note)) =
            (texts.next_if(|(at, _)| *at <= record.cycle.0), note)
        {
            if *at != now {
                now = *at;
                vcd.at(now * PERIOD_PS)?;
            }
            vcd.say(note, text)?;
        }
        if record.cycle.0 != now {
            now = record.cycle.0;
            vcd.at(now * PERIOD_PS)?;
        }
        all[ring].put(&mut vcd, record)?;
    }
    for ((at, text), note) in texts.zip(std::iter::repeat(note)) {
        vcd.at(at * PERIOD_PS)?;
        if let Some(note) = note {
            vcd.say(note, text)?;
        }
    }
    vcd.end(window.1 * PERIOD_PS)?;
    Ok(vcd.save(dump, window.0 * PERIOD_PS..window.1 * PERIOD_PS, 0))
}

/// A signal for the holder of each lock; it has no number when there is one lock only.
fn holders_of(records: &[Record]) -> Vec<(u32, String)> {
    let lock = |record: &Record| match record.what {
        Happened::Asked(Request::Lock(lock)) => Some(lock),
        _ => None,
    };
    let locks: BTreeSet<u32> = records.iter().filter_map(lock).collect();
    let one = locks.len() == 1;
    let name = |lock| if one { "lock_holder".into() } else { format!("lock{lock}_holder") };
    locks.into_iter().map(|lock| (lock, name(lock))).collect()
}

fn asked(request: &Request) -> String {
    let of = |place: &Place| match place.space {
        Space::Shared => "",
        Space::Virtual => "virtual_",
    };
    match request {
        Request::Lock(n) => format!("wants_lock_{n}"),
        Request::Try(n) => format!("tries_lock_{n}"),
        Request::Unlock(n) => format!("gives_lock_{n}"),
        Request::Barrier(0) => "at_barrier".into(),
        Request::Barrier(number) => format!("at_barrier_{number}"),
        Request::Read(place, _) => format!("reads_{}{:x}", of(place), place.addr),
        Request::Write(place, _) => format!("writes_{}{:x}", of(place), place.addr),
        Request::ComputeWrite { addr, .. } => format!("computes_for_{addr:x}"),
        Request::Fence(_) => "waits_for_its_writes".into(),
        Request::Update(place, _) => format!("changes_{}{:x}", of(place), place.addr),
        Request::Changed(place, _) => format!("watches_{}{:x}", of(place), place.addr),
        Request::Status => "reads_status".into(),
        Request::Signal(signal, _) => format!("signals_{}", signal.number),
        Request::Await(Some(number), _) => format!("waits_for_signal_{number}"),
        Request::Await(None, _) => "waits_for_a_signal".into(),
        Request::Compute(_) => "works".into(),
        Request::Coherent(call, _) => call.to_string().replace(char::is_whitespace, "_"),
        Request::FarRead { ring, address, .. } => format!("reads_{ring}_{address:x}"),
        Request::FarWrite { ring, address, .. } => format!("writes_{ring}_{address:x}"),
        Request::End => "ended".into(),
    }
}
