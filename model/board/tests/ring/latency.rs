// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long a node takes. Checks NODE-2.

use super::monitor::{Law, Seen, word_out};
use awgstar_board::ring::{Outgoing, RESET_CYCLES, Ring, Scenario, Send};
use awgstar_frame::contract::Token;
use awgstar_frame::quantity::Cycle;

/// NODE-2: arrival in cycle t, on `m_axis` in cycle t + 4, when nothing is in the way.
#[test]
fn a_hop_takes_four_cycles() {
    let fibre = vec![0, 5, 1, 19];
    let mut s = Scenario { fibre: fibre.clone(), ..Scenario::new(4, 0, Cycle(2_000)) };
    for (k, len) in [0usize, 46, 47, 1024].into_iter().enumerate() {
        let frame = Outgoing::new(Token::Broadcast, vec![7; len]);
        s.sends.push(Send { node: 0, cycle: Cycle(20 + 400 * k as u64), frame });
    }
    let mut ring = Ring::new(&s).expect("good");
    let mut laws = vec![Law::default(); 4];
    let mut seen: Vec<Vec<Seen>> = vec![Vec::new(); 4];
    while !ring.done() {
        let cycle = ring.cycle();
        ring.step_observed(&mut |n, _, _, o| {
            if cycle >= RESET_CYCLES {
                seen[n].extend(laws[n].word(cycle.0, word_out(o)));
            }
        });
    }
    assert!(seen.iter().all(|frames| frames.len() == 4));
    for n in 1..4 {
        for (before, after) in seen[n - 1].iter().zip(&seen[n]) {
            let hop = after.begin - before.begin - u64::from(fibre[n - 1]);
            assert_eq!(hop, 4, "node {n}");
            assert!(hop <= 6, "the budget");
            assert_eq!(after.bytes, before.bytes, "NODE-1: word for word");
        }
    }
}
