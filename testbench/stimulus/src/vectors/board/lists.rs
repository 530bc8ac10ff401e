// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a board with an engine about its lists: one node, several and all wait, each of them leaves, numbers
//! wrap, a message and a command in one cycle. They are played by the lockstep and `conform`; no file is written of
//! them.

use super::engine::{FIRST, ME, arrival, pass, prepared, request, started};
use super::script::Script;
use crate::StimulusError;
use crate::board::BoardStimulus;
use crate::board::engine::parameters;
use crate::board::stimulus::BoardFrame;
use crate::case::Case;
use crate::deposit::{Deposit, due};
use crate::machine::{self, Track};
use crate::node::directed::Named;
use awgstar::contract::board;
use awgstar::quantity::{Cycle, narrow};
use awgstar::rtl::Smb;

/// Cycles from a message to the next one.
const NEXT: u64 = 24;
/// Cycles from a message to the next one if the board answers, and its signal returns.
const ANSWER: u64 = 110;
/// The lock that is here at the start.
const LOCK: u32 = 0;

/// A run with the cycle of its next message and the number of the last hand-over of [`LOCK`].
struct Story {
    script: Script,
    at: u64,
    epoch: u16,
}

impl Story {
    fn new(cycles: u64) -> Self {
        Story { script: started(cycles), at: FIRST, epoch: 0 }
    }

    /// A request; it is not answered.
    fn asks(mut self, node: u8, tag: u16) -> Self {
        // A request of this node comes from elsewhere.
        let source = if node == ME { 1 } else { node };
        let frame = BoardFrame { node_id: node, ..request(source, LOCK, tag) };
        self.script = self.script.at(self.at, frame);
        self.at += NEXT;
        self
    }

    /// Another node gives the lock to `node`.
    fn passes(mut self, node: u8, tag: u16, epoch: u16) -> Self {
        self.script = self.script.at(self.at, pass(1, node, LOCK, tag, epoch));
        self.epoch = epoch;
        self.at += NEXT;
        self
    }

    /// The process gives the lock to the first that waits.
    fn releases(mut self) -> Self {
        self.script = self.script.until(self.at).set(&board::LOCK_RELEASE, LOCK);
        self.at += ANSWER;
        self.epoch = self.epoch.wrapping_add(1);
        self
    }

    /// The lock comes here, and goes to the next that waits, `times` times.
    fn goes_on(mut self, times: u16) -> Self {
        for _ in 0..times {
            let epoch = self.epoch.wrapping_add(1);
            self = self.passes(ME, 0x4000, epoch);
            self.epoch = self.epoch.wrapping_add(1);
            self.at += ANSWER - NEXT;
        }
        self
    }

    /// The lock comes here, no node waits, and the process takes it.
    fn comes(mut self) -> Self {
        let epoch = self.epoch.wrapping_add(1);
        self = self.passes(ME, 0x4000, epoch);
        self.script = self.script.until(self.at).set(&board::LOCK_ACQUIRE, LOCK);
        self.at += NEXT;
        self
    }

    fn done(self, name: &str) -> Named<BoardStimulus> {
        let script = self.script.until(self.at).is(&board::LOCK_OWNED, 0).is(&board::LOCK_HELD, 0);
        named(name, &script, self.at + 40)
    }
}

fn named(name: &str, script: &Script, cycles: u64) -> Named<BoardStimulus> {
    Named {
        name: name.to_owned(),
        requirements: vec!["ENG-1", "ENG-2"],
        case: BoardStimulus { cycles: Cycle(cycles), ..script.stimulus() },
    }
}

/// All four nodes wait, and one of them leaves because it got the lock elsewhere: one in the middle, the last, the
/// first, the only one. After each the others get the lock in their order.
fn served_elsewhere() -> Named<BoardStimulus> {
    let mut s = Story::new(0);
    s.script = s.script.set(&board::LOCK_ACQUIRE, LOCK);
    let nodes = [0, 1, 3, ME];
    for (round, gone) in (0u16..).zip([1, ME, 0]) {
        let tag = 1 + round;
        s = nodes.into_iter().fold(s, |s, node| s.asks(node, tag));
        let epoch = s.epoch.wrapping_add(1);
        s = s.passes(gone, tag, epoch).releases().goes_on(2).comes();
    }
    let epoch = s.epoch.wrapping_add(1);
    s = s.asks(3, 9).passes(3, 9, epoch).asks(1, 9).asks(0, 9).releases().goes_on(1);
    s.done("list_served_elsewhere")
}

