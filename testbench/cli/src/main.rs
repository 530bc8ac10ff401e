// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line `awgstar`.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
