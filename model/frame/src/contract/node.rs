// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring node: sizes, kinds and counters (NODE-1 to NODE-24).

use super::check::verdicts;

/// Address bits of the insertion buffer: 2^9 link words.
pub const BUFFER_ADDR_W: usize = 9;
/// Address bits of the receive buffer: 2^9 words of Data.
pub const RX_ADDR_W: usize = 9;
/// Address bits of the receive buffer's headers: 2^4 frames.
pub const RX_HEADER_ADDR_W: usize = 4;
/// Words the insertion buffer must have room for beyond those of the frame that a node sends
/// (NODE-9): the cycle of the grant, the two cycles `frame_tx` takes to its first word, and the cycle
/// after them, in which a word leaves but a full buffer would not take another yet.
pub const INSERT_MARGIN: usize = 4;
/// Data frames a node sends in a row before it lets a free token go on (NODE-12).
pub const TOKEN_RUN: usize = 8;
/// Bits of one pending count of `node_counters`.
pub const PENDING_W: usize = 5;

/// Bits of a word of the insertion buffer: `{tuser, tlast, bytes mod 4, tdata}`.
pub const BUFFER_WORD_W: usize = 36;
/// The idle word after each frame in the insertion buffer: not last, but not 4 bytes.
pub const BUFFER_IDLE: u64 = 1 << 32;
/// The word that ends a frame the node had to cut: `tuser`, `tlast`, 4 bytes of zero.
pub const BUFFER_ABORT: u64 = 3 << 34;

verdicts! {
    /// Kind of a frame at the node it arrives at (2 bits).
    FrameKind {
        None = 0 "none" "of no concern to the receive side: absorbed or dropped";
        Other = 1 "other" "sent by another node and passed on";
        Own = 2 "own" "sent by this node: it has gone round and is stripped";
    }
}

verdicts! {
    /// Class of a frame that the node sends (2 bits).
    TxClass {
        Free = 0 "free" "a free token the node held";
        Data = 1 "data" "a data token";
        Signal = 2 "signal" "a signal or control token";
    }
}

verdicts! {
    /// Counters of `node_counters`: address of each, in the order of the bits of `events`.
    Counter {
        Passed = 0 "passed" "frames passed on";
        ReturnedGood = 1 "returned_good" "own frames that have returned good: acknowledged";
        ReturnedBad = 2 "returned_bad" "own frames that have returned bad: lost";
        TokenTaken = 3 "token_taken" "free tokens taken to send data";
        Reserved = 4 "reserved" "frames with TOKEN 010 or 111, absorbed";
        Cut = 5 "cut" "frames cut on the way through: missing word, wrong tkeep, over-long";
        Dropped = 6 "dropped" "frames dropped whole: no complete header, or no idle word before them";
        Delivered = 7 "delivered" "frames given to the receive side";
        BadFcs = 8 "bad_fcs" "frames of others with a wrong FCS";
        BadOther = 9 "bad_other" "frames of others with any other defect";
        RxOverflow = 10 "rx_overflow" "good frames for this node that the receive buffer had no room for";
        DataSent = 11 "data_sent" "data tokens given to the transmitter";
        SignalSent = 12 "signal_sent" "signals and control tokens given to the transmitter";
        FreeSent = 13 "free_sent" "free tokens given to the transmitter";
        TxError = 14 "tx_error" "frames the transmitter refused or cut";
        TokenOverflow = 15 "token_overflow" "tokens lost because the node held 255 already";
    }
}
