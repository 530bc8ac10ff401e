// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program whose threads end long after one another is not stalled, and a killed command leaves no thread.

use super::{built, compile, ring, ring_command};
use crate::killed::leaves_nothing;
use std::time::Duration;

/// Thread 0 has 240,000 bytes to write, for more than a second of generation 1, when the other one has ended.
#[test]
fn big_threadprivate_data_on_generation_1() {
    let options = ["-fopenmp", "-O1", "-Wall", "-Wextra", "-Werror"];
    compile("gcc", &options, "programs/private.c", &built().join("private"));
    let found = ring("--machine gen1", 2, &["private"]);
    assert_eq!(found, (0, "899970000\n".into(), String::new()));
}

/// Threads are processes that the program has forked: they compute, or wait for one another.
#[test]
fn a_killed_command_leaves_no_thread() {
    for number in 0..6_u64 {
        let moment = Duration::from_millis(number * 7919 % 300);
        let command = &mut ring_command("--machine gen1", 4, &["cg", "256", "300"]);
        leaves_nothing(command, number, moment);
    }
}
