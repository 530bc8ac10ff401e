// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a board with an engine about its lists. The lockstep and `conform` play them; no file is written of them.
//! Most are stories, in `lists.toml`. Those here stay in Rust because they are loops whose numbers do not grow evenly:
//! a message in each cycle of a command, and numbers that follow from those that are deposited.

use crate::StimulusError;
use crate::board::BoardStimulus;
use crate::board::engine::parameters;
use crate::board::parts::write;
use crate::board::stimulus::{BoardFrame, HostAccess};
use crate::case::Case;
use crate::deposit::{Deposit, due};
use crate::machine::{self, Track};
use crate::node::directed::Named;
use crate::place::FileErrors;
use crate::vectors::story::{self, Script, Story, message};
use awgstar::contract::{
    Signal,
    board::{self, Register},
};
use awgstar::quantity::{Cycle, narrow};
use awgstar::rtl::Smb;
use std::sync::LazyLock;

/// Cycles from a message to the next one.
const NEXT: u64 = 24;
/// Cycles from a message to the next one if the board answers, and its signal returns.
const ANSWER: u64 = 110;
/// The lock that is here at the start.
const LOCK: u32 = 0;
/// Node_ID of the board.
const ME: u8 = 2;
/// Cycle of the first frame on the link.
const FIRST: u64 = 300;

fn request(source: u8, lock: u32, tag: u16) -> BoardFrame {
    let values = [("lock_number", lock), ("tag", tag.into())];
    message(source, Signal::LockQueueRequest, &values)
}

/// A pass of `lock` to the request `tag` of this board.
fn pass(lock: u32, tag: u16, epoch: u16) -> BoardFrame {
    let values = [("lock_number", lock), ("tag", tag.into()), ("epoch", epoch.into())];
    BoardFrame { node_id: ME, ..message(1, Signal::LockQueuePass, &values) }
}

fn arrival(source: u8, barrier: u8, tag: u16) -> BoardFrame {
    let values = [("barrier_number", barrier.into()), ("tag", tag.into())];
    message(source, Signal::BarrierRingArrival, &values)
}

/// The host writes a register after so many cycles.
fn set(script: &mut Script, gap: u16, register: &Register, value: u32) {
    script.access(HostAccess { gap, ..write(register.offset, value) });
}

fn named(name: &str, script: Script, cycles: u64) -> Named<BoardStimulus> {
    Named {
        name: name.to_owned(),
        requirements: vec!["ENG-1", "ENG-2"],
        case: BoardStimulus { cycles: Cycle(cycles), ..script.stimulus },
    }
}

/// Cycle of message `n` while the host writes one command after the other, with pauses that differ, so that a message
/// comes in each cycle of a command.
const fn dense(n: u64) -> u64 {
    FIRST + n * 47 / 2
}

/// Requests and passes of one lock come while the process takes it and gives it back without a pause: some are taken
/// in the cycle of a command.
fn at_once() -> Result<Named<BoardStimulus>, FileErrors> {
    let mut s = story::started()?;
    let messages = 100;
    for n in 0..messages {
        let round = narrow::<u16>(n / 2);
        let back = pass(LOCK, 0x4000, 2 + 2 * round);
        s.put(dense(n), if n % 2 == 0 { request(1, LOCK, 1 + round) } else { back });
    }
    s.until(FIRST);
    for n in 0..110 {
        set(&mut s, 6 + n % 7, &board::LOCK_ACQUIRE, LOCK);
        set(&mut s, 6 + n % 5, &board::LOCK_RELEASE, LOCK);
    }
    Ok(named("list_at_once", s, dense(messages + 8)))
}

/// The same for arrivals of members and of the process.
fn arrivals_at_once() -> Result<Named<BoardStimulus>, FileErrors> {
    let mut s = story::started()?;
    let messages = 45;
    for n in 0..messages {
        let node = [0, 3, 1][narrow::<usize>(n % 3)];
        s.put(dense(n), arrival(node, 0, narrow(n / 3)));
    }
    s.until(FIRST);
    for n in 0..90 {
        set(&mut s, 6 + n % 7, &board::BARRIER_ARRIVE, 0);
    }
    Ok(named("list_arrivals_at_once", s, dense(messages + 8)))
}

/// The runs, for the board's ports alone.
///
/// # Errors
/// Mistakes in the file of stories.
pub fn lists() -> Result<Vec<Named<BoardStimulus>>, StimulusError> {
    static ALL: LazyLock<Result<Vec<Story<BoardStimulus>>, FileErrors>> =
        LazyLock::new(story::lists);
    let stories = ALL.as_ref().map_err(Clone::clone)?;
    let mut all: Vec<_> = stories.iter().map(Story::named).collect();
    all.extend([at_once()?, arrivals_at_once()?]);
    Ok(all)
}

/// A run in which the board's own numbers wrap: those of its requests and of the episodes of its barriers. A board would
/// come there after 65,535 of them, so the memories are set when they are cleared; it is not for designs of others.
///
/// # Errors
/// Mistakes in the file of stories.
pub fn own_numbers_wrap() -> Result<Named<Case<Smb>>, StimulusError> {
    let mut s = story::started()?;
    let mut at = FIRST;
    for round in 0..3u16 {
        // Words of a memory differ by their number: lock 1 and barrier 1 begin with 0xfffe, lock 2 with 0xfffd.
        for lock in 1..3u32 {
            let number = (0xffff ^ narrow::<u16>(lock)).wrapping_add(1 + round);
            s.until(at);
            set(&mut s, 0, &board::LOCK_ACQUIRE, lock);
            s.put(at + ANSWER, pass(lock, number, 1 + 2 * round));
            s.until(at + ANSWER + 3 * NEXT);
            set(&mut s, 0, &board::LOCK_RELEASE, lock);
            s.put(at + 2 * ANSWER, request(1, lock, 1 + round));
            at += 3 * ANSWER;
        }
        for barrier in 0..2u8 {
            let episode = (0xffff ^ u16::from(barrier)).wrapping_add(round);
            s.put(at, arrival(0, barrier, episode));
            s.until(at + NEXT);
            set(&mut s, 0, &board::BARRIER_ARRIVE, barrier.into());
            for (k, node) in (0u64..).zip([1, 3]) {
                s.put(at + ANSWER + k * NEXT, arrival(node, barrier, episode));
            }
            at += 2 * ANSWER;
        }
    }
    let run = named("own_numbers_wrap", s, at + 40);
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

#[cfg(test)]
mod tests {
    use super::{Case, Smb, parameters, story};
    use crate::vector::track_of;
    use crate::vectors::board::host_answers;
    use awgstar::rtl::state::State as _;

    /// The stories have no files that hold their answers.
    #[test]
    fn hosts_get_what_was_written_by_hand() {
        for story in story::lists().unwrap() {
            let case = Case::alone(story.stimulus);
            let track = track_of::<Smb>(&case, 0, &parameters()).unwrap();
            let mut board = Smb::new(&parameters());
            let cycles = track.inputs.iter().map(|i| (i, board.step(i)));
            assert_eq!(host_answers(cycles), story.answers, "{}", story.name);
        }
    }
}
