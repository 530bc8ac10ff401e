// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals from host to host. Checks SND-1 to SND-4, RCV-3, RCV-5, RCV-6, SIG-1.

use super::bench::{counter, get, last, message, messages, settle, up, watch};
use awgstar_board::ring::boards::{bytes, register, send_signal, write_block};
use awgstar_board::ring::{BoardRing, BoardScenario, HostOp, Outcome};
use awgstar_frame::contract::board::{GROUPS, MAIL_COUNT, STATUS};
use awgstar_frame::contract::{BoardCounter, Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

/// SND-2, RCV-5: a signal of each order, and all that stands in the mailbox.
#[test]
fn a_signal_of_each_order() {
    let mut ring = up(&BoardScenario::new(3), 1);
    for (k, order) in (0u8..).zip([Order::None, Order::Sent, Order::Confirmed]) {
        ring.push(0, write_block(ByteAddress(0x100), &[k; 12])).expect("good");
        ring.push(0, send_signal(Token::P2p, 9 + k, NodeId(2), order, &[k, 1, 2, 3, 4, 5]))
            .expect("good");
        settle(&mut ring, 20_000);
    }
    assert_eq!(get(&mut ring, 1, &MAIL_COUNT), 0, "not for board 1");
    let got = messages(&mut ring, 2);
    assert_eq!(got.len(), 3);
    for (k, m) in (0u8..).zip(&got) {
        assert_eq!(m.token(), Some(Token::P2p));
        assert_eq!((m.c_st(), m.node_id(), m.packet_cnt()), (u32::from(9 + k), 2, u32::from(k)));
        assert_eq!(m.words[1], 0x0253_4d42, "MAC");
        assert_eq!((m.source(), m.words[2] & 0xffff), (0, 46), "MAC and length");
        assert_eq!(m.data(6), [k, 1, 2, 3, 4, 5]);
        assert_eq!(m.words[3] >> 31, u32::from(k == 1), "SND-3");
    }
    assert_eq!(get(&mut ring, 2, &MAIL_COUNT), 0);
    assert_eq!(counter(&mut ring, 2, BoardCounter::Signal), 3);
}

/// RCV-5: broadcast reaches all others, multicast those of the group. No Data is 46 bytes of zeros, 46 bytes
/// come as they are.
#[test]
fn broadcast_and_multicast() {
    let mut ring = BoardRing::new(&BoardScenario::new(4)).expect("good");
    for i in 0..4u8 {
        let groups = if i == 2 { 1 << 5 } else { 0 };
        ring.push(i.into(), [register(&GROUPS, groups)]).expect("good");
        let ops = awgstar_board::ring::boards::configure(NodeId(i), 1, 2_000, 600);
        ring.push(i.into(), ops).expect("good");
    }
    ring.run_until(Cycle(8_000));
    ring.push(1, send_signal(Token::Broadcast, 20, NodeId(0), Order::None, &[])).expect("good");
    let data: Vec<u8> = (1..=46).collect();
    let mut multicast = send_signal(Token::Multicast, 21, NodeId(0), Order::None, &data);
    if let Some(HostOp::Write { data, .. }) = multicast.last_mut() {
        *data |= 5 << 16;
    }
    ring.push(1, multicast).expect("good");
    settle(&mut ring, 20_000);
    let got: Vec<_> = (0..4).map(|i| messages(&mut ring, i)).collect();
    assert_eq!(got.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 2, 1]);
    assert_eq!(got[0][0].token(), Some(Token::Broadcast));
    assert_eq!(got[0][0].data(48), [0; 48]);
    assert_eq!(got[2][1].data(46), data);
    assert_eq!(got[2][1].c_st(), 21);
}

/// SND-2, RCV-6: `sent` leaves behind its data and arrives behind it; `confirmed` leaves when its data is
/// back; `none` does not wait. Data needs a token, which takes a rotation.
#[test]
fn orders_on_the_link() {
    let order_of = |order| {
        let mut ring = up(&BoardScenario { fibre: vec![40; 3], ..BoardScenario::new(3) }, 1);
        ring.push(0, write_block(ByteAddress(0x100), &[7; 600])).expect("good");
        ring.push(0, send_signal(Token::Broadcast, 1, NodeId(0), order, &[1])).expect("good");
        let end = ring.cycle() + Cycle(6_000);
        let taps = watch(&mut ring, end.0);
        settle(&mut ring, 20_000);
        let own = |i: usize| -> Vec<Token> {
            let own = taps[i].frames.iter().filter(|f| f.source == 0);
            own.map(|f| f.token).filter(|&t| t == Token::Data || t == Token::Broadcast).collect()
        };
        let back = own(2).iter().position(|&t| t == Token::Broadcast);
        (own(0), back)
    };
    let (data, signal) = (Token::Data, Token::Broadcast);
    assert_eq!(order_of(Order::None).0, [signal, data]);
    assert_eq!(order_of(Order::Sent).0, [data, signal]);
    assert_eq!(order_of(Order::Confirmed), (vec![data, signal], Some(1)));
}

