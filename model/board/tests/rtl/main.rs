// SPDX-License-Identifier: MIT OR Apache-2.0
//! The modules of the model one by one, from the rules of `docs/node.md` and the specification.

mod arbiter;
mod buffers;
mod counters;
mod egress;
mod engine_off;
mod frame;
mod ingress;
mod layout;
mod parameters;
mod receive;
#[path = "../../../test_support/seeded.rs"]
mod seeded;
