// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups that are made of others, and domains.

use crate::{
    groups::{GroupHandle, UNDEFINED},
    state::Armci,
};
use awgstar_caller::{
    memory::Array,
    numbers::pair,
    wrong::{Wrong, size},
};
use std::ffi::c_int;

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
