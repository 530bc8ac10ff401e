// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of the headers: a file for each.

mod fdsm;
mod fdsmx;

use awgstar_caller::memory::Memory;

/// `const void *`.
type ConstMemory = Memory;
/// `fdsm_type_t` and `fdsm_op_t`.
type Type = std::ffi::c_int;
type Operation = std::ffi::c_int;
