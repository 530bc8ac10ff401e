// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks and barriers by the engine of the boards, alone and beside firmware (DRV-8); boards without one
//! (ENG-9).

use awgstar_board::ring::boards::{self, Noise, bytes};
use awgstar_board::ring::{BoardRing, BoardScenario, HostOp, Outcome};
use awgstar_frame::contract::board as map;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{Choice, DrivenRing, Handle, HostError, Program, Setup, Stopped, work::Work};
use awgstar_sync::firmware::barrier::Nodes;

const LIMIT: Cycle = Cycle(40_000_000);
const WORKS: [Work; 3] = [
    Work::Counter { rounds: 3, inside: Cycle(30), outside: Cycle(0) },
    Work::List { rounds: 3 },
    Work::Stencil { cells: 2, steps: 3 },
];

fn setup(nodes: usize, width: u64) -> Setup {
    let mut setup = Setup::new(nodes, 4);
    let parameters = setup.scenario.parameters.with("smb", "ENGINE_NODE_W", width);
    setup.scenario.parameters = parameters.expect("legal");
    setup
}

fn choice(nodes: impl IntoIterator<Item = u8>) -> Choice {
    let engines = nodes.into_iter().map(NodeId).collect();
    Choice { engines, retry_timeout: Cycle(60_000), ..Choice::new() }
}

/// The result of each work is exact on every replica: engines in all nodes, in some, in none.
#[test]
fn engines_beside_firmware() {
    for nodes in [2_usize, 3, 5, 16] {
        let all = || (0..16_u8).filter(move |&node| usize::from(node) < nodes);
        for engines in [choice(all()), choice(all().step_by(2)), choice([1]), choice([])] {
            for work in WORKS {
                let mut system = DrivenRing::new(engines, &setup(nodes, 4)).expect("good");
                let ends = system.run_programs(LIMIT, work.programs(nodes));
                let ends = ends.unwrap_or_else(|e| panic!("{engines:?} {work:?}: {e}"));
                assert!(ends.iter().all(Result::is_ok), "{engines:?} {work:?}: {ends:?}");
                system.settle(LIMIT).unwrap_or_else(|e| panic!("{engines:?} {work:?}: {e}"));
                work.check(&system).unwrap_or_else(|e| panic!("{engines:?} {work:?}: {e}"));
            }
        }
    }
}

/// Frames are lost, and boards and timers of the engine send again.
#[test]
fn bit_errors() {
    for (seed, work) in (1..).zip(WORKS) {
        let mut setup = setup(4, 2);
        setup.scenario.noise = Noise { rate: 200_000, seed };
        let mut system = DrivenRing::new(choice([0, 1, 3]), &setup).expect("good");
        let ends = system.run_programs(LIMIT, work.programs(4));
        assert!(ends.expect("ends").iter().all(Result::is_ok));
        system.settle(LIMIT).expect("settles");
        work.check(&system).unwrap_or_else(|e| panic!("{work:?}: {e}"));
    }
}

/// Sixteen locks and eight barriers at once, and a lock beyond them, which firmware serves.
#[test]
fn all_locks_and_barriers() {
    const NODES: usize = 3;
    let program = |node: &mut Handle| -> Result<(), Stopped> {
        for lock in (0..16).chain([16, 70]) {
            let word = ByteAddress(4 * lock);
            node.lock(lock)?;
            let value = node.read(word)?;
            node.write(word, value + 1)?;
            node.unlock(lock)?;
            node.arrive((lock % 8).to_le_bytes()[0])?;
            let found = node.read(word)?;
            if found != 3 {
                return Err(Stopped::Check { expected: 3, found });
            }
        }
        Ok(())
    };
    for engines in [choice([0, 1, 2]), choice([0, 2])] {
        let programs: Vec<Program<'_>> =
            (0..NODES).map(|_| -> Program<'_> { Box::new(program) }).collect();
        let mut system = DrivenRing::new(engines, &setup(NODES, 2)).expect("good");
        let ends = system.run_programs(LIMIT, programs).expect("ends");
        assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    }
}

/// A board with an engine that rests is not stepped; that must make no difference.
#[test]
fn skipping_rest_changes_nothing() {
    let run = |skip: bool| {
        let mut setup = setup(3, 2);
        setup.scenario.noise = Noise { rate: 60_000, seed: 5 };
        let engines = Choice { retry_timeout: Cycle(900), ..choice([0, 2]) };
        let mut system = DrivenRing::new(engines, &setup).expect("good");
        for (node, program) in NodeId::all(3).zip(WORKS[0].programs(3)) {
            system.start(node, awgstar_host::process(node, program)).expect("a node");
        }
        for _ in 0..40_000 {
            if skip {
                system.advance();
            } else {
                system.step();
            }
        }
        system.wake();
        assert!(system.ended());
        system.into_ring()
    };
    let (stepped, skipped) = (run(false), run(true));
    for node in 0..3 {
        assert!(stepped.board(node) == skipped.board(node), "board {node}");
    }
}

#[test]
fn a_board_without_engine_cannot_be_used_as_one() {
    for (nodes, width) in [(2, 0), (5, 2)] {
        let all = choice((0..5).filter(|&node| usize::from(node) < nodes));
        let found = DrivenRing::new(all, &setup(nodes, width)).err();
        let width = usize::try_from(width).expect("small");
        assert_eq!(found, Some(HostError::NoEngine { node: NodeId(0), nodes, width }));
    }
    assert_eq!(choice([]).engines, Nodes::NONE);
}

/// ENG-9: what would be the engine's registers is refused, and a signal of the engine's kinds is a message.
#[test]
fn a_board_without_engine_is_as_before() {
    let mut ring = BoardRing::new(&BoardScenario::new(2)).expect("good");
    for node in [0, 1] {
        let refused = (0..0x800_u32).step_by(4).map(|at| ByteAddress(0x800 + at));
        let reads = refused.clone().map(|addr| HostOp::Read { addr });
        let writes = refused.map(|addr| HostOp::Write { addr, data: 1, strobe: 15 });
        ring.push(node, reads.chain(writes)).expect("legal");
    }
    let mut refused = 0;
    while !ring.hosts_idle() {
        ring.step();
    }
    for node in [0, 1] {
        let results = ring.take_results(node);
        refused += results.iter().filter(|result| result.outcome == Outcome::Refused).count();
        let id = NodeId::at(node);
        ring.push(node, boards::configure(id, 1, 2_000, 500)).expect("legal");
        ring.push(node, [boards::wait_synced(Cycle(50_000))]).expect("legal");
    }
    assert_eq!(refused, 2 * 2 * 512);
    let signal = awgstar_frame::contract::Signal::LockQueueRequest;
    let order = awgstar_frame::contract::Order::None;
    let (token, c_st) = (signal.token(), signal.c_st());
    ring.push(0, boards::send_signal(token, c_st, NodeId(0), order, &[0; 10])).expect("legal");
    let end = ring.cycle() + Cycle(60_000);
    ring.run_until(end);
    ring.push(1, [HostOp::Read { addr: map::MAIL_COUNT.offset }]).expect("legal");
    while !ring.hosts_idle() {
        ring.step();
    }
    assert_eq!(ring.take_results(1).last().map(|result| result.data), Some(1));
    assert_eq!(bytes(ring.board(1), ByteAddress(0), 4), [0; 4]);
}
