// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every request does on a cluster.

use crate::{at, cluster, later, memories, run, small};
use awgstar_cluster::{Barriers, Cluster, ClusterError, Fences, Locks, Settings, SettingsError};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_request::{
    Answer, Change, Data, Feature, Fence, Got, Kind, Len, Op, Path, Place, Process, ProcessSignal,
    Refused, Request, Update,
    stall::{Judge, Verdict},
};
use awgstar_sync::firmware::onesided::Misuse;
use std::sync::Arc;

/// Bytes go to their homes, in every computer, across the end of a segment too, and come back.
#[test]
fn bytes_are_at_their_homes() {
    for per_computer in [1, 2, 3] {
        let settings = Settings { per_computer, ..small(3) };
        let place = at(&settings, 1, 0).0 - 3;
        let bytes: Vec<u8> = (1..=9).collect();
        let whole = Request::Read(Place::shared(ByteAddress(place)), Len::Bytes(9));
        let reads = vec![later(1000), Request::Barrier(0), whole];
        let mut writes = vec![Request::write_bytes(ByteAddress(place), &bytes)];
        writes.push(Request::Barrier(0));
        let (cluster, log) = run(&settings, vec![writes, reads.clone(), reads]);
        let has = |rank: usize, at| cluster.memory(rank).load(ByteAddress(at), 9);
        assert_eq!(has(0, place), bytes[..3]);
        assert_eq!(has(1, place + 3)[..6], bytes[3..]);
        for log in &log[1..] {
            assert_eq!(log[3].bytes(), bytes, "{per_computer}");
        }
    }
}

/// The lanes of a word, a value of 64 bits, and words back.
#[test]
fn words_and_long_values() {
    let settings = small(2);
    let place = |offset| Place::shared(at(&settings, 1, offset));
    let script = vec![
        Request::Write(place(0), Data::Word { data: 0x4433_2211, lanes: 0b1101 }),
        Request::Write(place(8), Data::Long([1, 2, 3, 4, 5, 6, 7, 8])),
        Request::Fence(Fence::To(NodeId(1))),
        Request::Read(place(0), Len::Word),
        Request::Read(place(8), Len::Bytes(8)),
    ];
    let (_, log) = run(&settings, vec![script, vec![]]);
    assert_eq!(log[0][4].got, Ok(Got::Word(0x4433_0011)));
    assert_eq!(log[0][5].bytes(), [1, 2, 3, 4, 5, 6, 7, 8]);
}

/// A get after a put of the same process sees it: messages between two ends keep their order. A get of another does
/// not, before a fence.
#[test]
fn puts_are_posted_and_fences_wait() {
    let settings = small(2);
    let target = at(&settings, 1, 64);
    let big = Request::write_bytes(at(&settings, 1, 128), &[7; 4096]);
    let script = vec![
        big,
        Request::write(target, 5),
        Request::read(target),
        Request::Fence(Fence::Confirmed),
    ];
    let (_, log) = run(&settings, vec![script, vec![]]);
    let times: Vec<u64> = log[0].iter().map(|answer| answer.now.time().0).collect();
    // The second put waits for the first on the card: 4,100 bytes at 250 MB/s.
    assert_eq!(times[1..3], [1000, 2000]);
    assert_eq!(log[0][3].word(), 5);
    assert!(times[3] > 2000 + 16_000 + 2 * 22_788 + 59_021, "{times:?}");
    // All is in place already, but the server is asked.
    assert_eq!(times[4] - times[3], 2 * 23_788 + 60_021);
}

