// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic from a seed, the same on every platform (RING-2).

use awgstar::quantity::{Cycle, narrow};
use awgstar::random::SplitMix64;
use awgstar::{
    contract::Token,
    ring::{Outgoing, Send},
};

/// What `[[random]]` asks for, checked.
pub(super) struct Plan {
    pub(super) nodes: Vec<usize>,
    pub(super) all: usize,
    pub(super) from: u64,
    pub(super) until: u64,
    /// Mean cycles between two sends of one node.
    pub(super) every: u64,
    /// Share of signals in 1/1000.
    pub(super) signals: u64,
    pub(super) bytes_max: u64,
}

/// Sends of every node, in order of time.
pub(super) fn sends(plan: &Plan, random: &mut SplitMix64) -> Vec<Send> {
    let mut out = Vec::new();
    for &node in &plan.nodes {
        let mut cycle = plan.from;
        loop {
            cycle += 1 + below(random, 2 * plan.every);
            if cycle >= plan.until {
                break;
            }
            let frame = if below(random, 1000) < plan.signals {
                signal(plan, random)
            } else {
                let len = 1 + below(random, plan.bytes_max);
                let data = (0..len).map(|_| byte(random)).collect();
                let addr = narrow::<u32>(below(random, 1 << 20));
                Outgoing { addr, ..Outgoing::new(Token::Data, data) }
            };
            out.push(Send { node, cycle: Cycle(cycle), frame });
        }
    }
    out
}

fn signal(plan: &Plan, random: &mut SplitMix64) -> Outgoing {
    let tokens = [Token::P2p, Token::Multicast, Token::Broadcast];
    let token = tokens[narrow::<usize>(below(random, 3))];
    let data = (0..8).map(|_| byte(random)).collect();
    let small = |value: u64| narrow::<u8>(value);
    Outgoing {
        c_st: small(below(random, 32)),
        node_id: small(below(random, plan.all as u64)),
        multi_g: small(below(random, 16)),
        ..Outgoing::new(token, data)
    }
}

/// A number from 0 up to and without `bound`.
fn below(random: &mut SplitMix64, bound: u64) -> u64 {
    // Bounds are far below 2^32, so the bias is too small to see.
    (u64::from(random.next_u32()) * bound) >> 32
}

fn byte(random: &mut SplitMix64) -> u8 {
    random.next_u32().to_le_bytes()[0]
}
