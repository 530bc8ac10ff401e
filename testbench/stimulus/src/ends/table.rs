// SPDX-License-Identifier: MIT OR Apache-2.0
//! The far ends of each module, with the registers that move together and the reason why inputs can
//! lead there.

use super::registers::Registers;
use awgstar::{
    contract::node,
    rtl::{link_control, rx_sorter, signal_sender},
};

/// Node_ID of the single board.
pub const OWN: u8 = 5;

/// Change of a register or memory, given the amount that was drawn for its end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Edit {
    /// The amount is added, modulo the width of the register.
    Add(&'static str),
    /// The register becomes the amount, modulo its width.
    Put(&'static str),
    /// The register becomes this.
    Set(&'static str, u128),
    /// The words of the memory become this function of the amount: see [`crate::deposit::Deposit`].
    Fill(&'static str, fn(u64) -> u128),
}

use Edit::{Add, Fill, Put, Set};

/// An end, and how to come near it.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Name of the end in cases and reports.
    pub name: &'static str,
    /// Reason for which inputs can lead to this state.
    pub why: &'static str,
    /// Another end without which this one would be no legal state.
    pub(super) needs: Option<&'static str>,
    /// Amounts at which something ends. What is drawn is 1 to 15 less.
    pub near: &'static [i64],
    pub(super) edits: &'static [Edit],
}

const fn counter(n: u64) -> u128 {
    (n & 0xffff_ffff) as u128
}

/// Entry of `rx_sorter`: number of the next data frame in the low 8 bits of the amount, that of the
/// last signal in the 31 above.
const fn peer(n: u64) -> u128 {
    let (next, last) = (n & 0xff, n >> 8 & 0x7fff_ffff);
    (1 << 40 | next << 32 | 1 << 31 | last) as u128
}

/// Ends of `ring_node`, with paths below it.
pub(super) const NODE: &[End] = &[
    End {
        name: "node_counters",
        why: "the first round after reset is over, and each event has come this often",
        needs: None,
        near: &[0x1_0000, 0x100_0000, 0x8000_0000, 0, 0],
        edits: &[Set("u_counters.clear_q", 0), Fill("u_counters.mem", counter)],
    },
    End {
        name: "tokens_in_hand",
        why: "`issue` came this often and nothing was sent",
        needs: None,
        near: &[4, 128, 0, 0],
        edits: &[Put("u_arbiter.held_q")],
    },
    End {
        name: "insertion_buffer",
        why: "this many words passed, and the buffer is empty again",
        needs: None,
        near: &[0, 1 << (node::BUFFER_ADDR_W - 1)],
        edits: &[Add("u_buffer.wr_ptr_q"), Add("u_buffer.rd_ptr_q")],
    },
    End {
        name: "receive_buffer",
        why: "this many beats were delivered, and all are taken",
        needs: None,
        near: &[0, 1 << node::RX_ADDR_W],
        edits: &[
            Add("u_rx_buffer.wr_ptr_q"),
            Add("u_rx_buffer.commit_ptr_q"),
            Add("u_rx_buffer.rd_ptr_q"),
        ],
    },
    End {
        name: "receive_headers",
        why: "this many frames were delivered, and all are taken",
        needs: None,
        near: &[0, 1 << node::RX_HEADER_ADDR_W],
        edits: &[Add("u_rx_buffer.hdr_wr_q"), Add("u_rx_buffer.hdr_rd_q")],
    },
];

/// The name of the end with what other boards have sent before.
pub const PEERS: &str = "peers";
/// The name of the end in which a block of full frames goes on at [`BLOCK`].
pub const ACT_SEQ: &str = "act_seq";
/// Where the next write belongs to the block.
pub const BLOCK: u32 = 0x1000;

/// Ends of `smb` but for those of its node.
pub(super) const BOARD: &[End] = &[
    End {
        name: "synced",
        why: "the host has configured and enabled the board, and its sync has returned",
        needs: None,
        near: &[0],
        edits: &[
            Set("u_regs.enable_q", 1),
            Set("u_regs.node_id_q", OWN as u128),
            Set("u_control.limit_q", 4 + OWN as u128),
            Set("u_regs.groups_q", 0b0110),
            Set("u_regs.mask_q", 0x1ff),
            Set("u_control.synced_q", 1),
            Set("u_control.state_q", link_control::READY as u128),
        ],
    },
    End {
        name: PEERS,
        why: "the table is cleared, and every source has sent this much",
        needs: None,
        // The number of the last signal ends at 2^8, 2^16, 2^24, 2^30 and 2^31.
        near: &[1 << 16, 1 << 24, 1 << 32, 1 << 38, 1 << 39, 0xfe << 8, 0x7fff_fffd << 8, 1 << 7],
        edits: &[
            Set("u_sorter.state_q", rx_sorter::IDLE as u128),
            Set("u_sorter.index_q", 0),
            Fill("u_sorter.sources", peer),
        ],
    },
    End {
        name: "frames",
        why: "this many data frames were closed, sent and acknowledged",
        needs: Some("synced"),
        near: &[0, 0, 0, 128],
        edits: &[Add("u_data.tail_q"), Add("u_data.base_q"), Add("u_data.next_q")],
    },
    End {
        name: "store",
        why: "this many words of data were sent and acknowledged",
        needs: Some("synced"),
        near: &[0, 1 << 10],
        edits: &[Add("u_data.wr_q"), Add("u_data.free_q"), Add("u_data.rd_q")],
    },
    End {
        name: "signal_number",
        why: "this many signals were sent and have returned",
        needs: Some("synced"),
        near: &[1 << 8, 1 << 16, 1 << 24, 1 << 30, 0, 0],
        edits: &[Put("u_signal.number_q"), Put("u_signal.wr_q"), Put("u_signal.rd_q")],
    },
    End {
        name: "mailbox",
        why: "this many messages came, and all were dropped by the host",
        needs: None,
        near: &[0, 16],
        edits: &[Add("u_mailbox.wr_q"), Add("u_mailbox.rd_q")],
    },
    End {
        name: "control_count",
        why: "this many control tokens were sent",
        needs: None,
        near: &[0],
        edits: &[Put("u_control.count_q")],
    },
    End {
        name: "board_counters",
        why: "the first round after reset is over, and each event has come this often",
        needs: None,
        near: &[0x1_0000, 0x100_0000, 0x8000_0000, 0, 0],
        edits: &[Set("u_counters.clear_q", 0), Fill("u_counters.mem", counter)],
    },
    End {
        name: ACT_SEQ,
        why: "full frames of one block were closed, and nothing was flushed since",
        needs: None,
        near: &[0],
        edits: &[
            Set("u_combiner.chain_q", 1),
            Put("u_combiner.seq_q"),
            Set("u_combiner.next_q", BLOCK as u128),
        ],
    },
    End {
        name: "monitor",
        why: "four censuses in a row found so many tokens too few, and a heartbeat is due again",
        needs: Some("synced"),
        near: &[4, 4, 128, 0],
        edits: &[Set("u_control.active_q", 1), Set("u_control.due_q", 1), Put("u_control.add_q")],
    },
    End {
        name: "discard",
        why: "four censuses in a row found too many tokens",
        needs: Some("synced"),
        near: &[0],
        edits: &[Set("u_control.active_q", 1), Set("u_control.discard_q", 1)],
    },
    End {
        name: "quiet",
        why: "a board of Node_ID 255 has heard no heartbeat for so many periods",
        needs: Some("synced"),
        near: &[259],
        // No monitor then.
        edits: &[
            Set("u_regs.node_id_q", 255),
            Set("u_control.limit_q", 259),
            Set("u_control.active_q", 0),
            Set("u_control.due_q", 0),
            Set("u_control.add_q", 0),
            Set("u_control.discard_q", 0),
            Put("u_control.quiet_q"),
        ],
    },
];

/// A timer, what it is compared with, and when it runs.
pub(super) struct Timer {
    pub(super) register: &'static str,
    pub(super) limit: &'static str,
    pub(super) runs: fn(&Registers<'_>) -> bool,
    /// Register that says that the limit is reached.
    pub(super) reached: Option<&'static str>,
}

/// The timers of `smb`. No other register remembers when one of them began, but for `reached`.
pub(super) const TIMERS: &[Timer] = &[
    Timer {
        register: "u_data.timer_q",
        limit: "u_regs.timeout_q",
        runs: |r| r.get("u_data.base_q") != r.get("u_data.tail_q"),
        reached: None,
    },
    Timer {
        register: "u_signal.timer_q",
        limit: "u_regs.timeout_q",
        runs: |r| r.get("u_signal.state_q") == signal_sender::FLIGHT.into(),
        reached: None,
    },
    Timer {
        register: "u_control.timer_q",
        limit: "u_regs.timeout_q",
        runs: |r| {
            let state = r.get("u_control.state_q");
            state == link_control::SYNCING.into() || state == link_control::CENSUS.into()
        },
        reached: None,
    },
    Timer {
        register: "u_control.period_q",
        limit: "u_regs.period_q",
        runs: |r| r.get("u_control.synced_q") == 1,
        reached: None,
    },
    Timer {
        register: "u_combiner.idle_q",
        limit: "u_regs.combine_q",
        runs: |r| r.get("u_combiner.open_q") == 1,
        reached: Some("u_combiner.time_q"),
    },
];
