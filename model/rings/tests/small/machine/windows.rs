// SPDX-License-Identifier: MIT OR Apache-2.0
//! Windows: what a ring writes there is in others, in its order, before the barrier is passed.

use super::{LIMIT, NOTHING, Step, boxed, meet, mesh, put, run};
use awgstar_board::ring::boards::Dead;
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::Choice;
use awgstar_request::{Answer, Fence, Got, Request};
use awgstar_rings::machine::{Counts, Failure, Mesh, MeshError, Pace, RingsError};
use awgstar_rings::{RingNumber, Window};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// The window of each ring, for all others.
pub(super) fn windows(rings: u16) -> Vec<Window> {
    let one = |ring: u16| {
        let to = (0..rings).filter(|to| *to != ring).map(RingNumber).collect();
        let first = ByteAddress(1024 + 512 * u32::from(ring));
        let whole = Some(ByteAddress(3968 + 4 * u32::from(ring)));
        Window { ring: RingNumber(ring), first, bytes: 256, to, whole }
    };
    (0..rings).map(one).collect()
}

/// A word is written and its writer arrives at once: the word is in the other ring before the barrier is passed there,
/// also when what the gateways had sent was lost, and windows take long to be sent once more.
#[test]
fn the_barrier_is_behind_what_was_written() {
    const BOARDS: usize = 4;
    const LAST: u8 = 3;
    // The gateway looks at the words of the writer last: what was written comes in the same look as its arrival.
    let steps = |ring: u16, node: u8| -> Vec<Step> {
        let write = |round: u32| (Request::write(ByteAddress(3068), round), NOTHING);
        let read = |round: u32| (Request::read(ByteAddress(3068)), Ok(Got::Word(round)));
        let one = |round: u32| match (ring, node) {
            (0, LAST) => vec![
                (Request::wait(Cycle(u64::from(round * 37 % 90))), NOTHING),
                write(round),
                meet(),
                meet(),
            ],
            (0, _) => vec![meet(), meet()],
            _ => vec![meet(), read(round), meet()],
        };
        (1..=12).flat_map(one).collect()
    };
    let first = ByteAddress(3008);
    let window = Window { first, bytes: 64, ..windows(2).swap_remove(0) };
    let choice = Choice { order: Order::Sent, ..Choice::new() };
    let link = Pace { latency: Cycle(40), word: Cycle(20) };
    let mesh =
        Mesh { windows: vec![window], choice, link, timeout: Cycle(3_000), ..mesh(2, BOARDS) };
    let (log, _, end) = run(&mesh, 1, steps).unwrap();
    let answers = 12 * (4 + 2 * 2 + 3 * 3);
    assert_eq!((log.wrong, log.answers.len()), (Vec::new(), answers));
    let mut lost = 0;
    for shift in 0..40 {
        let at =
            |ring: u64| (0..5).map(move |n| Cycle(9_000 + n * end.0 / 5 + 61 * shift + 977 * ring));
        let restarts =
            [(RingNumber(0), at(1).step_by(2).collect()), (RingNumber(1), at(0).collect())];
        let mesh = Mesh { restarts: restarts.into(), ..mesh.clone() };
        let (log, counts, _) =
            run(&mesh, 1, steps).unwrap_or_else(|error| panic!("{shift}: {error}"));
        assert_eq!((log.wrong, log.answers.len()), (Vec::new(), answers), "{shift}");
        lost += counts.lost;
    }
    assert!(lost > 50, "{lost}");
}

/// Words far from each other in the window of ring 0: one that is sent once more late, and one that is early.
const FIRST: u32 = 1276;
const SECOND: u32 = 1024;

/// The words of a process in the window of its ring.
fn place(ring: u16, node: u8) -> u32 {
    1024 + 512 * u32::from(ring) + 16 * u32::from(node)
}

