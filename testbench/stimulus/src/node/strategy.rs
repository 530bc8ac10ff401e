// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random cases (proptest): rings, and single nodes in a hostile environment.

use crate::case::Case;
use crate::ends;
use crate::ends::Warm;
use crate::node::{Defect, LinkEvent, LinkFrame, NodeSend, NodeStimulus, SendFault};
use awgstar::quantity::{Cycle, narrow};
use awgstar::rtl::RingNode;
use awgstar::{
    contract::Token,
    ring::{Fault, FaultKind, Outgoing, RESET_CYCLES, Saturate, Scenario, Send},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Lengths around the bounds more often than others.
fn length() -> impl Strategy<Value = u16> {
    prop_oneof![
        6 => 0u16..64,
        2 => select(vec![0, 1, 4, 45, 46, 47, 48, 49, 50, 1021, 1022, 1023, 1024]),
        2 => 64u16..400,
        1 => 0u16..=1024,
    ]
}

/// Lengths a header port may carry, legal or not.
fn port_length() -> impl Strategy<Value = u16> {
    prop_oneof![9 => length(), 1 => 1025u16..2048]
}

fn defect() -> impl Strategy<Value = Defect> {
    prop_oneof![
        12 => Just(Defect::None),
        2 => any::<u16>().prop_map(Defect::Flip),
        1 => (any::<u16>(), 0u8..16).prop_map(|(w, k)| Defect::Keep(w, k)),
        // The first three words are where the decision is made.
        1 => (0u16..3, 0u8..16).prop_map(|(w, k)| Defect::Keep(w, k)),
        1 => (any::<u16>(), 1u8..5).prop_map(|(w, n)| Defect::Hole(w, n)),
        1 => (0u16..4, 1u8..3).prop_map(|(w, n)| Defect::Hole(w, n)),
        1 => any::<u16>().prop_map(Defect::Cut),
        1 => (0u16..4).prop_map(Defect::Cut),
        1 => prop_oneof![1u16..4, 200u16..300].prop_map(Defect::Long),
        1 => Just(Defect::Abort),
    ]
}

prop_compose! {
    /// A frame on the link of node `own`.
    fn link_frame(own: u8)(
        source in prop_oneof![2 => Just(own), 5 => 0u8..6],
        token in prop_oneof![4 => select(vec![0u8, 1]), 5 => 3u8..7, 1 => 0u8..8],
        c_st in prop_oneof![3 => 0u8..2, 1 => 0u8..32],
        node_id in prop_oneof![1 => Just(own), 1 => 0u8..6],
        multi_g in 0u8..16,
        len in length(),
        monitor: bool,
        salt: u8,
        defect in defect(),
    ) -> LinkFrame {
        let len = if token == 0 { 0 } else if token == 1 { len.max(1) } else { len };
        LinkFrame { source, token, c_st, node_id, multi_g, len, monitor, salt, defect }
    }
}

fn gap() -> impl Strategy<Value = u16> {
    prop_oneof![10 => Just(1u16), 1 => Just(0u16), 6 => 2u16..12, 1 => 12u16..150]
}

prop_compose! {
    fn node_send(cycles: u64)(
        cycle in 0..cycles,
        signal: bool,
        token in prop_oneof![6 => 3u8..7, 1 => 0u8..8],
        c_st in 0u8..32,
        node_id in 0u8..6,
        len in port_length(),
        salt: u8,
        fault in prop_oneof![
            8 => Just(SendFault::None),
            1 => (any::<u16>(), 1u8..6).prop_map(|(b, n)| SendFault::Late(b, n)),
            1 => any::<u16>().prop_map(SendFault::Early),
            1 => (1u8..4).prop_map(SendFault::More),
            1 => (any::<u16>(), 0u8..16).prop_map(|(b, k)| SendFault::Keep(b, k)),
        ],
    ) -> NodeSend {
        NodeSend { cycle: Cycle(cycle), signal, token, c_st, node_id, len, salt, fault }
    }
}

/// Cycles for which a token is to be discarded.
fn duration() -> impl Strategy<Value = u16> {
    prop_oneof![2 => Just(1u16), 2 => 2u16..30, 1 => 30u16..400]
}

prop_compose! {
    fn stimulus_of(node_id: u8, cycles: u64)(
        groups: u16,
        link in vec(gap().prop_flat_map(move |gap| {
            link_frame(node_id).prop_map(move |frame| LinkEvent { gap, frame })
        }), 0..24),
        sends in vec(node_send(cycles), 0..16),
        ready in [prop_oneof![3 => Just(8u8), 2 => 1u8..8, 1 => Just(0u8)],
                  prop_oneof![3 => Just(8u8), 2 => 1u8..8, 1 => Just(0u8)]],
        resets in prop_oneof![3 => Just(Vec::new()), 1 => vec((0..cycles, 1u8..4), 1..3)],
        issues in vec(0..cycles, 0..6),
        noise: u32,
        monitor in prop::bool::weighted(0.3),
        discards in prop_oneof![2 => Just(Vec::new()), 1 => vec((0..cycles, duration()), 1..4)],
    ) -> NodeStimulus {
        let resets = resets.into_iter().map(|(at, length)| (Cycle(at), length)).collect();
        let discards = discards.into_iter().map(|(at, length)| (Cycle(at), length)).collect();
        let issues = issues.into_iter().map(Cycle).collect();
        NodeStimulus {
            node_id, groups, monitor, cycles: Cycle(cycles), link, sends, ready, resets, issues, discards, noise,
            warm: Warm::default(),
        }
    }
}

/// One node, `cycles` at most.
pub fn node(cycles: u64) -> impl Strategy<Value = Case<RingNode>> {
    (0u8..6, (cycles / 4).max(1)..=cycles)
        .prop_flat_map(|(node, cycles)| stimulus_of(node, cycles))
        .prop_map(Case::alone)
}

prop_compose! {
    fn warm_stimulus(node_id: u8, cycles: u64)(
        mut stimulus in stimulus_of(node_id, cycles),
        ends in ends::near("ring_node"),
        // A hand that is nearly full is soon emptied.
        burst in prop::option::weighted(0.5, 1u64..24),
    ) -> NodeStimulus {
        stimulus.issues.extend((RESET_CYCLES.0..).map(Cycle).take(narrow(burst.unwrap_or(0))));
        NodeStimulus { warm: Warm { ends, leaps: Vec::new() }, ..stimulus }
    }
}

/// One node that begins just before its counters and timers wrap, `cycles` at most.
pub fn warm_node(cycles: u64) -> impl Strategy<Value = Case<RingNode>> {
    (0u8..6, (cycles / 4).max(1)..=cycles)
        .prop_flat_map(|(node, cycles)| warm_stimulus(node, cycles))
        .prop_map(Case::alone)
}

prop_compose! {
    fn send(nodes: usize, cycles: u64)(
        node in 0..nodes,
        cycle in 0..cycles,
        token in prop_oneof![3 => Just(Token::Data), 4 => select(Token::ALL.to_vec())],
        c_st in 0u8..32,
        node_id in 0..nodes.min(255),
        multi_g in 0u8..16,
        salt: u8,
        len in port_length(),
    ) -> Send {
        let data = (0..len).map(|i| salt.wrapping_add(i.to_le_bytes()[0])).collect();
        let frame = Outgoing {
            token,
            c_st,
            node_id: node_id.to_le_bytes()[0],
            multi_g,
            act_seq: salt & 15,
            packet_cnt: salt,
            addr: u32::from(salt) << 8,
            data,
        };
        Send { node, cycle: Cycle(cycle), frame }
    }
}

prop_compose! {
    fn scenario(nodes: usize, cycles: u64)(
        fibre in vec(prop_oneof![2 => 0u32..4, 1 => 0u32..120], nodes),
        groups in vec(any::<u16>(), nodes),
        tokens in prop_oneof![8 => 1usize..4, 1 => Just(0usize), 1 => 4usize..40],
        sends in vec(send(nodes, cycles), 0..24),
        saturate in vec((0..nodes, length()), 0..3),
        faults in vec((0..nodes, 0u64..12, prop_oneof![
            4 => (0u32..8336).prop_map(FaultKind::Bit),
            4 => (0u32..200).prop_map(FaultKind::Bit),
            1 => Just(FaultKind::Lose),
            1 => Just(FaultKind::Twice),
        ]), 0..5),
        monitor in prop::option::weighted(0.4, 0..nodes),
    ) -> Scenario {
        let saturate = saturate.into_iter().map(|(node, len)| Saturate { node, len: len.max(1) });
        let faults = faults.into_iter().map(|(link, frame, kind)| Fault { link, frame, kind });
        Scenario {
            nodes, fibre, groups, monitor, tokens, sends, cycles: Cycle(cycles),
            saturate: saturate.collect(),
            faults: faults.collect(),
        }
    }
}

/// A ring of `nodes`, `cycles` at most.
pub fn ring(nodes: usize, cycles: u64) -> impl Strategy<Value = Case<RingNode>> {
    ((cycles / 4).max(1)..=cycles)
        .prop_flat_map(move |cycles| scenario(nodes, cycles))
        .prop_map(Case::ring)
}
