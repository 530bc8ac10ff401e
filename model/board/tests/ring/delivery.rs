// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic on random rings: who gets what. Checks NODE-1, NODE-3, NODE-4, NODE-8, NODE-9,
//! NODE-11 to NODE-20, RING-1, RING-2, FRM-5, FRM-11.

use super::monitor::NodeWatch;
use super::seeded::seeded;
use awgstar_board::ring::{
    Delivered, Host, Outgoing, RESET_CYCLES, Ring, Scenario, Send, node_mac,
};
use awgstar_frame::contract::{Counter, Token, TxStatus};
use awgstar_frame::quantity::Cycle;
use proptest::prelude::*;

pub(crate) fn lengths() -> impl Strategy<Value = usize> {
    prop_oneof![1usize..=60, 1usize..=1024, Just(1024usize)]
}

/// A frame that a node of a ring of `nodes` may be asked to send, legal or not.
pub(crate) fn outgoing(nodes: usize) -> impl Strategy<Value = Outgoing> {
    let kind = prop_oneof![
        6 => Just(Token::Data),
        2 => Just(Token::P2p),
        2 => Just(Token::Multicast),
        2 => Just(Token::Broadcast),
        1 => Just(Token::Control),
    ];
    let len = prop_oneof![20 => lengths(), 1 => Just(0usize), 1 => 1025usize..=1100];
    let head = (0u8..32, 0..nodes + 2, 0u8..16, 0u8..16, any::<u8>(), any::<u32>());
    (kind, len, head, any::<u8>()).prop_map(
        |(token, len, (c_st, node, multi_g, act_seq, packet_cnt, addr), seed)| {
            let node_id = node.to_le_bytes()[0];
            let byte = |k: usize| seed.wrapping_add(k.wrapping_mul(37).to_le_bytes()[0]);
            let data = (0..len).map(byte).collect();
            Outgoing { token, c_st, node_id, multi_g, act_seq, packet_cnt, addr, data }
        },
    )
}

fn scenario() -> impl Strategy<Value = Scenario> {
    (1usize..=8).prop_flat_map(|nodes| {
        let cycle = prop_oneof![Just(0u64), 0u64..300, 0u64..4000];
        let send = (0..nodes, cycle, outgoing(nodes)).prop_map(|(node, cycle, frame)| Send {
            node,
            cycle: Cycle(cycle),
            frame,
        });
        (
            prop::collection::vec(0u32..20, nodes),
            prop::collection::vec(any::<u16>(), nodes),
            1usize..=4,
            prop::collection::vec(send, 0..24),
            prop::option::of(0..nodes),
        )
            .prop_map(move |(fibre, groups, tokens, sends, monitor)| Scenario {
                fibre,
                groups,
                monitor,
                sends,
                ..Scenario::new(nodes, tokens, Cycle(200_000))
            })
    })
}

/// TX-4, NODE-14: what the transmitter must say.
fn verdict(frame: &Outgoing) -> TxStatus {
    let len = frame.data.len();
    if len > 1024 || (frame.token == Token::Data && len == 0) {
        TxStatus::Length
    } else {
        TxStatus::Ok
    }
}

/// NODE-16
fn is_for(frame: &Outgoing, node: usize, groups: u16) -> bool {
    match frame.token {
        Token::Data | Token::Broadcast | Token::Control => true,
        Token::P2p => usize::from(frame.node_id) == node,
        Token::Multicast => groups >> frame.multi_g & 1 != 0,
        Token::Free => false,
    }
}

/// A frame as it ought to arrive, but for the cycle.
fn arriving(source: usize, frame: &Outgoing) -> Delivered {
    let is_data = frame.token == Token::Data;
    let mut data = frame.data.clone();
    if !is_data {
        data.resize(data.len().max(46), 0);
    }
    let own_id = source.to_le_bytes()[0];
    Delivered {
        cycle: Cycle(0),
        mac: node_mac(source),
        token: Some(frame.token),
        c_st: if is_data { u8::from(data.len() < 46) } else { frame.c_st },
        node_id: if is_data { own_id } else { frame.node_id },
        multi_g: if is_data { 0 } else { frame.multi_g },
        act_seq: frame.act_seq,
        packet_cnt: frame.packet_cnt,
        addr: frame.addr,
        data,
    }
}

/// Frames of a port of a node, in order.
fn of_port(s: &Scenario, node: usize, data: bool) -> Vec<&Outgoing> {
    let sends = s.sends.iter().filter(|x| x.node == node).map(|x| &x.frame);
    sends.filter(|f| (f.token == Token::Data) == data && verdict(f) == TxStatus::Ok).collect()
}

/// Runs until all is said and done and the last frames have gone round.
fn run(s: &Scenario) -> (Ring, Vec<NodeWatch>) {
    let mut ring = Ring::new(s).expect("a good scenario");
    let mut watches = vec![NodeWatch::default(); s.nodes];
    let mut settle = 3_000;
    while settle > 0 {
        let cycle = ring.cycle();
        ring.step_observed(&mut |n, node, i, o| {
            if cycle >= RESET_CYCLES {
                watches[n].cycle(cycle.0, node, i, o);
            }
        });
        if (0..s.nodes).all(|n| ring.host(n).is_idle()) {
            settle -= 1;
        }
        assert!(!ring.done(), "still at it after {} cycles", s.cycles);
    }
    (ring, watches)
}

fn count(ring: &Ring, node: usize, counter: Counter) -> u32 {
    ring.nodes()[node].u_counters.mem[usize::from(counter.code())]
}