/// A fence asks only servers that have got something since the last one.
#[test]
fn a_fence_of_nothing_takes_no_time() {
    for (fences, one, three) in
        [(Fences::InTurn, 107_597, 3 * 107_597), (Fences::AtOnce, 107_597, 109_597)]
    {
        let settings = Settings { fences, ..small(4) };
        let put = |rank| Request::write(at(&settings, rank, 0), 1);
        let fence = || Request::Fence(Fence::Confirmed);
        let script = vec![
            fence(),
            put(1),
            later(1000),
            fence(),
            fence(),
            put(1),
            put(2),
            put(3),
            later(1000),
            Request::Fence(Fence::To(NodeId(0))),
            fence(),
        ];
        let (_, log) = run(&settings, vec![script, vec![], vec![], vec![]]);
        let times: Vec<u64> = log[0].iter().map(|answer| answer.now.time().0).collect();
        let took = |request: usize| times[request + 1] - times[request];
        assert_eq!([took(0), took(3), took(4), took(9)], [0, one, 0, 0]);
        assert_eq!(took(10), three, "{fences:?}");
    }
}

/// Processes of a computer share its memory, so a write there is no message; messages between them have another latency.
#[test]
fn neighbours_share_memory() {
    let mut settings = Settings { per_computer: 2, ..small(2) };
    settings.costs.own_latency = Nanoseconds(5000);
    let script = vec![
        Request::write(at(&settings, 1, 0), 1),
        Request::Fence(Fence::Confirmed),
        Request::Barrier(0),
    ];
    let (_, log) = run(&settings, vec![script, vec![Request::Barrier(0)]]);
    let times: Vec<u64> = log[0].iter().map(|answer| answer.now.time().0).collect();
    let costs = settings.costs;
    assert_eq!([times[1] - times[0], times[2] - times[1]], [costs.access.0, 0]);
    // A phase for the sums, one for the arrivals.
    let message = costs.send + costs.own_latency + costs.receive;
    assert_eq!(times[3] - times[2], 2 * message.0);
}

/// All puts before a barrier are in place after it, and are not asked for again.
#[test]
fn a_fence_after_a_barrier_takes_no_time() {
    for barrier in Barriers::ALL {
        let settings = Settings { barrier: *barrier, ..small(2) };
        let put = Request::write(at(&settings, 1, 0), 1);
        let script = vec![put.clone(), Request::Barrier(0), Request::Fence(Fence::Confirmed)];
        let (_, log) = run(&settings, vec![script, vec![Request::Barrier(0)]]);
        assert_eq!(log[0][3].now, log[0][2].now, "{barrier:?}");
    }
}

/// A try is answered: 1 with the lock, 0 if another process holds it.
#[test]
fn a_try_says_whether_it_has_the_lock() {
    for locks in Locks::ALL {
        for lock in [0, 1] {
            let settings = Settings { locks: *locks, ..small(2) };
            let first = vec![Request::Try(lock), later(1000), Request::Unlock(lock)];
            let second = vec![later(500), Request::Try(lock), later(1000), Request::Try(lock)];
            let (_, log) = run(&settings, vec![first, second]);
            let words = [log[0][1].word(), log[1][2].word(), log[1][4].word()];
            assert_eq!(words, [1, 0, 1], "{locks:?} {lock}");
        }
    }
}

/// Updates are one step, of the process at home, too; a fence waits for an accumulate.
#[test]
fn updates_are_one_step() {
    for per_computer in [1, 2] {
        let settings = Settings { per_computer, ..small(4) };
        let counter = Place::shared(at(&settings, 2, 8));
        let sum = Place::shared(at(&settings, 2, 16));
        let add = Request::Update(counter, Change::Update(Update::of(Op::Add, 8, 1)));
        let mut scale = [0; 16];
        scale[0] = 2;
        let data: Arc<[u8]> = [3_i32, 4].iter().flat_map(|n| n.to_le_bytes()).collect();
        let more = Request::Update(sum, Change::Accumulate { kind: Kind::Int32, scale, data });
        let mut script: Vec<Request> = (0..25).flat_map(|_| [add.clone(), more.clone()]).collect();
        script.push(Request::Barrier(0));
        script.push(Request::Read(counter, Len::Bytes(16)));
        let (_, log) = run(&settings, vec![script; 4]);
        let (count, all) = (100_u64, [600_i32, 800]);
        for log in &log {
            let last = log.last().unwrap().bytes();
            assert_eq!(last[..8], count.to_le_bytes());
            assert_eq!(last[8..], all.map(i32::to_le_bytes).concat());
        }
        let old = |answer: &Answer| {
            let Ok(Got::Bytes(bytes)) = &answer.got else { return None };
            (bytes.len() == 8).then(|| u64::from_le_bytes(bytes[..].try_into().unwrap()))
        };
        let mut seen: Vec<u64> = log.iter().flatten().filter_map(old).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..100).collect::<Vec<_>>());
    }
}

