// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gateways that die: a standby takes over, or the run says who waits.

use super::windows::windows;
use super::{LIMIT, NOTHING, Step, boxed, get, meet, mesh, overwritten, put, round, run, run_with};
use awgstar_board::ring::boards::{Cut, Dead};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_request::{Answer, Fence, Request};
use awgstar_rings::RingNumber;
use awgstar_rings::machine::{Counts, Mesh, RingsError};
use awgstar_rings::repairs::{Repairs, TakeOverRepairs};
use std::num::NonZeroUsize;

fn with_standby(rings: usize, boards: usize) -> Mesh {
    Mesh { standby: true, locks: 0, timeout: Cycle(3_000), ..mesh(rings, boards) }
}

/// All rings have found their tokens.
const UP: u64 = 17_000;

fn dies(ring: usize, at: u64) -> (usize, Dead) {
    (ring, Dead { board: 0, cycle: Cycle(at) })
}

/// The steps of processes on nodes from 1 on, by those on nodes from 2 on.
fn moved(steps: impl Fn(u16, u8) -> Vec<Step>) -> impl Fn(u16, u8) -> Vec<Step> {
    move |ring, node| steps(ring, node - 1)
}

/// Gateways of one, two or three rings die while all processes read and write other rings.
#[test]
fn a_standby_takes_over() {
    let mut mesh = with_standby(3, 4);
    let steps = || moved(round(3, 3, 3));
    let (log, counts, end) = run(&mesh, 1, steps()).unwrap();
    assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 6 * 3 * 11));
    assert_eq!((counts.deaths, counts.take_overs), (0, 0));
    let mut all = Counts::default();
    for seed in 0..40_u64 {
        let at = |ring: u64| UP + (seed * 7_919 * (ring + 3)) % (end.0 - UP);
        let deaths: Vec<_> = (0..3).filter(|ring| (seed + 1) >> ring & 1 == 1).collect();
        let deaths: Vec<_> = deaths.iter().map(|&ring| dies(ring, at(ring as u64))).collect();
        if seed % 4 == 3 {
            let of = |ring: u64| (0..6).map(move |n| Cycle(UP + (n * 3_547 + ring * 911) % end.0));
            mesh.restarts =
                (0..3).map(|ring| (RingNumber(ring), of(ring.into()).collect())).collect();
        } else {
            mesh.restarts.clear();
        }
        let ran = run_with(&mesh, 1, &deaths, steps());
        let (log, counts, _) = ran.unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!((log.wrong, log.answers.len()), (Vec::new(), 6 * 3 * 11), "{seed}");
        all.deaths += counts.deaths;
        all.take_overs += counts.take_overs;
        all.recovered += counts.recovered;
        all.restarts += counts.restarts;
    }
    let Counts { deaths, take_overs, recovered, restarts, .. } = all;
    assert!(deaths == 60 && take_overs > 55 && recovered > 2 && restarts > 100, "{all:?}");
}

/// What happens and when follows from the settings, not from the threads.
#[test]
fn threads_change_nothing() {
    let mesh = with_standby(3, 4);
    let of = |threads| {
        let deaths = [dies(0, UP), dies(2, UP + 345)];
        let steps = moved(round(3, 3, 2));
        let (log, counts, end) = run_with(&mesh, threads, &deaths, steps).unwrap();
        assert_eq!((log.wrong.len(), counts.take_overs), (0, 2));
        (log, counts, end)
    };
    let one = of(1);
    for threads in [2, 3] {
        assert_eq!(of(threads), one, "{threads} threads");
    }
}

/// A process of ring 1 writes over what has come from afar as soon as it has come: what is stored twice brings the old
/// word back. Gives what gateways did in each run; `None` of one that was wrong.
fn once(repairs: Repairs) -> impl Iterator<Item = Option<Counts>> {
    let mesh = Mesh { repairs, ..with_standby(2, 5) };
    (0..150_u64).map(move |seed| {
        let deaths = [dies(1, UP + seed * 137)];
        let ran = run_with(&mesh, 1, &deaths, moved(overwritten(9)));
        ran.ok().filter(|ran| ran.0.wrong.is_empty()).map(|ran| ran.1)
    })
}

#[test]
fn a_write_is_carried_out_once() {
    let all: Option<Vec<Counts>> = once(Repairs::ALL).collect();
    let all = all.unwrap();
    let [take_overs, recovered] = [|one: &Counts| one.take_overs, |one: &Counts| one.recovered]
        .map(|count| all.iter().map(count).sum::<u64>());
    assert!(take_overs > 100 && recovered > 10, "{take_overs} {recovered}");
    // The test finds a standby that does not look at what the dead gateway was about to do, or had done.
    for repair in [TakeOverRepairs::INTENTS, TakeOverRepairs::RECORDS] {
        let take_over = TakeOverRepairs::ALL.without(repair);
        let wrong = once(Repairs { take_over, ..Repairs::ALL }).any(|one| one.is_none());
        assert!(wrong, "{repair:?}");
    }
}

