// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bit errors, lost and doubled frames. Checks RING-3, NODE-4, NODE-16 to NODE-18, NODE-20, FCS-1.

use super::seeded::seeded;
use awgstar_board::ring::boards::{Cut, Dead};
use awgstar_board::ring::{Fault, FaultKind, Outgoing, Ring, Scenario, Send, node_mac, pattern};
use awgstar_frame::contract::{Counter, Token};
use awgstar_frame::quantity::Cycle;
use proptest::prelude::*;

fn count(ring: &Ring, node: usize, counter: Counter) -> u32 {
    ring.nodes()[node].u_counters.mem[usize::from(counter.code())]
}

/// Node 0 sends `frames` signals of 46 bytes to all, on a ring without tokens.
fn signals(nodes: usize, frames: u8, faults: Vec<Fault>) -> Ring {
    let mut s = Scenario { fibre: vec![2; nodes], faults, ..Scenario::new(nodes, 0, Cycle(3_000)) };
    for packet_cnt in 0..frames {
        let frame =
            Outgoing { packet_cnt, ..Outgoing::new(Token::Broadcast, vec![packet_cnt; 46]) };
        s.sends.push(Send { node: 0, cycle: Cycle(0), frame });
    }
    let mut ring = Ring::new(&s).expect("good");
    ring.run_until(Cycle(3_000));
    ring
}

fn received(ring: &Ring, node: usize) -> Vec<u8> {
    ring.host(node).delivered().iter().map(|d| d.packet_cnt).collect()
}

proptest! {
    #![proptest_config(seeded(128))]

    /// RING-3, NODE-17, NODE-18: any bit of the FCS or of what it covers, MAC and TOKEN aside: the
    /// frame reaches only the nodes before the fault and returns bad; the others are not touched.
    #[test]
    fn a_bit_error(link in 0usize..4, frame in 0u8..5, bit in 56u32..512) {
        let kind = FaultKind::Bit(bit);
        let ring = signals(4, 5, vec![Fault { link, frame: frame.into(), kind }]);
        let all: Vec<u8> = (0..5).collect();
        let without: Vec<u8> = (0..5).filter(|&k| k != frame).collect();
        for node in 1..4 {
            prop_assert_eq!(&received(&ring, node), if node <= link { &all } else { &without });
            prop_assert_eq!(count(&ring, node, Counter::BadFcs), u32::from(node > link));
        }
        prop_assert_eq!(count(&ring, 0, Counter::ReturnedGood), 4);
        prop_assert_eq!(count(&ring, 0, Counter::ReturnedBad), 1);
        let bad: Vec<bool> = ring.host(0).returned().iter().map(|r| r.good).collect();
        prop_assert_eq!(bad, (0..5).map(|k| k != frame).collect::<Vec<_>>());
    }

    /// Random faults on a ring under load: nothing bad is delivered, whatever is lost.
    #[test]
    fn nothing_bad_is_delivered(
        faults in prop::collection::vec((0usize..3, 0u64..40, 0u32..8336, 0u8..4), 1..10),
        len in prop_oneof![1u16..=45, 46u16..=1024],
    ) {
        let mut s = Scenario::saturated(3, 2, len, Cycle(12_000));
        s.faults = faults
            .into_iter()
            .map(|(link, frame, bit, kind)| {
                let kind = [FaultKind::Bit(bit), FaultKind::Bit(bit % 512), FaultKind::Lose, FaultKind::Twice]
                    [usize::from(kind)];
                Fault { link, frame, kind }
            })
            .collect();
        let mut ring = Ring::new(&s).expect("good");
        ring.run_until(s.cycles);
        for n in 0..3 {
            for d in ring.host(n).delivered() {
                let source = (0..3).find(|&k| node_mac(k) == d.mac).expect("a node of the ring");
                // Packet_Cnt says which of the source's frames it is, modulo 256.
                let right = (0..8).any(|k| {
                    pattern(source, u64::from(d.packet_cnt) + 256 * k, len) == d.data
                });
                prop_assert!(right, "node {} got what node {} never sent", n, source);
            }
        }
    }
}

