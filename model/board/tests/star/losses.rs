// SPDX-License-Identifier: MIT OR Apache-2.0
//! Losses while all hosts write. Checks AWG-7, AWG-8.

use awgstar_board::ring::boards::{WINDOW, bytes, configure, read_block, write_block};
use awgstar_board::ring::star::Times;
use awgstar_board::ring::star::recovery::{Case, Loss, Recovered, RecoveryError, run};
use awgstar_board::ring::{BoardRing, BoardScenario};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

fn case(boards: usize, board: usize) -> Case {
    Case { times: Times { detect: 68, command: 100, tune: 1_000 }, ..Case::new(boards, board) }
}

fn good(case: &Case) -> Recovered {
    run(case).unwrap_or_else(|e| panic!("{case:?}: {e}"))
}

/// The moments come in their order, and the light in the time that its parts add up to.
#[test]
fn moments() {
    let found = good(&case(4, 2));
    // The end of the light: a cycle and 4 of fibre; then what the controller takes; then 4 of fibre.
    let light = 5 + 68 + 100 + 1_000 + 6;
    assert!(found.light.0.abs_diff(light) <= 3, "{found:?}");
    assert!(found.dark.0.abs_diff(5 + 68) <= 3);
    assert!(!found.monitor_lost);
    assert!(found.light < found.first_write && found.first_write <= found.all_writes);
    assert!(found.all_writes < found.reconciled);
    assert_eq!(found.inserted, None);
}

/// Without the monitor the ring waits for another one, then for a census.
#[test]
fn the_monitor_is_lost() {
    let with = good(&case(4, 2));
    let without = good(&case(4, 0));
    assert!(without.monitor_lost);
    // Board 1 waits for 5 periods of its own without a heartbeat.
    let period = u64::from(case(4, 0).period()) + 1;
    assert!((4 * period..=6 * period).contains(&without.monitor.0), "{without:?}");
    assert!(without.tokens > with.tokens || without.made == 0, "{without:?}");
}

#[test]
fn a_laser_and_a_receiver() {
    for loss in [Loss::Uplink, Loss::Downlink] {
        let found = good(&Case { loss, ..case(4, 2) });
        let least = if loss == Loss::Downlink { 2_200 } else { 1_170 };
        assert!(found.light >= Cycle(least), "{loss:?}: {found:?}");
    }
}

/// It returns with an empty memory, and ends with that of the others while they write.
#[test]
fn a_board_returns() {
    for (boards, board) in [(2, 1), (4, 2), (4, 0)] {
        for loss in [Loss::Power, Loss::Uplink, Loss::Downlink] {
            let found = good(&Case { loss, returns: Some(Cycle(1_000)), ..case(boards, board) });
            let (inserted, synced, restored) =
                (found.inserted.unwrap(), found.synced.unwrap(), found.restored.unwrap());
            assert!(inserted < synced && synced < restored, "{found:?}");
        }
    }
}

/// With light away for longer than eight timeouts boards refuse what they have no room for; what they
/// took is there in the end.
#[test]
fn a_long_outage() {
    let times = Times { detect: 68, command: 100, tune: 60_000 };
    let found = good(&Case { times, pause: 100, ..case(3, 1) });
    assert!(found.refused > 0, "{found:?}");
}

/// Why every host rewrites its own area. One host that copies all loses what another writes between its
/// read and its write.
#[test]
fn one_copier_for_all_would_undo_a_write() {
    let mut ring = BoardRing::new(&BoardScenario::new(3)).unwrap();
    for i in 0..3 {
        ring.push(i, configure(NodeId::at(i), 1, 2_000, 600)).unwrap();
    }
    ring.run_until(Cycle(9_000));
    ring.push(1, write_block(ByteAddress(0x100), b"old!")).unwrap();
    ring.run_until(Cycle(10_000));
    ring.push(0, read_block(ByteAddress(0x100), 1)).unwrap();
    ring.push(1, write_block(ByteAddress(0x100), b"new!")).unwrap();
    assert!(ring.run_until_done(Cycle(1_000), BoardRing::hosts_idle));
    let read = ring.host(0).results().last().copied().unwrap();
    assert_eq!(
        (read.data.to_le_bytes(), bytes(ring.board(1), ByteAddress(0x100), 4)),
        (*b"old!", b"new!".into())
    );
    ring.run_until(ring.cycle() + Cycle(300));
    assert_eq!(bytes(ring.board(2), ByteAddress(0x100), 4), b"new!");
    ring.push(0, write_block(ByteAddress(0x100), &read.data.to_le_bytes())).unwrap();
    ring.run_until(ring.cycle() + Cycle(1_000));
    for i in 0..3 {
        assert_eq!(bytes(ring.board(i), ByteAddress(0x100), 4), b"old!", "board {i}");
    }
    assert_eq!(read_block(ByteAddress(0x100), 1).len(), 1);
    assert_eq!(WINDOW, ByteAddress(0x8000_0000));
}

#[test]
fn what_cannot_be() {
    let error = run(&case(4, 4)).unwrap_err();
    assert_eq!(error, RecoveryError::Board { boards: 4, found: 4 });
    assert_eq!(error.to_string(), "board: expected one below 4, found 4");
    assert!(matches!(run(&case(33, 1)), Err(RecoveryError::Scenario(_))));
    assert!(matches!(run(&case(0, 0)), Err(RecoveryError::Board { .. })));
}

/// The same case is the same run.
#[test]
fn again() {
    assert_eq!(good(&case(3, 2)), good(&case(3, 2)));
    assert_ne!(good(&case(3, 2)), good(&Case { seed: 2, ..case(3, 2) }));
}
