// SPDX-License-Identifier: MIT OR Apache-2.0
//! `armcix.h`.

use crate::groups::GroupHandle;
use awgstar_caller::{
    interface,
    memory::{Array, Memory},
};
use std::ffi::c_int;

/// A set of mutexes: its number, which is no address.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct MutexSet(Memory);

impl MutexSet {
    fn of(number: usize) -> MutexSet {
        MutexSet(Memory::at(std::ptr::without_provenance_mut(number)))
    }

    fn number(self) -> usize {
        self.0.address()
    }
}

interface! {
    /// Makes a group of the members of a parent with the same color, in the order of their keys; `MPI_UNDEFINED` is no
    /// group. All members of the parent call it.
    fn ARMCIX_Group_split(
        parent: Array<GroupHandle>, color: c_int, key: c_int, new_group: Array<GroupHandle>,
    ) -> c_int = call |armci| armci.split(parent, color, key, new_group);

    /// Makes a group with the same members.
    fn ARMCIX_Group_dup(parent: Array<GroupHandle>, new_group: Array<GroupHandle>) -> c_int =
        call |armci| armci.duplicate(parent, new_group);

    /// Creates a set of mutexes with the members of a group, `count` at this process.
    fn ARMCIX_Create_mutexes_hdl(count: c_int, pgroup: Array<GroupHandle>) -> MutexSet =
        call |armci| armci.create_set(count, pgroup).map(MutexSet::of);

    /// Destroys a set of mutexes with the members of its group. None may be locked.
    fn ARMCIX_Destroy_mutexes_hdl(hdl: MutexSet) -> c_int = call |armci| armci.destroy_set(hdl.number());

    /// Locks a mutex of a set, as `ARMCI_Lock`. `proc` is a number among all processes.
    fn ARMCIX_Lock_hdl(hdl: MutexSet, mutex: c_int, proc: c_int) =
        call |armci| armci.acquire(hdl.number(), mutex, proc, false).map(|_| ());

    /// Locks a mutex of a set if no process holds it: returns 0 then, and 1 otherwise.
    fn ARMCIX_Trylock_hdl(hdl: MutexSet, mutex: c_int, proc: c_int) -> c_int =
        call |armci| armci.acquire(hdl.number(), mutex, proc, true).map(|has| c_int::from(!has));

    /// Unlocks a mutex of a set.
    fn ARMCIX_Unlock_hdl(hdl: MutexSet, mutex: c_int, proc: c_int) =
        call |armci| armci.release(hdl.number(), mutex, proc);

    /// Lets some time pass: what has arrived is there, what was stored goes out.
    fn ARMCIX_Progress() = call |armci| Ok(armci.world.progress()?);
}