fn check_host(s: &Scenario, n: usize, host: &Host) {
    for data in [true, false] {
        // NODE-18: every own frame came back good, in the order of its port.
        let sent: Vec<_> = of_port(s, n, data)
            .iter()
            .map(|f| (Some(f.token), arriving(n, f).c_st, f.packet_cnt))
            .collect();
        let returned = host.returned().iter().filter(|r| (r.token == Some(Token::Data)) == data);
        let returned: Vec<_> = returned
            .inspect(|r| assert!(r.good))
            .map(|r| (r.token, r.c_st, r.packet_cnt))
            .collect();
        assert_eq!(returned, sent, "what came back to node {n}");
        for source in 0..s.nodes {
            // Exactly once, at the right nodes, with the right contents, in order.
            let expected: Vec<_> = of_port(s, source, data)
                .into_iter()
                .filter(|f| source != n && is_for(f, n, s.groups[n]))
                .map(|f| arriving(source, f))
                .collect();
            let delivered: Vec<_> = host
                .delivered()
                .iter()
                .filter(|d| d.mac == node_mac(source) && (d.token == Some(Token::Data)) == data)
                .map(|d| Delivered { cycle: Cycle(0), ..d.clone() })
                .collect();
            assert_eq!(delivered, expected, "from node {source} at node {n}");
        }
    }
}

proptest! {
    #![proptest_config(seeded(160))]

    /// Every frame reaches the nodes it is for, once and as it was, and returns good.
    #[test]
    fn every_frame_arrives_once(s in scenario()) {
        let (ring, watches) = run(&s);
        let mut in_hand = 0;
        let mut on_links = 0;
        let mut inside = 0;
        for n in 0..s.nodes {
            let host = ring.host(n);
            check_host(&s, n, host);
            // NODE-19: one verdict for each frame, free tokens aside.
            let mut said: Vec<_> = host.sent().iter().filter_map(|x| x.error).collect();
            said.retain(|&e| e != TxStatus::Ok);
            let refused = s.sends.iter().filter(|x| x.node == n && verdict(&x.frame) != TxStatus::Ok);
            prop_assert_eq!(said.len(), refused.clone().count());
            prop_assert!(said.iter().all(|&e| e == TxStatus::Length));
            // NODE-20
            let delivered = u32::try_from(host.delivered().len()).expect("small");
            prop_assert_eq!(count(&ring, n, Counter::Delivered), delivered);
            let good = u32::try_from(host.returned().len()).expect("small");
            prop_assert_eq!(count(&ring, n, Counter::ReturnedGood), good);
            prop_assert_eq!(count(&ring, n, Counter::TxError), u32::try_from(said.len()).expect("small"));
            for zero in [Counter::ReturnedBad, Counter::Reserved, Counter::Cut, Counter::Dropped,
                         Counter::BadFcs, Counter::BadOther, Counter::RxOverflow, Counter::TokenOverflow] {
                prop_assert_eq!(count(&ring, n, zero), 0, "{} of node {}", zero.name(), n);
            }
            // NODE-13: nothing but free tokens is left, and they are as many as were issued.
            in_hand += u32::from(ring.nodes()[n].u_arbiter.held_q);
            let (out, _) = watches[n].flow();
            let (_, arrived) = watches[(n + 1) % s.nodes].flow();
            on_links += out - arrived;
            let (out, arrived) = (watches[n].flow().0, watches[n].flow().1);
            let issued = if n == 0 { s.tokens } else { 0 };
            inside += i64::try_from(issued).expect("small") + i64::from(arrived) - i64::from(out);
            // A node through which tokens go without a pause is never quiet.
            prop_assert!(watches[n].token_checks > 0 || s.tokens > 1 || s.nodes == 1);
        }
        let tokens = i64::try_from(s.tokens).expect("small");
        prop_assert_eq!(i64::from(on_links) + inside, tokens);
        prop_assert!(i64::from(in_hand) <= inside);
    }

    /// RING-2: the same run twice.
    #[test]
    fn a_run_follows_from_its_scenario(s in scenario()) {
        let (mut a, mut b) = (Ring::new(&s).expect("good"), Ring::new(&s).expect("good"));
        for _ in 0..2_000 {
            a.step();
            b.step();
        }
        prop_assert_eq!(a.nodes(), b.nodes());
        for n in 0..s.nodes {
            prop_assert_eq!(a.host(n).delivered(), b.host(n).delivered());
        }
    }
}

/// Every length from 1 to 1,024 goes round and is delivered as it was (FRM-6, NODE-16, NODE-18).
#[test]
fn every_length() {
    let mut s = Scenario { fibre: vec![3, 0, 7], ..Scenario::new(3, 2, Cycle(1_200_000)) };
    for len in 1..=1024usize {
        let token = [Token::Data, Token::Broadcast, Token::Data][len % 3];
        let packet_cnt = len.to_le_bytes()[0];
        let data: Vec<u8> = (0..len).map(|k| (k * 7 + len).to_le_bytes()[0]).collect();
        let frame = Outgoing { packet_cnt, ..Outgoing::new(token, data) };
        s.sends.push(Send { node: len % 2, cycle: Cycle(0), frame });
    }
    let (ring, _) = run(&s);
    for n in 0..3 {
        check_host(&s, n, ring.host(n));
    }
}

/// RING-1: a ring of one node talks to itself, and one of 256 nodes works.
#[test]
fn smallest_and_largest_ring() {
    for nodes in [1, 256] {
        let mut s = Scenario::new(nodes, 1, Cycle(60_000));
        for node in [0, nodes - 1] {
            let frame = Outgoing { addr: 4, ..Outgoing::new(Token::Data, vec![1, 2, 3, 4]) };
            s.sends.push(Send { node, cycle: Cycle(10), frame });
        }
        let (ring, _) = run(&s);
        for n in 0..nodes {
            check_host(&s, n, ring.host(n));
        }
    }
}
