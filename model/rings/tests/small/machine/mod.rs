// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards with gateways: processes that know what they must read, whatever the number of threads, and also
//! when gateways begin again.

mod cache;
mod levels;
mod locks;
mod standby;
mod windows;

use awgstar_board::ring::boards::Dead;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{Choice, LockKind, Setup};
use awgstar_request::{Answer, Fence, Got, Place, Refused, Request};
use awgstar_rings::machine::{Counts, Mesh, MeshError, OWN_LOCKS, Pace, RingsError};
use awgstar_rings::repairs::Repairs;
use awgstar_rings::{Cache, RingNumber};
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

const LIMIT: Cycle = Cycle(2_000_000);

fn setup(boards: usize) -> Setup {
    let mut setup = Setup::new(boards, 4);
    let parameters = setup.scenario.parameters.with("smb", "MEM_ADDR_W", 12).unwrap();
    setup.scenario.parameters = parameters;
    setup
}

fn mesh(rings: usize, boards: usize) -> Mesh {
    Mesh {
        rings,
        setup: setup(boards),
        choice: Choice::new(),
        link: Pace { latency: Cycle(40), word: Cycle(1) },
        block: 4,
        timeout: Cycle(20_000),
        restarts: BTreeMap::new(),
        windows: Vec::new(),
        locks: 2,
        cache: None,
        standby: false,
        repairs: Repairs::ALL,
    }
}

/// A request, and what its answer must be.
type Step = (Request, Result<Got, Refused>);
/// The ring, the node and the request of each answer, with its cycle; what was answered wrongly.
#[derive(Debug, Default, PartialEq)]
struct Log {
    answers: Vec<(u16, u8, String, Cycle)>,
    wrong: Vec<String>,
}

