// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every request on the ring with firmware and on generation 1: what a machine does, and what it refuses by name.
//! checks DRV-9

mod blocks;

use awgstar_board::ring::boards::Cut;
use awgstar_frame::contract::{Order, board::MEM_ADDR_W};
use awgstar_frame::quantity::{ByteAddress, Cycle, Nanoseconds, NodeId};
use awgstar_host::{Choice, DrivenRing, HostError, Setup};
use awgstar_request::{
    Answer, Change, Data, Feature, Fence, Got, Len, Op, Path, Place, Process, ProcessSignal,
    Refused, Request, Span, Update,
    stall::{Judge, Verdict},
};
use awgstar_thesis::gen1::{Gen1, Settings, system::FREE};
use std::{cell::RefCell, rc::Rc};

type Gives = Result<Got, Refused>;
type Gots = Rc<RefCell<Vec<Gives>>>;

/// Makes these requests and keeps what they give.
struct List {
    requests: std::vec::IntoIter<Request>,
    began: bool,
    gots: Gots,
}

impl List {
    fn of(requests: Vec<Request>) -> (Box<dyn Process>, Gots) {
        let gots = Gots::default();
        let list = List { requests: requests.into_iter(), began: false, gots: gots.clone() };
        (Box::new(list), gots)
    }
}

impl Process for List {
    fn next(&mut self, answer: &Answer) -> Request {
        if std::mem::replace(&mut self.began, true) {
            self.gots.borrow_mut().push(answer.got.clone());
        }
        self.requests.next().unwrap_or(Request::End)
    }
}

/// What node 0 of two gets on the ring, and the bytes of both memories from `at` on; node 1 makes `other`.
fn on_ring(
    requests: Vec<Request>,
    other: Vec<Request>,
    at: ByteAddress,
) -> (Vec<Gives>, [Vec<u8>; 2]) {
    let mut system = DrivenRing::new(Choice::new(), &Setup::new(2, 4)).unwrap();
    let (process, gots) = List::of(requests);
    system.start(NodeId(0), process).unwrap();
    system.start(NodeId(1), List::of(other).0).unwrap();
    system.run(Cycle(1_000_000)).unwrap();
    system.settle(Cycle(1_000_000)).unwrap();
    let bytes = |node| awgstar_board::ring::boards::bytes(system.ring().board(node), at, 16);
    (gots.take(), [bytes(0), bytes(1)])
}

/// The same on generation 1.
fn on_gen1(
    requests: Vec<Request>,
    other: Vec<Request>,
    at: ByteAddress,
) -> (Vec<Gives>, [Vec<u8>; 2]) {
    let (process, gots) = List::of(requests);
    let mut system = Gen1::new(&Settings::new(2), vec![process, List::of(other).0]).unwrap();
    system.run(&mut |_| {}).unwrap();
    assert!(system.unfinished().is_empty());
    let bytes = |node| system.ring().memory(node).read(at, 16);
    (gots.take(), [bytes(0), bytes(1)])
}

const NOTHING: Gives = Ok(Got::Nothing);

const fn lacks(feature: Feature) -> Gives {
    Err(Refused::NotOffered(feature))
}

