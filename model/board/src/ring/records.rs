// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of a host: frames received, frames returned and verdicts of its node.

use awgstar_frame::codec::Mac;
use awgstar_frame::contract::{Token, TxClass, TxStatus};
use awgstar_frame::quantity::Cycle;

/// A frame that a node gave to its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// Cycle in which its last beat was taken.
    pub cycle: Cycle,
    /// MAC of the sender.
    pub mac: Mac,
    /// TOKEN; `None` would be a code that is not assigned.
    pub token: Option<Token>,
    pub c_st: u8,
    /// `Node_ID`.
    pub node_id: u8,
    /// `Multi_G`.
    pub multi_g: u8,
    /// `Act_Seq`.
    pub act_seq: u8,
    /// `Packet_Cnt`.
    pub packet_cnt: u8,
    pub addr: u32,
    /// Valid bytes.
    pub data: Vec<u8>,
}

/// An own frame that has returned (NODE-18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Returned {
    /// Cycle of `m_ret_valid`.
    pub cycle: Cycle,
    /// The frame is good: correct FCS, not aborted.
    pub good: bool,
    /// TOKEN of the frame; `None` if the code is not assigned.
    pub token: Option<Token>,
    /// C.ST of the frame.
    pub c_st: u8,
    /// `Packet_Cnt` of the frame.
    pub packet_cnt: u8,
}

/// Verdict on a frame given to the transmitter (NODE-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Cycle of `m_sent_valid`.
    pub cycle: Cycle,
    /// Class of the frame; `None` if the code is not assigned.
    pub class: Option<TxClass>,
    /// The verdict.
    pub error: Option<TxStatus>,
}

/// Counts of what a host has seen; kept even when nothing is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames delivered.
    pub delivered: u64,
    /// Beats of Data delivered, pad included.
    pub beats: u64,
    /// Own frames that have returned good.
    pub returned_good: u64,
    /// Data tokens among them: acknowledged.
    pub acknowledged: u64,
    /// Own frames that have returned bad.
    pub returned_bad: u64,
    /// Frames sent whole.
    pub sent: u64,
    /// Frames refused or cut.
    pub refused: u64,
}
