// SPDX-License-Identifier: MIT OR Apache-2.0
//! `armci.h`.

use crate::{
    groups::{self, GroupHandle},
    state::{Armci, State},
    transfer::{self, Handle, Shape, Vector, Way, begin},
};
use awgstar_caller::{
    interface,
    memory::{Array, Memory, Text},
    wrong::Wrong,
};
use std::ffi::{c_char, c_double, c_float, c_int, c_long, c_ulong};

/// `armci_size_t`.
type Size = c_long;
/// `armci_domain_t`.
type Domain = c_int;
/// `MPI_Comm`.
type Comm = c_int;

interface! {
    /// Starts ARMCI: the process joins the run unless MPI has done so. Each further start needs its end.
    fn ARMCI_Init as PARMCI_Init() -> c_int = always |state| state.start(0);

    /// As `ARMCI_Init`. The arguments stay as they are.
    fn ARMCI_Init_args as PARMCI_Init_args(argc: Array<c_int>, argv: Array<Array<Array<c_char>>>) -> c_int =
        always |state| {
            let _ = (argc, argv);
            state.start(0)
        };

    /// As `ARMCI_Init`. The highest level is `MPI_THREAD_SERIALIZED`: calls of several threads are made one after another.
    fn ARMCI_Init_thread as PARMCI_Init_thread(armci_requested: c_int) -> c_int =
        always |state| state.start(armci_requested);

    /// As `ARMCI_Init_thread`. `comm` is `MPI_COMM_WORLD`.
    fn ARMCI_Init_thread_comm as PARMCI_Init_thread_comm(armci_requested: c_int, comm: Comm) -> c_int =
        always |state| {
            crate::messages::world("comm", comm)?;
            state.start(armci_requested)
        };

    /// Returns 1 while ARMCI runs.
    fn ARMCI_Initialized as PARMCI_Initialized() -> c_int = always |state| Ok(c_int::from(state.runs()));

    /// Ends ARMCI with all processes. No mutex may be locked. What was put is in place.
    fn ARMCI_Finalize as PARMCI_Finalize() -> c_int = always State::end;

    /// Does nothing: what a process has is freed when it ends.
    fn ARMCI_Cleanup() = always |_| Ok(());

    /// Ends the run with a message and an exit code; 0 becomes 1.
    fn ARMCI_Error(msg: Text, code: c_int) = always |_| -> Result<(), Wrong> {
        Err(Wrong::Abort(format!("{} (code {code})", msg.get("msg")?), code))
    };

    /// Allocates memory with all processes, `bytes` on this one. The addresses of all are put into `ptr_arr`; null
    /// for a process that allocates nothing.
    fn ARMCI_Malloc as PARMCI_Malloc(ptr_arr: Array<Memory>, bytes: Size) -> c_int =
        call |armci| armci.allocate(ptr_arr, bytes, Array::NULL);

    /// Frees an allocation with all processes: each gives its own address.
    fn ARMCI_Free as PARMCI_Free(ptr: Memory) -> c_int = call |armci| armci.free(ptr, Array::NULL);

    /// Allocates memory with the members of a group. `ptr_arr` is in the order of the group.
    fn ARMCI_Malloc_group(ptr_arr: Array<Memory>, bytes: Size, group: Array<GroupHandle>) -> c_int =
        call |armci| armci.allocate(ptr_arr, bytes, group);

    /// Frees an allocation with the members of the group that has allocated it.
    fn ARMCI_Free_group(ptr: Memory, group: Array<GroupHandle>) -> c_int = call |armci| armci.free(ptr, group);

    /// Allocates memory that only this process reaches.
    fn ARMCI_Malloc_local as PARMCI_Malloc_local(bytes: Size) -> Memory =
        call |armci| armci.local.allocate(bytes);

    /// Frees memory of `ARMCI_Malloc_local`.
    fn ARMCI_Free_local as PARMCI_Free_local(ptr: Memory) -> c_int = call |armci| armci.local.free(ptr);

    /// Waits until all that this process has put or accumulated to any process is in place, and for all processes
    /// (paper 001, 3.1). The command chooses the protocol.
    fn ARMCI_Barrier as PARMCI_Barrier() = call |armci| Ok(armci.world.barrier()?);

