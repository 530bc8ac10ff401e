// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of `rx_sorter`, in the order of `docs/blocks/rx_sorter.md`.

use super::super::state::ports;
use awgstar_frame::contract::{HDR_BITS, Hdr};

ports! {
    /// Inputs of `rx_sorter`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// MAC of this board.
        cfg_mac: u64 = 48,
        /// A frame for this board.
        s_hdr_valid: bool = 1,
        /// Header of the frame.
        s_hdr: Hdr = HDR_BITS,
        /// Data of the frames.
        s_axis_tdata: u32 = 32,
        /// The beat is valid.
        s_axis_tvalid: bool = 1,
        /// Last of the frame.
        s_axis_tlast: bool = 1,
        /// `mem_writer` has done the frame.
        writer_done: bool = 1,
        /// `mem_writer` takes the beat.
        writer_ready: bool = 1,
        /// Data of this source does not count yet (JOIN-3).
        blocked: bool = 1,
        /// The `here` of this source says where its data begins.
        here_new: bool = 1,
        /// The mailbox has no room.
        mail_full: bool = 1,
    }
}

ports! {
    /// Outputs of `rx_sorter`.
    pub struct Outputs {
        /// The frame is done.
        s_hdr_ready: bool = 1,
        /// The beat is taken.
        s_axis_tready: bool = 1,
        /// `mem_writer` takes the frame.
        start: bool = 1,
        /// A word of a message.
        mail_we: bool = 1,
        /// Index of the word in the message, 0 to 15.
        mail_index: u8 = 4,
        /// The word.
        mail_data: u32 = 32,
        /// The message is complete.
        mail_commit: bool = 1,
        /// Another board's heartbeat.
        monitor_seen: bool = 1,
        /// The MAC is below ours.
        monitor_lower: bool = 1,
        /// Another board joins.
        fence_seen: bool = 1,
        /// Another board answers a fence.
        here_seen: bool = 1,
        /// Data for the memory.
        ev_data: bool = 1,
        /// Data that was accepted before.
        ev_data_again: bool = 1,
        /// Data after a gap.
        ev_data_gap: bool = 1,
        /// Data beyond the memory.
        ev_data_range: bool = 1,
        /// A signal for the mailbox.
        ev_signal: bool = 1,
        /// A signal that was accepted before.
        ev_signal_again: bool = 1,
        /// A signal before its data.
        ev_signal_early: bool = 1,
        /// A signal with too much Data.
        ev_signal_long: bool = 1,
        /// A signal that finds no room.
        ev_mail_full: bool = 1,
        /// Another board has our Node_ID.
        ev_same_id: bool = 1,
    }
}
