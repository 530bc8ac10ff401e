//! Records which frames were on which link, from what a run shows of its nodes.

use super::{Bar, Fate, Origin};
use awgstar::{
    contract::{FrameKind, Token, fsm},
    rtl::{RingNode, ring_node::Inputs},
};
use std::collections::VecDeque;

/// Collects the bars of a run. Feed it every node of every cycle, in order.
#[derive(Debug)]
pub struct Recorder {
    fibre: Vec<u32>,
    bars: Vec<Bar>,
    nodes: Vec<Node>,
    cycle: u64,
}

/// What one node is in the middle of.
#[derive(Debug, Default)]
struct Node {
    /// Index of the bar that is leaving on the link behind this node.
    leaving: Option<usize>,
    /// Words of it so far.
    words: u32,
    /// Bars on the link to this node whose first word has not been seen to arrive.
    on_the_way: VecDeque<usize>,
    /// The bar that is arriving, and the one whose last word came last.
    arriving: Option<usize>,
    ended: Option<usize>,
    /// Arrival cycles of the frames that were passed on and have not left.
    passed: VecDeque<u64>,
    /// A word was on the link in the last cycle: the next one is no first word.
    in_frame: bool,
    /// `tvalid` and `tlast` of the input one cycle ago. It is looked at a cycle late, so that the
    /// order in which the nodes are observed does not matter on a link without fibre.
    input: (bool, bool),
    /// As it was one cycle ago.
    before: Before,
}

#[derive(Clone, Copy, Debug, Default)]
struct Before {
    ingress: u8,
    stage2: bool,
    token: u8,
    egress: u8,
    headers: u16,
}

impl Recorder {
    /// For a ring with these fibre delays in cycles.
    #[must_use]
    pub fn new(fibre: &[u32]) -> Self {
        Recorder {
            fibre: fibre.to_vec(),
            bars: Vec::new(),
            nodes: fibre.iter().map(|_| Node::default()).collect(),
            cycle: 0,
        }
    }

    /// One node just before the clock edge of `cycle`.
    pub fn observe(&mut self, cycle: u64, node: usize, state: &RingNode, inputs: &Inputs) {
        self.cycle = cycle;
        self.arrival(node);
        self.decision(node, state);
        self.verdict(node, state);
        self.output(node, state);
        let me = &mut self.nodes[node];
        me.input = (inputs.s_axis_tvalid, inputs.s_axis_tlast);
        me.before = Before {
            ingress: state.u_ingress.state_q,
            stage2: state.u_ingress.s2_valid_q,
            token: (state.u_ingress.s1_data_q >> 21) as u8 & 7,
            egress: state.u_egress.state_q,
            headers: state.u_rx_buffer.hdr_wr_q.into(),
        };
    }

    /// The frames, in the order in which they left.
    #[must_use]
    pub fn into_bars(self) -> Vec<Bar> {
        self.bars
    }

    /// The n-th first word that arrives belongs to the frame whose first word left longest ago, if
    /// that is old enough for the fibre: a lost frame is left behind, a second copy finds none.
    fn arrival(&mut self, node: usize) {
        let nodes = self.nodes.len();
        // One cycle late, as if the fibre were one cycle longer.
        let fibre = u64::from(self.fibre[(node + nodes - 1) % nodes]) + 1;
        let me = &mut self.nodes[node];
        let (valid, last) = me.input;
        if !valid {
            me.in_frame = false;
            return;
        }
        if !me.in_frame {
            me.in_frame = true;
            me.arriving = None;
            while let Some(&bar) = me.on_the_way.front() {
                let due = self.bars[bar].first + fibre;
                if due > self.cycle {
                    break;
                }
                me.on_the_way.pop_front();
                if due == self.cycle {
                    me.arriving = Some(bar);
                    break;
                }
            }
        }
        if last {
            me.ended = me.arriving;
            me.in_frame = false;
        }
    }

    /// What the ingress decided one cycle ago, two cycles after the second word arrived.
    fn decision(&mut self, node: usize, state: &RingNode) {
        let me = &mut self.nodes[node];
        if me.before.ingress != code("ring_ingress", "idle") || !me.before.stage2 {
            return;
        }
        let ingress = &state.u_ingress;
        let fate = if ingress.state_q == code("ring_ingress", "pass") {
            // The first word was on the input three cycles ago.
            me.passed.push_back(self.cycle.saturating_sub(3));
            Fate::Passed
        } else if ingress.kind_q == FrameKind::Own.code() {
            Fate::Stripped
        } else if me.before.token == Token::Free.code() {
            Fate::Taken
        } else {
            Fate::Absorbed
        };
        if let Some(bar) = me.arriving.or(me.ended) {
            self.bars[bar].fate = fate;
        }
    }

    fn verdict(&mut self, node: usize, state: &RingNode) {
        let me = &self.nodes[node];
        let Some(bar) = me.ended else { return };
        if state.u_frame_rx.v_valid_q && !state.u_frame_rx.v_good_q {
            self.bars[bar].bad = true;
        }
        if u16::from(state.u_rx_buffer.hdr_wr_q) != me.before.headers {
            self.bars[bar].delivered = true;
        }
    }

    fn output(&mut self, node: usize, state: &RingNode) {
        let nodes = self.nodes.len();
        let egress = &state.u_egress;
        let me = &mut self.nodes[node];
        if !egress.m_valid_q {
            me.leaving = None;
            return;
        }
        let data = egress.m_data_q;
        let index = *me.leaving.get_or_insert_with(|| {
            // The word was taken one cycle ago.
            let origin = if me.before.egress == code("ring_egress", "insert") {
                Origin::Sent
            } else {
                me.passed.pop_front().map_or(Origin::Unknown, |arrived| Origin::Passed { arrived })
            };
            self.bars.push(Bar {
                link: node,
                first: self.cycle,
                last: self.cycle,
                token: None,
                source: 0,
                packet_cnt: 0,
                origin,
                fate: Fate::Unseen,
                delivered: false,
                bad: false,
            });
            me.words = 0;
            self.bars.len() - 1
        });
        if me.words == 0 {
            self.nodes[(node + 1) % nodes].on_the_way.push_back(index);
        }
        let me = &mut self.nodes[node];
        let bar = &mut self.bars[index];
        let bytes = data.to_le_bytes();
        match me.words {
            1 => {
                // Byte 5 is the last of MAC, which numbers the nodes.
                bar.source = bytes[1];
                bar.token = Token::from_code(bytes[2] >> 5);
            }
            2 => bar.packet_cnt = bytes[1],
            _ => {}
        }
        me.words += 1;
        bar.last = self.cycle;
        if egress.m_last_q {
            bar.bad |= egress.m_user_q;
            me.leaving = None;
        }
    }
}

/// Code of a state, from the contract.
fn code(module: &str, state: &str) -> u8 {
    fsm::FSMS
        .iter()
        .find(|f| f.module == module)
        .and_then(|f| f.states.iter().find(|s| s.0 == state))
        .map_or(u8::MAX, |s| s.1)
}
