// SPDX-License-Identifier: MIT OR Apache-2.0
//! `long double` by value, which Rust has not: the caller puts an argument on the stack, and takes a result from the
//! first register of the x87 unit.

use super::Const;
use crate::{on, teams::Context, types::Extended};
use awgstar_caller::memory::Array;
use std::{arch::naked_asm, ffi::c_int};

extern "C" fn put(ctx: Context, dest: Array<Extended>, value: Const<Extended>, pe: c_int) {
    on::<(), ()>("shmem_longdouble_p", ctx, |on| on.put(dest, value, 1, pe));
}

extern "C" fn get(ctx: Context, source: Const<Extended>, pe: c_int, to: Array<Extended>) {
    on::<(), ()>("shmem_longdouble_g", ctx, |on| on.get(to, source, 1, pe));
}

/// Copies a number to a PE: (dest, value on the stack, pe).
#[unsafe(export_name = "shmem_longdouble_p")]
#[unsafe(naked)]
extern "C" fn plain_put() {
    naked_asm!(
        "mov ecx, esi",
        "mov rsi, rdi",
        "mov edi, 1",
        "lea rdx, [rsp + 8]",
        "jmp {}",
        sym put,
    )
}

/// Copies a number to a PE: (ctx, dest, value on the stack, pe).
#[unsafe(export_name = "shmem_ctx_longdouble_p")]
#[unsafe(naked)]
extern "C" fn context_put() {
    naked_asm!("mov ecx, edx", "lea rdx, [rsp + 8]", "jmp {}", sym put)
}

/// Returns a number of a PE: (source, pe).
#[unsafe(export_name = "shmem_longdouble_g")]
#[unsafe(naked)]
extern "C" fn plain_get() {
    naked_asm!(
        "sub rsp, 24",
        "mov edx, esi",
        "mov rsi, rdi",
        "mov edi, 1",
        "mov rcx, rsp",
        "call {}",
        "fld tbyte ptr [rsp]",
        "add rsp, 24",
        "ret",
        sym get,
    )
}

/// Returns a number of a PE: (ctx, source, pe).
#[unsafe(export_name = "shmem_ctx_longdouble_g")]
#[unsafe(naked)]
extern "C" fn context_get() {
    naked_asm!(
        "sub rsp, 24",
        "mov rcx, rsp",
        "call {}",
        "fld tbyte ptr [rsp]",
        "add rsp, 24",
        "ret",
        sym get,
    )
}
