// SPDX-License-Identifier: MIT OR Apache-2.0
//! A design that is the machine from another start, and what is wrong in what it shows.

use super::probe::{Inputs, Probe, Registers};
use awgstar_compare::Seen;
use awgstar_compare::cycle::Values;

/// A design in the state of a simulation: nothing is zero.
pub(crate) fn design() -> Probe {
    let registers = Registers {
        valid_q: true,
        long_q: 0x1_2345_6789,
        wide_q: 1 << 64 | 0xfeed_0000_beef_0000,
        full: 0xaaaa_5555_0f0f_f0f0_1234_5678_9abc_def0,
        inner_q: 0x5a,
    };
    Probe { registers, few: [1, 2, 3, 4], many: [0xdead_beef_0000_0001; 8] }
}

/// Ports of the instance, in the order of the causes.
pub(crate) fn wires(design: &Probe, inputs: &Inputs) -> Vec<Seen> {
    let ports = [design.inner(inputs).d, design.registers.inner_q];
    ports.map(|value| Seen::known(value.into())).to_vec()
}

/// Flips a bit.
pub(crate) fn flip(values: &mut Values, number: usize, bit: usize) {
    if let Some(Some(seen)) = values.get_mut(number) {
        seen.value ^= 1 << bit;
    }
}

/// Makes a bit X.
pub(crate) fn blur(values: &mut Values, number: usize, bit: usize) {
    if let Some(Some(seen)) = values.get_mut(number) {
        seen.value &= !(1 << bit);
        seen.x |= 1 << bit;
    }
}
