//! The next version at the level of frames against the cycle-accurate ring of boards. Checks EVA-6.

use super::next::{blank, run};
use awgstar::contract::BoardCounter;
use awgstar::lambda::current::Op;
use awgstar::lambda::next::{Settings, ns_cycles};
use awgstar::ring::boards::{configure, count, write_block};
use awgstar::ring::{BoardRing, BoardScenario};

/// Most that both may differ, in percent.
const TOLERANCE: u64 = 10;

fn up(nodes: usize, tokens: usize, fibre: u32) -> BoardRing {
    let scenario = BoardScenario { fibre: vec![fibre; nodes], ..BoardScenario::new(nodes) };
    let mut ring = BoardRing::new(&scenario).unwrap();
    let rotation = u32::try_from(nodes).unwrap() * (4 + fibre);
    for i in 0..nodes {
        let (id, tokens) = (u8::try_from(i).unwrap(), u8::try_from(tokens).unwrap());
        let timeout = rotation + 512 * u32::try_from(nodes).unwrap() + 1_000;
        ring.push(i, configure(id, tokens, timeout, 4 * rotation + 2_000)).unwrap();
    }
    let added =
        |ring: &BoardRing| count(ring.board(0), BoardCounter::TokenAdded) as usize == tokens;
    assert!(ring.run_until_done(400_000, added));
    ring.run_until(ring.cycle() + 500);
    ring
}

/// Cycles until every write of `len` bytes by each of `writers` is acknowledged: the mean of some
/// moments of the rotation.
fn boards(nodes: usize, tokens: usize, fibre: u32, writers: usize, len: usize) -> u64 {
    let start = up(nodes, tokens, fibre);
    let runs = 5;
    let one = |moment: u64| {
        let mut ring = start.clone();
        ring.run_until(ring.cycle() + 37 * moment);
        for i in 0..writers {
            ring.push(i, write_block(0, &vec![7; len])).unwrap();
        }
        let from = ring.cycle();
        let back = |ring: &BoardRing| {
            ring.hosts_idle()
                && (0..ring.boards()).all(|i| {
                    let b = ring.board(i);
                    !b.u_combiner.open_q && b.u_data.base_q == b.u_data.tail_q
                })
        };
        assert!(ring.run_until_done(4_000_000, back));
        ring.cycle() - from
    };
    (0..runs).map(one).sum::<u64>() / runs
}

fn frames(nodes: usize, tokens: usize, fibre: u32, writers: usize, len: u64) -> u64 {
    let settings = Settings { tokens, fibre: fibre.into(), ..Settings::new(nodes) };
    let runs = 5;
    let one = |moment: u64| {
        let ops = |node| {
            if node < writers {
                vec![Op::Compute(553 * moment), blank(len), Op::Sync]
            } else {
                vec![]
            }
        };
        ns_cycles(run(&settings, ops).0) - ns_cycles(553 * moment)
    };
    (0..runs).map(one).sum::<u64>() / runs
}

#[test]
fn frames_against_boards() {
    let cases = [
        // nodes, tokens, fibre, writers, bytes of each
        (2, 1, 4, 1, 16_384),
        (4, 1, 4, 1, 4),
        (4, 1, 4, 1, 16_384),
        (4, 1, 4, 4, 16_384),
        (8, 8, 4, 8, 8_192),
        (8, 2, 34, 8, 8_192),
        (16, 1, 4, 1, 4),
        (16, 16, 4, 16, 4_096),
        (32, 13, 4, 32, 2_048),
        (32, 13, 4, 1, 16_384),
    ];
    let mut wrong = Vec::new();
    for (nodes, tokens, fibre, writers, len) in cases {
        let exact = boards(nodes, tokens, fibre, writers, len);
        let model = frames(nodes, tokens, fibre, writers, len as u64);
        let line = format!(
            "{nodes} nodes, {tokens} tokens, fibre {fibre}, {writers} x {len} bytes: boards {exact}, frames {model}"
        );
        println!("{line}");
        if exact.abs_diff(model) * 100 > TOLERANCE * exact {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
