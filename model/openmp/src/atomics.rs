// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions `__atomic_*` of libatomic: what `gcc -fno-inline-atomics` calls instead of atomic instructions.

use crate::{switch, sync, wire};
use libc::{c_int, c_void};

/// Does something with memory that no other thread changes meanwhile.
fn alone<R>(work: impl FnOnce() -> R) -> R {
    switch::run(|| sync::enter(wire::lock::ATOMIC, "an atomic operation"));
    let result = work();
    switch::run(|| sync::leave(wire::lock::ATOMIC));
    result
}

/// Load, store, exchange, compare and exchange for each size.
macro_rules! basic {
    ($($t:ident $load:ident $store:ident $exchange:ident $compare:ident;)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $load(at: *const $t, _order: c_int) -> $t {
            // SAFETY: the caller's pointer.
            alone(|| unsafe { at.read() })
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $store(at: *mut $t, value: $t, _order: c_int) {
            // SAFETY: the caller's pointer.
            alone(|| unsafe { at.write(value) });
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $exchange(at: *mut $t, value: $t, _order: c_int) -> $t {
            // SAFETY: the caller's pointer.
            alone(|| unsafe { at.replace(value) })
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $compare(at: *mut $t, expected: *mut $t, value: $t, _weak: bool, _success: c_int, _failure: c_int) -> bool {
            // SAFETY: the caller's pointers.
            alone(|| unsafe {
                let (old, wanted) = (at.read(), expected.read());
                if old == wanted {
                    at.write(value);
                } else {
                    expected.write(old);
                }
                old == wanted
            })
        }
    )* };
}

basic! {
    u8 __atomic_load_1 __atomic_store_1 __atomic_exchange_1 __atomic_compare_exchange_1;
    u16 __atomic_load_2 __atomic_store_2 __atomic_exchange_2 __atomic_compare_exchange_2;
    u32 __atomic_load_4 __atomic_store_4 __atomic_exchange_4 __atomic_compare_exchange_4;
    u64 __atomic_load_8 __atomic_store_8 __atomic_exchange_8 __atomic_compare_exchange_8;
    u128 __atomic_load_16 __atomic_store_16 __atomic_exchange_16 __atomic_compare_exchange_16;
}

/// Operations that give the old value, and those that give the new one.
macro_rules! updates {
    ($($t:ident $fetch:ident $update:ident |$old:ident, $value:ident| $new:expr;)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fetch(at: *mut $t, $value: $t, _order: c_int) -> $t {
            // SAFETY: the caller's pointer.
            alone(|| unsafe {
                let $old = at.read();
                at.write($new);
                $old
            })
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $update(at: *mut $t, $value: $t, _order: c_int) -> $t {
            // SAFETY: the caller's pointer.
            alone(|| unsafe {
                let $old = at.read();
                at.write($new);
                $new
            })
        }
    )* };
}

updates! {
    u8 __atomic_fetch_add_1 __atomic_add_fetch_1 |old, value| old.wrapping_add(value);
    u8 __atomic_fetch_sub_1 __atomic_sub_fetch_1 |old, value| old.wrapping_sub(value);
    u8 __atomic_fetch_and_1 __atomic_and_fetch_1 |old, value| old & value;
    u8 __atomic_fetch_or_1 __atomic_or_fetch_1 |old, value| old | value;
    u8 __atomic_fetch_xor_1 __atomic_xor_fetch_1 |old, value| old ^ value;
    u8 __atomic_fetch_nand_1 __atomic_nand_fetch_1 |old, value| !(old & value);
    u16 __atomic_fetch_add_2 __atomic_add_fetch_2 |old, value| old.wrapping_add(value);
    u16 __atomic_fetch_sub_2 __atomic_sub_fetch_2 |old, value| old.wrapping_sub(value);
    u16 __atomic_fetch_and_2 __atomic_and_fetch_2 |old, value| old & value;
    u16 __atomic_fetch_or_2 __atomic_or_fetch_2 |old, value| old | value;
    u16 __atomic_fetch_xor_2 __atomic_xor_fetch_2 |old, value| old ^ value;
    u16 __atomic_fetch_nand_2 __atomic_nand_fetch_2 |old, value| !(old & value);
    u32 __atomic_fetch_add_4 __atomic_add_fetch_4 |old, value| old.wrapping_add(value);
    u32 __atomic_fetch_sub_4 __atomic_sub_fetch_4 |old, value| old.wrapping_sub(value);
    u32 __atomic_fetch_and_4 __atomic_and_fetch_4 |old, value| old & value;
    u32 __atomic_fetch_or_4 __atomic_or_fetch_4 |old, value| old | value;
    u32 __atomic_fetch_xor_4 __atomic_xor_fetch_4 |old, value| old ^ value;
    u32 __atomic_fetch_nand_4 __atomic_nand_fetch_4 |old, value| !(old & value);
    u64 __atomic_fetch_add_8 __atomic_add_fetch_8 |old, value| old.wrapping_add(value);
    u64 __atomic_fetch_sub_8 __atomic_sub_fetch_8 |old, value| old.wrapping_sub(value);
    u64 __atomic_fetch_and_8 __atomic_and_fetch_8 |old, value| old & value;
    u64 __atomic_fetch_or_8 __atomic_or_fetch_8 |old, value| old | value;
    u64 __atomic_fetch_xor_8 __atomic_xor_fetch_8 |old, value| old ^ value;
    u64 __atomic_fetch_nand_8 __atomic_nand_fetch_8 |old, value| !(old & value);
    u128 __atomic_fetch_add_16 __atomic_add_fetch_16 |old, value| old.wrapping_add(value);
    u128 __atomic_fetch_sub_16 __atomic_sub_fetch_16 |old, value| old.wrapping_sub(value);
    u128 __atomic_fetch_and_16 __atomic_and_fetch_16 |old, value| old & value;
    u128 __atomic_fetch_or_16 __atomic_or_fetch_16 |old, value| old | value;
    u128 __atomic_fetch_xor_16 __atomic_xor_fetch_16 |old, value| old ^ value;
    u128 __atomic_fetch_nand_16 __atomic_nand_fetch_16 |old, value| !(old & value);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __atomic_load(size: usize, at: *const c_void, to: *mut c_void, _order: c_int) {
    // SAFETY: the caller's pointers, to so many bytes each.
    alone(|| unsafe { std::ptr::copy(at.cast::<u8>(), to.cast::<u8>(), size) });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __atomic_store(
    size: usize,
    at: *mut c_void,
    from: *const c_void,
    _order: c_int,
) {
    // SAFETY: the caller's pointers, to so many bytes each.
    alone(|| unsafe { std::ptr::copy(from.cast::<u8>(), at.cast::<u8>(), size) });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __atomic_exchange(
    size: usize,
    at: *mut c_void,
    from: *const c_void,
    to: *mut c_void,
    _order: c_int,
) {
    // SAFETY: the caller's pointers, to so many bytes each.
    alone(|| unsafe {
        std::ptr::copy(at.cast::<u8>(), to.cast::<u8>(), size);
        std::ptr::copy(from.cast::<u8>(), at.cast::<u8>(), size);
    });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __atomic_compare_exchange(
    size: usize,
    at: *mut c_void,
    expected: *mut c_void,
    from: *const c_void,
    _success: c_int,
    _failure: c_int,
) -> bool {
    // SAFETY: the caller's pointers, to so many bytes each.
    alone(|| unsafe {
        let same = libc::memcmp(at, expected, size) == 0;
        if same {
            std::ptr::copy(from.cast::<u8>(), at.cast::<u8>(), size);
        } else {
            std::ptr::copy(at.cast::<u8>(), expected.cast::<u8>(), size);
        }
        same
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __atomic_test_and_set_1(at: *mut u8, _order: c_int) -> bool {
    // SAFETY: the caller's pointer.
    alone(|| unsafe { at.replace(1) != 0 })
}

#[unsafe(no_mangle)]
extern "C" fn __atomic_is_lock_free(_size: usize, _at: *const c_void) -> bool {
    false
}

/// A fence stands for a flush.
#[unsafe(no_mangle)]
extern "C" fn __atomic_thread_fence(_order: c_int) {
    switch::run(sync::flush);
}
