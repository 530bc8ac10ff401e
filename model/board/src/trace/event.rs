// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events of a run.

use awgstar_frame::codec::Mac;
use awgstar_frame::contract::{HeaderWire, Token, TxStatus};
use awgstar_frame::quantity::Cycle;

/// Header fields that identify a frame on a ring. Time distinguishes two frames of a node with the
/// same fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    /// MAC of its source.
    pub mac: Mac,
    /// TOKEN, 3 bits: any code can be on a link.
    pub token: u8,
    pub c_st: u8,
    /// `Node_ID`.
    pub node_id: u8,
    /// `Packet_Cnt`; 0 while the frame has fewer than three words.
    pub packet_cnt: u8,
}

impl Identity {
    /// The node of the ring that sent it, if its MAC is one of
    /// [`node_mac`](crate::ring::node_mac).
    #[must_use]
    pub fn source(&self) -> Option<usize> {
        let node = usize::from(self.mac.0[5]);
        (crate::ring::node_mac(node) == self.mac).then_some(node)
    }

    /// TOKEN, if it is assigned.
    #[must_use]
    pub fn kind(&self) -> Option<Token> {
        Token::from_code(self.token)
    }

    /// That of a header, which may still miss some words.
    #[inline]
    pub(super) fn of(header: &HeaderWire) -> Identity {
        let &HeaderWire { mac, token, c_st, node_id, packet_cnt, .. } = header;
        Identity { mac: Mac::from_u64(mac), token, c_st, node_id, packet_cnt }
    }
}

/// Kind of event at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The first word of a frame is on the node's output. The identity includes the words still to
    /// come.
    Begins,
    /// The last word of a frame is on the node's output.
    Ends {
        /// The frame ends in the abort word.
        aborted: bool,
    },
    /// A frame on its way through: the node passes it on.
    Passed,
    /// A free token is taken: to send data, or to be dropped.
    TokenTaken,
    /// An own frame has returned and is stripped; the verdict `Returned` follows at its end.
    Stripped,
    /// A data token that is stripped, or absorbed as an orphan, gives its token back.
    TokenBack,
    /// A new token comes into the node's hand.
    Issued,
    /// A token in hand is dropped.
    Discarded,
    /// The verdict on an own frame that has returned.
    Returned {
        /// The frame is good: acknowledged.
        good: bool,
    },
    /// A frame with a reserved TOKEN is absorbed.
    Reserved,
    /// The active monitor absorbs a frame that has lost its source.
    Orphan,
    /// A frame on its way through is cut.
    Cut,
    /// A frame is dropped whole.
    Dropped,
    /// A good frame is given to the receive side.
    Delivered,
    /// A good frame for this node finds no room.
    Overflow,
    /// A frame of another node has a defect: the code of the verdict.
    Bad(u8),
    /// A token in hand becomes a data token: its header goes to the transmitter.
    Converted,
    /// A signal or control token goes to the transmitter.
    Inserted,
    /// A token in hand goes to the transmitter as a free token.
    FreeSent,
    /// The verdict on what went to the transmitter.
    Sent(TxStatus),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Cycle in which it happened.
    pub cycle: Cycle,
    pub node: usize,
    pub kind: Kind,
    /// To which frame; `None` for what concerns no frame, or a frame without a complete header.
    pub frame: Option<Identity>,
    /// Tokens in the node's hand before it.
    pub held: u8,
}
