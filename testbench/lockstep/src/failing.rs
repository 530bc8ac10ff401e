// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vector of a failing case, to be replayed.

use crate::Divergence;
use awgstar_simulator::SimError;
use awgstar_stimulus::{
    case_text,
    machine::Machine,
    shape::Shape,
    vector::{About, Vector, expect, track_of},
};

/// Makes the vector of a divergence: the inputs of its node.
///
/// # Errors
/// If the scenario is invalid.
pub fn vector<M: Machine>(
    d: &Divergence<M::Case>,
    shape: &Shape,
    why: &str,
) -> Result<Vector<M>, SimError> {
    let track = track_of::<M>(&d.case, d.node, &shape.parameters)?;
    let about = About {
        module: shape.layout.module.to_owned(),
        why: why.to_owned(),
        requirements: vec!["LCK-3".to_owned()],
        path: d.first().map(|s| s.path.clone()).unwrap_or_default(),
        cycle: Some(d.cycle),
        parameters: shape.parameters.changed(shape.layout.module),
        deposits: track.deposits.iter().map(ToString::to_string).collect(),
        case: case_text(&d.case),
        ..About::default()
    };
    Ok(Vector { about, parameters: shape.parameters, expect: expect::<M>(shape, &track), track })
}
