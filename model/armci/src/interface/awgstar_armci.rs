// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar_armci.h`: what paper 001 adds in section 3.2.2.

use awgstar_caller::{
    interface,
    memory::{Array, Memory},
};
use awgstar_onesided::Op;
use std::ffi::{c_int, c_long};

/// Two `long`s as bytes.
type Pair = [c_long; 2];
/// A pair that is only read.
type ConstPair = Array<Pair>;

fn bytes(pair: Pair) -> [u8; 16] {
    let mut all = [0; 16];
    for (to, number) in all.chunks_exact_mut(8).zip(pair) {
        to.copy_from_slice(&number.to_le_bytes());
    }
    all
}

fn numbers(bytes: [u8; 16]) -> Pair {
    awgstar_caller::numbers::pair(&bytes).map(u64::cast_signed)
}

interface! {
    /// Writes `value` to an `int` of a process in one step if it is `expected`. The old value is put into `old`.
    fn AWGSTAR_ARMCI_Compare_swap_int(
        old: Array<c_int>, expected: c_int, value: c_int, prem: Memory, proc: c_int,
    ) -> c_int = call |armci| {
        let values = [expected, value].map(c_int::to_le_bytes);
        let found = armci.exchange(Op::CompareSwap, values, prem, proc)?;
        old.set("old", [c_int::from_le_bytes(found)])
    };

    /// Writes `value` to a `long` of a process in one step if it is `expected`. The old value is put into `old`.
    fn AWGSTAR_ARMCI_Compare_swap_long(
        old: Array<c_long>, expected: c_long, value: c_long, prem: Memory, proc: c_int,
    ) -> c_int = call |armci| {
        let values = [expected, value].map(c_long::to_le_bytes);
        let found = armci.exchange(Op::CompareSwap, values, prem, proc)?;
        old.set("old", [c_long::from_le_bytes(found)])
    };

    /// Writes a pair of `long`s of a process in one step. The old pair is put into `old`. Pairs are at a multiple of 8.
    fn AWGSTAR_ARMCI_Swap_pair(old: Array<Pair>, value: ConstPair, prem: Memory, proc: c_int) -> c_int =
        call |armci| {
            let values = [[0; 2], value.get("value")?].map(bytes);
            let found = armci.exchange(Op::Swap, values, prem, proc)?;
            old.set("old", [numbers(found)])
        };

    /// Writes a pair of `long`s of a process in one step if it is `expected`. The old pair is put into `old`.
    fn AWGSTAR_ARMCI_Compare_swap_pair(
        old: Array<Pair>, expected: ConstPair, value: ConstPair, prem: Memory, proc: c_int,
    ) -> c_int = call |armci| {
        let values = [expected.get("expected")?, value.get("value")?].map(bytes);
        let found = armci.exchange(Op::CompareSwap, values, prem, proc)?;
        old.set("old", [numbers(found)])
    };

    /// Reads a pair of `long`s of a process in one step.
    fn AWGSTAR_ARMCI_Fetch_pair(old: Array<Pair>, prem: Memory, proc: c_int) -> c_int = call |armci| {
        let found = armci.exchange(Op::Fetch, [[0; 16]; 2], prem, proc)?;
        old.set("old", [numbers(found)])
    };
}
