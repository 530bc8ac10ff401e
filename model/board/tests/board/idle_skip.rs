// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards that rest are passed over: `run_until` and `step` against boards that never do.

use super::bench::{PERIOD, TIMEOUT};
use super::seeded::seeded;
use awgstar_board::ring::boards::{
    Aim, Board, Cut, Dead, Noise, configure, read_block, send_signal, wait_synced, write_block,
};
use awgstar_board::ring::{BoardRing, BoardScenario, HostOp, Ring};
use awgstar_board::rtl::{Smb, SmbAxi4};
use awgstar_frame::contract::{Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use proptest::prelude::*;

/// What happens to a ring.
#[derive(Clone, Debug)]
struct Story {
    scenario: BoardScenario,
    tokens: u8,
    /// Board, cycles before it, bytes.
    writes: Vec<(usize, u64, usize)>,
    reset: u64,
    turn: Option<(u64, usize, usize, u32)>,
    dark: Option<u64>,
    /// Cycles from one look to the next.
    looks: Vec<u64>,
}

/// The ring by `run_until`, by `step_observed` and by `step`.
fn same<M: Board + PartialEq>(story: &Story) -> Result<(), TestCaseError> {
    let boards = story.scenario.fibre.len();
    let mut ring = Ring::<M>::of_boards(&story.scenario).expect("good");
    for (i, node) in NodeId::all(boards).enumerate() {
        ring.push(i, configure(node, story.tokens, TIMEOUT, PERIOD)).expect("good");
        ring.push(i, [wait_synced(Cycle(20_000))]).expect("good");
    }
    for &(i, cycles, len) in &story.writes {
        let i = i % boards;
        ring.push(i, [HostOp::Wait { cycles: Cycle(cycles) }]).expect("good");
        ring.push(i, write_block(ByteAddress(64), &vec![7; len])).expect("good");
        ring.push(i, read_block(ByteAddress(60), 5)).expect("good");
        ring.push(i, send_signal(Token::Broadcast, 1, NodeId(0), Order::Confirmed, &[1]))
            .expect("good");
    }
    let (mut plain, mut steps) = (ring.clone(), ring.clone());
    let mut before = Cycle(0);
    for &cycles in &story.looks {
        let now = ring.cycle();
        let due = |cycle: u64| (before..now).contains(&Cycle(cycle));
        for ring in [&mut ring, &mut plain, &mut steps] {
            if now > Cycle(story.reset) && now < Cycle(story.reset + 3_000) {
                ring.reset(0, Cycle(3)).expect("good");
            }
            if let Some((_, from, to, delay)) = story.turn.filter(|turn| due(turn.0)) {
                let aim = (to < 4).then_some(Aim { to: to % boards, delay });
                ring.aim(from % boards, aim).expect("good");
            }
            if story.dark.is_some_and(due) {
                ring.power_off(0).expect("good");
            }
            if story.dark.is_some_and(|cycle| due(cycle + 4_000)) {
                ring.power_on(0).expect("good");
                let set_up = configure(NodeId(0), story.tokens, TIMEOUT, PERIOD);
                ring.push(0, set_up).expect("good");
            }
        }
        before = now;
        let end = now + Cycle(cycles);
        ring.run_until(end);
        while plain.cycle() < end {
            plain.step_observed(&mut |_, _, _, _| {});
            steps.step();
        }
        for i in 0..boards {
            let results = plain.take_results(i);
            for ring in [&mut ring, &mut steps] {
                prop_assert!(ring.board(i) == plain.board(i), "board {} in cycle {}", i, end);
                prop_assert_eq!(&ring.take_results(i), &results);
                prop_assert_eq!(ring.lit(i), plain.lit(i), "light of {} in cycle {}", i, end);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(seeded(24))]

    /// RING-2: looked at after any number of cycles, every register, memory and answer is the same:
    /// with traffic, pauses of every length, noise, a cut, a reset, a board that dies, timeouts, light that is
    /// turned while frames are under way, a board without power for a time; through AXI4-Lite and AXI4.
    #[test]
    fn nothing_that_matters_is_skipped(
        axi4 in any::<bool>(),
        seed in any::<u64>(),
        (boards, tokens) in (1usize..5, 0u8..3),
        fibre in prop_oneof![2 => Just(40u32), 1 => Just(1_500)],
        rate in prop_oneof![3 => Just(0u32), 1 => Just(2_000_000)],
        writes in prop::collection::vec((0usize..4, 0u64..9000, 1usize..300), 1..12),
        reset in 3_000u64..30_000,
        cut in 3_000u64..30_000,
        dead in prop_oneof![2 => Just(None), 1 => (8_000u64..30_000).prop_map(Some)],
        turn in prop::option::of((10_000u64..25_000, 0usize..4, 0usize..5, 0u32..600)),
        dark in prop::option::of(10_000u64..25_000),
        looks in prop::collection::vec(1u64..3_000, 12..20),
    ) {
        let scenario = BoardScenario {
            fibre: vec![fibre; boards],
            noise: Noise { rate, seed },
            cuts: vec![Cut { link: 0, from: Cycle(cut), until: Cycle(cut + 4_000) }],
            dead: dead.map(|cycle| Dead { board: boards - 1, cycle: Cycle(cycle) }).into_iter().collect(),
            ..BoardScenario::new(boards)
        };
        let story = Story { scenario, tokens, writes, reset, turn, dark, looks };
        if axi4 { same::<SmbAxi4>(&story)? } else { same::<Smb>(&story)? }
    }
}

/// Boards that are not set up always rest, and so does their ring: 2^40 cycles take no time.
#[test]
fn a_ring_at_rest_takes_no_time() {
    let mut plain = BoardRing::new(&BoardScenario::new(4)).expect("good");
    let mut ring = plain.clone();
    // Counters are read in turns of 16.
    while plain.cycle() < Cycle(16 * 100) {
        plain.step_observed(&mut |_, _, _, _| {});
    }
    for end in [16 * 100, 1 << 40] {
        ring.run_until(Cycle(end));
        assert_eq!(ring.cycle(), Cycle(end));
        assert!((0..4).all(|i| ring.board(i) == plain.board(i)));
    }
}
