// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpi.h`: the few functions of MPI that ARMCI programs call.

use crate::{
    messages::{self, Part, Status},
    state::{Armci, SERIALIZED, State},
};
use awgstar_caller::{
    interface,
    memory::{Array, Memory},
    wrong::Wrong,
};
use std::ffi::{c_char, c_double, c_int, c_long};

/// Types of `mpi.h`.
type Comm = c_int;
type Datatype = c_int;
type Op = c_int;
type Info = c_int;
type Aint = c_long;
/// `const void *`.
type Const = Memory;

interface! {
    /// Starts MPI: the process joins the run unless ARMCI has done so.
    fn MPI_Init(argc: Array<c_int>, argv: Array<Array<Array<c_char>>>) -> c_int = always |state| {
        let _ = (argc, argv);
        state.start_mpi()
    };

    /// As `MPI_Init`. The level that is provided is `MPI_THREAD_SERIALIZED` at most.
    fn MPI_Init_thread(
        argc: Array<c_int>, argv: Array<Array<Array<c_char>>>, required: c_int, provided: Array<c_int>,
    ) -> c_int = always |state| {
        let _ = (argc, argv);
        state.start_mpi()?;
        provided.set("provided", [required.clamp(0, SERIALIZED)])
    };

    /// Gives 1 if `MPI_Init` was called.
    fn MPI_Initialized(flag: Array<c_int>) -> c_int =
        always |state| flag.set("flag", [c_int::from(state.mpi_was().0)]);

    /// Gives 1 if `MPI_Finalize` was called.
    fn MPI_Finalized(flag: Array<c_int>) -> c_int =
        always |state| flag.set("flag", [c_int::from(state.mpi_was().1)]);

    /// Ends MPI with all processes.
    fn MPI_Finalize() -> c_int = always State::end_mpi;

    /// Ends the run with an exit code; 0 becomes 1.
    fn MPI_Abort(comm: Comm, errorcode: c_int) -> c_int = always |_| -> Result<(), Wrong> {
        messages::world("comm", comm)?;
        Err(Wrong::Abort(format!("code {errorcode}"), errorcode))
    };

    /// Gives the number of this process.
    fn MPI_Comm_rank(comm: Comm, rank: Array<c_int>) -> c_int = call |armci| {
        messages::world("comm", comm)?;
        rank.set("rank", [armci.me()])
    };

    /// Gives the number of processes.
    fn MPI_Comm_size(comm: Comm, size: Array<c_int>) -> c_int = call |armci| {
        messages::world("comm", comm)?;
        size.set("size", [armci.processes()])
    };

    /// Waits for all processes, by messages: what was put need not be in place.
    fn MPI_Barrier(comm: Comm) -> c_int = call |armci| {
        messages::world("comm", comm)?;
        armci.meet(Array::NULL)
    };

    /// Gives all processes the values of one of them.
    fn MPI_Bcast(buffer: Memory, count: c_int, datatype: Datatype, root: c_int, comm: Comm) -> c_int =
        call |armci| {
            let part = Part { memory: buffer, count, type_: datatype, process: root, tag: 0 };
            armci.mpi_broadcast(part, comm)
        };

    /// Reduces the values of all processes, in their order: all get the result. `sendbuf` may be `MPI_IN_PLACE`.
    fn MPI_Allreduce(
        sendbuf: Const, recvbuf: Memory, count: c_int, datatype: Datatype, op: Op, comm: Comm,
    ) -> c_int = call |armci| {
        let part = Part { memory: recvbuf, count, type_: datatype, process: 0, tag: 0 };
        armci.mpi_reduce(sendbuf, part, op, comm)
    };

    /// Sends values to a process, and receives others from a process. Tags are 0 to 2^30 - 1.
    fn MPI_Sendrecv(
        sendbuf: Const, sendcount: c_int, sendtype: Datatype, dest: c_int, sendtag: c_int, recvbuf: Memory,
        recvcount: c_int, recvtype: Datatype, source: c_int, recvtag: c_int, comm: Comm, status: Array<Status>,
    ) -> c_int = call |armci| {
        let send = Part { memory: sendbuf, count: sendcount, type_: sendtype, process: dest, tag: sendtag };
        let receive = Part { memory: recvbuf, count: recvcount, type_: recvtype, process: source, tag: recvtag };
        armci.mpi_exchange(send, receive, comm, status)
    };

    /// Gives the number of values that were received; `MPI_UNDEFINED` if they are no whole number.
    fn MPI_Get_count(status: Array<Status>, datatype: Datatype, count: Array<c_int>) -> c_int =
        call |_| messages::received(status, datatype, count);

    /// Allocates local memory. `info` is `MPI_INFO_NULL` or any other.
    fn MPI_Alloc_mem(size: Aint, info: Info, baseptr: Memory) -> c_int = call |armci| {
        let _ = info;
        let memory = armci.local.allocate(size)?;
        baseptr.array().set("baseptr", [memory])
    };

    /// Frees memory of `MPI_Alloc_mem`.
    fn MPI_Free_mem(base: Memory) -> c_int = call |armci| armci.local.free(base);

    /// Returns the time on the machine in seconds.
    fn MPI_Wtime() -> c_double = call Armci::seconds;

    /// Gives the name of the node, `node N`, and its length.
    fn MPI_Get_processor_name(name: Array<c_char>, resultlen: Array<c_int>) -> c_int = call |armci| {
        let text = format!("node {}\0", armci.me());
        let letters = text.bytes().map(|byte| c_char::from_le_bytes([byte]));
        name.set("name", letters)?;
        resultlen.set("resultlen", [awgstar_caller::numbers::number(text.len() - 1)])
    };
}
