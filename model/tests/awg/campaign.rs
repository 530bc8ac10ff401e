//! Every board of rings of many sizes is lost in turn, at several moments. Checks AWG-7, AWG-8.

use awgstar::lambda::awg::Times;
use awgstar::lambda::awg::recovery::{Case, Loss, run};

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
                at: 2_000 + mix * 137 % 1_009,
                returns: mix.is_multiple_of(2).then_some(500 + mix % 700),
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
        assert_eq!(all(boards, 0..boards, 2, boards as u64), 2 * boards);
    }
}

#[test]
fn thirty_two_boards() {
    assert_eq!(all(32, [0, 17].into_iter(), 1, 5), 2);
}

/// `cargo test --release -p awgstar --test awg -- --ignored`
#[test]
#[ignore = "minutes"]
fn every_board_of_every_ring() {
    let runs: usize = (2..=32).map(|n| all(n, 0..n, 3, 1_000 * n as u64)).sum();
    assert_eq!(runs, 3 * (2..=32).sum::<usize>());
}
