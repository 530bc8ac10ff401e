// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards under processes.

use awgstar::quantity::Cycle;
use awgstar_rings::machine::Mesh;

/// Rings from a file.
#[derive(Clone, Debug)]
pub struct RingsPlan {
    /// One line that says what it shows.
    pub title: String,
    pub mesh: Mesh,
    /// Length of the longest run.
    pub limit: Cycle,
}

impl RingsPlan {
    /// Processes of each ring.
    #[must_use]
    pub const fn processes(&self) -> usize {
        self.mesh.boards() - 1
    }
}