/// RING-3: a lost frame is lost from there on, and only that frame.
#[test]
fn a_lost_frame() {
    let ring = signals(4, 3, vec![Fault { link: 1, frame: 1, kind: FaultKind::Lose }]);
    assert_eq!(received(&ring, 1), [0, 1, 2]);
    assert_eq!(received(&ring, 2), [0, 2]);
    assert_eq!(count(&ring, 0, Counter::ReturnedGood), 2);
}

/// RING-3: a doubled frame comes twice from there on, right behind itself.
#[test]
fn a_doubled_frame() {
    let ring = signals(4, 3, vec![Fault { link: 1, frame: 1, kind: FaultKind::Twice }]);
    assert_eq!(received(&ring, 1), [0, 1, 2]);
    assert_eq!(received(&ring, 2), [0, 1, 1, 2]);
    assert_eq!(received(&ring, 3), [0, 1, 1, 2]);
    assert_eq!(count(&ring, 0, Counter::ReturnedGood), 4);
    for node in 0..4 {
        assert_eq!(count(&ring, node, Counter::Dropped), 0);
    }
}

/// NODE-4, NODE-12: a data token that returns bad gives its token back all the same, and the
/// token goes on as a free token.
#[test]
fn a_bad_data_token_gives_its_token_back() {
    let mut s = Scenario::new(3, 1, Cycle(4_000));
    s.sends.push(Send {
        node: 1,
        cycle: Cycle(100),
        frame: Outgoing::new(Token::Data, vec![9; 60]),
    });
    s.sends.push(Send {
        node: 2,
        cycle: Cycle(1000),
        frame: Outgoing::new(Token::Data, vec![8; 60]),
    });
    // The free token leaves node 1 until it is taken: only frames longer than a free token have
    // this bit.
    s.faults = (0..200).map(|frame| Fault { link: 2, frame, kind: FaultKind::Bit(530) }).collect();
    let mut ring = Ring::new(&s).expect("good");
    ring.run_until(Cycle(4_000));
    assert_eq!(count(&ring, 1, Counter::ReturnedBad), 1);
    assert_eq!(count(&ring, 1, Counter::FreeSent), 1);
    assert_eq!(ring.host(2).delivered().len(), 1);
    assert_eq!(count(&ring, 0, Counter::BadFcs), 2);
    assert_eq!(count(&ring, 2, Counter::ReturnedBad), 1);
    assert!(ring.nodes().iter().all(|n| n.u_arbiter.held_q == 0));
}

/// RING-3: nothing comes over a link that is cut, and a node that dies is bridged; a ring of nodes that leaps is
/// then that which looks at each cycle.
#[test]
fn a_cut_and_a_dead_node() {
    let frame =
        |packet_cnt| Outgoing { packet_cnt, ..Outgoing::new(Token::Broadcast, vec![1; 46]) };
    let mut leaps = Ring::new(&Scenario::new(4, 0, Cycle(3_000))).expect("good");
    leaps.add_cut(Cut { link: 1, from: Cycle(0), until: Cycle(1_000) }).expect("a link");
    leaps.add_dead(Dead { board: 3, cycle: Cycle(2_000) }).expect("a node");
    let mut watched = leaps.clone();
    for (packet_cnt, end) in [(0, 1_000), (1, 2_000), (2, 3_000)] {
        for ring in [&mut leaps, &mut watched] {
            ring.send(0, frame(packet_cnt)).expect("good");
        }
        leaps.run_until(Cycle(end));
        while watched.cycle() < Cycle(end) {
            watched.step_observed(&mut |_, _, _, _| {});
        }
        assert_eq!(leaps.nodes(), watched.nodes(), "cycle {end}");
    }
    assert_eq!([1, 2, 3].map(|node| received(&leaps, node)), [vec![0, 1, 2], vec![1, 2], vec![1]]);
    assert_eq!(count(&leaps, 0, Counter::ReturnedGood), 2);
    assert!(!leaps.is_live(3) && leaps.live().eq(0..3));
}