/// SND-2: a `confirmed` signal leaves when its data has returned, a `sent` one before that.
#[test]
fn confirmed_waits_for_the_return() {
    for (order, waits) in [(Order::Sent, false), (Order::Confirmed, true)] {
        let mut ring = up(&BoardScenario { fibre: vec![300; 2], ..BoardScenario::new(2) }, 1);
        ring.push(0, write_block(ByteAddress(0x100), &[7; 40])).expect("good");
        ring.push(0, send_signal(Token::Broadcast, 1, NodeId(0), order, &[1])).expect("good");
        let sent = |ring: &BoardRing| {
            ring.board(0).u_signal.state_q == awgstar_board::rtl::signal_sender::STREAM
        };
        assert!(ring.run_until_done(Cycle(20_000), sent));
        let data = &ring.board(0).u_data;
        assert_eq!(data.next_q, 1);
        assert_eq!(data.base_q, u8::from(waits), "{order:?}");
        settle(&mut ring, 20_000);
    }
}

/// RCV-6: when a signal is in the mailbox, the data before it is in the memory.
#[test]
fn data_before_its_signal() {
    let mut ring = up(&BoardScenario::new(2), 1);
    for round in 1..=20u8 {
        ring.push(0, write_block(ByteAddress(0x200), &[round; 333])).expect("good");
        let signal = send_signal(Token::P2p, 3, NodeId(1), Order::Sent, &[round]);
        ring.push(0, signal).expect("good");
        let arrived =
            |ring: &BoardRing| ring.board(1).u_mailbox.wr_q != ring.board(1).u_mailbox.rd_q;
        assert!(ring.run_until_done(Cycle(30_000), arrived), "round {round}");
        assert_eq!(bytes(ring.board(1), ByteAddress(0x200), 333), [round; 333]);
        assert_eq!(message(&mut ring, 1).data(1), [round]);
    }
}

/// SND-1, HST-3: four signals wait, a fifth is refused, and so are words for it: they would be those
/// of a signal that waits. In the end the four arrive as they were.
#[test]
fn a_full_queue() {
    let mut ring = up(&BoardScenario { fibre: vec![500; 2], ..BoardScenario::new(2) }, 1);
    for k in 1..=4u8 {
        ring.push(0, send_signal(Token::P2p, k, NodeId(1), Order::None, &[k; 8])).expect("good");
    }
    ring.push(0, send_signal(Token::P2p, 5, NodeId(1), Order::None, &[0xee; 8])).expect("good");
    ring.push(0, [HostOp::Read { addr: STATUS.offset }]).expect("good");
    settle(&mut ring, 50_000);
    let results = last(&ring, 0, 4);
    assert!(results[..3].iter().all(|r| r.outcome == Outcome::Refused), "{results:?}");
    assert_eq!(results[3].data & 0x30, 0x30, "signal_pending and signal_full");
    let got: Vec<_> = messages(&mut ring, 1).iter().map(|m| m.data(8)).collect();
    assert_eq!(got, (1..=4).map(|k| vec![k; 8]).collect::<Vec<_>>());
    assert_eq!(get(&mut ring, 0, &STATUS) & 0x30, 0);
}

/// RCV-5: seventeen signals to a host that does not look: sixteen are there, one is lost and counted.
#[test]
fn a_full_mailbox() {
    let mut ring = up(&BoardScenario::new(2), 1);
    for k in 0..17u8 {
        ring.push(0, send_signal(Token::P2p, 1, NodeId(1), Order::None, &[k])).expect("good");
        settle(&mut ring, 20_000);
    }
    assert_eq!(counter(&mut ring, 1, BoardCounter::MailFull), 1);
    let got: Vec<_> = messages(&mut ring, 1).iter().map(|m| m.data(1)[0]).collect();
    assert_eq!(got, (0..16).collect::<Vec<_>>());
    ring.push(0, send_signal(Token::P2p, 1, NodeId(1), Order::None, &[99])).expect("good");
    settle(&mut ring, 20_000);
    assert_eq!(message(&mut ring, 1).data(1), [99]);
}

/// SND-4: numbers beyond 255 stand in Addr; every signal is new.
#[test]
fn more_than_256_signals() {
    let mut ring = up(&BoardScenario::new(2), 1);
    for k in 0..600u32 {
        let data = k.to_le_bytes();
        ring.push(0, send_signal(Token::P2p, 1, NodeId(1), Order::None, &data)).expect("good");
        let arrived =
            |ring: &BoardRing| ring.board(1).u_mailbox.wr_q != ring.board(1).u_mailbox.rd_q;
        assert!(ring.run_until_done(Cycle(30_000), arrived), "signal {k}");
        let got = message(&mut ring, 1);
        assert_eq!((got.data(4), got.packet_cnt()), (data.to_vec(), k & 255));
        assert_eq!(got.words[3] & 0x7fff_ff00, k & !255);
    }
    assert_eq!(counter(&mut ring, 1, BoardCounter::SignalAgain), 0);
}