/// A program of accesses and primitives leaves the same bytes in every memory of both machines, whose words have
/// other orders of bytes.
#[test]
fn one_program_on_both_machines() {
    let run = |base: ByteAddress| {
        let place = |at| Place::shared(base + at);
        let bytes = |at, bytes: &[u8]| Request::Write(place(at), Data::Bytes(bytes.into()));
        let first = vec![
            Request::Lock(1),
            bytes(0, &[1, 2, 3, 4, 5, 6, 7]),
            bytes(9, &[9]),
            Request::Read(place(1), Len::Bytes(5)),
            Request::Unlock(1),
            Request::Barrier(0),
            Request::Read(place(0), Len::Bytes(16)),
            Request::compute(Nanoseconds(100)),
            Request::Read(place(12), Len::Bytes(0)),
        ];
        let other = vec![
            Request::Lock(1),
            bytes(12, &[12, 13, 14, 15]),
            Request::Unlock(1),
            Request::Barrier(0),
        ];
        (first, other)
    };
    let all = vec![1, 2, 3, 4, 5, 6, 7, 0, 0, 9, 0, 0, 12, 13, 14, 15];
    let gots = |all: &[u8]| {
        let read = |bytes: &[u8]| Ok(Got::Bytes(bytes.into()));
        let none = || NOTHING;
        let (part, whole) = (read(&[2, 3, 4, 5, 6]), read(all));
        vec![none(), none(), none(), part, none(), none(), whole, none(), read(&[])]
    };
    let (first, other) = run(ByteAddress(0x40));
    assert_eq!(on_ring(first, other, ByteAddress(0x40)), (gots(&all), [all.clone(), all.clone()]));
    let (mut first, other) = run(FREE);
    // An access of no bytes is an error of the run there.
    first.pop();
    let mut expected = gots(&all);
    expected.pop();
    assert_eq!(on_gen1(first, other, FREE), (expected, [all.clone(), all]));
}

/// Words and parts of them, in the order of bytes of each machine.
#[test]
fn words_have_the_order_of_their_machine() {
    let run = |base: ByteAddress| {
        let part = |at, lanes| {
            let data = Data::Word { data: 0x1122_3344, lanes };
            Request::Write(Place::shared(base + at), data)
        };
        vec![
            Request::write(base, 0xa1b2_c3d4),
            part(4, 0b0011),
            part(8, 0b1001),
            Request::read(base),
            Request::read(base + 4),
            Request::read(base + 8),
        ]
    };
    let word = |word| Ok(Got::Word(word));
    let (gots, [one, two]) = on_ring(run(ByteAddress(0x80)), Vec::new(), ByteAddress(0x80));
    let words = |part| [word(0xa1b2_c3d4), word(part), word(0x1100_0044)];
    assert_eq!(gots[3..], words(0x0000_3344));
    let bytes = [0xd4, 0xc3, 0xb2, 0xa1, 0x44, 0x33, 0, 0, 0x44, 0, 0, 0x11, 0, 0, 0, 0];
    assert_eq!([one, two], [bytes; 2]);
    let (gots, [one, two]) = on_gen1(run(FREE), Vec::new(), FREE);
    assert_eq!(gots[3..], words(0x1122_0000), "a bit of the lanes is for the byte at that address");
    let bytes = [0xa1, 0xb2, 0xc3, 0xd4, 0x11, 0x22, 0, 0, 0x11, 0, 0, 0x44, 0, 0, 0, 0];
    assert_eq!([one, two], [bytes; 2]);
}

