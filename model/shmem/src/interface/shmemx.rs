// SPDX-License-Identifier: MIT OR Apache-2.0
//! `shmemx.h`: what the specification does not have.

use crate::process::Process;
use awgstar_caller::interface;
use std::ffi::c_double;

interface! {
    /// Returns the time on the machine in seconds.
    fn shmemx_wtime() -> c_double = call Process::seconds;
}