fn bytes(words: &[u32]) -> Got {
    Got::Bytes(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

const NOTHING: Result<Got, Refused> = Ok(Got::Nothing);

fn get(ring: u16, address: u32, expected: &[u32]) -> Step {
    let words = u16::try_from(expected.len()).unwrap();
    (Request::FarRead { ring, address: ByteAddress(address), words }, Ok(bytes(expected)))
}

fn put(ring: u16, address: u32, data: &[u32]) -> Step {
    (Request::FarWrite { ring, address: ByteAddress(address), data: data.into() }, NOTHING)
}

fn meet() -> Step {
    (Request::Barrier(0), NOTHING)
}

/// Runs the steps of each process; gives the log, in the order of time, what gateways did, and the last cycle.
fn run(
    mesh: &Mesh,
    threads: usize,
    steps: impl Fn(u16, u8) -> Vec<Step>,
) -> Result<(Log, Counts, Cycle), RingsError> {
    run_with(mesh, threads, &[], steps)
}

/// A process of any kind: the machine is compiled once for all of them.
type Boxed = Box<dyn FnMut(&Answer) -> Request + Send>;

fn boxed(process: impl FnMut(&Answer) -> Request + Send + 'static) -> Boxed {
    Box::new(process)
}

/// The same, and boards die: the ring, and what dies there when.
fn run_with(
    mesh: &Mesh,
    threads: usize,
    deaths: &[(usize, Dead)],
    steps: impl Fn(u16, u8) -> Vec<Step>,
) -> Result<(Log, Counts, Cycle), RingsError> {
    run_of(mesh, threads, deaths, &steps)
}

fn run_of(
    mesh: &Mesh,
    threads: usize,
    deaths: &[(usize, Dead)],
    steps: &dyn Fn(u16, u8) -> Vec<Step>,
) -> Result<(Log, Counts, Cycle), RingsError> {
    let log = Arc::new(Mutex::new(Log::default()));
    let process = |ring: RingNumber, node: NodeId| {
        let mut steps: VecDeque<Step> = steps(ring.0, node.0).into();
        let (mut asked, log): (Option<Step>, _) = (None, Arc::clone(&log));
        move |answer: &Answer| {
            if let Some((request, expected)) = asked.take() {
                let mut log = log.lock().unwrap();
                if expected != answer.got {
                    let got = &answer.got;
                    log.wrong.push(format!("ring {} node {node}: {request:?}: {got:?}", ring.0));
                }
                log.answers.push((ring.0, node.0, request.to_string(), answer.now.cycle()));
            }
            asked = steps.pop_front();
            asked.as_ref().map_or(Request::End, |step| step.0.clone())
        }
    };
    let mut rings = mesh.build(|ring, node| Some(boxed(process(ring, node)))).unwrap();
    for &(ring, dead) in deaths {
        rings.sides_mut()[ring].ring.ring_mut().add_dead(dead).unwrap();
    }
    rings.run(NonZeroUsize::new(threads).unwrap(), LIMIT)?;
    for side in rings.sides() {
        let ring = side.ring.ring();
        let mut live = ring.live().map(|board| &ring.board(board).u_memory.mem);
        let first = live.next().unwrap();
        assert!(deaths.is_empty() || live.all(|one| **one == **first), "replicas differ");
    }
    let mut log = std::mem::take(&mut *log.lock().unwrap());
    log.answers.sort_by_key(|one| (one.3, one.0, one.1));
    Ok((log, rings.counts(), rings.cycle()))
}

/// Each process writes to the memory of the next ring, all meet, and each reads what another ring's process has written.
fn round(rings: u16, boards: u8, rounds: u32) -> impl Fn(u16, u8) -> Vec<Step> {
    move |ring, node| {
        let mine = |node: u8| 1024 + 64 * u32::from(node);
        let value = |ring: u16, node: u8, round: u32| {
            1_000_000 * round + 1_000 * u32::from(ring) + u32::from(node)
        };
        let (next, before) = ((ring + 1) % rings, (ring + rings - 1) % rings);
        let other = 1 + node % (boards - 1);
        let one = |round: u32| {
            let data = [value(ring, node, round), round, !round];
            vec![
                put(next, mine(node), &data),
                // One's own write is there, two rings away or not.
                get(next, mine(node) + 4, &data[1..]),
                meet(),
                // In one's own replica what the ring before has written.
                (
                    Request::read(ByteAddress(mine(other))),
                    Ok(Got::Word(value(before, other, round))),
                ),
                get(next, mine(other), &[value(ring, other, round)]),
                meet(),
                // A word that came from afar, and is written here: it must not be written again from afar.
                (
                    Request::write(ByteAddress(mine(node) + 8), value(ring, node, 500 + round)),
                    NOTHING,
                ),
                (Request::Fence(Fence::Confirmed), NOTHING),
                meet(),
                get(next, mine(node) + 8, &[value(next, node, 500 + round)]),
                meet(),
            ]
        };
        (0..rounds).flat_map(one).collect()
    }
}

#[test]
fn far_memory_is_memory() {
    let (log, counts, _) = run(&mesh(3, 4), 1, round(3, 4, 4)).unwrap();
    assert_eq!(log.wrong, Vec::<String>::new());
    // 9 processes, 4 rounds, 11 requests each.
    assert_eq!(log.answers.len(), 9 * 4 * 11);
    // Requests of a ring for another one may go together, answers go alone.
    assert!((9 * 4 * 4..9 * 4 * 8 + 200).contains(&counts.messages), "{counts:?}");
}

/// What happens and when follows from the settings, not from the threads.
#[test]
fn threads_change_nothing() {
    let of = |threads| run(&mesh(3, 3), threads, round(3, 3, 2)).unwrap();
    let one = of(1);
    for threads in [2, 3, 8] {
        assert_eq!(of(threads), one, "{threads} threads");
    }
}

#[test]
fn none_passes_the_barrier_before_all_have_arrived() {
    let late = Cycle(30_000);
    let steps = |ring: u16, node: u8| {
        let wait = if (ring, node) == (1, 2) { late } else { Cycle(10) };
        vec![(Request::wait(wait), NOTHING), meet()]
    };
    let (log, ..) = run(&mesh(2, 4), 2, steps).unwrap();
    let arrived = log.answers.iter().find(|one| (one.0, one.1) == (1, 2)).unwrap().3;
    let passed: Vec<_> = log.answers.iter().filter(|one| one.2 == "the barrier").collect();
    assert_eq!(passed.len(), 6);
    assert!(arrived >= late && passed.iter().all(|one| one.3 > arrived), "{log:?}");
}

/// The messages of gateways take time: their latency, and that of each word.
#[test]
fn a_link_takes_its_time() {
    let steps = |ring: u16, node: u8| match (ring, node) {
        (0, 1) => vec![put(1, 64, &[1, 2, 3, 4]), get(1, 64, &[1, 2, 3, 4])],
        _ => Vec::new(),
    };
    let with = |latency, word| {
        let link = Pace { latency: Cycle(latency), word: Cycle(word) };
        let (log, ..) = run(&Mesh { link, ..mesh(2, 2) }, 1, steps).unwrap();
        assert_eq!(log.wrong, Vec::<String>::new());
        let at = |index: usize| log.answers[index].3;
        at(1) - at(0)
    };
    let (short, long, slow) = (with(40, 1), with(1_040, 1), with(40, 101));
    // There and back; the gateways poll all the time, so that some cycles are lost or won.
    assert!((1_950..2_050).contains(&(long - short).0), "{short} {long}");
    // A request of 5 words, an answer of 8.
    assert!((1_250..1_350).contains(&(slow - short).0), "{short} {slow}");
}

#[test]
fn what_is_not_there_is_refused() {
    let (refused, words) = (Err(Refused::Bus), Err(Refused::FarWords(4)));
    let far =
        |ring, address, words| Request::FarRead { ring, address: ByteAddress(address), words };
    let steps = |ring: u16, node: u8| match (ring, node) {
        (0, 1) => vec![
            (far(7, 0, 1), Err(Refused::NoRing(7))),
            // One's own memory is read without a gateway.
            (far(0, 0, 1), Err(Refused::NoRing(0))),
            (far(1, 0x0fff_fff0, 1), refused.clone()),
            (far(1, 2, 1), refused.clone()),
            (far(1, 0, 0), words.clone()),
            (far(1, 0, 5), words.clone()),
            (
                Request::FarWrite { ring: 1, address: ByteAddress(0), data: Arc::new([]) },
                words.clone(),
            ),
            get(1, 0, &[0]),
        ],
        _ => Vec::new(),
    };
    let (log, ..) = run(&mesh(2, 2), 1, steps).unwrap();
    assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 8));
    let build = |mesh: Mesh| mesh.build(|_, _| Some(boxed(|_: &Answer| Request::End))).err();
    for (mesh, message) in [
        (mesh(0, 2), "rings: 0; expected 1 to 256"),
        (Mesh { standby: true, locks: 0, ..mesh(2, 2) }, "boards of a ring: 2; expected 3 to 256"),
        (
            Mesh { standby: true, ..mesh(2, 3) },
            "a standby cannot take turns of locks over; expected no locks of all rings",
        ),
        (
            Mesh { standby: true, cache: Some(Cache { lines: 4, words: 4 }), ..mesh(2, 3) },
            "a standby cannot take lines of other rings over; expected no cache",
        ),
        (mesh(2, 1), "boards of a ring: 1; expected 2 to 256"),
        (Mesh { block: 0, ..mesh(2, 2) }, "words of a far access: 0; expected 1 to 4095"),
        (
            Mesh { link: Pace { latency: Cycle(0), word: Cycle(1) }, ..mesh(2, 2) },
            "latency of a link: 0 cycles; expected 1 or more",
        ),
        (
            Mesh { cache: Some(Cache { lines: 0, words: 4 }), ..mesh(2, 2) },
            "cache: 0 lines of 4 words; expected 1 to 65535 of 1 to 4095",
        ),
        (
            Mesh { cache: Some(Cache { lines: 4, words: 4_096 }), ..mesh(2, 2) },
            "cache: 4 lines of 4096 words; expected",
        ),
        (
            Mesh { cache: Some(Cache { lines: 400, words: 8 }), ..mesh(2, 2) },
            "half of the memory, or less",
        ),
        (Mesh { timeout: Cycle(0), ..mesh(2, 2) }, "timeout of open requests: 0 cycles"),
        (
            Mesh { restarts: [(RingNumber(2), Vec::new())].into(), ..mesh(2, 2) },
            "restarts: ring 2; expected 0 to 1",
        ),
        (Mesh { locks: 129, ..mesh(2, 2) }, "locks of all rings: 129; expected 0 to 128"),
        (Mesh { block: 4_095, ..mesh(9, 9) }, "half of the memory, or less"),
    ] {
        let error: MeshError = build(mesh).unwrap();
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// A link that is slower than a run is long: the run ends with its processes, and at its limit.
#[test]
fn a_run_ends_before_a_link() {
    let link = Pace { latency: Cycle(u64::MAX), word: Cycle(u64::MAX) };
    let slow = Mesh { link, ..mesh(2, 2) };
    let (log, _, end) = run(&slow, 1, |_, _| vec![(Request::wait(Cycle(9)), NOTHING)]).unwrap();
    assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 2));
    assert!(end < Cycle(50_000), "{end}");
    let mut rings = slow.build(|_, _| Some(boxed(|_: &Answer| Request::Barrier(0)))).unwrap();
    let error = rings.run(NonZeroUsize::MIN, Cycle(30_001)).unwrap_err();
    assert!(matches!(error, RingsError::Timeout { cycle: Cycle(30_001), .. }), "{error}");
}

