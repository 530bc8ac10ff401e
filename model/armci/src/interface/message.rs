// SPDX-License-Identifier: MIT OR Apache-2.0
//! `message.h`.

use crate::{groups::GroupHandle, messages::Numbers, state::Armci};
use awgstar_caller::{
    interface,
    memory::{Array, Memory, Text},
    wrong::Wrong,
};
use std::ffi::{c_double, c_float, c_int, c_long, c_longlong};

/// `char *`, which the interface takes for the name of an operation.
type Operation = Text;
/// `SCOPE_ALL`.
const ALL: c_int = 0;
/// Types of `enum armci_type_e`.
const INT: c_int = 0;
const LONG: c_int = 1;
const LONG_LONG: c_int = 2;
const FLOAT: c_int = 3;
const DOUBLE: c_int = 4;

/// Numbers of a type.
fn of<T>(x: Array<T>, count: c_int, op: Operation, type_: c_int) -> Numbers {
    Numbers { memory: x.memory(), count, op, type_ }
}

interface! {
    /// Returns the number of this process.
    fn armci_msg_me() -> c_int = call |armci| Ok(armci.me());

    /// Returns the number of processes.
    fn armci_msg_nproc() -> c_int = call |armci| Ok(armci.processes());

    /// Ends the run with an exit code; 0 becomes 1.
    fn armci_msg_abort(code: c_int) = always |_| -> Result<(), Wrong> {
        Err(Wrong::Abort(format!("code {code}"), code))
    };

    /// Returns the time on the machine in seconds.
    fn armci_timer() -> c_double = call Armci::seconds;

    /// Sends a message to a process. Tags are 0 to 2^30 - 1.
    fn armci_msg_snd(tag: c_int, buffer: Memory, len: c_int, to: c_int) =
        call |armci| armci.send(tag, buffer, len, to);

    /// Waits for the oldest message of a process with this tag. Its bytes are put into `msglen`, unless that is null.
    fn armci_msg_rcv(tag: c_int, buffer: Memory, buflen: c_int, msglen: Array<c_int>, from: c_int) =
        call |armci| armci.receive(tag, buffer, buflen, msglen, Some(from)).map(|_| ());

    /// Waits for a message of any process with this tag. Returns the process.
    fn armci_msg_rcvany(tag: c_int, buffer: Memory, buflen: c_int, msglen: Array<c_int>) -> c_int =
        call |armci| armci.receive(tag, buffer, buflen, msglen, None);

    /// Waits for all processes, without a fence: a barrier by messages.
    fn armci_msg_barrier as parmci_msg_barrier() = call |armci| armci.meet(Array::NULL);

    /// Waits for all members of a group, without a fence.
    fn armci_msg_group_barrier as parmci_msg_group_barrier(group: Array<GroupHandle>) =
        call |armci| armci.meet(group);

    /// Gives the place of this process in a tree of the processes of a scope; -1 if there is no parent or child.
    fn armci_msg_bintree(
        scope: c_int, root: Array<c_int>, up: Array<c_int>, left: Array<c_int>, right: Array<c_int>,
    ) = call |armci| armci.tree(scope, [root, up, left, right]);

    /// Gives all processes the bytes of one of them.
    fn armci_msg_bcast(buffer: Memory, len: c_int, root: c_int) =
        call |armci| armci.broadcast(ALL, buffer, len, root, Array::NULL);

    /// Gives the processes of a scope the bytes of one of them.
    fn armci_msg_bcast_scope(scope: c_int, buffer: Memory, len: c_int, root: c_int) =
        call |armci| armci.broadcast(scope, buffer, len, root, Array::NULL);

    /// As `armci_msg_bcast`.
    fn armci_msg_brdcst(buffer: Memory, len: c_int, root: c_int) =
        call |armci| armci.broadcast(ALL, buffer, len, root, Array::NULL);

    /// Gives the members of a group the bytes of one of them. `root` is a number among all processes.
    fn armci_msg_group_bcast_scope(
        scope: c_int, buf: Memory, len: c_int, root: c_int, group: Array<GroupHandle>,
    ) = call |armci| armci.broadcast(scope, buf, len, root, group);

    /// Reduces numbers of all processes, in the order of the processes. Process 0 gets the result.
    fn armci_msg_reduce(x: Memory, n: c_int, op: Operation, type_: c_int) =
        call |armci| armci.reduce_to_first(ALL, Numbers { memory: x, count: n, op, type_ });

