// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards that rest are passed over: `run_until` against one `step` after the other.

use super::bench::configured;
use super::seeded::seeded;
use awgstar_board::ring::boards::{Cut, Dead, Noise, send_signal, write_block};
use awgstar_board::ring::{BoardScenario, HostOp};
use awgstar_frame::contract::{Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use proptest::prelude::*;

proptest! {
    #![proptest_config(seeded(24))]

    /// RING-2: looked at after any number of cycles, every register, memory and answer is the same:
    /// with traffic, pauses of every length, noise, a cut, a reset, a board that dies, timeouts.
    #[test]
    fn run_until_is_step(
        seed in any::<u64>(),
        (boards, tokens) in (1usize..5, 0u8..3),
        rate in prop_oneof![3 => Just(0u32), 1 => Just(2_000_000)],
        writes in prop::collection::vec((0usize..4, 0u64..9000, 1usize..300), 1..12),
        reset in 3_000u64..30_000,
        cut in 3_000u64..30_000,
        dead in prop_oneof![2 => Just(None), 1 => (8_000u64..30_000).prop_map(Some)],
        looks in prop::collection::vec(1u64..3_000, 12..20),
    ) {
        let s = BoardScenario {
            fibre: vec![40; boards],
            noise: Noise { rate, seed },
            cuts: vec![Cut { link: 0, from: Cycle(cut), until: Cycle(cut + 4_000) }],
            dead: dead.map(|cycle| Dead { board: boards - 1, cycle: Cycle(cycle) }).into_iter().collect(),
            ..BoardScenario::new(boards)
        };
        let mut ring = configured(&s, tokens);
        for (i, cycles, len) in writes {
            let i = i % boards;
            ring.push(i, [HostOp::Wait { cycles: Cycle(cycles) }]).expect("good");
            ring.push(i, write_block(ByteAddress(64), &vec![7; len])).expect("good");
            ring.push(i, send_signal(Token::Broadcast, 1, NodeId(0), Order::Confirmed, &[1])).expect("good");
        }
        let mut plain = ring.clone();
        for cycles in looks {
            if ring.cycle() > Cycle(reset) && ring.cycle() < Cycle(reset + 3_000) {
                ring.reset(0, Cycle(3)).expect("good");
                plain.reset(0, Cycle(3)).expect("good");
            }
            let end = ring.cycle() + Cycle(cycles);
            ring.run_until(end);
            while plain.cycle() < end {
                plain.step();
            }
            for i in 0..boards {
                prop_assert!(ring.board(i) == plain.board(i), "board {} in cycle {}", i, end);
                prop_assert_eq!(ring.host(i).results(), plain.host(i).results());
            }
        }
    }
}
