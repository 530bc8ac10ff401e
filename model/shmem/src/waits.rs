// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waits for values of the own symmetric memory, and looks at them.

use crate::{process::Process, types::Value};
use awgstar_caller::{memory::Array, wrong::Wrong};
use awgstar_onesided::WATCHED_BYTES;
use std::ffi::c_int;

/// Comparisons, in the order of their numbers.
#[derive(Clone, Copy)]
enum Comparison {
    Equal,
    NotEqual,
    Greater,
    LessOrEqual,
    Less,
    GreaterOrEqual,
}

impl Comparison {
    fn of(cmp: c_int) -> Result<Comparison, Wrong> {
        const ALL: [Comparison; 6] = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Greater,
            Comparison::LessOrEqual,
            Comparison::Less,
            Comparison::GreaterOrEqual,
        ];
        let found = usize::try_from(cmp).ok().and_then(|number| ALL.get(number).copied());
        found.ok_or_else(|| Wrong::argument("cmp", cmp, "SHMEM_CMP_EQ to SHMEM_CMP_GE"))
    }

    fn holds<T: PartialOrd>(self, one: &T, other: &T) -> bool {
        match self {
            Comparison::Equal => one == other,
            Comparison::NotEqual => one != other,
            Comparison::Greater => one > other,
            Comparison::LessOrEqual => one <= other,
            Comparison::Less => one < other,
            Comparison::GreaterOrEqual => one >= other,
        }
    }
}

/// Variables, which of them count, and what they are compared with.
#[derive(Clone, Copy)]
pub(crate) struct Set<T> {
    ivars: Array<T>,
    nelems: usize,
    status: Array<c_int>,
    cmp: c_int,
    values: Values<T>,
}

#[derive(Clone, Copy)]
enum Values<T> {
    One(T),
    Each(Array<T>),
}

impl<T: Value + PartialOrd> Set<T> {
    pub(crate) const fn one(
        ivars: Array<T>,
        nelems: usize,
        status: Array<c_int>,
        cmp: c_int,
        value: T,
    ) -> Set<T> {
        Set { ivars, nelems, status, cmp, values: Values::One(value) }
    }

    pub(crate) const fn each(
        ivars: Array<T>,
        nelems: usize,
        status: Array<c_int>,
        cmp: c_int,
        values: Array<T>,
    ) -> Set<T> {
        Set { ivars, nelems, status, cmp, values: Values::Each(values) }
    }

    /// The elements that count.
    fn members(&self) -> Result<Vec<usize>, Wrong> {
        if self.status.is_null() {
            return Ok((0..self.nelems).collect());
        }
        let status = self.status.list("status", self.nelems)?;
        Ok((0..self.nelems).filter(|&index| status[index] == 0).collect())
    }

    fn value(&self, index: usize) -> Result<T, Wrong> {
        match self.values {
            Values::One(value) => Ok(value),
            Values::Each(values) => values.at(index).get("cmp_values"),
        }
    }
}

impl Process {
    /// Waits until a variable compares with a value.
    pub(crate) fn wait_until<T: Value + PartialOrd>(
        &mut self,
        argument: &'static str,
        ivar: Array<T>,
        cmp: c_int,
        value: T,
    ) -> Result<T, Wrong> {
        let comparison = Comparison::of(cmp)?;
        let place = self.word(argument, ivar, self.world.rank())?;
        loop {
            let now = ivar.get(argument)?;
            if comparison.holds(&now, &value) {
                return Ok(now);
            }
            self.world.wait_change(place.offset, &now.bits().to_le_bytes()[..size_of::<T>()])?;
        }
    }

    pub(crate) fn test<T: Value + PartialOrd>(
        &mut self,
        ivar: Array<T>,
        cmp: c_int,
        value: T,
    ) -> Result<bool, Wrong> {
        let comparison = Comparison::of(cmp)?;
        self.word("ivar", ivar, self.world.rank())?;
        // A loop of looks must not stop time.
        self.world.progress()?;
        Ok(comparison.holds(&ivar.get("ivar")?, &value))
    }

    pub(crate) fn wait_until_all<T: Value + PartialOrd>(
        &mut self,
        set: Set<T>,
    ) -> Result<(), Wrong> {
        for index in set.members()? {
            let value = set.value(index)?;
            self.wait_until("ivars", set.ivars.at(index), set.cmp, value)?;
        }
        Ok(())
    }

    /// The elements of those that count for which the comparison holds, from that on with which the last look ended.
    fn found<T: Value + PartialOrd>(
        &mut self,
        set: &Set<T>,
        members: &[usize],
    ) -> Result<Vec<usize>, Wrong> {
        let comparison = Comparison::of(set.cmp)?;
        let mut found = Vec::new();
        for &index in members {
            if comparison.holds(&set.ivars.at(index).get("ivars")?, &set.value(index)?) {
                found.push(index);
            }
        }
        // A series of looks finds every element.
        let later = found.partition_point(|&index| index < self.next);
        found.rotate_left(later);
        Ok(found)
    }

    /// Elements for which the comparison holds; if it `waits`, until there are some.
    fn some<T: Value + PartialOrd>(
        &mut self,
        set: &Set<T>,
        waits: bool,
    ) -> Result<Vec<usize>, Wrong> {
        let members = set.members()?;
        Comparison::of(set.cmp)?;
        let (Some(&first), Some(&last)) = (members.first(), members.last()) else {
            return Ok(Vec::new());
        };
        let me = self.world.rank();
        let place = self.word("ivars", set.ivars.at(first), me)?;
        self.word("ivars", set.ivars.at(last), me)?;
        let bytes = (last + 1 - first) * size_of::<T>();
        if !waits {
            self.world.progress()?;
        }
        loop {
            let found = self.found(set, &members)?;
            if !found.is_empty() || !waits {
                return Ok(found);
            }
            if bytes <= WATCHED_BYTES {
                let old = set.ivars.at(first).memory().bytes("ivars", bytes)?.to_vec();
                self.world.wait_change(place.offset, &old)?;
            } else {
                self.world.progress()?;
            }
        }
    }

    /// One element for which the comparison holds; `SIZE_MAX` if there is none.
    pub(crate) fn any<T: Value + PartialOrd>(
        &mut self,
        set: Set<T>,
        waits: bool,
    ) -> Result<usize, Wrong> {
        let found = self.some(&set, waits)?.first().copied();
        self.next = found.map_or(0, |index| index + 1);
        Ok(found.unwrap_or(usize::MAX))
    }

    /// All elements for which the comparison holds now.
    pub(crate) fn several<T: Value + PartialOrd>(
        &mut self,
        set: Set<T>,
        indices: Array<usize>,
        waits: bool,
    ) -> Result<usize, Wrong> {
        let found = self.some(&set, waits)?;
        let count = found.len();
        if count > 0 {
            indices.set("indices", found)?;
        }
        Ok(count)
    }

    /// The comparison holds for all that count.
    pub(crate) fn test_all<T: Value + PartialOrd>(&mut self, set: Set<T>) -> Result<bool, Wrong> {
        let count = set.members()?.len();
        Ok(self.some(&set, false)?.len() == count)
    }
}
