// SPDX-License-Identifier: MIT OR Apache-2.0
//! Teams of processes, and contexts, each of a team.

use crate::process::Process;
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
    const INVALID: TeamHandle = TeamHandle(0);
    pub(crate) const WORLD: TeamHandle = TeamHandle(1);
    /// This process alone: no other has an address here.
    const SHARED: TeamHandle = TeamHandle(2);
}

/// `shmem_ctx_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Context(usize);

impl Context {
    const INVALID: Context = Context(0);
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
    contexts: c_int,
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
    known: BTreeMap<TeamHandle, Arc<Team>>,
    contexts: BTreeMap<Context, TeamHandle>,
    /// The next handle of both.
    next: usize,
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

    fn known(&self, ctx: Context) -> Result<TeamHandle, Wrong> {
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
    fn add(&mut self, ranks: Vec<usize>, me: usize, contexts: c_int) -> TeamHandle {
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

fn contexts(mask: c_long, config: Array<Config>) -> Result<c_int, Wrong> {
    if !configured(mask)? {
        return Ok(0);
    }
    let found = config.get("config")?.num_contexts;
    if found < 0 {
        return Err(Wrong::argument("config", format!("num_contexts {found}"), "0 or more"));
    }
    Ok(found)
}

impl Process {
    /// Waits until what was put and stored is in place. An invalid context does nothing.
    pub(crate) fn quiet(&mut self, ctx: Context) -> Result<(), Wrong> {
        if ctx == Context::INVALID {
            return Ok(());
        }
        self.teams.known(ctx)?;
        Ok(self.world.fence(None)?)
    }

    /// Puts arrive in order: only what was stored must go out.
    pub(crate) fn fence(&mut self, ctx: Context) -> Result<(), Wrong> {
        if ctx == Context::INVALID {
            return Ok(());
        }
        self.teams.known(ctx)?;
        Ok(self.world.progress()?)
    }

    pub(crate) fn destroy_context(&mut self, ctx: Context) -> Result<(), Wrong> {
        if ctx == Context::DEFAULT {
            return Err(Wrong::argument("ctx", "SHMEM_CTX_DEFAULT", "another context"));
        }
        self.quiet(ctx)?;
        self.teams.contexts.remove(&ctx);
        Ok(())
    }

    /// A team of every `stride`th member of another, from one on: nothing is sent.
    pub(crate) fn split_strided(
        &mut self,
        parent: TeamHandle,
        [start, stride, size]: [c_int; 3],
        (config, mask): (Array<Config>, c_long),
        to: Array<TeamHandle>,
    ) -> Result<c_int, Wrong> {
        to.set("new_team", [TeamHandle::INVALID])?;
        if parent == TeamHandle::INVALID {
            return Ok(1);
        }
        let parent = self.teams.get("parent_team", parent)?;
        let contexts = contexts(mask, config)?;
        let member = |index: c_int| {
            let at = i64::from(start) + i64::from(stride) * i64::from(index);
            usize::try_from(at).ok().and_then(|at| parent.group.ranks.get(at).copied())
        };
        let ranks: Option<Vec<usize>> = (0..size.max(0)).map(member).collect();
        let Some(ranks) = ranks.filter(|ranks| !ranks.is_empty() && (stride != 0 || size == 1))
        else {
            return Ok(1);
        };
        let me = self.world.rank();
        let handle = self.teams.add(ranks, me, contexts);
        to.set("new_team", [handle])?;
        Ok(0)
    }

    /// Rows and columns of members in rows of a length. The last row may be short.
    pub(crate) fn split_2d(
        &mut self,
        parent: TeamHandle,
        xrange: c_int,
        configs: [(Array<Config>, c_long); 2],
        to: [Array<TeamHandle>; 2],
    ) -> Result<c_int, Wrong> {
        for (name, to) in ["xaxis_team", "yaxis_team"].into_iter().zip(to) {
            to.set(name, [TeamHandle::INVALID])?;
        }
        if parent == TeamHandle::INVALID {
            return Ok(1);
        }
        let parent = self.teams.get("parent_team", parent)?;
        let Some(width) = usize::try_from(xrange).ok().filter(|&width| width > 0) else {
            return Err(Wrong::argument("xrange", xrange, "1 or more"));
        };
        let (ranks, at) = (&parent.group.ranks, parent.group.me);
        let first = at - at % width;
        let row = ranks[first..ranks.len().min(first.saturating_add(width))].to_vec();
        let column = ranks.iter().skip(at % width).step_by(width).copied().collect();
        let me = self.world.rank();
        for ((ranks, (config, mask)), (name, to)) in [row, column]
            .into_iter()
            .zip(configs)
            .zip(["xaxis_team", "yaxis_team"].into_iter().zip(to))
        {
            let contexts = contexts(mask, config)?;
            let handle = self.teams.add(ranks, me, contexts);
            to.set(name, [handle])?;
        }
        Ok(0)
    }

    /// Destroys a team and its contexts.
    pub(crate) fn destroy_team(&mut self, team: TeamHandle) -> Result<(), Wrong> {
        match team {
            TeamHandle::INVALID => return Ok(()),
            TeamHandle::WORLD | TeamHandle::SHARED => {
                let found = if team == TeamHandle::WORLD { "WORLD" } else { "SHARED" };
                return Err(Wrong::argument("team", format!("SHMEM_TEAM_{found}"), "another team"));
            }
            _ => {}
        }
        self.teams.get("team", team)?;
        self.quiet(Context::DEFAULT)?;
        self.teams.contexts.retain(|_, of| *of != team);
        self.teams.known.remove(&team);
        Ok(())
    }

    /// The members of an active set: every 2^`log_stride`th process from one on.
    pub(crate) fn active_set(&self, [start, log_stride, size]: [c_int; 3]) -> Result<Group, Wrong> {
        let first = self.rank(start).ok_or_else(|| {
            Wrong::argument("PE_start", start, format!("0 to {}", self.processes() - 1))
        })?;
        let stride = u32::try_from(log_stride).ok().and_then(|log| 1_usize.checked_shl(log));
        let stride = stride.ok_or_else(|| {
            Wrong::argument("logPE_stride", log_stride, "the logarithm of a stride")
        })?;
        let ranks: Vec<usize> = (first..self.world.ranks()).step_by(stride).collect();
        let Some(ranks) = usize::try_from(size).ok().and_then(|size| ranks.get(..size)) else {
            return Err(Wrong::argument("PE_size", size, format!("0 to {}", ranks.len())));
        };
        let me = ranks.iter().position(|&rank| rank == self.world.rank());
        let Some(me) = me else {
            return Err(Wrong::argument("PE_size", size, "an active set with this process"));
        };
        Ok(Group { ranks: ranks.to_vec(), me })
    }
}
