// SPDX-License-Identifier: MIT OR Apache-2.0
//! The environment of a node: it sends what the scenario says and keeps what the node delivers.
//! No part of the hardware.
//!
//! Whole payloads are ready before their header is offered, everything delivered is taken at once,
//! and what a host drives depends on its own state only, never on the node's outputs of the cycle.

use super::port::{Beat, Port};
use super::records::{Counts, Delivered, Returned, Sent};
use super::scenario::{Outgoing, RESET_CYCLES, Scenario, node_mac};
use crate::rtl::ring_node::{Grant, Inputs, RingNode, Wires};
use awgstar_frame::codec::Mac;
use awgstar_frame::contract::{DATA_HDR_BITS, Hdr, Token, TxClass, TxStatus};
use awgstar_frame::quantity::Cycle;
use std::collections::VecDeque;

/// A delivered header whose Data is not there yet.
#[derive(Clone, Debug)]
struct Header {
    frame: Delivered,
    len: usize,
}

/// The host of a node.
#[derive(Clone, Debug)]
pub struct Host {
    pub(super) inputs: Inputs,
    data: Port,
    signal: Port,
    tokens: u64,
    /// First cycle in which something other than the counter's address may change.
    attention: u64,
    record: bool,
    delivered: Vec<Delivered>,
    returned: Vec<Returned>,
    sent: Vec<Sent>,
    counts: Counts,
    headers: VecDeque<Header>,
    bytes: Vec<u8>,
}

impl Host {
    pub(super) fn new(scenario: &Scenario, node: usize) -> Self {
        let inputs = Inputs {
            cfg_mac: node_mac(node).to_u64(),
            cfg_node_id: node.to_le_bytes()[0],
            cfg_groups: scenario.groups[node],
            cfg_monitor: scenario.monitor == Some(node),
            m_rx_hdr_ready: true,
            m_rx_axis_tready: true,
            ..Inputs::default()
        };
        let mut host = Host {
            inputs,
            data: Port::new(node),
            signal: Port::new(node),
            tokens: if node == 0 { scenario.tokens as u64 } else { 0 },
            attention: 0,
            record: true,
            delivered: Vec::new(),
            returned: Vec::new(),
            sent: Vec::new(),
            counts: Counts::default(),
            headers: VecDeque::new(),
            bytes: Vec::new(),
        };
        for send in scenario.sends.iter().filter(|s| s.node == node) {
            host.push(send.cycle.0, send.frame.clone());
        }
        for s in scenario.saturate.iter().filter(|s| s.node == node) {
            host.data.saturate(s.len);
        }
        host
    }

    /// Frames delivered, in their order.
    pub fn delivered(&self) -> &[Delivered] {
        &self.delivered
    }

    /// Own frames that have returned, in order.
    pub fn returned(&self) -> &[Returned] {
        &self.returned
    }

    /// Verdicts on frames given to the transmitter, free tokens among them.
    pub fn sent(&self) -> &[Sent] {
        &self.sent
    }

    /// All that in numbers.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Nothing waits to be sent, saturation aside.
    pub fn is_idle(&self) -> bool {
        self.data.is_empty() && self.signal.is_empty()
    }

    pub(super) fn record(&mut self, on: bool) {
        self.record = on;
    }

    pub(super) fn push(&mut self, cycle: u64, frame: Outgoing) {
        let port = if frame.token == Token::Data { &mut self.data } else { &mut self.signal };
        port.push(cycle, frame);
        self.attention = 0;
    }

    /// One token is to be dropped (NODE-23).
    pub(super) fn discard(&mut self) {
        self.inputs.discard = true;
    }

    /// First cycle, not before `cycle`, in which this host changes what it drives if its node does
    /// nothing; the counter's address aside.
    #[inline]
    pub(super) fn next_change(&self, cycle: u64) -> u64 {
        if cycle <= RESET_CYCLES.0 + self.tokens {
            cycle
        } else {
            self.data.due().min(self.signal.due()).max(cycle)
        }
    }

    /// Sets the host's outputs for `cycle`.
    #[inline]
    pub(super) fn drive(&mut self, cycle: u64) {
        self.inputs.count_addr = cycle.to_le_bytes()[0] & 15;
        if cycle >= self.attention {
            self.drive_more(cycle);
        }
    }

    #[inline(never)]
    fn drive_more(&mut self, cycle: u64) {
        self.inputs.rst = cycle < RESET_CYCLES.0;
        self.inputs.issue = (RESET_CYCLES.0..RESET_CYCLES.0 + self.tokens).contains(&cycle);
        if cycle >= RESET_CYCLES.0 {
            self.offer_data(cycle);
            self.offer_signal(cycle);
        }
        self.attention = self.next_change(cycle + 1);
    }

    fn offer_data(&mut self, cycle: u64) {
        if let Some(offer) = self.data.offer(cycle) {
            let i = &mut self.inputs;
            i.s_data_hdr_valid = true;
            i.s_data_hdr = offer.hdr.low(DATA_HDR_BITS);
        }
    }

