// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lock of all rings: a count that each process reads, and writes one higher.

use super::{LIMIT, NOTHING, Step, boxed, mesh, put, run};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_request::{Answer, Feature, Got, Refused, Request};
use awgstar_rings::RingNumber;
use awgstar_rings::machine::{Counts, Mesh, OWN_LOCKS, Pace};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// The count, in the memory of ring 0.
const COUNT: ByteAddress = ByteAddress(1024);

/// Who had the lock, in the order of the count: ring, node, from and until which cycle.
type Turns = Vec<(u16, u8, Cycle, Cycle)>;

/// A process: so many times it takes the lock, reads the count, writes one more, and gives the lock up.
fn counter(
    (ring, node, lock): (u16, u8, u32),
    rounds: usize,
    turns: Arc<Mutex<Turns>>,
) -> impl FnMut(&Answer) -> Request {
    let (mut step, mut done, mut since) = (0, 0, Cycle(0));
    move |answer| {
        answer.got.as_ref().unwrap();
        let now = answer.now.cycle();
        step += 1;
        match step {
            1 if done == rounds => Request::End,
            1 => Request::Lock(lock),
            2 => {
                since = now;
                match ring {
                    0 => Request::read(COUNT),
                    _ => Request::FarRead { ring: 0, address: COUNT, words: 1 },
                }
            }
            3 => {
                let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
                let count = match &answer.got {
                    Ok(Got::Bytes(bytes)) => word(bytes),
                    _ => answer.word(),
                };
                match ring {
                    0 => Request::write(COUNT, count + 1),
                    _ => Request::FarWrite { ring: 0, address: COUNT, data: [count + 1].into() },
                }
            }
            4 => {
                turns.lock().unwrap().push((ring, node, since, now));
                Request::Unlock(lock)
            }
            _ => {
                (step, done) = (1, done + 1);
                if done == rounds { Request::End } else { Request::Lock(lock) }
            }
        }
    }
}

fn count(mesh: &Mesh, threads: usize, lock: u32, rounds: usize) -> (Turns, Counts, u32) {
    let turns = Arc::new(Mutex::new(Turns::new()));
    let mut rings = mesh
        .build(|ring, node| {
            Some(boxed(counter((ring.0, node.0, lock), rounds, Arc::clone(&turns))))
        })
        .unwrap();
    rings.run(NonZeroUsize::new(threads).unwrap(), LIMIT).unwrap();
    let mut turns = std::mem::take(&mut *turns.lock().unwrap());
    turns.sort_by_key(|turn| turn.2);
    let replica = &rings.sides()[0].ring.ring().board(1).u_memory.mem;
    (turns, rings.counts(), replica[COUNT.word()])
}

/// One after the other, each finds what the one before has written, on any number of threads.
#[test]
fn one_process_at_a_time() {
    for lock in [0, 1] {
        let of = |threads| count(&mesh(3, 4), threads, lock, 4);
        let (turns, counts, last) = of(1);
        assert_eq!((turns.len(), last), (9 * 4, 9 * 4));
        assert!(turns.windows(2).all(|pair| pair[0].3 < pair[1].2), "{turns:?}");
        assert_eq!(of(3), (turns, counts, last));
    }
}

/// Rings have the lock by turns, and so have the processes of a ring.
#[test]
fn none_starves() {
    let (turns, ..) = count(&mesh(3, 4), 1, 0, 6);
    assert_eq!(turns.len(), 9 * 6);
    let all: Vec<(u16, u8)> = turns.iter().map(|turn| (turn.0, turn.1)).collect();
    for (at, one) in all.iter().enumerate().take(36) {
        let again = all[at + 1..].iter().position(|other| other == one);
        assert!(again.is_none_or(|others| others <= 9), "{at}: {all:?}");
    }
}

/// Gateways that begin again, and bit errors: the count is right, and no two processes have the lock.
#[test]
fn gateways_begin_again() {
    let (mut restarts, mut gone) = (0, 0);
    let link = Pace { latency: Cycle(300), word: Cycle(20) };
    for seed in 0..12 {
        let mut mesh = Mesh { timeout: Cycle(3_000), link, ..mesh(3, 3) };
        mesh.setup.scenario.noise.rate = if seed % 3 == 0 { 1 << 15 } else { 0 };
        mesh.setup.scenario.noise.seed = seed;
        mesh.restarts = (0..3)
            .map(|ring| {
                let at = |n: u64| Cycle(300 + n * (1_013 + 97 * seed) + 331 * u64::from(ring));
                (RingNumber(ring), (0..16).map(at).collect())
            })
            .collect();
        let (turns, counts, last) = count(&mesh, 1, u32::from(seed % 2 == 1), 4);
        assert_eq!((turns.len(), last), (6 * 4, 6 * 4), "{seed}");
        assert!(turns.windows(2).all(|pair| pair[0].3 < pair[1].2), "{seed}: {turns:?}");
        (restarts, gone) = (restarts + counts.restarts, gone + counts.lost);
    }
    assert!(restarts > 400 && gone > 40, "{restarts} {gone}");
}

#[test]
fn locks_that_are_not_there() {
    let none = |lock| Err(Refused::NoLock(lock));
    let steps = |ring: u16, node: u8| -> Vec<Step> {
        match (ring, node) {
            (0, 1) => vec![
                (Request::Lock(2), none(2)),
                (Request::Unlock(OWN_LOCKS - 1), none(OWN_LOCKS - 1)),
                (Request::Try(0), Err(Refused::NotOffered(Feature::Tries))),
                (Request::Unlock(1), Err(Refused::Holding(1))),
                (Request::Lock(1), NOTHING),
                (Request::Lock(1), Err(Refused::Holding(1))),
                // A lock of the ring, within one of all rings, and a far write.
                (Request::Lock(OWN_LOCKS), NOTHING),
                put(1, 64, &[1]),
                (Request::Unlock(OWN_LOCKS), NOTHING),
                (Request::Unlock(1), NOTHING),
                (Request::Unlock(1), Err(Refused::Holding(1))),
            ],
            _ => Vec::new(),
        }
    };
    let (log, ..) = run(&mesh(2, 3), 1, steps).unwrap();
    assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 11));
}

/// A process that waits for a lock which its holder has ended with: the run says so.
#[test]
fn a_lock_that_is_never_given_up() {
    let process = |ring: RingNumber, node: NodeId| {
        let mut at = 0;
        move |_: &Answer| {
            at += 1;
            match (ring.0, node.0, at) {
                (0, 1, 1) | (1, 1, 2) => Request::Lock(0),
                (1, 1, 1) => Request::wait(Cycle(5_000)),
                _ => Request::End,
            }
        }
    };
    let mut rings = mesh(2, 2).build(|ring, node| Some(boxed(process(ring, node)))).unwrap();
    let error = rings.run(NonZeroUsize::MIN, LIMIT).unwrap_err();
    assert!(error.to_string().contains("ring 1"), "{error}");
}
