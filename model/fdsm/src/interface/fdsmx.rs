// SPDX-License-Identifier: MIT OR Apache-2.0
//! `fdsmx.h`: what table 1 of paper 003 does not have.

use super::ConstMemory;
use crate::process::Process;
use awgstar_caller::interface;
use std::ffi::{c_double, c_int};

interface! {
    /// Returns the number of this process, from 0.
    fn fdsmx_node() -> c_int = call |process| Ok(process.node());

    /// Returns the number of processes.
    fn fdsmx_nodes() -> c_int = call |process| Ok(process.nodes());

    /// Returns the time on the machine in seconds.
    fn fdsmx_wtime() -> c_double = call Process::seconds;

    /// Makes shared memory ready for a function of the system, to read it, or to write to it if `write` is not 0: the
    /// system has no faults, and fails with `EFAULT`. It lasts until the next call of this library that waits.
    fn fdsmx_ready(memory: ConstMemory, bytes: usize, write: c_int) =
        call |process| process.ready(memory, bytes, write);
}
