// SPDX-License-Identifier: MIT OR Apache-2.0
//! One-sided programs on rings of replicas.

mod holds;
mod holes;
mod misuse;

/// Requests are counted from here: the second one of a process has the number 0.
const FROM: u16 = 0xfffe;
