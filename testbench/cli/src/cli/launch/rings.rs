// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards with gateways between them, under the processes.

use super::finished::{Events, Finished, Wanted, hopeless, replicas, waits_for};
use crate::cli::CliError;
use awgstar::quantity::{Cycle, Nanoseconds, NodeId};
use awgstar_program::{Call, Monitor, OnMachine, Port};
use awgstar_rings::RingNumber;
use awgstar_rings::machine::{Counts, Rings, RingsError};
use awgstar_scenario::page::{Scene, Unit};
use awgstar_scenario::run::boards::first_difference;
use awgstar_scenario::run::rings::{RingRun, RingsPlan};
use serde_json::json;
use std::num::NonZeroUsize;

/// Nothing that is written takes longer until it is everywhere.
const SETTLED: Cycle = Cycle(10_000_000);

/// What gateways did, in a line for reports.
pub(super) fn text(counts: &Counts) -> String {
    let Counts { messages, words, restarts, recovered, lost, reflected, turns, .. } = counts;
    let turns = match turns {
        0 => String::new(),
        turns => format!("; a lock went to another ring {turns} times"),
    };
    let Counts { hits, misses, lines, drops, .. } = counts;
    let windows = match reflected {
        0 => String::new(),
        words => format!(", {words} words of windows"),
    };
    let cache = match hits + misses {
        0 => String::new(),
        reads => format!(
            "cache: {hits} of {reads} far reads found their words; {lines} lines sent, {drops} dropped\n"
        ),
    };
    let deaths = match counts.deaths {
        0 => String::new(),
        deaths => format!("{deaths} died, {} took over, ", counts.take_overs),
    };
    format!(
        "gateways: {messages} messages of {words} words between them{windows}{turns}; {deaths}{restarts} restarts, {recovered} of which found an open request, {lost} messages lost by them\n{cache}"
    )
}

/// The same for programs.
pub(super) fn json(counts: &Counts) -> serde_json::Value {
    let Counts { messages, words, restarts, recovered, lost, reflected, turns, .. } = counts;
    let Counts { hits, misses, lines, drops, .. } = counts;
    let Counts { deaths, take_overs, .. } = counts;
    json!({
        "deaths": deaths, "take_overs": take_overs,
        "messages": messages, "words": words, "restarts": restarts, "recovered": recovered, "lost": lost,
        "reflected": reflected, "turns": turns, "hits": hits, "misses": misses, "lines": lines, "drops": drops,
    })
}

/// Runs the processes to their ends, on so many threads.
pub(super) fn run(
    (offers, plan, threads): (&awgstar_program::Machine, &RingsPlan, NonZeroUsize),
    ports: Vec<Port>,
    monitor: &Monitor,
    wanted: Wanted<'_>,
    progress: &mut dyn FnMut(Nanoseconds),
) -> Result<Finished, CliError> {
    let mesh = &plan.mesh;
    let (processes, order) = (plan.processes(), mesh.choice.order);
    let ports = ports.into_iter().map(|port| OnMachine::new(port, order));
    let rings = plan.build(ports, wanted.records, (wanted.captures, wanted.window));
    let mut rings = rings.map_err(|error| CliError::Usage(error.to_string()))?;
    let first = usize::from(mesh.gateways());
    let number = |ring: usize, node: NodeId| ring * processes + node.index() - first;
    let stop = &mut |cycle: Cycle| {
        progress(cycle.to_nanoseconds());
        !monitor.failed()
    };
    let ran = rings.run_while(threads, plan.limit(), stop);
    let left = rings.unfinished();
    let stopped = match ran {
        Err(RingsError::Stalled(waiting)) => {
            // The call of a process says more than what it asks its board for.
            let doing = monitor.doing();
            let all: Vec<(usize, String)> = waiting
                .iter()
                .map(|(ring, one)| {
                    let process = number(*ring, one.node);
                    let what = match doing.get(&NodeId::at(process)).copied().flatten() {
                        Some(Call::Barrier) => "waits at the barrier".into(),
                        Some(Call::Lock(lock)) => format!("waits for lock {lock}"),
                        Some(Call::FarRead { ring, .. }) => format!("reads from ring {ring}"),
                        Some(Call::FarWrite { ring, .. }) => format!("writes to ring {ring}"),
                        _ => waits_for(one.asked.as_ref(), offers),
                    };
                    (process, what)
                })
                .collect();
            let live = |process: usize| {
                let (ring, node) = (process / processes, process % processes + first);
                rings.sides().get(ring).is_some_and(|side| side.ring.ring().is_live(node))
            };
            let all: Vec<_> = all.into_iter().filter(|one| live(one.0)).collect();
            Some(hopeless(mesh.rings * processes, &all, live))
        }
        Err(error) => Some(error.to_string()),
        Ok(()) if left.is_empty() || monitor.failed() => None,
        Ok(()) if rings.cycle() >= plan.limit() => Some("the limit of cycles is reached".into()),
        // All that can end has.
        Ok(()) => left.first().map(|(ring, one)| {
            format!(
                "node {} has a dead board, and its process has not ended",
                number(*ring, one.node)
            )
        }),
    };
    let end = rings.cycle();
    let settled = |rings: &mut Rings<RingRun<'_, '_>>| {
        let rest = rings.settle(SETTLED).is_ok();
        let memory = |ring: RingNumber| -> Option<&[u32]> {
            let ring = rings.sides().get(usize::from(ring.0))?.ring.ring();
            Some(&ring.board(ring.live().next()?).u_memory.mem[..])
        };
        rest && mesh.windows.iter().all(|one| one.is_everywhere(memory))
    };
    let under_way = stopped.is_none() && !monitor.failed() && !settled(&mut rings);
    let differ = rings.sides().iter().find_map(|side| first_difference(side.ring.ring()));
    let page = wanted.page.then(|| {
        let all = (0, end.to_nanoseconds().0 + 1);
        let window = wanted.window.map_or(all, |w| (w.ns().0, w.ns().1.min(all.1)));
        let mut page = Scene::new("rings", &plan.title, Unit::Ns, mesh.rings * processes, window);
        page.leave_out("Frames and registers: a page has those of one ring alone; --pcapng has the frames of each.");
        page
    });
    let records = rings.sides_mut().iter_mut().map(|side| side.ring.take_records()).collect();
    let counts = rings.counts();
    for side in rings.into_sides() {
        side.ring.finish(wanted.window)?;
    }
    Ok(Finished {
        stopped,
        end: end.to_nanoseconds(),
        replicas: Some(replicas(differ)),
        under_way,
        events: Events::Rings { boards: mesh.boards(), records, end, counts },
        blocks: Vec::new(),
        page,
    })
}
