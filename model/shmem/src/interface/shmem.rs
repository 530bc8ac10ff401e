// SPDX-License-Identifier: MIT OR Apache-2.0
//! `shmem.h`: start and end, symmetric memory, order, locks, teams and contexts.

use super::{Const, ConstMemory};
use crate::{
    process::Process,
    state::{SERIALIZED, State},
    teams::{Config, Context, TeamHandle},
};
use awgstar_caller::{
    heap::ALIGNED,
    interface,
    memory::{Array, Memory},
    wrong::Wrong,
};
use std::ffi::{c_char, c_int, c_long};

/// Version of the specification.
const VERSION: [c_int; 2] = [1, 5];
/// `SHMEM_VENDOR_STRING`.
const NAME: &[u8] = b"awgstar\0";

interface! {
    /// Starts OpenSHMEM: the process joins the run. Static data is symmetric from then on.
    fn shmem_init() = always |state| state.start(crate::ended);

    /// As `shmem_init`. The level that is provided is `SHMEM_THREAD_SERIALIZED` at most.
    fn shmem_init_thread(requested: c_int, provided: Array<c_int>) -> c_int = always |state| {
        state.start(crate::ended)?;
        provided.set("provided", [requested.clamp(0, SERIALIZED)])
    };

    /// Gives the highest level of threads, `SHMEM_THREAD_SERIALIZED`.
    fn shmem_query_thread(provided: Array<c_int>) = call |_| provided.set("provided", [SERIALIZED]);

    /// Ends OpenSHMEM with all PEs.
    fn shmem_finalize() = always State::end;

    /// Ends the run at once, with an exit code.
    fn shmem_global_exit(status: c_int) = always |state| -> Result<(), Wrong> {
        let process = state.running()?;
        // As the system cuts it.
        process.world.end_run(status.to_le_bytes()[0])?;
        state.abandon();
        std::process::exit(status)
    };

    /// Returns the number of this PE.
    fn shmem_my_pe() -> c_int = call |process| Ok(process.me());

    /// Returns the number of PEs.
    fn shmem_n_pes() -> c_int = call |process| Ok(process.processes());

    /// Returns 1 if there is a PE with this number.
    fn shmem_pe_accessible(pe: c_int) -> c_int = call |process| Ok(c_int::from(process.rank(pe).is_some()));

    /// Returns 1 if memory is symmetric, and there is such a PE.
    fn shmem_addr_accessible(addr: ConstMemory, pe: c_int) -> c_int =
        call |process| Ok(c_int::from(process.reaches(addr, pe)));

    /// Returns an address at which this PE can load and store the memory of another: null, but for its own.
    fn shmem_ptr(dest: ConstMemory, pe: c_int) -> Memory = call |process| Ok(process.pointer(dest, pe));

    /// Gives the version of the specification: 1 and 5.
    fn shmem_info_get_version(major: Array<c_int>, minor: Array<c_int>) = always |_| {
        major.set("major", [VERSION[0]])?;
        minor.set("minor", [VERSION[1]])
    };

    /// Gives the name of the library, `awgstar`.
    fn shmem_info_get_name(name: Array<c_char>) =
        always |_| name.set("name", NAME.iter().map(|&byte| byte.cast_signed()));

    /// Does nothing: a library for measuring has its own.
    fn shmem_pcontrol(level: Open) = always |_| {
        let _ = level;
        Ok(())
    };

    /// Allocates symmetric memory with all PEs: the same size in each. Null if there is no room, or for 0 bytes.
    fn shmem_malloc(size: usize) -> Memory = call |process| process.allocate("size", size, ALIGNED);

    /// As `shmem_malloc`. Hints change nothing.
    fn shmem_malloc_with_hints(size: usize, hints: c_long) -> Memory = call |process| {
        let _ = hints;
        process.allocate("size", size, ALIGNED)
    };

    /// Allocates symmetric memory for so many elements with all PEs, as zeros.
    fn shmem_calloc(count: usize, size: usize) -> Memory =
        call |process| process.allocate_zeros(count, size);

    /// Allocates symmetric memory at a multiple of a power of two with all PEs.
    fn shmem_align(alignment: usize, size: usize) -> Memory =
        call |process| process.allocate("size", size, alignment);

    /// Changes the size of an allocation with all PEs. The memory may move.
    fn shmem_realloc(ptr: Memory, size: usize) -> Memory = call |process| process.reallocate(ptr, size);

    /// Frees an allocation with all PEs.
    fn shmem_free(ptr: Memory) = call |process| process.free(ptr);

