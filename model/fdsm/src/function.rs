// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that all processes call together.

/// A function that all call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Function {
    Allocate = 1,
    Free,
    Reduce,
    Finalize,
}

impl Function {
    /// What is said when another process calls it.
    pub(crate) const fn called(number: u64) -> &'static str {
        match number {
            1 => "another process calls fdsm_alloc",
            2 => "another process calls fdsm_free",
            3 => "another process calls fdsm_reduce",
            4 => "another process calls fdsm_finalize",
            _ => "another process calls fdsm_after_loop",
        }
    }
}
