// SPDX-License-Identifier: MIT OR Apache-2.0
//! A gateway between two rings: its modules, and runs of two rings of boards in the model with a gateway between them.

mod host;
mod reached;
pub mod rings;
mod sides;

use crate::machine::machine;
use awgstar::rtl::{
    Parameters, RingGateway, WindowGate, WindowInject, WindowTap, ring_gateway, window_gate,
    window_inject, window_tap,
};

machine!(RingGateway, ring_gateway, Parameters::DEFAULT, {
    fn reached(inputs: &[Self::Inputs], parameters: &Parameters) -> Vec<(&'static str, u64)> {
        reached::ring_gateway(inputs, parameters)
    }
});
machine!(WindowGate, window_gate, Parameters::DEFAULT);
machine!(WindowTap, window_tap, Parameters::DEFAULT);
machine!(WindowInject, window_inject, Parameters::DEFAULT);

pub use sides::{Sides, directed, random};
