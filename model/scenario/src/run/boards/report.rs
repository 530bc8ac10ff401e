// SPDX-License-Identifier: MIT OR Apache-2.0
//! Report of a run, as text and JSON.

use crate::page::Scene;
use crate::place::FileError;
use crate::run::boards::host::{ActResult, Ending, Message};
use crate::run::boards::look_ahead::InjectedFault;
use crate::run::boards::plan::BoardsPlan;
use crate::run::boards::programs::Report;
use crate::run::boards::replicas::Replicas;
use crate::run::boards::router::Event;
use crate::run::boards::run::BoardsRun;
use crate::run::boards::words;
use crate::run::boards::written::WrittenBytes;
use crate::run::{HOP_CYCLES, fault, ns};
use awgstar::quantity::Cycle;
use awgstar::{
    contract::{BoardCounter, Counter, board},
    ring::{FaultKind, boards::count},
    rtl::Smb,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// Timeouts in a row after which a sender says that it is stalled (ACK-6).
#[expect(clippy::cast_possible_truncation, reason = "8")]
const LIMIT: u8 = board::RETRY_LIMIT as u8;

/// Result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct BoardsReport {
    pub(super) title: String,
    pub(super) boards: usize,
    pub(super) cycles: Cycle,
    pub(super) microseconds: f64,
    /// One rotation of a frame's first word, in cycles: boards and fibre.
    pub(super) rotation: Cycle,
    pub(super) acts: Vec<ActReport>,
    pub(super) faults: Vec<FaultReport>,
    /// Bits that noise inverted.
    pub(super) noise_bits: u64,
    /// Events of the controller of the router.
    pub(super) router: Vec<Event>,
    pub(super) states: Vec<StateReport>,
    /// All live replicas are the same.
    pub(super) replicas_equal: bool,
    pub(super) replicas: Replicas,
    pub(super) written: WrittenBytes,
    /// Faults of the file that did not happen in the run.
    pub(super) warnings: Vec<FileError>,
    /// Result of programs, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) programs: Option<Report>,
}

/// Something a host did.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ActReport {
    pub(super) board: usize,
    pub(super) what: String,
    /// `done`, `refused`, `expired`, `broken` or `not_begun`.
    pub(super) ending: &'static str,
    /// Accesses answered with SLVERR.
    pub(super) refused: usize,
    pub(super) began: Cycle,
    pub(super) ended: Cycle,
    /// Data read: bytes of the shared memory, or the word of a register, highest digit first.
    pub(super) read: Option<String>,
    pub(super) messages: Vec<MessageReport>,
}

/// A message taken out of a mailbox.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MessageReport {
    pub(super) from: u8,
    pub(super) what: String,
    pub(super) data: String,
}

/// A fault of a frame.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FaultReport {
    pub(super) link: usize,
    pub(super) frame: Option<u64>,
    pub(super) cycle: Option<Cycle>,
    pub(super) what: String,
    /// The fault changed its frame.
    pub(super) happened: bool,
}

/// State of a board after the last cycle.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StateReport {
    pub(super) node_id: u8,
    /// Those of `dead`, `synced`, `monitor` and `stalled` that are true; of a dead board nothing
    /// else.
    pub(super) is: Vec<&'static str>,
    pub(super) tokens: u8,
    /// Messages left in the mailbox.
    pub(super) mailbox: u32,
    /// Of the node, then of the board; those that are 0 are left out.
    pub(super) counters: BTreeMap<&'static str, u32>,
}

impl BoardsReport {
    /// Makes the report of `plan` from its `run`.
    #[must_use]
    pub fn new(plan: &BoardsPlan, run: &BoardsRun) -> Self {
        let rotation = plan.scenario.fibre.iter().map(|f| Cycle::from(*f) + HOP_CYCLES).sum();
        let acts = plan.acts.iter().zip(&run.done).enumerate();
        let mut acts: Vec<ActReport> = acts
            .flat_map(|(board, (acts, done))| {
                acts.iter().zip(done).map(move |(a, d)| act(board, a.what.clone(), d))
            })
            .collect();
        let warnings = warnings(plan, run, &acts);
        acts.sort_by_key(|a| if a.ending == "not_begun" { Cycle::MAX } else { a.began });
        BoardsReport {
            title: plan.title.clone(),
            boards: plan.boards.len(),
            cycles: run.ring.cycle(),
            microseconds: ns(run.ring.cycle()) / 1000.0,
            rotation,
            acts,
            faults: faults(plan, run),
            noise_bits: run.inverted,
            router: run.routed.clone(),
            states: (0..plan.boards.len()).map(|i| state(run, i)).collect(),
            replicas_equal: run.first_difference().is_none(),
            replicas: Replicas::of(plan, run),
            written: WrittenBytes::of(plan, run),
            warnings,
            programs: plan
                .programs
                .as_ref()
                .zip(run.programs.as_ref())
                .map(|(programs, ran)| Report::new(programs, ran, &run.ring)),
        }
    }

    /// Result of a run of hosts without programs: after the last data, the replicas are equal and
    /// hold the words written, unless the file says that they may not.
    #[must_use]
    pub fn replicas_hold(&self) -> bool {
        let loose = self.replicas.may_differ || !self.replicas.on_the_way.is_empty();
        loose || self.replicas.differ.is_none() && self.written.wrong.is_empty()
    }

