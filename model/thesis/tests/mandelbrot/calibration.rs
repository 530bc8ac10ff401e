// SPDX-License-Identifier: MIT OR Apache-2.0
//! The next version at the level of frames against the cycle-accurate ring of boards. Checks EVA-6.

use super::{
    document::section,
    next::{blank, run},
};
use awgstar_board::ring::boards::{HostOp, WINDOW, configure, count, write_block};
use awgstar_board::ring::{BoardRing, BoardScenario};
use awgstar_frame::contract::{BoardCounter, limits::CLOCK_HZ};
use awgstar_frame::quantity::{ByteAddress, Cycle, Nanoseconds, NodeId};
use awgstar_request::{Fence, Request};
use awgstar_thesis::gen2::Settings;

/// Most that both may differ, in percent.
const TOLERANCE: u64 = 10;

fn up(nodes: usize, tokens: usize, fibre: u32) -> BoardRing {
    let scenario = BoardScenario { fibre: vec![fibre; nodes], ..BoardScenario::new(nodes) };
    let mut ring = BoardRing::new(&scenario).unwrap();
    let rotation = u32::try_from(nodes).unwrap() * (4 + fibre);
    for i in 0..nodes {
        let (id, tokens) = (u8::try_from(i).unwrap(), u8::try_from(tokens).unwrap());
        let timeout = rotation + 512 * u32::try_from(nodes).unwrap() + 1_000;
        ring.push(i, configure(NodeId(id), tokens, timeout, 4 * rotation + 2_000)).unwrap();
    }
    let added =
        |ring: &BoardRing| count(ring.board(0), BoardCounter::TokenAdded) as usize == tokens;
    assert!(ring.run_until_done(Cycle(400_000), added));
    ring.run_until(ring.cycle() + Cycle(500));
    ring
}

/// What each of the writers does.
#[derive(Clone, Copy)]
struct Load {
    /// Writers: nodes from 0 on.
    writers: usize,
    /// Bytes that each writes.
    bytes: usize,
    /// Cycles between a word and the next; 0: one block.
    pause: u64,
}

/// Cycles until every write is acknowledged: the mean of some moments of the rotation.
fn boards(nodes: usize, tokens: usize, fibre: u32, load: Load) -> u64 {
    let start = up(nodes, tokens, fibre);
    let runs = 5;
    let ops = match load.pause {
        0 => write_block(ByteAddress(0), &vec![7; load.bytes]),
        pause => {
            let word = |k: u32| {
                [
                    HostOp::Wait { cycles: Cycle(pause) },
                    HostOp::Write { addr: WINDOW | (4 * k), data: 7, strobe: 15 },
                ]
            };
            (0..u32::try_from(load.bytes / 4).unwrap()).flat_map(word).collect()
        }
    };
    let one = |moment: u64| {
        let mut ring = start.clone();
        ring.run_until(ring.cycle() + Cycle(37 * moment));
        for i in 0..load.writers {
            ring.push(i, ops.clone()).unwrap();
        }
        let from = ring.cycle();
        let back = |ring: &BoardRing| {
            ring.hosts_idle()
                && (0..ring.boards()).all(|i| {
                    let b = ring.board(i);
                    !b.u_combiner.open_q && b.u_data.base_q == b.u_data.tail_q
                })
        };
        assert!(ring.run_until_done(Cycle(4_000_000), back));
        ring.cycle() - from
    };
    (0..runs).map(one).sum::<Cycle>().0 / runs
}

fn frames(nodes: usize, tokens: usize, fibre: u32, load: Load) -> u64 {
    let settings = Settings { tokens, fibre: Cycle(fibre.into()), ..Settings::new(nodes) };
    let runs = 5;
    let ready = |k: u64| k * load.pause * 1_000_000_000 / CLOCK_HZ;
    let write = match load.pause {
        0 => blank(load.bytes as u64),
        _ => Request::ComputeWrite {
            addr: ByteAddress(1 << 20),
            ready: (1..=load.bytes as u64 / 4).map(|word| Nanoseconds(ready(word))).collect(),
        },
    };
    let one = |moment: u64| {
        let ops = |node| {
            if node < load.writers {
                vec![
                    Request::compute(Nanoseconds(553 * moment)),
                    write.clone(),
                    Request::Fence(Fence::Confirmed),
                ]
            } else {
                vec![]
            }
        };
        Nanoseconds(run(&settings, ops).0).to_cycles_ceil()
            - Nanoseconds(553 * moment).to_cycles_ceil()
    };
    (0..runs).map(|moment| one(moment).0).sum::<u64>() / runs
}

#[test]
fn frames_against_boards() {
    let cases = [
        // nodes, tokens, fibre, writers, bytes of each, pause
        (2, 1, 4, 1, 16_384, 0),
        (4, 1, 4, 1, 4, 0),
        (4, 1, 4, 1, 16_384, 0),
        (4, 1, 4, 4, 16_384, 0),
        (8, 8, 4, 8, 8_192, 0),
        (8, 2, 34, 8, 8_192, 0),
        (16, 1, 4, 1, 4, 0),
        (16, 16, 4, 16, 4_096, 0),
        (32, 13, 4, 32, 2_048, 0),
        (32, 13, 4, 1, 16_384, 0),
        // Word by word: combined; each word a frame, with room on the ring and beyond it.
        (4, 1, 4, 4, 1_024, 20),
        (4, 4, 4, 4, 256, 200),
        (16, 16, 4, 16, 256, 400),
        (16, 16, 4, 16, 256, 100),
        (32, 13, 4, 32, 128, 100),
    ];
    let mut table = String::from(
        "| nodes | tokens | fibre, cycles | writers × bytes | cycles between words | boards, cycles until all is acknowledged | frames |\n\
         |---:|---:|---:|---|---:|---:|---:|\n",
    );
    let mut wrong = Vec::new();
    for (nodes, tokens, fibre, writers, bytes, pause) in cases {
        let load = Load { writers, bytes, pause };
        let exact = boards(nodes, tokens, fibre, load);
        let model = frames(nodes, tokens, fibre, load);
        let pause = if pause == 0 { "one block".into() } else { pause.to_string() };
        let line = format!(
            "| {nodes} | {tokens} | {fibre} | {writers} × {bytes} | {pause} | {exact} | {model} |\n"
        );
        print!("{line}");
        table.push_str(&line);
        if exact.abs_diff(model) * 100 > TOLERANCE * exact {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    section("evaluation.md", "frames against boards", &table);
}
