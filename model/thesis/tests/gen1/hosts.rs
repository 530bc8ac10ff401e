// SPDX-License-Identifier: MIT OR Apache-2.0
//! What processes wait for (CUR-5), and how fast a run is.

use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use awgstar_request::{
    Data, Fence, Len,
    Path::{self, Dma, Words},
    Place, Process, Request,
};
use awgstar_thesis::gen1::{Activity, Gen1, Gen1Error, Host, Script, Settings, Span};

fn scripts(ops: Vec<Vec<Request>>) -> Vec<Box<dyn Process>> {
    ops.into_iter().map(|ops| Box::new(Script::new(ops)) as Box<dyn Process>).collect()
}

fn run(settings: &Settings, ops: Vec<Vec<Request>>) -> Gen1 {
    let mut system = Gen1::new(settings, scripts(ops)).unwrap();
    system.run(&mut |_| {}).unwrap();
    system
}

fn span(from: u64, to: u64, activity: Activity) -> Span {
    Span { from: Nanoseconds(from), to: Nanoseconds(to), activity }
}

#[test]
fn pointer_and_dma_take_what_the_thesis_says() {
    let write = |path| {
        Request::Write(Place { path, ..Place::shared(ByteAddress(1 << 20)) }, Data::Blank(64_000))
    };
    let read = |path| Request::Read(Place { path, ..Place::default() }, Len::Blank(8_000));
    let settings = Settings::new(1);
    // 64 MB/s: 64,000 bytes are 1 ms of the CPU with a pointer, and of the bus by DMA.
    let pointer = run(&settings, vec![vec![write(Words)]]);
    assert_eq!(pointer.spans(0), [span(0, 1_000_000, Activity::Access)]);
    let dma = vec![
        write(Dma),
        Request::compute(Nanoseconds(400_000)),
        Request::Fence(Fence::Dma),
        Request::compute(Nanoseconds(7)),
    ];
    let dma = run(&settings, vec![dma]);
    let expected = [
        span(0, 10_000, Activity::Access),
        span(10_000, 410_000, Activity::Compute),
        span(410_000, 1_010_000, Activity::Dma),
        span(1_010_000, 1_010_007, Activity::Compute),
    ];
    assert_eq!(dma.spans(0), expected, "10 us to start it, then beside the CPU");
    // A second transfer is started beside the first, and goes on when that is done.
    let twice = run(&settings, vec![vec![write(Dma), write(Dma), Request::Fence(Fence::Dma)]]);
    let waits = [span(0, 20_000, Activity::Access), span(20_000, 2_010_000, Activity::Dma)];
    assert_eq!(twice.spans(0), waits);
    // Read with a pointer at 1 Mb/s: 64 ms; by DMA at 80 MB/s: 0.1 ms.
    let slow = run(&settings, vec![vec![read(Words)]]);
    assert_eq!(slow.spans(0), [span(0, 64_000_000, Activity::Access)]);
    let best = run(&Settings { host: Host::best(), ..settings.clone() }, vec![vec![read(Words)]]);
    assert_eq!(best.spans(0), [span(0, 100_000, Activity::Access)]);
    let dma = run(&settings, vec![vec![read(Dma)]]);
    let expected = [span(0, 10_000, Activity::Access), span(10_000, 110_000, Activity::Dma)];
    assert_eq!(dma.spans(0), expected);
}

#[test]
fn what_cannot_be_is_an_error() {
    let settings = Settings::new(1);
    let error = |op: Request| {
        let mut system =
            Gen1::new(&settings, scripts(vec![vec![Request::compute(Nanoseconds(5)), op]]))
                .unwrap();
        system.run(&mut |_| {}).unwrap_err()
    };
    let (node, at) = (0, 5);
    let locks = 16;
    assert_eq!(
        error(Request::Lock(0)),
        Gen1Error::Lock { locks, node, at: Nanoseconds(at), lock: 0 }
    );
    assert_eq!(
        error(Request::Unlock(17)),
        Gen1Error::Lock { locks, node, at: Nanoseconds(at), lock: 17 }
    );
    let addr = (512 << 20) - 4;
    assert_eq!(
        error(Request::write_bytes(ByteAddress(addr), &[0; 5])),
        Gen1Error::Address { node, at: Nanoseconds(at), addr: ByteAddress(addr), len: 5 }
    );
    assert_eq!(
        error(Request::write_bytes(ByteAddress(7), &[])),
        Gen1Error::Address { node, at: Nanoseconds(at), addr: ByteAddress(7), len: 0 }
    );
    let empty = Gen1::new(&settings, Vec::new()).err();
    assert_eq!(empty, Some(Gen1Error::Processes { nodes: 1, found: 0 }));
    let bad =
        Settings { host: Host { poll: Nanoseconds(0), ..Host::default() }, ..settings.clone() };
    let text = Gen1::new(&bad, scripts(vec![vec![]])).err().unwrap().to_string();
    assert_eq!(text, "poll is 0: expected 1 to 60000000000");
    let many = Gen1::new(&Settings::new(33), scripts(vec![vec![]; 33])).err().unwrap();
    assert_eq!(many.to_string(), "nodes is 33: expected 1 to 32");
}

/// Much data over 32 nodes: nobody waits long for such a run.
#[test]
fn much_data_is_carried_quickly() {
    let settings = Settings::new(32);
    let part = |node: u32, path: Path| {
        let write = Request::Write(
            Place { path, ..Place::shared(ByteAddress((1 << 20) + (node << 20))) },
            Data::Blank(9 << 17),
        );
        vec![
            write,
            Request::Fence(Fence::Dma),
            Request::Fence(Fence::Confirmed),
            Request::Barrier(0),
        ]
    };
    let started = std::time::Instant::now();
    let system = run(&settings, (0..32).map(|node| part(node, Dma)).collect());
    println!("{:?}, {:?}", started.elapsed(), system.counters());
    assert!(system.unfinished().is_empty());
    let data = 32 * 9 * (1 << 17);
    // The primitives add a few hundred bytes.
    assert!((data..data + 2_000).contains(&system.counters().bytes));
}
