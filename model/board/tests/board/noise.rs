// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any traffic, with and without faults: replicas agree, signals arrive once and in order.
//! Checks ACK-1 to ACK-5, SND-1 to SND-4, RCV-2, RCV-3, RING-2.

use super::bench::{UP, configured, count_of, settled};
use super::seeded::seeded;
use awgstar_board::ring::boards::{Noise, bytes, register, send_signal, write_block};
use awgstar_board::ring::{BoardRing, BoardScenario, Fault, FaultKind, HostOp};
use awgstar_frame::contract::{BoardCounter, Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use proptest::prelude::*;

/// What a host does next.
#[derive(Clone, Debug)]
enum Act {
    /// Writes so many bytes at this place of its own area.
    Write(u32, usize),
    Signal(Order),
    Wait(u64),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0u32..3900, prop_oneof![1usize..8, 1usize..150]).prop_map(|(at, n)| Act::Write(at, n)),
        2 => prop_oneof![Just(Order::None), Just(Order::Sent), Just(Order::Confirmed)].prop_map(Act::Signal),
        1 => (1u64..400).prop_map(Act::Wait),
    ]
}

/// Acts of each board and the memory they make.
fn play(ring: &mut BoardRing, acts: &[(usize, Act)]) -> Vec<u8> {
    let mut memory = vec![0u8; 16384];
    let mut serial = vec![0u8; ring.boards()];
    for i in 0..ring.boards() {
        ring.push(i, [HostOp::Wait { cycles: Cycle(UP) }]).expect("good");
    }
    for (k, (i, act)) in acts.iter().enumerate() {
        let i = i % ring.boards();
        match *act {
            Act::Write(at, n) => {
                let area = 4096 * i;
                let n = n.min(4096 - at as usize);
                let block = vec![k.to_le_bytes()[0] | 1; n];
                memory[area + at as usize..][..n].copy_from_slice(&block);
                let addr = u32::try_from(area).expect("small") + at;
                ring.push(i, write_block(ByteAddress(addr), &block)).expect("good");
            }
            Act::Signal(order) => {
                // Not more than the queue takes.
                let full = HostOp::Poll {
                    addr: awgstar_frame::contract::board::STATUS.offset,
                    mask: 1 << 5,
                    value: 0,
                    limit: Cycle(u64::MAX),
                };
                ring.push(i, [full]).expect("good");
                serial[i] += 1;
                let data = [serial[i], k.to_le_bytes()[0]];
                ring.push(i, send_signal(Token::Broadcast, 1, NodeId(0), order, &data))
                    .expect("good");
            }
            Act::Wait(cycles) => {
                ring.push(i, [HostOp::Wait { cycles: Cycle(cycles) }]).expect("good");
            }
        }
    }
    memory
}

/// Until everything has returned, with hosts that look into their mailboxes: what each got, by source.
fn run(ring: &mut BoardRing, cycles: u64) -> Vec<Vec<(u32, u8)>> {
    let n = ring.boards();
    let mut got = vec![Vec::new(); n];
    let end = ring.cycle() + Cycle(cycles);
    let mut rounds = 0;
    // What arrived last is still on its way into the mailbox when its source knows that it has returned.
    while rounds < 10 {
        // A mailbox is emptied where the model keeps it: the port is busy with other things.
        for (i, got) in got.iter_mut().enumerate() {
            let mail = &mut ring.board_mut(i).u_mailbox;
            while mail.rd_q != mail.wr_q {
                let at = usize::from(mail.rd_q & 15) << 4;
                got.push((mail.mem[at + 2] >> 16 & 255, mail.mem[at + 4].to_le_bytes()[0]));
                mail.rd_q = (mail.rd_q + 1) & 31;
            }
        }
        rounds = if settled(ring) && ring.cycle() > Cycle(UP + 500) { rounds + 1 } else { 0 };
        assert!(ring.cycle() < end, "not settled");
        ring.run_until(ring.cycle() + Cycle(50));
    }
    got
}

