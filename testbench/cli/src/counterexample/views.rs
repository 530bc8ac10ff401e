// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as records, for the waves and the space-time diagram of firmware. A step takes some cycles:
//! the checker knows the order of things, not their time.

use crate::counterexample::{Found, Replay};
use awgstar::quantity::{Cycle, NodeId};
use awgstar::{
    check::What,
    firmware::{Action, Event},
    host::{Happened, Record},
    request::Request,
};
use awgstar_scenario::run::{Folder, write_waves};
use awgstar_scenario::spacetime::{Picture, firmware_steps};
use awgstar_scenario::wave;
use std::{io, path::Path};

/// Cycles per step.
const STEP_CYCLES: u64 = 20;

/// Events on the nodes, in the form of the records of the cycle-accurate ring.
fn records(found: &Found, replay: &Replay) -> Vec<Record> {
    let mut all = Vec::new();
    for ((number, step), replayed) in (1..).zip(&found.steps).zip(&replay.steps) {
        let (cycle, node) = (number * STEP_CYCLES, step.node);
        let mut put = |what| all.push(Record { cycle: Cycle(cycle), node: NodeId::at(node), what });
        match replayed.event {
            Some(Event::Acquire) => put(Happened::Asked(Request::Lock(0))),
            Some(Event::Release) => put(Happened::Asked(Request::Unlock(0))),
            Some(Event::Arrive) => put(Happened::Asked(Request::Barrier(0))),
            Some(Event::Signal(message)) => put(Happened::Received(message)),
            Some(Event::Returned(message)) => put(Happened::Returned(message)),
            Some(Event::Timer(_)) | None => {}
        }
        if let What::Again(message, _) = step.what {
            put(Happened::Sent(message));
        }
        put(Happened::State(found.case.is_lock().then_some(0), replayed.after.clone()));
        for action in &replayed.actions {
            match action {
                Action::Send(message, _) => put(Happened::Sent(*message)),
                Action::Acquired => put(Happened::Answered(Request::Lock(0))),
                Action::Released => put(Happened::Answered(Request::Unlock(0))),
                Action::Passed => put(Happened::Answered(Request::Barrier(0))),
                Action::Start(_) | Action::Stop(_) => {}
            }
        }
    }
    all
}

impl Found {
    fn window(&self) -> (u64, u64) {
        (0, (self.steps.len() as u64 + 2) * STEP_CYCLES)
    }

    /// Space-time diagram.
    #[must_use]
    pub fn picture(&self, replay: &Replay) -> String {
        let title = format!("{}: {}", self.case.name, self.case.breaks());
        let picture = Picture {
            nodes: self.case.settings.nodes,
            records: &records(self, replay),
            hops: &[],
            window: self.window(),
            title: &title,
        };
        firmware_steps(&picture, STEP_CYCLES)
    }

    /// Writes `firmware.vcd` and `firmware.gtkw`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn waves(&self, replay: &Replay, folder: &Path) -> io::Result<()> {
        let texts: Vec<(u64, String)> = (1..)
            .zip(&self.steps)
            .map(|(number, step)| {
                (number * STEP_CYCLES, format!("node {}: {}", step.node, step.what))
            })
            .collect();
        let nodes = self.case.settings.nodes;
        write_waves(&mut Folder::new(folder), "firmware", |file, dump| {
            wave::firmware(file, dump, nodes, &[&records(self, replay)], self.window(), &texts)
        })
    }
}
