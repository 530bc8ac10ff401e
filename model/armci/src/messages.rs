// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages and collectives of `message.h` and of the small MPI.

use crate::{groups::GroupHandle, kinds, state::Armci};
use awgstar_caller::{
    memory::{Array, Memory, Text},
    numbers::{Number, Reduction, number},
    wrong::{Wrong, size},
};
use awgstar_onesided::Group;
use std::ffi::c_int;

/// Bit of the tags of a library: messages of ARMCI, of MPI and of collectives do not meet.
#[derive(Clone, Copy)]
#[repr(u32)]
pub(crate) enum Of {
    Armci = 0x4000_0000,
    Mpi = 0x8000_0000,
}

/// `MPI_COMM_WORLD`.
const WORLD: c_int = 1;
/// `MPI_IN_PLACE`.
const IN_PLACE: usize = usize::MAX;
/// Scopes of `message.h`: a node has one process.
const ALL: c_int = 0;
const NODE: c_int = 1;
const MASTERS: c_int = 2;

/// `MPI_Status`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Status {
    source: c_int,
    tag: c_int,
    error: c_int,
    bytes: c_int,
}

/// `MPI_COMM_WORLD` is the only communicator.
pub(crate) fn world(argument: &'static str, comm: c_int) -> Result<(), Wrong> {
    if comm == WORLD {
        return Ok(());
    }
    Err(Wrong::argument(argument, format!("communicator {comm}"), "MPI_COMM_WORLD"))
}

/// A type of MPI.
fn mpi_type(argument: &'static str, type_: c_int) -> Result<Number, Wrong> {
    let found = kinds::mpi_type(type_);
    found.ok_or_else(|| Wrong::argument(argument, type_, "a type of mpi.h"))
}

/// Bytes of so many numbers of a type of MPI.
fn mpi_bytes(names: [&'static str; 2], count: c_int, type_: c_int) -> Result<usize, Wrong> {
    let bytes = size(names[0], count)?.checked_mul(mpi_type(names[1], type_)?.bytes());
    bytes.ok_or_else(|| Wrong::argument(names[0], count, "fewer"))
}

/// Values of a message to send.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) memory: Memory,
    pub(crate) count: c_int,
    pub(crate) type_: c_int,
    /// The other process.
    pub(crate) process: c_int,
    pub(crate) tag: c_int,
}

/// Numbers of a reduction of `message.h`.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) memory: Memory,
    pub(crate) count: c_int,
    pub(crate) op: Text,
    pub(crate) type_: c_int,
}

impl Numbers {
    fn get(self) -> Result<(Number, Reduction, usize), Wrong> {
        let number = kinds::armci_type(self.type_);
        let number = number
            .ok_or_else(|| Wrong::argument("type", self.type_, "ARMCI_INT to ARMCI_DOUBLE"))?;
        let op = self.op.get("op")?;
        let reduction = kinds::armci_reduction(&op).filter(|op| op.takes(number));
        let expected = "+, *, min, max, absmin, absmax, or `or` of integers";
        let reduction = reduction.ok_or_else(|| Wrong::argument("op", op, expected))?;
        let bytes = size("n", self.count)?.checked_mul(number.bytes());
        let bytes = bytes.ok_or_else(|| Wrong::argument("n", self.count, "fewer"))?;
        Ok((number, reduction, bytes))
    }
}

/// Tag of a message of a library.
fn tagged(of: Of, argument: &'static str, tag: c_int) -> Result<u32, Wrong> {
    let within = u32::try_from(tag).ok().filter(|&tag| tag < Of::Armci as u32);
    within
        .map(|tag| tag | of as u32)
        .ok_or_else(|| Wrong::argument(argument, tag, format!("0 to {}", Of::Armci as u32 - 1)))
}

impl Armci {
    /// The processes of a scope.
    fn scope(&self, scope: c_int) -> Result<Group, Wrong> {
        match scope {
            ALL | MASTERS => Ok(self.all.clone()),
            NODE => Ok(Group { ranks: vec![self.world.rank()], me: 0 }),
            _ => Err(Wrong::argument("scope", scope, "SCOPE_ALL, SCOPE_NODE or SCOPE_MASTERS")),
        }
    }

    /// The members of a group within a scope.
    fn group_scope(&self, scope: c_int, group: Array<GroupHandle>) -> Result<Group, Wrong> {
        match self.scope(scope)? {
            node if scope == NODE => Ok(node),
            _ => self.groups.of("group", group),
        }
    }

    pub(crate) fn meet(&mut self, group: Array<GroupHandle>) -> Result<(), Wrong> {
        let group = self.groups.of("group", group)?;
        Ok(self.world.sync(&group)?)
    }

