// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of each module, as changes of its registers.

/// A change of registers in one cycle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Bits of the register become 1.
    Rises(&'static str),
    /// Bits of the register become 0.
    Falls(&'static str),
    /// Bits of the register become 0 in this state of the module.
    FallsIn(&'static str, &'static str),
    /// The module goes from one state to another.
    Turns(&'static str, &'static str),
    /// The register begins anew.
    Wraps(&'static str),
    /// The register, a number of words, comes to its maximum.
    Fills(&'static str),
    /// The pointers come to be one memory length apart.
    Apart(&'static str, &'static str),
    /// An event of this number in `node_counters`.
    Counter(u8),
}

impl Kind {
    /// Registers that the event depends on, the first is the one whose width counts.
    pub(super) fn registers(self) -> Vec<&'static str> {
        match self {
            Kind::Rises(r) | Kind::Falls(r) | Kind::Wraps(r) | Kind::Fills(r) => vec![r],
            Kind::FallsIn(r, _) => vec![r, "state_q"],
            Kind::Turns(..) => vec!["state_q"],
            Kind::Apart(wr, rd) => vec![wr, rd],
            Kind::Counter(_) => vec!["pending_q", "scan_q", "clear_q"],
        }
    }
}

/// An event of a module.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) module: &'static str,
    pub(super) group: &'static str,
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

const fn event(module: &'static str, group: &'static str, name: &'static str, kind: Kind) -> Event {
    Event { module, group, name, kind }
}

/// Without one of these the engine has not acted.
pub(super) const ENGINE: [&str; 3] = ["locks taken", "barriers passed", "signals sent"];

/// Without one of these no board has joined.
pub(super) const JOIN: [&str; 4] =
    ["fences returned", "answers counted", "answers returned", "words filled"];

pub(super) const EVENTS: &[Event] = &[
    event("node_counters", "node", "passed on", Kind::Counter(0)),
    event("node_counters", "node", "returned good", Kind::Counter(1)),
    event("node_counters", "node", "returned bad", Kind::Counter(2)),
    event("node_counters", "node", "tokens taken", Kind::Counter(3)),
    event("node_counters", "node", "cut", Kind::Counter(5)),
    event("node_counters", "node", "dropped", Kind::Counter(6)),
    event("node_counters", "node", "delivered", Kind::Counter(7)),
    event("node_counters", "node", "wrong FCS", Kind::Counter(8)),
    event("node_counters", "node", "no room to receive", Kind::Counter(10)),
    event("node_counters", "node", "data sent", Kind::Counter(11)),
    event("node_counters", "node", "signals sent", Kind::Counter(12)),
    event("node_counters", "node", "free tokens sent", Kind::Counter(13)),
    event("insert_buffer", "full", "insertion buffer", Kind::Fills("words_q")),
    event("rx_buffer", "full", "receive buffer", Kind::Apart("wr_ptr_q", "rd_ptr_q")),
    event("rx_buffer", "full", "received headers", Kind::Apart("hdr_wr_q", "hdr_rd_q")),
    event("data_window", "full", "retransmit buffer", Kind::Rises("words_full_q")),
    event("data_window", "full", "frames to be acknowledged", Kind::Rises("frames_full_q")),
    event("signal_sender", "full", "signal queue", Kind::Apart("wr_q", "rd_q")),
    event("mail_box", "full", "mailbox", Kind::Apart("wr_q", "rd_q")),
    event("insert_buffer", "wraps", "insertion buffer", Kind::Wraps("wr_ptr_q")),
    event("rx_buffer", "wraps", "receive buffer", Kind::Wraps("wr_ptr_q")),
    event("rx_buffer", "wraps", "received headers", Kind::Wraps("hdr_wr_q")),
    event("data_window", "wraps", "retransmit buffer", Kind::Wraps("wr_q")),
    event("data_window", "wraps", "frame numbers", Kind::Wraps("tail_q")),
    event("signal_sender", "wraps", "signal queue", Kind::Wraps("wr_q")),
    event("signal_sender", "wraps", "signal numbers", Kind::Wraps("number_q")),
    event("mail_box", "wraps", "mailbox", Kind::Wraps("wr_q")),
    event("data_window", "retransmissions", "data", Kind::Falls("rewind_q")),
    event("signal_sender", "retransmissions", "signals", Kind::Turns("flight", "wait")),
    event("join_fence", "join", "fences returned", Kind::Rises("fenced_q")),
    event("join_fence", "join", "answers counted", Kind::Rises("heard_q")),
    event("join_fence", "join", "answers returned", Kind::Turns("answered", "idle")),
    event("join_fence", "join", "replicas whole", Kind::Rises("whole_q")),
    event("join_regs", "join", "words filled", Kind::Turns("fill", "answer")),
    event("lock_engine", "engine", "locks taken", Kind::Rises("held_q")),
    event("lock_engine", "engine", "locks asked for", Kind::Rises("asking_q")),
    event("lock_engine", "engine", "locks passed on", Kind::Rises("given_q")),
    event("lock_engine", "engine", "signals sent", Kind::Rises("out_valid_q")),
    event("barrier_engine", "engine", "arrivals", Kind::Rises("waiting_q")),
    event("barrier_engine", "engine", "barriers passed", Kind::FallsIn("waiting_q", "count")),
    event("barrier_engine", "engine", "signals sent", Kind::Rises("out_valid_q")),
];
