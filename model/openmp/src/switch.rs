// SPDX-License-Identifier: MIT OR Apache-2.0
//! Change of stacks. The library works on a stack of its own, so that what it leaves there never reaches
//! memory of the program, and the program on a stack at the same address in every run. The program comes to that
//! stack through [`gates`](crate::gates); what libc calls, and what the program has found by name, comes without.

use crate::{
    cell::{self, Value},
    die::die,
    frames, gates,
    layout::{OWN_STACK, OWN_STACK_SIZE, SIGNAL_STACK, SIGNAL_STACK_SIZE},
    masks, system, wire,
};
use std::{arch::asm, ffi::c_void};

/// The library is in [`run`].
static RUNS: Value<bool> = Value::new(false);

/// Maps the stacks of the library.
pub(crate) fn map() {
    let sizes = [(OWN_STACK, OWN_STACK_SIZE), (SIGNAL_STACK, SIGNAL_STACK_SIZE)];
    if !sizes.iter().all(|&(at, size)| system::map(at, size)) {
        die!("the system refuses memory for the stacks of the library");
    }
}

fn pointer() -> usize {
    let sp: usize;
    // SAFETY: only reads the stack pointer.
    unsafe { asm!("mov {}, rsp", out(reg) sp, options(nomem, nostack, preserves_flags)) };
    sp
}

/// Begins in the process of a rank: the thread that forked it is in no function of the library there.
pub(crate) fn begin_rank() {
    RUNS.set(false);
    cell::begin_rank();
}

fn on_signal_stack() -> bool {
    (SIGNAL_STACK..SIGNAL_STACK + SIGNAL_STACK_SIZE).contains(&pointer())
}

/// Returns true on the stack of the library.
fn on_own_stack() -> bool {
    (OWN_STACK..OWN_STACK + OWN_STACK_SIZE).contains(&pointer())
}

/// Calls a function of the program with up to three arguments on the program's stack, below what called the library.
pub(crate) fn call_program(function: usize, arguments: [usize; 3]) {
    type Function = extern "C" fn(usize, usize, usize);
    if on_own_stack() {
        // Below the return address, which is at an odd word.
        gates::call(function, gates::entry() - 8, arguments);
        return;
    }
    // SAFETY: the address of a function of the program, which takes the arguments in registers.
    let function = unsafe { std::mem::transmute::<usize, Function>(function) };
    let [first, second, third] = arguments;
    function(first, second, third);
}

/// Calls `function(argument)` with the stack pointer at `top`, a multiple of 16.
pub(crate) fn call_on(top: usize, function: extern "C" fn(*mut c_void), argument: *mut c_void) {
    // SAFETY: the stack below `top` is mapped and used by nobody; r12 is restored by the callee.
    unsafe {
        asm!(
            "mov r12, rsp",
            "mov rsp, {top}",
            "call {function}",
            "mov rsp, r12",
            top = in(reg) top,
            function = in(reg) function,
            in("rdi") argument,
            out("r12") _,
            clobber_abi("C"),
        );
    }
}

/// Work of the library and its result, which pass through memory of the stack that calls.
struct Job<W, R> {
    work: Option<W>,
    result: Option<R>,
}

extern "C" fn enter<R, W: FnOnce() -> R>(argument: *mut c_void) {
    // SAFETY: points to the job of `run`, which outlives the call.
    let job = unsafe { &mut *argument.cast::<Job<W, R>>() };
    job.result = job.work.take().map(wire::uncounted);
}

/// The function that does such a job.
fn enter_for<R, W: FnOnce() -> R>(_: &Job<W, R>) -> extern "C" fn(*mut c_void) {
    enter::<R, W>
}

/// Does work of the library on its own stack.
pub(crate) fn run<R>(work: impl FnOnce() -> R) -> R {
    if RUNS.get() || on_signal_stack() {
        return work();
    }
    let _work = cell::work();
    RUNS.set(true);
    let result = if on_own_stack() {
        frames::set_end(frames::end_from(gates::entry()));
        masks::without_handlers(|| wire::uncounted(work))
    } else {
        frames::set_end(frames::end_from(pointer()));
        let mut job = Job { work: Some(work), result: None };
        let enter = enter_for(&job);
        let argument = std::ptr::from_mut(&mut job).cast();
        masks::without_handlers(|| call_on(gates::free_stack(), enter, argument));
        job.result.unwrap_or_else(|| die!("internal: no result"))
    };
    RUNS.set(false);
    result
}