/// What one machine has and the other does not.
#[test]
fn what_a_machine_does_not_offer_is_refused_by_name() {
    let memory = Place::shared(FREE);
    let paged = Place::paged(ByteAddress(0));
    // A word in the memory of a board, and words after its last; generation 1 has more.
    let end = Place::shared(ByteAddress((4 << MEM_ADDR_W) - 4));
    let dma = Place { path: Path::Dma, ..memory };
    let signal = ProcessSignal { source: NodeId(0), to: Some(NodeId(1)), number: 7, value: 1 };
    let word = Data::Word { data: 1, lanes: 15 };
    let computed =
        Request::ComputeWrite { addr: FREE, ready: [Nanoseconds(10), Nanoseconds(20)].into() };
    let added = Request::Update(memory, Change::Update(Update::of(Op::Add, 4, 1)));
    // The request, then the answers of the ring and of generation 1; `None`: any value, but no refusal.
    let table: Vec<(Request, [Option<Gives>; 2])> = vec![
        (Request::compute(Nanoseconds(20)), [Some(NOTHING), Some(NOTHING)]),
        (Request::Read(end, Len::Bytes(12)), [Some(Err(Refused::Bus)), None]),
        (Request::wait(Cycle(2)), [Some(NOTHING), Some(NOTHING)]),
        (Request::Read(paged, Len::Word), [Some(Err(Refused::Bus)), Some(lacks(Feature::Pages))]),
        (
            Request::Write(paged, word.clone()),
            [Some(Err(Refused::Bus)), Some(lacks(Feature::Pages))],
        ),
        (Request::Read(dma, Len::Bytes(8)), [Some(lacks(Feature::Dma)), None]),
        (Request::Write(dma, word), [Some(lacks(Feature::Dma)), Some(NOTHING)]),
        (Request::Fence(Fence::Dma), [Some(lacks(Feature::Dma)), Some(NOTHING)]),
        (Request::Fence(Fence::Confirmed), [Some(NOTHING), Some(NOTHING)]),
        (Request::Fence(Fence::To(NodeId(1))), [Some(NOTHING), Some(NOTHING)]),
        (added, [Some(lacks(Feature::Updates)), Some(lacks(Feature::Updates))]),
        (Request::Changed(end, [1].into()), [Some(NOTHING), Some(NOTHING)]),
        (Request::Changed(end, [].into()), [Some(NOTHING), Some(NOTHING)]),
        (
            Request::Changed(paged, [1].into()),
            [Some(lacks(Feature::Changes)), Some(lacks(Feature::Changes))],
        ),
        (Request::Changed(dma, [1].into()), [Some(lacks(Feature::Dma)), Some(NOTHING)]),
        (Request::Changed(end, [9; 5].into()), [Some(Err(Refused::Bus)), None]),
        (Request::Read(memory, Len::Blank(64)), [Some(lacks(Feature::Blank)), Some(NOTHING)]),
        (Request::Write(memory, Data::Blank(64)), [Some(lacks(Feature::Blank)), Some(NOTHING)]),
        (computed, [Some(lacks(Feature::Blank)), Some(NOTHING)]),
        (Request::Barrier(3), [Some(NOTHING), Some(Err(Refused::NoBarrier(3)))]),
        (Request::Status, [None, Some(lacks(Feature::Registers))]),
        (Request::Signal(signal, Order::None), [Some(NOTHING), Some(lacks(Feature::Signals))]),
        (
            Request::Await(Some(9), Some(Span::Cycles(Cycle(5)))),
            [Some(Ok(Got::Signal(None))), Some(lacks(Feature::Signals))],
        ),
    ];
    let requests = || table.iter().map(|(request, _)| request.clone()).collect();
    let ring = on_ring(requests(), vec![Request::Barrier(3)], ByteAddress(0)).0;
    let gen1 = on_gen1(requests(), Vec::new(), FREE).0;
    assert_eq!((ring.len(), gen1.len()), (table.len(), table.len()));
    for (((request, expected), ring), gen1) in table.iter().zip(ring).zip(gen1) {
        for (machine, found, expected) in
            [("ring", ring, &expected[0]), ("gen1", gen1, &expected[1])]
        {
            match expected {
                Some(expected) => assert_eq!(found, *expected, "{machine}: {request:?}"),
                None => assert!(found.is_ok(), "{machine}: {request:?}: {found:?}"),
            }
        }
    }
}

/// Two barriers are two: nodes that wait for each other at different ones never go on.
#[test]
fn barriers_have_numbers() {
    let mut system = DrivenRing::new(Choice::new(), &Setup::new(2, 4)).unwrap();
    for (node, numbers) in [(0, [1, 2]), (1, [2, 1])] {
        let list = List::of(numbers.map(Request::Barrier).into());
        system.start(NodeId(node), list.0).unwrap();
    }
    let HostError::Timeout { waiting, .. } = system.run(Cycle(100_000)).unwrap_err() else {
        panic!("another error");
    };
    let waits: Vec<_> = waiting.into_iter().map(|one| one.asked).collect();
    assert_eq!(waits, [Some(Request::Barrier(1)), Some(Request::Barrier(2))]);
}

/// When each answer of a process came, in ns, and what it gave.
type Timed = Vec<(u64, Gives)>;
type Times = Rc<RefCell<Timed>>;

