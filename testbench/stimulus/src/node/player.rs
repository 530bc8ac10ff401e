// SPDX-License-Identifier: MIT OR Apache-2.0
//! The environment of a single node: plays a [`NodeStimulus`]. Its outputs depend on its own
//! registers only, as those of [`awgstar::ring::Host`] do.

use crate::deposit::Deposit;
use crate::machine;
use crate::node::{Beat, NodeSend, NodeStimulus, address};
use awgstar::quantity::{Cycle, narrow};
use awgstar::random::XorShift32;
use awgstar::ring::Word;
use awgstar::rtl::{Link, Stream};
use awgstar::{
    contract::{Hdr, HeaderWire},
    ring::{RESET_CYCLES, node_mac},
    rtl::{
        RingNode,
        ring_node::{Inputs, Outputs},
    },
};
use std::collections::VecDeque;

/// A header port and its payload stream.
#[derive(Clone, Debug, Default)]
struct Port {
    sends: Vec<NodeSend>,
    /// The header that waits.
    head: usize,
    /// (index of its header, beat).
    beats: VecDeque<(usize, Beat)>,
}

impl Port {
    fn new(sends: impl Iterator<Item = NodeSend>) -> Self {
        let sends: Vec<_> = sends.collect();
        let beats = sends.iter().enumerate();
        let beats = beats.flat_map(|(i, s)| s.beats().into_iter().map(move |b| (i, b))).collect();
        Port { sends, head: 0, beats }
    }

    fn header(&self, cycle: Cycle) -> Option<&NodeSend> {
        self.sends.get(self.head).filter(|s| s.cycle <= cycle)
    }

    /// The beat on the port. Those of a header that is not there yet are not there either.
    fn beat(&self, cycle: Cycle) -> Option<Beat> {
        let end = self.head + usize::from(self.header(cycle).is_some());
        self.beats.front().filter(|(i, b)| *i < end && b.late == 0).map(|(_, b)| *b)
    }

    fn clock(&mut self, cycle: Cycle, header_taken: bool, beat_taken: bool) {
        let beat = self.beat(cycle).is_some();
        if beat && beat_taken {
            self.beats.pop_front();
        } else if let Some((i, beat)) = self.beats.front_mut()
            && *i <= self.head
        {
            beat.late = beat.late.saturating_sub(1);
        }
        self.head += usize::from(header_taken && self.header(cycle).is_some());
    }

    /// Drops the rest of a payload whose header was taken before the reset.
    fn reset(&mut self) {
        let head = self.head;
        self.beats.retain(|(i, _)| *i >= head);
    }
}

/// Drives a node.
#[derive(Clone, Debug)]
pub struct Player {
    stimulus: NodeStimulus,
    link: Vec<Option<Word>>,
    data: Port,
    signal: Port,
    random: XorShift32,
}

impl Player {
    /// A player before its first cycle.
    #[must_use]
    pub fn new(stimulus: &NodeStimulus) -> Self {
        let mut link = Vec::new();
        for event in &stimulus.link {
            link.extend(std::iter::repeat_n(None, event.gap.into()));
            link.extend(event.frame.words());
        }
        let port =
            |signal| Port::new(stimulus.sends.iter().filter(|s| s.signal == signal).cloned());
        Player {
            link,
            data: port(false),
            signal: port(true),
            random: XorShift32::new(stimulus.noise | 1),
            stimulus: stimulus.clone(),
        }
    }
}

impl machine::Player<RingNode> for Player {
    fn deposits(&mut self, cycle: Cycle, machine: &RingNode) -> Vec<Deposit> {
        let due = self.stimulus.warm.deposits(cycle, machine);
        self.stimulus.warm.done(cycle);
        due
    }

