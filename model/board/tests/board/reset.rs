// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board that is reset in the middle of traffic. Checks RCV-1, MON-2, HST-3.

use super::bench::{PERIOD, TIMEOUT, UP, get, last, messages, settle, up};
use awgstar_board::ring::boards::{bytes, configure, send_signal, wait_synced, write_block};
use awgstar_board::ring::{BoardScenario, Outcome};
use awgstar_board::rtl::AxilRequest;
use awgstar_board::rtl::Smb;
use awgstar_board::rtl::data_window;
use awgstar_board::rtl::smb::Inputs;
use awgstar_frame::contract::board::{
    COMBINE, CONTROL, FRAMES, GROUPS, IRQ_STATUS, NODE_ID, PERIOD as PERIOD_REG, PREFIX_HIGH,
    PREFIX_LOW, REGISTERS, STATUS, TIMEOUT as TIMEOUT_REG, TOKENS, TX_FREE,
};
use awgstar_frame::contract::{Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

/// RCV-1: numbers begin again at 0 after a reset, for data and for signals, and nobody takes them for copies.
#[test]
fn numbers_begin_again() {
    for when in [0, 30, 200, 450] {
        let mut ring = up(&BoardScenario::new(3), 1);
        for k in 0..5u8 {
            ring.push(1, write_block(ByteAddress(0x100 * u32::from(k)), &[k + 1; 8]))
                .expect("good");
        }
        ring.push(1, send_signal(Token::Broadcast, 1, NodeId(0), Order::None, &[1])).expect("good");
        settle(&mut ring, 20_000);
        for k in 0..5u8 {
            ring.push(1, write_block(ByteAddress(0x100 * u32::from(k)), &[0xaa; 300]))
                .expect("good");
        }
        ring.run_until(ring.cycle() + Cycle(when));
        ring.reset(1, Cycle(3)).expect("good");
        ring.run_until(ring.cycle() + Cycle(3));
        ring.push(1, configure(NodeId(1), 1, TIMEOUT, PERIOD)).expect("good");
        ring.push(1, [wait_synced(Cycle(20_000))]).expect("good");
        for k in 0..5u8 {
            ring.push(1, write_block(ByteAddress(0x1000 + 0x100 * u32::from(k)), &[k + 9; 8]))
                .expect("good");
        }
        ring.push(1, send_signal(Token::Broadcast, 2, NodeId(0), Order::None, &[2])).expect("good");
        ring.push(1, send_signal(Token::Broadcast, 3, NodeId(0), Order::Sent, &[3])).expect("good");
        settle(&mut ring, 60_000);
        for i in [0, 2] {
            for k in 0..5u8 {
                let at = ByteAddress(0x1000 + 0x100 * u32::from(k));
                assert_eq!(bytes(ring.board(i), at, 8), [k + 9; 8], "board {i}");
            }
            let got: Vec<_> = messages(&mut ring, i).iter().map(|m| m.data(1)[0]).collect();
            assert_eq!(got, [1, 2, 3], "board {i}");
        }
        assert_eq!(get(&mut ring, 1, &FRAMES), 0x05_05_05);
    }
}

/// RCV-1: a board that is reset knows nothing of the others and takes what comes first, whatever its
/// number.
#[test]
fn a_board_that_forgot() {
    let mut ring = up(&BoardScenario::new(3), 1);
    for k in 0..3u8 {
        ring.push(0, write_block(ByteAddress(0x10 * u32::from(k)), &[1; 4])).expect("good");
    }
    settle(&mut ring, 20_000);
    ring.reset(2, Cycle(2)).expect("good");
    ring.run_until(ring.cycle() + Cycle(2));
    ring.push(2, configure(NodeId(2), 1, TIMEOUT, PERIOD)).expect("good");
    ring.push(2, [wait_synced(Cycle(20_000))]).expect("good");
    settle(&mut ring, 20_000);
    ring.push(0, write_block(ByteAddress(0x40), &[5; 4])).expect("good");
    ring.push(0, send_signal(Token::P2p, 1, NodeId(2), Order::Sent, &[3])).expect("good");
    settle(&mut ring, 20_000);
    assert_eq!(bytes(ring.board(2), ByteAddress(0x40), 4), [5; 4]);
    assert_eq!(messages(&mut ring, 2).len(), 1);
}

/// RCV-1: all boards at once.
#[test]
fn all_boards() {
    let mut ring = up(&BoardScenario::new(3), 2);
    for i in 0..3u8 {
        ring.push(i.into(), write_block(ByteAddress(0x100 * u32::from(i)), &[7; 900]))
            .expect("good");
    }
    ring.run_until(ring.cycle() + Cycle(700));
    for i in 0..3u8 {
        ring.reset(i.into(), Cycle(5)).expect("good");
    }
    ring.run_until(ring.cycle() + Cycle(5));
    for i in 0..3u8 {
        ring.push(i.into(), configure(NodeId(i), 2, TIMEOUT, PERIOD)).expect("good");
        ring.push(i.into(), [wait_synced(Cycle(20_000))]).expect("good");
    }
    ring.run_until(ring.cycle() + Cycle(UP));
    ring.push(2, write_block(ByteAddress(0x2000), &[8; 50])).expect("good");
    settle(&mut ring, 20_000);
    for i in 0..3 {
        assert_eq!(bytes(ring.board(i), ByteAddress(0x2000), 50), [8; 50]);
    }
}

/// HST-3: registers after reset are those of the contract, whatever they held; an access under way leaves no
/// answer.
#[test]
fn registers_after_reset() {
    let mut ring = up(&BoardScenario::new(2), 1);
    ring.push(1, write_block(ByteAddress(0), &[1; 3])).expect("good");
    ring.run_until(ring.cycle() + Cycle(2));
    ring.reset(1, Cycle(1)).expect("good");
    ring.run_until(ring.cycle() + Cycle(1));
    let readable = [
        &CONTROL,
        &STATUS,
        &PREFIX_LOW,
        &PREFIX_HIGH,
        &NODE_ID,
        &GROUPS,
        &TOKENS,
        &TIMEOUT_REG,
        &COMBINE,
        &PERIOD_REG,
        &IRQ_STATUS,
        &TX_FREE,
        &FRAMES,
    ];
    for register in readable {
        assert_eq!(get(&mut ring, 1, register), register.reset, "{}", register.name);
    }
    assert!(REGISTERS.len() > readable.len());
    assert_eq!(last(&ring, 1, 1)[0].outcome, Outcome::Done);
}

/// Whatever the registers and memories held before, a board is the same after a reset, but for registers
/// that reset does not touch, and does the same from then on.
#[test]
fn reset_from_anywhere() {
    let mut busy = up(&BoardScenario::new(2), 1);
    busy.push(0, write_block(ByteAddress(0), &[1; 500])).expect("good");
    busy.push(0, send_signal(Token::P2p, 1, NodeId(1), Order::Sent, &[3; 40])).expect("good");
    busy.run_until(busy.cycle() + Cycle(300));
    let (mut fresh, mut used) = (Smb::default(), busy.board(0).clone());
    let reset = Inputs { rst: true, ..Inputs::default() };
    for _ in 0..2 {
        fresh.clock(&reset);
        used.clock(&reset);
    }
    let idle = Inputs {
        s_axi: AxilRequest { bready: true, rready: true, ..AxilRequest::default() },
        ..Inputs::default()
    };
    for cycle in 0..400 {
        assert_eq!(
            (
                used.outputs(&idle).m_axis.tvalid,
                used.outputs(&idle).s_axi.bvalid,
                used.u_regs.irq_q
            ),
            (false, false, false),
            "cycle {cycle}"
        );
        fresh.clock(&idle);
        used.clock(&idle);
    }
    assert_eq!(used.u_sorter.sources, fresh.u_sorter.sources);
    assert_eq!(used.u_counters, fresh.u_counters);
    assert_eq!(used.u_control.synced_q, fresh.u_control.synced_q);
    assert_eq!(used.u_data.outputs(&data_window::Inputs::default()).words_free, 1024);
}
