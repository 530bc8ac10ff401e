// SPDX-License-Identifier: MIT OR Apache-2.0
//! `fdsm.h`: table 1 of paper 003. The paper has names only; arguments are this project's.

use super::{Operation, Type};
use crate::{faults, places::places, process::Process, state::State};
use awgstar_caller::{interface, memory::Memory};
use std::ffi::c_int;

interface! {
    /// Starts FDSM: the process joins the run.
    fn fdsm_init() = always |state| state.start(faults::install);
}

places! {
    /// Ends FDSM with all processes. The shared memory cannot be accessed afterwards.
    fn fdsm_finalize() = always State::end;

    /// Allocates shared memory together with all processes, which give the same number of bytes, and returns its
    /// address, the same in all. The memory is zeros and begins at a page; memory and locks agree as after
    /// `fdsm_after_loop`. If there is no room, the run ends.
    fn fdsm_alloc(bytes: usize) -> Memory = call |process| process.allocate(bytes);

    /// Frees memory of `fdsm_alloc` together with all processes. Null is no memory: nothing happens.
    fn fdsm_free(memory: Memory) = call |process| process.free(memory);

    /// Says that a loop begins whose work the processes share. It ends with `fdsm_after_loop`.
    fn fdsm_before_loop() = call Process::begin_loop;

    /// Waits for all processes. Each reads from then on what all have written before. It may also be called without
    /// `fdsm_before_loop`, where a barrier is needed.
    fn fdsm_after_loop() = call Process::end_loop;

    /// Replaces `count` numbers of each process by their sum, least or greatest over all processes, taken in the order
    /// of the processes. The numbers are not in shared memory. All processes call it; memory agrees as after
    /// `fdsm_after_loop`.
    fn fdsm_reduce(numbers: Memory, count: usize, type_: Type, op: Operation) =
        call |process| process.reduce(numbers, count, type_, op);
}

interface! {
    /// Waits for a lock, 0 to 65534. The process reads from then on what earlier holders had written when they unlocked.
    fn fdsm_lock(lock: c_int) = call |process| process.lock(lock);

    /// Gives up a lock.
    fn fdsm_unlock(lock: c_int) = call |process| process.unlock(lock);
}