/// What a holder has put is there for the next one.
#[test]
fn locks_protect_what_is_written() {
    for locks in Locks::ALL {
        for (per_computer, number) in [(1, 0), (1, 3), (2, 1), (4, 2)] {
            let settings = Settings { locks: *locks, per_computer, ..small(4) };
            let word = at(&settings, 2, 0);
            let program = |_| {
                let mut turn = 0;
                let next = move |answer: &Answer| {
                    turn += 1;
                    match turn % 4 {
                        _ if turn > 40 => Request::End,
                        1 => Request::Lock(number),
                        2 => Request::read(word),
                        3 => Request::write(word, answer.word() + 1),
                        _ => Request::Unlock(number),
                    }
                };
                Box::new(next) as Box<dyn Process>
            };
            let programs = (0..4).map(program).collect();
            let mut cluster = Cluster::new(&settings, programs, memories(&settings)).unwrap();
            cluster.run_while(&mut |_| true).unwrap();
            assert!(cluster.unfinished().is_empty());
            assert_eq!(cluster.memory(2).load(word, 4), [40, 0, 0, 0], "{locks:?} {number}");
        }
    }
}

/// A process waits for its own memory: the change of another, on the same computer too, ends it.
#[test]
fn a_change_of_memory_ends_a_wait() {
    for per_computer in [1, 2] {
        let settings = Settings { per_computer, ..small(2) };
        let word = at(&settings, 1, 4);
        let wait = |old: u8| Request::Changed(Place::shared(word), [old, 0, 0].into());
        let far = Request::Changed(Place::shared(at(&settings, 0, 0)), [0].into());
        let puts = vec![
            later(500),
            Request::write(word, 0x0900_0000),
            later(500),
            Request::write(word, 0x0900_0001),
        ];
        let (_, log) = run(&settings, vec![puts, vec![wait(3), wait(0), far]]);
        let times: Vec<u64> = log[1].iter().map(|answer| answer.now.time().0).collect();
        assert_eq!(times[1], 100);
        // The first write does not touch the three bytes.
        assert!(times[2] > 1_000_000, "{times:?}");
        assert_eq!(log[1][3].got, Err(Refused::NotOffered(Feature::Changes)));
    }
}

#[test]
fn what_the_machine_does_not_have_is_refused_by_name() {
    let settings = small(2);
    let end = ByteAddress(1 << 16);
    let shared = Place::shared(ByteAddress(0));
    let dma = Place { path: Path::Dma, ..shared };
    let paged = Place::paged(ByteAddress(0));
    let signal = ProcessSignal { source: NodeId(0), to: None, number: 1, value: 0 };
    let update = Change::Update(Update::of(Op::Add, 8, 1));
    let no = Refused::NotOffered;
    let cases = [
        (Request::Status, no(Feature::Registers)),
        (Request::Signal(signal, awgstar_frame::contract::Order::Sent), no(Feature::Signals)),
        (Request::Await(None, None), no(Feature::Signals)),
        (Request::Fence(Fence::Dma), no(Feature::Dma)),
        (Request::Read(dma, Len::Word), no(Feature::Dma)),
        (Request::Write(dma, Data::Bytes([1].into())), no(Feature::Dma)),
        (Request::Read(paged, Len::Word), no(Feature::Pages)),
        (Request::Update(paged, update.clone()), no(Feature::Pages)),
        (Request::Write(shared, Data::Blank(8)), no(Feature::Blank)),
        (Request::Read(shared, Len::Blank(8)), no(Feature::Blank)),
        (Request::Barrier(3), Refused::NoBarrier(3)),
        (Request::read(end), Refused::Bus),
        (Request::Read(shared, Len::Bytes(u64::MAX)), Refused::Bus),
        (Request::write_bytes(ByteAddress(end.0 - 1), &[1, 2]), Refused::Bus),
        (Request::write_bytes(ByteAddress(u32::MAX), &[1, 2]), Refused::Bus),
        // Across the end of a segment.
        (
            Request::Update(Place::shared(ByteAddress(at(&settings, 1, 0).0 - 4)), update),
            Refused::Bus,
        ),
        (Request::Changed(Place::shared(end), [0].into()), Refused::Bus),
    ];
    let script: Vec<Request> = cases.iter().map(|(request, _)| request.clone()).collect();
    let (cluster, log) = run(&settings, vec![script, vec![]]);
    for ((request, refused), answer) in cases.iter().zip(&log[0][1..]) {
        assert_eq!(answer.got, Err(*refused), "{request}");
    }
    // Nothing of what was refused was written.
    assert_eq!(cluster.memory(1).load(ByteAddress(end.0 - 1), 1), [0]);
}

