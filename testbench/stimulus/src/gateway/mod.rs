// SPDX-License-Identifier: MIT OR Apache-2.0
//! A gateway between two rings: its modules, and runs of two rings of boards in the model with a gateway between them.

mod host;
pub mod rings;

use crate::machine::machine;
use awgstar::rtl::{
    Parameters, RingGateway, WindowGate, WindowInject, WindowTap, ring_gateway, window_gate,
    window_inject, window_tap,
};

machine!(RingGateway, ring_gateway, Parameters::DEFAULT);
machine!(WindowGate, window_gate, Parameters::DEFAULT);
machine!(WindowTap, window_tap, Parameters::DEFAULT);
machine!(WindowInject, window_inject, Parameters::DEFAULT);
