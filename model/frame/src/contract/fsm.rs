// SPDX-License-Identifier: MIT OR Apache-2.0
//! State encodings of the RTL's state machines: (module, [(state, code)]).

/// A state machine of one Verilog module.
#[derive(Clone, Copy, Debug)]
pub struct Fsm {
    /// Verilog module.
    pub module: &'static str,
    /// Width of `state_q` in bits.
    pub bits: usize,
    /// State names and codes, reset state first.
    pub states: &'static [(&'static str, u8)],
}

/// Every state machine, in the order of the modules.
pub const FSMS: &[Fsm] = &[
    Fsm { module: "frame_tx", bits: 2, states: &[("idle", 0), ("send", 1), ("drain", 2)] },
    Fsm { module: "frame_rx", bits: 2, states: &[("idle", 0), ("frame", 1), ("flush", 2)] },
    Fsm {
        module: "ring_ingress",
        bits: 2,
        states: &[("gap", 0), ("idle", 1), ("pass", 2), ("skip", 3)],
    },
    Fsm { module: "ring_egress", bits: 2, states: &[("ready", 0), ("pass", 1), ("insert", 2)] },
    Fsm { module: "axil_port", bits: 2, states: &[("idle", 0), ("busy", 1), ("done", 2)] },
    Fsm { module: "host_window", bits: 2, states: &[("idle", 0), ("read", 1), ("second", 2)] },
    Fsm {
        module: "data_window",
        bits: 2,
        states: &[("idle", 0), ("load", 1), ("offer", 2), ("stream", 3)],
    },
    Fsm {
        module: "signal_sender",
        bits: 3,
        states: &[("idle", 0), ("wait", 1), ("offer", 2), ("stream", 3), ("flight", 4)],
    },
    Fsm {
        module: "link_control",
        bits: 3,
        states: &[
            ("off", 0),
            ("sync", 1),
            ("syncing", 2),
            ("ready", 3),
            ("beat", 4),
            ("census", 5),
        ],
    },
    Fsm {
        module: "rx_sorter",
        bits: 3,
        states: &[
            ("clear", 0),
            ("idle", 1),
            ("look", 2),
            ("judge", 3),
            ("data", 4),
            ("head", 5),
            ("body", 6),
            ("drop", 7),
        ],
    },
    Fsm { module: "mem_writer", bits: 2, states: &[("idle", 0), ("run", 1), ("tail", 2)] },
    Fsm {
        module: "barrier_engine",
        bits: 3,
        states: &[
            ("clear", 0),
            ("load", 1),
            ("add", 2),
            ("idle", 3),
            ("look", 4),
            ("count", 5),
            ("scan", 6),
            ("send", 7),
        ],
    },
    Fsm { module: "host_regs", bits: 1, states: &[("idle", 0), ("answer", 1)] },
    Fsm {
        module: "join_regs",
        bits: 2,
        states: &[("idle", 0), ("look", 1), ("fill", 2), ("answer", 3)],
    },
    Fsm {
        module: "join_fence",
        bits: 3,
        states: &[("idle", 0), ("fence", 1), ("fencing", 2), ("here", 3), ("answered", 4)],
    },
    Fsm { module: "engine_regs", bits: 2, states: &[("idle", 0), ("command", 1), ("answer", 2)] },
    Fsm {
        module: "lock_engine",
        bits: 4,
        states: &[
            ("clear", 0),
            ("idle", 1),
            ("look", 2),
            ("act", 3),
            ("append", 4),
            ("pop", 5),
            ("give", 6),
            ("command", 7),
            ("load", 8),
            ("return", 9),
        ],
    },
];

/// Code of a state, for constants of the model.
///
/// # Panics
/// If the contract has no such state: at compile time, in a constant.
#[must_use]
pub const fn code(module: &str, state: &str) -> u8 {
    let mut m = 0;
    while m < FSMS.len() {
        let fsm = &FSMS[m];
        m += 1;
        let mut s = 0;
        while s < fsm.states.len() {
            let (name, code) = fsm.states[s];
            if same(fsm.module, module) && same(name, state) {
                return code;
            }
            s += 1;
        }
    }
    panic!("no such state in the contract")
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}
