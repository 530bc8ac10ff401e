//! Cycle-accurate model of the Verilog: one file per module of `hdl/`, with the same ports,
//! registers and states (LCK-2). `docs/node.md` says what each register does.
//!
//! Every module has `Inputs`, `Outputs` and a struct of its registers with two functions:
//! `outputs(&self, &Inputs) -> Outputs`, what stands on the ports just before the clock edge, and
//! `clock(&mut self, &Inputs)`, the edge itself, synchronous reset included.

pub mod insert_buffer;
pub mod order_gate;
pub mod state;

pub use insert_buffer::InsertBuffer;
pub use order_gate::OrderGate;
