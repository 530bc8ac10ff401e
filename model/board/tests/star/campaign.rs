// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every board of rings of many sizes is lost in turn, at several moments. Checks AWG-7, AWG-8.

use awgstar_board::ring::star::Times;
use awgstar_board::ring::star::recovery::{Case, Loss, run};
use awgstar_frame::quantity::Cycle;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn all(boards: usize, victims: impl Iterator<Item = usize>, moments: u64, seed: u64) -> usize {
    let mut runs = 0;
    for board in victims {
        for moment in 0..moments {
            // Moments, times and fibres that have nothing in common.
            let mix = seed.wrapping_add(moment * 37 + board as u64 * 11);
            let tune = [700, 3_001, 20_011][(mix % 3) as usize];
            let fibre = [2, 17, 168][(mix / 3 % 3) as usize];
            let case = Case {
                fibre,
                tokens: Case::tokens(boards, fibre),
                times: Times { detect: 68, command: 150, tune },
                loss: [Loss::Power, Loss::Power, Loss::Uplink, Loss::Downlink][(mix % 4) as usize],
                at: Cycle(2_000 + mix * 137 % 1_009),
                returns: mix.is_multiple_of(2).then_some(Cycle(500 + mix % 700)),
                pause: [150, 1_500][(mix / 2 % 2) as usize],
                seed: mix,
                ..Case::new(boards, board)
            };
            if let Err(e) = run(&case) {
                panic!("{case:?}: {e}");
            }
            runs += 1;
        }
    }
    runs
}

#[test]
fn small_rings() {
    for boards in 2..=5 {
        assert_eq!(all(boards, 0..boards, 1, boards as u64), boards);
    }
}

#[test]
fn thirty_two_boards() {
    assert_eq!(all(32, [17].into_iter(), 1, 5), 1);
}

/// Every board of rings of these sizes, on two threads.
fn campaign(sizes: RangeInclusive<usize>) {
    let moments = |boards: usize| if boards <= 8 { 3 } else { 1 };
    let expected: u64 = sizes.clone().map(|n| n as u64 * moments(n)).sum();
    let cases = Mutex::new(sizes.flat_map(|n| (0..n).map(move |board| (n, board))));
    let runs = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((n, board)) = { cases.lock().unwrap().next() } {
                    let new = all(n, board..=board, moments(n), 1_000 * n as u64);
                    runs.fetch_add(new, Ordering::Relaxed);
                    println!("{n} boards, board {board}: {new} runs");
                }
            });
        }
    });
    assert_eq!(runs.into_inner() as u64, expected);
}

/// `cargo test --release -p awgstar-board --test star every_board_of_every_ring -- --ignored`
#[test]
#[ignore = "minutes"]
fn every_board_of_every_ring() {
    campaign(2..=16);
}

/// `cargo test --release -p awgstar-board --test star large_rings -- --ignored`
mod large_rings {
    use super::campaign;

    macro_rules! campaigns {
        ($($name:ident: $sizes:expr),+) => {
            $(
                #[test]
                #[ignore = "half an hour"]
                fn $name() {
                    campaign($sizes);
                }
            )+
        };
    }

    campaigns!(of_17_to_20: 17..=20, of_21_to_24: 21..=24, of_25_to_28: 25..=28, of_29_to_32: 29..=32);
}
