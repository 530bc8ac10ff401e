// SPDX-License-Identifier: MIT OR Apache-2.0
//! More than one barrier on a ring, each with members of its own (BAR-7).

use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{
    BarrierKind, Choice, DrivenRing, Handle, LockMachine, Program, Protocols, Setup, Stopped,
};
use awgstar_sync::firmware::{
    Firmware, Timer,
    barrier::{Member, Ring},
};
use std::sync::Mutex;

const LIMIT: Cycle = Cycle(10_000_000);
const ROUNDS: u32 = 6;

/// Barrier 0 of all nodes, 1 of those with an even number, 2 of the others.
struct Three;

impl Protocols for Three {
    type Lock = LockMachine;
    type Barrier = Ring;

    fn lock(&self, node: NodeId, nodes: usize, number: u32) -> LockMachine {
        Choice::new().lock(node, nodes, number)
    }

    fn barrier(&self, node: NodeId, nodes: usize) -> Ring {
        Ring::new(Member::new(node, NodeId::all(nodes).collect()))
    }

    fn numbered_barrier(&self, node: NodeId, nodes: usize, barrier: u8) -> Option<Ring> {
        let half = |one: &NodeId| one.0 % 2 == barrier - 1;
        let members = NodeId::all(nodes).filter(half).collect();
        (barrier <= 2).then(|| Ring::new(Member { barrier, ..Member::new(node, members) }))
    }

    fn cycles(&self, _: Timer) -> Cycle {
        Cycle(3_000)
    }
}

/// Writes the round, waits for the others of its half, and reads what they have written: each of them is in
/// this round, or has gone on to the next.
fn rounds(node: &mut Handle) -> Result<(), Stopped> {
    let me = node.node().0;
    let cell = |node: u8| ByteAddress(4 * u32::from(node));
    for round in 1..=ROUNDS {
        node.write(cell(me), round)?;
        node.arrive(1 + me % 2)?;
        for other in [0, 2, 4].map(|step| (me + step) % 6) {
            let found = node.read(cell(other))?;
            if found != round && found != round + 1 {
                return Err(Stopped::Check { expected: round, found });
            }
        }
    }
    Ok(())
}

/// The nodes of one half wait at barrier 0 while those of the other meet at theirs, then the other way
/// round: who waits at barrier 0 is let go when the last has arrived there, not before.
#[test]
fn two_barriers_at_once() {
    let mut setup = Setup::new(6, 4);
    setup.scenario.noise = awgstar_board::ring::boards::Noise { rate: 21_000, seed: 4 };
    let times = Mutex::new(Vec::new());
    let programs = (0..6_u8).map(|me| {
        let times = &times;
        let program = move |node: &mut Handle| {
            for turn in 0..2 {
                if me % 2 == turn {
                    rounds(node)?;
                }
                let arrived = node.cycle();
                node.barrier()?;
                times.lock().expect("no panic").push((turn, arrived, node.cycle()));
            }
            Ok(())
        };
        Box::new(program) as Program<'_>
    });
    let mut system = DrivenRing::new(Three, &setup).expect("good");
    let ends = system.run_programs(LIMIT, programs.collect()).expect("all pass");
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    let times = times.into_inner().expect("no panic");
    for turn in 0..2 {
        let of = || times.iter().filter(|one| one.0 == turn);
        assert_eq!(of().count(), 6);
        let first = of().map(|one| one.1).min().expect("six");
        let last = of().map(|one| one.1).max().expect("six");
        let passed = of().map(|one| one.2).min().expect("six");
        assert!(
            last < passed,
            "turn {turn}: one passed in {passed} before the last came in {last}"
        );
        assert!(first + Cycle(500) < last, "turn {turn}: the halves were not at work at once");
    }
    let episode = |node, barrier| {
        let one = system.numbered_barrier_machine(NodeId(node), barrier).expect("used");
        one.summary()
    };
    for node in 0..6 {
        assert_eq!(episode(node, 0), "away in 2, arrived []");
        assert_eq!(episode(node, 1 + node % 2), format!("away in {ROUNDS}, arrived []"));
        assert_eq!(system.strange(NodeId(node)), Some(0));
    }
}

/// The barriers of the thesis have no number; a message of a barrier that a node does not have is ignored.
#[test]
fn a_barrier_that_is_not_there() {
    for barrier in BarrierKind::ALL {
        let choice = Choice { barrier, ..Choice::new() };
        let program = |node: &mut Handle| {
            node.arrive(0)?;
            let found = node.arrive(255);
            node.arrive(0)?;
            found
        };
        let programs = (0..2).map(|_| Box::new(program) as Program<'_>).collect();
        let mut system = DrivenRing::new(choice, &Setup::new(2, 4)).expect("good");
        let ends = system.run_programs(LIMIT, programs).expect("all end");
        let expected = match barrier {
            BarrierKind::Ring => Ok(()),
            _ => Err(Stopped::NoBarrier { number: 255 }),
        };
        assert_eq!(ends, [expected, expected], "{barrier:?}");
    }
    let programs: Vec<Program<'_>> =
        vec![Box::new(|node| node.arrive(3)), Box::new(|node| node.arrive(3))];
    let mut system = DrivenRing::new(Three, &Setup::new(2, 4)).expect("good");
    let ends = system.run_programs(LIMIT, programs).expect("all end");
    assert_eq!(ends, [Err(Stopped::NoBarrier { number: 3 }); 2]);
}