    /// Waits until all that this process has put or accumulated to a process is in place.
    fn ARMCI_Fence as PARMCI_Fence(proc: c_int) = call |armci| {
        let rank = armci.process("proc", proc)?;
        Ok(armci.world.fence(Some(rank))?)
    };

    /// Waits until all that this process has put or accumulated to any process is in place.
    fn ARMCI_AllFence as PARMCI_AllFence() = call |armci| Ok(armci.world.fence(None)?);

    /// Begins the access of the process to its own memory by loads and stores: what has arrived is there.
    fn ARMCI_Access_begin as PARMCI_Access_begin(ptr: Memory) = call |armci| armci.access(ptr, true);

    /// Ends the access: what was stored goes out to the others.
    fn ARMCI_Access_end as PARMCI_Access_end(ptr: Memory) = call |armci| armci.access(ptr, false);

    /// Copies local memory.
    fn ARMCI_Copy(src: Memory, dst: Memory, size: c_int) = always |_| transfer::copy(src, dst, size);

    /// Copies `bytes` bytes at `src` of a process to local memory.
    fn ARMCI_Get as PARMCI_Get(src: Memory, dst: Memory, bytes: c_int, proc: c_int) -> c_int =
        call |armci| armci.contiguous(Way::Get, src, dst, bytes, proc);

    /// Copies `bytes` bytes of local memory to `dst` of a process. The local memory may be changed afterwards; a fence
    /// waits until the bytes are in place. What a process puts to another one arrives in the order of the calls.
    fn ARMCI_Put as PARMCI_Put(src: Memory, dst: Memory, bytes: c_int, proc: c_int) -> c_int =
        call |armci| armci.contiguous(Way::Put, src, dst, bytes, proc);

    /// Adds `scale` times the numbers of local memory to those of a process, 32 KiB in one step. `datatype` is one
    /// of `ARMCI_ACC_INT` to `ARMCI_ACC_DCP`.
    fn ARMCI_Acc as PARMCI_Acc(
        datatype: c_int, scale: Memory, src: Memory, dst: Memory, bytes: c_int, proc: c_int,
    ) -> c_int = call |armci| armci.accumulate(datatype, scale, src, dst, bytes, proc);

    /// Copies a box of local memory to a process. `count[0]` are bytes that follow one another, `count[i]` the
    /// repetitions at the distance of stride `i - 1`; there are 0 to 8 levels of strides.
    fn ARMCI_PutS as PARMCI_PutS(
        src_ptr: Memory, src_stride_ar: Array<c_int>, dst_ptr: Memory, dst_stride_ar: Array<c_int>,
        count: Array<c_int>, stride_levels: c_int, proc: c_int,
    ) -> c_int = call |armci| {
        let shape = Shape::new(src_stride_ar, dst_stride_ar, count, stride_levels);
        armci.strided(Way::Put, src_ptr, dst_ptr, shape, proc)
    };

    /// Copies a box of a process to local memory, as `ARMCI_PutS`.
    fn ARMCI_GetS as PARMCI_GetS(
        src_ptr: Memory, src_stride_ar: Array<c_int>, dst_ptr: Memory, dst_stride_ar: Array<c_int>,
        count: Array<c_int>, stride_levels: c_int, proc: c_int,
    ) -> c_int = call |armci| {
        let shape = Shape::new(src_stride_ar, dst_stride_ar, count, stride_levels);
        armci.strided(Way::Get, src_ptr, dst_ptr, shape, proc)
    };

    /// Accumulates a box, as `ARMCI_Acc` and `ARMCI_PutS`. Each row is one step.
    fn ARMCI_AccS as PARMCI_AccS(
        datatype: c_int, scale: Memory, src_ptr: Memory, src_stride_ar: Array<c_int>, dst_ptr: Memory,
        dst_stride_ar: Array<c_int>, count: Array<c_int>, stride_levels: c_int, proc: c_int,
    ) -> c_int = call |armci| {
        let shape = Shape::new(src_stride_ar, dst_stride_ar, count, stride_levels);
        armci.accumulate_strided(datatype, scale, src_ptr, dst_ptr, shape, proc)
    };