/// Without a standby, and where the standby is dead, too, processes that wait for the ring are named.
#[test]
fn who_waits_for_a_dead_gateway_is_named() {
    let steps = |first: u8| {
        move |ring: u16, node: u8| match (ring, node - first) {
            (0, 0) => {
                vec![(Request::wait(Cycle(30_000)), NOTHING), get(1, 64, &[0]), put(1, 64, &[1])]
            }
            (1, 1) => vec![(Request::wait(Cycle(30_000)), NOTHING), meet()],
            _ => Vec::new(),
        }
    };
    let second = (1, Dead { board: 1, cycle: Cycle(26_000) });
    for (mesh, deaths) in
        [(mesh(3, 3), vec![dies(1, 20_000)]), (with_standby(3, 4), vec![dies(1, 20_000), second])]
    {
        let first = mesh.gateways();
        let ends = |threads| run_with(&mesh, threads, &deaths, steps(first)).unwrap_err();
        let error = ends(1);
        let text = error.to_string();
        assert!(matches!(error, RingsError::Stalled(_)), "{text}");
        let [reads, meets] = [first, first + 1].map(|node| format!("node {node} waits for"));
        assert!(text.contains(&format!("ring 0: {reads}")), "{text}");
        assert!(text.contains(&format!("ring 1: {meets}")) && !text.contains("ring 2"), "{text}");
        assert_eq!(ends(3), error);
    }
}

/// The windows of a ring whose gateway is dead are not valid in other rings: what they have may be old.
#[test]
fn a_window_without_its_gateway_is_not_whole() {
    let whole = |ring: u32| ByteAddress(3968 + 4 * ring);
    let mesh = Mesh { windows: windows(2), ..mesh(2, 4) };
    let process = |ring: RingNumber, node: NodeId| {
        let mut steps = match (ring.0, node.0) {
            (0, 1) => vec![
                Request::write(ByteAddress(1024), 7),
                Request::wait(Cycle(20_000)),
                Request::write(ByteAddress(1024), 8),
                Request::Fence(Fence::Confirmed),
                Request::wait(Cycle(60_000)),
            ],
            _ => vec![Request::wait(Cycle(90_000))],
        }
        .into_iter();
        move |_: &Answer| steps.next().unwrap_or(Request::End)
    };
    for (at, expected) in [(26_000, (false, 7)), (400_000, (true, 8))] {
        let mut rings = mesh.build(|ring, node| Some(boxed(process(ring, node)))).unwrap();
        rings.sides_mut()[0].ring.ring_mut().add_dead(dies(0, at).1).unwrap();
        rings.run(NonZeroUsize::MIN, LIMIT).unwrap();
        let replica = &rings.sides()[1].ring.ring().board(3).u_memory.mem;
        assert_eq!((replica[whole(0).word()] % 2 == 1, replica[256]), expected, "{at}");
    }
}

/// No board sends again what the dead board had sent: a ring that may lose it has no standby.
#[test]
fn a_ring_that_loses_frames_has_no_standby() {
    let built = |change: &dyn Fn(&mut Mesh)| {
        let mut mesh = with_standby(2, 4);
        mesh.setup.scenario.dead.push(dies(0, 20_000).1);
        change(&mut mesh);
        let error = mesh.build(|_, _| Some(boxed(|_: &Answer| Request::End))).err();
        error.map(|error| error.to_string())
    };
    assert_eq!(built(&|_| ()), None);
    let cut = Cut { link: 1, from: Cycle(9), until: Cycle(10) };
    let changes: [&dyn Fn(&mut Mesh); 3] = [
        &|mesh| mesh.setup.scenario.noise.rate = 1,
        &|mesh| mesh.setup.scenario.cuts.push(cut),
        &|mesh| mesh.setup.scenario.dead.push(Dead { board: 3, cycle: Cycle(9) }),
    ];
    for change in changes {
        let error = built(change).unwrap();
        assert!(error.starts_with("ring 0: its gateway dies, and frames may be lost"), "{error}");
    }
    let window = built(&|mesh| mesh.windows = windows(2)).unwrap();
    assert!(window.starts_with("ring 0: its gateway dies, and it writes a window"), "{window}");
    // Where the gateway lives, or there is no standby, nothing is refused.
    let noise = |mesh: &mut Mesh| {
        mesh.setup.scenario.noise.rate = 1;
        mesh.standby = false;
    };
    assert_eq!(built(&noise), None);
}
