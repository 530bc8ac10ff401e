// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks. The variable of a lock holds the number of a lock of the layer below and 1, in process 0: who needs it first
//! takes the next number.

use std::collections::BTreeMap;

/// Locks that have a number.
pub(crate) const LOCKS: u64 = 1 << 16;

/// Locks that this process holds: their numbers, by the address of the variable.
pub(crate) type Held = BTreeMap<usize, u32>;
