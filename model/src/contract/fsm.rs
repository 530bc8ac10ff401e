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
];
