// SPDX-License-Identifier: MIT OR Apache-2.0
//! A ring of four nodes: node 2 writes, every node receives.
//!
//! `cargo run -p awgstar --example ring`

use awgstar::contract::Token;
use awgstar::quantity::Cycle;
use awgstar::ring::{Outgoing, Ring, Scenario, Send};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scenario = Scenario::new(4, 1, Cycle(1_000)); // nodes, tokens, cycles
    let frame = Outgoing { addr: 0x100, ..Outgoing::new(Token::Data, b"shared".to_vec()) };
    scenario.sends.push(Send { node: 2, cycle: Cycle(0), frame });
    let mut ring = Ring::new(&scenario)?;
    while !ring.done() {
        ring.step();
    }
    for node in [0, 1, 3] {
        let frame = &ring.host(node).delivered()[0];
        let text = String::from_utf8_lossy(&frame.data);
        println!("node {node} received {text:?} for address {:#x}", frame.addr);
    }
    Ok(())
}
