// SPDX-License-Identifier: MIT OR Apache-2.0
//! Report of a run, as text and JSON.

use crate::run::gen1::{Gen1Plan, Gen1Run, first_difference};
use awgstar::quantity::{ByteAddress, Nanoseconds};
use awgstar_thesis::gen1::{Activity, Primitive, record::Happened};
use serde::Serialize;
use std::fmt::Write;

/// A run in figures.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Title that the file gives.
    pub title: String,
    /// The end in ns.
    pub end_ns: Nanoseconds,
    /// A rotation of the token alone, in ns.
    pub rotation_ns: Nanoseconds,
    /// Each process's time by activity, in ns.
    pub processes: Vec<Times>,
    /// Periods in which a process held a lock.
    pub locks: Vec<LockHold>,
    /// Time from the last arrival to the last departure of each episode of the barrier, in ns.
    pub barriers_ns: Vec<Nanoseconds>,
    /// Processes that did not come to their end, and what they wait for.
    pub waiting: Vec<Waiting>,
    /// Words that were to be shown: address and what each replica has.
    pub words: Vec<Word>,
    pub replicas_equal: bool,
    /// Frames attached.
    pub frames: u64,
    /// Bytes of data in them.
    pub bytes: u64,
    /// Bytes of the longest train.
    pub longest_train: u64,
    /// Frames attached again.
    pub sent_again: u64,
    pub tokens_lost: u64,
    /// Tokens made again.
    pub tokens_made: u64,
    /// The token is lost for good.
    pub halted: bool,
}

/// Time of a process by activity, in ns.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Times {
    pub compute: Nanoseconds,
    pub access: Nanoseconds,
    pub dma: Nanoseconds,
    pub sync: Nanoseconds,
    pub lock: Nanoseconds,
    pub barrier: Nanoseconds,
}

/// A lock in a process's hands.
#[derive(Clone, Debug, Serialize)]
pub struct LockHold {
    /// Lock number.
    pub lock: u32,
    pub process: usize,
    /// When it asked, in ns.
    pub asked_ns: Nanoseconds,
    /// When it had it, in ns.
    pub got_ns: Nanoseconds,
    /// When it gave it back, in ns; nothing when it did not.
    pub left_ns: Option<Nanoseconds>,
}

/// A process that waits at the end.
#[derive(Clone, Debug, Serialize)]
pub struct Waiting {
    pub process: usize,
    /// Request that is not answered; nothing if there is none.
    pub request: Option<String>,
}

/// A word of the shared memory.
#[derive(Clone, Debug, Serialize)]
pub struct Word {
    pub addr: ByteAddress,
    /// Value of the word in each replica.
    pub values: Vec<u32>,
}

fn times(run: &Gen1Run, node: usize) -> Times {
    let mut times = Times::default();
    for span in run.system.spans(node) {
        let sum = match span.activity {
            Activity::Compute => &mut times.compute,
            Activity::Access => &mut times.access,
            Activity::Dma => &mut times.dma,
            Activity::Sync => &mut times.sync,
            Activity::Lock => &mut times.lock,
            Activity::Barrier => &mut times.barrier,
        };
        *sum += span.to - span.from;
    }
    times
}

/// Computes the periods in which locks were held, and the durations of the barriers.
fn requests(run: &Gen1Run, processes: usize) -> (Vec<LockHold>, Vec<Nanoseconds>) {
    let mut locks: Vec<LockHold> = Vec::new();
    let mut asked: Vec<Nanoseconds> = vec![Nanoseconds(0); processes];
    let (mut episodes, mut count) = (Vec::new(), vec![0_usize; processes]);
    for record in &run.records {
        let process = record.node;
        match &record.what {
            Happened::Asked(request) => {
                asked[process] = record.at;
                if *request == Primitive::Barrier {
                    let episode = count[process];
                    episodes
                        .resize(episodes.len().max(episode + 1), (Nanoseconds(0), Nanoseconds(0)));
                    episodes[episode].0 = record.at;
                } else if let Primitive::Unlock(lock) = request {
                    let mut held = locks.iter_mut().rev();
                    if let Some(held) = held.find(|h| h.process == process && h.lock == *lock) {
                        held.left_ns = Some(record.at);
                    }
                }
            }
            Happened::Answered(Primitive::Lock(lock)) => {
                let (asked_ns, got_ns) = (asked[process], record.at);
                locks.push(LockHold { lock: *lock, process, asked_ns, got_ns, left_ns: None });
            }
            Happened::Answered(Primitive::Barrier) => {
                episodes[count[process]].1 = record.at;
                count[process] += 1;
            }
            _ => {}
        }
    }
    let passed = |&(last, out): &(Nanoseconds, Nanoseconds)| out.saturating_sub(last);
    let whole = count.iter().min().copied().unwrap_or(0);
    (locks, episodes.iter().take(whole).map(passed).collect())
}

