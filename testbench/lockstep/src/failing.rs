// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vector of a failing case, to be replayed.

use awgstar_compare::{Difference, Divergence};
use awgstar_simulator::SimError;
use awgstar_stimulus::Case;
use awgstar_stimulus::{
    case_text,
    machine::Machine,
    shape::Shape,
    vector::{Vector, track_of},
};

/// Makes the vector of a divergence: the inputs of its node.
///
/// # Errors
/// If the scenario is invalid.
pub fn vector<M: Machine>(
    d: &Divergence<Case<M>>,
    shape: &Shape,
    why: &str,
) -> Result<Vector<M>, SimError> {
    let track = track_of::<M>(&d.case, d.node, &shape.parameters)?;
    let path = d.first().map(Difference::path).unwrap_or_default();
    let mut vector = Vector::failing(shape, track, why, (&path, d.cycle));
    vector.about.case = case_text(&d.case);
    Ok(vector)
}
