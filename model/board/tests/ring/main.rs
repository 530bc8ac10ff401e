// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring and the node as a whole, from the rules of the specification.

mod answers;
mod delivery;
mod fast_path;
mod faults;
mod feed;
mod garbage;
mod hooks;
mod latency;
mod monitor;
mod saturation;
#[path = "../../../test_support/seeded.rs"]
mod seeded;
mod traces;
