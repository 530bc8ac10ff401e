// SPDX-License-Identifier: MIT OR Apache-2.0
//! Virtual shared memory at work: an array larger than the shared memory has room for, updated by all
//! nodes, exact at the end whatever the ring does to frames (PAG-2 to PAG-8).

use awgstar_board::ring::boards::{Noise, count};
use awgstar_board::ring::{Fault, FaultKind};
use awgstar_frame::contract::{BoardCounter, Order, PageTable, Signal};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{
    Choice, DrivenRing, Handle, Happened, HostError, Program, Protocols, Setup, Stopped,
};
use awgstar_request::{self as request, Len, Request};
use awgstar_sync::firmware::paging::{Place, Repairs, Swap, Worker};
use awgstar_sync::firmware::{Action, Event, Firmware, Message, Timer};

const LOCK: u32 = 3;

fn choice(page_bytes: u32, pages: u16, frames: u16, nodes: usize) -> Choice {
    let processes = u8::try_from(nodes).expect("small");
    Choice { pages: Some(PageTable::new(page_bytes, pages, frames, processes)), ..Choice::new() }
}

/// A walk over all words of the array that is another one for each node and round.
fn walk(node: u32, round: u32, words: u32) -> impl Iterator<Item = u32> {
    // Odd, and the number of words is a power of two: every word once.
    (0..words).map(move |i| (i * (5 + 2 * node) + 7 * round + 3 * node) % words * 4)
}

/// Adds to every `stride`-th word of the walk, each under the lock.
fn add(node: &mut Handle, rounds: u32, words: u32, stride: usize) -> Result<(), Stopped> {
    let me = u32::from(node.node());
    for round in 0..rounds {
        for addr in walk(me, round, words).step_by(stride) {
            node.lock(LOCK)?;
            let value = node.pages().read(ByteAddress(addr))?;
            node.pages().write(ByteAddress(addr), value + (me + 1))?;
            node.unlock(LOCK)?;
        }
    }
    node.barrier()
}

/// What each word must be: the sums of the same walks, one after the other.
fn sums(nodes: usize, rounds: u32, words: u32, stride: usize) -> Vec<u32> {
    let mut sums = vec![0; words as usize];
    for node in 0..u32::try_from(nodes).expect("small") {
        for round in 0..rounds {
            for addr in walk(node, round, words).step_by(stride) {
                sums[addr as usize / 4] += node + 1;
            }
        }
    }
    sums
}

fn run(choice: Choice, setup: &Setup, rounds: u32, stride: usize) -> DrivenRing<Choice> {
    let nodes = setup.scenario.boards;
    let at = choice.pages.expect("there are pages");
    let words = u32::from(at.pages) * at.page_bytes / 4;
    let mut system = DrivenRing::new(choice, setup).expect("good");
    let program =
        |_| -> Program<'static> { Box::new(move |node| add(node, rounds, words, stride)) };
    let ends = system.run_programs(Cycle(60_000_000), (0..nodes).map(program).collect());
    let ends = ends.unwrap_or_else(|e| panic!("{nodes} nodes: {e}"));
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    system.settle(Cycle(4_000_000)).expect("in time");
    let expected = sums(nodes, rounds, words, stride);
    for node in 0..nodes {
        let found: Vec<u32> = (0..words)
            .map(|word| {
                system
                    .virtual_word(NodeId::at(node), ByteAddress(4 * word))
                    .expect("within the pages")
            })
            .collect();
        assert_eq!(found, expected, "node {node} of {nodes}");
    }
    system
}

#[test]
fn two_to_four_nodes() {
    for nodes in [2, 3, 4] {
        let system = run(choice(64, 8, 2, nodes), &Setup::new(nodes, 4), 1, 3);
        let master = system.pager(NodeId(0)).expect("pages").chief().expect("node 0").machine();
        assert_eq!(master.state(), Swap::Idle);
        for node in 0..nodes {
            assert_eq!(
                system.pager(NodeId::at(node)).expect("pages").access().state(),
                Worker::Idle
            );
        }
    }
}