    /// Puts, and then sets an `int` of the process to a value, after the bytes are in place.
    fn ARMCI_Put_flag as PARMCI_Put_flag(
        src: Memory, dst: Memory, bytes: c_int, flag: Array<c_int>, value: c_int, proc: c_int,
    ) -> c_int = call |armci| {
        armci.contiguous(Way::Put, src, dst, bytes, proc)?;
        armci.flag(flag.memory(), value, proc)
    };

    /// Puts a box, and then sets an `int` of the process to a value, after the box is in place.
    fn ARMCI_PutS_flag as PARMCI_PutS_flag(
        src_ptr: Memory, src_stride_ar: Array<c_int>, dst_ptr: Memory, dst_stride_ar: Array<c_int>,
        count: Array<c_int>, stride_levels: c_int, flag: Array<c_int>, value: c_int, proc: c_int,
    ) -> c_int = call |armci| {
        let shape = Shape::new(src_stride_ar, dst_stride_ar, count, stride_levels);
        armci.strided(Way::Put, src_ptr, dst_ptr, shape, proc)?;
        armci.flag(flag.memory(), value, proc)
    };

    /// Makes a handle ready for an operation that does not wait.
    fn ARMCI_INIT_HANDLE(hdl: Array<Handle>) = always |_| hdl.set("hdl", [Handle::NEW]);

    /// Allows several operations with one handle.
    fn ARMCI_SET_AGGREGATE_HANDLE(hdl: Array<Handle>) =
        always |_| hdl.set("hdl", [hdl.get("hdl")?.aggregate(true)]);

    /// Ends that.
    fn ARMCI_UNSET_AGGREGATE_HANDLE(hdl: Array<Handle>) =
        always |_| hdl.set("hdl", [hdl.get("hdl")?.aggregate(false)]);

    /// Begins a put. A null handle is the implicit one. Local memory may be used again at once: the bytes are
    /// copied by the call.
    fn ARMCI_NbPut as PARMCI_NbPut(
        src: Memory, dst: Memory, bytes: c_int, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.contiguous(Way::Put, src, dst, bytes, proc)
    };

    /// Begins a get, which ends in the call.
    fn ARMCI_NbGet as PARMCI_NbGet(
        src: Memory, dst: Memory, bytes: c_int, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.contiguous(Way::Get, src, dst, bytes, proc)
    };

    /// Begins an accumulate, as `ARMCI_NbPut`.
    fn ARMCI_NbAcc as PARMCI_NbAcc(
        datatype: c_int, scale: Memory, src: Memory, dst: Memory, bytes: c_int, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.accumulate(datatype, scale, src, dst, bytes, proc)
    };

    /// Waits until the operations of a handle have ended here: local memory may be used again. A fence waits until
    /// they are in place.
    fn ARMCI_Wait as PARMCI_Wait(hdl: Array<Handle>) -> c_int = call |_| transfer::wait(hdl);

    /// Returns 0 if the operations of a handle have ended here. Lets some time pass.
    fn ARMCI_Test as PARMCI_Test(hdl: Array<Handle>) -> c_int = call |armci| {
        transfer::wait(hdl)?;
        Ok(armci.world.progress()?)
    };

    /// Waits until the operations of the implicit handle to a process have ended here.
    fn ARMCI_WaitProc as PARMCI_WaitProc(proc: c_int) -> c_int =
        call |armci| armci.process("proc", proc).map(|_| ());

    /// Waits until all operations of the implicit handle have ended here.
    fn ARMCI_WaitAll as PARMCI_WaitAll() -> c_int = call |_| Ok(());

    /// Begins a put of a box, as `ARMCI_NbPut`.
    fn ARMCI_NbPutS as PARMCI_NbPutS(
        src_ptr: Memory, src_stride_ar: Array<c_int>, dst_ptr: Memory, dst_stride_ar: Array<c_int>,
        count: Array<c_int>, stride_levels: c_int, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        let shape = Shape::new(src_stride_ar, dst_stride_ar, count, stride_levels);
        armci.strided(Way::Put, src_ptr, dst_ptr, shape, proc)
    };

