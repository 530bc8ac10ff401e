// SPDX-License-Identifier: MIT OR Apache-2.0
//! The line that a terminal shows while a run goes on.

use super::process::locked;
use awgstar::quantity::{Nanoseconds, NodeId};
use awgstar_program::{Call, Life, Lock, Monitor};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    collections::BTreeMap,
    io::IsTerminal,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Time between two updates.
const PERIOD: Duration = Duration::from_millis(200);

/// Time on the ring, calls, and what the processes wait for. Nothing is shown if standard error is no terminal.
pub(super) struct Line {
    bar: Option<ProgressBar>,
    monitor: Arc<Monitor>,
    /// The time of the run, and when the line was shown last.
    shown: Mutex<(Nanoseconds, Instant)>,
}

impl Line {
    pub(super) fn new(monitor: &Arc<Monitor>) -> Arc<Self> {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{wide_msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            ProgressBar::new_spinner().with_style(style)
        });
        let shown = Mutex::new((Nanoseconds(0), Instant::now()));
        Arc::new(Line { bar, monitor: Arc::clone(monitor), shown })
    }

    /// The run is at this time.
    pub(super) fn at(&self, now: Nanoseconds) {
        self.update(Some(now));
    }

    /// Updates the line while a process is asked whether it lives: the ring waits for it.
    pub(super) fn beside(
        self: &Arc<Self>,
        mut life: Box<dyn FnMut() -> Life + Send>,
    ) -> Box<dyn FnMut() -> Life + Send> {
        let own = Arc::clone(self);
        Box::new(move || {
            own.update(None);
            life()
        })
    }

    fn update(&self, now: Option<Nanoseconds>) {
        let Some(bar) = &self.bar else { return };
        let mut shown = locked(&self.shown);
        shown.0 = now.unwrap_or(shown.0);
        if shown.1.elapsed() >= PERIOD {
            shown.1 = Instant::now();
            bar.set_message(text(shown.0, self.monitor.calls(), &self.monitor.doing()));
            bar.tick();
        }
    }

    /// Removes the line.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The line: a number of nodes for each thing that they wait for, or the node if it is one.
fn text(now: Nanoseconds, calls: u64, doing: &BTreeMap<NodeId, Option<Call>>) -> String {
    let mut groups: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    for (node, call) in doing {
        let what = match call {
            None => "computing".into(),
            Some(Call::Lock(number)) if *number != Lock::ATOMIC.number() => {
                Lock::of(*number).to_string()
            }
            Some(Call::Await { number: Some(number), .. }) => format!("signal {number}"),
            Some(call) => call.name().to_owned(),
        };
        groups.entry(what).or_default().push(*node);
    }
    let waits = groups.iter().map(|(what, nodes)| match &nodes[..] {
        [node] => format!("; {what}: node {node}"),
        nodes => format!("; {what}: {} nodes", nodes.len()),
    });
    let us = now.0 / 1000;
    format!("{us} µs on the ring, {calls} calls{}", waits.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_what_processes_wait_for() {
        let calls = [Some(Call::Barrier), None, Some(Call::Barrier), Some(Call::Lock(5))];
        let doing = NodeId::all(4).zip(calls).collect();
        assert_eq!(
            text(Nanoseconds(1_234_567), 89, &doing),
            "1234 µs on the ring, 89 calls; barrier: 2 nodes; computing: node 1; lock 5: node 3"
        );
        assert_eq!(text(Nanoseconds(0), 0, &BTreeMap::new()), "0 µs on the ring, 0 calls");
    }
}