/// Waits that nothing ends: the run ends, whatever the number of threads, and says who waits for what, in which ring.
#[test]
fn what_waits_is_named() {
    let waits = Request::Await(Some(3), None);
    let change = Request::Changed(Place::shared(ByteAddress(64)), [0, 0, 0, 0].into());
    for (request, what) in
        [(Request::Barrier(0), "to change"), (waits, "signal 3"), (change, "0x40 to change")]
    {
        let mesh = mesh(3, 3);
        let ends = |threads: usize| {
            let waits = |ring: RingNumber, _| {
                let mut left = (ring.0 == 1).then(|| request.clone());
                move |_: &Answer| left.take().unwrap_or(Request::End)
            };
            let mut rings = mesh.build(|ring, node| Some(boxed(waits(ring, node)))).unwrap();
            let error = rings.run(NonZeroUsize::new(threads).unwrap(), LIMIT).unwrap_err();
            (error, rings.cycle())
        };
        let (error, end) = ends(1);
        let text = error.to_string();
        assert!(matches!(error, RingsError::Stalled(_)) && end < Cycle(120_000), "{end}: {text}");
        assert!(text.starts_with("no call can end: ring 1: node 1 waits for"), "{text}");
        assert!(text.contains(what) && !text.contains("ring 0"), "{text}");
        assert_eq!(ends(3), (error, end));
    }
}

