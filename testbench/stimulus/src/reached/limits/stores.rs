// SPDX-License-Identifier: MIT OR Apache-2.0
//! The FIFOs and tables of the modules, and what cannot happen to them.

use super::store::Effect::{In, Other, Out};
use super::store::Limit::{Empty, Full, Last, One};
use super::store::{Edge, Level, Limit, Never, Operation, Store};
use awgstar::contract::limits::DATA_MAX;
use awgstar::rtl::{Parameters, signal_sender};

/// A pointer moves on.
macro_rules! pointer {
    ($name:literal, $effect:expr, $register:literal) => {
        Operation {
            name: $name,
            effect: $effect,
            told: |edge| edge.moves($register),
            pointer: Some($register),
        }
    };
}

const fn other(name: &'static str, told: fn(&Edge<'_>) -> bool) -> Operation {
    Operation { name, effect: Other, told, pointer: None }
}

const fn never(at: &'static [Limit], all: &'static [&'static str], why: &'static str) -> Never {
    Never { at, all, tops: &[], why }
}

/// Nothing of a receive buffer happens there on a board.
const fn on_a_board(at: &'static [Limit], why: &'static str) -> Never {
    Never { at, all: &[], tops: &["smb", "smb_axi4", "smb_link"], why }
}

/// A frame is dropped: its verdict came and was not to accept it. It shows in a beat that leaves, or in a loss
/// that is over.
fn refused(edge: &Edge<'_>) -> bool {
    let [wr, commit] = ["wr_ptr_q", "commit_ptr_q"].map(|name| edge.was.get(name));
    let leaves = wr != commit && edge.is.get("wr_ptr_q") == commit;
    !edge.moves("commit_ptr_q") && (leaves || edge.falls("lost_q"))
}

pub(super) const STORES: &[Store] = &[
    Store {
        module: "insert_buffer",
        name: "insertion buffer",
        registers: &["words_q", "wr_ptr_q", "rd_ptr_q"],
        level: Level::Register("words_q"),
        size: |p: &Parameters| 1 << p.buffer_addr_w(),
        operations: &[pointer!("written", In, "wr_ptr_q"), pointer!("read", Out, "rd_ptr_q")],
        never: &[
            never(&[Empty], &["read"], "`pop` needs `some_q`"),
            never(
                &[Full],
                &[],
                "`words < DEPTH` is proved: set `overflow` of `testbench/formal/prove.sh`",
            ),
        ],
    },
    Store {
        module: "rx_buffer",
        name: "receive buffer",
        registers: &["wr_ptr_q", "rd_ptr_q", "commit_ptr_q", "lost_q"],
        level: Level::Apart("wr_ptr_q", "rd_ptr_q"),
        size: |p: &Parameters| 1 << p.rx_addr_w(),
        operations: &[
            Operation {
                name: "written",
                effect: In,
                told: |edge| edge.moves("wr_ptr_q") && !refused(edge),
                pointer: Some("wr_ptr_q"),
            },
            pointer!("read", Out, "rd_ptr_q"),
            pointer!("accepted", Other, "commit_ptr_q"),
            other("refused", refused),
            other("lost", |edge| edge.rises("lost_q")),
        ],
        never: &[
            never(&[Empty], &["read"], "`m_axis_tvalid` needs an accepted beat"),
            never(
                &[Empty],
                &["accepted"],
                "a frame has 12 beats of Data at least, and all are in it",
            ),
            never(
                &[Empty],
                &["refused"],
                "beats of the frame are in it, or it was full when one was lost",
            ),
            never(&[Empty], &["lost"], "a beat is lost while it is full"),
            never(&[Full], &["written"], "`write` needs a place"),
            never(
                &[Full],
                &["accepted"],
                "the last beat of a frame comes in the cycle of its verdict, and needs a place",
            ),
            never(&[Full], &["refused", "lost"], "a verdict clears `lost_q`"),
            on_a_board(
                &[Last, Full],
                "rx_sorter and mem_writer take a beat in each cycle in which one comes, but for the 256 cycles of \
                 CLEAR after a reset, in which 256 beats come",
            ),
        ],
    },
    Store {
        module: "rx_buffer",
        name: "received headers",
        registers: &["hdr_wr_q", "hdr_rd_q", "wr_ptr_q", "commit_ptr_q", "lost_q"],
        level: Level::Apart("hdr_wr_q", "hdr_rd_q"),
        size: |p: &Parameters| 1 << p.rx_header_addr_w(),
        operations: &[
            pointer!("written", In, "hdr_wr_q"),
            pointer!("read", Out, "hdr_rd_q"),
            other("refused", refused),
        ],
        never: &[
            never(&[Empty], &["read"], "`m_hdr_valid` needs a header"),
            never(&[Empty], &["written", "refused"], "one verdict"),
            never(&[Full], &["written"], "`accept` needs a place"),
            on_a_board(
                &[Last, Full],
                "rx_sorter is done with a frame before the next one ends, but for the 256 cycles of CLEAR after a \
                 reset, in which 15 frames of 17 words end",
            ),
        ],
    },
    Store {
        module: "data_window",
        name: "retransmit buffer",
        registers: &["wr_q", "free_q", "tail_q", "base_q", "rewind_q"],
        level: Level::Apart("wr_q", "free_q"),
        size: |p: &Parameters| 1 << p.tx_addr_w(),
        operations: &[
            pointer!("written", In, "wr_q"),
            pointer!("acknowledged", Out, "free_q"),
            other("closed", |edge| edge.moves("tail_q")),
            other("rewound", |edge| edge.falls("rewind_q")),
        ],
        never: &[
            never(&[Empty], &["acknowledged"], "each frame that waits has words in it"),
            never(&[Empty], &["closed"], "the open frame has words in it"),
            never(
                &[Empty],
                &["rewound"],
                "it is asked for with a frame outstanding, and comes in the next cycle or when a later one was sent: \
                 that one still waits",
            ),
            never(&[Full], &["written"], "`put_ready` needs `word_room`"),
        ],
    },
    Store {
        module: "data_window",
        name: "frames to be acknowledged",
        registers: &["tail_q", "base_q", "rewind_q"],
        level: Level::Apart("tail_q", "base_q"),
        size: |p: &Parameters| 1 << p.tx_frame_w(),
        operations: &[
            pointer!("closed", In, "tail_q"),
            pointer!("acknowledged", Out, "base_q"),
            other("rewound", |edge| edge.falls("rewind_q")),
        ],
        never: &[
            never(&[Empty], &["acknowledged"], "`hit` needs `base_q != next_q`"),
            never(
                &[Empty],
                &["rewound"],
                "it is asked for with a frame outstanding, and comes in the next cycle or when a later one was sent: \
                 that one still waits",
            ),
            never(
                &[Full],
                &["closed"],
                "write_combiner begins no frame without `frame_room`, and none is open then",
            ),
        ],
    },
    Store {
        module: "signal_sender",
        name: "signal queue",
        registers: &["wr_q", "rd_q", "state_q"],
        level: Level::Apart("wr_q", "rd_q"),
        size: |p: &Parameters| 1 << p.signal_w(),
        operations: &[
            pointer!("written", In, "wr_q"),
            pointer!("done", Out, "rd_q"),
            other("retransmitted", |edge| {
                edge.was.get("state_q") == signal_sender::FLIGHT.into()
                    && edge.is.get("state_q") == signal_sender::WAIT.into()
            }),
        ],
        never: &[
            never(&[Empty], &["done"], "`rd_q` moves for a signal of the host, which is in it"),
            never(&[Empty], &["retransmitted"], "without an engine the signal in flight is in it"),
            never(&[One, Last, Full], &["done", "retransmitted"], "one step of `state_q`"),
            never(&[Full], &["written"], "host_regs refuses SIGNAL_SEND while it is full"),
        ],
    },
    Store {
        module: "mail_box",
        name: "mailbox",
        registers: &["wr_q", "rd_q"],
        level: Level::Apart("wr_q", "rd_q"),
        size: |p: &Parameters| 1 << p.mail_w(),
        operations: &[pointer!("written", In, "wr_q"), pointer!("read", Out, "rd_q")],
        never: &[
            never(&[Empty], &["read"], "`pop` needs a message"),
            never(&[Full], &["written"], "rx_sorter begins no message while it is full"),
        ],
    },
    Store {
        module: "write_combiner",
        name: "open frame",
        registers: &["open_q", "len_q", "chain_q", "idle_q"],
        level: Level::While("open_q", "len_q"),
        size: |_| DATA_MAX,
        operations: &[
            Operation {
                name: "written",
                effect: In,
                told: |edge| edge.rises("open_q") || edge.rises("len_q"),
                pointer: None,
            },
            Operation {
                name: "closed",
                effect: Out,
                told: |edge| edge.falls("open_q"),
                pointer: None,
            },
            other("flushed", |edge| {
                let full = edge.was.get("open_q") != 0 && edge.was.get("len_q") == DATA_MAX as u128;
                let after = full && edge.falls("open_q") && edge.is.get("chain_q") == 0;
                after || edge.falls("chain_q") && !edge.rises("open_q")
            }),
        ],
        never: &[
            never(&[Empty], &["closed"], "`close` needs `open_q`"),
            never(&[Empty], &["written", "flushed"], "a piece comes without flush"),
            never(
                &[One, Last, Full],
                &["written", "closed"],
                "it is closed in a cycle in which no piece is taken",
            ),
            never(&[Full], &["written"], "`done` holds after the last byte"),
            never(
                &[Full],
                &["flushed"],
                "it is closed in the cycle after its last piece, in which no write of the host ends",
            ),
        ],
    },
    Store {
        module: "engine_router",
        name: "queue of the engine",
        registers: &["wr_q", "rd_q"],
        level: Level::Apart("wr_q", "rd_q"),
        size: |_| 4,
        operations: &[pointer!("written", In, "wr_q"), pointer!("read", Out, "rd_q")],
        never: &[
            never(&[Empty], &["read"], "`pop` needs `some`"),
            never(
                &[One, Last, Full],
                &[],
                "it holds one message at most, and none when the next one comes: proved, set `engine` of \
                 `testbench/formal/prove.sh`",
            ),
        ],
    },
];
