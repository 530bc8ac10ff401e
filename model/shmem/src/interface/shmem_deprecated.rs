// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that the specification keeps for old programs. An active set is every 2^`logPE_stride`th PE from
//! `PE_start` on, `PE_size` of them; work arrays (`pSync`, `pWrk`) are not used.

use super::{Const, active};
use crate::{
    state::State,
    teams::Context,
    types::{families, table},
};
use awgstar_caller::{
    heap::ALIGNED,
    interface,
    memory::{Array, Memory},
    numbers::Reduction,
    wrong::size,
};
use awgstar_onesided::Op;
use std::ffi::{c_int, c_long};

/// `SHMEM_CMP_NE`.
const NOT_EQUAL: c_int = 1;

interface! {
    /// As `shmem_init`; again it does nothing.
    fn start_pes(npes: c_int) = always |state| {
        let _ = npes;
        State::start_once(state, crate::ended)
    };

    /// As `shmem_my_pe`.
    fn _my_pe() -> c_int = call |process| Ok(process.me());

    /// As `shmem_n_pes`.
    fn _num_pes() -> c_int = call |process| Ok(process.processes());

    /// As `shmem_malloc`.
    fn shmalloc(size: usize) -> Memory = call |process| process.allocate("size", size, ALIGNED);

    /// As `shmem_free`.
    fn shfree(ptr: Memory) = call |process| process.free(ptr);

    /// As `shmem_realloc`.
    fn shrealloc(ptr: Memory, size: usize) -> Memory = call |process| process.reallocate(ptr, size);

    /// As `shmem_align`.
    fn shmemalign(alignment: usize, size: usize) -> Memory =
        call |process| process.allocate("size", size, alignment);

    /// Publishes what was stored, and lets what has arrived be seen; the following four do as much.
    fn shmem_clear_cache_inv() = call |process| process.fence(Context::DEFAULT);

    /// As `shmem_clear_cache_inv`.
    fn shmem_clear_cache_line_inv(dest: Memory) = call |process| {
        let _ = dest;
        process.fence(Context::DEFAULT)
    };

    /// As `shmem_clear_cache_inv`.
    fn shmem_set_cache_inv() = call |process| process.fence(Context::DEFAULT);

    /// As `shmem_clear_cache_inv`.
    fn shmem_set_cache_line_inv(dest: Memory) = call |process| {
        let _ = dest;
        process.fence(Context::DEFAULT)
    };

    /// As `shmem_clear_cache_inv`.
    fn shmem_udcflush() = call |process| process.fence(Context::DEFAULT);

    /// As `shmem_clear_cache_inv`.
    fn shmem_udcflush_line(dest: Memory) = call |process| {
        let _ = dest;
        process.fence(Context::DEFAULT)
    };

    /// Waits until a variable of this PE is not `cmp_value`.
    fn shmem_wait(ivar: Array<c_long>, cmp_value: c_long) =
        call |process| process.wait_until("ivar", ivar, NOT_EQUAL, cmp_value).map(|_| ());

    /// As `shmem_long_wait_until`.
    fn shmem_wait_until(ivar: Array<c_long>, cmp: c_int, cmp_value: c_long) =
        call |process| process.wait_until("ivar", ivar, cmp, cmp_value).map(|_| ());

    /// Waits for an active set, after what this PE has put and stored is in place.
    fn shmem_barrier(PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: Array<c_long>) =
        call |process| {
            let _ = pSync;
            process.barrier(&active(PE_start, logPE_stride, PE_size))
        };

    /// Waits for an active set. What its PEs have stored before is published.
    fn shmem_sync(PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: Array<c_long>) =
        call |process| {
            let _ = pSync;
            process.sync(&active(PE_start, logPE_stride, PE_size))
        };
}