/// A run in which little happens for long is not over: a process computes, a link is slow, a gateway begins again late.
#[test]
fn who_waits_long_is_served() {
    let last = |ring: u16, node: u8| {
        let late = (ring, node) == (1, 2);
        let wait = if late { vec![(Request::wait(Cycle(400_000)), NOTHING)] } else { Vec::new() };
        wait.into_iter().chain([meet()]).collect()
    };
    let link = Pace { latency: Cycle(100_000), word: Cycle(1) };
    let mut slow = Mesh { link, timeout: Cycle(1_000_000), ..mesh(2, 3) };
    slow.restarts.insert(RingNumber(0), vec![Cycle(300_000)]);
    let (log, ..) = run(&slow, 2, last).unwrap();
    assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 5));
    // Signals and locks within a ring, on whose board 0 the gateway is.
    let within = |_: u16, node: u8| -> Vec<Step> {
        let lock =
            |number| [Request::Lock(number), Request::wait(Cycle(40_000)), Request::Unlock(number)];
        let locks = (OWN_LOCKS..OWN_LOCKS + 3).flat_map(lock).map(|request| (request, NOTHING));
        let skip = usize::from(node == 2) * 3;
        locks.clone().skip(skip).chain(locks.take(skip)).collect()
    };
    for lock in [LockKind::Queue, LockKind::MasterWorker, LockKind::Distributed] {
        let choice = Choice { lock, ..Choice::new() };
        let (log, ..) = run(&Mesh { choice, ..mesh(2, 4) }, 1, within).unwrap();
        assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 2 * 3 * 9));
    }
}

