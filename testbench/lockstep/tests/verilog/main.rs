// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests that run a simulator or build mutants for many seconds each. One binary, because binaries run one
//! after another and most of these tests keep one core busy.

mod board;
mod board_mutants;
mod board_vectors;
mod burst;
mod committed;
mod conform_board;
mod engine;
mod engine_barrier;
mod engine_vectors;
mod fates;
mod firmware_mutants;
mod gateway;
mod join;
mod link;
mod lock_engine;
mod module_mutants;
mod node;
mod node_mutants;
mod parameters;
mod total;
mod work;

/// A quarter of the random cases, all of them where `testbench/long.sh` runs the tests: it sets `AWGSTAR_CASES`.
fn part(cases: usize) -> usize {
    if whole() { cases } else { cases.div_ceil(4) }
}

/// Whether every case of a table is played.
fn whole() -> bool {
    std::env::var_os("AWGSTAR_CASES").is_some()
}
