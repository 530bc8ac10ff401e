// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cache of words of other rings: a hit is fast, and no read is older than what is known.

use super::{LIMIT, NOTHING, Step, boxed, get, meet, mesh, put, run};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_request::{Answer, Fence, Got, Request};
use awgstar_rings::machine::{Counts, Mesh};
use awgstar_rings::{Cache, RingNumber};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

const CACHE: Option<Cache> = Some(Cache { lines: 8, words: 4 });

/// A read that misses takes the way to the other ring; the next one takes some accesses of the own board.
#[test]
fn a_hit_is_faster_than_a_miss() {
    let steps = |ring: u16, node: u8| match (ring, node) {
        (0, 1) => vec![
            get(1, 64, &[0, 0]),
            get(1, 64, &[0, 0]),
            get(1, 72, &[0, 0]),
            // A line that is not there, and two lines.
            get(1, 80, &[0]),
            get(1, 72, &[0, 0, 0, 0]),
        ],
        _ => Vec::new(),
    };
    let times = |cache| {
        let (log, counts, _) = run(&Mesh { cache, ..mesh(2, 2) }, 1, steps).unwrap();
        assert_eq!(log.wrong, Vec::<String>::new());
        let ends: Vec<u64> = log.answers.iter().map(|one| one.3.0).collect();
        (ends.windows(2).map(|two| two[1] - two[0]).collect::<Vec<_>>(), counts)
    };
    let (cached, counts) = times(CACHE);
    assert_eq!(
        (counts.hits, counts.misses, counts.lines, counts.drops),
        (3, 2, 2, 0),
        "{counts:?}"
    );
    let (plain, none) = times(None);
    assert_eq!((none.hits, none.misses, none.lines, none.drops), (0, 0, 0, 0));
    // Two hits, a miss, and a hit in two lines.
    assert_eq!((cached, plain), (vec![24, 24, 469, 48], vec![400, 400, 396, 429]));
}

/// All clients of a ring want a line at once: it is sent once.
#[test]
fn a_line_is_asked_for_once() {
    let steps = |ring: u16, _: u8| match ring {
        0 => vec![meet(), get(1, 128, &[0, 0, 0, 0])],
        _ => vec![meet()],
    };
    let (log, counts, _) = run(&Mesh { cache: CACHE, ..mesh(2, 6) }, 1, steps).unwrap();
    assert_eq!((log.wrong, counts.lines), (Vec::new(), 1));
}

/// What is written far, and what processes of the ring write before a barrier, is read after it; lines take the places of
/// others meanwhile.
#[test]
fn what_was_written_is_read() {
    let address = |at: u32| 256 + 16 * at;
    let steps = |ring: u16, node: u8| -> Vec<Step> {
        let round = |round: u32| {
            let mut steps = Vec::new();
            let own = address(u32::from(ring) * 3 + u32::from(node));
            steps.push((Request::write(ByteAddress(own), round), NOTHING));
            let other = (ring + 1) % 3;
            let far = 1024 + 16 * u32::from(node);
            steps.extend([put(other, far, &[round, !round]), get(other, far, &[round, !round])]);
            steps.push(meet());
            for to in (0..3).filter(|to| *to != ring) {
                for node in 1..3 {
                    let at = address(u32::from(to) * 3 + node);
                    steps.extend([get(to, at, &[round]), get(to, at, &[round])]);
                    steps.push(get(to, 1024 + 16 * node, &[round, !round]));
                }
            }
            steps.push(meet());
            steps
        };
        (1..=4).flat_map(round).collect()
    };
    for lines in [1, 3, 8] {
        let cache = Some(Cache { lines, words: 4 });
        let of = |threads| run(&Mesh { cache, ..mesh(3, 3) }, threads, steps).unwrap();
        let (log, counts, end) = of(1);
        assert_eq!((log.wrong.clone(), log.answers.len()), (Vec::new(), 6 * 4 * (5 + 12)));
        assert!(counts.hits > 50 && counts.drops > 10, "{lines}: {counts:?}");
        assert_eq!(of(3), (log, counts, end), "{lines}");
    }
}

/// Begin, end and value of a far read or a far write of a word.
#[derive(Clone, Copy, Debug)]
struct Seen {
    begin: u64,
    end: u64,
    word: u32,
    value: u32,
    far_write: bool,
}