#[test]
fn a_wait_without_an_end_is_named() {
    let settings = small(2);
    let wait = Request::Changed(Place::shared(ByteAddress(0)), [0].into());
    for (scripts, waits) in [
        (vec![vec![Request::Barrier(0)], vec![]], Request::Barrier(0)),
        (vec![vec![wait.clone()], vec![]], wait),
        (vec![vec![later(900), Request::Lock(0)], vec![Request::Lock(0)]], Request::Lock(0)),
    ] {
        let (mut cluster, _) = cluster(&settings, scripts);
        let mut judge = Judge::default();
        cluster.run_while(&mut |one| judge.judge(one) != Verdict::Stalled).unwrap();
        assert_eq!(cluster.unfinished(), [(0, Some(waits))]);
        assert_eq!(Judge::default().judge(&cluster), Verdict::Stalled);
    }
}

#[test]
fn misuse_and_wrong_settings_are_errors() {
    let settings = small(2);
    for (script, misuse) in [
        (vec![Request::Unlock(4)], Misuse::NotHeld(4)),
        (vec![Request::Lock(4), Request::Lock(4)], Misuse::Twice(4)),
    ] {
        let (mut cluster, _) = cluster(&settings, vec![vec![], script]);
        let found = cluster.run_while(&mut |_| true);
        assert_eq!(found, Err(ClusterError::Misuse { process: 1, misuse }));
    }
    let found =
        |settings: Settings| settings.check().map_err(|SettingsError::Range { field, .. }| field);
    assert_eq!(found(Settings::new(0)), Err("processes"));
    assert_eq!(found(Settings::new(257)), Err("processes"));
    assert_eq!(found(Settings { per_computer: 0, ..small(2) }), Err("per_computer"));
    assert_eq!(found(Settings { memory: 8191, ..small(2) }), Err("memory"));
    let mut slow = small(2);
    slow.costs.bytes_per_us = 0;
    assert_eq!(found(slow), Err("bytes_per_us"));
    let none = Cluster::new(&settings, vec![], vec![]).map(|_| ());
    assert_eq!(none.unwrap_err().to_string(), "programs: 0: expected 2, one for each process");
}

/// The same run is the same to the nanosecond, and so are its records; recording changes nothing.
#[test]
fn runs_repeat() {
    let runs = |record| {
        let settings =
            Settings { record, barrier: Barriers::AllFence, per_computer: 2, ..small(5) };
        let script = |me: u32| {
            let put = |rank| Request::write(at(&settings, rank, 4 * me), me);
            let mut all = vec![Request::Lock(3)];
            all.extend((0..5).map(put));
            all.extend([Request::Unlock(3), Request::Barrier(0)]);
            all
        };
        let (mut cluster, log) = run(&settings, (0..5).map(script).collect());
        (cluster.records(), log)
    };
    let (first, second, none) = (runs(true), runs(true), runs(false));
    assert_eq!(first, second);
    assert_eq!(first.1, none.1);
    assert!(none.0.is_empty() && first.0.len() > 100);
}
