// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals: (TOKEN, C.ST) pairs and the layout of their Data (SIG-1 to SIG-3; thesis 5.2 to 5.4).

use super::Token;

/// A value in a signal's Data field, big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalField {
    /// Name in Rust, JSON and documents.
    pub name: &'static str,
    /// First byte within Data.
    pub offset: usize,
    /// Length in bytes.
    pub bytes: usize,
}

const SEND_NODE: SignalField = SignalField { name: "send_node", offset: 0, bytes: 1 };
const BARRIER_NUMBER: SignalField = SignalField { name: "barrier_number", offset: 1, bytes: 1 };
const TAG: SignalField = SignalField { name: "tag", offset: 2, bytes: 2 };
const EPOCH: SignalField = SignalField { name: "epoch", offset: 8, bytes: 2 };
const LOCK_NUMBER: SignalField = SignalField { name: "lock_number", offset: 4, bytes: 4 };
const PAGE_NUMBER: SignalField = SignalField { name: "page_number", offset: 4, bytes: 4 };

/// C.ST of signals between processes, with TOKEN 011 or 101: no signal of the firmware has it (SIG-3, DRV-7).
pub const PROCESS_C_ST: u8 = 0b11111;
/// C.ST of signals with TOKEN 011 with which a board that joins gets words of the memory (DRV-11): it asks,
pub const JOIN_ASK_C_ST: u8 = 0b00001;
/// gets words,
pub const JOIN_COPY_C_ST: u8 = 0b00010;
/// their check sequence,
pub const JOIN_SUM_C_ST: u8 = 0b00011;
/// or hears that the other has none.
pub const JOIN_REFUSE_C_ST: u8 = 0b00111;
/// Values in the Data of a signal between processes.
pub const PROCESS_FIELDS: &[SignalField] = &[
    SignalField { name: "number", offset: 2, bytes: 2 },
    SignalField { name: "value", offset: 4, bytes: 4 },
];

macro_rules! signals {
    ($($variant:ident $name:literal $token:ident $c_st:literal $node:literal [$($field:ident),*] $doc:literal;)*) => {
        /// A synchronization primitive's signal. C.ST alone does not tell: 10000 is an
        /// acknowledgement with TOKEN 011 and a release with TOKEN 101, so both are matched.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Signal { $(#[doc = $doc] $variant,)* }

        impl Signal {
            /// Every signal: those that the thesis assigns, those that its text needs and gives no
            /// code, and those of the ring's own lock and barrier.
            pub const ALL: &'static [Signal] = &[$(Signal::$variant,)*];

            /// The signal that a (TOKEN, C.ST) pair means; `None` for a pair that is not assigned.
            #[must_use]
            pub const fn from_codes(token: Token, c_st: u8) -> Option<Signal> {
                match (token, c_st) {
                    $((Token::$token, $c_st) => Some(Signal::$variant),)*
                    _ => None,
                }
            }
            #[must_use]
            pub const fn token(self) -> Token {
                match self { $(Signal::$variant => Token::$token,)* }
            }
            /// C.ST code of this signal.
            #[must_use]
            pub const fn c_st(self) -> u8 {
                match self { $(Signal::$variant => $c_st,)* }
            }
            /// Name in Verilog (upper case), JSON and waveforms.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Signal::$variant => $name,)* }
            }
            #[must_use]
            pub const fn node_id_meaning(self) -> &'static str {
                match self { $(Signal::$variant => $node,)* }
            }
            /// Purpose of the signal.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $(Signal::$variant => $doc,)* }
            }
            /// The values in Data; bytes that no field covers are zero.
            #[must_use]
            pub const fn fields(self) -> &'static [SignalField] {
                match self { $(Signal::$variant => &[$($field),*],)* }
            }
        }
    };
}

signals! {
    LockMwRequest "lock_mw_request" P2p 0b01001 "receiver (master)" [SEND_NODE, TAG, LOCK_NUMBER] "lock request, master-worker";
    LockMwAck "lock_mw_ack" Broadcast 0b01010 "locked node" [TAG, LOCK_NUMBER] "lock acknowledge, master-worker";
    LockMwUnlock "lock_mw_unlock" Broadcast 0b01011 "send node" [TAG, LOCK_NUMBER] "unlock, master-worker";
    LockDistRequest "lock_dist_request" Broadcast 0b01100 "send node" [TAG, LOCK_NUMBER] "lock request, distributed";
    LockDistAck "lock_dist_ack" Broadcast 0b01101 "locked node" [TAG, LOCK_NUMBER, EPOCH] "lock acknowledge, distributed";
    LockDistUnlock "lock_dist_unlock" Broadcast 0b01110 "send node" [TAG, LOCK_NUMBER] "unlock, distributed";
    LockDistPass "lock_dist_pass" P2p 0b01101 "receiver (next holder)" [SEND_NODE, TAG, LOCK_NUMBER, EPOCH] "lock right passed to a waiter, distributed";
    LockDistPassAck "lock_dist_pass_ack" P2p 0b01110 "receiver (last holder)" [SEND_NODE, TAG, LOCK_NUMBER, EPOCH] "lock right received, distributed";
    LockQueueRequest "lock_queue_request" Broadcast 0b00100 "send node" [TAG, LOCK_NUMBER] "lock request, ring queue";
    LockQueuePass "lock_queue_pass" Broadcast 0b00101 "next holder" [TAG, LOCK_NUMBER, EPOCH] "lock right passed on, ring queue";
    BarrierMwArrival "barrier_mw_arrival" P2p 0b01111 "receiver (master)" [SEND_NODE, TAG] "barrier arrival, master-worker";
    BarrierMwAck "barrier_mw_ack" P2p 0b10000 "receiver" [SEND_NODE, TAG] "barrier acknowledge, master-worker";
    BarrierMwRelease "barrier_mw_release" Broadcast 0b10000 "none (zero)" [TAG] "barrier release, master-worker";
    BarrierDistArrival "barrier_dist_arrival" Broadcast 0b10010 "none (zero); repaired: process to follow" [SEND_NODE, TAG] "barrier arrival, distributed";
    BarrierDistAck "barrier_dist_ack" P2p 0b10011 "receiver" [SEND_NODE, TAG] "barrier acknowledge, distributed";
    BarrierDistRelease "barrier_dist_release" Broadcast 0b10100 "none (zero)" [TAG] "barrier release, distributed";
    BarrierRingArrival "barrier_ring_arrival" Broadcast 0b00110 "send node; or the node asked for its own" [BARRIER_NUMBER, TAG] "barrier arrival, ring";
    SwapRequest "swap_request" P2p 0b11000 "worker (send) node; repaired: receiver (master)" [TAG, PAGE_NUMBER] "page swap request";
}