/// One page at a time in the shared memory.
#[test]
fn room_for_one() {
    run(choice(32, 4, 1, 3), &Setup::new(3, 4), 1, 2);
}

/// Pages longer than a frame's 1,024 bytes, and flags of more than four processes.
#[test]
fn long_pages_and_many_processes() {
    run(choice(2048, 4, 2, 6), &Setup::new(6, 4), 1, 400);
}

#[test]
fn bit_errors() {
    for seed in [1, 2] {
        let mut setup = Setup::new(3, 4);
        // One in 200,000 bits.
        setup.scenario.noise = Noise { rate: 21_000, seed };
        let system = run(choice(64, 8, 2, 3), &setup, 2, 3);
        let again: u32 = (0..3).map(|i| count(system.ring().board(i), BoardCounter::Rewound)).sum();
        assert!(again > 0, "no data frame was hurt");
    }
}

#[test]
fn a_slow_node() {
    for slow in [0, 2] {
        let mut setup = Setup::new(3, 4);
        setup.slow = (0..3).map(|node| Cycle(if node == slow { 2_000 } else { 0 })).collect();
        run(choice(64, 8, 2, 3), &setup, 1, 7);
    }
}

/// Requests that are retransmitted while they are served.
#[test]
fn early_timers() {
    for retry_timeout in [120, 500].map(Cycle) {
        let choice = Choice { retry_timeout, ..choice(64, 8, 2, 3) };
        run(choice, &Setup::new(3, 4), 1, 5);
    }
}

/// Every frame that leaves the master in turn is lost once.
#[test]
fn a_lost_frame() {
    for frame in 20..60 {
        let mut setup = Setup::new(3, 4);
        let lost = Fault { link: 0, frame, kind: FaultKind::Lose };
        setup.scenario.faults = vec![lost];
        run(choice(32, 4, 1, 3), &setup, 1, 5);
    }
}

/// RING-2
#[test]
fn the_same_again() {
    let setup = Setup { records: true, ..Setup::new(3, 4) };
    let records = || run(choice(64, 8, 2, 3), &setup, 1, 5).take_records();
    let once = records();
    assert!(once.iter().any(|record| matches!(record.what, Happened::Pages(..))));
    assert_eq!(once, records());
}

/// As published a request has its sender in Node_ID, and nobody answers it.
#[test]
fn as_printed_nobody_gets_a_page() {
    let choice = Choice { as_published: true, ..choice(64, 8, 2, 2) };
    let mut system = DrivenRing::new(choice, &Setup::new(2, 4)).expect("good");
    let programs: Vec<Program> = vec![
        Box::new(|_| Ok(())),
        Box::new(|node| node.pages().read(ByteAddress(448)).map(|_| ())),
    ];
    let error = system.run_programs(Cycle(200_000), programs).expect_err("nobody answers");
    let HostError::Timeout { waiting, .. } = &error else { panic!("{error}") };
    let who: Vec<_> = waiting.iter().map(|w| (w.node, w.asked.clone())).collect();
    let read = Request::Read(request::Place::paged(ByteAddress(448)), Len::Word);
    assert_eq!(who, [(NodeId(1), Some(read))]);
}

/// PAG-9
#[test]
fn beyond_the_last_page() {
    let mut system = DrivenRing::new(choice(64, 8, 2, 2), &Setup::new(2, 4)).expect("good");
    let ends = system
        .run_programs(
            Cycle(1_000_000),
            vec![Box::new(|node| {
                assert_eq!(
                    node.pages().read(ByteAddress(512)),
                    Err(Stopped::Refused { addr: ByteAddress(512) })
                );
                node.pages().write(ByteAddress(508), 9)?;
                assert_eq!(node.pages().read(ByteAddress(508)), Ok(9));
                Ok(())
            })],
        )
        .expect("in time");
    assert_eq!(ends, [Ok(())]);
    assert_eq!(
        (
            system.virtual_word(NodeId(1), ByteAddress(508)),
            system.virtual_word(NodeId(1), ByteAddress(512))
        ),
        (Some(9), None)
    );
}

/// A lock whose request is a swap request: for the page whose number is that of the lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Asking(NodeId, u32);