/// Gateways that begin again, at any time: no request is lost, and none is carried out twice.
#[test]
fn gateways_begin_again() {
    let (_, _, end) = run(&mesh(3, 3), 1, round(3, 3, 3)).unwrap();
    let mut all = Counts::default();
    for seed in 1..12_u64 {
        let mut mesh = Mesh { timeout: Cycle(3_000), ..mesh(3, 3) };
        for ring in 0..3_u16 {
            let part = end.0 / 6;
            let at = |n: u64| Cycle(n * part + seed * 7_919 * (u64::from(ring) + 3) % part);
            mesh.restarts.insert(RingNumber(ring), (1..5).map(at).collect());
        }
        let ran = run(&mesh, 1, round(3, 3, 3));
        let (log, counts, _) = ran.unwrap_or_else(|error| panic!("{seed}: {error}"));
        all.restarts += counts.restarts;
        all.recovered += counts.recovered;
        all.lost += counts.lost;
        assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 6 * 3 * 11), "{seed}");
    }
    // They came while requests were under way.
    assert!(all.restarts >= 100 && all.recovered > 0 && all.lost > 0, "{all:?}");
}

/// A process of ring 1 writes over what has come from afar as soon as it has come, before the writer has its answer: a
/// request that is carried out twice would bring the old word back, and one that is carried out in part leaves one out.
fn overwritten(rounds: u32) -> impl Fn(u16, u8) -> Vec<Step> {
    move |ring, node| {
        let mine = 1024 + 64 * u32::from(node);
        let last = |round: u32| 1_000 * round + 4;
        let own = |round: u32| 0x1_0000 + round;
        let one = |round: u32| {
            let data = [1_000 * round + 1, 1_000 * round + 2, 1_000 * round + 3, last(round)];
            let place = Place::shared(ByteAddress(mine + 12));
            let old = if round == 1 { 0 } else { own(round - 1) };
            if ring == 0 {
                vec![
                    put(1, mine, &data),
                    meet(),
                    get(1, mine, &[data[0], data[1], data[2], own(round)]),
                    meet(),
                ]
            } else {
                vec![
                    (Request::Changed(place, old.to_le_bytes().as_slice().into()), NOTHING),
                    (Request::write(place.addr, own(round)), NOTHING),
                    (Request::Fence(Fence::Confirmed), NOTHING),
                    meet(),
                    meet(),
                ]
            }
        };
        (1..=rounds).flat_map(one).collect()
    }
}

#[test]
fn a_write_is_carried_out_once() {
    let mut all = Counts::default();
    for seed in 1..21_u64 {
        let mut mesh = Mesh { timeout: Cycle(2_000), ..mesh(2, 4) };
        for ring in 0..2_u16 {
            let mut at = 10_000;
            let mut random = seed * 2 + u64::from(ring);
            let step = |_| {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                at += 500 + (random >> 33) % 600;
                Cycle(at)
            };
            mesh.restarts.insert(RingNumber(ring), (0..60).map(step).collect());
        }
        let (log, counts, _) =
            run(&mesh, 1, overwritten(12)).unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 3 * 12 * 9), "{seed}");
        all.restarts += counts.restarts;
        all.recovered += counts.recovered;
        all.lost += counts.lost;
    }
    assert!(all.restarts > 2_000 && all.recovered > 100 && all.lost > 1_000, "{all:?}");
}