    fn offer_signal(&mut self, cycle: u64) {
        if let Some(offer) = self.signal.offer(cycle) {
            let i = &mut self.inputs;
            i.s_signal_hdr_valid = true;
            i.s_signal_hdr = offer.hdr;
        }
    }

    /// Takes the node's outputs of `cycle`, just before the edge.
    #[inline]
    pub(super) fn take(&mut self, cycle: u64, node: &RingNode) {
        if node.u_rx_buffer.has_header() {
            self.take_header(node);
        }
        if node.u_rx_buffer.has_beat() {
            let rx = &node.u_rx_buffer;
            self.counts.beats += 1;
            if self.record {
                // Data of a delivered frame has no gaps: `len` says where it ends.
                self.bytes.extend_from_slice(&rx.data().to_le_bytes());
                if rx.last_q {
                    self.complete(cycle);
                }
            }
        }
        if node.u_filter.ret_valid_q {
            self.take_return(cycle, node);
        }
        if node.u_frame_tx.status_valid_q {
            self.take_status(cycle, node);
        }
    }

    #[cold]
    fn take_header(&mut self, node: &RingNode) {
        self.counts.delivered += 1;
        if !self.record {
            return;
        }
        let hdr = Hdr(node.u_rx_buffer.hdr_head_q);
        let frame = Delivered {
            cycle: Cycle(0),
            mac: Mac::from_u64(hdr.mac()),
            token: Token::from_code(hdr.token()),
            c_st: hdr.c_st(),
            node_id: hdr.node_id(),
            multi_g: hdr.multi_g(),
            act_seq: hdr.act_seq(),
            packet_cnt: hdr.packet_cnt(),
            addr: hdr.addr(),
            data: Vec::new(),
        };
        self.headers.push_back(Header { frame, len: hdr.len().into() });
    }

    /// The last beat of a frame: headers come no later than their first beat.
    fn complete(&mut self, cycle: u64) {
        if let Some(Header { frame, len }) = self.headers.pop_front() {
            let data = self.bytes[..len.min(self.bytes.len())].to_vec();
            self.delivered.push(Delivered { cycle: Cycle(cycle), data, ..frame });
        }
        self.bytes.clear();
    }

    #[cold]
    fn take_return(&mut self, cycle: u64, node: &RingNode) {
        let f = &node.u_filter;
        let token = Token::from_code(f.ret_token_q);
        self.counts.returned_good += u64::from(f.ret_good_q);
        self.counts.returned_bad += u64::from(!f.ret_good_q);
        self.counts.acknowledged += u64::from(f.ret_good_q && token == Some(Token::Data));
        if self.record {
            let (c_st, packet_cnt) = (f.ret_c_st_q, f.ret_packet_cnt_q);
            self.returned.push(Returned {
                cycle: Cycle(cycle),
                good: f.ret_good_q,
                token,
                c_st,
                packet_cnt,
            });
        }
    }

    #[cold]
    fn take_status(&mut self, cycle: u64, node: &RingNode) {
        let error = node.u_frame_tx.status_error_q;
        self.counts.sent += u64::from(error == 0);
        self.counts.refused += u64::from(error != 0);
        if self.record {
            let class = TxClass::from_code(node.u_mux.class_q);
            self.sent.push(Sent { cycle: Cycle(cycle), class, error: TxStatus::from_code(error) });
        }
    }

    /// The edge: what the node took is replaced by what comes next.
    #[inline]
    pub(super) fn clock(&mut self, w: &Wires) {
        if w.discarded {
            self.inputs.discard = false;
        }
        if w.grant == Grant::Data {
            self.inputs.s_data_hdr_valid = false;
            self.attention = 0;
            let beat = self.data.taken();
            self.put_data(beat);
        } else if w.data_tready && self.inputs.s_data_axis.tvalid {
            let beat = self.data.beat_taken();
            self.put_data(beat);
        }
        if w.grant == Grant::Signal {
            self.inputs.s_signal_hdr_valid = false;
            self.attention = 0;
            let beat = self.signal.taken();
            self.put_signal(beat);
        } else if w.signal_tready && self.inputs.s_signal_axis.tvalid {
            let beat = self.signal.beat_taken();
            self.put_signal(beat);
        }
    }

    #[inline]
    fn put_data(&mut self, beat: Option<Beat>) {
        let i = &mut self.inputs;
        i.s_data_axis.tvalid = beat.is_some();
        if let Some(Beat { data, keep, last }) = beat {
            (i.s_data_axis.tdata, i.s_data_axis.tkeep, i.s_data_axis.tlast) = (data, keep, last);
        }
    }

    #[inline]
    fn put_signal(&mut self, beat: Option<Beat>) {
        let i = &mut self.inputs;
        i.s_signal_axis.tvalid = beat.is_some();
        if let Some(Beat { data, keep, last }) = beat {
            (i.s_signal_axis.tdata, i.s_signal_axis.tkeep) = (data, keep);
            i.s_signal_axis.tlast = last;
        }
    }
}
