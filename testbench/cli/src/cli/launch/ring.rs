// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycle-accurate ring under the processes, of boards of either kind.

use super::finished::{Events, Finished, LOOK, Wanted, hopeless, replicas, waits_for};
use crate::cli::CliError;
use awgstar::host::Choice;
use awgstar::quantity::{ByteAddress, Cycle, Nanoseconds, NodeId};
use awgstar::request::Process;
use awgstar::ring::boards::Board;
use awgstar::stall::{self, Judge, Verdict};
use awgstar_coherence::{
    pages::Protocol,
    ring::{self as coherent, Costs},
};
use awgstar_program::{Monitor, OnMachine, Port};
use awgstar_scenario::run::boards::{BoardsPlan, BoardsRun, ProcessRing};

/// The processes of live boards that wait, each with what for; `None` before the boards know each other.
fn waits<M: Board>(
    ring: &ProcessRing<M>,
    offers: &awgstar_program::Machine,
) -> Option<Vec<(usize, String)>> {
    let live = ring.waiting().into_iter().filter(|one| ring.ring().is_live(one.node.index()));
    live.map(|one| Some((one.node.index(), waits_for(Some(&one.asked?), offers)))).collect()
}

/// A ring that runs by a plan, for the stall rule.
struct Planned<'a, M: Board> {
    ring: &'a ProcessRing<M>,
    plan: &'a BoardsPlan,
}

impl<M: Board> stall::Machine for Planned<'_, M> {
    type Shape = ();

    fn open(&self) -> stall::Open {
        self.ring.open()
    }

    fn in_flight(&self) -> bool {
        self.ring.in_flight()
    }

    fn helps_later(&self) -> bool {
        let now = self.ring.ring().cycle();
        let acts = self.plan.resets.iter().map(|reset| reset.at).chain(self.plan.calm);
        self.ring.helps_later() || acts.into_iter().any(|at| at >= now)
    }

    fn rounds(&self) -> Option<u64> {
        self.ring.rounds()
    }

    fn shape(&self) {}
}

/// A protocol of shared pages and its costs; the memory for its logs.
type Pages = ((Protocol, Costs), (ByteAddress, u32));

/// Runs the processes on a ring of boards `M` to their ends.
pub(super) fn run<M: Board>(
    (offers, plan, pages): (&awgstar_program::Machine, &BoardsPlan, Option<Pages>),
    ports: Vec<Port>,
    monitor: &Monitor,
    wanted: Wanted<'_>,
    progress: &mut dyn FnMut(Nanoseconds),
) -> Result<Finished, CliError> {
    let nodes = NodeId::all(ports.len());
    let order = plan.programs.as_ref().map_or_else(Choice::new, |one| one.choice).order;
    let processes: Vec<_> = ports.into_iter().map(|port| OnMachine::new(port, order)).collect();
    let boxed = |process: OnMachine| Box::new(process) as Box<dyn Process>;
    let (processes, coherent) = match pages {
        None => (processes.into_iter().map(boxed).collect::<Vec<_>>(), None),
        Some((protocol, logs)) => {
            let (all, shared) = coherent::nodes(processes, protocol, logs)
                .map_err(|e| CliError::Usage(e.to_string()))?;
            (all.into_iter().map(|one| Box::new(one) as _).collect(), Some(shared))
        }
    };
    let processes = nodes.zip(processes).collect();
    let failed = || coherent.as_ref().is_some_and(|shared| shared.borrow().failure.is_some());
    let (mut stopped, mut under_way) = (None, false);
    let mut judge = Judge::default();
    let progress = &mut |cycle| progress(Cycle(cycle).to_nanoseconds());
    let stop = &mut |ring: &ProcessRing<M>| {
        if monitor.failed() || failed() {
            return true;
        }
        if !ring.ring().cycle().0.is_multiple_of(LOOK) {
            return false;
        }
        match judge.judge(&Planned { ring, plan }) {
            Verdict::Runs => return false,
            Verdict::Over => under_way = !ring.settled(),
            Verdict::Stalled => {
                let live = |node: usize| ring.ring().is_live(node);
                stopped = waits(ring, offers).map(|mut all| {
                    // A node that waits for a message says less than the call of its process.
                    let calls = coherent.iter().flat_map(|shared| shared.borrow().waits.clone());
                    for (node, call) in calls.enumerate() {
                        let one = all.iter_mut().find(|one| one.0 == node);
                        if let Some((one, call)) = one.zip(call) {
                            one.1 = call.to_string();
                        }
                    }
                    hopeless(ring.nodes(), &all, live)
                });
            }
        }
        true
    };
    let capture =
        wanted.captures.first().map(|out| plan.capture(*out, wanted.window)).transpose()?;
    let mut capture = capture;
    let frames = capture.as_mut();
    let (ran, page) = if wanted.page {
        let (ran, page) = plan.run_with_page(processes, wanted.window, frames, progress, stop)?;
        (ran, Some(page))
    } else {
        let records = wanted.records;
        let ran = BoardsRun::with_processes(plan, processes, records, progress, None, frames, stop);
        (ran.map_err(|e| CliError::Usage(e.to_string()))?, None)
    };
    if let Some(capture) = capture {
        plan.end_capture(capture, &ran, wanted.window)?;
    }
    let (cycle, differ) = (ran.ring.cycle(), ran.first_difference());
    let Some(programs) = ran.programs else {
        return Err(CliError::Usage("the ring has no firmware".into()));
    };
    let left: Vec<_> = programs.waiting.iter().map(|one| one.node.index()).collect();
    let unfinished = (!programs.up).then_some("the boards do not come to know each other");
    let limit = || (cycle >= plan.cycles).then_some("the limit of cycles is reached");
    let stopped = stopped.or_else(|| unfinished.or_else(limit).map(Into::into));
    // The run is over when live boards have nothing to do: the processes of dead ones have not ended.
    let dead = |node| format!("node {node} has a dead board, and its process has not ended");
    let stopped = stopped.or_else(|| left.first().map(dead));
    let failure = coherent.as_ref().and_then(|shared| shared.borrow().failure);
    let stopped = failure.map(|(node, why)| format!("node {node}: {why}")).or(stopped);
    Ok(Finished {
        replicas: Some(replicas(differ)),
        under_way,
        stopped,
        end: cycle.to_nanoseconds(),
        events: Events::Ring(programs.records, cycle.0),
        blocks: coherent.map_or_else(Vec::new, |shared| shared.borrow().blocks.clone()),
        page,
    })
}