impl Firmware for Asking {
    fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        if event == Event::Acquire {
            let request = Message::new(Signal::SwapRequest, self.0);
            let request = Message { lock_number: self.1, ..request };
            actions.extend([Action::Send(request, Order::None), Action::Acquired]);
        }
    }

    fn summary(&self) -> String {
        String::new()
    }
}

struct AskingForPages;

impl Protocols for AskingForPages {
    type Lock = Asking;
    type Barrier = <Choice as Protocols>::Barrier;

    fn lock(&self, node: NodeId, _: usize, number: u32) -> Asking {
        Asking(node, number)
    }

    fn barrier(&self, node: NodeId, nodes: usize) -> Self::Barrier {
        choice(64, 8, 2, 2).barrier(NodeId::at(node.index()), nodes)
    }

    fn pages(&self, node: NodeId) -> Option<(Place, Repairs)> {
        choice(64, 8, 2, 2).pages(NodeId::at(node.index()))
    }

    fn cycles(&self, _: Timer) -> Cycle {
        Cycle(100_000)
    }
}

/// A request for page 65,539 was taken as one for page 0; it is counted and ignored, as are those for
/// page 0 and for the page behind the last.
#[test]
fn a_request_for_a_page_that_does_not_exist_is_strange() {
    for (page, strange) in [(65_539, 1), (0, 1), (9, 1), (8, 0)] {
        let mut system = DrivenRing::new(AskingForPages, &Setup::new(2, 4)).expect("good");
        let asks: Program = Box::new(move |node| {
            node.lock(page)?;
            node.barrier()
        });
        let waits: Program = Box::new(Handle::barrier);
        system.run_programs(Cycle(100_000), vec![waits, asks]).expect("in time");
        system.settle(Cycle(100_000)).expect("in time");
        assert_eq!(
            (system.strange(NodeId(0)), system.strange(NodeId(1))),
            (Some(strange), Some(0)),
            "page {page}"
        );
        let master =
            system.pager(NodeId(0)).and_then(|pager| pager.chief()).expect("node 0").machine();
        assert_eq!(master.frames().contains(&8), page == 8, "page {page}");
    }
}

#[test]
fn without_pages_every_access_is_refused() {
    let mut system = DrivenRing::new(Choice::new(), &Setup::new(2, 4)).expect("good");
    let read: Program = Box::new(|node| node.pages().read(ByteAddress(0)).map(|_| ()));
    let ends = system.run_programs(Cycle(100_000), vec![read]).expect("in time");
    assert_eq!(ends, [Err(Stopped::Refused { addr: ByteAddress(0) })]);
}

/// PAG-1: what cannot be is named.
#[test]
fn a_table_that_cannot_be() {
    let good = PageTable::new(64, 8, 2, 2);
    let cases = [
        (
            PageTable { page_bytes: 0, ..good },
            "page_bytes: expected a multiple of 4 above 0, found 0",
        ),
        (
            PageTable { page_bytes: 66, ..good },
            "page_bytes: expected a multiple of 4 above 0, found 66",
        ),
        (PageTable { table: ByteAddress(2), ..good }, "table: expected a multiple of 4, found 2"),
        (
            PageTable { physical: ByteAddress(64), ..good },
            "physical: expected a multiple of 4 after the table, found 64",
        ),
        (PageTable { frames: 0, ..good }, "frames: expected 1 to the number of pages, found 0"),
        (PageTable { frames: 9, ..good }, "frames: expected 1 to the number of pages, found 9"),
        (PageTable { processes: 1, ..good }, "processes: expected a flag for each node, found 1"),
        (
            PageTable { page_bytes: 8192, ..good },
            "frames: expected pages that end within the shared memory, found 16480",
        ),
    ];
    for (at, text) in cases {
        let choice = Choice { pages: Some(at), ..Choice::new() };
        let error = DrivenRing::new(choice, &Setup::new(2, 4)).err().expect(text);
        assert!(matches!(error, HostError::Pages(_)), "{error}");
        assert_eq!(error.to_string(), format!("page table, {text}"));
    }
}