    /// Begins a get of a box, as `ARMCI_NbGet`.
    fn ARMCI_NbGetS as PARMCI_NbGetS(
        src_ptr: Memory, src_stride_ar: Array<c_int>, dst_ptr: Memory, dst_stride_ar: Array<c_int>,
        count: Array<c_int>, stride_levels: c_int, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        let shape = Shape::new(src_stride_ar, dst_stride_ar, count, stride_levels);
        armci.strided(Way::Get, src_ptr, dst_ptr, shape, proc)
    };

    /// Begins an accumulate of a box, as `ARMCI_NbPut`.
    fn ARMCI_NbAccS as PARMCI_NbAccS(
        datatype: c_int, scale: Memory, src_ptr: Memory, src_stride_ar: Array<c_int>, dst_ptr: Memory,
        dst_stride_ar: Array<c_int>, count: Array<c_int>, stride_levels: c_int, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        let shape = Shape::new(src_stride_ar, dst_stride_ar, count, stride_levels);
        armci.accumulate_strided(datatype, scale, src_ptr, dst_ptr, shape, proc)
    };

    /// Copies a box to a buffer, row after row.
    fn armci_write_strided(
        ptr: Memory, stride_levels: c_int, stride_arr: Array<c_int>, count: Array<c_int>, buf: Array<c_char>,
    ) = always |_| transfer::pack(ptr, stride_levels, stride_arr, count, buf.memory(), false);

    /// Copies a buffer to a box, row after row.
    fn armci_read_strided(
        ptr: Memory, stride_levels: c_int, stride_arr: Array<c_int>, count: Array<c_int>, buf: Array<c_char>,
    ) = always |_| transfer::pack(ptr, stride_levels, stride_arr, count, buf.memory(), true);

    /// Puts segments, each list with segments of one length.
    fn ARMCI_PutV as PARMCI_PutV(iov: Array<Vector>, iov_len: c_int, proc: c_int) -> c_int =
        call |armci| armci.vector(Way::Put, iov, iov_len, proc);

    /// Gets segments, as `ARMCI_PutV`.
    fn ARMCI_GetV as PARMCI_GetV(iov: Array<Vector>, iov_len: c_int, proc: c_int) -> c_int =
        call |armci| armci.vector(Way::Get, iov, iov_len, proc);

    /// Accumulates segments, as `ARMCI_Acc` and `ARMCI_PutV`. Each segment is one step.
    fn ARMCI_AccV as PARMCI_AccV(
        datatype: c_int, scale: Memory, iov: Array<Vector>, iov_len: c_int, proc: c_int,
    ) -> c_int = call |armci| armci.accumulate_vector(datatype, scale, iov, iov_len, proc);

    /// Begins a put of segments, as `ARMCI_NbPut`.
    fn ARMCI_NbPutV as PARMCI_NbPutV(
        iov: Array<Vector>, iov_len: c_int, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.vector(Way::Put, iov, iov_len, proc)
    };

    /// Begins a get of segments, as `ARMCI_NbGet`.
    fn ARMCI_NbGetV as PARMCI_NbGetV(
        iov: Array<Vector>, iov_len: c_int, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.vector(Way::Get, iov, iov_len, proc)
    };

    /// Begins an accumulate of segments, as `ARMCI_NbPut`.
    fn ARMCI_NbAccV as PARMCI_NbAccV(
        datatype: c_int, scale: Memory, iov: Array<Vector>, iov_len: c_int, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.accumulate_vector(datatype, scale, iov, iov_len, proc)
    };

    /// Puts a value.
    fn ARMCI_PutValueInt as PARMCI_PutValueInt(src: c_int, dst: Memory, proc: c_int) -> c_int =
        call |armci| armci.put_value(&src.to_le_bytes(), dst, proc);

    /// Puts a value.
    fn ARMCI_PutValueLong as PARMCI_PutValueLong(src: c_long, dst: Memory, proc: c_int) -> c_int =
        call |armci| armci.put_value(&src.to_le_bytes(), dst, proc);

    /// Puts a value.
    fn ARMCI_PutValueFloat as PARMCI_PutValueFloat(src: c_float, dst: Memory, proc: c_int) -> c_int =
        call |armci| armci.put_value(&src.to_le_bytes(), dst, proc);