/// Makes the report of a run.
#[must_use]
pub fn report(plan: &Gen1Plan, run: &Gen1Run) -> Outcome {
    let ring = run.system.ring();
    let processes = ring.line().nodes();
    let (locks, barriers_ns) = requests(run, processes);
    let waiting = run.system.unfinished().into_iter();
    let counters = *run.system.counters();
    Outcome {
        title: plan.title.clone(),
        end_ns: Nanoseconds(run.end),
        rotation_ns: ring.line().rotation(),
        processes: (0..processes).map(|node| times(run, node)).collect(),
        locks,
        barriers_ns,
        waiting: waiting
            .map(|(process, request)| {
                let asked = request.as_ref().and_then(Primitive::of);
                Waiting { process, request: asked.map(Primitive::text) }
            })
            .collect(),
        words: plan
            .show
            .iter()
            .map(|&addr| {
                let values = (0..processes).map(|node| ring.memory(node).word(addr)).collect();
                Word { addr, values }
            })
            .collect(),
        replicas_equal: first_difference(ring).is_none(),
        frames: counters.attached,
        bytes: counters.bytes,
        longest_train: counters.longest_train,
        sent_again: counters.sent_again,
        tokens_lost: counters.tokens_lost,
        tokens_made: counters.tokens_made,
        halted: ring.halted(),
    }
}

/// ns as µs.
fn us(ns: Nanoseconds) -> String {
    format!("{}.{:03}", ns.0 / 1000, ns.0 % 1000)
}

impl Outcome {
    /// The report as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut t = String::new();
        if !self.title.is_empty() {
            let _ = writeln!(t, "{}\n", self.title);
        }
        let _ = writeln!(
            t,
            "{} processes, a rotation of the token alone takes {} µs; end at {} µs\n",
            self.processes.len(),
            us(self.rotation_ns),
            us(self.end_ns)
        );
        let names = ["compute", "access", "dma", "sync", "lock", "barrier"];
        let heads: Vec<String> = names.iter().map(|name| format!("{name:>14}")).collect();
        let _ = writeln!(t, "process{}  µs", heads.concat());
        for (process, p) in self.processes.iter().enumerate() {
            let all = [p.compute, p.access, p.dma, p.sync, p.lock, p.barrier];
            let cells: Vec<String> = all.iter().map(|ns| format!("{:>14}", us(*ns))).collect();
            let _ = writeln!(t, "{process:7}{}", cells.concat());
        }
        if !self.locks.is_empty() {
            let _ = writeln!(t, "\nlock  process      asked µs        got µs       left µs");
        }
        for LockHold { lock, process, asked_ns, got_ns, left_ns } in &self.locks {
            let left = left_ns.map_or("-".into(), us);
            let (asked, got) = (us(*asked_ns), us(*got_ns));
            let _ = writeln!(t, "{lock:4}  {process:7}{asked:>14}{got:>14}{left:>14}");
        }
        for (episode, ns) in self.barriers_ns.iter().enumerate() {
            let _ = writeln!(
                t,
                "{}barrier {}: {} µs from the last arrival to the last departure",
                if episode == 0 { "\n" } else { "" },
                episode + 1,
                us(*ns)
            );
        }
        let _ = writeln!(
            t,
            "\n{} frames attached, {} B of data; longest train {} B; {} sent again; {} tokens lost, {} made again",
            self.frames,
            self.bytes,
            self.longest_train,
            self.sent_again,
            self.tokens_lost,
            self.tokens_made
        );
        for Word { addr, values } in &self.words {
            let list: Vec<String> = values.iter().map(ToString::to_string).collect();
            let _ = writeln!(t, "word at {addr:#x}: {}", list.join(" "));
        }
        let equal = if self.replicas_equal { "equal" } else { "NOT equal" };
        let _ = write!(t, "replicas: {equal}");
        if self.halted {
            let _ =
                write!(t, "\nTHE RING HALTED: its token is lost, and no node makes another one");
        }
        for Waiting { process, request } in &self.waiting {
            let what =
                request.as_ref().map_or("was not done".to_string(), |r| format!("waits for {r}"));
            let _ = write!(t, "\nPROCESS {process} NEVER ENDED: it {what}");
        }
        t
    }
}