    /// Orders what was put and stored before what is put later, to each PE.
    fn shmem_fence() = call |process| process.fence(Context::DEFAULT);

    /// As `shmem_fence`, of a context.
    fn shmem_ctx_fence(ctx: Context) = call |process| process.fence(ctx);

    /// Waits until what this PE has put and stored is in place.
    fn shmem_quiet() = call |process| process.quiet(Context::DEFAULT);

    /// As `shmem_quiet`, of a context: here of all.
    fn shmem_ctx_quiet(ctx: Context) = call |process| process.quiet(ctx);

    /// Locks: the PE that has waited longest is next. The variable is 0 at first.
    fn shmem_set_lock(lock: Array<c_long>) = call |process| process.acquire(lock, false).map(|_| ());

    /// Locks if no PE holds the lock or waits for it: returns 0 then, and 1 otherwise.
    fn shmem_test_lock(lock: Array<c_long>) -> c_int =
        call |process| Ok(c_int::from(!process.acquire(lock, true)?));

    /// Unlocks, after what this PE has put and stored is in place.
    fn shmem_clear_lock(lock: Array<c_long>) = call |process| process.release(lock);

    /// Returns the number of this PE in a team; -1 for `SHMEM_TEAM_INVALID`.
    fn shmem_team_my_pe(team: TeamHandle) -> c_int = call |process| Ok(process.teams.numbers(team)?[0]);

    /// Returns the number of members; -1 for `SHMEM_TEAM_INVALID`.
    fn shmem_team_n_pes(team: TeamHandle) -> c_int = call |process| Ok(process.teams.numbers(team)?[1]);

    /// Gives the configuration of a team. Returns 1 for `SHMEM_TEAM_INVALID`.
    fn shmem_team_get_config(team: TeamHandle, config_mask: c_long, config: Array<Config>) -> c_int =
        call |process| process.teams.config(team, config_mask, config);

    /// Returns the number in a team of a member of another; -1 if it has none.
    fn shmem_team_translate_pe(src_team: TeamHandle, src_pe: c_int, dest_team: TeamHandle) -> c_int =
        call |process| process.teams.translate([src_team, dest_team], src_pe);

    /// Makes a team of every `stride`th member of a team, with all of them. Returns 1 if there are none such.
    fn shmem_team_split_strided(
        parent_team: TeamHandle, start: c_int, stride: c_int, size: c_int, config: Const<Config>, config_mask: c_long,
        new_team: Array<TeamHandle>,
    ) -> c_int = call |process| {
        process.split_strided(parent_team, [start, stride, size], (config, config_mask), new_team)
    };

    /// Makes teams of the rows and columns of a team in rows of `xrange`, with all members. The last row may be short.
    fn shmem_team_split_2d(
        parent_team: TeamHandle, xrange: c_int, xaxis_config: Const<Config>, xaxis_mask: c_long,
        xaxis_team: Array<TeamHandle>, yaxis_config: Const<Config>, yaxis_mask: c_long,
        yaxis_team: Array<TeamHandle>,
    ) -> c_int = call |process| {
        let configs = [(xaxis_config, xaxis_mask), (yaxis_config, yaxis_mask)];
        process.split_2d(parent_team, xrange, configs, [xaxis_team, yaxis_team])
    };

    /// Destroys a team and its contexts, with all members.
    fn shmem_team_destroy(team: TeamHandle) = call |process| process.destroy_team(team);

    /// Makes a context of all PEs.
    fn shmem_ctx_create(options: c_long, ctx: Array<Context>) -> c_int =
        call |process| process.teams.create_context(TeamHandle::WORLD, options, ctx);

    /// Makes a context of a team: PEs are its members. Returns 1 for `SHMEM_TEAM_INVALID`.
    fn shmem_team_create_ctx(team: TeamHandle, options: c_long, ctx: Array<Context>) -> c_int =
        call |process| process.teams.create_context(team, options, ctx);

    /// Destroys a context after `shmem_ctx_quiet`.
    fn shmem_ctx_destroy(ctx: Context) = call |process: &mut Process| process.destroy_context(ctx);

    /// Gives the team of a context. Returns 1 for `SHMEM_CTX_INVALID`.
    fn shmem_ctx_get_team(ctx: Context, team: Array<TeamHandle>) -> c_int =
        call |process| process.teams.team_of(ctx, team);
}

/// `int`, and more arguments in C, of which nothing is used.
type Open = c_int;