/// Each process writes a word twice, and one beside it; then all meet, and each finds in its own replica what all others
/// have written last.
fn round(rings: u16, boards: u8, rounds: u32) -> impl Fn(u16, u8) -> Vec<Step> {
    move |ring, node| {
        let value = |ring: u16, node: u8, round: u32| {
            1_000_000 * round + 1_000 * u32::from(ring) + u32::from(node)
        };
        let write = |offset: u32, value: u32| {
            (Request::write(ByteAddress(place(ring, node) + offset), value), NOTHING)
        };
        let one = |round: u32| {
            let last = value(ring, node, round);
            let mut steps =
                vec![write(0, !last), write(4, last ^ 7), write(0, last), write(8, 0xabcd_ef01)];
            // A byte of a word: the word of the others is the whole one.
            steps.push((
                Request::write_bytes(ByteAddress(place(ring, node) + 9), &round.to_le_bytes()[..1]),
                NOTHING,
            ));
            steps.extend([(Request::Fence(Fence::Confirmed), NOTHING), meet()]);
            for other in (0..rings).filter(|other| *other != ring) {
                for node in 1..boards {
                    let expected = value(other, node, round);
                    for (offset, word) in
                        [(0, expected), (4, expected ^ 7), (8, 0xabcd_0001 | round << 8)]
                    {
                        let read = Request::read(ByteAddress(place(other, node) + offset));
                        steps.push((read, Ok(Got::Word(word))));
                    }
                }
            }
            steps.push(meet());
            steps
        };
        (1..=rounds).flat_map(one).collect()
    }
}

#[test]
fn windows_are_in_all_rings() {
    let of = |threads| {
        let mesh = Mesh { windows: windows(3), ..mesh(3, 4) };
        run(&mesh, threads, round(3, 4, 4)).unwrap()
    };
    let (log, counts, end) = of(1);
    assert_eq!((log.wrong.clone(), log.answers.len()), (Vec::new(), 9 * 4 * (8 + 18)));
    // 64 words of three windows to two rings at the begin, and 5 words of 9 processes in 4 rounds.
    assert_eq!(counts.reflected, 2 * (3 * 64 + 5 * 4 * 9), "{counts:?}");
    assert_eq!(of(3), (log, counts, end));
    // Only to the rings that are chosen.
    let mut some = windows(3);
    some[0].to.remove(&RingNumber(2));
    let read = |ring: u16, node: u8| match (ring, node) {
        (0, 1) => vec![
            (Request::write(ByteAddress(1024), 5), NOTHING),
            (Request::Fence(Fence::Confirmed), NOTHING),
            meet(),
        ],
        (1 | 2, 1) => {
            let found = if ring == 1 { 5 } else { 0 };
            vec![meet(), (Request::read(ByteAddress(1024)), Ok(Got::Word(found)))]
        }
        _ => vec![meet()],
    };
    let (log, ..) = run(&Mesh { windows: some, ..mesh(3, 3) }, 1, read).unwrap();
    assert_eq!(log.wrong, Vec::<String>::new());
}

/// Bit errors, a gateway's own far writes beside, and gateways that begin again at any time.
#[test]
fn windows_when_gateways_begin_again() {
    let steps = |ring: u16, node: u8| {
        let far =
            |round: u32| put((ring + 1) % 3, 3072 + 16 * u32::from(node), &[round, node.into()]);
        let all = round(3, 3, 4)(ring, node).into_iter().enumerate();
        all.flat_map(|(at, step)| {
            let far = (at % 5 == 0).then(|| far(u32::try_from(at).unwrap()));
            far.into_iter().chain([step])
        })
        .collect()
    };
    let plain = Mesh { windows: windows(3), timeout: Cycle(3_000), ..mesh(3, 3) };
    let (log, _, end) = run(&plain, 1, steps).unwrap();
    assert_eq!(log.wrong, Vec::<String>::new());
    let answers = log.answers.len();
    let mut all = Counts::default();
    for seed in 1..25_u64 {
        let mut mesh = plain.clone();
        for ring in 0..3_u16 {
            let part = end.0 / 8;
            let at = |n: u64| Cycle(n * part + seed * 7_919 * (u64::from(ring) + 3) % part);
            mesh.restarts.insert(RingNumber(ring), (0..7).map(at).collect());
        }
        mesh.setup.scenario.noise.rate = if seed % 3 == 0 { 1 << 15 } else { 0 };
        let (log, counts, _) =
            run(&mesh, 1, steps).unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!((log.wrong, log.answers.len()), (Vec::new(), answers), "{seed}");
        all.restarts += counts.restarts;
        all.lost += counts.lost;
        all.reflected += counts.reflected;
    }
    assert!(all.restarts >= 450 && all.lost > 100 && all.reflected > 50_000, "{all:?}");
}