    /// Puts a value.
    fn ARMCI_PutValueDouble as PARMCI_PutValueDouble(src: c_double, dst: Memory, proc: c_int) -> c_int =
        call |armci| armci.put_value(&src.to_le_bytes(), dst, proc);

    /// Begins a put of a value, as `ARMCI_NbPut`.
    fn ARMCI_NbPutValueInt as PARMCI_NbPutValueInt(
        src: c_int, dst: Memory, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.put_value(&src.to_le_bytes(), dst, proc)
    };

    /// Begins a put of a value, as `ARMCI_NbPut`.
    fn ARMCI_NbPutValueLong as PARMCI_NbPutValueLong(
        src: c_long, dst: Memory, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.put_value(&src.to_le_bytes(), dst, proc)
    };

    /// Begins a put of a value, as `ARMCI_NbPut`.
    fn ARMCI_NbPutValueFloat as PARMCI_NbPutValueFloat(
        src: c_float, dst: Memory, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.put_value(&src.to_le_bytes(), dst, proc)
    };

    /// Begins a put of a value, as `ARMCI_NbPut`.
    fn ARMCI_NbPutValueDouble as PARMCI_NbPutValueDouble(
        src: c_double, dst: Memory, proc: c_int, hdl: Array<Handle>,
    ) -> c_int = call |armci| {
        begin(hdl, proc)?;
        armci.put_value(&src.to_le_bytes(), dst, proc)
    };

    /// Gets a value.
    fn ARMCI_GetValueInt as PARMCI_GetValueInt(src: Memory, proc: c_int) -> c_int =
        call |armci| armci.get_value(src, proc).map(c_int::from_le_bytes);

    /// Gets a value.
    fn ARMCI_GetValueLong as PARMCI_GetValueLong(src: Memory, proc: c_int) -> c_long =
        call |armci| armci.get_value(src, proc).map(c_long::from_le_bytes);

    /// Gets a value.
    fn ARMCI_GetValueFloat as PARMCI_GetValueFloat(src: Memory, proc: c_int) -> c_float =
        call |armci| armci.get_value(src, proc).map(c_float::from_le_bytes);

    /// Gets a value.
    fn ARMCI_GetValueDouble as PARMCI_GetValueDouble(src: Memory, proc: c_int) -> c_double =
        call |armci| armci.get_value(src, proc).map(c_double::from_le_bytes);

    /// Creates mutexes with all processes, `count` at this one. There is one such set at a time.
    fn ARMCI_Create_mutexes as PARMCI_Create_mutexes(count: c_int) -> c_int =
        call |armci| armci.create_mutexes(count);

    /// Destroys the mutexes with all processes. None may be locked.
    fn ARMCI_Destroy_mutexes as PARMCI_Destroy_mutexes() -> c_int = call Armci::destroy_mutexes;

    /// Locks a mutex of a process, which may be this one. What earlier holders have put before they unlocked it is in
    /// place.
    fn ARMCI_Lock as PARMCI_Lock(mutex: c_int, proc: c_int) =
        call |armci| armci.acquire(armci.mutexes.only(), mutex, proc, false).map(|_| ());

    /// Unlocks a mutex that this process has locked.
    fn ARMCI_Unlock as PARMCI_Unlock(mutex: c_int, proc: c_int) =
        call |armci| armci.release(armci.mutexes.only(), mutex, proc);

    /// Reads, changes and writes a value of a process in one step. The old value is put into `ploc`. `ARMCI_FETCH_AND_ADD`
    /// adds `value` to an `int`, `ARMCI_FETCH_AND_ADD_LONG` to a `long`; `ARMCI_SWAP` and `ARMCI_SWAP_LONG` write what was in
    /// `ploc`. The value is at a multiple of its size.
    fn ARMCI_Rmw as PARMCI_Rmw(op: c_int, ploc: Memory, prem: Memory, value: c_int, proc: c_int) -> c_int =
        call |armci| armci.rmw(op, ploc, prem, value, proc);

