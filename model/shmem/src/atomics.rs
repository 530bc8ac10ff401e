// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes of a value in one step.

use crate::{process::On, types::Value};
use awgstar_caller::{memory::Array, wrong::Wrong};
use awgstar_onesided::{Op, UPDATE_BYTES, Update};
use std::ffi::c_int;

impl On<'_> {
    fn change<T: Value>(
        &mut self,
        argument: &'static str,
        memory: Array<T>,
        update: Update,
        pe: c_int,
    ) -> Result<T, Wrong> {
        let rank = self.rank(pe)?;
        let place = self.process.word(argument, memory, rank)?;
        let old: [u8; UPDATE_BYTES] = self.process.world.update(place, update)?;
        Ok(T::of(u64::from_le_bytes(std::array::from_fn(|at| old[at]))))
    }

    /// Changes a value and gives the one from before.
    pub(crate) fn update<T: Value>(
        &mut self,
        op: Op,
        dest: Array<T>,
        value: T,
        pe: c_int,
    ) -> Result<T, Wrong> {
        self.change("dest", dest, Update::of(op, bytes::<T>(), value.bits()), pe)
    }

    /// Adds 1.
    pub(crate) fn increment<T: Value>(&mut self, dest: Array<T>, pe: c_int) -> Result<T, Wrong> {
        self.change("dest", dest, Update::of(Op::Add, bytes::<T>(), 1), pe)
    }

    pub(crate) fn fetch<T: Value>(&mut self, source: Array<T>, pe: c_int) -> Result<T, Wrong> {
        self.change("source", source, Update::of(Op::Fetch, bytes::<T>(), 0), pe)
    }

    pub(crate) fn compare_swap<T: Value>(
        &mut self,
        dest: Array<T>,
        cond: T,
        value: T,
        pe: c_int,
    ) -> Result<T, Wrong> {
        self.change("dest", dest, Update::compare(bytes::<T>(), cond.bits(), value.bits()), pe)
    }
}

/// Values have 8 bytes at most.
const fn bytes<T>() -> u8 {
    if size_of::<T>() == 4 { 4 } else { 8 }
}
