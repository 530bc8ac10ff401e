// SPDX-License-Identifier: MIT OR Apache-2.0
//! Latency lower bounds: the propagation times, in cycles, that no protocol can beat on an idle
//! ring.
//!
//! Two terms are added to a bound and listed separately: the frames themselves (17 words each) and
//! the accesses of the hosts. Both are independent of the number of nodes.

use crate::study::Ring;

/// Cycles from one node to the next.
#[must_use]
pub fn hop(ring: &Ring) -> f64 {
    f64::from(4 + ring.fibre)
}

#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a figure")]
pub fn rotation(ring: &Ring) -> f64 {
    hop(ring) * ring.nodes as f64
}

/// A free lock: a request and its answer go once round, wherever who answers is.
#[must_use]
pub fn free_lock(ring: &Ring) -> f64 {
    rotation(ring)
}

/// From one holder to the next: half a rotation in the mean.
#[must_use]
pub fn hand_over(ring: &Ring) -> f64 {
    rotation(ring) / 2.0
}

/// From the last arrival to the farthest node: all hops but one.
#[must_use]
pub fn barrier(ring: &Ring) -> f64 {
    rotation(ring) - hop(ring)
}