    /// Makes a group of members of the default group, by their numbers there. Others get a group with rank -1.
    fn ARMCI_Group_create(grp_size: c_int, pid_list: Array<c_int>, group_out: Array<GroupHandle>) =
        call |armci| armci.child(grp_size, pid_list, group_out, None);

    /// Makes a group of members of a parent, by their numbers there. Others get a group with rank -1.
    fn ARMCI_Group_create_child(
        grp_size: c_int, pid_list: Array<c_int>, group_out: Array<GroupHandle>, group_parent: Array<GroupHandle>,
    ) = call |armci| armci.child(grp_size, pid_list, group_out, Some(group_parent));

    /// Frees a group.
    fn ARMCI_Group_free(group: Array<GroupHandle>) = call |armci| armci.groups.free(group);

    /// Gives the rank of the process in a group. Returns 1 if it is no member; the rank is -1 then.
    fn ARMCI_Group_rank(group: Array<GroupHandle>, rank: Array<c_int>) -> c_int =
        call |_| groups::rank(group, rank);

    /// Gives the number of members.
    fn ARMCI_Group_size(group: Array<GroupHandle>, size: Array<c_int>) = call |_| groups::members(group, size);

    /// Makes a group the default: the parent of `ARMCI_Group_create`.
    fn ARMCI_Group_set_default(group: Array<GroupHandle>) = call |armci| armci.groups.set_default(group);

    /// Gives the default group: all processes at first.
    fn ARMCI_Group_get_default(group_out: Array<GroupHandle>) =
        call |armci| group_out.set("group_out", [armci.groups.default()?]);

    /// Gives the group of all processes.
    fn ARMCI_Group_get_world(group_out: Array<GroupHandle>) =
        call |armci| group_out.set("group_out", [armci.groups.all()?]);

    /// Returns the number among all processes of a member of a group.
    fn ARMCI_Absolute_id(group: Array<GroupHandle>, group_rank: c_int) -> c_int =
        call |armci| armci.groups.absolute(group, group_rank);

    /// Returns the processes of a domain: 1, as each process has its own node.
    fn armci_domain_nprocs(domain: Domain, id: c_int) -> c_int = call |armci| {
        armci.domain(domain, "id", id).map(|_| 1)
    };

    /// Returns the domain of a process.
    fn armci_domain_id(domain: Domain, glob_proc_id: c_int) -> c_int =
        call |armci| armci.domain(domain, "glob_proc_id", glob_proc_id);

    /// Returns the process of a domain; `loc_proc_id` is 0.
    fn armci_domain_glob_proc_id(domain: Domain, id: c_int, loc_proc_id: c_int) -> c_int = call |armci| {
        if loc_proc_id != 0 {
            return Err(Wrong::argument("loc_proc_id", loc_proc_id, "0"));
        }
        armci.domain(domain, "id", id)
    };

    /// Returns the domain of this process.
    fn armci_domain_my_id(domain: Domain) -> c_int = call |armci| armci.domain(domain, "domain", armci.me());

    /// Returns the number of domains.
    fn armci_domain_count(domain: Domain) -> c_int =
        call |armci| armci.domain(domain, "domain", 0).map(|_| armci.processes());

    /// Returns 1 if a process is in the domain of this one.
    fn armci_domain_same_id(domain: Domain, proc: c_int) -> c_int =
        call |armci| armci.domain(domain, "proc", proc).map(|id| c_int::from(id == armci.me()));

    /// Returns 1 if a process is on the node of this one: it is this one.
    fn ARMCI_Same_node(proc: c_int) -> c_int =
        call |armci| armci.process("proc", proc).map(|_| c_int::from(proc == armci.me()));

    /// Returns 0: processes share no memory of a computer.
    fn ARMCI_Uses_shm() -> c_int = always |_| Ok(0);

    /// Does nothing.
    fn ARMCI_Set_shm_limit(shmemlimit: c_ulong) = always |_| {
        let _ = shmemlimit;
        Ok(())
    };

    /// Returns 0, as `ARMCI_Uses_shm`.
    fn ARMCI_Uses_shm_grp(group: Array<GroupHandle>) -> c_int =
        call |armci| armci.groups.of("group", group).map(|_| 0);
}
