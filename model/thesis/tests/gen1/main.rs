// SPDX-License-Identifier: MIT OR Apache-2.0
//! The current version of the system: ring, hosts, primitives (CUR, MBX).

mod alloc;
mod check;
mod frame;
mod hosts;
mod machines;
mod requests;
mod ring;
#[path = "../../../test_support/seeded.rs"]
mod seeded;
#[path = "../../../sync/tests/protocols/snapshot.rs"]
mod snapshot;
mod times;
mod work;
#[path = "../../../sync/tests/protocols/wrong.rs"]
mod wrong;
