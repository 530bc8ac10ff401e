// SPDX-License-Identifier: MIT OR Apache-2.0
//! The firmware of the product at work (LOCK-4 to LOCK-6, BAR-4, BAR-5, DRV-6): a counter, a linked
//! list and a stencil by all nodes, exact on every replica, whatever the ring does to frames and
//! whatever hosts are slow.

use awgstar_board::ring::boards::{Dead, Noise, bytes, count};
use awgstar_board::ring::{Fault, FaultKind};
use awgstar_frame::contract::{BoardCounter, Order};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{
    BarrierKind, Choice, DrivenRing, HostError, LockKind, Program, Setup, work::Work,
};
use awgstar_request::Request;
use awgstar_sync::firmware::Timer;

const COUNTER: Work = Work::Counter { rounds: 3, inside: Cycle(30), outside: Cycle(0) };
const LIST: Work = Work::List { rounds: 3 };
const STENCIL: Work = Work::Stencil { cells: 2, steps: 3 };

/// Every pair of a lock's and a barrier's protocol that is looked at.
fn choices() -> impl Iterator<Item = Choice> {
    let pairs = LockKind::ALL.into_iter().zip(BarrierKind::ALL);
    pairs.map(|(lock, barrier)| Choice { lock, barrier, ..Choice::new() })
}

fn run(choice: Choice, setup: &Setup, work: Work) -> DrivenRing<Choice> {
    let nodes = setup.scenario.boards;
    let mut system = DrivenRing::new(choice, setup).expect("good");
    let ends = system.run_programs(Cycle(40_000_000), work.programs(nodes));
    let ends = ends.unwrap_or_else(|e| panic!("{choice:?} {work:?} {nodes} nodes: {e}"));
    assert!(ends.iter().all(Result::is_ok), "{choice:?} {work:?}: {ends:?}");
    system.settle(Cycle(4_000_000)).unwrap_or_else(|e| panic!("{choice:?} {work:?}: {e}"));
    work.check(&system).unwrap_or_else(|e| panic!("{choice:?} {work:?} {nodes} nodes: {e}"));
    system
}

fn all(setup: &Setup, change: impl Fn(Choice) -> Choice) {
    for choice in choices() {
        for work in [COUNTER, LIST, STENCIL] {
            run(change(choice), setup, work);
        }
    }
}

#[test]
fn two_to_sixteen_nodes() {
    for nodes in [2, 3, 4, 7, 16] {
        all(&Setup::new(nodes, 4), |choice| choice);
    }
}

/// On a ring that loses nothing the order in which data and unlock leave is enough. On one that does it is
/// not: `model/sync/tests/protocols/runs/lock_queue_data_sent.txt`.
#[test]
fn sent_is_enough_when_nothing_is_lost() {
    all(&Setup::new(5, 9), |choice| Choice { order: Order::Sent, ..choice });
}

#[test]
fn bit_errors() {
    for (nodes, seed) in [(2, 1), (4, 2), (6, 3)] {
        let mut setup = Setup::new(nodes, 4);
        // One in 200,000 bits: about one frame of sixty on its way round 6 nodes.
        setup.scenario.noise = Noise { rate: 21_000, seed };
        all(&setup, |choice| choice);
    }
}

#[test]
fn a_slow_node() {
    for slow in [0, 2] {
        let mut setup = Setup::new(4, 4);
        setup.slow = (0..4).map(|node| Cycle(if node == slow { 2_000 } else { 0 })).collect();
        all(&setup, |choice| choice);
    }
}

/// Timers that run out while what they wait for is still under way: DRV-2 keeps signals few.
#[test]
fn early_timers() {
    for retry_timeout in [90, 400].map(Cycle) {
        all(&Setup::new(4, 4), |choice| Choice { retry_timeout, ..choice });
    }
}

/// More signals than a mailbox holds, at a host that does not look: what is lost is asked for again.
#[test]
fn a_full_mailbox() {
    let mut setup = Setup::new(20, 4);
    setup.slow = vec![Cycle(0), Cycle(20_000)];
    for choice in choices() {
        let work = Work::Counter { rounds: 3, inside: Cycle(0), outside: Cycle(0) };
        let system = run(Choice { retry_timeout: Cycle(60_000), ..choice }, &setup, work);
        let lost: u32 =
            (0..20).map(|i| count(system.ring().board(i), BoardCounter::MailFull)).sum();
        assert!(lost > 0, "{choice:?}: the mailbox was never full");
    }
}

