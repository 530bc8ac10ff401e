// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the members of a team, or of an active set, do together. All data is symmetric.

use crate::{
    process::{Process, bytes_of},
    rma::stride,
    teams::TeamHandle,
    types::Numeric,
};
use awgstar_caller::{
    memory::{Array, Memory},
    numbers::Reduction,
    wrong::Wrong,
};
use awgstar_onesided::Group;
use std::ffi::c_int;

/// Whose members do it.
pub(crate) enum Members {
    Team(TeamHandle),
    /// Start, logarithm of the stride, and members.
    Active([c_int; 3]),
}

/// Elements of a member for another.
#[derive(Clone, Copy)]
struct Block {
    bytes: usize,
    /// Distance of elements.
    step: isize,
    nelems: usize,
}

impl Block {
    /// Of the block with a number.
    fn element(self, block: usize, element: usize) -> isize {
        (block * self.nelems + element).cast_signed() * self.step
    }

    /// Bytes that so many blocks take.
    fn span(self, blocks: usize) -> usize {
        match blocks * self.nelems {
            0 => 0,
            elements => (elements - 1) * self.step.unsigned_abs() + self.bytes,
        }
    }
}

impl Process {
    fn group(&self, members: &Members) -> Result<Group, Wrong> {
        match *members {
            Members::Team(team) => Ok(self.teams.get("team", team)?.group.clone()),
            Members::Active(set) => self.active_set(set),
        }
    }

    /// Own symmetric bytes to read.
    fn source(&self, source: Memory, bytes: usize) -> Result<Vec<u8>, Wrong> {
        if bytes > 0 {
            self.place("source", source, bytes, self.world.rank())?;
        }
        Ok(source.bytes("source", bytes)?.to_vec())
    }

    /// Checks own symmetric bytes to write.
    fn dest(&self, dest: Memory, bytes: usize) -> Result<(), Wrong> {
        if bytes > 0 {
            self.place("dest", dest, bytes, self.world.rank())?;
        }
        Ok(())
    }

    /// Waits for all members.
    pub(crate) fn sync(&mut self, members: &Members) -> Result<(), Wrong> {
        let group = self.group(members)?;
        Ok(self.world.sync(&group)?)
    }

    /// Waits for all members, after what this process has put and stored is in place.
    pub(crate) fn barrier(&mut self, members: &Members) -> Result<(), Wrong> {
        let group = self.group(members)?;
        self.world.fence(None)?;
        Ok(self.world.sync(&group)?)
    }

    pub(crate) fn broadcast<T>(
        &mut self,
        members: &Members,
        dest: Array<T>,
        source: Array<T>,
        nelems: usize,
        root: c_int,
    ) -> Result<(), Wrong> {
        let (group, bytes) = (self.group(members)?, bytes_of::<T>("nelems", nelems)?);
        let last = group.ranks.len() - 1;
        let index = usize::try_from(root).ok().filter(|&index| index <= last);
        let index =
            index.ok_or_else(|| Wrong::argument("PE_root", root, format!("0 to {last}")))?;
        let own = index == group.me;
        let mut all = if own { self.source(source.memory(), bytes)? } else { Vec::new() };
        self.dest(dest.memory(), bytes)?;
        self.world.broadcast(&group, index, &mut all)?;
        // In an active set the root keeps its own.
        if own && matches!(members, Members::Active(_)) {
            return Ok(());
        }
        exactly(dest.memory(), &all, bytes)
    }

    /// The elements of all members, one after another; `alike` if each has as many.
    pub(crate) fn collect<T>(
        &mut self,
        members: &Members,
        dest: Array<T>,
        source: Array<T>,
        nelems: usize,
        alike: bool,
    ) -> Result<(), Wrong> {
        let (group, bytes) = (self.group(members)?, bytes_of::<T>("nelems", nelems)?);
        let mine = self.source(source.memory(), bytes)?;
        let all = self.world.gather_all(&group, &mine)?;
        if let Some(other) = all.iter().find(|one| alike && one.len() != bytes) {
            let expected = format!("{} as another process", other.len() / size_of::<T>());
            return Err(Wrong::argument("nelems", nelems, expected));
        }
        let all = all.concat();
        self.dest(dest.memory(), all.len())?;
        exactly(dest.memory(), &all, all.len())
    }

    /// Each member gets a block of elements of each other. Strides are of elements in `dest` and `source`.
    pub(crate) fn exchange<T>(
        &mut self,
        members: &Members,
        dest: Array<T>,
        source: Array<T>,
        [to_stride, from_stride]: [isize; 2],
        nelems: usize,
    ) -> Result<(), Wrong> {
        let group = self.group(members)?;
        let count = group.ranks.len();
        let all = nelems.saturating_mul(count);
        let block = |argument, distance| -> Result<Block, Wrong> {
            let step = stride::<T>(argument, distance, all)?;
            Ok(Block { bytes: size_of::<T>(), step, nelems })
        };
        let (to, from) = (block("dst", to_stride)?, block("sst", from_stride)?);
        let bytes = bytes_of::<T>("nelems", all)? / count;
        let own = self.source(source.memory(), from.span(count))?;
        self.dest(dest.memory(), to.span(count))?;
        let messages = (0..count).map(|member| {
            let elements = (0..nelems).flat_map(|element| {
                let at = from.element(member, element).unsigned_abs();
                own[at..at + from.bytes].iter().copied()
            });
            elements.collect()
        });
        let messages = self.world.all_to_all(&group, messages.collect())?;
        for (member, message) in messages.iter().enumerate() {
            length("nelems", message, bytes)?;
            for (element, value) in message.chunks(to.bytes).enumerate() {
                let at = dest.memory().beyond(to.element(member, element));
                at.bytes_mut("dest", to.bytes)?.copy_from_slice(value);
            }
        }
        Ok(())
    }

    /// Reduces elements of all members, in their order: all get the result.
    pub(crate) fn reduce<T: Numeric>(
        &mut self,
        members: &Members,
        op: Reduction,
        dest: Array<T>,
        source: Array<T>,
        nreduce: usize,
    ) -> Result<(), Wrong> {
        let (group, bytes) = (self.group(members)?, bytes_of::<T>("nreduce", nreduce)?);
        let mut all = self.source(source.memory(), bytes)?;
        self.dest(dest.memory(), bytes)?;
        let mut apply = |to: &mut [u8], from: &[u8]| op.apply(T::NUMBER, to, from);
        self.world.reduce_all(&group, &mut all, &mut apply)?;
        exactly(dest.memory(), &all, bytes)
    }
}

/// As many bytes as this process has asked for.
fn length(argument: &'static str, message: &[u8], bytes: usize) -> Result<(), Wrong> {
    if message.len() == bytes {
        return Ok(());
    }
    let expected = format!("the {} bytes that another process gave", message.len());
    Err(Wrong::argument(argument, format!("{bytes} bytes"), expected))
}

/// Puts a result into own memory.
fn exactly(dest: Memory, message: &[u8], bytes: usize) -> Result<(), Wrong> {
    length("nelems", message, bytes)?;
    dest.bytes_mut("dest", bytes)?.copy_from_slice(message);
    Ok(())
}
