// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames that are lost, cut, changed or doubled. Checks ACK-1 to ACK-5, SND-1, SND-3, RCV-2, RCV-3,
//! MON-6.

use super::bench::{PERIOD, Seen, UP, configured, counter, find, messages, settle, up, watch};
use awgstar_board::ring::boards::{bytes, count, send_signal, write_block};
use awgstar_board::ring::{BoardRing, BoardScenario, Fault, FaultKind, HostOp};
use awgstar_frame::contract::{BoardCounter, Counter, Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

/// Six frames of board 0 and a signal of order `order` behind them, when the ring is up.
fn six_frames(scenario: &BoardScenario, order: Order) -> BoardRing {
    six_frames_with(1, scenario, order)
}

fn six_frames_with(tokens: u8, scenario: &BoardScenario, order: Order) -> BoardRing {
    let mut ring = configured(scenario, tokens);
    ring.push(0, [HostOp::Wait { cycles: Cycle(UP) }]).expect("good");
    for k in 0..6u8 {
        ring.push(0, write_block(ByteAddress(0x100 * u32::from(k)), &[k + 1; 0x90])).expect("good");
    }
    ring.push(0, send_signal(Token::Broadcast, 7, NodeId(0), order, &[0x77; 5])).expect("good");
    ring
}

fn with_fault(boards: usize, link: usize, frame: u64, kind: FaultKind) -> BoardScenario {
    BoardScenario { faults: vec![Fault { link, frame, kind }], ..BoardScenario::new(boards) }
}

fn is_data(number: u8) -> impl Fn(&Seen) -> bool {
    move |f| f.source == 0 && f.token == Token::Data && f.packet_cnt == number
}

fn is_signal(f: &Seen) -> bool {
    f.source == 0 && f.token == Token::Broadcast
}

/// All six frames are in every replica, taken once and in order, and the signal is in every mailbox
/// once.
fn all_arrived(ring: &mut BoardRing) {
    ring.run_until(Cycle(UP + 2_000));
    settle(ring, 60_000);
    for i in 0..ring.boards() {
        for k in 0..6u8 {
            assert_eq!(
                bytes(ring.board(i), ByteAddress(0x100 * u32::from(k)), 0x90),
                [k + 1; 0x90]
            );
        }
    }
    for i in 1..ring.boards() {
        assert_eq!(counter(ring, i, BoardCounter::Data), 6, "RCV-2: board {i}");
        let got = messages(ring, i);
        assert_eq!(got.len(), 1, "RCV-3: board {i}");
        assert_eq!(got[0].data(5), [0x77; 5]);
    }
}

/// ACK-3, ACK-4, RCV-2: whichever data frame is lost, cut or changed on whichever link, all frames from
/// it on are retransmitted, with the same numbers, and taken once.
#[test]
fn a_data_frame_is_lost() {
    for number in [0u8, 2, 5] {
        for link in 0..3 {
            let mut clean = six_frames(&BoardScenario::new(3), Order::Confirmed);
            let frame = find(&mut clean, link, is_data(number)).index;
            assert_eq!(count(clean.board(0), BoardCounter::Rewound), 0);
            for kind in [FaultKind::Lose, FaultKind::Bit(300), FaultKind::Truncate(9)] {
                let scenario = with_fault(3, link, frame, kind);
                let mut ring = six_frames(&scenario, Order::Confirmed);
                let taps = watch(&mut ring, UP + 14_000);
                all_arrived(&mut ring);
                assert!(count(ring.board(0), BoardCounter::Rewound) >= 1, "ACK-3");
                // The first frame behind the lost one that has its number is that frame again.
                let sent: Vec<&Seen> = taps[0]
                    .frames
                    .iter()
                    .filter(|f| f.source == 0 && f.token == Token::Data)
                    .collect();
                assert!(sent.len() > 6);
                for f in &sent {
                    let fill = f.packet_cnt + 1;
                    assert_eq!(
                        (f.addr, &f.data),
                        (0x100 * u32::from(f.packet_cnt), &vec![fill; 0x90])
                    );
                }
                // Each rewind goes on with consecutive numbers.
                let rewinds = sent.windows(2).filter(|w| w[1].packet_cnt != w[0].packet_cnt + 1);
                assert_eq!(
                    rewinds.count(),
                    usize::try_from(count(ring.board(0), BoardCounter::Rewound)).expect("few")
                );
            }
        }
    }
}

/// ACK-3: the frame behind a lost one tells, long before a timeout.
#[test]
fn a_gap_is_seen_before_the_timeout() {
    let long = BoardScenario { fibre: vec![250; 3], ..BoardScenario::new(3) };
    let frame = find(&mut six_frames_with(4, &long, Order::None), 0, is_data(1)).index;
    let faults = vec![Fault { link: 0, frame, kind: FaultKind::Lose }];
    let mut ring = six_frames_with(4, &BoardScenario { faults, ..long }, Order::None);
    all_arrived(&mut ring);
    assert_eq!(count(ring.board(0), BoardCounter::Timeout), 0);
    assert!(count(ring.board(0), BoardCounter::Rewound) >= 1);
    // Boards behind the fault missed it, and dropped what came behind it.
    assert!(count(ring.board(1), BoardCounter::DataGap) >= 1);
}

/// ACK-3: the last frame is lost: nothing comes behind it, and the timeout sends it again. With it its
/// token is lost; the monitor makes another one.
#[test]
fn the_last_frame_is_lost() {
    let mut clean = six_frames(&BoardScenario::new(3), Order::None);
    let frame = find(&mut clean, 1, is_data(5)).index;
    let mut ring = six_frames(&with_fault(3, 1, frame, FaultKind::Lose), Order::None);
    all_arrived(&mut ring);
    assert!(count(ring.board(0), BoardCounter::Timeout) >= 1);
    assert_eq!(count(ring.board(0), BoardCounter::TokenAdded), 2, "the first one and this one");
    // Board 1 had it already: the copy is dropped.
    assert_eq!(count(ring.board(1), BoardCounter::DataAgain), 1);
    assert_eq!(count(ring.board(2), BoardCounter::DataAgain), 0);
}

/// RCV-2, RCV-3, MON-6: frames that come twice are taken once; the source counts what it did not wait
/// for.
#[test]
fn doubled_frames() {
    for link in 0..3 {
        let mut clean = six_frames(&BoardScenario::new(3), Order::Sent);
        let data = find(&mut clean, link, is_data(3)).index;
        let mut clean = six_frames(&BoardScenario::new(3), Order::Sent);
        let signal = find(&mut clean, link, is_signal).index;
        let mut scenario = with_fault(3, link, data, FaultKind::Twice);
        let mut ring = six_frames(&scenario, Order::Sent);
        all_arrived(&mut ring);
        for i in 1..3 {
            let again = u32::from(i > link);
            assert_eq!(count(ring.board(i), BoardCounter::DataAgain), again, "board {i}");
        }
        assert_eq!(count(ring.board(0), BoardCounter::Stray), 1);
        scenario = with_fault(3, link, signal, FaultKind::Twice);
        let mut ring = six_frames(&scenario, Order::Sent);
        all_arrived(&mut ring);
        for i in 1..3 {
            let again = u32::from(i > link);
            assert_eq!(count(ring.board(i), BoardCounter::SignalAgain), again, "board {i}");
        }
        assert_eq!(count(ring.board(0), BoardCounter::Stray), 1);
    }
}

/// SND-1, RCV-3: a lost signal is retransmitted after the timeout, a changed one as soon as it has returned;
/// boards that had it drop the copy.
#[test]
fn a_signal_is_lost() {
    for link in 0..3 {
        let mut clean = six_frames(&BoardScenario::new(3), Order::None);
        let frame = find(&mut clean, link, is_signal).index;
        for kind in [FaultKind::Lose, FaultKind::Bit(200), FaultKind::Truncate(4)] {
            let mut ring = six_frames(&with_fault(3, link, frame, kind), Order::None);
            all_arrived(&mut ring);
            assert!(count(ring.board(0), BoardCounter::SignalResend) >= 1);
            for i in 1..3 {
                let again = count(ring.board(i), BoardCounter::SignalAgain) >= 1;
                assert_eq!(again, i <= link, "board {i}, link {link}, {kind:?}");
            }
        }
    }
}

/// SND-3: data before a `sent` signal is lost, the signal is not. Boards without the data drop it, it
/// is retransmitted behind the data, and no host has it before the data.
#[test]
fn data_before_a_sent_signal_is_lost() {
    for link in 0..2 {
        let mut clean = six_frames(&BoardScenario::new(3), Order::Sent);
        let frame = find(&mut clean, link, is_data(5)).index;
        let kind = FaultKind::Bit(500);
        let mut ring = six_frames(&with_fault(3, link, frame, kind), Order::Sent);
        while ring.cycle() < Cycle(UP + 12_000) {
            ring.step();
            for i in 1..3 {
                let board = ring.board(i);
                if board.u_mailbox.wr_q != 0 {
                    assert_eq!(
                        bytes(board, ByteAddress(0x500), 0x90),
                        [6; 0x90],
                        "SND-3: board {i}"
                    );
                }
            }
        }
        all_arrived(&mut ring);
        assert!(count(ring.board(2), BoardCounter::SignalEarly) >= 1, "link {link}");
        assert!(count(ring.board(0), BoardCounter::SignalResend) >= 1);
    }
}

/// A `sent` signal that is lost while much more data than 8 bits can number goes on: it arrives, and the
/// signals behind it too.
#[test]
fn data_does_not_outrun_a_signal() {
    let scenario = |faults| BoardScenario { faults, ..BoardScenario::new(2) };
    let start = |faults| {
        let mut ring = BoardRing::new(&scenario(faults)).expect("good");
        for i in 0..2u8 {
            // Long enough for hundreds of frames.
            let ops = awgstar_board::ring::boards::configure(NodeId(i), 1, 60_000, PERIOD);
            ring.push(i.into(), ops).expect("good");
        }
        ring.push(0, [HostOp::Wait { cycles: Cycle(UP) }]).expect("good");
        ring.push(0, write_block(ByteAddress(0), &[1; 8])).expect("good");
        ring.push(0, send_signal(Token::P2p, 1, NodeId(1), Order::Sent, &[1])).expect("good");
        ring.push(0, write_block(ByteAddress(0), &[2; 8])).expect("good");
        ring.push(0, send_signal(Token::P2p, 2, NodeId(1), Order::Confirmed, &[2])).expect("good");
        ring.push(0, send_signal(Token::P2p, 3, NodeId(1), Order::Sent, &[3])).expect("good");
        for k in 0..150u32 {
            ring.push(0, write_block(ByteAddress(0x100 + 8 * (k % 100)), &[9; 4])).expect("good");
        }
        ring
    };
    let frame = {
        let mut ring = start(Vec::new());
        find(&mut ring, 0, |f| f.source == 0 && f.token == Token::P2p).index
    };
    let mut ring = start(vec![Fault { link: 0, frame, kind: FaultKind::Lose }]);
    ring.run_until(Cycle(UP + 1_000));
    settle(&mut ring, 400_000);
    let got: Vec<_> = messages(&mut ring, 1).iter().map(|m| m.data(1)[0]).collect();
    assert_eq!(got, [1, 2, 3]);
}

/// ACK-4, ACK-5: a timeout shorter than a rotation: copies go round, yet everything arrives in order, once.
#[test]
fn a_timeout_that_is_too_short() {
    let mut ring = up(&BoardScenario { fibre: vec![100; 4], ..BoardScenario::new(4) }, 2);
    for i in 0..4 {
        let timeout =
            awgstar_board::ring::boards::register(&awgstar_frame::contract::board::TIMEOUT, 300);
        ring.push(i, [timeout]).expect("good");
    }
    for k in 0..12u8 {
        ring.push(1, write_block(ByteAddress(0x10 * u32::from(k)), &[k + 1; 16])).expect("good");
        ring.push(1, [HostOp::Wait { cycles: Cycle(90) }]).expect("good");
    }
    ring.push(1, send_signal(Token::Broadcast, 1, NodeId(0), Order::Sent, &[5])).expect("good");
    settle(&mut ring, 200_000);
    assert!(count(ring.board(1), BoardCounter::Timeout) >= 1);
    for i in [0, 2, 3] {
        assert_eq!(counter(&mut ring, i, BoardCounter::Data), 12);
        assert_eq!(counter(&mut ring, i, BoardCounter::DataGap), 0);
        assert_eq!(messages(&mut ring, i).len(), 1);
    }
    assert_eq!(count(ring.board(1), Counter::ReturnedBad), 0);
}