/// What a process of another ring sees of two words, of which each is written after the other. While the window is whole
/// none is ever older than before, and the second never newer than the first; words that were lost when a gateway began
/// again are sent once more in the order of their addresses, so that without the mark the second one would be.
#[test]
fn no_word_of_a_whole_window_goes_back() {
    let (mut seen, mut restarts, mut unmarked) = (0, 0, 0);
    for seed in 0..12_u64 {
        let mut mesh = Mesh { windows: windows(2), timeout: Cycle(3_000), ..mesh(2, 3) };
        for ring in 0..2_u16 {
            let shift = seed * 131 * (u64::from(ring) + 1) % 1_700;
            let at = |n: u64| Cycle(9_000 + n * 1_700 + shift);
            let all = if seed == 0 { vec![] } else { (0..12).map(at).collect() };
            mesh.restarts.insert(RingNumber(ring), all);
        }
        let (changes, back, counts) = two_words(&mesh, &[]);
        (seen, unmarked, restarts) = (seen + changes, unmarked + back, restarts + counts.restarts);
    }
    assert!(seen > 200 && restarts > 200 && unmarked > 0, "{seen} {restarts} {unmarked}");
}

/// The same when a standby takes over in the ring that has the window.
#[test]
fn no_word_of_a_whole_window_goes_back_at_a_standby() {
    let plain = Mesh { standby: true, locks: 0, timeout: Cycle(3_000), ..mesh(2, 4) };
    let mesh = Mesh { windows: windows(2)[..1].to_vec(), ..plain };
    let (mut seen, mut counted) = (0, 0);
    for seed in 0..30_u64 {
        let dead = Dead { board: 0, cycle: Cycle(17_000 + seed * 1_009 % 9_000) };
        let (changes, _, counts) = two_words(&mesh, &[(1, dead)]);
        (seen, counted) = (seen + changes, counted + counts.take_overs);
    }
    assert!(seen > 600 && counted == 30, "{seen} {counted}");
}

/// How often another ring sees words of a whole window change, how often it sees them go back while the window is not
/// whole, and what gateways did.
fn two_words(mesh: &Mesh, deaths: &[(usize, Dead)]) -> (usize, usize, Counts) {
    let last = 60_u32;
    let found: Arc<Mutex<Vec<[u32; 4]>>> = Arc::default();
    let first = mesh.gateways();
    let process = |ring: RingNumber, node: NodeId| {
        let found = Arc::clone(&found);
        let (mut at, mut words) = (0_u32, Vec::new());
        move |answer: &Answer| match (ring.0, node.0 - first) {
            (0, 0) => {
                at += 1;
                match at % 4 {
                    _ if at > 4 * last => Request::End,
                    1 => Request::write(ByteAddress(FIRST), at / 4 + 1),
                    2 => Request::write(ByteAddress(SECOND), at / 4 + 1),
                    3 => Request::wait(Cycle(u64::from(at % 7) * 20)),
                    _ => Request::Fence(Fence::Confirmed),
                }
            }
            // The mark, the word that is written second, the other one, the mark.
            (1, 0) => {
                if at > 0 {
                    words.push(answer.word());
                }
                at += 1;
                if let [before, second, first, after] = words[..] {
                    found.lock().unwrap().push([before, second, first, after]);
                    words.clear();
                    if (second, first) == (last, last) && before % 2 == 1 {
                        return Request::End;
                    }
                }
                let all = [3968, SECOND, FIRST, 3968];
                Request::read(ByteAddress(all[words.len()]))
            }
            _ => Request::End,
        }
    };
    let mut rings = mesh.build(|ring, node| Some(boxed(process(ring, node)))).unwrap();
    for &(ring, dead) in deaths {
        rings.sides_mut()[ring].ring.ring_mut().add_dead(dead).unwrap();
    }
    rings.run(NonZeroUsize::MIN, LIMIT).unwrap_or_else(|error| panic!("{deaths:?}: {error}"));
    let all = found.lock().unwrap().clone();
    let whole = |one: &&[u32; 4]| one[0] == one[3] && one[0] % 2 == 1;
    let (mut known, mut seen) = ([0, 0], 0);
    for &[mark, second, first, _] in all.iter().filter(whole) {
        let right = second <= first && second >= known[0] && first >= known[1];
        assert!(right, "{deaths:?}: {known:?}, then {second} {first} with mark {mark}");
        seen += usize::from(known != [second, first]);
        known = [second, first];
    }
    (seen, all.iter().filter(|one| one[1] > one[2]).count(), rings.counts())
}

