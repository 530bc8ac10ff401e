// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of the headers: a file for each.

#![expect(non_snake_case, reason = "names of the specification")]

mod extended;
mod shmem;
mod shmem_atomic;
mod shmem_collective;
mod shmem_deprecated;
mod shmem_rma;
mod shmem_wait;
mod shmemx;

use awgstar_caller::memory::{Array, Memory};
use std::ffi::c_int;

/// `const T *`.
type Const<T> = Array<T>;
/// `const void *`.
type ConstMemory = Memory;
/// `start`, logarithm of the stride, and number of processes of an active set.
const fn active(start: c_int, log_stride: c_int, size: c_int) -> crate::collectives::Members {
    crate::collectives::Members::Active([start, log_stride, size])
}
