// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups of processes.

use crate::{
    caller::Array,
    memory::pair,
    state::{Armci, number},
    wrong::{Wrong, size},
};
use awgstar_onesided::Group;
use std::{collections::BTreeMap, ffi::c_int};

/// `MPI_COMM_NULL`.
const NONE: c_int = 0;
/// The group of all processes. The number is none of MPI's communicators.
const ALL: c_int = 16;
/// `MPI_UNDEFINED`: no group.
const UNDEFINED: c_int = -32766;

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

struct Known {
    group: Group,
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
    default: c_int,
    processes: usize,
}

impl Groups {
    pub(crate) fn new(all: Group) -> Groups {
        let processes = all.ranks.len();
        let known = BTreeMap::from([(ALL, Known::new(all, processes))]);
        Groups { known, next: ALL + 1, default: ALL, processes }
    }

    fn known(&self, argument: &'static str, number: c_int) -> Result<&Known, Wrong> {
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

    fn add(&mut self, ranks: Vec<usize>, me: usize) -> Result<GroupHandle, Wrong> {
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

impl Armci {
    /// The domain of a process: every process has its own.
    pub(crate) fn domain(
        &self,
        domain: c_int,
        argument: &'static str,
        process: c_int,
    ) -> Result<c_int, Wrong> {
        if domain != 0 {
            return Err(Wrong::argument("domain", domain, "ARMCI_DOMAIN_SMP"));
        }
        self.process(argument, process)?;
        Ok(process)
    }

    /// A group of members of a parent, by their numbers there. Nothing is sent.
    pub(crate) fn child(
        &mut self,
        count: c_int,
        list: Array<c_int>,
        to: Array<GroupHandle>,
        parent: Option<Array<GroupHandle>>,
    ) -> Result<(), Wrong> {
        let parent = match parent {
            Some(handle) => self.groups.of("group_parent", handle)?,
            None => self.groups.known("group", self.groups.default)?.group.clone(),
        };
        let mut ranks = Vec::new();
        for member in list.list("pid_list", size("grp_size", count)?)? {
            let rank = usize::try_from(member).ok().and_then(|index| parent.ranks.get(index));
            match rank {
                Some(rank) if !ranks.contains(rank) => ranks.push(*rank),
                _ => {
                    let expected = format!("0 to {}, each once", parent.ranks.len() - 1);
                    return Err(Wrong::argument("pid_list", member, expected));
                }
            }
        }
        let me = self.world.rank();
        to.set("group_out", [self.groups.add(ranks, me)?])
    }

    /// Members with the same color become a group, in the order of their keys.
    pub(crate) fn split(
        &mut self,
        parent: Array<GroupHandle>,
        color: c_int,
        key: c_int,
        to: Array<GroupHandle>,
    ) -> Result<(), Wrong> {
        let parent = self.groups.of("parent", parent)?;
        // Numbers without a sign have the same order when the least one becomes 0.
        let order = |value: c_int| u64::from(value.cast_unsigned() ^ (1 << 31));
        let mine = [order(color), order(key)].map(u64::to_le_bytes).concat();
        let all = self.world.gather_all(&parent, &mine)?;
        let mut same: Vec<(u64, usize)> = Vec::new();
        for (&rank, answer) in parent.ranks.iter().zip(&all) {
            let [of, key] = pair(answer);
            if of == order(color) && color != UNDEFINED {
                same.push((key, rank));
            }
        }
        // Stable: members with the same key keep the order of the parent.
        same.sort_by_key(|&(key, _)| key);
        let ranks = same.into_iter().map(|(_, rank)| rank).collect();
        let me = self.world.rank();
        to.set("new_group", [self.groups.add(ranks, me)?])
    }

    pub(crate) fn duplicate(
        &mut self,
        parent: Array<GroupHandle>,
        to: Array<GroupHandle>,
    ) -> Result<(), Wrong> {
        let ranks = self.groups.of("parent", parent)?.ranks;
        let me = self.world.rank();
        to.set("new_group", [self.groups.add(ranks, me)?])
    }
}
