// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes of a value in one step.

use super::Const;
use crate::types::{families, table};
use awgstar_caller::memory::Array;
use awgstar_onesided::Op;
use std::ffi::c_int;

families! {
    /// Returns a value of a PE.
    fn ["" extended "_atomic_fetch"] ctx (source: Const<T>, pe: c_int) -> T = on |on| on.fetch(source, pe);

    /// Sets a value of a PE.
    fn ["" extended "_atomic_set"] ctx (dest: Array<T>, value: T, pe: c_int) =
        on |on| on.update(Op::Swap, dest, value, pe).map(|_| ());

    /// Sets a value of a PE, and returns the one from before.
    fn ["" extended "_atomic_swap"] ctx (dest: Array<T>, value: T, pe: c_int) -> T =
        on |on| on.update(Op::Swap, dest, value, pe);

    /// Sets a value of a PE if it is `cond`, and returns the one from before.
    fn ["" atomics "_atomic_compare_swap"] ctx (dest: Array<T>, cond: T, value: T, pe: c_int) -> T =
        on |on| on.compare_swap(dest, cond, value, pe);

    /// Adds 1 to a value of a PE, and returns the one from before.
    fn ["" atomics "_atomic_fetch_inc"] ctx (dest: Array<T>, pe: c_int) -> T = on |on| on.increment(dest, pe);

    /// Adds 1 to a value of a PE.
    fn ["" atomics "_atomic_inc"] ctx (dest: Array<T>, pe: c_int) = on |on| on.increment(dest, pe).map(|_| ());

    /// Adds to a value of a PE, and returns the one from before.
    fn ["" atomics "_atomic_fetch_add"] ctx (dest: Array<T>, value: T, pe: c_int) -> T =
        on |on| on.update(Op::Add, dest, value, pe);

    /// Adds to a value of a PE.
    fn ["" atomics "_atomic_add"] ctx (dest: Array<T>, value: T, pe: c_int) =
        on |on| on.update(Op::Add, dest, value, pe).map(|_| ());

    /// Ands a value of a PE, and returns the one from before.
    fn ["" bitwise "_atomic_fetch_and"] ctx (dest: Array<T>, value: T, pe: c_int) -> T =
        on |on| on.update(Op::And, dest, value, pe);

    /// Ands a value of a PE.
    fn ["" bitwise "_atomic_and"] ctx (dest: Array<T>, value: T, pe: c_int) =
        on |on| on.update(Op::And, dest, value, pe).map(|_| ());

    /// Ors a value of a PE, and returns the one from before.
    fn ["" bitwise "_atomic_fetch_or"] ctx (dest: Array<T>, value: T, pe: c_int) -> T =
        on |on| on.update(Op::Or, dest, value, pe);

    /// Ors a value of a PE.
    fn ["" bitwise "_atomic_or"] ctx (dest: Array<T>, value: T, pe: c_int) =
        on |on| on.update(Op::Or, dest, value, pe).map(|_| ());

    /// Exclusively ors a value of a PE, and returns the one from before.
    fn ["" bitwise "_atomic_fetch_xor"] ctx (dest: Array<T>, value: T, pe: c_int) -> T =
        on |on| on.update(Op::Xor, dest, value, pe);

    /// Exclusively ors a value of a PE.
    fn ["" bitwise "_atomic_xor"] ctx (dest: Array<T>, value: T, pe: c_int) =
        on |on| on.update(Op::Xor, dest, value, pe).map(|_| ());

    /// Gives a value of a PE; `shmem_quiet` waits for it, as for the following.
    fn ["" extended "_atomic_fetch_nbi"] ctx (fetch: Array<T>, source: Const<T>, pe: c_int) =
        on |on| fetch.set("fetch", [on.fetch(source, pe)?]);

    /// Sets a value of a PE, and gives the one from before.
    fn ["" extended "_atomic_swap_nbi"] ctx (fetch: Array<T>, dest: Array<T>, value: T, pe: c_int) =
        on |on| fetch.set("fetch", [on.update(Op::Swap, dest, value, pe)?]);

    /// Sets a value of a PE if it is `cond`, and gives the one from before.
    fn ["" atomics "_atomic_compare_swap_nbi"] ctx (
        fetch: Array<T>, dest: Array<T>, cond: T, value: T, pe: c_int,
    ) = on |on| fetch.set("fetch", [on.compare_swap(dest, cond, value, pe)?]);

    /// Adds 1 to a value of a PE, and gives the one from before.
    fn ["" atomics "_atomic_fetch_inc_nbi"] ctx (fetch: Array<T>, dest: Array<T>, pe: c_int) =
        on |on| fetch.set("fetch", [on.increment(dest, pe)?]);

    /// Adds to a value of a PE, and gives the one from before.
    fn ["" atomics "_atomic_fetch_add_nbi"] ctx (fetch: Array<T>, dest: Array<T>, value: T, pe: c_int) =
        on |on| fetch.set("fetch", [on.update(Op::Add, dest, value, pe)?]);

    /// Ands a value of a PE, and gives the one from before.
    fn ["" bitwise "_atomic_fetch_and_nbi"] ctx (fetch: Array<T>, dest: Array<T>, value: T, pe: c_int) =
        on |on| fetch.set("fetch", [on.update(Op::And, dest, value, pe)?]);

    /// Ors a value of a PE, and gives the one from before.
    fn ["" bitwise "_atomic_fetch_or_nbi"] ctx (fetch: Array<T>, dest: Array<T>, value: T, pe: c_int) =
        on |on| fetch.set("fetch", [on.update(Op::Or, dest, value, pe)?]);

    /// Exclusively ors a value of a PE, and gives the one from before.
    fn ["" bitwise "_atomic_fetch_xor_nbi"] ctx (fetch: Array<T>, dest: Array<T>, value: T, pe: c_int) =
        on |on| fetch.set("fetch", [on.update(Op::Xor, dest, value, pe)?]);
}
