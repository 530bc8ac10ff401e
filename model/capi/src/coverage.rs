// SPDX-License-Identifier: MIT OR Apache-2.0
//! The function that a compiler calls in each basic block. It is not in the header: no program calls it itself.

/// A program that was compiled with `-fsanitize-coverage=trace-pc` calls this function in each basic block.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn __sanitizer_cov_trace_pc() {
    awgstar_program::count_block();
}
