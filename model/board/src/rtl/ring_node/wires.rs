// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wires of `ring_node` in one cycle, for the fast path: what cannot matter is not computed.

use super::{Inputs, RingNode};
use crate::rtl::{ring_ingress::Decision, rx_filter, tx_arbiter};
use awgstar_frame::contract::{Counter, TxClass, TxStatus};

/// Class of frame that the arbiter grants in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grant {
    None,
    Data,
    Signal,
    Free,
}

/// Combinational signals between the modules of the node in a cycle.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wire")]
pub(crate) struct Wires {
    pub(crate) decision: Decision,
    pub(crate) grant: Grant,
    pub(crate) grant_cycles: u16,
    pub(crate) rd_ready: bool,
    pub(crate) deliver: bool,
    pub(crate) refused: bool,
    pub(crate) discarded: bool,
    pub(crate) data_tready: bool,
    pub(crate) signal_tready: bool,
    pub(crate) events: u16,
}

const fn bit(counter: Counter) -> u16 {
    1 << counter.code()
}

impl RingNode {
    /// All wires, in an order that has what each of them needs.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop: 2 times as fast")]
    pub(crate) fn wires(&self, i: &Inputs) -> Wires {
        let (head, some) = (self.u_buffer.head(), self.u_buffer.some_q);
        let tx = &self.u_frame_tx;
        let something = i.s_signal_hdr_valid || self.u_arbiter.hand_q;
        let (grant, grant_cycles) =
            if something && tx.hdr_ready_q && self.u_egress.boundary(head, some) {
                self.pick(i)
            } else {
                (Grant::None, 0)
            };
        let decision = self
            .u_ingress
            .decide(i.cfg_monitor, || self.u_arbiter.take_free(&self.arbiter_inputs(i, true)));
        let mut events = decision.events;
        let mut deliver = false;
        if self.u_frame_rx.v_valid_q {
            let verdict;
            (deliver, verdict) = self.verdict(i);
            events |= verdict;
        }
        let mut refused = false;
        if tx.status_valid_q && tx.status_error_q != 0 {
            let error = tx.status_error_q;
            events |= bit(Counter::TxError);
            refused = self.u_mux.class_q == TxClass::Data.code()
                && (error == TxStatus::Token.code() || error == TxStatus::Length.code());
        }
        match grant {
            Grant::None => {}
            Grant::Data => events |= bit(Counter::DataSent),
            Grant::Signal => events |= bit(Counter::SignalSent),
            Grant::Free => events |= bit(Counter::FreeSent),
        }
        let spent = grant == Grant::Data || grant == Grant::Free;
        let discarded = i.discard && self.u_arbiter.hand_q;
        // None in hand and one spent is a state that no reset leads to; it overflows, too.
        if self.u_arbiter.held_q.wrapping_sub(1) >= 252 {
            let less = u16::from(spent || discarded);
            let more = u16::from(decision.token_in) + u16::from(i.issue) + u16::from(refused);
            if self.u_arbiter.held_with(more, less) > 255 {
                events |= bit(Counter::TokenOverflow);
            }
        }
        Wires {
            decision,
            grant,
            grant_cycles,
            rd_ready: self.u_egress.rd_ready(grant != Grant::None),
            deliver,
            refused,
            discarded,
            data_tready: tx.beat_ready_q && self.u_mux.class_q == TxClass::Data.code(),
            signal_tready: tx.beat_ready_q && self.u_mux.class_q == TxClass::Signal.code(),
            events,
        }
    }

    /// The arbiter's grant, and the words of the frame.
    #[inline(never)]
    pub(super) fn pick(&self, i: &Inputs) -> (Grant, u16) {
        let o = self.u_arbiter.outputs(&self.arbiter_inputs(i, true));
        let grant = if o.grant_data {
            Grant::Data
        } else if o.grant_signal {
            Grant::Signal
        } else if o.grant_free {
            Grant::Free
        } else {
            Grant::None
        };
        (grant, o.grant_cycles)
    }

    /// Inputs of the arbiter but for those that add tokens.
    #[inline]
    fn arbiter_inputs(&self, i: &Inputs, boundary: bool) -> tx_arbiter::Inputs {
        tx_arbiter::Inputs {
            data_valid: i.s_data_hdr_valid,
            data_len: i.s_data_hdr.len(),
            data_open: self.u_data_gate.outputs().open,
            signal_valid: i.s_signal_hdr_valid,
            signal_len: i.s_signal_hdr.len(),
            signal_open: self.u_signal_gate.outputs().open,
            boundary,
            tx_ready: self.u_frame_tx.hdr_ready_q,
            words: self.u_buffer.words_q,
            discard: i.discard,
            ..Default::default()
        }
    }

    /// Evaluates a verdict of the receiver: (`deliver`, events).
    #[inline(never)]
    fn verdict(&self, i: &Inputs) -> (bool, u16) {
        let rx = self.u_frame_rx.outputs();
        let kind = self.u_ingress.kind1_q;
        let f: rx_filter::Outputs = self.u_filter.outputs(&Self::filter_inputs(i, kind, &rx));
        let (delivered, overflow) = self.u_rx_buffer.verdict(true, f.deliver, rx.m_axis.tvalid);
        let event = |event: bool, counter| u16::from(event) << Counter::code(counter);
        let events = event(f.ev_returned_good, Counter::ReturnedGood)
            | event(f.ev_returned_bad, Counter::ReturnedBad)
            | event(delivered, Counter::Delivered)
            | event(f.ev_bad_fcs, Counter::BadFcs)
            | event(f.ev_bad_other, Counter::BadOther)
            | event(overflow, Counter::RxOverflow);
        (f.deliver, events)
    }
}
