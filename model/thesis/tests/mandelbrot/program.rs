// SPDX-License-Identifier: MIT OR Apache-2.0
//! What master and workers do, and how busy their CPUs are. Checks EVA-4, EVA-5.

use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use awgstar_request::{Answer, Data, Fence, Len, Place, Process, Request, Span};
use awgstar_thesis::gen1::{self, Activity, Gen1, Settings};
use awgstar_thesis::mandelbrot::program::{Costs, Plan, Purpose, Writes, programs, steps};
use awgstar_thesis::mandelbrot::usage::{SECOND, totals, usage};
use awgstar_thesis::mandelbrot::{Picture, View};

fn list(mut script: impl Process) -> Vec<Request> {
    let mut ops = Vec::new();
    loop {
        match script.next(&Answer::default()) {
            Request::End => return ops,
            op => ops.push(op),
        }
    }
}

fn costs() -> Costs {
    Costs {
        iteration_ps: 2_000,
        point_ns: Nanoseconds(10),
        word_ns: Nanoseconds(0),
        master_percent: 80,
        socket: 1_000_000,
    }
}

/// Two rows on two nodes, operation for operation.
#[test]
fn two_rows() {
    let picture = Picture::from_rows(2, 999, [vec![60, 40], vec![100, 200]]);
    let plan = Plan { whole_array: false, writes: Writes::Row, ..Plan::default() };
    let mut scripts = programs(&picture, 2, &costs(), plan).into_iter();
    let base = awgstar_thesis::gen1::system::FREE;
    let write = |row: u32| Request::Write(Place::shared(base + 12_000 * row), Data::Blank(8));
    let read = Request::Read(Place::default(), Len::Blank(8));
    // 100 iterations of 2 ns, two points of 10 ns; of the master's CPU 80 % are left.
    let socket = Request::compute(Nanoseconds(10_000));
    let master = [
        write(0),
        write(1),
        Request::Barrier(0),
        Request::compute(Nanoseconds(275)),
        write(0),
        Request::Barrier(0),
        read.clone(),
        socket.clone(),
        read,
        socket,
    ];
    assert_eq!(list(scripts.next().unwrap()), master);
    let worker =
        [Request::Barrier(0), Request::compute(Nanoseconds(620)), write(1), Request::Barrier(0)];
    assert_eq!(list(scripts.next().unwrap()), worker);
    // Word by word: the first result of the master after 60 iterations and a point.
    let plan = Plan { writes: Writes::Word, ..plan };
    let word = |row: u32, ready: [u64; 2]| {
        let op = Request::ComputeWrite {
            addr: base + 12_000 * row,
            ready: ready.map(Nanoseconds).into(),
        };
        (Purpose::ComputeWrite(row), op)
    };
    let master = steps(&picture, 0, 2, &costs(), plan);
    assert_eq!(master[3], word(0, [163, 275]));
    assert_eq!(steps(&picture, 1, 2, &costs(), plan)[1], word(1, [210, 620]));
    assert_eq!(Plan::default().writes, Writes::Word);
}

/// 3000 × 3000 is three executions; each element is computed, written and read once; the array is
/// initialised as a whole.
#[test]
fn every_element_once() {
    let row = |_| (0..3_000).map(|x| if x == 0 { 7 } else { 0 }).collect();
    let picture = Picture::from_rows(3_000, 9, (0..3_000).map(row));
    let plan = Plan { writes: Writes::Row, ..Plan::default() };
    let (mut written, mut read, mut iterations) = (0, 0, 0);
    for (node, script) in programs(&picture, 3, &costs(), plan).into_iter().enumerate() {
        let ops = list(script);
        assert_eq!(ops.iter().filter(|op| **op == Request::Barrier(0)).count(), 6);
        for op in ops {
            match op {
                Request::Write(_, Data::Blank(len)) => written += len,
                Request::Read(_, Len::Blank(len)) => read += len,
                Request::Compute(Span::Time(ns)) if node != 0 && ns > Nanoseconds(0) => {
                    iterations += (ns.0 - 30_000) / 2;
                }
                _ => {}
            }
        }
    }
    // The array of 12 MB, then the results.
    assert_eq!((written, read), (12_000_000 + 36_000_000, 36_000_000));
    // Of each thousand rows 333 are the master's.
    assert_eq!(iterations, 3 * 667 * 7);
}

