// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lock and barrier engine beside the firmware's state machines: the same after every event, and in
//! their place in the model checker.

mod adapter;
mod engine_barrier;
mod router;
#[path = "../../../test_support/seeded.rs"]
mod seeded;
