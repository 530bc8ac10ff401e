// SPDX-License-Identifier: MIT OR Apache-2.0
//! `RingNode::step` and the ring's fast path against `outputs` and `clock`, register by register
//! (NODE-1 to NODE-24).

use super::feed::{Feed, feeds};
use super::seeded::seeded;
use awgstar_board::ring::{Outgoing, Ring, Saturate, Scenario, Send};
use awgstar_board::rtl::RingNode;
use awgstar_frame::contract::Token;
use awgstar_frame::quantity::Cycle;
use proptest::prelude::*;

proptest! {
    #![proptest_config(seeded(60))]

    /// Any words on the link and any use of the ports: the same outputs, registers and memories.
    #[test]
    fn step_is_outputs_and_clock(feeds in feeds(), resets in prop::collection::vec(0u64..2000, 0..3)) {
        let (mut fast, mut plain) = (RingNode::default(), RingNode::default());
        let mut feed = Feed::new(&feeds);
        for cycle in 0..3_000 {
            let mut inputs = feed.inputs(cycle);
            inputs.rst |= resets.contains(&cycle);
            let outputs = plain.outputs(&inputs);
            plain.clock(&inputs);
            prop_assert_eq!(fast.step(&inputs), outputs, "outputs in cycle {}", cycle);
            prop_assert_eq!(&fast, &plain, "after cycle {}", cycle);
            feed.took(&inputs, &outputs);
        }
    }

    /// A ring that skips what is at rest against nodes that step every cycle, sparse traffic and
    /// dense.
    #[test]
    fn a_ring_skips_nothing_that_matters(
        nodes in 1usize..=5,
        fibre in prop::collection::vec(0u32..12, 5),
        sends in prop::collection::vec((0usize..5, 0u64..4000, any::<bool>(), 0usize..300), 0..12),
        saturate in prop::option::of((0usize..5, 1u16..=1024)),
        tokens in 0usize..3,
        monitor in prop::option::of(0usize..5),
        discards in prop::collection::vec((0u64..4000, 0usize..5), 0..3),
        leaps in prop::collection::vec(1u64..700, 20),
    ) {
        let saturate = saturate.map(|(n, len)| Saturate { node: n % nodes, len });
        let mut s = Scenario {
            fibre: fibre[..nodes].to_vec(),
            saturate: saturate.into_iter().collect(),
            monitor: monitor.map(|n| n % nodes),
            ..Scenario::new(nodes, tokens, Cycle(6_000))
        };
        for (n, cycle, is_data, len) in sends {
            let token = if is_data { Token::Data } else { Token::Broadcast };
            let frame = Outgoing::new(token, vec![3; len]);
            s.sends.push(Send { node: n % nodes, cycle: Cycle(cycle), frame });
        }
        let mut plain = vec![RingNode::default(); nodes];
        let mut fast = Ring::new(&s).expect("good");
        let mut leaping = Ring::new(&s).expect("good");
        let mut watched = Ring::new(&s).expect("good");
        let mut leaps = leaps.into_iter().cycle();
        let mut next = leaps.next().unwrap_or(1);
        while !watched.done() {
            let now = watched.cycle();
            for &(_, n) in discards.iter().filter(|(cycle, _)| *cycle == now.0) {
                leaping.run_until(now);
                for ring in [&mut fast, &mut watched, &mut leaping] {
                    ring.discard(n % nodes).expect("a node");
                }
            }
            fast.step();
            let mut same = true;
            watched.step_observed(&mut |n, node, i, o| {
                same &= plain[n].outputs(i) == *o && plain[n] == *node;
                plain[n].clock(i);
            });
            prop_assert!(same, "before the edge of cycle {}", watched.cycle() - Cycle(1));
            prop_assert_eq!(fast.nodes(), watched.nodes(), "cycle {}", watched.cycle());
            if watched.cycle() == Cycle(next) {
                leaping.run_until(Cycle(next));
                prop_assert_eq!(leaping.nodes(), watched.nodes(), "leap to cycle {}", next);
                next += leaps.next().unwrap_or(1);
            }
        }
        leaping.run_until(Cycle(6_000));
        for n in 0..nodes {
            prop_assert_eq!(leaping.host(n).delivered(), watched.host(n).delivered());
            prop_assert_eq!(leaping.host(n).returned(), watched.host(n).returned());
            prop_assert_eq!(fast.host(n).delivered(), watched.host(n).delivered());
        }
    }
}
