// SPDX-License-Identifier: MIT OR Apache-2.0
//! Windows of one side of a gateway.

use super::tree::{Result, Table};
use awgstar::rtl::windows::{Vectors, WINDOWS, Window};

/// Bytes of a place.
const PLACE: u32 = 64;

/// The windows of a side.
pub(super) fn windows(t: &Table) -> Result<Vectors> {
    let all = t.list("windows")?;
    if all.len() > WINDOWS {
        return Err(t.wrong(format!("`windows` are {}: expected {WINDOWS} at most", all.len())));
    }
    let one = |value| {
        let t = t.inner("windows", value)?;
        let (first, to) = (step(&t, "first", 0)?, step(&t, "to", 0)?);
        let last = step(&t, "last", PLACE - 1)?;
        if last < first {
            return Err(t.wrong("`last`: expected `first` before it"));
        }
        t.done()?;
        Ok(Window { first, last, offset: to.wrapping_sub(first) & ((1 << 26) - 1) })
    };
    Ok(Vectors::of(&all.iter().map(one).collect::<Result<Vec<_>>>()?))
}

/// The place with this byte, which is byte `within` of it.
fn step(t: &Table, key: &'static str, within: u32) -> Result<u32> {
    let byte: u32 = t.needed(key)?;
    if byte % PLACE == within {
        return Ok(byte / PLACE);
    }
    let expected = if within == 0 { "a multiple of 64" } else { "the last of 64 bytes" };
    Err(t.wrong(format!("`{key}` is {byte:#x}: expected {expected}")))
}