    pub(crate) fn send(
        &mut self,
        tag: c_int,
        buffer: Memory,
        bytes: c_int,
        to: c_int,
    ) -> Result<(), Wrong> {
        let tag = tagged(Of::Armci, "tag", tag)?;
        let rank = self.process("to", to)?;
        let bytes = buffer.bytes("buffer", size("len", bytes)?)?;
        Ok(self.world.send(rank, tag, bytes)?)
    }

    /// Receives a message, from anybody without `from`. It gives the sender.
    pub(crate) fn receive(
        &mut self,
        tag: c_int,
        buffer: Memory,
        room: c_int,
        length: Array<c_int>,
        from: Option<c_int>,
    ) -> Result<c_int, Wrong> {
        let tag = tagged(Of::Armci, "tag", tag)?;
        let room = buffer.bytes_mut("buffer", size("buflen", room)?)?;
        let (rank, message) = match from {
            Some(from) => {
                let rank = self.process("from", from)?;
                (rank, self.world.recv(rank, tag)?)
            }
            None => self.world.recv_any(tag)?,
        };
        length.put(fill(room, &message, "buflen")?);
        Ok(number(rank))
    }

    /// Gives the bytes of a process, by its number among all, to the members of a group within a scope.
    pub(crate) fn broadcast(
        &mut self,
        scope: c_int,
        buffer: Memory,
        bytes: c_int,
        root: c_int,
        group: Array<GroupHandle>,
    ) -> Result<(), Wrong> {
        let group = self.group_scope(scope, group)?;
        if scope == NODE {
            return Ok(());
        }
        let rank = self.process("root", root)?;
        self.give(&group, rank, buffer.bytes_mut("buffer", size("len", bytes)?)?, "len")
    }

    /// Gives the bytes of a process to the members of a group.
    fn give(
        &mut self,
        group: &Group,
        root: usize,
        buffer: &mut [u8],
        argument: &'static str,
    ) -> Result<(), Wrong> {
        let index = group.ranks.iter().position(|&rank| rank == root);
        let index = index.ok_or_else(|| Wrong::argument("root", root, "a member of the group"))?;
        let mut bytes = if index == group.me { buffer.to_vec() } else { Vec::new() };
        self.world.broadcast(group, index, &mut bytes)?;
        exactly(buffer, &bytes, argument)
    }

    /// Reduces numbers of the members of a group within a scope: all get the result.
    pub(crate) fn reduce(
        &mut self,
        scope: c_int,
        numbers: Numbers,
        group: Array<GroupHandle>,
    ) -> Result<(), Wrong> {
        let (number, reduction, bytes) = numbers.get()?;
        let group = self.group_scope(scope, group)?;
        let memory = numbers.memory.bytes_mut("x", bytes)?;
        let mut apply = |to: &mut [u8], from: &[u8]| reduction.apply(number, to, from);
        Ok(self.world.reduce_all(&group, memory, &mut apply)?)
    }

    /// Reduces numbers of all processes of a scope: process 0 gets the result.
    pub(crate) fn reduce_to_first(&mut self, scope: c_int, numbers: Numbers) -> Result<(), Wrong> {
        let (number, reduction, bytes) = numbers.get()?;
        let group = self.scope(scope)?;
        let memory = numbers.memory.bytes_mut("x", bytes)?;
        let mut result = memory.to_vec();
        let mut apply = |to: &mut [u8], from: &[u8]| reduction.apply(number, to, from);
        self.world.reduce_all(&group, &mut result, &mut apply)?;
        if group.me == 0 {
            memory.copy_from_slice(&result);
        }
        Ok(())
    }

    /// The bytes of the process whose first number is the least or the greatest of those that contribute, the first
    /// such process if there are several: all of the scope get them.
    pub(crate) fn select(
        &mut self,
        scope: c_int,
        numbers: Numbers,
        contribute: bool,
    ) -> Result<(), Wrong> {
        // `count` is bytes here.
        let (number, reduction, _) = Numbers { count: 0, ..numbers }.get()?;
        let greatest = match reduction {
            Reduction::Min => false,
            Reduction::Max => true,
            _ => return Err(Wrong::argument("op", numbers.op.get("op")?, "min or max")),
        };
        let bytes = size("n", numbers.count)?;
        if bytes < number.bytes() {
            let expected = format!("{} bytes or more", number.bytes());
            return Err(Wrong::argument("n", bytes, expected));
        }
        let group = self.scope(scope)?;
        let memory = numbers.memory.bytes_mut("x", bytes)?;
        let mine = if contribute { memory.to_vec() } else { Vec::new() };
        let mut best: Option<Vec<u8>> = None;
        for one in self.world.gather_all(&group, &mine)? {
            let better = match &best {
                _ if one.is_empty() => false,
                None => true,
                Some(best) if greatest => number.is_less(best, &one),
                Some(best) => number.is_less(&one, best),
            };
            if better {
                best = Some(one);
            }
        }
        best.map_or(Ok(()), |best| exactly(memory, &best, "n"))
    }

