// SPDX-License-Identifier: MIT OR Apache-2.0
//! What makes no sense is refused, with the field and what was expected. Checks RING-1.

use super::bench::{PERIOD, UP, configured};
use awgstar_board::ring::boards::{
    Cut, Dead, Noise, Slow, bytes, count, register, send_signal, write_block,
};
use awgstar_board::ring::{BoardRing, BoardScenario, Fault, FaultKind, HostOp, ScenarioError};
use awgstar_frame::contract::board::{self, IRQ_ENABLE};
use awgstar_frame::contract::{Counter, Interrupt, Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

fn refused(change: impl FnOnce(&mut BoardScenario)) -> String {
    let mut s = BoardScenario::new(3);
    change(&mut s);
    BoardRing::new(&s).map(|_| ()).expect_err("nonsense").to_string()
}

fn fault(kind: FaultKind) -> String {
    refused(|s| s.faults = vec![Fault { link: 0, frame: 0, kind }])
}

/// RING-1: each wrong value, and the text that names it.
#[test]
fn wrong_values() {
    assert_eq!(refused(|s| s.boards = 0), "nodes: expected 1 to 256, found 0");
    assert_eq!(refused(|s| s.boards = 257), "nodes: expected 1 to 256, found 257");
    let fibre = refused(|s| s.fibre.truncate(2));
    assert_eq!(fibre, "fibre: expected one entry for each of 3 nodes, found 2");
    let long = refused(|s| s.fibre[1] = 340_001);
    assert_eq!(long, "fibre[1].cycles: expected 0 to 340000, found 340001");
    let noise = refused(|s| s.noise = Noise { rate: (1 << 27) + 1, seed: 0 });
    assert_eq!(noise, "noise[0].rate: expected 0 to 134217728, found 134217729");
    let link = Fault { link: 3, frame: 0, kind: FaultKind::Lose };
    assert_eq!(refused(|s| s.faults = vec![link]), "faults[0]: expected a node below 3, found 3");
    assert_eq!(fault(FaultKind::Bit(8336)), "faults[0].bit: expected 0 to 8335, found 8336");
    assert_eq!(fault(FaultKind::Truncate(0)), "faults[0].words: expected 1 to 260, found 0");
    assert_eq!(fault(FaultKind::Truncate(261)), "faults[0].words: expected 1 to 260, found 261");
    let cut = |link, from, until| refused(move |s| s.cuts = vec![Cut { link, from, until }]);
    assert_eq!(cut(7, Cycle(0), Cycle(1)), "cuts[0]: expected a node below 3, found 7");
    assert!(cut(0, Cycle(5), Cycle(4)).starts_with("cuts[0].until: expected 5 to "));
    let dead = refused(|s| s.dead = vec![Dead { board: 9, cycle: Cycle(0) }]);
    assert_eq!(dead, "dead[0]: expected a node below 3, found 9");
    let slow = |board, cycles, from, until| {
        refused(move |s| s.slow = vec![Slow { board, cycles, from, until }])
    };
    assert_eq!(slow(3, 1, Cycle(0), Cycle(1)), "slow[0]: expected a node below 3, found 3");
    assert_eq!(slow(0, 0, Cycle(0), Cycle(1)), "slow[0].cycles: expected 1 to 340000, found 0");
    assert!(slow(0, 1, Cycle(5), Cycle(4)).starts_with("slow[0].until: expected 5 to "));
}

/// Wrong operations are refused, and none of their list is taken.
#[test]
fn wrong_operations() {
    let mut ring = BoardRing::new(&BoardScenario::new(1)).expect("good");
    let good = HostOp::Read { addr: ByteAddress(0) };
    let strobe = HostOp::Write { addr: ByteAddress(0), data: 0, strobe: 16 };
    let error = ring.push(0, [good, strobe]).expect_err("strobe");
    assert_eq!(error.to_string(), "operations[1].strobe: expected 0 to 15, found 16");
    let poll = HostOp::Poll { addr: ByteAddress(0), mask: 1, value: 2, limit: Cycle(1) };
    assert!(matches!(ring.push(0, [poll]), Err(ScenarioError::Mask { index: 0, .. })));
    assert!(ring.push(1, [good]).is_err());
    assert!(ring.reset(1, Cycle(1)).is_err());
    assert!(ring.host(0).is_idle());
}

/// A poll ends when its value is there, or when its time is over; a wait lasts as long as it says.
#[test]
fn polls_and_waits() {
    let mut ring = BoardRing::new(&BoardScenario::new(1)).expect("good");
    let id = awgstar_frame::contract::board::ID;
    let poll = |value, limit| HostOp::Poll { addr: id.offset, mask: !0, value, limit };
    ring.push(
        0,
        [HostOp::Wait { cycles: Cycle(100) }, poll(id.reset, Cycle(50)), poll(1, Cycle(50))],
    )
    .expect("good");
    ring.run_until(Cycle(400));
    let [wait, found, expired] = ring.host(0).results() else { panic!("three results") };
    assert_eq!(wait.ended - wait.began, Cycle(100));
    assert_eq!((found.data, found.outcome), (id.reset, awgstar_board::ring::Outcome::Done));
    assert!(found.ended - found.began < Cycle(6));
    assert_eq!(expired.outcome, awgstar_board::ring::Outcome::Expired);
    assert!((50..56).contains(&(expired.ended - expired.began).0));
}

/// Cycles from a write at board 1 until board 2 has it, on a ring that is up; frames that are bad.
fn time_of_a_write(slow: Vec<Slow>) -> (u64, u32) {
    let mut ring = configured(&BoardScenario { slow, ..BoardScenario::new(3) }, 1);
    ring.run_until(Cycle(UP));
    ring.push(1, write_block(ByteAddress(0x40), &[7; 300])).expect("good");
    ring.push(1, [register(&board::FLUSH, 0)]).expect("good");
    let there = |ring: &BoardRing| bytes(ring.board(2), ByteAddress(0x40), 300) == [7; 300];
    assert!(ring.run_until_done(Cycle(30_000), there), "nothing arrives");
    let time = ring.cycle() - Cycle(UP);
    ring.run_until(Cycle(UP + 30_000));
    (time.0, (0..3).map(|i| count(ring.board(i), Counter::BadFcs)).sum())
}

/// RING-1: a slow board delays what leaves it, whole, and only in its time.
#[test]
fn a_slow_board() {
    let (time, bad) = time_of_a_write(vec![]);
    let slow = |board, from, until| Slow { board, cycles: 150, from, until };
    // The token reaches board 1 once more through it, so it may take its time twice.
    let (late, torn) = time_of_a_write(vec![slow(1, Cycle(UP), Cycle(u64::MAX))]);
    assert!(late >= time + 150, "{late}, {time}");
    assert_eq!((bad, torn), (0, 0));
    assert_eq!(time_of_a_write(vec![slow(1, Cycle(0), Cycle(UP - 4 * u64::from(PERIOD)))]).1, 0);
    // It ends in the middle of the traffic: what follows waits behind what is late.
    assert_eq!(
        time_of_a_write(vec![
            slow(1, Cycle(UP), Cycle(UP + 250)),
            slow(0, Cycle(UP + 90), Cycle(UP + 300))
        ])
        .1,
        0
    );
}

/// IRQ-1: a host waits for `irq`, and no longer than it says.
#[test]
fn waits_for_an_interrupt() {
    let mut ring = configured(&BoardScenario::new(2), 1);
    ring.run_until(Cycle(UP));
    let mail = register(&IRQ_ENABLE, 1 << Interrupt::Mail.code());
    let wait = |limit| HostOp::Interrupt { limit };
    ring.push(0, [mail, wait(Cycle(100)), wait(Cycle(20_000))]).expect("good");
    ring.run_until(Cycle(UP + 500));
    ring.push(1, send_signal(Token::P2p, 4, NodeId(0), Order::None, &[1])).expect("good");
    ring.run_until(Cycle(UP + 20_000));
    let [.., early, late] = ring.host(0).results() else { panic!("two results") };
    assert_eq!(
        (early.outcome, early.ended - early.began),
        (awgstar_board::ring::Outcome::Expired, Cycle(100))
    );
    assert_eq!(late.outcome, awgstar_board::ring::Outcome::Done);
    assert!(late.ended > Cycle(UP + 500) && late.ended < Cycle(UP + 2_000));
}
