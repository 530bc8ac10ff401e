// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes of this computer on a cluster.

use super::finished::{Events, Finished, LOOK, Wanted, ended};
use crate::cli::CliError;
use awgstar::contract::Order;
use awgstar::quantity::{ByteAddress, Nanoseconds};
use awgstar::request::Process;
use awgstar::stall::{Judge, Verdict};
use awgstar_cluster::{Cluster, ClusterError, Memory, Settings};
use awgstar_program::{Monitor, OnMachine, Port, Replica};
use awgstar_scenario::page::{Scene, Unit};
use awgstar_scenario::run::cluster::{ClusterPlan, show};

/// The segment of a process, which the process has mapped.
struct Mapped(Replica);

impl Memory for Mapped {
    fn load(&self, at: ByteAddress, bytes: usize) -> Vec<u8> {
        self.0.load(at, bytes)
    }

    fn store(&mut self, at: ByteAddress, bytes: &[u8]) {
        self.0.store(at, bytes);
    }
}

/// Runs the processes to their ends.
pub(super) fn run(
    plan: &ClusterPlan,
    offers: &awgstar_program::Machine,
    ports: Vec<Port>,
    monitor: &Monitor,
    wanted: Wanted<'_>,
    progress: &mut dyn FnMut(Nanoseconds),
) -> Result<Finished, CliError> {
    let usage = |e: ClusterError| CliError::Usage(e.to_string());
    let record = wanted.records || wanted.page;
    let settings = Settings { record, ..plan.settings.clone() };
    let (mut memories, mut processes) = (Vec::new(), Vec::new());
    for port in ports {
        let what = "the segment of a process cannot be mapped";
        let home = port.home().ok_or_else(|| CliError::Usage(what.into()))?;
        memories.push(Box::new(Mapped(home)) as Box<dyn Memory>);
        // Signals have an order, and a cluster has no signals.
        processes.push(Box::new(OnMachine::new(port, Order::Sent)) as Box<dyn Process>);
    }
    let mut cluster = Cluster::new(&settings, processes, memories).map_err(usage)?;
    let mut events = 0_u64;
    let mut judge = Judge::default();
    let end = cluster.run_while(&mut |cluster| {
        if events.is_multiple_of(LOOK) {
            progress(cluster.now());
        }
        events += 1;
        judge.judge(cluster) != Verdict::Stalled && !monitor.failed()
    });
    let end = end.map_err(usage)?;
    let stopped = ended(offers, cluster.unfinished(), settings.processes, end >= settings.limit);
    let records = cluster.records();
    let page = wanted.page.then(|| {
        let all = (0, end.0 + 1);
        let window = wanted.window.map_or(all, |w| (w.ns().0, w.ns().1.min(all.1)));
        let mut page = Scene::new("cluster", &plan.title, Unit::Ns, settings.processes, window);
        show(&mut page, &settings, &records);
        page
    });
    let events = Events::Cluster(Box::new(settings), records, end);
    let blocks = cluster.blocks().unwrap_or_default().into_iter().cloned().collect();
    Ok(Finished { stopped, end, replicas: None, under_way: false, events, blocks, page })
}
