// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups of processes.

use awgstar_caller::{memory::Array, numbers::number, wrong::Wrong};
use awgstar_onesided::Group;
use std::{collections::BTreeMap, ffi::c_int};

/// `MPI_COMM_NULL`.
const NONE: c_int = 0;
/// The group of all processes. The number is none of MPI's communicators.
const ALL: c_int = 16;
/// `MPI_UNDEFINED`: no group.
pub(crate) const UNDEFINED: c_int = -32766;

/// `ARMCI_Group`. What a process knows of a group is found by the first field, so copies are the same group.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct GroupHandle {
    number: c_int,
    noncollective: c_int,
    to_all: Array<c_int>,
    from_all: Array<c_int>,
    rank: c_int,
    size: c_int,
}

impl GroupHandle {
    /// A group that the process is no member of.
    const STRANGE: GroupHandle = GroupHandle {
        number: NONE,
        noncollective: NONE,
        to_all: Array::NULL,
        from_all: Array::NULL,
        rank: -1,
        size: 0,
    };
}

pub(crate) struct Known {
    pub(crate) group: Group,
    /// Numbers among all of the members, and numbers among the members of all, or -1.
    to_all: Vec<c_int>,
    from_all: Vec<c_int>,
}

impl Known {
    fn new(group: Group, processes: usize) -> Known {
        let mut from_all = vec![-1; processes];
        for (index, &rank) in group.ranks.iter().enumerate() {
            from_all[rank] = number(index);
        }
        Known { to_all: group.ranks.iter().map(|&rank| number(rank)).collect(), from_all, group }
    }
}

/// The groups that this process is a member of.
pub(crate) struct Groups {
    known: BTreeMap<c_int, Known>,
    next: c_int,
    pub(crate) default: c_int,
    processes: usize,
}

impl Groups {
    pub(crate) fn new(all: Group) -> Groups {
        let processes = all.ranks.len();
        let known = BTreeMap::from([(ALL, Known::new(all, processes))]);
        Groups { known, next: ALL + 1, default: ALL, processes }
    }

    pub(crate) fn known(&self, argument: &'static str, number: c_int) -> Result<&Known, Wrong> {
        self.known.get(&number).ok_or_else(|| {
            let found = format!("number {number}");
            Wrong::argument(argument, found, "a group with this process that was not freed")
        })
    }

    /// The group that the caller means; null is that of all.
    pub(crate) fn of(
        &self,
        argument: &'static str,
        handle: Array<GroupHandle>,
    ) -> Result<Group, Wrong> {
        let number = if handle.is_null() { ALL } else { handle.get(argument)?.number };
        Ok(self.known(argument, number)?.group.clone())
    }

    fn handle(&self, number_: c_int) -> Result<GroupHandle, Wrong> {
        let known = self.known("group", number_)?;
        Ok(GroupHandle {
            number: number_,
            noncollective: NONE,
            to_all: Array::of(&known.to_all),
            from_all: Array::of(&known.from_all),
            rank: number(known.group.me),
            size: number(known.group.ranks.len()),
        })
    }

    pub(crate) fn add(&mut self, ranks: Vec<usize>, me: usize) -> Result<GroupHandle, Wrong> {
        let Some(me) = ranks.iter().position(|&rank| rank == me) else {
            return Ok(GroupHandle::STRANGE);
        };
        let number = self.next;
        self.next += 1;
        self.known.insert(number, Known::new(Group { ranks, me }, self.processes));
        self.handle(number)
    }

    pub(crate) fn all(&self) -> Result<GroupHandle, Wrong> {
        self.handle(ALL)
    }

    pub(crate) fn default(&self) -> Result<GroupHandle, Wrong> {
        self.handle(self.default)
    }

    pub(crate) fn set_default(&mut self, handle: Array<GroupHandle>) -> Result<(), Wrong> {
        let number = handle.get("group")?.number;
        self.known("group", number)?;
        self.default = number;
        Ok(())
    }

    pub(crate) fn free(&mut self, handle: Array<GroupHandle>) -> Result<(), Wrong> {
        let number = handle.get("group")?.number;
        if number == ALL {
            return Err(Wrong::argument("group", "the group of all processes", "another group"));
        }
        self.known("group", number)?;
        self.known.remove(&number);
        if self.default == number {
            self.default = ALL;
        }
        handle.put(GroupHandle::STRANGE);
        Ok(())
    }

    /// Number among all processes of a member.
    pub(crate) fn absolute(&self, handle: Array<GroupHandle>, rank: c_int) -> Result<c_int, Wrong> {
        let known = self.known("group", handle.get("group")?.number)?;
        let member = usize::try_from(rank).ok().and_then(|rank| known.to_all.get(rank));
        let last = known.to_all.len() - 1;
        member.copied().ok_or_else(|| Wrong::argument("group_rank", rank, format!("0 to {last}")))
    }
}

/// Rank in a group, -1 for others, and the result of the function that asks for it.
pub(crate) fn rank(handle: Array<GroupHandle>, to: Array<c_int>) -> Result<c_int, Wrong> {
    let rank = handle.get("group")?.rank;
    to.set("rank", [rank])?;
    Ok(c_int::from(rank < 0))
}

pub(crate) fn members(handle: Array<GroupHandle>, to: Array<c_int>) -> Result<(), Wrong> {
    to.set("size", [handle.get("group")?.size])
}
