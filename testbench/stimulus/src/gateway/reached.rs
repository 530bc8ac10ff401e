// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts of what a run reaches in a gateway, from the model.

use awgstar::rtl::state::State as _;
use awgstar::rtl::{Parameters, RingGateway, axil_port, ring_gateway};

/// Counts of a run, of both rings together.
#[must_use]
pub(super) fn ring_gateway(
    inputs: &[ring_gateway::Inputs],
    parameters: &Parameters,
) -> Vec<(&'static str, u64)> {
    let mut model = RingGateway::new(parameters);
    let mut counts = [
        ("frames that need room", 0),
        ("frames cut", 0),
        ("words given", 0),
        ("targets beyond the memory", 0),
        ("cycles with host and word", 0),
        ("words taken by the other board", 0),
    ];
    let mut taken = 0;
    for i in inputs {
        let o = model.outputs(i);
        let sides = [
            (i.a_clk, i.a_rst, o.a_ev_cut, o.a_ev_range),
            (i.b_clk, i.b_rst, o.b_ev_cut, o.b_ev_range),
        ];
        let gates = [&model.u_a_gate, &model.u_b_gate];
        let boards = [&model.u_a_board, &model.u_b_board];
        for (at, (clk, rst, cut, range)) in sides.into_iter().enumerate() {
            if !clk || rst {
                continue;
            }
            let board = boards[at];
            let both = board.u_inject.full_q && board.u_axil.state_q == axil_port::BUSY;
            let seen = [gates[at].asks_q, cut, board.u_tap.valid_q, range, both];
            for ((_, count), seen) in counts.iter_mut().zip(seen) {
                *count += u64::from(seen);
            }
        }
        let read = |model: &RingGateway| [model.u_a_store.rd_ptr_q, model.u_b_store.rd_ptr_q];
        let before = read(&model);
        model.clock(i);
        let moved = read(&model).into_iter().zip(before).filter(|(now, before)| now != before);
        taken += u64::from(!i.a_rst) * moved.count() as u64;
    }
    counts[5].1 = taken;
    counts.to_vec()
}
