// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames: their fields, bytes, FCS and texts, and the contract.

mod common;
mod contract;
mod examples;
mod explain;
mod fcs;
mod mac;
mod properties;
#[path = "../../../test_support/seeded.rs"]
mod seeded;