    /// The processes of a scope as a tree: parent and children of this one, -1 if there is none.
    pub(crate) fn tree(
        &self,
        scope: c_int,
        [root, up, left, right]: [Array<c_int>; 4],
    ) -> Result<(), Wrong> {
        self.scope(scope)?;
        let (me, count) = if scope == NODE { (0, 1) } else { (self.me(), self.processes()) };
        let child = |number: c_int| if number < count { number } else { -1 };
        root.set("root", [if scope == NODE { self.me() } else { 0 }])?;
        up.set("up", [if me == 0 { -1 } else { (me - 1) / 2 }])?;
        left.set("left", [child(2 * me + 1)])?;
        right.set("right", [child(2 * me + 2)])
    }

    pub(crate) fn mpi_broadcast(&mut self, part: Part, comm: c_int) -> Result<(), Wrong> {
        world("comm", comm)?;
        let bytes = mpi_bytes(["count", "datatype"], part.count, part.type_)?;
        let rank = self.process("root", part.process)?;
        let all = self.all.clone();
        self.give(&all, rank, part.memory.bytes_mut("buffer", bytes)?, "count")
    }

    pub(crate) fn mpi_reduce(
        &mut self,
        from: Memory,
        part: Part,
        op: c_int,
        comm: c_int,
    ) -> Result<(), Wrong> {
        world("comm", comm)?;
        let bytes = mpi_bytes(["count", "datatype"], part.count, part.type_)?;
        let number = mpi_type("datatype", part.type_)?;
        let reduction = kinds::mpi_reduction(op).filter(|op| op.takes(number));
        let expected = "an operation of mpi.h that the type has";
        let reduction = reduction.ok_or_else(|| Wrong::argument("op", op, expected))?;
        let to = part.memory.bytes_mut("recvbuf", bytes)?;
        if from.address() != IN_PLACE {
            to.copy_from_slice(from.bytes("sendbuf", bytes)?);
        }
        let all = self.all.clone();
        let mut apply = |to: &mut [u8], from: &[u8]| reduction.apply(number, to, from);
        Ok(self.world.reduce_all(&all, to, &mut apply)?)
    }

    pub(crate) fn mpi_exchange(
        &mut self,
        send: Part,
        receive: Part,
        comm: c_int,
        status: Array<Status>,
    ) -> Result<(), Wrong> {
        world("comm", comm)?;
        let bytes = mpi_bytes(["sendcount", "sendtype"], send.count, send.type_)?;
        let room = mpi_bytes(["recvcount", "recvtype"], receive.count, receive.type_)?;
        let to = self.process("dest", send.process)?;
        let from = self.process("source", receive.process)?;
        let (tag, wanted) =
            (tagged(Of::Mpi, "sendtag", send.tag)?, tagged(Of::Mpi, "recvtag", receive.tag)?);
        self.world.send(to, tag, send.memory.bytes("sendbuf", bytes)?)?;
        let message = self.world.recv(from, wanted)?;
        let bytes = fill(receive.memory.bytes_mut("recvbuf", room)?, &message, "recvcount")?;
        status.put(Status { source: receive.process, tag: receive.tag, error: 0, bytes });
        Ok(())
    }
}

/// Values of a message that was received.
pub(crate) fn received(
    status: Array<Status>,
    type_: c_int,
    count: Array<c_int>,
) -> Result<(), Wrong> {
    let bytes = size("status", status.get("status")?.bytes)?;
    let each = mpi_type("datatype", type_)?.bytes();
    // `MPI_UNDEFINED` if they are no whole number.
    let found = if bytes.is_multiple_of(each) { number(bytes / each) } else { -32766 };
    count.set("count", [found])
}

/// Puts a message into the begin of the room for it, and gives its bytes.
fn fill(room: &mut [u8], message: &[u8], argument: &'static str) -> Result<c_int, Wrong> {
    let bytes = room.len();
    let to = room.get_mut(..message.len()).ok_or_else(|| {
        Wrong::argument(argument, format!("{bytes} bytes"), format!("{} or more", message.len()))
    })?;
    to.copy_from_slice(message);
    Ok(number(message.len()))
}

/// Puts a message into a place of its length.
fn exactly(place: &mut [u8], message: &[u8], argument: &'static str) -> Result<(), Wrong> {
    if place.len() != message.len() {
        let expected = format!("the {} bytes that another process gave", message.len());
        return Err(Wrong::argument(argument, format!("{} bytes", place.len()), expected));
    }
    place.copy_from_slice(message);
    Ok(())
}