/// A node that dies ends in a report of who waits, and never in a wrong result.
#[test]
fn a_node_that_stops() {
    for choice in choices() {
        for work in [COUNTER, STENCIL] {
            let mut setup = Setup::new(3, 4);
            let up = {
                let mut system = DrivenRing::new(choice, &setup).expect("good");
                system.run_until_up(Cycle(1_000_000)).expect("good");
                system.ring().cycle()
            };
            setup.scenario.dead = vec![Dead { board: 2, cycle: up + Cycle(300) }];
            let mut system = DrivenRing::new(choice, &setup).expect("good");
            let error =
                system.run_programs(Cycle(1_000_000), work.programs(3)).expect_err("2 is dead");
            let HostError::Timeout { waiting, .. } = &error else { panic!("{error}") };
            assert!(waiting.iter().any(|w| w.node == NodeId(2)), "{choice:?}: {error}");
            if work == STENCIL {
                let waits = |node| {
                    waiting.iter().any(|w| w.node == node && w.asked == Some(Request::Barrier(0)))
                };
                assert!(waits(NodeId(0)) && waits(NodeId(1)), "{choice:?}: {error}");
            }
        }
    }
}

/// The last writer's word is lost sooner or later when an unlock does not wait for data.
#[test]
fn without_an_order_updates_are_lost() {
    let lost = (1..40).any(|seed| {
        let mut setup = Setup::new(4, 30);
        setup.scenario.noise = Noise { rate: 21_000, seed };
        let choice = Choice { order: Order::None, ..Choice::new() };
        let mut system = DrivenRing::new(choice, &setup).expect("good");
        let work = Work::Counter { rounds: 4, inside: Cycle(0), outside: Cycle(0) };
        let ends = system.run_programs(Cycle(40_000_000), work.programs(4)).expect("in time");
        assert!(ends.iter().all(Result::is_ok));
        system.settle(Cycle(4_000_000)).expect("in time");
        work.check(&system).is_err()
    });
    assert!(lost, "`none` orders nothing");
}

/// DRV-4: of an arrival words 0, 2 and 4 of a message are read, of a request word 5 too, of a pass
/// word 6 as well.
#[test]
fn no_word_is_read_that_the_signal_does_not_have() {
    let words = |program: fn() -> awgstar_host::Program<'static>| {
        let mut system = DrivenRing::new(Choice::new(), &Setup::new(2, 4)).expect("good");
        system.run_until_up(Cycle(1_000_000)).expect("good");
        for node in 0..2 {
            system
                .start(NodeId(node), awgstar_host::process(NodeId(node), program()))
                .expect("a node");
        }
        let mut read = std::collections::BTreeSet::new();
        while !system.ended() {
            system.step_observed(&mut |_, _, i, _| {
                if i.s_axi.arvalid && (0xc0..0x100).contains(&i.s_axi.araddr) {
                    read.insert((i.s_axi.araddr - 0xc0) / 4);
                }
            });
        }
        read.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(words(|| Box::new(awgstar_host::Handle::barrier)), [0, 2, 4]);
    let lock = || -> awgstar_host::Program<'static> {
        Box::new(|node| {
            node.lock(2)?;
            node.unlock(2)
        })
    };
    assert_eq!(words(lock), [0, 2, 4, 5, 6]);
}

/// RING-2
#[test]
fn the_same_again() {
    let mut setup = Setup { records: true, ..Setup::new(4, 4) };
    setup.scenario.noise = Noise { rate: 21_000, seed: 9 };
    let records = || run(Choice::new(), &setup, LIST).take_records();
    assert_eq!(records(), records());
}

#[test]
fn retry_timeout_is_that_of_all_timers() {
    use awgstar_host::Protocols;
    let choice = Choice { retry_timeout: Cycle(77), ..Choice::new() };
    for timer in [Timer::Request, Timer::Grant, Timer::Release, Timer::Pass] {
        assert_eq!(choice.cycles(timer), Cycle(77));
    }
}

