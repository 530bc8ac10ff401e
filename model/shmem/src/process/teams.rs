// SPDX-License-Identifier: MIT OR Apache-2.0
//! Teams and contexts of a process.

use super::Process;
use crate::teams::{Config, Context, TeamHandle, contexts};
use awgstar_caller::{memory::Array, wrong::Wrong};
use awgstar_onesided::Group;
use std::ffi::{c_int, c_long};

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
