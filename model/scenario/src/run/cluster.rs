// SPDX-License-Identifier: MIT OR Apache-2.0
//! A cluster under processes: its settings, its waves and what a page shows of it.

use crate::page::Scene;
use awgstar_cluster::Settings;
use awgstar_cluster::record::{Happened, Record, Serving};
use awgstar_draw::waves::{Signal, Unit, Waves};
use awgstar_draw::{Change, Changes};
use awgstar_sync::firmware::onesided::End;
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// A cluster from a file.
#[derive(Clone, Debug)]
pub struct ClusterPlan {
    /// One line that says what it shows.
    pub title: String,
    pub settings: Settings,
}

/// Writes the waves of a run that ended at `end` ns: what each process waits for, what it was sent last, what each
/// server does, and who holds each lock. Returns the save file of the VCD `dump`.
///
/// # Errors
/// If they cannot be written.
pub fn waves(
    out: impl Write,
    dump: &str,
    settings: &Settings,
    records: &[Record],
    end: u64,
) -> io::Result<String> {
    let mut out = Waves::new(out, Unit::NS)?;
    out.scope("cluster")?;
    let mut holders: BTreeMap<u32, Signal> = BTreeMap::new();
    for record in records {
        if let Happened::Lock(lock, _) = record.what
            && !holders.contains_key(&lock)
        {
            holders.insert(lock, out.text(&format!("lock_{lock}_holder"))?);
        }
    }
    out.show_all(holders.values().copied());
    // Signals: what an end does, and the last message that came to it.
    let (mut processes, mut servers) = (Vec::new(), Vec::new());
    for node in 0..settings.processes {
        out.scope(&format!("node{node}"))?;
        out.group(&format!("node {node}"));
        let process = [out.text("process")?, out.text("process_message")?];
        out.show_all(process);
        processes.push(process);
        if node % settings.per_computer == 0 {
            let server = [out.text("server")?, out.text("server_message")?];
            out.show_all(server);
            servers.push(server);
        }
        out.end_scope()?;
    }
    out.end_scope()?;
    out.begin()?;
    let mut changes = Changes::from_idle(&out);
    for Record { at, what } in records {
        let mut text = |at: u64, signal, text: String| changes.put(at, signal, Change::Text(text));
        match what {
            Happened::Asked(node, request) => text(at.0, processes[*node][0], request.clone()),
            Happened::Answered(node) => text(at.0, processes[*node][0], "goes on".into()),
            Happened::Message { from, to, arrives, text: what } => {
                let signals = match to {
                    End::Process(node) => processes[node.index()],
                    End::Server(node) => servers[settings.computer(node.index())],
                };
                text(arrives.0, signals[1], format!("{what}, from {}", end_name(*from)));
            }
            Happened::Server(computer, doing) => {
                text(at.0, servers[*computer][0], doing.name().into());
            }
            Happened::Lock(lock, holder) => {
                let holder = holder.map_or("-".into(), |node| node.to_string());
                text(at.0, holders[lock], holder);
            }
        }
    }
    changes.write(&mut out, (0, end + 1))?;
    Ok(out.save(dump, 0..end + 1, 0))
}

/// The end of a message in a few words.
fn end_name(end: End) -> String {
    match end {
        End::Process(node) => format!("node {node}"),
        End::Server(node) => format!("the server of node {node}"),
    }
}

/// The messages of a run, and when its servers wake and sleep.
pub fn show(page: &mut Scene, settings: &Settings, records: &[Record]) {
    for Record { at, what } in records {
        match what {
            Happened::Message { from, to, arrives, text } => {
                let node = |(End::Process(node) | End::Server(node)): End| node.index();
                page.add_line((node(*from), at.0), (node(*to), arrives.0), text.clone());
            }
            Happened::Server(computer, Serving::Wakes) => {
                page.add_note(computer * settings.per_computer, at.0, "server wakes");
            }
            Happened::Server(computer, Serving::Sleeps) => {
                page.add_note(computer * settings.per_computer, at.0, "server sleeps");
            }
            _ => {}
        }
    }
}
