// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names and images of registers. Checks LCK-2.

use awgstar_board::rtl::Stream;
use awgstar_board::rtl::state::{Ports, Signal, State};
use awgstar_board::rtl::{
    FrameRx, FrameTx, NodeCounters, Parameters, RingNode, frame_rx, frame_tx,
    node_counters::Pending, ring_egress, ring_ingress, ring_node, tx_mux,
};
use awgstar_frame::contract::{HDR_BITS, Hdr, LEN_BITS, fsm};

/// LCK-2: every register and memory has a path of its own, and the images are as long as the names
/// say.
#[test]
fn names_and_images_agree() {
    let layout = RingNode::layout();
    let registers = layout.flat_registers();
    assert_eq!(registers.iter().map(|r| r.1.div_ceil(32)).sum::<usize>(), RingNode::WORDS);
    let mut names: Vec<_> = registers.iter().map(|r| r.0.clone()).collect();
    assert!(names.contains(&"u_frame_rx.hdr_q".to_string()));
    names.sort();
    names.dedup();
    assert_eq!(names.len(), registers.len());
    let memories: Vec<_> =
        layout.flat_memories().into_iter().map(|m| (m.0, m.1.bits, m.1.depth)).collect();
    let expected = [
        ("u_buffer.mem", 36, 512),
        ("u_rx_buffer.mem", 36, 512),
        ("u_rx_buffer.last_mem", 1, 512),
        ("u_rx_buffer.hdr_mem", 123, 16),
        ("u_counters.mem", 32, 16),
    ];
    let expected: Vec<_> = expected.into_iter().map(|(n, b, d)| (n.to_string(), b, d)).collect();
    assert_eq!(memories, expected);
    let words = |ports: &[awgstar_board::rtl::state::Signal]| {
        ports.iter().map(awgstar_board::rtl::state::Signal::words).sum::<usize>()
    };
    assert_eq!(words(&layout.inputs), ring_node::Inputs::WORDS);
    assert_eq!(words(&layout.outputs), ring_node::Outputs::WORDS);
    let children: Vec<_> = layout.children.iter().map(|c| c.0).collect();
    assert_eq!(
        children,
        [
            "u_ingress",
            "u_buffer",
            "u_frame_rx",
            "u_filter",
            "u_rx_buffer",
            "u_data_gate",
            "u_signal_gate",
            "u_arbiter",
            "u_mux",
            "u_frame_tx",
            "u_egress",
            "u_counters"
        ]
    );
}

/// LCK-2: an image gives the same state back.
#[test]
fn image_round_trip() {
    let mut node = RingNode::default();
    node.u_frame_rx.hdr_q = 0x1234_5678_9abc_def0_1122_3344_5566;
    node.u_frame_tx.shift_q = 0x8877_6655_4433_2211_0099;
    node.u_rx_buffer.hdr_head_q = 0x7ff_ffff_ffff_ffff_ffff_ffff_ffff_ff00;
    node.u_buffer.head_q = 0xf_1234_5678;
    node.u_counters.pending_q = Pending(std::array::from_fn(|k| k.to_le_bytes()[0] + 16));
    node.u_egress.left_q = 263;
    let mut image = vec![0; RingNode::WORDS];
    node.pack(&mut image);
    let mut again = RingNode::default();
    again.unpack(&image);
    assert_eq!(again, node);
}

/// LCK-2: a header of a public module has a port for each field, and an inner one is one vector.
#[test]
fn header_ports() {
    let named = |ports: &[Signal]| -> Vec<(&str, usize)> {
        ports.iter().map(|p| (p.name, p.bits)).filter(|p| p.0.contains("hdr")).collect()
    };
    assert_eq!(
        named(&frame_tx::Inputs::ports(&Parameters::DEFAULT)),
        [
            ("s_hdr_valid", 1),
            ("s_hdr_mac", 48),
            ("s_hdr_token", 3),
            ("s_hdr_c_st", 5),
            ("s_hdr_node_id", 8),
            ("s_hdr_multi_g", 4),
            ("s_hdr_act_seq", 4),
            ("s_hdr_packet_cnt", 8),
            ("s_hdr_addr", 32),
            ("s_hdr_len", 11),
        ]
    );
    assert_eq!(frame_tx::Inputs::ports(&Parameters::DEFAULT), frame_tx::Inputs::PORTS);
    let data = [("act_seq", 4), ("packet_cnt", 8), ("addr", 32), ("len", 11)];
    let ports = named(ring_node::Inputs::PORTS).into_iter();
    let found: Vec<_> =
        ports.filter_map(|(n, b)| n.strip_prefix("s_data_hdr_").map(|n| (n, b))).collect();
    assert_eq!(found[1..], data);
    assert_eq!(named(tx_mux::Outputs::PORTS), [("m_hdr_valid", 1), ("m_hdr", 123)]);
    let (data, signal) = (named(tx_mux::Inputs::PORTS)[0], named(tx_mux::Inputs::PORTS)[1]);
    assert_eq!((data, signal), (("s_data_hdr", 55), ("s_signal_hdr", 75)));
}