/// All four nodes wait, and one of them asks with a new request, which puts it at the end: one in the middle, the
/// last, the first, the only one. A request that comes again, or an old one, changes nothing.
fn asks_anew() -> Named<BoardStimulus> {
    let mut s = Story::new(0);
    s.script = s.script.set(&board::LOCK_ACQUIRE, LOCK);
    let nodes = [3, 0, 1, ME];
    for (round, anew) in (0u16..).zip([0, ME, 3]) {
        let tag = 10 * (1 + round);
        s = nodes.into_iter().fold(s, |s, node| s.asks(node, tag));
        s = s.asks(anew, tag + 5).asks(anew, tag + 5).asks(1, tag).asks(anew, tag + 1);
        s = s.releases().goes_on(3).comes();
    }
    s = s.asks(0, 90).asks(0, 91).asks(1, 90).releases().goes_on(1);
    s.done("list_asks_anew")
}

/// Numbers of requests and of hand-overs go from their maximum to 0 and on: while a node waits and while none does, by
/// a message and by the board's own pass.
fn wraps() -> Named<BoardStimulus> {
    let mut s = Story::new(0);
    s.script = s.script.set(&board::LOCK_ACQUIRE, LOCK);
    for node in [0, 1, 3] {
        s = s.asks(node, 0x7fff).asks(node, 0xfffe);
    }
    // The first waits with the highest number, then with 0; the last goes back to a low one at once.
    s = s.asks(0, 0xffff).asks(0, 0).asks(0, 0xffff).asks(3, 0x7000).asks(3, 0xfffe).asks(1, 1);
    s = s.passes(ME, 0x4000, 0x7fff).passes(ME, 0x4000, 0xfffe).passes(ME, 0x4000, 0xffff);
    // What is given away now has number 0.
    s = s.releases().goes_on(2).comes();
    s = s.asks(0, 1).asks(1, 2).passes(ME, 0x4000, 0x7ffe).passes(ME, 0x4000, 0xfff0);
    s = s.passes(3, 0xfffe, 2).passes(3, 0xfffe, 0xffff);
    s.epoch = 2;
    s = s.releases().goes_on(1);
    s.done("list_wraps")
}

/// Cycle of message `n` while the host writes one command after the other, with pauses that differ, so that a message
/// comes in each cycle of a command.
const fn dense(n: u64) -> u64 {
    FIRST + n * 47 / 2
}

/// Requests and passes of one lock come while the process takes it and gives it back without a pause: some are taken
/// in the cycle of a command.
fn at_once() -> Named<BoardStimulus> {
    let mut s = started(0);
    let messages = 100;
    for n in 0..messages {
        let at = dense(n);
        let round = narrow::<u16>(n / 2);
        let back = pass(1, ME, LOCK, 0x4000, 2 + 2 * round);
        s = s.at(at, if n % 2 == 0 { request(1, LOCK, 1 + round) } else { back });
    }
    s = s.until(FIRST);
    for n in 0..110 {
        s = s.wait(6 + n % 7).set(&board::LOCK_ACQUIRE, LOCK);
        s = s.wait(6 + n % 5).set(&board::LOCK_RELEASE, LOCK);
    }
    named("list_at_once", &s, dense(messages + 8))
}

/// The same for arrivals of members and of the process.
fn arrivals_at_once() -> Named<BoardStimulus> {
    let mut s = started(0);
    let messages = 45;
    for n in 0..messages {
        let node = [0, 3, 1][narrow::<usize>(n % 3)];
        s = s.at(dense(n), arrival(node, 0, narrow(n / 3)));
    }
    s = s.until(FIRST);
    for n in 0..90 {
        s = s.wait(6 + n % 7).set(&board::BARRIER_ARRIVE, 0);
    }
    named("list_arrivals_at_once", &s, dense(messages + 8))
}