/// The words: the first one is written far, the second one by a process of its ring.
const FAR: u32 = 512;
const OWN: u32 = 656;

/// Gateways begin again and bits are wrong while processes of three rings read two words of one ring. No read is older
/// than a read or an answered far write that had ended when it began.
fn reads(cache: Cache, seed: u64) -> (Vec<Seen>, Counts) {
    let mut mesh = Mesh { cache: Some(cache), timeout: Cycle(3_000), ..mesh(3, 3) };
    if seed > 0 {
        mesh.setup.scenario.noise.rate = 1 << 15;
        mesh.setup.scenario.noise.seed = seed;
        for ring in 0..3_u16 {
            let shift = seed * 131 * (u64::from(ring) + 1) % 1_700;
            let all = (0..25).map(|n| Cycle(6_000 + n * 2_900 + shift)).collect();
            mesh.restarts.insert(RingNumber(ring), all);
        }
    }
    let calls: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let process = |ring: RingNumber, node: NodeId| {
        let calls = Arc::clone(&calls);
        let (mut at, mut asked) = (0_u32, None::<(u64, u32, Option<u32>)>);
        move |answer: &Answer| {
            let now = answer.now.cycle().0;
            if let Some((begin, word, written)) = asked.take() {
                let read = match &answer.got {
                    Ok(Got::Bytes(bytes)) => u32::from_le_bytes(bytes[..].try_into().unwrap()),
                    Ok(Got::Nothing) => 0,
                    other => panic!("{other:?}"),
                };
                let value = written.unwrap_or(read);
                let far_write = written.is_some();
                calls.lock().unwrap().push(Seen { begin, end: now, word, value, far_write });
            }
            at += 1;
            let word = if at % 3 == 0 { FAR } else { OWN };
            match (ring.0, node.0) {
                (0, 1) if at <= 60 => {
                    if at % 2 == 1 {
                        return Request::wait(Cycle(400 + u64::from(at * 37 % 90)));
                    }
                    asked = Some((now, FAR, Some(at)));
                    let data = [at].into();
                    Request::FarWrite { ring: 1, address: ByteAddress(FAR), data }
                }
                (1, 1) if at <= 240 => match at % 4 {
                    1 => Request::write(ByteAddress(OWN), at),
                    2 => Request::Fence(Fence::Confirmed),
                    _ => Request::wait(Cycle(150 + u64::from(at * 31 % 70))),
                },
                (0 | 2, 2) | (2, 1) if at <= 300 => {
                    asked = Some((now, word, None));
                    Request::FarRead { ring: 1, address: ByteAddress(word), words: 1 }
                }
                _ => Request::End,
            }
        }
    };
    let mut rings = mesh.build(|ring, node| Some(boxed(process(ring, node)))).unwrap();
    rings.run(NonZeroUsize::MIN, LIMIT).unwrap_or_else(|error| panic!("{seed}: {error}"));
    let all = calls.lock().unwrap().clone();
    (all, rings.counts())
}

#[test]
fn no_read_is_too_old() {
    let mut sum = Counts::default();
    let mut changes = 0;
    for seed in 0..8 {
        // Both words in one place, and each in its own.
        let lines = if seed % 2 == 0 { 8 } else { 1 };
        let (all, counts) = reads(Cache { lines, words: 4 }, seed);
        for one in all.iter().filter(|one| !one.far_write) {
            let before = all.iter().filter(|other| other.word == one.word && other.end < one.begin);
            let known = before.map(|other| other.value).max().unwrap_or(0);
            assert!(one.value >= known, "{seed}: {one:?}, and {known} was known");
        }
        let mut values: Vec<u32> = all.iter().map(|one| one.value).collect();
        values.sort_unstable();
        values.dedup();
        changes += values.len();
        sum.restarts += counts.restarts;
        sum.hits += counts.hits;
        sum.misses += counts.misses;
        sum.drops += counts.drops;
        sum.lost += counts.lost;
    }
    assert!(sum.restarts > 350 && sum.hits > 2_000 && sum.drops > 300, "{sum:?} {changes}");
    assert!(changes > 400 && sum.lost > 20, "{sum:?} {changes}");
}