fn check(ring: &mut BoardRing, acts: &[(usize, Act)], memory: &[u8], got: &[Vec<(u32, u8)>]) {
    let n = ring.boards();
    for (i, got) in got.iter().enumerate() {
        assert!(bytes(ring.board(i), ByteAddress(0), 16384) == memory, "replica of board {i}");
        for source in (0..n).filter(|&s| s != i) {
            let signals =
                acts.iter().filter(|(s, a)| s % n == source && matches!(a, Act::Signal(_)));
            let expected: Vec<u8> = (1..).take(signals.count()).collect();
            let of = got.iter().filter(|m| m.0 as usize == source);
            let got: Vec<u8> = of.map(|m| m.1).collect();
            assert_eq!(got, expected, "signals of board {source} at board {i}");
        }
    }
}

proptest! {
    #![proptest_config(seeded(40))]

    /// Without faults nothing is lost, retransmitted or dropped.
    #[test]
    fn no_faults(
        boards in 2usize..5,
        fibre in prop::collection::vec(20u32..120, 4),
        tokens in 1u8..5,
        acts in prop::collection::vec((0usize..4, act()), 20..120),
    ) {
        let s = BoardScenario { fibre: fibre[..boards].to_vec(), ..BoardScenario::new(boards) };
        let mut ring = configured(&s, tokens);
        let memory = play(&mut ring, &acts);
        let got = run(&mut ring, 1_000_000);
        check(&mut ring, &acts, &memory, &got);
        for i in 0..boards {
            for counter in [BoardCounter::DataAgain, BoardCounter::DataGap, BoardCounter::Rewound, BoardCounter::Stray] {
                prop_assert_eq!(count_of(&ring, i, counter), 0, "board {}: {:?}", i, counter);
            }
        }
    }

    /// Frames lost, changed, cut and doubled at random, and bit errors at random besides.
    #[test]
    fn faults(
        boards in 2usize..5,
        fibre in prop::collection::vec(10u32..120, 4),
        tokens in 1u8..5,
        acts in prop::collection::vec((0usize..4, act()), 10..80),
        faults in prop::collection::vec((0usize..4, 20u64..900, 0u32..1200, 0u8..6), 0..30),
        rate in prop_oneof![Just(0u32), 1_000u32..200_000],
        seed in any::<u64>(),
    ) {
        let kind = |bit, kind| match kind {
            0 | 1 => FaultKind::Bit(bit),
            2 | 3 => FaultKind::Lose,
            4 => FaultKind::Twice,
            _ => FaultKind::Truncate(bit % 16 + 1),
        };
        let faults = faults.into_iter();
        let faults = faults.map(|(link, frame, bit, k)| Fault { link: link % boards, frame, kind: kind(bit, k) });
        let s = BoardScenario {
            fibre: fibre[..boards].to_vec(),
            faults: faults.collect(),
            noise: Noise { rate, seed },
            ..BoardScenario::new(boards)
        };
        let mut ring = configured(&s, tokens);
        let memory = play(&mut ring, &acts);
        let got = run(&mut ring, 20_000_000);
        check(&mut ring, &acts, &memory, &got);
    }
}

/// RING-2: the same scenario is the same run.
#[test]
fn a_run_repeats() {
    let run = || {
        let s = BoardScenario {
            fibre: vec![30; 3],
            noise: Noise { rate: 2_000_000, seed: 7 },
            ..BoardScenario::new(3)
        };
        let mut ring = configured(&s, 2);
        ring.push(0, [register(&awgstar_frame::contract::board::FLUSH, 0)]).expect("good");
        ring.push(0, write_block(ByteAddress(0), &[1; 900])).expect("good");
        ring.run_until(Cycle(30_000));
        ring
    };
    let (a, b) = (run(), run());
    for i in 0..3 {
        assert!(a.board(i) == b.board(i));
    }
    assert!(count_of(&a, 0, BoardCounter::Rewound) + count_of(&a, 0, BoardCounter::TokenAdded) > 2);
}