/// Members arrive: the first, others, one twice, one that is none, the last one; then one of the next episode. The
/// process is the first, in between, and the last. Arrivals of all barriers wait to be sent.
fn barriers() -> Named<BoardStimulus> {
    let mut s = prepared(0, ME).set(&board::BARRIER_ENABLE, 0xff).set(&board::ENGINE_RETRY, 400);
    for barrier in 4..8 {
        s = s.set_word(&board::BARRIER_MEMBERS, 8 * barrier, 0b1111);
    }
    s = s.ring(12, ME).set(&board::CONTROL, 1).until(190);
    let mut at = FIRST;
    // Without the process: it comes in between, then last, then first.
    for (episode, before) in (0u16..).zip([2, 3, 0]) {
        for (n, node) in [3, 0, 1].into_iter().enumerate() {
            if n == before {
                s = s.until(at).set(&board::BARRIER_ARRIVE, 0);
                at += ANSWER;
            }
            s = s.at(at, arrival(node, 0, episode)).at(at + NEXT, arrival(node, 0, episode));
            at += 2 * NEXT;
        }
        if before == 3 {
            s = s.until(at).set(&board::BARRIER_ARRIVE, 0);
        }
        at += ANSWER;
    }
    // Node 3 is no member of barrier 1; the process waits there when one of the next episode comes.
    s = s.until(at).set(&board::BARRIER_ARRIVE, 1).at(at, arrival(3, 1, 0));
    s = s.at(at + ANSWER, arrival(1, 1, 1)).until(at + 2 * ANSWER).set(&board::BARRIER_ARRIVE, 1);
    at += 3 * ANSWER;
    // All barriers at once: while the first arrival is being sent, its barrier is asked for it again.
    s = s.until(at);
    for barrier in 4..8 {
        s = s.set(&board::BARRIER_ARRIVE, barrier);
    }
    for barrier in 0..4 {
        s = s.set(&board::BARRIER_ARRIVE, barrier);
    }
    s = s.at(at + 20, BoardFrame { node_id: ME, ..arrival(1, 4, 0) });
    at += 1600;
    s = s.until(at).is(&board::BARRIER_WAITING, 0);
    Named { requirements: vec!["ENG-4", "ENG-5"], ..named("list_of_barriers", &s, at + 40) }
}

/// The runs, for the board's ports alone.
#[must_use]
pub fn lists() -> Vec<Named<BoardStimulus>> {
    vec![served_elsewhere(), asks_anew(), wraps(), at_once(), arrivals_at_once(), barriers()]
}

/// A run in which the board's own numbers wrap: those of its requests and of the episodes of its barriers. A board would
/// come there after 65,535 of them, so the memories are set when they are cleared; it is not for designs of others.
///
/// # Errors
/// None: the stimulus is a good one.
pub fn own_numbers_wrap() -> Result<Named<Case<Smb>>, StimulusError> {
    let mut s = started(0);
    let mut at = FIRST;
    for round in 0..3u16 {
        // Words of a memory differ by their number: lock 1 and barrier 1 begin with 0xfffe, lock 2 with 0xfffd.
        for lock in 1..3u32 {
            let number = (0xffff ^ narrow::<u16>(lock)).wrapping_add(1 + round);
            let epoch = 1 + 2 * round;
            s = s.until(at).set(&board::LOCK_ACQUIRE, lock);
            s = s.at(at + ANSWER, pass(1, ME, lock, number, epoch));
            s = s.until(at + ANSWER + 3 * NEXT).set(&board::LOCK_RELEASE, lock);
            s = s.at(at + 2 * ANSWER, request(1, lock, 1 + round));
            at += 3 * ANSWER;
        }
        for barrier in 0..2u8 {
            let episode = (0xffff ^ u16::from(barrier)).wrapping_add(round);
            s = s.at(at, arrival(0, barrier, episode)).until(at + NEXT);
            s = s.set(&board::BARRIER_ARRIVE, barrier.into());
            for (k, node) in (0u64..).zip([1, 3]) {
                s = s.at(at + ANSWER + k * NEXT, arrival(node, barrier, episode));
            }
            at += 2 * ANSWER;
        }
    }
    let run = named("own_numbers_wrap", &s, at + 40);
    let deposit = |path: &str| Deposit {
        cycle: Cycle(FIRST - 10),
        path: format!("u_engine.{path}"),
        value: 0xffff,
    };
    let deposits = vec![deposit("u_lock.tags"), deposit("u_barrier.episodes")];
    let mut inputs = Vec::new();
    let mut bench = Case::alone(run.case).bench_with(&parameters())?;
    while !bench.done() {
        let now = due(&deposits, Cycle(inputs.len() as u64));
        machine::deposit(bench.node_mut(0), &now);
        bench.step(&mut |_, _: &Smb, i, _| inputs.push(*i));
    }
    let case = Case::fed(Track { inputs, deposits });
    Ok(Named { name: run.name, requirements: vec!["ENG-1", "ENG-4"], case })
}