    /// As `armci_msg_reduce`, of the processes of a scope.
    fn armci_msg_reduce_scope(scope: c_int, x: Memory, n: c_int, op: Operation, type_: c_int) =
        call |armci| armci.reduce_to_first(scope, Numbers { memory: x, count: n, op, type_ });

    /// Gives all processes the `n` bytes of the process whose first number is the least (`min`) or the greatest
    /// (`max`) of those that contribute; the first process of several.
    fn armci_msg_sel(x: Memory, n: c_int, op: Operation, type_: c_int, contribute: c_int) =
        call |armci| armci.select(ALL, Numbers { memory: x, count: n, op, type_ }, contribute != 0);

    /// As `armci_msg_sel`, of the processes of a scope.
    fn armci_msg_sel_scope(scope: c_int, x: Memory, n: c_int, op: Operation, type_: c_int, contribute: c_int) =
        call |armci| armci.select(scope, Numbers { memory: x, count: n, op, type_ }, contribute != 0);

    /// Reduces `n` numbers of the processes of a scope, in the order of the processes: all get the result. `op` is
    /// `+`, `*`, `min`, `max`, `absmin` or `absmax`, or `or` for integers.
    fn armci_msg_gop_scope(scope: c_int, x: Memory, n: c_int, op: Operation, type_: c_int) =
        call |armci| armci.reduce(scope, Numbers { memory: x, count: n, op, type_ }, Array::NULL);

    /// As `armci_msg_gop_scope`, of all processes.
    fn armci_msg_igop(x: Array<c_int>, n: c_int, op: Operation) =
        call |armci| armci.reduce(ALL, of(x, n, op, INT), Array::NULL);

    /// As `armci_msg_gop_scope`, of all processes.
    fn armci_msg_lgop(x: Array<c_long>, n: c_int, op: Operation) =
        call |armci| armci.reduce(ALL, of(x, n, op, LONG), Array::NULL);

    /// As `armci_msg_gop_scope`, of all processes.
    fn armci_msg_llgop(x: Array<c_longlong>, n: c_int, op: Operation) =
        call |armci| armci.reduce(ALL, of(x, n, op, LONG_LONG), Array::NULL);

    /// As `armci_msg_gop_scope`, of all processes.
    fn armci_msg_fgop(x: Array<c_float>, n: c_int, op: Operation) =
        call |armci| armci.reduce(ALL, of(x, n, op, FLOAT), Array::NULL);

    /// As `armci_msg_gop_scope`, of all processes.
    fn armci_msg_dgop(x: Array<c_double>, n: c_int, op: Operation) =
        call |armci| armci.reduce(ALL, of(x, n, op, DOUBLE), Array::NULL);

    /// As `armci_msg_gop_scope`, of the members of a group, in the order of the group.
    fn armci_msg_group_gop_scope(
        scope: c_int, x: Memory, n: c_int, op: Operation, type_: c_int, group: Array<GroupHandle>,
    ) = call |armci| armci.reduce(scope, Numbers { memory: x, count: n, op, type_ }, group);

    /// As `armci_msg_group_gop_scope`.
    fn armci_msg_group_igop(x: Array<c_int>, n: c_int, op: Operation, group: Array<GroupHandle>) =
        call |armci| armci.reduce(ALL, of(x, n, op, INT), group);

    /// As `armci_msg_group_gop_scope`.
    fn armci_msg_group_lgop(x: Array<c_long>, n: c_int, op: Operation, group: Array<GroupHandle>) =
        call |armci| armci.reduce(ALL, of(x, n, op, LONG), group);

    /// As `armci_msg_group_gop_scope`.
    fn armci_msg_group_llgop(x: Array<c_longlong>, n: c_int, op: Operation, group: Array<GroupHandle>) =
        call |armci| armci.reduce(ALL, of(x, n, op, LONG_LONG), group);

    /// As `armci_msg_group_gop_scope`.
    fn armci_msg_group_fgop(x: Array<c_float>, n: c_int, op: Operation, group: Array<GroupHandle>) =
        call |armci| armci.reduce(ALL, of(x, n, op, FLOAT), group);

    /// As `armci_msg_group_gop_scope`.
    fn armci_msg_group_dgop(x: Array<c_double>, n: c_int, op: Operation, group: Array<GroupHandle>) =
        call |armci| armci.reduce(ALL, of(x, n, op, DOUBLE), group);
}
