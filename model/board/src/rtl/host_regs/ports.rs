// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of `host_regs`, in the order of `docs/blocks/host_regs.md`.

use super::super::state::ports;
use awgstar_frame::contract::Interrupt;

/// Bits of an interrupt register.
pub const EVENTS: usize = Interrupt::ALL.len();

ports! {
    /// Inputs of `host_regs`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// A request to the registers.
        reg_valid: bool = 1,
        /// The request is a write; otherwise a read.
        reg_write: bool = 1,
        /// Byte address of the request.
        reg_addr: u32 = 31,
        /// Write data of the request.
        reg_wdata: u32 = 32,
        /// Byte lanes to write.
        reg_wstrb: u8 = 4,
        /// The word of the oldest message.
        mail_data: u32 = 32,
        /// Messages.
        mail_count: u16 = parameters.mail_w() + 1,
        node_count: u32 = 32,
        board_count: u32 = 32,
        /// All boards know this one.
        synced: bool = 1,
        /// This board is the active monitor.
        active: bool = 1,
        /// 8 timeouts in a row: nothing returns.
        stalled: bool = 1,
        /// A data frame is open.
        open: bool = 1,
        /// No room for another signal.
        signal_full: bool = 1,
        /// A signal is under way.
        signal_pending: bool = 1,
        /// Tokens in the node's hand.
        held: u8 = 8,
        /// Number of the next data frame to be acknowledged.
        base: u8 = 8,
        /// The next to be sent.
        next: u8 = 8,
        /// The next to be closed.
        tail: u8 = 8,
        /// Words of data that can be written without waiting.
        words_free: u16 = parameters.tx_addr_w() + 1,
        /// Events by interrupt bit.
        events: u16 = EVENTS,
    }
}

ports! {
    /// Outputs of `host_regs`.
    pub struct Outputs {
        /// The request is answered.
        reg_done: bool = 1,
        /// The request is refused.
        reg_error: bool = 1,
        /// Read data.
        reg_rdata: u32 = 32,
        /// The board takes part in the ring.
        enable: bool = 1,
        cfg_mac: u64 = 48,
        /// Multicast groups.
        cfg_groups: u16 = 16,
        /// Tokens the monitor keeps.
        cfg_tokens: u8 = 8,
        /// Cycles after which a frame that has not returned is retransmitted.
        cfg_timeout: u32 = 24,
        /// Cycles until a data frame is closed.
        cfg_combine: u16 = 16,
        /// Cycles between heartbeats, less 1.
        cfg_period: u32 = 24,
        /// Close the data frame under way.
        flush: bool = 1,
        /// A word of Data of a signal.
        word_we: bool = 1,
        /// Index of the word of Data, 0 to 11.
        word_index: u8 = 4,
        word_data: u32 = 32,
        /// Send a signal.
        push: bool = 1,
        /// Order of the signal relative to earlier data.
        push_order: u8 = 2,
        /// TOKEN of the signal.
        push_token: u8 = 3,
        /// C.ST of the signal.
        push_c_st: u8 = 5,
        /// Node_ID of the signal.
        push_node_id: u8 = 8,
        /// Multi_G of the signal.
        push_multi_g: u8 = 4,
        /// Number of bytes of Data of the signal, 0 to 46.
        push_len: u8 = 6,
        /// Word of the oldest message to be read.
        mail_index: u8 = 4,
        /// The oldest message is dropped.
        mail_pop: bool = 1,
        /// Counter to be read.
        count_addr: u8 = 5,
        irq: bool = 1,
    }
}
