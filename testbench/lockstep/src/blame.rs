// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cause of a divergence: Icarus shows the ports of all instances, and [`awgstar_compare::cause`] selects one.

use crate::run::Lockstep;
use awgstar::quantity;
use awgstar::quantity::narrow;
use awgstar::rtl::state::Ports;
use awgstar_compare::{Cause, Divergence, Kind, cause};
use awgstar_simulator::SimError;
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::Case;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::vector::track_of;
use std::path::Path;

/// The wire that is wrong before or as what `d` says differs; `None` if the mistake is in how the
/// module of the register computes its next value. `program` is one of
/// [`icarus::build_with_ports`].
///
/// # Errors
/// If Icarus is missing or a run gives no answer.
pub fn blame<M: Machine>(
    d: &Divergence<Case<M>>,
    lockstep: &Lockstep<M>,
    program: &Path,
) -> Result<Option<Cause>, SimError> {
    let shape = lockstep.shape();
    // Outputs alone differ in the cycle of their cause, registers one later.
    let late = u64::from(d.first().is_some_and(|s| s.signal.kind != Kind::Output));
    let cycle = d.cycle - late;
    let case = d.case.with_cycles(quantity::Cycle(d.cycle + 1));
    let track = track_of::<M>(&case, d.node, &shape.parameters)?;
    let cycles = icarus::play_from::<M>(shape, program, &track, cycle)?;
    let at = narrow::<usize>(cycle);
    let Some(icarus) = cycles.get(at) else { return Ok(None) };
    let mut wrong = Vec::new();
    lockstep.watch(&case, cycle, cycle + 1, &mut |_, node, machine, _, shot| {
        if node == d.node {
            let inputs = M::Inputs::unpack(&shot.inputs);
            wrong = cause::wires::<M>(shape, machine, &inputs, &icarus.ports, cycle);
        }
    })?;
    Ok(cause::cause(shape, &wrong))
}
