// SPDX-License-Identifier: MIT OR Apache-2.0
//! Teams of processes, and contexts, each of a team.

use awgstar_caller::{memory::Array, numbers::number, wrong::Wrong};
use awgstar_onesided::Group;
use std::{
    collections::BTreeMap,
    ffi::{c_int, c_long},
    sync::Arc,
};

/// `shmem_team_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct TeamHandle(usize);

impl TeamHandle {
    pub(crate) const INVALID: TeamHandle = TeamHandle(0);
    pub(crate) const WORLD: TeamHandle = TeamHandle(1);
    /// This process alone: no other has an address here.
    pub(crate) const SHARED: TeamHandle = TeamHandle(2);
}

/// `shmem_ctx_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Context(usize);

impl Context {
    pub(crate) const INVALID: Context = Context(0);
    pub(crate) const DEFAULT: Context = Context(1);
}

/// `shmem_team_config_t`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Config {
    num_contexts: c_int,
}

/// `SHMEM_TEAM_NUM_CONTEXTS`.
const NUM_CONTEXTS: c_long = 1;
/// All options of a context.
const OPTIONS: c_long = 7;

/// Members of a team.
#[derive(Debug)]
pub(crate) struct Team {
    pub(crate) group: Group,
    pub(crate) contexts: c_int,
}

impl Team {
    /// The process of a member.
    pub(crate) fn rank(&self, argument: &'static str, pe: c_int) -> Result<usize, Wrong> {
        let rank = usize::try_from(pe).ok().and_then(|index| self.group.ranks.get(index));
        let last = self.group.ranks.len() - 1;
        rank.copied().ok_or_else(|| Wrong::argument(argument, pe, format!("0 to {last}")))
    }
}

/// The teams that this process is a member of, and its contexts.
pub(crate) struct Teams {
    pub(crate) known: BTreeMap<TeamHandle, Arc<Team>>,
    pub(crate) contexts: BTreeMap<Context, TeamHandle>,
    /// The next handle of both.
    pub(crate) next: usize,
}

impl Teams {
    pub(crate) fn new(all: &Group) -> Teams {
        let alone = Group { ranks: vec![all.ranks[all.me]], me: 0 };
        let team = |group| Arc::new(Team { group, contexts: 0 });
        Teams {
            known: BTreeMap::from([
                (TeamHandle::WORLD, team(all.clone())),
                (TeamHandle::SHARED, team(alone)),
            ]),
            contexts: BTreeMap::from([(Context::DEFAULT, TeamHandle::WORLD)]),
            next: 3,
        }
    }

    pub(crate) fn get(&self, argument: &'static str, team: TeamHandle) -> Result<Arc<Team>, Wrong> {
        self.known.get(&team).cloned().ok_or_else(|| {
            Wrong::argument(argument, format!("team {}", team.0), "a team with this process")
        })
    }

    pub(crate) fn known(&self, ctx: Context) -> Result<TeamHandle, Wrong> {
        self.contexts.get(&ctx).copied().ok_or_else(|| {
            let expected = "a context that was not destroyed";
            Wrong::argument("ctx", format!("context {}", ctx.0), expected)
        })
    }

    pub(crate) fn of_context(&self, ctx: Context) -> Result<Arc<Team>, Wrong> {
        self.get("ctx", self.known(ctx)?)
    }

    /// The number of this process in a team, and of all members: -1 if the team is invalid.
    pub(crate) fn numbers(&self, team: TeamHandle) -> Result<[c_int; 2], Wrong> {
        if team == TeamHandle::INVALID {
            return Ok([-1; 2]);
        }
        let team = self.get("team", team)?;
        Ok([number(team.group.me), number(team.group.ranks.len())])
    }

    pub(crate) fn config(
        &self,
        team: TeamHandle,
        mask: c_long,
        config: Array<Config>,
    ) -> Result<c_int, Wrong> {
        if team == TeamHandle::INVALID {
            return Ok(1);
        }
        let num_contexts = self.get("team", team)?.contexts;
        if configured(mask)? {
            config.set("config", [Config { num_contexts }])?;
        }
        Ok(0)
    }

    /// The number in a team of a member of another; -1 if it is in one only.
    pub(crate) fn translate(&self, [from, to]: [TeamHandle; 2], pe: c_int) -> Result<c_int, Wrong> {
        if [from, to].contains(&TeamHandle::INVALID) {
            return Ok(-1);
        }
        let rank = self.get("src_team", from)?.rank("src_pe", pe)?;
        let to = self.get("dest_team", to)?;
        Ok(to.group.ranks.iter().position(|&one| one == rank).map_or(-1, number))
    }

    /// A team of these processes; the invalid one if this process is none of them.
    pub(crate) fn add(&mut self, ranks: Vec<usize>, me: usize, contexts: c_int) -> TeamHandle {
        // Handles are dealt alike in all processes, which is easier to follow.
        let handle = TeamHandle(self.next);
        self.next += 1;
        let Some(me) = ranks.iter().position(|&rank| rank == me) else {
            return TeamHandle::INVALID;
        };
        let team = Team { group: Group { ranks, me }, contexts };
        self.known.insert(handle, Arc::new(team));
        handle
    }

    pub(crate) fn create_context(
        &mut self,
        team: TeamHandle,
        options: c_long,
        ctx: Array<Context>,
    ) -> Result<c_int, Wrong> {
        if team == TeamHandle::INVALID {
            return Ok(1);
        }
        self.get("team", team)?;
        if options & !OPTIONS != 0 {
            let expected = "options SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE and SHMEM_CTX_NOSTORE";
            return Err(Wrong::argument("options", options, expected));
        }
        let new = Context(self.next);
        self.next += 1;
        self.contexts.insert(new, team);
        ctx.set("ctx", [new])?;
        Ok(0)
    }

    /// The team of a context: 1 if it is invalid.
    pub(crate) fn team_of(&self, ctx: Context, team: Array<TeamHandle>) -> Result<c_int, Wrong> {
        if ctx == Context::INVALID {
            team.set("team", [TeamHandle::INVALID])?;
            return Ok(1);
        }
        team.set("team", [self.known(ctx)?])?;
        Ok(0)
    }
}

/// The configuration is used.
fn configured(mask: c_long) -> Result<bool, Wrong> {
    if mask & !NUM_CONTEXTS != 0 {
        return Err(Wrong::argument("config_mask", mask, "SHMEM_TEAM_NUM_CONTEXTS or 0"));
    }
    Ok(mask != 0)
}

pub(crate) fn contexts(mask: c_long, config: Array<Config>) -> Result<c_int, Wrong> {
    if !configured(mask)? {
        return Ok(0);
    }
    let found = config.get("config")?.num_contexts;
    if found < 0 {
        return Err(Wrong::argument("config", format!("num_contexts {found}"), "0 or more"));
    }
    Ok(found)
}
