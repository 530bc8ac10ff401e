// SPDX-License-Identifier: MIT OR Apache-2.0
//! What hosts write, in all replicas. Checks HST-2, HST-4, WRT-1 to WRT-4, RCV-4, FRM-6, FRM-9.

use super::bench::{counter, last, read, settle, up, watch};
use super::seeded::seeded;
use awgstar_board::ring::boards::{WINDOW, bytes, read_block, register, write_block};
use awgstar_board::ring::{BoardScenario, HostOp, Outcome};
use awgstar_frame::contract::{BoardCounter, Token, board::TX_FREE};
use awgstar_frame::quantity::{ByteAddress, Cycle};
use proptest::prelude::*;

/// HST-2, WRT-1, RCV-4: words of both boards are in both replicas, and a host reads its own at once.
#[test]
fn two_boards_replicate_words() {
    let mut ring = up(&BoardScenario::new(2), 1);
    ring.push(0, write_block(ByteAddress(0x100), &[1, 2, 3, 4, 5, 6, 7, 8])).expect("good");
    ring.push(0, [HostOp::Read { addr: WINDOW | 0x104 }]).expect("good");
    ring.push(1, write_block(ByteAddress(0x200), &[9, 10, 11, 12])).expect("good");
    settle(&mut ring, 20_000);
    assert_eq!(last(&ring, 0, 1)[0].data, 0x0807_0605, "WRT-1: its own write");
    for i in 0..2 {
        assert_eq!(
            bytes(ring.board(i), ByteAddress(0x100), 8),
            [1, 2, 3, 4, 5, 6, 7, 8],
            "board {i}"
        );
        assert_eq!(read(&mut ring, i, WINDOW | 0x200), (0x0c0b_0a09, Outcome::Done));
        assert_eq!(counter(&mut ring, i, BoardCounter::Data), 1);
    }
}

/// WRT-2: neighbouring bytes of one word, written by two boards in any order, are all kept.
#[test]
fn sub_words_side_by_side() {
    let mut ring = up(&BoardScenario::new(2), 1);
    for round in 0..8u8 {
        let (a, b) = (16 * round + 1, 16 * round + 2);
        ring.push(0, write_block(ByteAddress(0x40), &[a, a])).expect("good");
        ring.push(1, write_block(ByteAddress(0x42), &[b, b])).expect("good");
        settle(&mut ring, 20_000);
        for i in 0..2 {
            assert_eq!(bytes(ring.board(i), ByteAddress(0x40), 4), [a, a, b, b], "board {i}");
        }
    }
}

/// WRT-2: lanes 0, 2 and 3, and lanes 1 and 3: two frames each, and no other byte changes.
#[test]
fn strobes_with_holes() {
    let mut ring = up(&BoardScenario::new(2), 1);
    ring.push(1, write_block(ByteAddress(0x80), &[0xee; 8])).expect("good");
    settle(&mut ring, 20_000);
    ring.push(
        0,
        [
            HostOp::Write { addr: WINDOW | 0x80, data: 0x4433_2211, strobe: 0b1101 },
            HostOp::Write { addr: WINDOW | 0x84, data: 0x8877_6655, strobe: 0b1010 },
            HostOp::Write { addr: WINDOW | 0x84, data: !0, strobe: 0 },
        ],
    )
    .expect("good");
    settle(&mut ring, 20_000);
    for i in 0..2 {
        let expected = [0x11, 0xee, 0x33, 0x44, 0xee, 0x66, 0xee, 0x88];
        assert_eq!(bytes(ring.board(i), ByteAddress(0x80), 8), expected, "board {i}");
    }
    assert_eq!(counter(&mut ring, 1, BoardCounter::Data), 4);
}

/// WRT-3, WRT-4: 3,000 bytes are three frames, Act_Seq 0, 1 and 2; what comes after FLUSH is 0 again.
#[test]
fn a_block_of_three_frames() {
    let mut ring = up(&BoardScenario::new(3), 1);
    let block: Vec<u8> = (0..3000u32).map(|k| (k * 7 + k / 256).to_le_bytes()[0]).collect();
    ring.push(1, write_block(ByteAddress(0x400), &block)).expect("good");
    ring.push(
        1,
        [HostOp::Poll { addr: TX_FREE.offset, mask: !0, value: 1024, limit: Cycle(30_000) }],
    )
    .expect("good");
    ring.push(1, write_block(ByteAddress(0x400 + 3000), &[1; 4])).expect("good");
    let end = ring.cycle() + Cycle(12_000);
    let taps = watch(&mut ring, end.0);
    settle(&mut ring, 20_000);
    for i in 0..3 {
        assert!(bytes(ring.board(i), ByteAddress(0x400), 3000) == block, "board {i}");
    }
    let sent = taps[1].frames.iter().filter(|f| f.token == Token::Data && f.source == 1);
    let headers: Vec<_> = sent.map(|f| (f.act_seq, f.packet_cnt, f.addr, f.data.len())).collect();
    let expected =
        [(0, 0, 0x400, 1024), (1, 1, 0x800, 1024), (2, 2, 0xc00, 952), (0, 3, 0x400 + 3000, 4)];
    assert_eq!(headers, expected);
}

