// SPDX-License-Identifier: MIT OR Apache-2.0
//! An answer does not overtake its cause. Checks NODE-10.

use super::seeded::seeded;
use awgstar_board::ring::{Outgoing, Ring, Saturate, Scenario, Send, node_mac};
use awgstar_frame::contract::Token;
use awgstar_frame::quantity::Cycle;
use proptest::prelude::*;

proptest! {
    #![proptest_config(seeded(60))]

    /// NODE-10: node `b` answers a broadcast of node `a` in the cycle after it was delivered;
    /// every other node gets the question first, whatever else is on the ring.
    #[test]
    fn an_answer_stays_behind_its_cause(
        nodes in 3usize..=6,
        ask in 0usize..6,
        fibre in prop::collection::vec(0u32..20, 6),
        busy in prop::collection::vec((0usize..6, 1u16..=1024), 0..6),
        questions in prop::collection::vec((0u64..3000, 0usize..200), 1..12),
        as_data: bool,
    ) {
        let ask = ask % nodes;
        let mut s = Scenario {
            fibre: fibre[..nodes].to_vec(),
            saturate: busy.iter().map(|&(n, len)| Saturate { node: n % nodes, len }).collect(),
            ..Scenario::new(nodes, 3, Cycle(60_000))
        };
        // Saturation would keep answers that are data behind its own frames, which is no fault.
        if as_data {
            s.saturate.retain(|x| x.node == ask);
        }
        for (k, &(cycle, len)) in questions.iter().enumerate() {
            let addr = 0x1000 + u32::try_from(k).expect("small");
            let frame = Outgoing { addr, ..Outgoing::new(Token::Broadcast, vec![1; len]) };
            s.sends.push(Send { node: ask, cycle: Cycle(cycle), frame });
        }
        let mut ring = Ring::new(&s).expect("good");
        let mut answered = vec![0; nodes];
        while !ring.done() {
            ring.step();
            for (n, seen) in answered.iter_mut().enumerate() {
                let delivered = ring.host(n).delivered();
                let new: Vec<u32> = delivered[*seen..]
                    .iter()
                    .filter(|d| d.token == Some(Token::Broadcast) && d.addr < 0x2000)
                    .map(|d| d.addr)
                    .collect();
                *seen = delivered.len();
                for addr in new {
                    let token = if as_data { Token::Data } else { Token::Broadcast };
                    let frame = Outgoing { addr: addr + 0x1000, ..Outgoing::new(token, vec![2]) };
                    ring.send(n, frame).expect("fits");
                }
            }
        }
        for n in 0..nodes {
            let list = ring.host(n).delivered();
            let answers: Vec<_> =
                list.iter().enumerate().filter(|(_, d)| (0x2000..0x3000).contains(&d.addr)).collect();
            if n != ask {
                prop_assert_eq!(answers.len(), questions.len() * (nodes - 2));
                for (at, d) in answers {
                    prop_assert!(d.mac != node_mac(ask));
                    let cause = list.iter().position(|q| q.addr == d.addr - 0x1000);
                    prop_assert!(cause.is_some_and(|q| q < at), "answer before its cause at node {}", n);
                }
            }
        }
    }
}
