// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes of this computer on a cluster.

use super::finished::{Events, Finished, LOOK, Wanted, ended};
use crate::cli::CliError;
use awgstar::contract::Order;
use awgstar::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar::record::Record;
use awgstar::request::{Answer, Plain, Process, Request, Segment};
use awgstar::stall::{Judge, Verdict};
use awgstar_cluster::{Cluster, ClusterError, Settings};
use awgstar_program::{Monitor, OnMachine, Port, Replica};
use awgstar_rings::clusters::{self, Clusters, ClustersError};
use awgstar_scenario::page::{Scene, Unit};
use awgstar_scenario::run::cluster::{ClusterPlan, ClustersPlan, Shape, show};

/// The segment of a process, which the process has mapped, and the address in the memory where address 0 of programs is.
struct Mapped(Replica, ByteAddress);

impl Mapped {
    /// What is before it is not asked for: it is a gateway's.
    fn place(&self, at: ByteAddress) -> ByteAddress {
        ByteAddress(at.0.saturating_sub(self.1.0))
    }
}

impl Segment for Mapped {
    fn load(&self, at: ByteAddress, bytes: usize) -> Vec<u8> {
        self.0.load(self.place(at), bytes)
    }

    fn store(&mut self, at: ByteAddress, bytes: &[u8]) {
        self.0.store(self.place(at), bytes);
    }
}

/// A process of this computer and its memory, on a machine that has both.
type Both = (Box<dyn Process>, Box<dyn Segment>);

fn mapped(ports: Vec<Port>, first: ByteAddress) -> Result<Vec<Both>, CliError> {
    let one = |port: Port| {
        let what = "the segment of a process cannot be mapped";
        let home = port.home().ok_or_else(|| CliError::Usage(what.into()))?;
        // Signals have an order, and a cluster has no signals.
        let process: Box<dyn Process> = Box::new(OnMachine::new(port, Order::Sent));
        Ok((process, Box::new(Mapped(home, first)) as Box<dyn Segment>))
    };
    ports.into_iter().map(one).collect()
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
    let (processes, memories) = mapped(ports, ByteAddress(0))?.into_iter().unzip();
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
    let blocks = cluster.blocks().unwrap_or_default().into_iter().cloned().collect();
    let shape = plan.shape();
    let page = wanted.page.then(|| shown(("cluster", &plan.title), shape, &records, end, wanted));
    let events = Events::Cluster { shape, records, end, counts: None };
    Ok(Finished { stopped, end, replicas: None, under_way: false, events, blocks, page })
}

/// The same on clusters with gateways between them.
pub(super) fn run_several(
    plan: &ClustersPlan,
    offers: &awgstar_program::Machine,
    ports: Vec<Port>,
    monitor: &Monitor,
    wanted: Wanted<'_>,
    progress: &mut dyn FnMut(Nanoseconds),
) -> Result<Finished, CliError> {
    let usage = |e: ClustersError| CliError::Usage(e.to_string());
    let settings = clusters::Settings { record: wanted.records || wanted.page, ..plan.settings };
    // They are asked for in the order of their numbers, and there are as many.
    let mut all = mapped(ports, offers.first_byte)?.into_iter();
    let homes = settings.homes();
    let next = |_, node: NodeId| {
        all.next().unwrap_or_else(|| {
            let ends: Box<dyn Process> = Box::new(|_: &Answer| Request::End);
            (ends, Box::new(Plain::of(homes, node.index())))
        })
    };
    let mut machine = Clusters::with_segments(&settings, next).map_err(usage)?;
    let mut events = 0_u64;
    let ran = machine.run_while(&mut |machine| {
        if events.is_multiple_of(LOOK) {
            progress(machine.now());
        }
        events += 1;
        !monitor.failed()
    });
    let limit = match ran {
        Ok(_) | Err(ClustersError::Stalled(_)) => false,
        Err(ClustersError::Limit { .. }) => true,
        Err(error) => return Err(usage(error)),
    };
    let (end, counts, shape) = (machine.now(), Some(machine.counts()), plan.shape());
    let stopped = ended(offers, machine.unfinished(), shape.processes, limit);
    let records = machine.records();
    let page = wanted.page.then(|| shown(("clusters", &plan.title), shape, &records, end, wanted));
    let events = Events::Cluster { shape, records, end, counts };
    let blocks = Vec::new();
    Ok(Finished { stopped, end, replicas: None, under_way: false, events, blocks, page })
}

/// The page of a run.
fn shown(
    (system, title): (&str, &str),
    shape: Shape,
    records: &[Record],
    end: Nanoseconds,
    wanted: Wanted<'_>,
) -> Scene {
    let all = (0, end.0 + 1);
    let window = wanted.window.map_or(all, |w| (w.ns().0, w.ns().1.min(all.1)));
    let mut page = Scene::new(system, title, Unit::Ns, shape.processes, window);
    show(&mut page, shape, records);
    page
}
