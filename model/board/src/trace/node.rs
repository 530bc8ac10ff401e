// SPDX-License-Identifier: MIT OR Apache-2.0
//! Derives the events of a node at an edge from its registers and combinational signals.

use super::event::{Identity, Kind};
use crate::rtl::ring_node::{Grant, Inputs, Outputs, RingNode, Wires};
use awgstar_frame::codec::Mac;
use awgstar_frame::contract::{Counter, Token, TxStatus};

/// The frame that an event concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// That of which the receiver gives its verdict.
    Judged,
    /// That whose first word is in the second stage of the ingress.
    Arriving,
    /// That which is being passed on.
    UnderWay,
    /// A frame of the node itself.
    Own(Identity),
    Nothing,
}

/// Counters of the receiver's verdict, before those of the ingress: a verdict is on an older frame.
const BY_COUNTER: &[(Counter, Kind, About)] = &[
    (Counter::ReturnedGood, Kind::Returned { good: true }, About::Judged),
    (Counter::ReturnedBad, Kind::Returned { good: false }, About::Judged),
    (Counter::Delivered, Kind::Delivered, About::Judged),
    (Counter::RxOverflow, Kind::Overflow, About::Judged),
    (Counter::Cut, Kind::Cut, About::UnderWay),
    (Counter::Passed, Kind::Passed, About::Arriving),
    (Counter::TokenTaken, Kind::TokenTaken, About::Arriving),
    (Counter::Reserved, Kind::Reserved, About::Arriving),
    (Counter::Dropped, Kind::Dropped, About::Arriving),
];

/// Calls `emit` with everything that happens at this edge, the links aside.
#[inline]
pub(super) fn events(
    node: &RingNode,
    i: &Inputs,
    o: &Outputs,
    w: &Wires,
    emit: &mut impl FnMut(Kind, About),
) {
    if w.events != 0 {
        let has = |counter: Counter| w.events >> counter.code() & 1 != 0;
        if has(Counter::BadFcs) || has(Counter::BadOther) {
            emit(Kind::Bad(node.u_frame_rx.v_check_q), About::Judged);
        }
        for &(counter, kind, about) in BY_COUNTER {
            if has(counter) {
                emit(kind, about);
            }
        }
    }
    let strips = node.u_ingress.strips(&w.decision);
    if strips || w.decision.orphan {
        emit(if strips { Kind::Stripped } else { Kind::Orphan }, About::Arriving);
        if w.decision.token_in {
            emit(Kind::TokenBack, About::Arriving);
        }
    }
    if i.issue && !i.rst {
        emit(Kind::Issued, About::Nothing);
    }
    if w.discarded && !i.rst {
        emit(Kind::Discarded, About::Nothing);
    }
    match w.grant {
        Grant::None => {}
        Grant::Data => emit(Kind::Converted, About::Own(data(i))),
        Grant::Signal => emit(Kind::Inserted, About::Own(signal(i))),
        Grant::Free => emit(Kind::FreeSent, About::Own(own(i, Token::Free.code(), i.cfg_node_id))),
    }
    if o.m_sent_valid
        && let Some(status) = TxStatus::from_code(o.m_sent_error)
    {
        emit(Kind::Sent(status), About::Nothing);
    }
}

fn own(i: &Inputs, token: u8, node_id: u8) -> Identity {
    Identity { mac: Mac::from_u64(i.cfg_mac), token, c_st: 0, node_id, packet_cnt: 0 }
}

fn data(i: &Inputs) -> Identity {
    let short = i.s_data_hdr.len() < 46;
    let packet_cnt = i.s_data_hdr.packet_cnt();
    Identity { c_st: short.into(), packet_cnt, ..own(i, Token::Data.code(), i.cfg_node_id) }
}

fn signal(i: &Inputs) -> Identity {
    let packet_cnt = i.s_signal_hdr.packet_cnt();
    let own = own(i, i.s_signal_hdr.token(), i.s_signal_hdr.node_id());
    Identity { c_st: i.s_signal_hdr.c_st(), packet_cnt, ..own }
}
