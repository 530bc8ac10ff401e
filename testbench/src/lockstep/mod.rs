//! Lockstep: model and verilated Verilog fed with the same inputs, every output, register and
//! memory word compared every cycle (LCK-1 to LCK-5).

pub mod build;
pub mod shape;
pub mod shim;
pub mod verilated;
