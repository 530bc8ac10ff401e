// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all PEs, or the members of a team, do together. Functions that return `int` return 0.

use super::Const;
use crate::{
    collectives::Members::Team,
    teams::TeamHandle,
    types::{families, table},
};
use awgstar_caller::{interface, memory::Array, numbers::Reduction};
use std::ffi::c_int;

interface! {
    /// Waits for all PEs. What any of them has put or stored before is in place then.
    fn shmem_barrier_all() = call |process| Ok(process.world.barrier()?);

    /// Waits for all PEs. What they have stored before is published.
    fn shmem_sync_all() = call |process| process.sync(&Team(TeamHandle::WORLD));

    /// Waits for the members of a team. What they have stored before is published.
    fn shmem_team_sync(team: TeamHandle) -> c_int = call |process| process.sync(&Team(team));
}

families! {
    /// Gives all members the elements of one, itself too.
    fn ["" rma "_broadcast", "broadcast" mem ""](
        team: TeamHandle, dest: Array<T>, source: Const<T>, nelems: usize, PE_root: c_int,
    ) -> c_int = call |process| process.broadcast(&Team(team), dest, source, nelems, PE_root);

    /// Gives all members the elements of all, one member after the other. Numbers of elements may differ.
    fn ["" rma "_collect", "collect" mem ""](
        team: TeamHandle, dest: Array<T>, source: Const<T>, nelems: usize,
    ) -> c_int = call |process| process.collect(&Team(team), dest, source, nelems, false);

    /// As `collect`, with the same number of elements of each member.
    fn ["" rma "_fcollect", "fcollect" mem ""](
        team: TeamHandle, dest: Array<T>, source: Const<T>, nelems: usize,
    ) -> c_int = call |process| process.collect(&Team(team), dest, source, nelems, true);

    /// Gives each member a block of elements of each other.
    fn ["" rma "_alltoall", "alltoall" mem ""](
        team: TeamHandle, dest: Array<T>, source: Const<T>, nelems: usize,
    ) -> c_int = call |process| process.exchange(&Team(team), dest, source, [1, 1], nelems);

    /// As `alltoall`, of every `sst`th element to every `dst`th place.
    fn ["" rma "_alltoalls", "alltoalls" mem ""](
        team: TeamHandle, dest: Array<T>, source: Const<T>, dst: isize, sst: isize, nelems: usize,
    ) -> c_int = call |process| process.exchange(&Team(team), dest, source, [dst, sst], nelems);

    /// Gives all members the bitwise and of the elements of all.
    fn ["" integers8 "_and_reduce"](team: TeamHandle, dest: Array<T>, source: Const<T>, nreduce: usize) -> c_int =
        call |process| process.reduce(&Team(team), Reduction::BitAnd, dest, source, nreduce);

    /// Gives all members the bitwise or of the elements of all.
    fn ["" integers8 "_or_reduce"](team: TeamHandle, dest: Array<T>, source: Const<T>, nreduce: usize) -> c_int =
        call |process| process.reduce(&Team(team), Reduction::BitOr, dest, source, nreduce);

    /// Gives all members the bitwise exclusive or of the elements of all.
    fn ["" integers8 "_xor_reduce"](team: TeamHandle, dest: Array<T>, source: Const<T>, nreduce: usize) -> c_int =
        call |process| process.reduce(&Team(team), Reduction::BitXor, dest, source, nreduce);

    /// Gives all members the greatest of the elements of all.
    fn ["" rma "_max_reduce"](team: TeamHandle, dest: Array<T>, source: Const<T>, nreduce: usize) -> c_int =
        call |process| process.reduce(&Team(team), Reduction::Max, dest, source, nreduce);

    /// Gives all members the least of the elements of all.
    fn ["" rma "_min_reduce"](team: TeamHandle, dest: Array<T>, source: Const<T>, nreduce: usize) -> c_int =
        call |process| process.reduce(&Team(team), Reduction::Min, dest, source, nreduce);

    /// Gives all members the sum of the elements of all, added in their order.
    fn ["" sums "_sum_reduce"](team: TeamHandle, dest: Array<T>, source: Const<T>, nreduce: usize) -> c_int =
        call |process| process.reduce(&Team(team), Reduction::Sum, dest, source, nreduce);

    /// Gives all members the product of the elements of all, multiplied in their order.
    fn ["" sums "_prod_reduce"](team: TeamHandle, dest: Array<T>, source: Const<T>, nreduce: usize) -> c_int =
        call |process| process.reduce(&Team(team), Reduction::Product, dest, source, nreduce);
}
