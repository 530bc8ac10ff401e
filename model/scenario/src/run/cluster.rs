// SPDX-License-Identifier: MIT OR Apache-2.0
//! A cluster under processes: its settings, its waves and what a page shows of it.

use crate::page::Scene;
use awgstar_cluster::Settings;
use awgstar_draw::waves::{Signal, Unit, Waves};
use awgstar_draw::{Change, Changes};
use awgstar_rings::clusters;
use awgstar_sync::firmware::onesided::End;
use awgstar_sync::record::{Happened, Record, Serving};
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

/// Clusters with gateways between them, from a file.
#[derive(Clone, Debug)]
pub struct ClustersPlan {
    /// One line that says what it shows.
    pub title: String,
    pub settings: clusters::Settings,
}

/// Processes, and those that have a server in common.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub processes: usize,
    pub each: usize,
    /// What a server is called.
    pub server: &'static str,
}

impl ClusterPlan {
    #[must_use]
    pub const fn shape(&self) -> Shape {
        let Settings { processes, per_computer, .. } = self.settings;
        Shape { processes, each: per_computer, server: "server" }
    }
}

impl ClustersPlan {
    /// Processes of all clusters.
    #[must_use]
    pub const fn processes(&self) -> usize {
        self.settings.clusters * self.settings.processes
    }

    #[must_use]
    pub const fn shape(&self) -> Shape {
        Shape { processes: self.processes(), each: self.settings.processes, server: "gateway" }
    }
}

/// Writes the waves of a run that ended at `end` ns: what each process waits for, what it was sent last, what each
/// server does, and who holds each lock. Returns the save file of the VCD `dump`.
///
/// # Errors
/// If they cannot be written.
pub fn waves(
    out: impl Write,
    dump: &str,
    shape: Shape,
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
    for node in 0..shape.processes {
        out.scope(&format!("node{node}"))?;
        out.group(&format!("node {node}"));
        let process = [out.text("process")?, out.text("process_message")?];
        out.show_all(process);
        processes.push(process);
        if node % shape.each == 0 {
            let message = format!("{}_message", shape.server);
            let server = [out.text(shape.server)?, out.text(&message)?];
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
                    End::Server(node) => servers[node.index() / shape.each],
                };
                text(arrives.0, signals[1], format!("{what}, from {}", end_name(shape, *from)));
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
fn end_name(shape: Shape, end: End) -> String {
    match end {
        End::Process(node) => format!("node {node}"),
        End::Server(node) => format!("the {} of node {node}", shape.server),
    }
}

/// The messages of a run, and when its servers wake and sleep.
pub fn show(page: &mut Scene, shape: Shape, records: &[Record]) {
    for Record { at, what } in records {
        match what {
            Happened::Message { from, to, arrives, text } => {
                let node = |(End::Process(node) | End::Server(node)): End| node.index();
                page.add_line((node(*from), at.0), (node(*to), arrives.0), text.clone());
            }
            Happened::Server(computer, Serving::Wakes) => {
                page.add_note(computer * shape.each, at.0, &format!("{} wakes", shape.server));
            }
            Happened::Server(computer, Serving::Sleeps) => {
                page.add_note(computer * shape.each, at.0, &format!("{} sleeps", shape.server));
            }
            _ => {}
        }
    }
}
