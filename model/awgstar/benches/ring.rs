// SPDX-License-Identifier: MIT OR Apache-2.0
//! Speed of the ring's model in node-cycles per second (`elem/s`):
//! `cargo bench -p awgstar --bench ring`.

use awgstar::quantity::Cycle;
use awgstar::{
    contract::Token,
    ring::{Outgoing, Ring, Scenario, Send},
};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const CYCLES: u64 = 50_000;

/// One signal of 64 bytes every 2,000 cycles from each node in turn.
fn sparse(nodes: usize) -> Scenario {
    let mut s = Scenario::new(nodes, 0, Cycle(u64::MAX));
    s.sends = (0..200)
        .map(|k| Send {
            node: k % nodes,
            cycle: Cycle(2_000 * k as u64),
            frame: Outgoing::new(Token::Broadcast, vec![7; 64]),
        })
        .collect();
    s
}

fn speed(criterion: &mut Criterion) {
    for nodes in [4, 16, 64] {
        let mut group = criterion.benchmark_group(format!("{nodes}_nodes"));
        group.throughput(Throughput::Elements(CYCLES * nodes as u64));
        let loads = [
            ("saturated", Scenario::saturated(nodes, 2, 1024, Cycle(u64::MAX))),
            ("tokens_only", Scenario::new(nodes, 1, Cycle(u64::MAX))),
            ("sparse", sparse(nodes)),
            ("idle", Scenario::new(nodes, 0, Cycle(u64::MAX))),
        ];
        for (name, scenario) in loads {
            let Ok(mut ring) = Ring::new(&scenario) else {
                continue;
            };
            ring.record(false);
            ring.run_until(Cycle(10_000));
            group.bench_function(name, |b| {
                b.iter_batched_ref(
                    || ring.clone(),
                    |ring| ring.run_until(ring.cycle() + Cycle(CYCLES)),
                    BatchSize::LargeInput,
                );
            });
        }
        group.finish();
    }
}

criterion_group!(benches, speed);
criterion_main!(benches);