/// WRT-3: FLUSH, a write elsewhere and COMBINE cycles close a frame; consecutive words do not.
#[test]
fn what_closes_a_frame() {
    use awgstar_frame::contract::board::{COMBINE, FLUSH};
    let frames = |ops: Vec<HostOp>| {
        let mut ring = up(&BoardScenario::new(2), 1);
        ring.push(0, ops).expect("good");
        settle(&mut ring, 20_000);
        counter(&mut ring, 1, BoardCounter::Data)
    };
    let words = |addr| write_block(addr, &[5; 8]);
    assert_eq!(frames([words(ByteAddress(0x100)), words(ByteAddress(0x108))].concat()), 1);
    assert_eq!(frames([words(ByteAddress(0x100)), words(ByteAddress(0x10c))].concat()), 2);
    assert_eq!(
        frames(
            [words(ByteAddress(0x100)), vec![register(&FLUSH, 0)], words(ByteAddress(0x108))]
                .concat()
        ),
        2
    );
    let pause = |cycles| {
        [words(ByteAddress(0x100)), vec![HostOp::Wait { cycles }], words(ByteAddress(0x108))]
            .concat()
    };
    assert_eq!(frames(pause(Cycle(40))), 1);
    assert_eq!(frames(pause(Cycle(80))), 2);
    let combine = |cycles| [vec![register(&COMBINE, cycles)], pause(Cycle(80))].concat();
    assert_eq!(frames(combine(200)), 1);
    assert_eq!(frames(combine(0)), 4);
}

/// RCV-4: data that ends beyond the memory is dropped whole and counted; data up to its end is not.
/// The host port does not let such data begin, so it comes from a board with a larger memory: here its
/// header is changed before it is sent.
#[test]
fn data_beyond_the_memory() {
    let mut ring = up(&BoardScenario::new(2), 1);
    ring.push(0, write_block(ByteAddress(0x3ff8), &[7; 8])).expect("good");
    settle(&mut ring, 20_000);
    assert_eq!(bytes(ring.board(1), ByteAddress(0x3ff8), 8), [7; 8]);
    ring.push(0, write_block(ByteAddress(0x3ff8), &[9; 8])).expect("good");
    let closed = |ring: &awgstar_board::ring::BoardRing| {
        ring.board(0).u_data.state_q == awgstar_board::rtl::data_window::LOAD
    };
    assert!(ring.run_until_done(Cycle(20_000), closed));
    ring.board_mut(0).u_data.addr_q = 0x3ffc;
    settle(&mut ring, 20_000);
    assert_eq!(bytes(ring.board(1), ByteAddress(0x3ff8), 8), [7; 8]);
    assert_eq!(counter(&mut ring, 1, BoardCounter::DataRange), 1);
    // The next one is not behind a gap.
    ring.push(0, write_block(ByteAddress(0), &[3; 4])).expect("good");
    settle(&mut ring, 20_000);
    assert_eq!(bytes(ring.board(1), ByteAddress(0), 4), [3; 4]);
}

proptest! {
    #![proptest_config(seeded(24))]

    /// WRT-1 to WRT-4, RCV-2, RCV-4: any writes of three hosts, each to bytes of its own: all replicas
    /// are those of a memory that takes them one by one.
    #[test]
    fn any_writes(
        writes in prop::collection::vec((0usize..3, 0u32..500, prop_oneof![1usize..9, 1usize..200], any::<u8>(), 0u64..90), 1..40),
        tokens in 1u8..4,
    ) {
        let mut ring = up(&BoardScenario { fibre: vec![3, 0, 17], ..BoardScenario::new(3) }, tokens);
        let mut expected = vec![0u8; 16384];
        for &(board, at, len, seed, pause) in &writes {
            // Bytes of board b are those at 3 k + b of each row of 768, so that they share words.
            let base = 768 * (at / 100);
            for k in 0..len {
                let addr = base as usize + 3 * (at as usize % 100 + k) % 768 / 3 * 3 + board;
                let value = seed.wrapping_add(k.to_le_bytes()[0]);
                expected[addr] = value;
                let addr = u32::try_from(addr).expect("small");
                ring.push(board, write_block(ByteAddress(addr), &[value])).expect("good");
            }
            ring.push(board, [HostOp::Wait { cycles: Cycle(pause) }]).expect("good");
        }
        settle(&mut ring, 3_000_000);
        for i in 0..3 {
            prop_assert!(bytes(ring.board(i), ByteAddress(0), 16384) == expected, "board {}", i);
        }
    }

    /// WRT-1 to WRT-4, RCV-4: blocks of any length at any address, and what a host reads of them.
    #[test]
    fn any_blocks(blocks in prop::collection::vec((0u32..16000, 1usize..2500, any::<u8>()), 1..6)) {
        let mut ring = up(&BoardScenario::new(2), 1);
        let mut expected = vec![0u8; 16384];
        for &(addr, len, seed) in &blocks {
            let at = addr as usize;
            let block: Vec<u8> = (0..len.min(16384 - at)).map(|k| (k + k / 256).to_le_bytes()[0] ^ seed).collect();
            expected[at..at + block.len()].copy_from_slice(&block);
            ring.push(0, write_block(ByteAddress(addr), &block)).expect("good");
        }
        settle(&mut ring, 1_000_000);
        for i in 0..2 {
            prop_assert!(bytes(ring.board(i), ByteAddress(0), 16384) == expected, "board {}", i);
        }
        ring.push(1, read_block(ByteAddress(0x1000), 8)).expect("good");
        super::bench::finish(&mut ring, 1_000);
        let read: Vec<u8> = last(&ring, 1, 8).iter().flat_map(|r| r.data.to_le_bytes()).collect();
        prop_assert_eq!(&read, &expected[0x1000..0x1020]);
    }
}
