// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings that are cut, and boards that are alone: every access ends. Checks HST-6, ACK-5, ACK-6.

use super::bench::{PERIOD, TIMEOUT, UP, configured, finish, get, messages, settle, up};
use awgstar_board::ring::boards::{Cut, bytes, configure, send_signal, write_block};
use awgstar_board::ring::{BoardRing, BoardScenario, HostOp, HostResult, Outcome};
use awgstar_board::rtl::data_window;
use awgstar_frame::contract::board::{IRQ_STATUS, STATUS, TX_FREE};
use awgstar_frame::contract::{Interrupt, Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

const STALLED: u32 = 1 << 2;

/// Writes with gaps between them, so that each is a frame.
fn scattered(n: u32) -> Vec<HostOp> {
    (0..n).flat_map(|k| write_block(ByteAddress(8 * k), &[(k + 1).to_le_bytes()[0]; 4])).collect()
}

/// Cycles of the longest access: 8 timeouts and a little.
const BOUND: u64 = 9 * TIMEOUT as u64 + 1_000;

fn all_end(results: &[HostResult]) {
    for r in results {
        let waits = matches!(r.op, HostOp::Wait { .. } | HostOp::Poll { .. });
        assert!(waits || r.ended - r.began <= Cycle(BOUND), "HST-6: {r:?}");
    }
}

/// HST-6, ACK-5, ACK-6: the ring is cut while hosts write: when the window is full and nothing returns,
/// writes are refused. When it is mended all that was accepted arrives.
#[test]
fn a_cut_ring() {
    for (from, tokens) in [(UP, 1), (UP + 500, 1), (UP + 500, 3)] {
        let cuts = vec![Cut { link: 1, from: Cycle(from), until: Cycle(from + 100_000) }];
        let mut ring = configured(&BoardScenario { cuts, ..BoardScenario::new(3) }, tokens);
        for i in 0..3 {
            ring.push(i, [HostOp::Wait { cycles: Cycle(UP) }]).expect("good");
        }
        ring.push(0, scattered(40)).expect("good");
        ring.push(1, write_block(ByteAddress(0x2000), &[0x55; 600])).expect("good");
        ring.push(1, send_signal(Token::Broadcast, 1, NodeId(0), Order::Confirmed, &[8]))
            .expect("good");
        ring.run_until(Cycle(UP + 100));
        finish(&mut ring, 99_000);
        assert!(ring.cycle() < Cycle(from + 100_000));
        all_end(ring.host(0).results());
        let (done, refused): (Vec<HostResult>, Vec<HostResult>) =
            ring.host(0).results()[7..].iter().partition(|r| r.outcome == Outcome::Done);
        // All the room was used, and no more: 16 frames that wait behind those that came back before the cut.
        let data = &ring.board(0).u_data;
        assert_eq!(data.tail_q.wrapping_sub(data.base_q), 16);
        assert_eq!((done.len(), refused.len()), (usize::from(data.tail_q), 40 - done.len()));
        assert!(!refused.is_empty(), "HST-6");
        assert_eq!(get(&mut ring, 0, &STATUS) & STALLED, STALLED, "ACK-6");
        assert_eq!(get(&mut ring, 0, &IRQ_STATUS) >> Interrupt::Stalled.code() & 1, 1);
        ring.run_until(Cycle(from + 100_000));
        settle(&mut ring, 200_000);
        assert_eq!(get(&mut ring, 0, &STATUS) & STALLED, 0);
        for r in done {
            let HostOp::Write { addr, data, .. } = r.op else { panic!("{r:?}") };
            for i in 0..3 {
                let at = ByteAddress(addr.0 & 0xffff);
                assert_eq!(bytes(ring.board(i), at, 4), data.to_le_bytes(), "ACK-5: board {i}");
            }
        }
        for i in 0..3 {
            assert_eq!(bytes(ring.board(i), ByteAddress(0x2000), 600), [0x55; 600], "board {i}");
            let all = bytes(ring.board(0), ByteAddress(0), 0x4000)
                == bytes(ring.board(i), ByteAddress(0), 0x4000);
            assert!(all, "replicas differ: board {i}");
            assert_eq!(messages(&mut ring, i).len(), usize::from(i != 1));
        }
    }
}

/// HST-6: a board that never gets a token, because the ring was cut before there was one, and one that was never
/// enabled: their windows fill, and then writes are refused.
#[test]
fn a_board_alone() {
    for enabled in [true, false] {
        let cuts = vec![Cut { link: 0, from: Cycle(0), until: Cycle(u64::MAX) }];
        let scenario = BoardScenario { cuts, ..BoardScenario::new(2) };
        let mut ring = BoardRing::new(&scenario).expect("good");
        let mut ops = configure(NodeId(0), 1, TIMEOUT, PERIOD);
        if !enabled {
            ops.pop();
        }
        let setup = ops.len();
        ring.push(0, ops).expect("good");
        ring.push(0, scattered(30)).expect("good");
        for _ in 0..6 {
            ring.push(0, send_signal(Token::P2p, 1, NodeId(1), Order::Sent, &[1])).expect("good");
        }
        ring.push(0, scattered(30)).expect("good");
        finish(&mut ring, 60_000);
        let results = &ring.host(0).results()[setup..];
        all_end(results);
        let done = results[..30].iter().filter(|r| r.outcome == Outcome::Done).count();
        assert_eq!(done, 16);
        // Refused at once: before sync there is no hope. Stalled after 8 timeouts all the same.
        ring.run_until(ring.cycle() + Cycle(9 * u64::from(TIMEOUT)));
        assert_eq!(get(&mut ring, 0, &STATUS) & STALLED, STALLED);
    }
}

/// HST-6: a stalled board takes a write that finds room, even in the cycle in which it closes the frame before:
/// of 15 more writes that do not join none is refused, then the window is full.
#[test]
fn stalled_with_room() {
    let cuts = vec![Cut { link: 1, from: Cycle(UP), until: Cycle(UP + 100_000) }];
    let mut ring = configured(&BoardScenario { cuts, ..BoardScenario::new(2) }, 1);
    ring.run_until(Cycle(UP));
    ring.push(0, write_block(ByteAddress(0x1000), &[1; 4])).expect("good");
    ring.run_until(Cycle(UP + 10 * u64::from(TIMEOUT)));
    assert_eq!(get(&mut ring, 0, &STATUS) & STALLED, STALLED);
    assert_eq!(ring.board(0).u_data.tail_q.wrapping_sub(ring.board(0).u_data.base_q), 1);
    let before = ring.host(0).results().len();
    ring.push(0, scattered(20)).expect("good");
    finish(&mut ring, 10_000);
    assert_eq!(get(&mut ring, 0, &STATUS) & STALLED, STALLED, "no return in between");
    let results = &ring.host(0).results()[before..before + 20];
    let refused: Vec<bool> = results.iter().map(|r| r.outcome != Outcome::Done).collect();
    assert_eq!(refused, [[false; 15].as_slice(), &[true; 5]].concat(), "HST-6");
}

/// HST-6: with room for frames but none for words: 1,024 words fill the window, `TX_FREE` says so, and
/// writes wait while acknowledgements come.
#[test]
fn a_window_full_of_words() {
    let cuts = vec![Cut { link: 0, from: Cycle(UP), until: Cycle(UP + 5_000) }];
    let mut ring = configured(&BoardScenario { cuts, ..BoardScenario::new(2) }, 1);
    ring.push(0, [HostOp::Wait { cycles: Cycle(UP) }]).expect("good");
    let block: Vec<u8> = (0..6000u32).map(|k| (k ^ k >> 8).to_le_bytes()[0]).collect();
    ring.push(0, write_block(ByteAddress(0), &block)).expect("good");
    ring.run_until(Cycle(UP + 5_000));
    assert_eq!(ring.board(0).u_data.outputs(&data_window::Inputs::default()).words_free, 0);
    settle(&mut ring, 100_000);
    assert!(ring.host(0).results().iter().all(|r| r.outcome == Outcome::Done));
    assert_eq!(get(&mut ring, 0, &TX_FREE), 1024);
    for i in 0..2 {
        assert!(bytes(ring.board(i), ByteAddress(0), 6000) == block, "board {i}");
    }
}

/// ACK-6: signals alone: a sender says that it is stalled, and goes on when the ring is there again.
#[test]
fn signals_on_a_cut_ring() {
    let cuts = vec![Cut { link: 1, from: Cycle(UP), until: Cycle(UP + 30_000) }];
    let mut ring = configured(&BoardScenario { cuts, ..BoardScenario::new(2) }, 1);
    ring.run_until(Cycle(UP));
    ring.push(1, send_signal(Token::P2p, 1, NodeId(0), Order::None, &[1])).expect("good");
    ring.run_until(Cycle(UP + 7 * u64::from(TIMEOUT)));
    assert_eq!(get(&mut ring, 1, &STATUS) & STALLED, 0, "too early");
    ring.run_until(Cycle(UP + 9 * u64::from(TIMEOUT)));
    assert_eq!(get(&mut ring, 1, &STATUS) & STALLED, STALLED);
    ring.run_until(Cycle(UP + 30_000));
    settle(&mut ring, 30_000);
    assert_eq!(get(&mut ring, 1, &STATUS) & STALLED, 0);
    assert_eq!(messages(&mut ring, 0).len(), 1);
}

/// A ring of one board: what it sends returns to it.
#[test]
fn one_board() {
    let mut ring = up(&BoardScenario { fibre: vec![30], ..BoardScenario::new(1) }, 1);
    ring.push(0, write_block(ByteAddress(0x10), &[1, 2, 3, 4, 5])).expect("good");
    ring.push(0, send_signal(Token::Broadcast, 1, NodeId(0), Order::Confirmed, &[1]))
        .expect("good");
    settle(&mut ring, 20_000);
    assert_eq!(bytes(ring.board(0), ByteAddress(0x10), 5), [1, 2, 3, 4, 5]);
}
