// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards on a ring, from the rules of the specification: hosts that write, what arrives at the
//! others, and what faults do to it.

mod bench;
mod burst;
mod defences;
mod every_bit;
mod fast_path;
mod formats;
mod hang;
mod idle_skip;
mod layout;
mod loss;
mod monitor;
mod noise;
mod port;
mod registers;
mod replication;
mod reset;
mod scenario;
#[path = "../../../test_support/seeded.rs"]
mod seeded;
mod signals;
