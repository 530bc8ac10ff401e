// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reductions, in the order of the processes.

use crate::{collective::Said, function::Function, process::Process};
use awgstar_caller::{
    memory::Memory,
    numbers::{Number, Reduction},
    wrong::Wrong,
};
use std::ffi::c_int;

impl Process {
    /// Replaces numbers of each process by what those of all become.
    pub(crate) fn reduce(
        &mut self,
        numbers: Memory,
        count: usize,
        of: c_int,
        op: c_int,
    ) -> Result<(), Wrong> {
        let kinds = [Number::Signed32, Number::Signed64, Number::Float64];
        let ops = [Reduction::Sum, Reduction::Min, Reduction::Max];
        let (of, kind) = chosen(kinds, of)
            .ok_or_else(|| Wrong::argument("type", of, "FDSM_INT, FDSM_LONG or FDSM_DOUBLE"))?;
        let (op, reduction) = chosen(ops, op)
            .ok_or_else(|| Wrong::argument("op", op, "FDSM_SUM, FDSM_MIN or FDSM_MAX"))?;
        let bytes = count.checked_mul(kind.bytes()).filter(|&bytes| isize::try_from(bytes).is_ok());
        let bytes = bytes.ok_or_else(|| Wrong::argument("count", count, "fewer"))?;
        let (shared, start) = (self.memory(), numbers.address());
        if start < shared.end && start.saturating_add(bytes) > shared.start {
            let found = format!("{:p}", numbers.pointer());
            return Err(Wrong::argument("numbers", found, "memory of the process itself"));
        }
        let numbers = numbers.bytes_mut("numbers", bytes)?;
        let arguments = [count as u64, of << 8 | op];
        // Also without numbers all wait.
        let room = self.room() / 8 * 8;
        let mut at = 0;
        loop {
            let end = bytes.min(at + room);
            let part = &mut numbers[at..end];
            let all = self.gather(Function::Reduce, arguments, part)?;
            same(arguments, &all)?;
            let mut values = all.into_iter().map(|said| said.data);
            part.copy_from_slice(&values.next().unwrap_or_default());
            values.for_each(|values| reduction.apply(kind, part, &values));
            at = end;
            if at == bytes {
                return Ok(());
            }
        }
    }
}

/// What a number of C means, and the number.
fn chosen<T>(all: [T; 3], number: c_int) -> Option<(u64, T)> {
    (0..).zip(all).find(|(index, _)| c_int::try_from(*index) == Ok(number))
}

fn same(mine: [u64; 2], all: &[Said]) -> Result<(), Wrong> {
    for (process, Said { arguments, .. }) in all.iter().enumerate() {
        if arguments[0] != mine[0] {
            let expected = format!("{} as in process {process}", arguments[0]);
            return Err(Wrong::argument("count", mine[0], expected));
        }
        if arguments[1] != mine[1] {
            return Err(Wrong::Order("another process gives another type or operation"));
        }
    }
    Ok(())
}