/// A run that ends with its processes leaves words on their way: they are not everywhere.
#[test]
fn words_on_their_way_are_missed() {
    let link = Pace { latency: Cycle(5_000), word: Cycle(1) };
    let mesh = Mesh { windows: windows(2), link, ..mesh(2, 2) };
    let everywhere = |wait: u64| {
        let process = |ring: RingNumber, _| {
            let mut steps = match ring.0 {
                0 => vec![Request::write(ByteAddress(1024), 9), Request::Fence(Fence::Confirmed)],
                _ => vec![Request::wait(Cycle(wait))],
            }
            .into_iter();
            Some(move |_: &Answer| steps.next().unwrap_or(Request::End))
        };
        let mut rings = mesh.build(process).unwrap();
        rings.run(NonZeroUsize::MIN, LIMIT).unwrap();
        let memory = |ring: RingNumber| -> Option<&[u32]> {
            let side = rings.sides().get(usize::from(ring.0))?;
            Some(&side.ring.ring().board(0).u_memory.mem[..])
        };
        mesh.windows.iter().map(|one| one.is_everywhere(memory)).collect::<Vec<_>>()
    };
    assert_eq!(everywhere(10), [false, true]);
    assert_eq!(everywhere(100_000), [true, true]);
}

#[test]
fn windows_that_cannot_be() {
    let built = |windows: Vec<Window>| {
        mesh(2, 2).layout().unwrap();
        Mesh { windows, ..mesh(2, 2) }.build(|_, _| Some(boxed(|_: &Answer| Request::End))).err()
    };
    let good = windows(2);
    assert_eq!(built(good.clone()), None);
    let with = |change: &dyn Fn(&mut Window)| {
        let mut all = good.clone();
        change(&mut all[1]);
        built(all)
    };
    let changes: [&dyn Fn(&mut Window); 12] = [
        &|one| one.ring = RingNumber(2),
        &|one| one.ring = RingNumber(0),
        &|one| one.first = ByteAddress(1025),
        &|one| one.bytes = 6,
        &|one| one.bytes = 0,
        &|one| one.bytes = 1 << 20,
        &|one| one.first = ByteAddress(1276),
        &|one| one.to = [RingNumber(1)].into(),
        &|one| one.to.clear(),
        &|one| one.whole = Some(ByteAddress(1100)),
        &|one| one.whole = Some(ByteAddress(1540)),
        &|one| one.whole = Some(ByteAddress(3970)),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        assert_eq!(with(change), Some(MeshError::Window(1)), "{at}");
    }
    assert_eq!(with(&|one| one.first = ByteAddress(1280)), None);
    // At the begin of the memory, and without a mark.
    let first = |one: &mut Window| (one.first, one.whole) = (ByteAddress(0), None);
    assert_eq!(with(&first), None);
    // A board of a ring that only reads the window.
    let steps = |ring: u16, node: u8| match (ring, node) {
        (1, 2) => vec![(Request::write(ByteAddress(1100), 1), NOTHING), meet()],
        _ => vec![meet()],
    };
    let error = run(&Mesh { windows: good, ..mesh(2, 3) }, 1, steps).unwrap_err();
    let address = ByteAddress(1100);
    let failure = Failure::Window { address, of: RingNumber(0) };
    assert_eq!(error, RingsError::Failed(RingNumber(1), failure));
    let text = "ring 1: a board has written at 0x44c, in a window of ring 0";
    assert_eq!(error.to_string(), text);
}