/// Makes requests and keeps what they give, and when.
fn timed(requests: Vec<Request>) -> (Box<dyn Process>, Times) {
    let times = Times::default();
    let (kept, mut requests) = (times.clone(), requests.into_iter());
    let process = move |answer: &Answer| {
        kept.borrow_mut().push((answer.now.time().0, answer.got.clone()));
        requests.next().unwrap_or(Request::End)
    };
    (Box::new(process), times)
}

/// What the processes of two nodes get, and when, on the ring and on generation 1.
fn on_both(programs: impl Fn(ByteAddress) -> [Vec<Request>; 2]) -> [(&'static str, [Timed; 2]); 2] {
    let mut ring = DrivenRing::new(Choice::new(), &Setup::new(2, 4)).unwrap();
    let [first, second] = programs(ByteAddress(0x40)).map(timed);
    ring.start(NodeId(0), first.0).unwrap();
    ring.start(NodeId(1), second.0).unwrap();
    ring.run(Cycle(1_000_000)).unwrap();
    let of_ring = [first.1.take(), second.1.take()];
    let [first, second] = programs(FREE).map(timed);
    let mut gen1 = Gen1::new(&Settings::new(2), vec![first.0, second.0]).unwrap();
    gen1.run(&mut |_| {}).unwrap();
    assert!(gen1.unfinished().is_empty());
    [("ring", of_ring), ("gen1", [first.1.take(), second.1.take()])]
}

/// After a fence the other node has the data: every read there that is answered later sees it.
#[test]
fn a_fence_waits_until_the_data_is_everywhere() {
    for fence in [Fence::Confirmed, Fence::To(NodeId(1))] {
        let both = on_both(|base| {
            let mut reads = Vec::new();
            for _ in 0..2000 {
                reads.push(Request::Read(Place::shared(base), Len::Bytes(4)));
            }
            let write = Request::Write(Place::shared(base), Data::Bytes([7; 4].into()));
            [vec![Request::compute(Nanoseconds(40_000)), write, Request::Fence(fence)], reads]
        });
        for (machine, [writer, reader]) in both {
            let fenced = writer[3].0;
            let data = Ok(Got::Bytes(vec![7; 4]));
            let (seen, before): (Vec<_>, Vec<_>) =
                reader[1..].iter().partition(|(_, got)| *got == data);
            let last = before.iter().map(|(at, _)| *at).max().unwrap();
            assert!(seen.iter().any(|(at, _)| *at > fenced), "{machine}: the reads end early");
            assert!(last <= fenced, "{machine}: {last} {fenced}");
        }
    }
}

/// A process that waits for a change sleeps through others beside it, and reads once when it has come.
#[test]
fn a_wait_for_a_change_ends_when_the_bytes_differ() {
    let both = on_both(|base| {
        let at = |at| Place::shared(base + at);
        let write = |to, byte: u8| Request::Write(at(to), Data::Bytes([byte].into()));
        let pause = || Request::compute(Nanoseconds(200_000));
        [
            vec![
                Request::Changed(at(6), [0; 5].into()),
                Request::Read(at(4), Len::Bytes(8)),
                // It differs already.
                Request::Changed(at(6), [0; 5].into()),
            ],
            // Before it, after it, with the value that is there, and in it.
            [pause(), write(5, 1), pause(), write(11, 2), pause(), write(8, 0), pause()]
                .into_iter()
                .chain([write(10, 3)])
                .collect(),
        ]
    });
    for (machine, [waits, writes]) in both {
        let [began, changed, read, again] = waits.try_into().unwrap_or_else(|_| panic!("four"));
        let written = writes.last().unwrap().0;
        assert_eq!((changed.1, again.1), (NOTHING, NOTHING), "{machine}");
        assert_eq!(read.1, Ok(Got::Bytes(vec![0, 1, 0, 0, 0, 0, 3, 2])), "{machine}");
        let late = changed.0.saturating_sub(written);
        assert!(began.0 + 800_000 < changed.0 && changed.0 > written - 100, "{machine}");
        assert!(late < 60_000 && again.0 < read.0 + 60_000, "{machine}: {late} ns late");
    }
}

/// A wait for a change that no process makes is a stall; so is a fence on a ring that stays cut.
#[test]
fn waits_for_memory_that_never_end_are_stalls() {
    let changed = |base| Request::Changed(Place::shared(base), [0; 4].into());
    let mut gen1 = Gen1::new(
        &Settings::new(2),
        vec![List::of(vec![changed(FREE)]).0, List::of(vec![Request::Barrier(0)]).0],
    )
    .unwrap();
    let mut judge = Judge::default();
    gen1.run_while(&mut |system| judge.judge(system) != Verdict::Stalled).unwrap();
    let left = gen1.unfinished();
    assert_eq!(left, [(0, Some(changed(FREE))), (1, Some(Request::Barrier(0)))]);
    let stall = |cut: bool, first: Vec<Request>| {
        let mut setup = Setup::new(2, 4);
        let cuts = cut.then_some(Cut { link: 0, from: Cycle(100_000), until: Cycle::MAX });
        setup.scenario.cuts.extend(cuts);
        let mut ring = DrivenRing::new(Choice::new(), &setup).unwrap();
        ring.start(NodeId(0), List::of(first).0).unwrap();
        ring.start(NodeId(1), List::of(vec![changed(ByteAddress(0))]).0).unwrap();
        let mut judge = Judge::default();
        while judge.judge(&ring) != Verdict::Stalled {
            assert!(ring.ring().cycle() < Cycle(10_000_000), "it is no stall");
            for _ in 0..1000 {
                ring.step();
            }
        }
        ring.waiting().into_iter().map(|one| one.asked.unwrap()).collect::<Vec<_>>()
    };
    let wait = changed(ByteAddress(0));
    assert_eq!(stall(false, vec![wait.clone()]), [wait.clone(), wait.clone()]);
    let write = Request::write(ByteAddress(8), 1);
    let fence = Request::Fence(Fence::Confirmed);
    let first = vec![Request::wait(Cycle(150_000)), write, fence.clone()];
    assert_eq!(stall(true, first.clone()), [fence, wait.clone()]);
    // Without the cut the fence ends.
    assert_eq!(stall(false, first), [wait]);
}

/// Data that has returned to its source may still be on its way into the memory of a receiver: a rule that is asked in
/// every cycle calls the wait for it no stall.
#[test]
fn data_on_its_way_into_a_memory_is_no_stall() {
    let changed = |at: u32| Request::Changed(Place::shared(ByteAddress(at)), [0; 4].into());
    for (late, bytes) in [(0, 4), (7, 1024), (100, 3000)] {
        let mut ring = DrivenRing::new(Choice::new(), &Setup::new(3, 4)).unwrap();
        let data = Data::Bytes(vec![9; bytes].into());
        let write = Request::Write(Place::shared(ByteAddress(0x100)), data);
        let last = 0x100 + u32::try_from(bytes).unwrap() - 4;
        ring.start(NodeId(0), List::of(vec![Request::wait(Cycle(late)), write, changed(0)]).0)
            .unwrap();
        for node in [1, 2] {
            ring.start(NodeId(node), List::of(vec![changed(last)]).0).unwrap();
        }
        let mut judge = Judge::default();
        while judge.judge(&ring) != Verdict::Stalled {
            ring.step();
        }
        let waits: Vec<_> = ring.waiting().into_iter().map(|one| one.node).collect();
        assert_eq!(waits, [NodeId(0)], "{bytes} bytes");
    }
}

/// Bytes that differ when the wait for their change begins, on a board that rests: the rule calls that no stall.
#[test]
fn a_change_that_is_there_already_is_no_stall() {
    let mut ring = DrivenRing::new(Choice::new(), &Setup::new(2, 4)).unwrap();
    let changed = Request::Changed(Place::shared(ByteAddress(8)), [1; 4].into());
    let all = (0..50).flat_map(|late| [Request::wait(Cycle(5000 + late)), changed.clone()]);
    ring.start(NodeId(0), List::of(all.collect()).0).unwrap();
    let mut judge = Judge::default();
    while !ring.ended() {
        ring.advance();
        assert_ne!(judge.judge(&ring), Verdict::Stalled, "{}", ring.ring().cycle());
    }
}

/// Cycles or events of a run in which node 1 has a half of the 8 bytes at `at` that node 0 writes last, after as many
/// bytes before them that they end a full frame.
fn halves(long: bool, late: u64) -> [usize; 2] {
    let requests = |base: ByteAddress| {
        let before = vec![5; 1020];
        let data = if long { Data::Long([7; 8]) } else { Data::Bytes([7; 8].into()) };
        let write = |at: u32, data| Request::Write(Place::shared(base + at), data);
        let pause = Request::compute(Nanoseconds(late));
        [pause, write(4, Data::Bytes(before.into())), write(1024, data)]
    };
    let half = |bytes: &[u8]| (bytes[..4] == [7; 4]) != (bytes[4..8] == [7; 4]);
    let mut ring = DrivenRing::new(Choice::new(), &Setup::new(2, 4)).unwrap();
    ring.start(NodeId(0), List::of(requests(ByteAddress(0)).into()).0).unwrap();
    let mut of_ring = 0;
    // Node 1 may still write what has returned to node 0.
    let mut left = 5000;
    while left > 0 {
        ring.step();
        left -= u32::from(ring.is_up() && ring.ended() && ring.settled());
        let board = ring.ring().board(1);
        let bytes = awgstar_board::ring::boards::bytes(board, ByteAddress(1024), 8);
        of_ring += usize::from(half(&bytes));
    }
    let bytes = awgstar_board::ring::boards::bytes(ring.ring().board(1), ByteAddress(1024), 8);
    assert_eq!(bytes, [7; 8]);
    let mut of_gen1 = 0;
    let processes = [requests(FREE).into(), Vec::new()].map(|all| List::of(all).0).into();
    let mut gen1 = Gen1::new(&Settings::new(2), processes).unwrap();
    gen1.run_while(&mut |system| {
        of_gen1 += usize::from(half(&system.ring().memory(1).read(FREE + 1024, 8)));
        true
    })
    .unwrap();
    assert_eq!(gen1.ring().memory(1).read(FREE + 1024, 8), [7; 8]);
    [of_ring, of_gen1]
}

/// A value of 64 bits is in one frame: on the ring its halves come in neighbouring cycles, on generation 1 at once. As
/// 8 bytes it may be in two, which this test must see.
#[test]
fn a_value_of_64_bits_is_in_one_frame() {
    let times = (0..60).map(|step| 37 * step);
    let worst = |long| {
        let all: Vec<[usize; 2]> = times.clone().map(|late| halves(long, late)).collect();
        [0, 1].map(|machine| all.iter().map(|one| one[machine]).max().unwrap())
    };
    let ([ring, gen1], [ring_bytes, gen1_bytes]) = (worst(true), worst(false));
    assert!(ring == 1 && gen1 == 0, "{ring} {gen1}");
    assert!(ring_bytes > 1 && gen1_bytes > 0, "{ring_bytes} {gen1_bytes}");
}

/// A value of 64 bits has its place: a multiple of 8 in the memory.
#[test]
fn a_value_of_64_bits_elsewhere_is_refused() {
    let at = |at| Request::Write(Place::shared(ByteAddress(at)), Data::Long([1; 8]));
    let requests = vec![at(4), at(7), at(4 << MEM_ADDR_W), at((4 << MEM_ADDR_W) - 8)];
    let (gots, _) = on_ring(requests, Vec::new(), ByteAddress(0));
    let bus = || Err(Refused::Bus);
    assert_eq!(gots, [bus(), bus(), bus(), NOTHING]);
}