/// On the current version with the rates of Table 2: the parts of the time, by hand.
#[test]
fn the_current_version() {
    let picture = Picture::new(View::default(), 24, 50);
    let costs = Costs { master_percent: 100, ..costs() };
    let plan = Plan { writes: Writes::Row, ..Plan::default() };
    let scripts = programs(&picture, 2, &costs, plan);
    let processes = scripts.into_iter().map(|s| Box::new(s) as Box<dyn Process>).collect();
    let mut system = Gen1::new(&Settings::new(2), processes).unwrap();
    let end = system.run(&mut |_| {}).unwrap();
    assert!(system.unfinished().is_empty());
    let [master, worker] = [0, 1].map(|node| totals(system.spans(node)));
    // 12 MB at 64 MB/s, 1,152 bytes of results; 2,304 bytes read at 1 Mb/s.
    let access = 187_500_000 + 18_000 + 18_432_000;
    assert!(master[1].0.abs_diff(access) < 2_000, "{master:?}");
    // Its half of the iterations, and 2,304 bytes at 1 MB/s.
    let iterations: u64 = picture.counts()[..12 * 24].iter().map(|&n| u64::from(n)).sum();
    assert_eq!(master[0], Nanoseconds(2 * iterations + 12 * 24 * 10 + 2_304_000));
    assert!(
        worker[2] > Nanoseconds(187_000_000) && worker[1].0.abs_diff(18_000) < 100,
        "{worker:?}"
    );
    assert!(end > Nanoseconds(access));
    // The 7 s of the thesis for 3,000,000 words: 62.5 ns of the bus, 2,271 ns of the program.
    let point = Picture::from_rows(1, 1, [vec![0]]);
    let slow = programs(&point, 1, &Costs { word_ns: Nanoseconds(2_271), ..costs }, plan);
    let processes = slow.into_iter().map(|s| Box::new(s) as Box<dyn Process>).collect();
    let mut system = Gen1::new(&Settings::new(1), processes).unwrap();
    let end = system.run(&mut |_| {}).unwrap();
    assert!(end.0.abs_diff(7_000_500_000) < 1_000_000, "{end}");
}

/// Words on the current version, each when it is computed: frames and times by hand.
#[test]
fn words_on_the_current_version() {
    let run = |ready: &[u64]| {
        let word = Request::ComputeWrite {
            addr: ByteAddress(1 << 20),
            ready: ready.iter().copied().map(Nanoseconds).collect(),
        };
        let mut ops = vec![word, Request::Fence(Fence::Confirmed)];
        let mut process =
            move |_: &Answer| if ops.is_empty() { Request::End } else { ops.remove(0) };
        let processes: Vec<Box<dyn Process>> = vec![
            Box::new(move |answer: &Answer| process(answer)),
            Box::new(|_: &Answer| Request::End),
        ];
        let mut system = Gen1::new(&Settings::new(2), processes).unwrap();
        let end = system.run(&mut |_| {}).unwrap();
        assert!(system.unfinished().is_empty());
        let spans = system.spans(0).to_vec();
        (end, system.counters().attached, system.counters().bytes, spans)
    };
    // A rotation is 1.1 µs. Words 20 µs apart go out one by one; 62.5 ns of the bus for each.
    let (end, frames, bytes, spans) = run(&[20_000, 40_000, 60_000]);
    assert_eq!((frames, bytes), (3, 12));
    assert_eq!((spans[0].to, spans[0].activity), (Nanoseconds(60_188), Activity::Compute));
    // The token comes within a rotation, and the frame has returned after another one and its own time.
    assert!((60_188 + 1_100..60_188 + 2_600).contains(&end.0), "{end}");
    // Words that come while the token is away are one frame.
    let (_, frames, bytes, spans) = run(&[20_000, 20_001, 20_002, 20_003, 40_000]);
    assert!(bytes == 20 && (2..=3).contains(&frames), "{frames}");
    assert_eq!(spans[0].to, Nanoseconds(40_313));
    // A pause of an hour is no work for the ring.
    let (end, frames, _, _) = run(&[1, 3_500_000_000_000]);
    assert!(frames == 2 && end < Nanoseconds(3_500_000_003_000), "{frames} {end}");
}

#[test]
fn seconds_are_counted_whole() {
    let span = |from, to, activity| gen1::Span { from, to, activity };
    let spans = [
        span(Nanoseconds(0), SECOND / 4, Activity::Barrier),
        span(SECOND / 4, 2 * SECOND + Nanoseconds(1_000_000), Activity::Access),
        span(
            2 * SECOND + Nanoseconds(1_000_000),
            2 * SECOND + Nanoseconds(5_000_000),
            Activity::Lock,
        ),
        span(
            2 * SECOND + Nanoseconds(5_000_000),
            2 * SECOND + Nanoseconds(500_000_000),
            Activity::Compute,
        ),
    ];
    assert_eq!(usage(&spans, 2 * SECOND + SECOND / 2), [750, 1_000, 496]);
    assert_eq!(usage(&spans, SECOND), [750]);
    assert!(usage(&[], Nanoseconds(0)).is_empty());
    assert_eq!(totals(&spans), [495_000_000, 1_751_000_000, 254_000_000].map(Nanoseconds));
}