/// The largest ring there is.
#[test]
#[ignore = "minutes: cargo test --release -p awgstar-host --test host -- --ignored"]
fn n_256() {
    let setup = Setup::new(256, 4);
    for choice in choices() {
        let choice = Choice { retry_timeout: Cycle(60_000), ..choice };
        run(choice, &setup, Work::Counter { rounds: 1, inside: Cycle(0), outside: Cycle(0) });
        run(choice, &setup, Work::Stencil { cells: 1, steps: 1 });
    }
}

/// The same while bits are inverted on every link, frames are lost, and a host is slow.
#[test]
#[ignore = "some minutes: cargo test --release -p awgstar-host --test host -- --ignored --nocapture"]
fn n_256_with_faults() {
    let mut setup = Setup::new(256, 4);
    // One bit in 8.6 million: of the frames that go round 256 links about one in 60 is hit.
    setup.scenario.noise = Noise { rate: 500, seed: 5 };
    let lose = |link| Fault { link, frame: 900 + link as u64, kind: FaultKind::Lose };
    setup.scenario.faults = (0..256).step_by(16).map(lose).collect();
    setup.slow = (0..256).map(|node| Cycle(if node == 100 { 2_000 } else { 0 })).collect();
    for choice in choices() {
        let choice = Choice { retry_timeout: Cycle(600_000), ..choice };
        for work in [
            Work::Counter { rounds: 1, inside: Cycle(0), outside: Cycle(0) },
            Work::Stencil { cells: 1, steps: 1 },
        ] {
            let mut system = DrivenRing::new(choice, &setup).expect("good");
            let ends = system.run_programs(Cycle(1_000_000_000), work.programs(256));
            let ends = ends.unwrap_or_else(|e| panic!("{choice:?} {work:?}: {e}"));
            assert!(ends.iter().all(Result::is_ok), "{choice:?} {work:?}: {ends:?}");
            let cycles = system.ring().cycle();
            system
                .settle(Cycle(100_000_000))
                .unwrap_or_else(|e| panic!("{choice:?} {work:?}: {e}"));
            work.check(&system).unwrap_or_else(|e| panic!("{choice:?} {work:?}: {e}"));
            let sum =
                |counter| -> u32 { (0..256).map(|i| count(system.ring().board(i), counter)).sum() };
            let (inverted, resent) = (system.ring().inverted(), sum(BoardCounter::SignalResend));
            assert!(inverted > 0 && resent > 0, "{choice:?} {work:?}: nothing went wrong");
            let rewound = sum(BoardCounter::Rewound);
            println!(
                "| {} | {} | {work:?} | {cycles} | {inverted} | {resent} | {rewound} |",
                choice.lock.name(),
                choice.barrier.name()
            );
        }
    }
}

/// LOCK-1: a lock is its whole number. With 16 bits of it a node would wait for itself.
#[test]
fn locks_whose_numbers_agree_in_16_bits_are_two() {
    for choice in choices() {
        let mut system = DrivenRing::new(choice, &Setup::new(3, 4)).expect("good");
        let program = || -> Program {
            Box::new(|node| {
                for lock in [1, 0x1_0001] {
                    node.lock(lock)?;
                }
                let sum = node.read(ByteAddress(0x40))? + 1;
                node.write(ByteAddress(0x40), sum)?;
                for lock in [0x1_0001, 1] {
                    node.unlock(lock)?;
                }
                Ok(())
            })
        };
        let ends = system.run_programs(Cycle(1_000_000), (0..3).map(|_| program()).collect());
        let ends = ends.unwrap_or_else(|e| panic!("{choice:?}: {e}"));
        assert!(ends.iter().all(Result::is_ok), "{choice:?}: {ends:?}");
        system.settle(Cycle(1_000_000)).unwrap_or_else(|e| panic!("{choice:?}: {e}"));
        for node in 0..3 {
            assert_eq!(
                bytes(system.ring().board(node), ByteAddress(0x40), 4),
                [3, 0, 0, 0],
                "{choice:?}"
            );
        }
    }
}