/// LCK-2: the image of a header port, field by field and as one vector.
#[test]
fn header_images() {
    let s_hdr = Hdr(0x7ff_1234_5678_9abc_def0_1122_3344_5566);
    let inputs = frame_tx::Inputs {
        s_hdr,
        s_axis: Stream { tdata: 9, ..Stream::default() },
        ..Default::default()
    };
    let mut image = vec![0; frame_tx::Inputs::WORDS];
    inputs.pack(&mut image);
    let mac = s_hdr.mac();
    let mac = [mac & 0xffff_ffff, mac >> 32].map(|word| u32::try_from(word).expect("a word"));
    assert_eq!(image[2..5], [mac[0], mac[1], s_hdr.token().into()]);
    assert_eq!(image[10..13], [s_hdr.addr(), s_hdr.len().into(), 9]);
    assert_eq!(frame_tx::Inputs::unpack(&image), inputs);
    let outputs = tx_mux::Outputs {
        m_hdr: s_hdr,
        m_axis: Stream { tdata: 9, ..Stream::default() },
        ..Default::default()
    };
    let mut image = vec![0; tx_mux::Outputs::WORDS];
    outputs.pack(&mut image);
    assert_eq!(image[3..8], [0x3344_5566, 0xdef0_1122, 0x5678_9abc, 0x07ff_1234, 9]);
    assert_eq!(tx_mux::Outputs::unpack(&image), outputs);
}

/// LCK-2: count k of `node_counters` is bits 5k + 4 to 5k.
#[test]
fn pending_counts_lie_in_order() {
    let mut counters = NodeCounters::default();
    counters.pending_q.0[0] = 1;
    counters.pending_q.0[7] = 31;
    counters.pending_q.0[15] = 2;
    let mut image = vec![0; NodeCounters::WORDS];
    counters.pack(&mut image);
    assert_eq!(image[2..5], [1, 31 << 3, 2 << 11]);
}

/// State encodings are those of the contract.
#[test]
fn states_are_those_of_the_contract() {
    let model = [
        ("frame_tx", vec![frame_tx::IDLE, frame_tx::SEND, frame_tx::DRAIN]),
        ("frame_rx", vec![frame_rx::IDLE, frame_rx::FRAME, frame_rx::FLUSH]),
        (
            "ring_ingress",
            vec![ring_ingress::GAP, ring_ingress::IDLE, ring_ingress::PASS, ring_ingress::SKIP],
        ),
        ("ring_egress", vec![ring_egress::READY, ring_egress::PASS, ring_egress::INSERT]),
    ];
    for (fsm, (module, codes)) in fsm::FSMS.iter().zip(model) {
        assert_eq!(fsm.module, module);
        assert_eq!(fsm.states.iter().map(|s| s.1).collect::<Vec<_>>(), codes);
    }
}

/// Every register of the transmitter and the receiver that already exist in Verilog, in its order.
#[test]
fn registers_of_the_existing_verilog() {
    for (module, layout) in [("frame_tx", FrameTx::layout()), ("frame_rx", FrameRx::layout())] {
        let path = format!("{}/../../hdl/{module}.v", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("Verilog");
        let mut found = Vec::new();
        for line in text.lines().map(str::trim).filter(|l| l.starts_with("reg ")) {
            let body = line.split("//").next().unwrap_or(line);
            let names = body.rsplit(']').next().unwrap_or(body).trim_start_matches("reg");
            for name in names.split([',', ';', ' ']).filter(|n| n.ends_with("_q")) {
                let range = body.split_once('[').and_then(|(_, r)| r.split_once(']'));
                let bits = match range.and_then(|(range, _)| range.split_once(':')) {
                    None => 1,
                    Some(("`AWG_HDR_W-1", "0")) => HDR_BITS,
                    Some(("`AWG_HDR_W-1", "`AWG_LEN_W")) => HDR_BITS - LEN_BITS,
                    Some((top, _)) => top.parse::<usize>().expect("a number") + 1,
                };
                found.push((name.to_string(), bits));
            }
        }
        let model: Vec<_> = layout.registers.iter().map(|r| (r.name.to_string(), r.bits)).collect();
        assert_eq!(model, found, "{module}");
    }
}
