//! What a host keeps of what its node gives it.

use awgstar_frame::codec::Mac;
use awgstar_frame::contract::{Token, TxClass, TxStatus};

/// A frame that a node gave to its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// Cycle in which its last beat was taken.
    pub cycle: u64,
    /// MAC of the sender.
    pub mac: Mac,
    /// TOKEN; `None` would be a code that is not assigned.
    pub token: Option<Token>,
    /// C.ST.
    pub c_st: u8,
    /// `Node_ID`.
    pub node_id: u8,
    /// `Multi_G`.
    pub multi_g: u8,
    /// `Act_Seq`.
    pub act_seq: u8,
    /// `Packet_Cnt`.
    pub packet_cnt: u8,
    /// Addr.
    pub addr: u32,
    /// Valid bytes.
    pub data: Vec<u8>,
}

/// An own frame that came back (NODE-18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Returned {
    /// Cycle of `m_ret_valid`.
    pub cycle: u64,
    /// It is good.
    pub good: bool,
    /// Its TOKEN.
    pub token: Option<Token>,
    /// Its C.ST.
    pub c_st: u8,
    /// Its `Packet_Cnt`.
    pub packet_cnt: u8,
}

/// Verdict on a frame given to the transmitter (NODE-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Cycle of `m_sent_valid`.
    pub cycle: u64,
    /// Its class.
    pub class: Option<TxClass>,
    /// The verdict.
    pub error: Option<TxStatus>,
}

/// What a host saw, in numbers: kept even when nothing is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames delivered.
    pub delivered: u64,
    /// Beats of Data delivered, pad included.
    pub beats: u64,
    /// Own frames that came back good.
    pub returned_good: u64,
    /// Data tokens among them: acknowledged.
    pub acknowledged: u64,
    /// Own frames that came back bad.
    pub returned_bad: u64,
    /// Frames sent whole.
    pub sent: u64,
    /// Frames refused or cut.
    pub refused: u64,
}
