// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that a program calls if it is compiled with gcc's hooks for basic blocks, loads and stores.
//!
//! `-fsanitize-coverage=trace-pc` and `-fsanitize=thread` make the calls; `awgstar study openmp` links functions
//! that pass them on to these. A basic block takes a time on the ring, so computing is the same in every run.

use crate::{
    layout::{STACK_STEP, stack},
    rank, wire,
};
use libc::c_void;

/// A basic block begins.
#[unsafe(no_mangle)]
extern "C" fn awgstar_openmp_block() {
    awgstar_program::count_block();
}

/// Returns true if other threads have the memory at this address, too: all but the stack of this one, with what is
/// above it.
fn shared(addr: usize) -> bool {
    let (first, _) = stack(rank::rank());
    !(first..first + STACK_STEP).contains(&addr)
}

/// A load begins.
#[unsafe(no_mangle)]
extern "C" fn awgstar_openmp_load(addr: *const c_void, bytes: usize) {
    if wire::joined() && shared(addr as usize) {
        wire::count_access(bytes, false);
    }
}

/// A store begins.
#[unsafe(no_mangle)]
extern "C" fn awgstar_openmp_store(addr: *const c_void, bytes: usize) {
    if wire::joined() && shared(addr as usize) {
        wire::count_access(bytes, true);
    }
}
