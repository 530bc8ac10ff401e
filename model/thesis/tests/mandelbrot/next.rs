// SPDX-License-Identifier: MIT OR Apache-2.0
//! The next version at the level of frames. Checks EVA-6.

use awgstar_frame::quantity::{ByteAddress, Cycle, Nanoseconds};
use awgstar_request::{Data, Fence, Place, Process, Request};
use awgstar_thesis::gen1::{Activity, Script};
use awgstar_thesis::gen2::{Gen2, Gen2Error, Settings, Store, frame_words};

pub(crate) fn blank(len: u64) -> Request {
    Request::Write(Place::shared(ByteAddress(1 << 20)), Data::Blank(len))
}

pub(crate) fn run(settings: &Settings, ops: impl Fn(usize) -> Vec<Request>) -> (u64, Gen2) {
    let script = |node| Box::new(Script::new(ops(node))) as Box<dyn Process>;
    let mut system = Gen2::new(settings, (0..settings.nodes).map(script).collect()).unwrap();
    let end = system.run(&mut |_| {}).unwrap();
    assert!(system.ended());
    (end.0, system)
}

/// A clock is 14.87 ns: 67.25 million of them are a second.
#[test]
fn cycles_and_ns() {
    assert_eq!(Cycle(67_250_000).to_nanoseconds_ceil(), Nanoseconds(1_000_000_000));
    assert_eq!(
        (Cycle(1).to_nanoseconds_ceil(), Cycle(269).to_nanoseconds_ceil()),
        (Nanoseconds(15), Nanoseconds(4_000))
    );
    assert_eq!(
        (
            Nanoseconds(15).to_cycles_ceil(),
            Nanoseconds(14).to_cycles_ceil(),
            Nanoseconds(1_000_000_000).to_cycles_ceil()
        ),
        (Cycle(2), Cycle(1), Cycle(67_250_000))
    );
    assert_eq!(
        (frame_words(1), frame_words(46), frame_words(47), frame_words(1024)),
        (16, 16, 17, 261)
    );
}

/// The bound: what all nodes write passes every link once.
#[test]
fn the_line_is_the_limit() {
    for nodes in [8, 32] {
        let host = Store::LOCAL;
        let (end, system) = run(&Settings { host, ..Settings::new(nodes) }, |_| {
            vec![blank(1 << 20), Request::Fence(Fence::Confirmed)]
        });
        let bytes = nodes as u64 * (1 << 20);
        assert_eq!(system.frames(), bytes / 1024);
        // 262 words a frame of 1,024 bytes.
        let bound = bytes / 1024 * Cycle(262).to_nanoseconds_ceil();
        assert!(
            end >= (bound * 99 / 100).0 && end < (bound * 105 / 100).0,
            "{nodes}: {end} against {bound}"
        );
    }
}

/// One node alone is as fast as its port, or as what may be under way.
#[test]
fn the_port_is_the_limit() {
    let (end, _) =
        run(&Settings::new(4), |node| if node == 0 { vec![blank(1 << 20)] } else { vec![] });
    // Three cycles a word, and the way of the last frame.
    let least = (Cycle(3 * (1 << 18))).to_nanoseconds_ceil();
    assert!(
        (least..least + Cycle(700).to_nanoseconds_ceil()).contains(&Nanoseconds(end)),
        "{end} {least}"
    );
}

/// Nobody leaves the barrier before the last one's data is everywhere.
#[test]
fn the_barrier_waits_for_data() {
    let (_, system) = run(&Settings::new(3), |node| match node {
        1 => vec![
            Request::compute(Nanoseconds(50_000)),
            blank(4_096),
            Request::Barrier(0),
            Request::compute(Nanoseconds(1_000)),
        ],
        _ => vec![Request::Barrier(0), Request::compute(Nanoseconds(1_000))],
    });
    let late = |node: usize| {
        let spans = system.spans(node);
        assert_eq!(spans.iter().filter(|s| s.activity == Activity::Barrier).count(), 1);
        spans.iter().find(|s| s.activity == Activity::Barrier).unwrap().to
    };
    // 50 µs, 1,024 words of three cycles, a frame's way: 7 + 24 + 261 + 7, the barrier 16 + 85.
    let least = Nanoseconds(50_000) + Cycle(3 * 1_024 + 24 + 261 + 16 + 85).to_nanoseconds_ceil();
    for node in 0..3 {
        assert!(
            (least..least + Nanoseconds(1_500)).contains(&late(node)),
            "{node}: {} {least}",
            late(node)
        );
    }
}

/// Words that are computed: what the board combines is one frame, and a board without room delays the
/// writing only.
#[test]
fn words_one_by_one() {
    let words = |ready: Vec<u64>| Request::ComputeWrite {
        addr: ByteAddress(1 << 20),
        ready: ready.into_iter().map(Nanoseconds).collect(),
    };
    let one = |node: usize, ready: Vec<u64>| match node {
        0 => vec![words(ready), Request::Fence(Fence::Confirmed)],
        _ => vec![],
    };
    let at = |cycles: u64| cycles * 1_000_000_000 / 67_250_000;
    // A full frame and 44 words more; 300 words 100 cycles apart, after 64 of which a frame is closed.
    let (_, system) =
        run(&Settings::new(2), |node| one(node, (1..=300).map(|k| at(10 * k)).collect()));
    assert_eq!(system.frames(), 2);
    let (_, system) =
        run(&Settings::new(2), |node| one(node, (1..=300).map(|k| at(100 * k)).collect()));
    assert_eq!(system.frames(), 300);
    assert_eq!(system.spans(0)[0].activity, Activity::Compute);
    let end = at(100 * 300 + 3 * 300);
    assert!(system.spans(0)[0].to.0.abs_diff(end) < 60, "{} {end}", system.spans(0)[0].to);
    // A board of one frame on a ring of 4,000 cycles: a word each 100 cycles waits for the one before,
    // and half a rotation at most for one of the two tokens.
    let slow = Settings { fibre: Cycle(1_996), frames: 1, room: 1_024, ..Settings::new(2) };
    let (end, _) = run(&slow, |node| one(node, (1..=20).map(|k| at(100 * k)).collect()));
    let least = at(20 * 4_000);
    assert!((least..least + at(20 * 2_100)).contains(&end), "{end} {least}");
}

#[test]
fn what_it_does_not_do() {
    let one = |op: Request| {
        let processes: Vec<Box<dyn Process>> = vec![Box::new(Script::new([op]))];
        Gen2::new(&Settings::new(1), processes).unwrap().run(&mut |_| {}).unwrap_err()
    };
    assert!(matches!(one(Request::Lock(1)), Gen2Error::Unsupported { node: 0, .. }));
    assert!(
        one(Request::write_bytes(ByteAddress(0), &[1]))
            .to_string()
            .contains("expected an operation without contents")
    );
    let none = Gen2::new(&Settings::new(2), Vec::new()).err().unwrap();
    assert_eq!(none.to_string(), "0 processes: expected 2, one for each node");
    let bad = Gen2::new(&Settings { tokens: 0, ..Settings::new(1) }, Vec::new()).err().unwrap();
    assert_eq!(bad.to_string(), "tokens is 0: expected 1 to 255");
}
