// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each defence is needed: it is held down in every board, and the same run that goes well with it does not
//! without. `docs/faults.md` has the table. Checks ACK-3, RCV-2, RCV-3, MON-3, MON-5.

use super::bench::{UP, configured, find, settled};
use awgstar_board::ring::boards::{bytes, send_signal, write_block};
use awgstar_board::ring::{BoardRing, BoardScenario, Fault, FaultKind, HostOp};
use awgstar_board::rtl::Smb;
use awgstar_frame::contract::{Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

/// Board 1 writes a word, another one over it, and sends a signal.
fn ring(faults: Vec<Fault>) -> BoardRing {
    let scenario = BoardScenario { fibre: vec![25; 3], faults, ..BoardScenario::new(3) };
    let mut ring = configured(&scenario, 1);
    ring.push(1, [HostOp::Wait { cycles: Cycle(UP) }]).expect("good");
    for k in 0..3u8 {
        ring.push(1, write_block(ByteAddress(0x100 + 8 * u32::from(k)), &[k + 1; 8]))
            .expect("good");
        ring.push(1, [HostOp::Wait { cycles: Cycle(400) }]).expect("good");
    }
    ring.push(1, send_signal(Token::Broadcast, 1, NodeId(0), Order::Sent, &[5])).expect("good");
    ring
}

/// Runs with `hold` done to every board before every edge: whether all is as it should be.
fn goes_well(faults: &[Fault], mut hold: impl FnMut(u64, &mut Smb)) -> bool {
    let mut ring = ring(faults.to_vec());
    while ring.cycle() < Cycle(3 * UP) {
        let cycle = ring.cycle();
        (0..3).for_each(|i| hold(cycle.0, ring.board_mut(i)));
        ring.step();
    }
    let expected = [[1; 8], [2; 8], [3; 8]].concat();
    settled(&ring)
        && (0..3).all(|i| bytes(ring.board(i), ByteAddress(0x100), 24) == expected)
        && (0..3).all(|i| {
            let mail = &ring.board(i).u_mailbox;
            mail.wr_q - mail.rd_q == u16::from(i != 1)
        })
}

/// A frame of board 1 on the link behind board 2: board 2 has it, board 0 does not.
fn fault(token: Token, kind: FaultKind) -> [Fault; 1] {
    let seen = find(&mut ring(Vec::new()), 2, |f| {
        f.token == token && (token == Token::Free && f.index > 100 || f.source == 1)
    });
    [Fault { link: 2, frame: seen.index, kind }]
}

fn needed(faults: &[Fault], hold: impl FnMut(u64, &mut Smb)) {
    assert!(goes_well(faults, |_, _| {}), "with all defences");
    assert!(!goes_well(faults, hold), "without one");
}

/// Nothing is retransmitted.
#[test]
fn resending() {
    needed(&fault(Token::Data, FaultKind::Lose), |_, board| {
        (board.u_data.rewind_q, board.u_data.timer_q) = (false, 0);
    });
    needed(&fault(Token::Broadcast, FaultKind::Lose), |_, board| board.u_signal.timer_q = 0);
}

/// Once the ring is up nobody makes a token.
#[test]
fn the_monitor() {
    needed(&fault(Token::Free, FaultKind::Lose), |cycle, board| {
        if cycle > UP {
            (board.u_control.active_q, board.u_control.quiet_q) = (false, 0);
        }
    });
}

/// A board forgets what it had of a signal: the copy is taken for a new one.
#[test]
fn duplicate_suppression_of_signals() {
    needed(&fault(Token::Broadcast, FaultKind::Lose), |_, board| {
        // Bit 31 of an entry: the number of the last signal is known.
        board.u_sorter.sources[1] &= !(1 << 31);
    });
}

/// A board forgets what it had of data: a frame behind a lost one is taken.
#[test]
fn the_number_of_the_next_frame() {
    let hold = |_, board: &mut Smb| board.u_sorter.sources[1] &= !(1 << 40);
    let mut ring = gap_ring(true);
    let clean = overtaken(&mut ring, |_, _| {});
    assert!(!clean, "with it no board has the second frame without the first");
    assert!(overtaken(&mut gap_ring(true), hold), "without it one does");
}

/// Four tokens, a long ring, and two frames of board 1, the first of which is lost.
fn gap_ring(lose: bool) -> BoardRing {
    let start = |faults| {
        let scenario = BoardScenario { fibre: vec![200; 3], faults, ..BoardScenario::new(3) };
        let mut ring = configured(&scenario, 4);
        ring.push(1, [HostOp::Wait { cycles: Cycle(UP) }]).expect("good");
        ring.push(1, write_block(ByteAddress(0x100), &[1; 8])).expect("good");
        ring.push(1, write_block(ByteAddress(0x200), &[2; 8])).expect("good");
        ring
    };
    let data = |f: &super::bench::Seen| f.token == Token::Data && f.source == 1;
    let frame = find(&mut start(Vec::new()), 1, data).index;
    start(if lose { vec![Fault { link: 1, frame, kind: FaultKind::Lose }] } else { Vec::new() })
}

/// Some board has the second write, and not the first.
fn overtaken(ring: &mut BoardRing, mut hold: impl FnMut(u64, &mut Smb)) -> bool {
    let mut seen = false;
    while ring.cycle() < Cycle(2 * UP) {
        let cycle = ring.cycle();
        (0..3).for_each(|i| hold(cycle.0, ring.board_mut(i)));
        ring.step();
        let has = |i, addr, fill| bytes(ring.board(i), addr, 8) == [fill; 8];
        seen |= (0..3).any(|i| has(i, ByteAddress(0x200), 2) && !has(i, ByteAddress(0x100), 1));
    }
    seen
}
