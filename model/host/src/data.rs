// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data on its way from and into the memory of a board.

use awgstar_board::rtl::{SmbCore, mem_writer, rx_sorter};
use awgstar_frame::contract::board::RETRY_LIMIT;

/// The board has data that has not returned, and may.
pub(crate) fn sends_data(board: &SmbCore) -> bool {
    has_data(board) && !is_stalled(board)
}

/// The board has data that has not returned.
pub(crate) fn has_data(board: &SmbCore) -> bool {
    board.u_combiner.open_q || board.u_data.base_q != board.u_data.tail_q
}

/// The board has data of another that is on its way into its memory: it may have returned to its source already.
pub(crate) fn receives(board: &SmbCore) -> bool {
    let buffer = &board.u_node.u_rx_buffer;
    buffer.commit_ptr_q != buffer.rd_ptr_q
        || buffer.hdr_wr_q != buffer.hdr_rd_q
        || board.u_sorter.state_q != rx_sorter::IDLE
        || board.u_writer.state_q != mem_writer::IDLE
}

/// The board has repeated data or a signal so often that it counts as stalled (ACK-6).
pub(crate) fn is_stalled(board: &SmbCore) -> bool {
    [board.u_data.retries_q, board.u_signal.retries_q].map(usize::from).contains(&RETRY_LIMIT)
}