    fn drive(&mut self, cycle: Cycle) -> Inputs {
        let s = &self.stimulus;
        let reset = |&(at, length): &(Cycle, u8)| (at..at + Cycle(length.into())).contains(&cycle);
        let rst = cycle < RESET_CYCLES || s.resets.iter().any(reset);
        let issue = s.issues.contains(&cycle) && !rst;
        let high = |&(at, length): &(Cycle, u16)| (at..at + Cycle(length.into())).contains(&cycle);
        let discard = s.discards.iter().any(high) && !rst;
        let (node_id, groups, monitor, ready) = (s.node_id, s.groups, s.monitor, s.ready);
        let [a, b, c] = [(); 3].map(|()| self.random.next_u32());
        let small = |word: u32, bits: u32| word.to_le_bytes()[0] >> (8 - bits);
        let at = narrow::<usize>(cycle.saturating_sub(RESET_CYCLES).0);
        let word = self.link.get(at).copied().flatten().filter(|_| cycle >= RESET_CYCLES);
        // Don't-care inputs are noise.
        let noise =
            Word { data: a, keep: small(b, 4), last: b >> 8 & 1 == 1, user: b >> 9 & 1 == 1 };
        let link = word.unwrap_or(noise);
        let idle = Beat { data: b, keep: small(a, 4), last: a >> 8 & 1 == 1, late: 0 };
        let (data, data_beat) = (self.data.header(cycle), self.data.beat(cycle));
        let (signal, signal_beat) = (self.signal.header(cycle), self.signal.beat(cycle));
        let any = NodeSend {
            token: small(c, 3),
            c_st: small(a, 5),
            node_id: small(b, 8),
            len: (c >> 16 & 0x7ff).try_into().unwrap_or(0),
            salt: small(c, 8),
            ..NodeSend::default()
        };
        let (data_hdr, signal_hdr) = (data.unwrap_or(&any), signal.unwrap_or(&any));
        let (data_bits, signal_bits) = (data_beat.unwrap_or(idle), signal_beat.unwrap_or(idle));
        let data_header = HeaderWire {
            act_seq: data_hdr.salt,
            packet_cnt: data_hdr.salt,
            addr: address(data_hdr.salt),
            ..HeaderWire::default()
        };
        let signal_header = HeaderWire {
            mac: 0,
            token: signal_hdr.token,
            c_st: signal_hdr.c_st,
            node_id: signal_hdr.node_id,
            multi_g: signal_hdr.salt,
            act_seq: signal_hdr.salt >> 4,
            packet_cnt: signal_hdr.salt,
            addr: address(signal_hdr.salt).rotate_left(8),
        };
        Inputs {
            rst,
            cfg_mac: node_mac(node_id.into()).to_u64(),
            cfg_node_id: node_id,
            cfg_groups: groups,
            cfg_monitor: monitor,
            issue,
            discard,
            s_axis: Link {
                tdata: link.data,
                tkeep: link.keep,
                tvalid: word.is_some(),
                tlast: link.last,
                tuser: link.user,
            },
            s_data_hdr_valid: data.is_some() && !rst,
            s_data_hdr: Hdr::new(&data_header, data_hdr.len),
            s_data_axis: Stream {
                tdata: data_bits.data,
                tkeep: data_bits.keep,
                tvalid: data_beat.is_some(),
                tlast: data_bits.last,
            },
            s_signal_hdr_valid: signal.is_some() && !rst,
            s_signal_hdr: Hdr::new(&signal_header, signal_hdr.len),
            s_signal_axis: Stream {
                tdata: signal_bits.data,
                tkeep: signal_bits.keep,
                tvalid: signal_beat.is_some(),
                tlast: signal_bits.last,
            },
            m_rx_hdr_ready: small(c, 3) < ready[0],
            m_rx_axis_tready: small(c >> 8, 3) < ready[1],
            count_addr: small(a, 4),
        }
    }

    fn clock(&mut self, cycle: Cycle, inputs: &Inputs, outputs: &Outputs) {
        if inputs.rst {
            self.data.reset();
            self.signal.reset();
            return;
        }
        self.data.clock(cycle, outputs.s_data_hdr_ready, outputs.s_data_axis_tready);
        self.signal.clock(cycle, outputs.s_signal_hdr_ready, outputs.s_signal_axis_tready);
    }
}