    /// Acts of hosts and faults, for the page of the run.
    pub(super) fn add_to(&self, page: &mut Scene) {
        for act in self.acts.iter().filter(|act| act.ending != "not_begun") {
            let style = match act.ending {
                "done" => ("act of the host", "#7fb3d5"),
                _ => ("act that did not succeed", "#c0392b"),
            };
            let text = if act.ending == "done" {
                act.what.clone()
            } else {
                format!("{}: {}", act.what, act.ending)
            };
            let end = act.ended.0.max(act.began.0 + 1);
            page.add_span(act.board, (act.began.0, end), style, text);
        }
        for fault in self.faults.iter().filter(|fault| fault.happened) {
            let at = fault.cycle.map_or(0, |cycle| cycle.0);
            page.add_note(fault.link, at, &format!("fault: {}", fault.what));
        }
    }

    /// Faults of the file that did not happen in the run.
    #[must_use]
    pub fn warnings(&self) -> &[FileError] {
        &self.warnings
    }

    /// Result of programs, if there are any.
    #[must_use]
    pub fn programs(&self) -> Option<&Report> {
        self.programs.as_ref()
    }

    /// Every act was done, all live replicas are the same, they hold what was written, and what
    /// programs rely on held.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.replicas_equal
            && self.written.wrong.is_empty()
            && self.acts.iter().all(|a| a.ending == "done")
            && self.programs.as_ref().is_none_or(Report::holds)
    }
}

fn act(board: usize, what: String, done: &ActResult) -> ActReport {
    let (ending, refused) = match done.ending {
        Ending::Done => ("done", 0),
        Ending::Refused(n) => ("refused", n),
        Ending::Expired => ("expired", 0),
        Ending::Broken => ("broken", 0),
        Ending::NotBegun => ("not_begun", 0),
    };
    ActReport {
        board,
        what,
        ending,
        refused,
        began: done.began,
        ended: done.ended,
        read: (!done.read.is_empty()).then(|| hex::encode(&done.read)),
        messages: done.messages.iter().map(message).collect(),
    }
}

fn message(m: &Message) -> MessageReport {
    let what = m
        .token
        .map_or("reserved".into(), |token| words::signal(token, m.c_st, m.node_id, m.multi_g));
    MessageReport { from: m.from, what, data: hex::encode(&m.data) }
}

/// A fault changed this frame.
fn met(run: &BoardsRun, link: usize, frame: u64, kind: FaultKind) -> bool {
    run.ring.faults_met(link).contains(&(frame, kind))
}

fn warnings(plan: &BoardsPlan, run: &BoardsRun, acts: &[ActReport]) -> Vec<FileError> {
    let faults = plan.scenario.faults.iter();
    let faults: Vec<bool> = faults.map(|f| met(run, f.link, f.frame, f.kind)).collect();
    let mut hits = vec![false; plan.hits.len()];
    for InjectedFault { frame, fault, hit } in &run.struck {
        hits[*hit] |= met(run, frame.link, frame.frame, *fault);
    }
    let mut left = BTreeMap::new();
    for act in acts.iter().filter(|act| act.ending == "not_begun") {
        *left.entry(act.board).or_default() += 1;
    }
    plan.marks.warnings(run.ring.cycle().0, &faults, &hits, &left)
}

fn faults(plan: &BoardsPlan, run: &BoardsRun) -> Vec<FaultReport> {
    let mut all: Vec<FaultReport> = Vec::new();
    for fault in &plan.scenario.faults {
        all.push(FaultReport {
            link: fault.link,
            frame: Some(fault.frame),
            cycle: None,
            what: fault::text(fault.kind),
            happened: met(run, fault.link, fault.frame, fault.kind),
        });
    }
    for InjectedFault { frame, fault, .. } in &run.struck {
        let what = words::frame(frame.token, frame.c_st, frame.source);
        all.push(FaultReport {
            link: frame.link,
            frame: Some(frame.frame),
            cycle: Some(frame.cycle),
            what: format!("{what}: {}", fault::text(*fault)),
            happened: met(run, frame.link, frame.frame, *fault),
        });
    }
    for (i, hit) in plan.hits.iter().enumerate() {
        if run.struck.iter().all(|struck| struck.hit != i) {
            let (what, cycle) = (fault::text(hit.fault), None);
            all.push(FaultReport { link: hit.link, frame: None, cycle, what, happened: false });
        }
    }
    all
}

fn state(run: &BoardsRun, i: usize) -> StateReport {
    let smb: &Smb = run.ring.board(i);
    let node = Counter::ALL.iter().map(|c| (c.name(), count(smb, *c)));
    let board = BoardCounter::ALL.iter().map(|c| (c.name(), count(smb, *c)));
    let dead = !run.ring.live().any(|live| live == i);
    let stalled = [smb.u_data.retries_q, smb.u_signal.retries_q].contains(&LIMIT);
    let states = [
        ("synced", smb.u_control.synced_q),
        ("monitor", smb.u_control.active_q),
        ("stalled", stalled),
    ]
    .into_iter();
    StateReport {
        node_id: smb.u_regs.node_id_q,
        is: if dead { vec!["dead"] } else { states.filter(|s| s.1).map(|s| s.0).collect() },
        tokens: smb.u_node.u_arbiter.held_q,
        mailbox: u32::from(smb.u_mailbox.wr_q.wrapping_sub(smb.u_mailbox.rd_q))
            & ((2 << board::MAIL_W) - 1),
        counters: node.chain(board).filter(|(_, count)| *count != 0).collect(),
    }
}
