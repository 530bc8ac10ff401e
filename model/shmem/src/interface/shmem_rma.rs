// SPDX-License-Identifier: MIT OR Apache-2.0
//! Put and get, with their signals.

use super::Const;
use crate::types::{families, table};
use awgstar_caller::{interface, memory::Array};
use std::ffi::c_int;

families! {
    /// Copies elements to a PE.
    fn ["" rma "_put", "put" sizes "", "put" mem ""] ctx (
        dest: Array<T>, source: Const<T>, nelems: usize, pe: c_int,
    ) = on |on| on.put(dest, source, nelems, pe);

    /// Copies elements from a PE.
    fn ["" rma "_get", "get" sizes "", "get" mem ""] ctx (
        dest: Array<T>, source: Const<T>, nelems: usize, pe: c_int,
    ) = on |on| on.get(dest, source, nelems, pe);

    /// Begins to copy elements to a PE: they are taken in the call, and `shmem_quiet` waits until they are in place.
    fn ["" rma "_put_nbi", "put" sizes "_nbi", "put" mem "_nbi"] ctx (
        dest: Array<T>, source: Const<T>, nelems: usize, pe: c_int,
    ) = on |on| on.put(dest, source, nelems, pe);

    /// Begins to copy elements from a PE, which ends in the call.
    fn ["" rma "_get_nbi", "get" sizes "_nbi", "get" mem "_nbi"] ctx (
        dest: Array<T>, source: Const<T>, nelems: usize, pe: c_int,
    ) = on |on| on.get(dest, source, nelems, pe);

    /// Copies an element to a PE.
    fn ["" values "_p"] ctx (dest: Array<T>, value: T, pe: c_int) = on |on| on.put_value(dest, value, pe);

    /// Returns an element of a PE.
    fn ["" values "_g"] ctx (source: Const<T>, pe: c_int) -> T = on |on| on.get_value(source, pe);

    /// Copies elements to a PE, every `sst`th here to every `dst`th there.
    fn ["" rma "_iput", "iput" sizes ""] ctx (
        dest: Array<T>, source: Const<T>, dst: isize, sst: isize, nelems: usize, pe: c_int,
    ) = on |on| on.put_strided(dest, source, [dst, sst], nelems, pe);

    /// Copies elements from a PE, every `sst`th there to every `dst`th here.
    fn ["" rma "_iget", "iget" sizes ""] ctx (
        dest: Array<T>, source: Const<T>, dst: isize, sst: isize, nelems: usize, pe: c_int,
    ) = on |on| on.get_strided(dest, source, [dst, sst], nelems, pe);

    /// Copies elements to a PE, and then sets or adds to a word there (`SHMEM_SIGNAL_SET`, `SHMEM_SIGNAL_ADD`).
    fn ["" rma "_put_signal", "put" sizes "_signal", "put" mem "_signal"] ctx (
        dest: Array<T>, source: Const<T>, nelems: usize, sig_addr: Array<u64>, signal: u64, sig_op: c_int, pe: c_int,
    ) = on |on| on.put_signal(dest, source, nelems, (sig_addr, signal, sig_op), pe);

    /// Begins to do so.
    fn ["" rma "_put_signal_nbi", "put" sizes "_signal_nbi", "put" mem "_signal_nbi"] ctx (
        dest: Array<T>, source: Const<T>, nelems: usize, sig_addr: Array<u64>, signal: u64, sig_op: c_int, pe: c_int,
    ) = on |on| on.put_signal(dest, source, nelems, (sig_addr, signal, sig_op), pe);
}

interface! {
    /// Returns a signal of this PE.
    fn shmem_signal_fetch(sig_addr: Const<u64>) -> u64 = call |process| {
        process.word("sig_addr", sig_addr, process.world.rank())?;
        // A loop of looks must not stop time.
        process.world.progress()?;
        sig_addr.get("sig_addr")
    };

    /// Waits until a signal of this PE compares with a value, and returns it.
    fn shmem_signal_wait_until(sig_addr: Array<u64>, cmp: c_int, cmp_value: u64) -> u64 =
        call |process| process.wait_until("sig_addr", sig_addr, cmp, cmp_value);
}
