// SPDX-License-Identifier: MIT OR Apache-2.0
//! Put and get, of elements that follow one another or have a distance, and puts with a signal.

use crate::{
    process::{On, Process, bytes_of},
    types::Value,
};
use awgstar_caller::{
    memory::{Array, Memory},
    wrong::Wrong,
};
use awgstar_onesided::{Op, Update};
use std::ffi::c_int;

/// Operations of a signal.
const SET: c_int = 0;
const ADD: c_int = 1;

/// Direction of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Put,
    Get,
}

impl Process {
    /// Copies bytes to or from a process.
    fn copy(
        &mut self,
        way: Way,
        dest: Memory,
        source: Memory,
        bytes: usize,
        rank: usize,
    ) -> Result<(), Wrong> {
        if bytes == 0 {
            return Ok(());
        }
        let (argument, remote, other, local) = match way {
            Way::Put => ("dest", dest, "source", source),
            Way::Get => ("source", source, "dest", dest),
        };
        let place = self.place(argument, remote, bytes, rank)?;
        if local.is_null() {
            return Err(Wrong::Null(other));
        }
        match way {
            // What is in the own memory may overlap.
            _ if rank == self.world.rank() => dest.copy_from(source, bytes),
            Way::Put => self.world.put(place, source.bytes(other, bytes)?)?,
            Way::Get => self.world.get(place, dest.bytes_mut(other, bytes)?)?,
        }
        Ok(())
    }
}

impl On<'_> {
    /// The process with a number in the team of the context.
    pub(crate) fn rank(&self, pe: c_int) -> Result<usize, Wrong> {
        self.team.rank("pe", pe)
    }

    pub(crate) fn put<T>(
        &mut self,
        dest: Array<T>,
        source: Array<T>,
        nelems: usize,
        pe: c_int,
    ) -> Result<(), Wrong> {
        let (bytes, rank) = (bytes_of::<T>("nelems", nelems)?, self.rank(pe)?);
        self.process.copy(Way::Put, dest.memory(), source.memory(), bytes, rank)
    }

    pub(crate) fn get<T>(
        &mut self,
        dest: Array<T>,
        source: Array<T>,
        nelems: usize,
        pe: c_int,
    ) -> Result<(), Wrong> {
        let (bytes, rank) = (bytes_of::<T>("nelems", nelems)?, self.rank(pe)?);
        self.process.copy(Way::Get, dest.memory(), source.memory(), bytes, rank)
    }

    pub(crate) fn put_value<T: Copy>(
        &mut self,
        dest: Array<T>,
        value: T,
        pe: c_int,
    ) -> Result<(), Wrong> {
        self.put(dest, Array::of(&[value]), 1, pe)
    }

    pub(crate) fn get_value<T: Value>(&mut self, source: Array<T>, pe: c_int) -> Result<T, Wrong> {
        let mut value = [T::of(0)];
        self.get(Array::to(&mut value), source, 1, pe)?;
        Ok(value[0])
    }

    pub(crate) fn put_strided<T>(
        &mut self,
        dest: Array<T>,
        source: Array<T>,
        strides: [isize; 2],
        nelems: usize,
        pe: c_int,
    ) -> Result<(), Wrong> {
        self.strided(Way::Put, dest, source, strides, nelems, pe)
    }

    pub(crate) fn get_strided<T>(
        &mut self,
        dest: Array<T>,
        source: Array<T>,
        strides: [isize; 2],
        nelems: usize,
        pe: c_int,
    ) -> Result<(), Wrong> {
        self.strided(Way::Get, dest, source, strides, nelems, pe)
    }

    fn strided<T>(
        &mut self,
        way: Way,
        dest: Array<T>,
        source: Array<T>,
        [to_stride, from_stride]: [isize; 2],
        nelems: usize,
        pe: c_int,
    ) -> Result<(), Wrong> {
        let rank = self.rank(pe)?;
        let (to, from) =
            (stride::<T>("dst", to_stride, nelems)?, stride::<T>("sst", from_stride, nelems)?);
        let (name, memory, step) = match way {
            Way::Put => ("dest", dest.memory(), to),
            Way::Get => ("source", source.memory(), from),
        };
        if nelems == 0 {
            return Ok(());
        }
        // All is checked before the first element is copied.
        let span = (nelems - 1) * step.unsigned_abs() + size_of::<T>();
        self.process.place(name, memory, span, rank)?;
        let (mut at, mut of) = (dest.memory(), source.memory());
        for _ in 0..nelems {
            self.process.copy(way, at, of, size_of::<T>(), rank)?;
            (at, of) = (at.beyond(to), of.beyond(from));
        }
        Ok(())
    }

    /// A put, and after it a change of a word of 64 bits there.
    pub(crate) fn put_signal<T>(
        &mut self,
        dest: Array<T>,
        source: Array<T>,
        nelems: usize,
        (sig_addr, signal, sig_op): (Array<u64>, u64, c_int),
        pe: c_int,
    ) -> Result<(), Wrong> {
        let rank = self.rank(pe)?;
        let word = self.process.word("sig_addr", sig_addr, rank)?;
        if ![SET, ADD].contains(&sig_op) {
            let expected = "SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD";
            return Err(Wrong::argument("sig_op", sig_op, expected));
        }
        self.put(dest, source, nelems, pe)?;
        // What a process writes to another arrives in order.
        if sig_op == SET {
            self.process.world.put(word, &signal.to_le_bytes())?;
        } else {
            self.process.world.update(word, Update::of(Op::Add, 8, signal))?;
        }
        Ok(())
    }
}

/// The distance in bytes of so many elements with a distance.
pub(crate) fn stride<T>(
    argument: &'static str,
    stride: isize,
    nelems: usize,
) -> Result<isize, Wrong> {
    if stride < 1 {
        return Err(Wrong::argument(argument, stride, "1 or more"));
    }
    let step = stride.checked_mul(size_of::<T>().cast_signed());
    let all = step.and_then(|step| step.checked_mul(isize::try_from(nelems).ok()?));
    match (step, all) {
        (Some(step), Some(_)) => Ok(step),
        _ => Err(Wrong::argument(argument, stride, "fewer bytes")),
    }
}