families! {
    /// Waits until a variable of this PE is not `cmp_value`.
    fn ["" old_integers "_wait"](ivar: Array<T>, cmp_value: T) =
        call |process| process.wait_until("ivar", ivar, NOT_EQUAL, cmp_value).map(|_| ());

    /// Waits until a variable of this PE compares with a value.
    fn ["" shorts "_wait_until"](ivar: Array<T>, cmp: c_int, cmp_value: T) =
        call |process| process.wait_until("ivar", ivar, cmp, cmp_value).map(|_| ());

    /// Lets time pass, and returns 1 if a variable of this PE compares with a value.
    fn ["" shorts "_test"](ivar: Array<T>, cmp: c_int, cmp_value: T) -> c_int =
        call |process| Ok(c_int::from(process.test(ivar, cmp, cmp_value)?));

    /// As `shmem_atomic_fetch`.
    fn ["" old_extended "_fetch"](source: Const<T>, pe: c_int) -> T = default |on| on.fetch(source, pe);

    /// As `shmem_atomic_set`.
    fn ["" old_extended "_set"](dest: Array<T>, value: T, pe: c_int) =
        default |on| on.update(Op::Swap, dest, value, pe).map(|_| ());

    /// As `shmem_atomic_swap`.
    fn ["" old_extended "_swap"](dest: Array<T>, value: T, pe: c_int) -> T =
        default |on| on.update(Op::Swap, dest, value, pe);

    /// As `shmem_atomic_compare_swap`.
    fn ["" old "_cswap"](dest: Array<T>, cond: T, value: T, pe: c_int) -> T =
        default |on| on.compare_swap(dest, cond, value, pe);

    /// As `shmem_atomic_fetch_inc`.
    fn ["" old "_finc"](dest: Array<T>, pe: c_int) -> T = default |on| on.increment(dest, pe);

    /// As `shmem_atomic_inc`.
    fn ["" old "_inc"](dest: Array<T>, pe: c_int) = default |on| on.increment(dest, pe).map(|_| ());

    /// As `shmem_atomic_fetch_add`.
    fn ["" old "_fadd"](dest: Array<T>, value: T, pe: c_int) -> T =
        default |on| on.update(Op::Add, dest, value, pe);

    /// As `shmem_atomic_add`.
    fn ["" old "_add"](dest: Array<T>, value: T, pe: c_int) =
        default |on| on.update(Op::Add, dest, value, pe).map(|_| ());

    /// Gives the others of an active set the elements of one.
    fn ["broadcast" widths ""](
        dest: Array<T>, source: Const<T>, nelems: usize, PE_root: c_int, PE_start: c_int, logPE_stride: c_int,
        PE_size: c_int, pSync: Array<c_long>,
    ) = call |process| {
        let _ = pSync;
        process.broadcast(&active(PE_start, logPE_stride, PE_size), dest, source, nelems, PE_root)
    };

    /// Gives an active set the elements of all, one PE after the other. Numbers of elements may differ.
    fn ["collect" widths ""](
        dest: Array<T>, source: Const<T>, nelems: usize, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pSync: Array<c_long>,
    ) = call |process| {
        let _ = pSync;
        process.collect(&active(PE_start, logPE_stride, PE_size), dest, source, nelems, false)
    };

    /// As `collect`, with the same number of elements of each PE.
    fn ["fcollect" widths ""](
        dest: Array<T>, source: Const<T>, nelems: usize, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pSync: Array<c_long>,
    ) = call |process| {
        let _ = pSync;
        process.collect(&active(PE_start, logPE_stride, PE_size), dest, source, nelems, true)
    };

    /// Gives each PE of an active set a block of elements of each other.
    fn ["alltoall" widths ""](
        dest: Array<T>, source: Const<T>, nelems: usize, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pSync: Array<c_long>,
    ) = call |process| {
        let _ = pSync;
        process.exchange(&active(PE_start, logPE_stride, PE_size), dest, source, [1, 1], nelems)
    };

    /// As `alltoall`, of every `sst`th element to every `dst`th place.
    fn ["alltoalls" widths ""](
        dest: Array<T>, source: Const<T>, dst: isize, sst: isize, nelems: usize, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pSync: Array<c_long>,
    ) = call |process| {
        let _ = pSync;
        process.exchange(&active(PE_start, logPE_stride, PE_size), dest, source, [dst, sst], nelems)
    };

    /// Gives an active set the bitwise and of the elements of all.
    fn ["" old_integers "_and_to_all"](
        dest: Array<T>, source: Const<T>, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pWrk: Array<T>, pSync: Array<c_long>,
    ) = call |process| {
        let _ = (pWrk, pSync);
        let set = active(PE_start, logPE_stride, PE_size);
        process.reduce(&set, Reduction::BitAnd, dest, source, size("nreduce", nreduce)?)
    };

    /// Gives an active set the bitwise or of the elements of all.
    fn ["" old_integers "_or_to_all"](
        dest: Array<T>, source: Const<T>, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pWrk: Array<T>, pSync: Array<c_long>,
    ) = call |process| {
        let _ = (pWrk, pSync);
        let set = active(PE_start, logPE_stride, PE_size);
        process.reduce(&set, Reduction::BitOr, dest, source, size("nreduce", nreduce)?)
    };

    /// Gives an active set the bitwise exclusive or of the elements of all.
    fn ["" old_integers "_xor_to_all"](
        dest: Array<T>, source: Const<T>, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pWrk: Array<T>, pSync: Array<c_long>,
    ) = call |process| {
        let _ = (pWrk, pSync);
        let set = active(PE_start, logPE_stride, PE_size);
        process.reduce(&set, Reduction::BitXor, dest, source, size("nreduce", nreduce)?)
    };

    /// Gives an active set the greatest of the elements of all.
    fn ["" old_ordered "_max_to_all"](
        dest: Array<T>, source: Const<T>, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pWrk: Array<T>, pSync: Array<c_long>,
    ) = call |process| {
        let _ = (pWrk, pSync);
        let set = active(PE_start, logPE_stride, PE_size);
        process.reduce(&set, Reduction::Max, dest, source, size("nreduce", nreduce)?)
    };

    /// Gives an active set the least of the elements of all.
    fn ["" old_ordered "_min_to_all"](
        dest: Array<T>, source: Const<T>, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pWrk: Array<T>, pSync: Array<c_long>,
    ) = call |process| {
        let _ = (pWrk, pSync);
        let set = active(PE_start, logPE_stride, PE_size);
        process.reduce(&set, Reduction::Min, dest, source, size("nreduce", nreduce)?)
    };

    /// Gives an active set the sum of the elements of all.
    fn ["" old_sums "_sum_to_all"](
        dest: Array<T>, source: Const<T>, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pWrk: Array<T>, pSync: Array<c_long>,
    ) = call |process| {
        let _ = (pWrk, pSync);
        let set = active(PE_start, logPE_stride, PE_size);
        process.reduce(&set, Reduction::Sum, dest, source, size("nreduce", nreduce)?)
    };

    /// Gives an active set the product of the elements of all.
    fn ["" old_sums "_prod_to_all"](
        dest: Array<T>, source: Const<T>, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int,
        pWrk: Array<T>, pSync: Array<c_long>,
    ) = call |process| {
        let _ = (pWrk, pSync);
        let set = active(PE_start, logPE_stride, PE_size);
        process.reduce(&set, Reduction::Product, dest, source, size("nreduce", nreduce)?)
    };
}
