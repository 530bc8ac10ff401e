// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gateways between rings (paper 004) on small systems: every run, with all repairs and with one left out.

mod barrier;
mod cache;
mod clusters;
#[path = "../../../test_support/document.rs"]
mod document;
mod found;
mod lock;
mod machine;
mod requests;
mod standby;
mod systems;
mod turns;
mod units;
