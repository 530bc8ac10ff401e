// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Smb::step` against `outputs` and `clock`, register by register.

use super::bench::configured;
use super::seeded::seeded;
use awgstar_board::ring::boards::{Noise, send_signal, write_block};
use awgstar_board::ring::{BoardScenario, HostOp};
use awgstar_board::rtl::AxilRequest;
use awgstar_board::rtl::Smb;
use awgstar_board::rtl::smb::{Inputs, Outputs};
use awgstar_frame::contract::{Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use proptest::prelude::*;

proptest! {
    #![proptest_config(seeded(12))]

    /// LCK-2: a ring that comes up, with traffic, noise and a reset: boards that step are boards that clock.
    #[test]
    fn step_is_outputs_and_clock(
        seed in any::<u64>(),
        rate in prop_oneof![Just(0u32), Just(2_000_000)],
        writes in prop::collection::vec((0usize..3, 0u32..5000, 1usize..400), 1..12),
        reset in 3_000u64..12_000,
    ) {
        let s = BoardScenario { fibre: vec![9; 3], noise: Noise { rate, seed }, ..BoardScenario::new(3) };
        let mut ring = configured(&s, 2);
        for (i, at, len) in writes {
            ring.push(i, [HostOp::Wait { cycles: Cycle(u64::from(at)) }]).expect("good");
            ring.push(i, write_block(ByteAddress(at), &vec![7; len])).expect("good");
            ring.push(i, send_signal(Token::Broadcast, 1, NodeId(0), Order::Sent, &[1, 2, 3])).expect("good");
        }
        let mut plain = vec![Smb::default(); 3];
        while ring.cycle() < Cycle(16_000) {
            if ring.cycle() == Cycle(reset) {
                ring.reset(2, Cycle(2)).expect("good");
            }
            let mut seen: Vec<(Inputs, Outputs)> = Vec::new();
            ring.step_observed(&mut |_, _, i, o| seen.push((*i, *o)));
            for (i, (board, (inputs, outputs))) in plain.iter_mut().zip(&seen).enumerate() {
                prop_assert_eq!(&board.outputs(inputs), outputs, "outputs of board {}", i);
                board.clock(inputs);
                // Memories are compared in the end: what differs there would stay.
                prop_assert_eq!(&board.u_node.u_egress, &ring.board(i).u_node.u_egress);
                prop_assert_eq!(&board.u_control, &ring.board(i).u_control);
                prop_assert_eq!(&board.u_axil, &ring.board(i).u_axil);
            }
            if ring.cycle().0.is_multiple_of(500) {
                for (i, board) in plain.iter().enumerate() {
                    prop_assert!(board == ring.board(i), "board {} in cycle {}", i, ring.cycle());
                }
            }
        }
    }
}

/// `step` gives the outputs before its edge.
#[test]
fn step_gives_what_stood_there() {
    let (mut a, mut b) = (Smb::default(), Smb::default());
    let mut i = Inputs {
        rst: true,
        s_axi: AxilRequest { arvalid: true, rready: true, ..AxilRequest::default() },
        ..Inputs::default()
    };
    for cycle in 0..12 {
        i.rst = cycle < 2;
        let before = b.outputs(&i);
        b.clock(&i);
        assert_eq!(a.step(&i), before);
        assert!(a == b);
    }
    assert_eq!(b.u_axil.rdata_q, awgstar_frame::contract::board::ID.reset);
}
