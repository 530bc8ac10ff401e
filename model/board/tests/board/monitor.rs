// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link control and the monitor. Checks MON-1 to MON-6, NODE-22 to NODE-24, IRQ-1.

use super::bench::{PERIOD, Seen, TIMEOUT, UP, configured, counter, find, get, settle, up, watch};
use awgstar_board::ring::boards::{
    Dead, bytes, configure, count, register, send_signal, wait_synced, write_block,
};
use awgstar_board::ring::{BoardRing, BoardScenario, Fault, FaultKind, HostOp};
use awgstar_frame::contract::board::{self, IRQ_STATUS, PREFIX_LOW, STATUS};
use awgstar_frame::contract::{BoardCounter, Counter, Interrupt, Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

const TICK: u64 = PERIOD as u64 + 1;

/// A free token on a ring that is up.
fn is_free(f: &Seen) -> bool {
    f.token == Token::Free && f.index > 100
}

fn actives(ring: &BoardRing) -> Vec<usize> {
    (0..ring.boards()).filter(|&i| ring.board(i).u_control.active_q).collect()
}

fn added(ring: &BoardRing) -> u32 {
    (0..ring.boards()).map(|i| count(ring.board(i), BoardCounter::TokenAdded)).sum()
}

fn removed(ring: &BoardRing) -> u32 {
    (0..ring.boards()).map(|i| count(ring.board(i), BoardCounter::TokenRemoved)).sum()
}

/// Long enough for several frames: on a shorter ring some always wait at the monitor, and no census
/// counts.
fn three_boards() -> BoardScenario {
    BoardScenario { fibre: vec![25; 3], ..BoardScenario::new(3) }
}

fn with_fault(frame: u64, kind: FaultKind) -> BoardScenario {
    BoardScenario { faults: vec![Fault { link: 1, frame, kind }], ..three_boards() }
}

/// A write of board `from` reaches all others.
fn works(ring: &mut BoardRing, from: usize, others: &[usize]) {
    let fill = ring.cycle().0.to_le_bytes()[0] | 1;
    ring.push(from, write_block(ByteAddress(0x300), &[fill; 20])).expect("good");
    let there = |ring: &BoardRing| {
        others.iter().all(|&i| bytes(ring.board(i), ByteAddress(0x300), 20) == [fill; 20])
    };
    assert!(ring.run_until_done(Cycle(40_000), there), "nothing arrives");
}

/// MON-3, MON-5: board 0 becomes the monitor after 5 periods, makes the tokens, and it stays so.
#[test]
fn a_ring_comes_up() {
    for tokens in [1u8, 3, 20] {
        let mut ring = configured(&BoardScenario::new(4), tokens);
        ring.run_until(Cycle(5 * TICK));
        assert_eq!(actives(&ring), []);
        ring.run_until(Cycle(5 * TICK + 300));
        assert_eq!(actives(&ring), [0]);
        ring.run_until(Cycle(UP));
        assert_eq!(added(&ring), u32::from(tokens));
        ring.run_until(Cycle(UP + 60 * TICK));
        assert_eq!((added(&ring), removed(&ring)), (u32::from(tokens), 0));
        assert_eq!(actives(&ring), [0]);
        assert_eq!(get(&mut ring, 0, &STATUS) & 3, 3);
        assert_eq!(get(&mut ring, 1, &STATUS) & 3, 1);
        works(&mut ring, 2, &[0, 1, 3]);
    }
}

/// MON-1, MON-3: a heartbeat every PERIOD + 1 cycles, without Data, to everybody.
#[test]
fn heartbeats() {
    let mut ring = up(&BoardScenario::new(2), 1);
    let before = count(ring.board(0), Counter::SignalSent);
    let end = ring.cycle() + Cycle(10 * TICK);
    let taps = watch(&mut ring, end.0);
    assert_eq!(count(ring.board(0), Counter::SignalSent) - before, 10);
    let beat = |f: &&Seen| f.token == Token::Control && f.c_st == board::MONITOR.c_st;
    let seen: Vec<_> = taps[0].frames.iter().filter(beat).collect();
    assert!(seen.len() >= 9);
    assert!(seen.iter().all(|f| f.data == [0; 46] && f.addr == 0 && f.source == 0));
}

/// MON-2: nothing but `sync` leaves a board before it is known; `sync` that is lost is retransmitted.
#[test]
fn sync_comes_first() {
    let faults = (0..2).map(|frame| Fault { link: 1, frame, kind: FaultKind::Lose }).collect();
    let mut ring =
        BoardRing::new(&BoardScenario { faults, ..BoardScenario::new(2) }).expect("good");
    for i in 0..2u8 {
        ring.push(i.into(), configure(NodeId(i), 1, TIMEOUT, PERIOD)).expect("good");
        let signal = send_signal(Token::Broadcast, 3, NodeId(0), Order::None, &[i; 3]);
        ring.push(i.into(), signal).expect("good");
        ring.push(i.into(), write_block(ByteAddress(0x10 + 4 * u32::from(i)), &[i + 1; 4]))
            .expect("good");
    }
    let taps = watch(&mut ring, UP + 3 * u64::from(TIMEOUT));
    for i in 0..2u8 {
        let own: Vec<_> = taps[usize::from(i)].frames.iter().filter(|f| f.source == i).collect();
        let syncs = own.iter().take_while(|f| f.token == Token::Control && f.c_st == 1).count();
        assert!(syncs >= 2, "board {i}: {syncs}");
        let later = &own[syncs..];
        assert!(later.iter().all(|f| f.token != Token::Control || f.c_st != 1), "board {i}");
        assert!(later.iter().any(|f| f.token == Token::Broadcast), "board {i}");
        assert_eq!(
            bytes(ring.board(1 - usize::from(i)), ByteAddress(0x10 + 4 * u32::from(i)), 4),
            [i + 1; 4]
        );
    }
}

/// MON-5: a free token is lost: four censuses later there is another one.
#[test]
fn a_lost_token_is_made_again() {
    for tokens in [1u8, 2] {
        let frame = find(&mut configured(&three_boards(), tokens), 1, is_free).index;
        let scenario = with_fault(frame, FaultKind::Lose);
        let mut ring = configured(&scenario, tokens);
        ring.run_until(Cycle(UP + 20 * TICK));
        assert_eq!((added(&ring), removed(&ring)), (u32::from(tokens) + 1, 0));
        works(&mut ring, 1, &[0, 2]);
        let irq = get(&mut ring, 0, &IRQ_STATUS);
        assert_eq!(irq >> Interrupt::Tokens.code() & 1, 1);
    }
}

/// MON-5, NODE-23: a doubled free token is one too many: it is dropped, once.
#[test]
fn an_extra_token_is_dropped() {
    let frame = find(&mut configured(&three_boards(), 1), 1, is_free).index;
    let mut ring = configured(&with_fault(frame, FaultKind::Twice), 1);
    ring.run_until(Cycle(UP + 40 * TICK));
    assert_eq!((added(&ring), removed(&ring)), (1, 1));
    works(&mut ring, 1, &[0, 2]);
}

/// MON-5: under load, with tokens that change their form all the time, none is made or dropped.
#[test]
fn a_census_under_load() {
    let mut ring = up(&BoardScenario { fibre: vec![20; 4], ..BoardScenario::new(4) }, 3);
    for i in 0..4u32 {
        for k in 0..400u32 {
            let block = [k.to_le_bytes()[0]; 64];
            ring.push(i as usize, write_block(ByteAddress(0x1000 * i + 64 * (k % 60)), &block))
                .expect("good");
            if k % 16 == 3 {
                let signal = send_signal(Token::Broadcast, 3, NodeId(0), Order::None, &[1]);
                ring.push(i as usize, signal).expect("good");
            }
        }
    }
    settle(&mut ring, 2_000_000);
    assert!(ring.cycle() > Cycle(UP + 30 * TICK), "too short");
    assert_eq!((added(&ring), removed(&ring)), (3, 0));
    assert_eq!(
        bytes(ring.board(0), ByteAddress(0x3000 + 64 * 39), 64),
        [399u32.to_le_bytes()[0]; 64]
    );
}

/// MON-4: of two monitors the one with the higher MAC steps back, and says so.
#[test]
fn two_monitors() {
    let mut ring = up(&BoardScenario::new(4), 1);
    ring.push(2, [register(&IRQ_STATUS, !0)]).expect("good");
    ring.run_until(ring.cycle() + Cycle(100));
    ring.board_mut(2).u_control.active_q = true;
    ring.run_until(ring.cycle() + Cycle(3 * TICK));
    assert_eq!(actives(&ring), [0]);
    assert_eq!(get(&mut ring, 2, &IRQ_STATUS) >> Interrupt::Role.code() & 1, 1);
    works(&mut ring, 3, &[0, 1, 2]);
}

/// MON-3: the monitor dies, with or without the tokens: board 1 takes over, makes what is missing, and
/// the ring goes on.
#[test]
fn the_monitor_dies() {
    for when in [0, 7, 133, 400] {
        let dead = vec![Dead { board: 0, cycle: Cycle(UP + when) }];
        let mut ring = configured(&BoardScenario { dead, ..BoardScenario::new(4) }, 2);
        ring.run_until(Cycle(UP + when + 5 * TICK));
        assert!(!ring.board(1).u_control.active_q, "too early");
        ring.run_until(Cycle(UP + when + 20 * TICK));
        assert_eq!(actives(&ring)[1..], [1], "board 0 stands still");
        works(&mut ring, 3, &[1, 2]);
        works(&mut ring, 1, &[2, 3]);
        let made = added(&ring);
        ring.run_until(ring.cycle() + Cycle(40 * TICK));
        assert_eq!(added(&ring), made);
    }
}

/// NODE-22: a board dies while its signal is on the ring: the monitor absorbs it, and counts it. So it does
/// with a data frame, whose token goes on.
#[test]
fn orphans() {
    for token in [Token::Broadcast, Token::Data] {
        let fibre = vec![150; 4];
        let start = |scenario: &BoardScenario| {
            let mut ring = configured(scenario, 1);
            ring.push(2, [HostOp::Wait { cycles: Cycle(UP) }]).expect("good");
            let signal = send_signal(Token::Broadcast, 3, NodeId(0), Order::None, &[1]);
            let data = write_block(ByteAddress(0x80), &[3; 16]);
            ring.push(2, if token == Token::Data { data } else { signal }).expect("good");
            ring
        };
        let scenario = BoardScenario { fibre, ..BoardScenario::new(4) };
        let mut ring = start(&scenario);
        let left = |ring: &BoardRing| {
            let node = ring.board(2);
            if token == Token::Data {
                node.u_data.next_q == 1
            } else {
                node.u_signal.state_q == awgstar_board::rtl::signal_sender::FLIGHT
            }
        };
        assert!(ring.run_until_done(Cycle(2 * UP), left));
        let dead = vec![Dead { board: 2, cycle: ring.cycle() + Cycle(40) }];
        let mut ring = start(&BoardScenario { dead, ..scenario });
        ring.run_until(Cycle(2 * UP + 20 * TICK));
        assert_eq!(counter(&mut ring, 0, BoardCounter::Orphan), 1, "{token:?}");
        assert_eq!((added(&ring), removed(&ring)), (1, 0), "the token of a data frame goes on");
        works(&mut ring, 1, &[0, 3]);
    }
}

/// MON-6: a board with the same Node_ID and another prefix is reported when its data arrives.
#[test]
fn the_same_node_id() {
    let mut ring = BoardRing::new(&BoardScenario::new(3)).expect("good");
    ring.push(2, [register(&PREFIX_LOW, 0x1111_1111)]).expect("good");
    for (i, id) in [0u8, 1, 1].into_iter().enumerate() {
        ring.push(i, configure(NodeId(id), 1, TIMEOUT, PERIOD)).expect("good");
        ring.push(i, [wait_synced(Cycle(20_000))]).expect("good");
    }
    ring.run_until(Cycle(UP));
    for i in 0..3 {
        ring.push(i, [register(&IRQ_STATUS, !0)]).expect("good");
    }
    ring.run_until(ring.cycle() + Cycle(100));
    ring.push(2, write_block(ByteAddress(0), &[1; 4])).expect("good");
    ring.run_until(ring.cycle() + Cycle(5_000));
    let same = |ring: &mut BoardRing, i| get(ring, i, &IRQ_STATUS) >> Interrupt::SameId.code() & 1;
    assert_eq!(same(&mut ring, 1), 1);
    assert_eq!(same(&mut ring, 0), 0);
}

/// MON-6: two boards with the same MAC strip each other's frames; what was not waited for is counted.
#[test]
fn the_same_mac() {
    let mut ring = BoardRing::new(&BoardScenario::new(3)).expect("good");
    for (i, id) in [0u8, 1, 1].into_iter().enumerate() {
        ring.push(i, configure(NodeId(id), 1, TIMEOUT, PERIOD)).expect("good");
        ring.push(i, [wait_synced(Cycle(20_000))]).expect("good");
    }
    ring.run_until(Cycle(UP));
    for _ in 0..3 {
        ring.push(2, write_block(ByteAddress(0x20), &[1; 4])).expect("good");
        ring.push(2, [HostOp::Wait { cycles: Cycle(500) }]).expect("good");
    }
    ring.run_until(ring.cycle() + Cycle(20_000));
    assert!(counter(&mut ring, 1, BoardCounter::Stray) >= 1);
    assert_eq!(get(&mut ring, 1, &IRQ_STATUS) >> Interrupt::Stray.code() & 1, 1);
    assert_eq!(counter(&mut ring, 0, BoardCounter::Stray), 0);
}

/// MON-3: the monitor dies while its heartbeat is on the ring. Nobody strips the heartbeat, and with no monitor
/// nobody absorbs it: it goes round until there is one. The campaign found that each time it passed the standbys
/// began to wait anew; the same heartbeat again does not count now.
#[test]
fn the_monitor_dies_behind_its_heartbeat() {
    let dead = vec![Dead { board: 0, cycle: Cycle(UP + 400) }];
    let scenario = BoardScenario { fibre: vec![25; 4], dead, ..BoardScenario::new(4) };
    let mut ring = configured(&scenario, 2);
    ring.run_until(Cycle(UP + 40 * TICK));
    assert_eq!(actives(&ring)[1..], [1], "board 0 stands still");
}
